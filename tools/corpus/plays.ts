/** What the corpus holds: plays of bots on a virtual clock, honest on bad networks and each cheat of each game. */

import { createRandom } from "../../packages/wirewalk/src/motion/index.ts";
import type { Bot, BotOptions } from "../../packages/wirewalk/src/protocols/bot.ts";
import type { WireMessage } from "../../packages/wirewalk/src/protocols/codec.ts";
import { defaultDialect } from "../../packages/wirewalk/src/protocols/default-dialect.ts";
import type { PlayableProtocol } from "../../packages/wirewalk/src/protocols/protocol.ts";
import type { SimulationOptions } from "../../packages/wirewalk/src/testing/simulation.ts";
import { fairnessGames, playsInRooms } from "../fairness/games.ts";
import { type FairnessNetwork, networks } from "../fairness/networks.ts";

/** One recording of the corpus. */
export interface CorpusPlay {
  /** File name without its end. */
  readonly name: string;
  readonly protocol: PlayableProtocol;
  readonly network: string;
  /** `none`, a cheat of the game's bots, or `flood`. */
  readonly cheat: string;
  /** At most; of a cheat it ends soon after it is found. */
  readonly seconds: number;
}

/** Seconds of honest play on each network: with one stall, where it has stalls. */
const honestSeconds = { jitter: 12, stall: 34, all: 34 } as const;
/** Clients of these send 40 messages a second: one player of a recording is enough for a small corpus. */
const aloneGames: ReadonlySet<string> = new Set(["scrap-mechanic"]);
/** The goal for cheats on a clean network. */
const CHEAT_SECONDS = 60;
/** Every message of a flooding client is sent so often. It is what attacks on rates do to a world. */
const FLOOD = 30;

export const FLOODING = "flood";

export function playsOf(protocol: PlayableProtocol): readonly CorpusPlay[] {
  const honest = Object.entries(honestSeconds).map(([network, seconds]) => {
    return { name: `honest-${network}`, protocol, network, cheat: "none", seconds };
  });
  const cheats = [...protocol.bots.cheats, FLOODING].map((cheat) => {
    return { name: `cheat-${cheat}`, protocol, network: "clean", cheat, seconds: CHEAT_SECONDS };
  });
  return [...honest, ...cheats];
}

/** The play of one recording: a cheat has an honest player beside it, where the game allows. */
export function simulationOf(
  play: CorpusPlay,
  seed: number,
  seconds: number,
): SimulationOptions<WireMessage, WireMessage> {
  const { protocol, cheat } = play;
  const network = networks[play.network] as FairnessNetwork;
  const dialect = defaultDialect(protocol);
  const random = createRandom(seed);
  const both = cheat === "none" ? ["honest", "honest-2"] : ["cheat", "honest"];
  const names = both.slice(0, aloneGames.has(protocol.name) ? 1 : 2);
  const room = protocol.bots.rooms?.[0];
  return {
    protocol,
    world: { dialect, seed, demo: isDemo(play) },
    seed,
    durationMs: Math.round(seconds * 1000),
    conditions: network.conditions,
    ...(network.serverStall === undefined ? {} : { serverStall: network.serverStall }),
    bots: names.map((name, number) => ({
      bot: botOf(protocol, {
        dialect,
        random: random.fork(),
        number,
        cheat: name === "cheat" ? cheat : "none",
        ...(room === undefined ? {} : { room }),
      }),
      joining: { account: name, name, ...(room === undefined ? {} : { room: String(room) }) },
      startMs: number * 37,
      listens: true,
    })),
  };
}

/** Cheats of some games run through the walls of the demo's rooms. */
export function isDemo({ protocol, cheat }: CorpusPlay): boolean {
  const game = fairnessGames[protocol.name];
  return cheat === FLOODING || game === undefined || playsInRooms(game, cheat);
}

function botOf(protocol: PlayableProtocol, options: BotOptions): Bot {
  if (options.cheat !== FLOODING) return protocol.bots.create(options);
  const bot = protocol.bots.create({ ...options, cheat: "none" });
  const often = (messages: readonly WireMessage[]): readonly WireMessage[] =>
    messages.flatMap((message) => Array.from({ length: FLOOD }, () => message));
  return {
    stepMs: bot.stepMs,
    start: (nowMs) => bot.start(nowMs),
    receive: (message, nowMs) => bot.receive(message, nowMs),
    step: (nowMs) => often(bot.step(nowMs)),
  };
}
