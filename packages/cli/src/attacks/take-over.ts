/** Attacks on a player that is online: to be taken for it, so that the server ends its session. */
import type { BotRun } from "wirewalk/client";
import type { Bot, WireMessage } from "wirewalk/protocol";
import type { Arena } from "./arena.ts";
import type { Attack } from "./attack.ts";
import type { Outcome } from "./outcome.ts";

/** Attempts, one after the other. */
const ATTEMPTS = 5;
/** Until the server has answered an attempt: a password check takes 50 ms of a core. */
const ANSWER_MS = 10_000;
/** Until the player has logged in. */
const LOGIN_MS = 3_000;
/** A dead connection gives its character up after 15 s; the player answers. */
const SILENCE_MS = 20_000;
const ATTACKER = 2;

/** Sends one message, and from then on only what keeps its connection alive. */
function oneMessage(message: WireMessage): Bot {
  return {
    stepMs: 1_000,
    start: () => [message],
    receive: (received) => {
      if (received.message !== "ping") return [];
      // Slime Online 2 and MapleStory answer with different words.
      return [{ message: message.message === "login" ? "ping" : "pong", value: {} }];
    },
    step: () => [],
  };
}

interface TakeOver {
  readonly game: string;
  readonly victim: WireMessage;
  /** What an attempt sends. */
  readonly attempt: (attempt: number) => WireMessage;
  /** For how long the victim plays before the first attempt. */
  readonly afterMs: number;
  /** The attacker's address: its own, or that of the victim. */
  readonly localAddress: (arena: Arena) => string | undefined;
}

/** The victim must play on, and each attempt must be disconnected. */
async function takeOver(arena: Arena, { game, victim, attempt, afterMs, localAddress }: TakeOver): Promise<Outcome> {
  const playing = await arena.player(game, { bot: oneMessage(victim) });
  await arena.sleep(afterMs);
  const attempts: BotRun[] = [];
  for (let number = 0; number < arena.count(ATTEMPTS); number += 1) {
    const bot = oneMessage(attempt(number));
    const run = await arena.player(game, { bot, localAddress: localAddress(arena) });
    await arena.until(() => run.closed !== undefined, ANSWER_MS);
    attempts.push(run);
  }
  const refused = attempts.filter(({ closed }) => closed !== undefined).length;
  const { closed, counts } = playing;
  const noticed =
    closed !== undefined ? `was disconnected (${closed})` : counts.messagesIn === 0 ? "never came in" : "played on";
  return {
    held: noticed === "played on" && refused === attempts.length,
    figure: `${refused} of ${attempts.length} attempts were disconnected; the player ${noticed}`,
  };
}

const login = (user: string, password: string): WireMessage => {
  return { message: "login", value: { version: "0.106", user, password, mac: "" } };
};
const character = (characterId: number): WireMessage => {
  return { message: "playerLoggedIn", value: { characterId, reserved: 0 } };
};
const CHARACTER = 1_234_567;

export const takeOverAttacks: readonly Attack[] = [
  {
    name: "identity-take-over-by-guessing",
    family: "identity",
    summary: "logs in with the name of a player that is online, and guesses its password",
    expectation: "each attempt is disconnected, and the player plays on",
    flags: ["--dialect", "slime-online-2=v0106"],
    run: (arena) =>
      takeOver(arena, {
        game: "slime-online-2",
        victim: login(`victim-${arena.number}`, "its own"),
        attempt: (number) => login(`victim-${arena.number}`, `guess ${number}`),
        afterMs: LOGIN_MS,
        localAddress: (each) => each.otherAddress(ATTACKER),
      }),
  },
  {
    name: "identity-take-over-character",
    family: "identity",
    summary: "claims the character of a player of MapleStory that is online, from another address",
    expectation: "each attempt is disconnected, and the player plays on",
    run: (arena) =>
      takeOver(arena, {
        game: "maplestory",
        victim: character(CHARACTER),
        attempt: () => character(CHARACTER),
        afterMs: LOGIN_MS,
        localAddress: (each) => each.otherAddress(ATTACKER),
      }),
  },
  {
    name: "identity-take-over-neighbour",
    family: "identity",
    summary: "claims the character of a player of MapleStory that stands still behind the same address, after 20 s",
    expectation: "each attempt is disconnected, and the player plays on",
    run: (arena) =>
      takeOver(arena, {
        game: "maplestory",
        victim: character(CHARACTER + 1),
        attempt: () => character(CHARACTER + 1),
        afterMs: SILENCE_MS,
        localAddress: (each) => each.address,
      }),
  },
];
