/**
 * The limits of the rules: names, units, defaults, bounds and sources. Everything that shows or sets them goes by this table.
 *
 * Source: docs/protocols/scrap-mechanic.md 8.
 */
import { type RuleLimit, type RuleLimits, ruleLimits } from "../../settings.ts";
import { MAX_PITCH } from "../wire/angle.ts";

export const scrapLimitTable = {
  helloMs: {
    summary: "The time from joining to hello: a silent session holds a place that another could have",
    unit: "ms",
    default: 20_000,
    least: 1000,
    most: 600_000,
    source: "standard 5",
    rules: ["no-hello"],
  },
  maxFutureMs: {
    summary:
      "How long before a tick may be played its packet may arrive: no network brings packets before they are sent",
    unit: "ms",
    default: 3000,
    least: 0,
    most: 60_000,
    source: "standard 8.3",
    rules: ["tick-ahead"],
  },
  resyncMs: {
    summary: "After so long of nothing but refused ticks the player's clock has leapt: its ticks count on from there",
    unit: "ms",
    default: 2000,
    least: 0,
    most: 60_000,
    source: "standard 8.3",
    rules: ["tick-ahead"],
  },
  maxReplays: {
    summary: "Packets in a second with a tick of before: a network that doubles every fifth brings eight",
    unit: "packets/s",
    default: 20,
    least: 0,
    most: 1000,
    isWhole: true,
    source: "standard 8.3",
    rules: ["replayed-tick"],
  },
  lateTicks: {
    summary: "A packet that is late by fewer ticks is late by the network, and an older one by its client",
    unit: "ticks",
    default: 40,
    least: 0,
    most: 511,
    isWhole: true,
    source: "standard 8.3",
    rules: ["replayed-tick", "fast-clock"],
  },
  maxGain: {
    summary: "How much faster than time passes a game may run: the clocks of computers differ by less",
    unit: "s/s",
    default: 0.005,
    least: 0,
    most: 0.5,
    source: "standard 8.2",
    rules: ["fast-clock"],
  },
  clockSlackMs: {
    summary: "How much earlier than before ticks may arrive, once: the network path became shorter",
    unit: "ms",
    default: 400,
    least: 25,
    most: 60_000,
    source: "standard 8.2",
    rules: ["fast-clock", "tick-ahead"],
  },
  delayMaxMs: {
    summary: "The longest wait for delayed packets; later ones are played when they arrive",
    unit: "ms",
    default: 1000,
    least: 0,
    most: 10_000,
    source: "standard 8.2",
    rules: ["fast-clock", "tick-ahead"],
  },
  owedMaxMs: {
    summary: "What a player lost to the network and may catch up",
    unit: "ms",
    default: 10_000,
    least: 0,
    most: 12_000,
    source: "standard 8.2",
    rules: ["fast-clock"],
  },
  lateStartMaxMs: {
    summary: "The latest that a first packet may be",
    unit: "ms",
    default: 6000,
    least: 0,
    most: 60_000,
    source: "standard 8.2",
    rules: ["fast-clock", "tick-ahead"],
  },
  overdrawnMs: {
    summary: "How far ahead of its schedule a player may be with nothing left to spend: rounding to ticks is less",
    unit: "ms",
    default: 50,
    least: 0,
    most: 10_000,
    source: "standard 8.3",
    rules: ["fast-clock"],
  },
  savedMs: {
    summary: "What a player may play at once after it sent nothing: stalls of its line delay ticks",
    unit: "ms",
    default: 15_000,
    least: 0,
    most: 3_600_000,
    source: "standard 8.2.1",
    rules: ["saved-up"],
  },
  savedShare: {
    summary:
      "The share of passing time by which that decreases: a line that stalls for 5 s of each 20 s plays as much at once",
    unit: "s/s",
    default: 0.25,
    least: 0,
    most: 0.99,
    source: "standard 8.2.1",
    rules: ["saved-up"],
  },
  savedJitterMs: {
    summary:
      "How much of each pause does not count: the waiting for packets that are missing, of a machine that draws 10 frames a second too",
    unit: "ms",
    default: 300,
    least: 0,
    most: 10_000,
    source: "standard 8.2.1",
    rules: ["saved-up"],
  },
  maxPitch: {
    summary: "The largest pitch: 128 is straight up",
    unit: "1/256 turn",
    default: MAX_PITCH,
    least: 0,
    most: 255,
    isWhole: true,
    source: "standard 8.3",
    rules: ["pitch"],
  },
  maxSprintsStanding: {
    summary: "Packets in a row that sprint on the spot: more of them are no steps that got lost",
    unit: "packets",
    default: 3,
    least: 1,
    most: 1000,
    isWhole: true,
    source: "standard 8.3",
    rules: ["sprint-standing"],
  },
  maxOddGaps: {
    summary:
      "Odd pairs of packets with a tick missing between: a network that loses the packet between makes one now and then",
    unit: "pairs",
    default: 10,
    least: 0,
    most: 1000,
    source: "standard 8.3",
    rules: ["sprint-standing", "sprint-start", "direction-standing"],
  },
  oddGapTicks: {
    summary: "One of them is forgiven in so many ticks",
    unit: "ticks",
    default: 400,
    least: 1,
    most: 144_000,
    source: "standard 8.3",
    rules: ["sprint-standing", "sprint-start", "direction-standing"],
  },
  seatedGraceTicks: {
    summary:
      "For so many ticks after it was seated a client may send keys, until it knows: it may read nothing for 15 s before the server disconnects it",
    unit: "ticks",
    default: 800,
    least: 0,
    most: 4000,
    isWhole: true,
    source: "standard 8.3",
    rules: ["keys-seated"],
  },
  repeatMs: {
    summary: "A rule gives verdicts about the same player no more often",
    unit: "ms",
    default: 1000,
    least: 0,
    most: 600_000,
    source: "standard 8.3",
    rules: [
      "tick-ahead",
      "replayed-tick",
      "fast-clock",
      "saved-up",
      "pitch",
      "sprint-standing",
      "sprint-start",
      "direction-standing",
      "keys-seated",
    ],
  },
} as const satisfies Readonly<Record<string, RuleLimit>>;

/** Values by the names of {@link scrapLimitTable}. */
export type ScrapLimits = RuleLimits<typeof scrapLimitTable>;

/** Throws `RangeError` for an unknown name or an invalid value. */
export function scrapLimits(given: Partial<ScrapLimits> = {}): ScrapLimits {
  return ruleLimits("scrap-mechanic", scrapLimitTable, given);
}

/** The game's own. */
export const scrapLimitDefaults: ScrapLimits = scrapLimits();
