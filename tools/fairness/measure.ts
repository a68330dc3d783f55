/**
 * Plays one game on one network with one kind of players and counts what the rules made of them. Equal options give equal
 * results, but for `cpuSeconds`.
 */
import { createRandom, type PlayerId, type Track, type Verdict } from "../../packages/wirewalk/src/motion/index.ts";
import type { WireMessage } from "../../packages/wirewalk/src/protocols/codec.ts";
import type { WorldMaps } from "../../packages/wirewalk/src/protocols/maps.ts";
import type { PlayableProtocol } from "../../packages/wirewalk/src/protocols/protocol.ts";
import {
  type Played,
  type Reception,
  type SimulationResult,
  simulate,
} from "../../packages/wirewalk/src/testing/simulation.ts";
import { type FairnessGame, fairnessGames, type Gain, playsInRooms } from "./games.ts";
import type { FairnessNetwork } from "./networks.ts";

export interface MeasureOptions {
  readonly protocol: PlayableProtocol;
  readonly dialect: string;
  readonly network: FairnessNetwork;
  /** One of the game's cheats, or `none` for honest players. */
  readonly cheat: string;
  /** Players of one world. */
  readonly players: number;
  /** Players of a room. Default: what suits the game. */
  readonly perRoom?: number;
  readonly minutes: number;
  readonly seed: number;
  /** The places of the game, for the world and its bots. Default: the demo places. */
  readonly maps?: WorldMaps;
  /** The world does not know the shapes of its places. Default false. */
  readonly unknown?: boolean;
  /** Numbers of the rooms in which groups of players take turns. Default: with maps some of all kinds, else those of the game's bots. */
  readonly rooms?: readonly number[];
}

/** Seconds of the players that had them. */
export interface Spread {
  readonly median: number;
  readonly worst: number;
}

export interface Measured {
  readonly players: number;
  readonly playerHours: number;
  readonly cpuSeconds: number;
  readonly messages: number;
  /** Payloads that could not be read. */
  readonly refused: number;
  /** Verdicts above benign by kind and rule. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** Players with a verdict above benign. */
  readonly found: number;
  readonly bans: number;
  /** Corrections: verdicts of that kind, and moves of a player by more than the game's tolerance. */
  readonly corrections: number;
  /** The greatest distance that a correction moved a player. */
  readonly greatestCorrection: number;
  readonly firstFlag: Spread | undefined;
  /** To the first correction, refusal or ban. */
  readonly firstCorrection: Spread | undefined;
  /** The greatest advantage that a player held; undefined where the game has no measure of it. */
  readonly greatestGain: number | undefined;
  /** The same of the player in the middle. */
  readonly medianGain: number | undefined;
  /** The greatest advantage that a player had held when it was flagged for the first time; undefined as above. */
  readonly gainWhenFlagged: number | undefined;
  /** Rooms in which players began, where they were chosen out of a set of maps. */
  readonly startRooms: number | undefined;
  /** Player-seconds in each place, by its name; empty for demo places. */
  readonly places: Readonly<Record<string, number>>;
}

const SAMPLE_MS = 250;

const isAboveBenign = ({ kind }: Verdict): boolean => kind !== "accept" && kind !== "benign";
const isCorrecting = ({ kind }: Verdict): boolean => kind === "correct" || kind === "reject";

export function measure(options: MeasureOptions): Measured {
  const { protocol, dialect, network, cheat, players, minutes, seed, maps, unknown = false } = options;
  const game: FairnessGame = fairnessGames[protocol.name] ?? { unit: "", tolerance: 0, warps: [], perRoom: players };
  const { createBot = (each) => protocol.bots.create(each) } = game;
  const random = createRandom(seed);
  const groups = groupsOf(players, options.perRoom ?? game.perRoom);
  const inMaps = maps && (game.startRooms?.(maps, groups, createRandom(seed), cheat) ?? []);
  const rooms = options.rooms ?? inMaps ?? protocol.bots.rooms;
  const withMaps = maps === undefined ? {} : { maps };
  const bots = Array.from({ length: players }, (_, number) => {
    const index = Math.floor(number / (options.perRoom ?? game.perRoom));
    const room = rooms?.[index % rooms.length];
    const inRoom = { ...withMaps, ...(room === undefined ? {} : { room }) };
    return {
      bot: createBot({ dialect, random: random.fork(), number, cheat, ...inRoom }),
      joining: { account: `account${number}`, name: `bot${number}`, ...roomOf(protocol, index, room) },
      startMs: number * 37,
      listens: true,
    };
  });
  const startsAnywhere = game.startsAnywhere?.includes(dialect) === true;
  const starts = new Map<PlayerId, Track["position"]>();
  const corrections = new Corrections(game);
  const gains = new Map<PlayerId, Gain>();
  const places: Record<string, number> = {};
  const whenFlagged = new Map<PlayerId, number>();
  const firstFlagMs = new Map<PlayerId, number>();
  const take = ({ world, nowMs, numbers }: Pick<Played<WireMessage, WireMessage>, "world" | "nowMs" | "numbers">) => {
    if (game.gain === undefined) return;
    for (const track of world.tracks(nowMs)) {
      const number = numbers.get(track.player);
      if (number === undefined) continue;
      if (startsAnywhere) {
        const start = starts.get(track.player) ?? track.position;
        starts.set(track.player, start);
        // Not before the first message: until then it is where the server has put it.
        if (start.x === track.position.x && start.y === track.position.y && !gains.has(track.player)) continue;
      }
      let gain = gains.get(track.player);
      if (gain === undefined) {
        gain = game.gain((bots[number] as (typeof bots)[number]).bot, cheat);
        gains.set(track.player, gain);
      }
      gain.add(track, corrections.hasPutBack(number));
    }
  };
  const started = process.cpuUsage();
  const result = simulate({
    protocol,
    world: { dialect, seed, demo: !unknown && playsInRooms(game, cheat), ...(unknown ? {} : withMaps) },
    seed,
    durationMs: minutes * 60_000,
    conditions: network.conditions,
    ...(network.serverStall === undefined ? {} : { serverStall: network.serverStall }),
    ...(network.clientStepMs === undefined ? {} : { clientStepMs: network.clientStepMs }),
    ...(network.reconnectEveryMs === undefined ? {} : { reconnectEveryMs: network.reconnectEveryMs }),
    bots,
    onVerdict: (verdict, played) => {
      const { player } = verdict;
      // What is flagged has happened; what is refused has not, whatever else was found in it.
      if (isCorrecting(verdict) && firstFlagMs.get(player) === played.nowMs) {
        gains.get(player)?.undo?.();
        whenFlagged.set(player, gains.get(player)?.greatest ?? 0);
      }
      if (isAboveBenign(verdict) && !whenFlagged.has(player)) {
        if (verdict.kind === "flag") {
          take(played);
          firstFlagMs.set(player, played.nowMs);
        }
        whenFlagged.set(player, gains.get(player)?.greatest ?? 0);
      }
      corrections.judged(verdict, played.numbers.get(player));
    },
    onReceived: (reception) => corrections.received(reception),
    sample: {
      everyMs: SAMPLE_MS,
      take(played) {
        for (const { room } of maps === undefined ? [] : played.world.tracks(played.nowMs)) {
          places[room] = (places[room] ?? 0) + SAMPLE_MS / 1000;
        }
        take(played);
      },
    },
  });
  const used = process.cpuUsage(started);
  const cpuSeconds = (used.user + used.system) / 1e6;
  const serious = result.verdicts.filter(isAboveBenign);
  const verdicts: Record<string, number> = {};
  for (const { kind, rule } of serious) verdicts[`${kind} ${rule}`] = (verdicts[`${kind} ${rule}`] ?? 0) + 1;
  const flagged = firstSeconds(result, serious);
  return {
    players,
    playerHours: (players * minutes) / 60,
    cpuSeconds,
    messages: result.received + result.delivered,
    refused: result.refused,
    verdicts,
    found: flagged.length,
    bans: result.bans.length,
    corrections: corrections.count,
    greatestCorrection: corrections.greatest,
    firstFlag: spreadOf(flagged),
    firstCorrection: spreadOf(firstSeconds(result, serious.filter(isCorrecting))),
    greatestGain: game.gain && Math.max(0, ...Array.from(gains.values(), ({ greatest }) => greatest)),
    medianGain: game.gain && medianOf(Array.from(gains.values(), ({ greatest }) => greatest)),
    gainWhenFlagged: game.gain && Math.max(0, ...whenFlagged.values()),
    startRooms: inMaps && new Set(bots.map(({ joining }) => joining.room)).size,
    places,
  };
}

/** How many groups of players, each in a room of its own, a world has. */
export function groupsOf(players: number, perRoom: number): number {
  return Math.ceil(players / perRoom);
}

/** The room that a bot asks for: one of those for bots, or, where rooms are made as they are needed, one per group. */
function roomOf(protocol: PlayableProtocol, index: number, room: number | undefined): { readonly room?: string } {
  if (room !== undefined) return { room: String(room) };
  return protocol.name === "scrap-mechanic" ? { room: String(index + 1) } : {};
}

/** What corrections did to players, as their own clients saw it. */
class Corrections {
  count = 0;
  greatest = 0;
  readonly #game: FairnessGame;
  /** Corrections whose message has not arrived. */
  #awaited = 0;
  /** Bots that have not received theirs. */
  readonly #awaitedBy = new Set<number>();
  readonly #putBack = new Set<number>();

  constructor(game: FairnessGame) {
    this.#game = game;
  }

  /** Whether a bot was put elsewhere since it was asked for the last time, or does not know yet that it was. */
  hasPutBack(number: number): boolean {
    const isNew = this.#putBack.delete(number);
    return isNew || this.#awaitedBy.has(number);
  }

  judged({ kind, unit, measured }: Verdict, number: number | undefined): void {
    if (kind !== "correct") return;
    this.count += 1;
    this.#awaited += 1;
    if (number !== undefined) {
      this.#awaitedBy.add(number);
      this.#putBack.add(number);
    }
    // In a dialect without a correcting message this is how far the player is from where others see it.
    if (unit === this.#game.unit && measured !== undefined) this.greatest = Math.max(this.greatest, measured);
  }

  received({ number, message, before, after }: Reception<WireMessage>): void {
    if (before === undefined || after === undefined) return;
    const distance = Math.hypot(after.x - before.x, after.y - before.y, (after.z ?? 0) - (before.z ?? 0));
    if (distance > 0 || this.#game.warps.includes(message.message)) this.#awaitedBy.delete(number);
    if (distance === 0) return;
    if (this.#awaited > 0) this.#awaited -= 1;
    else if (this.#game.warps.includes(message.message) || this.#game.isAskedFor?.(before, after) === true) return;
    else if (distance > this.#game.tolerance) this.count += 1;
    this.greatest = Math.max(this.greatest, distance);
  }
}

/** Of each bot with such a verdict: seconds from its first message to its first verdict. */
function firstSeconds(result: SimulationResult, verdicts: readonly Verdict[]): readonly number[] {
  const seconds = new Map<number, number>();
  const starts = new Map<number, number>();
  for (const [player, number] of result.numbers) {
    const startMs = result.firstReceivedMs.get(player);
    // A bot that connected again is judged from its first connection on.
    if (startMs !== undefined) starts.set(number, Math.min(startMs, starts.get(number) ?? startMs));
  }
  for (const { player, atMs } of verdicts) {
    const number = result.numbers.get(player) ?? -1;
    if (!seconds.has(number)) seconds.set(number, Math.max(0, atMs - (starts.get(number) ?? 0)) / 1000);
  }
  return [...seconds.values()];
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function spreadOf(seconds: readonly number[]): Spread | undefined {
  if (seconds.length === 0) return undefined;
  return { median: medianOf(seconds), worst: Math.max(...seconds) };
}

/** Several measurements of the same thing as one. */
export function total(parts: readonly Measured[]): Measured {
  const [first] = parts;
  if (first === undefined) throw new RangeError("Cannot sum up: there are no measurements");
  const sum = (of: (part: Measured) => number): number => parts.reduce((all, part) => all + of(part), 0);
  const most = (of: (part: Measured) => number): number => Math.max(...parts.map(of));
  const spread = (of: (part: Measured) => Spread | undefined): Spread | undefined => {
    const known = parts.map(of).filter((each) => each !== undefined);
    if (known.length === 0) return undefined;
    return { median: medianOf(known.map(({ median }) => median)), worst: Math.max(...known.map(({ worst }) => worst)) };
  };
  const sums = (of: (part: Measured) => Readonly<Record<string, number>>): Record<string, number> => {
    const all: Record<string, number> = {};
    for (const [name, amount] of parts.flatMap((part) => Object.entries(of(part))))
      all[name] = (all[name] ?? 0) + amount;
    return all;
  };
  return {
    players: sum(({ players }) => players),
    playerHours: sum(({ playerHours }) => playerHours),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    messages: sum(({ messages }) => messages),
    refused: sum(({ refused }) => refused),
    verdicts: sums(({ verdicts }) => verdicts),
    found: sum(({ found }) => found),
    bans: sum(({ bans }) => bans),
    corrections: sum(({ corrections }) => corrections),
    greatestCorrection: most(({ greatestCorrection }) => greatestCorrection),
    firstFlag: spread(({ firstFlag }) => firstFlag),
    firstCorrection: spread(({ firstCorrection }) => firstCorrection),
    greatestGain: first.greatestGain === undefined ? undefined : most(({ greatestGain }) => greatestGain ?? 0),
    medianGain: first.medianGain === undefined ? undefined : medianOf(parts.map((part) => part.medianGain ?? 0)),
    gainWhenFlagged: first.gainWhenFlagged === undefined ? undefined : most((part) => part.gainWhenFlagged ?? 0),
    startRooms: first.startRooms === undefined ? undefined : sum(({ startRooms }) => startRooms ?? 0),
    places: sums(({ places }) => places),
  };
}
