/** Attacks on the door: places for others, time for passwords, and addresses that are not the attacker's. */
import type { Protocol } from "wirewalk/protocol";
import { type Arena, closes, formatMs } from "./arena.ts";
import type { Attack } from "./attack.ts";
import { CannotRun, type Outcome } from "./outcome.ts";
import type { TargetGame } from "./target.ts";

/** 20 s of fair time, 40 s of real time. */
const SILENT_MS = 50_000;
const UNFINISHED_MS = 20_000;
const AT_ONCE_MS = 5_000;

/** One password takes 50 ms of a core; 256 logins wait at most. */
const LOGIN_MS = 25_000;

const LOGIN_GAME = "slime-online-2";
/** The dialect with a login. */
const LOGIN = ["--dialect", `${LOGIN_GAME}=v0106`];
const PASSWORD = "secret";

/** Those whose login must work, beside the attacker's own address. */
const OWNER = 2;
const NEWCOMER = 3;
const REGISTRAR = 10;

const GUESSERS = 300;
const GUESSED_NAMES = 300;
/** Honest logins go on for so long; the guesses begin earlier. */
const GUESSING_MS = 15_000;
const LEAD_MS = 1_000;
const PAUSE_MS = 200;
/** A login waits behind at most the guesses that are being checked and one of each other address. */
const HONEST_LOGIN_MS = 5_000;
const LOGINS_SUCCEED =
  "known names from the guessers' address, and all names from another one, log in within 5 s every time";
/** Names that are registered at the same time, each from an address of its own. */
const REGISTERING = 4;

const FEW_SESSIONS = 8;
const MANY_CONNECTIONS = 30;

interface Login {
  readonly user: string;
  readonly password: string;
  readonly localAddress?: string | undefined;
}

function hasLogin(protocol: Protocol, dialect: string): boolean {
  return protocol.capabilities?.login?.admission(dialect) !== undefined;
}

function loginGame(arena: Arena): TargetGame {
  const game = arena.game(LOGIN_GAME);
  if (hasLogin(game.protocol, game.dialect)) return game;
  throw new CannotRun(`dialect ${game.dialect} of ${LOGIN_GAME} has no login`);
}

/** One login: its result, `closed` or `no answer`, and how long that took. The connection of a success stays open. */
async function logIn(arena: Arena, { user, password, localAddress = arena.address }: Login) {
  const { protocol, dialect } = loginGame(arena);
  const startMs = performance.now();
  const client = await arena.tcp(LOGIN_GAME, localAddress);
  const channel = protocol.openChannel({ side: "client", dialect, carrier: "stream" });
  let result: string | undefined;
  client.socket.on("data", (bytes) => {
    channel.push(new Uint8Array(bytes));
    for (let received = channel.next(); received !== undefined; received = channel.next()) {
      const { message, value } = received.message ?? { message: "", value: {} };
      if (message === "login" && "result" in value) result ??= String(value.result);
    }
  });
  client.send(channel.write({ message: "login", value: { version: "0.106", user, password, mac: "" } }));
  await arena.until(() => result !== undefined || client.isClosed, LOGIN_MS);
  const outcome = result ?? (client.isClosed ? "closed" : "no answer");
  if (outcome !== "success") client.drop();
  return { outcome, ms: performance.now() - startMs, client };
}

/** Registers a name, and leaves. */
async function register(arena: Arena, user: string, localAddress: string | undefined): Promise<boolean> {
  const { outcome, client } = await logIn(arena, { user, password: PASSWORD, localAddress });
  client.drop();
  return outcome === "success";
}

/** Registers names from a few addresses; the first that could not be. */
async function registerAll(arena: Arena, users: readonly string[]): Promise<string | undefined> {
  const waiting = [...users];
  let refused: string | undefined;
  await Promise.all(
    Array.from({ length: REGISTERING }, async (_, index) => {
      for (let user = waiting.pop(); user !== undefined && refused === undefined; user = waiting.pop()) {
        if (!(await register(arena, user, arena.otherAddress(REGISTRAR + index)))) refused = user;
      }
    }),
  );
  return refused;
}

/** Logins with the right password, one after the other. */
interface HonestLogins {
  readonly title: string;
  readonly user: (index: number) => string;
  readonly localAddress: string | undefined;
  /** Every one of them must succeed in time. */
  readonly isPromised: boolean;
}

/** Guessers of one address, while others log in again and again: from another address, and from the guessers' own. */
async function guess(arena: Arena, names: number): Promise<Outcome> {
  const users = Array.from({ length: arena.count(names) }, (_, index) => `g${arena.number}x${index}`);
  const owner = `o${arena.number}`;
  const neighbour = `n${arena.number}`;
  const other = arena.otherAddress(OWNER);
  const refused =
    (await registerAll(arena, [...users, owner])) ??
    ((await register(arena, neighbour, arena.address)) ? undefined : neighbour);
  if (refused !== undefined) return { held: false, figure: `${refused} could not be registered` };
  let isOver = false;
  const guesses = new Map<string, number>();
  const guessers = Array.from({ length: arena.count(GUESSERS) }, async (_, index) => {
    while (!isOver) {
      const user = users[index % users.length] ?? owner;
      const { outcome } = await logIn(arena, { user, password: "guess" });
      if (!isOver) guesses.set(outcome, (guesses.get(outcome) ?? 0) + 1);
      await arena.sleep(PAUSE_MS);
    }
  });
  await arena.sleep(LEAD_MS);
  const endMs = performance.now() + arena.within(GUESSING_MS);
  const honest: readonly HonestLogins[] = [
    { title: "known name", user: () => owner, localAddress: other, isPromised: true },
    { title: "new name", user: (index) => `a${arena.number}x${index}`, localAddress: other, isPromised: true },
    { title: "known name, guessers' address", user: () => neighbour, localAddress: arena.address, isPromised: true },
    // One that guesses is a suspect, and so are new names of its address: they wait for all others.
    {
      title: "new name, guessers' address",
      user: (index) => `b${arena.number}x${index}`,
      localAddress: arena.address,
      isPromised: false,
    },
  ];
  const results = await Promise.all(honest.map((logins) => logInUntil(arena, logins, endMs)));
  isOver = true;
  await Promise.all(guessers);
  const counts = [...guesses].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  return {
    held: results.every(({ isFine }) => isFine) && !guesses.has("success"),
    figure: `${results.map(({ text }) => text).join("; ")}; guesses: ${counts}`,
  };
}

async function logInUntil(arena: Arena, { title, user, localAddress, isPromised }: HonestLogins, endMs: number) {
  const times: number[] = [];
  let tried = 0;
  do {
    const login = { user: user(tried), password: PASSWORD, localAddress };
    const { outcome, ms, client } = await logIn(arena, login);
    client.drop();
    tried += 1;
    if (outcome === "success") times.push(ms);
    await arena.sleep(PAUSE_MS);
  } while (performance.now() < endMs);
  times.sort((a, b) => a - b);
  const slowest = times.at(-1);
  const median = times[times.length >> 1];
  return {
    isFine: !isPromised || (times.length === tried && (slowest ?? Number.POSITIVE_INFINITY) <= HONEST_LOGIN_MS),
    text: `${title}: ${times.length} of ${tried} logins, median ${formatMs(median)}, slowest ${formatMs(slowest)}`,
  };
}

/** Connections that claim to come from other addresses: how many of them the server keeps. */
async function keeps(arena: Arena, open: (index: number) => Promise<{ readonly isOpen: () => boolean }>) {
  const connections = await Promise.all(Array.from({ length: MANY_CONNECTIONS }, (_, index) => open(index)));
  const count = (): number => connections.filter(({ isOpen }) => isOpen()).length;
  await arena.until(() => count() <= FEW_SESSIONS, AT_ONCE_MS);
  const otherMs = await arena.newcomer("scrap-mechanic", { localAddress: arena.otherAddress(NEWCOMER) });
  return {
    held: count() <= FEW_SESSIONS && otherMs !== undefined,
    figure: `${count()} of ${MANY_CONNECTIONS} kept; another address played after ${formatMs(otherMs)}`,
  };
}

/** All places of osrs, where a client may only watch; more than the server has in all; and others. */
const silentGames = [
  { game: "osrs", count: 2_047, mayWatch: true },
  { game: LOGIN_GAME, count: 11_000, mayWatch: false },
  { game: "maplestory", count: 1_000, mayWatch: false },
  { game: "scrap-mechanic", count: 1_000, mayWatch: false },
] as const;

/** How long it takes until a newcomer plays, in every game; undefined when one never does. */
async function newcomers(arena: Arena): Promise<number | undefined> {
  const localAddress = arena.otherAddress(NEWCOMER);
  const games = [...arena.target.games.values()].filter(
    // Without a login a newcomer that is alone in its room receives nothing.
    ({ protocol, dialect }) => protocol.name !== LOGIN_GAME || hasLogin(protocol, dialect),
  );
  const tookMs = await Promise.all(games.map(({ protocol }) => arena.newcomer(protocol.name, { localAddress })));
  return tookMs.includes(undefined) ? undefined : Math.max(...tookMs.map((ms = 0) => ms));
}

const proxyHeaders = [
  { version: 1, bytes: Buffer.from("PROXY TCP4 203.0.113.7 127.0.0.1 40000 5555\r\n", "latin1") },
  {
    version: 2,
    bytes: Buffer.concat([
      Buffer.from("0d0a0d0a000d0a515549540a", "hex"),
      Uint8Array.of(0x21, 0x11, 0, 12, 203, 0, 113, 7, 127, 0, 0, 1, 0x9c, 0x40, 0x15, 0xb3),
    ]),
  },
] as const;

export const admissionAttacks: readonly Attack[] = [
  ...silentGames.map(
    ({ game, count, mayWatch }): Attack => ({
      name: `admission-silent-${game}`,
      family: "admission",
      summary: `opens ${count.toLocaleString("en")} connections to ${game} that send nothing`,
      expectation: `newcomers of all games play within 10 s${mayWatch ? "" : ", and no silent connection is open after 50 s"}`,
      ...(game === LOGIN_GAME ? { flags: LOGIN } : {}),
      async run(arena) {
        const clients = await arena.crowd(game, count);
        const newcomersMs = await newcomers(arena);
        const played = `newcomers played after ${formatMs(newcomersMs)}`;
        if (mayWatch) {
          const watching = clients.filter(({ isClosed }) => !isClosed).length;
          return { held: newcomersMs !== undefined, figure: `${played}; ${watching} of ${clients.length} watch on` };
        }
        const tookMs = await arena.until(() => clients.every(({ isClosed }) => isClosed), SILENT_MS);
        return {
          held: newcomersMs !== undefined && tookMs !== undefined,
          figure: `${played}; all silent ones closed after ${formatMs(tookMs)}`,
        };
      },
    }),
  ),
  {
    name: "admission-half-frames",
    family: "admission",
    summary: "opens 2,000 connections to scrap-mechanic and sends half of a frame over each",
    expectation: "a newcomer plays within 10 s, and all of them are closed within 20 s",
    async run(arena) {
      const clients = await arena.crowd("scrap-mechanic", 2_000, Uint8Array.of(0));
      const newcomerMs = await arena.newcomer("scrap-mechanic", { localAddress: arena.otherAddress(NEWCOMER) });
      const tookMs = await arena.until(() => clients.every(({ isClosed }) => isClosed), UNFINISHED_MS);
      return {
        held: newcomerMs !== undefined && tookMs !== undefined,
        figure: `a newcomer played after ${formatMs(newcomerMs)}; all closed after ${formatMs(tookMs)}`,
      };
    },
  },
  {
    name: "admission-guess-one-name",
    family: "admission",
    summary: `guesses the password of one name over ${GUESSERS} connections`,
    expectation: `no guess is right; ${LOGINS_SUCCEED}`,
    flags: LOGIN,
    run: (arena) => guess(arena, 1),
  },
  {
    name: "admission-guess-many-names",
    family: "admission",
    summary: `guesses the passwords of ${GUESSED_NAMES} names over ${GUESSERS} connections`,
    expectation: `no guess is right; ${LOGINS_SUCCEED}`,
    flags: LOGIN,
    run: (arena) => guess(arena, GUESSED_NAMES),
  },
  {
    name: "admission-right-after-wrong",
    family: "admission",
    summary: "sends ten wrong passwords and then the right one",
    expectation: "the right one is refused there as well, and accepted from the owner's address",
    flags: LOGIN,
    async run(arena) {
      const user = `r${arena.number}`;
      if (!(await register(arena, user, arena.otherAddress(OWNER))))
        return { held: false, figure: "the name could not be registered" };
      for (let tried = 0; tried < 10; tried += 1) await logIn(arena, { user, password: `guess ${tried}` });
      const guessed = await logIn(arena, { user, password: PASSWORD });
      guessed.client.drop();
      const owned = await logIn(arena, { user, password: PASSWORD, localAddress: arena.otherAddress(OWNER) });
      return {
        held: guessed.outcome !== "success" && owned.outcome === "success",
        figure: `after ten wrong ones: ${guessed.outcome}; the owner: ${owned.outcome}`,
      };
    },
  },
  {
    name: "admission-second-login",
    family: "admission",
    summary: "logs in with the name of a player who is online, and a wrong password",
    // The right one takes the player over: that is its owner, whose connection broke.
    expectation: "the login is refused, and the player plays on",
    flags: LOGIN,
    async run(arena) {
      const user = `s${arena.number}`;
      const first = await logIn(arena, { user, password: PASSWORD, localAddress: arena.otherAddress(OWNER) });
      const second = await logIn(arena, { user, password: "guess" });
      await arena.sleep(500);
      const isOn = first.outcome === "success" && !first.client.isClosed;
      return {
        held: second.outcome === "wrongPassword" && isOn,
        figure: `the login: ${second.outcome}; the player ${isOn ? "plays on" : "was disconnected"}`,
      };
    },
  },
  {
    name: "admission-closed-registration",
    family: "admission",
    summary: "logs in with a new name where registration is closed",
    expectation: "the login is refused",
    flags: [...LOGIN, "--register", "closed"],
    async run(arena) {
      const { outcome } = await logIn(arena, { user: `c${arena.number}`, password: PASSWORD });
      return { held: outcome === "noAccount" || outcome === "closed", figure: outcome };
    },
  },
  {
    name: "admission-no-login",
    family: "admission",
    summary: "plays slime-online-2 without a login",
    expectation: "the connection is closed within 5 s",
    flags: LOGIN,
    async run(arena) {
      const { protocol, dialect } = loginGame(arena);
      const channel = protocol.openChannel({ side: "client", dialect, carrier: "stream" });
      const client = await arena.tcp(LOGIN_GAME);
      client.send(channel.write({ message: "ping", value: {} }));
      return closes(arena, client, AT_ONCE_MS);
    },
  },
  ...proxyHeaders.flatMap(({ version, bytes }) =>
    (["slime-online-2", "scrap-mechanic"] as const).map(
      (game): Attack => ({
        name: `admission-proxy-v${version}-${game}`,
        family: "admission",
        summary: `begins a connection to ${game} with a PROXY header of version ${version}, to come from another address`,
        expectation: "the connection is closed within 5 s",
        async run(arena) {
          const client = await arena.tcp(game);
          client.send(bytes);
          return closes(arena, client, AT_ONCE_MS);
        },
      }),
    ),
  ),
  {
    name: "admission-forwarded-for",
    family: "admission",
    summary: `opens ${MANY_CONNECTIONS} WebSockets from one address, each with another X-Forwarded-For`,
    expectation: `at most ${FEW_SESSIONS} are kept, as many as one address may have, and another address plays`,
    flags: ["--sessions-per-address", String(FEW_SESSIONS)],
    run: (arena) =>
      keeps(arena, async (index) => {
        const headers = { "X-Forwarded-For": `203.0.113.${index}`, Forwarded: `for=203.0.113.${index}` };
        const { client, status, closeCode } = await arena.webSocket("/ws/scrap-mechanic", headers);
        return { isOpen: () => status === 101 && !client.isClosed && closeCode() === undefined };
      }),
  },
  {
    name: "admission-sessions-per-address",
    family: "admission",
    summary: `opens ${MANY_CONNECTIONS} TCP connections from one address`,
    expectation: `at most ${FEW_SESSIONS} are kept, as many as one address may have, and another address plays`,
    flags: ["--sessions-per-address", String(FEW_SESSIONS)],
    run: (arena) =>
      keeps(arena, async () => {
        const client = await arena.tcp("osrs");
        return { isOpen: () => !client.isClosed };
      }),
  },
];
