/** Attacks on who a player is: to have another one banned, or to escape a ban. */
import { type Arena, formatMs } from "./arena.ts";
import type { Attack } from "./attack.ts";

/** A dialect without a login, so that no name is verified. */
const GAME = "slime-online-2";
const DIALECT = ["--dialect", `${GAME}=documented`];
const BANS = ["--bots", "1", "--ban-loopback"];

/** A player that teleports is banned within seconds. */
const BANNED_MS = 60_000;
/** What a ban of somebody else would need to take effect. */
const EFFECT_MS = 1_500;
/** Until the server has noticed that a player left. */
const LEAVE_MS = 500;
/** Time for which a player from a banned address waits where such bans are soft (`softBanDelayMs`). */
const SOFT_BAN_MS = 4_000;
/** Timers of two processes. */
const TIMER_MS = 500;
const CLAIMED = "Victim";

/** The addresses of the attacker and of those who must notice nothing. */
const VICTIM = 2;
const NEWCOMER = 3;

interface ClaimedName {
  readonly name: string;
  readonly summary: string;
  readonly claim: (victimAddress: string) => string;
}

const claimedNames: readonly ClaimedName[] = [
  { name: "name", summary: "another player's name", claim: () => CLAIMED },
  { name: "address", summary: "another player's address as its name", claim: (address) => address },
  { name: "address-key", summary: "the ban key of an address as its name", claim: (address) => `address:${address}` },
  { name: "login-key", summary: "the ban key of a login as its name", claim: () => `login:${CLAIMED}` },
];

function ofClaim({ name, summary, claim }: ClaimedName): Attack {
  return {
    name: `identity-ban-by-claimed-${name}`,
    family: "identity",
    summary: `claims ${summary} (?account=) and teleports until it is banned`,
    expectation: "the attacker is banned; the player with that name or address plays on, and may come back",
    flags: [...BANS, "--ban-address", "on", ...DIALECT],
    async run(arena) {
      const victim = {
        carrier: "websocket",
        localAddress: arena.otherAddress(VICTIM),
        query: `room=2&account=${CLAIMED}`,
      } as const;
      const playing = await arena.player(GAME, victim);
      const claimed = claim(victim.localAddress);
      const banned = await banAttacker(arena, `room=1&account=${encodeURIComponent(claimed)}`);
      if (banned === undefined) return { held: false, figure: "the attacker was not banned" };
      await arena.sleep(EFFECT_MS);
      const { closed } = playing;
      playing.stop();
      await arena.sleep(LEAVE_MS);
      const backMs = await arena.newcomer(GAME, { ...victim, query: `room=1&account=${CLAIMED}` });
      const noticed = closed === undefined ? "played on" : `was disconnected (${closed})`;
      return {
        held: closed === undefined && backMs !== undefined,
        figure: `${banned}; the victim ${noticed} and came back after ${formatMs(backMs)}`,
      };
    },
  };
}

export const identityAttacks: readonly Attack[] = [
  ...claimedNames.map(ofClaim),
  {
    name: "identity-return-under-another-name",
    family: "identity",
    summary: "is banned, and comes back under another name from the same address, over WebSocket and over TCP",
    expectation: "neither connection plays; players of other addresses do",
    flags: [...BANS, "--ban-address", "on", ...DIALECT],
    async run(arena) {
      const banned = await banAttacker(arena, "room=1&account=first");
      if (banned === undefined) return { held: false, figure: "the attacker was not banned" };
      const webMs = await arena.newcomer(GAME, { carrier: "websocket", query: "room=1&account=second" });
      const tcpMs = await arena.newcomer(GAME);
      const otherMs = await arena.newcomer(GAME, { localAddress: arena.otherAddress(NEWCOMER) });
      return {
        held: webMs === undefined && tcpMs === undefined && otherMs !== undefined,
        figure:
          `${banned}; plays again over WebSocket after ${formatMs(webMs)}, over TCP after ${formatMs(tcpMs)}; ` +
          `another address plays after ${formatMs(otherMs)}`,
      };
    },
  },
  {
    name: "identity-other-addresses-ban",
    family: "identity",
    summary: "asks for the ban of another address, which it names in X-Forwarded-For",
    expectation: "the answer is about the asking address alone",
    flags: [...BANS, "--ban-address", "on", ...DIALECT],
    async run(arena) {
      const banned = await banAttacker(arena, "room=1&account=first");
      if (banned === undefined) return { held: false, figure: "the attacker was not banned" };
      const path = `/ban?protocol=${GAME}`;
      const headers = `Host: ${arena.httpHost}\r\nX-Forwarded-For: ${arena.otherAddress(1)}\r\nConnection: close\r\n`;
      const client = await arena.http(arena.otherAddress(NEWCOMER));
      client.send(`GET ${path} HTTP/1.1\r\n${headers}\r\n`);
      await arena.until(() => client.isClosed, EFFECT_MS);
      const answer = client.text.slice(client.text.indexOf("\r\n\r\n") + 4).trim();
      return { held: answer === '{"ban":null}', figure: `${banned}; answered ${answer}` };
    },
  },
  {
    name: "identity-return-at-once",
    family: "identity",
    summary: "is banned where such bans are soft, and comes back at once under another name",
    expectation: "it plays again only after 4 s; players of other addresses do at once",
    flags: [...BANS, ...DIALECT],
    async run(arena) {
      const banned = await banAttacker(arena, "room=1&account=first");
      if (banned === undefined) return { held: false, figure: "the attacker was not banned" };
      const again = { carrier: "websocket", query: "room=1&account=second" } as const;
      const [backMs, otherMs] = await Promise.all([
        arena.newcomer(GAME, again, 3 * SOFT_BAN_MS),
        arena.newcomer(GAME, { localAddress: arena.otherAddress(NEWCOMER) }),
      ]);
      return {
        held: backMs !== undefined && backMs >= SOFT_BAN_MS - TIMER_MS && otherMs !== undefined,
        figure: `${banned}; plays again after ${formatMs(backMs)}, another address after ${formatMs(otherMs)}`,
      };
    },
  },
  {
    name: "identity-long-name",
    family: "identity",
    summary: "claims a name of 4,000 characters",
    expectation: "the handshake is answered with 400",
    async run(arena) {
      const { status } = await arena.webSocket(`/ws/${GAME}?account=${"a".repeat(4_000)}`);
      return { held: status === 400, figure: `answered ${status}` };
    },
  },
];

/** Teleports from the attacker's own address until that is banned: the reason of the disconnect; undefined when it is not. */
async function banAttacker(arena: Arena, query: string): Promise<string | undefined> {
  const run = await arena.player(GAME, { cheat: "teleport", carrier: "websocket", query });
  const tookMs = await arena.until(() => run.closed !== undefined, BANNED_MS);
  return tookMs === undefined ? undefined : `banned after ${formatMs(tookMs)}`;
}
