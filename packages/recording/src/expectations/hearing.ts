/**
 * A **hearing** of the rules: how often each of them found something in honest players, per hour of play, and how soon in cheats. Who is
 * honest and who cheats is what the expectations of a recording say.
 */
import { ruleOfToday } from "wirewalk/protocol";
import type { Recording } from "../reading/read-recording.ts";
import { recordedWorld } from "../reading/session-records.ts";
import { Replay } from "../replay/replay.ts";
import { type CheckOptions, type Expectation, type Expectations, limitsOf } from "./expectation.ts";

/** Verdicts of one rule about one player are one finding while they are no further apart: one moment makes many of them. */
const QUIET_MS = 10_000;

/** An honest player of a recording. */
export interface HeardHonest {
  readonly name: string;
  readonly seconds: number;
  /** The rules that it is known to be honest for; undefined: all. */
  readonly rules: readonly string[] | undefined;
  /** By rule. */
  readonly findings: ReadonlyMap<string, number>;
}

/** A cheat of a recording: a player, or any of them where the expectation names none. */
export interface HeardCheat {
  readonly play: string;
  readonly name: string | undefined;
  /** Seconds until each rule found it, from when it was expected to cheat. */
  readonly firsts: ReadonlyMap<string, number>;
}

/** What a recording says of the rules. */
export interface Heard {
  readonly protocol: string;
  readonly honest: readonly HeardHonest[];
  readonly cheats: readonly HeardCheat[];
}

interface Presence {
  seconds: number;
  readonly findings: Map<string, number>;
  readonly lastMs: Map<string, number>;
}

/** Replays a recording with the rules and limits of today, or those of `settings`. Throws `RangeError` as a replay does. */
export function hearRecording(
  recording: Recording,
  { play = "", expectations }: Expectations,
  { protocols, settings, maps }: CheckOptions,
): Heard {
  const { protocol: game } = recordedWorld(recording);
  const protocol = protocols[game];
  if (protocol === undefined) throw new RangeError(`Cannot replay: unknown protocol ${game}`);
  const renamed = protocol.capabilities?.renamed;
  const expected = expectations.map((each): Expectation => {
    return each.rule === undefined ? each : { ...each, rule: ruleOfToday(renamed, each.rule) };
  });
  const flagged = expected.filter(({ expect }) => expect === "must-flag");
  const named = new Set(flagged.flatMap(({ player }) => player ?? []));
  const honestBy = expected.filter(({ expect }) => expect === "must-not-flag");
  const presences = new Map<string, Presence>();
  const firsts = flagged.map(() => new Map<string, number>());
  let startMs: number | undefined;
  let lastMs = 0;
  const isIn = ({ fromSeconds = 0, toSeconds = Number.POSITIVE_INFINITY }: Expectation, atMs: number): boolean => {
    const seconds = (atMs - (startMs ?? atMs)) / 1000;
    return seconds >= fromSeconds && seconds <= toSeconds;
  };
  const presenceOf = (name: string): Presence => {
    const presence = presences.get(name) ?? { seconds: 0, findings: new Map(), lastMs: new Map() };
    presences.set(name, presence);
    return presence;
  };
  const replay: Replay = new Replay(recording, {
    protocols,
    maps,
    settings: { ...limitsOf(protocol), ...settings },
    onVerdict: ({ kind, rule, player, atMs }) => {
      const name = replay.players.get(player)?.name;
      if (kind === "benign" || kind === "accept" || name === undefined) return;
      for (const [index, each] of flagged.entries()) {
        if ((each.player !== undefined && each.player !== name) || !isIn(each, atMs)) continue;
        const since = (atMs - (startMs ?? atMs)) / 1000 - (each.fromSeconds ?? 0);
        if (firsts[index]?.has(rule) === false) firsts[index].set(rule, since);
      }
      const about = honestBy.filter(
        (each) => (each.player ?? name) === name && (each.rule ?? rule) === rule && isIn(each, atMs),
      );
      if (about.length === 0 || (named.has(name) && about.every((each) => each.player !== name))) return;
      const { findings, lastMs: last } = presenceOf(name);
      if (atMs - (last.get(rule) ?? Number.NEGATIVE_INFINITY) > QUIET_MS)
        findings.set(rule, (findings.get(rule) ?? 0) + 1);
      last.set(rule, atMs);
    },
  });
  for (let step = replay.next(); step !== undefined; step = replay.next()) {
    startMs ??= step.nowMs;
    const passed = Math.max(0, step.nowMs - lastMs) / 1000;
    if (lastMs > 0 && passed > 0) for (const { name } of replay.players.values()) presenceOf(name).seconds += passed;
    lastMs = step.nowMs;
  }
  const honest = [...presences].flatMap(([name, { seconds, findings }]): readonly HeardHonest[] => {
    const own = honestBy.filter(({ player }) => player === name || (player === undefined && !named.has(name)));
    if (
      own.length === 0 ||
      (flagged.some(({ player }) => player === undefined) && own.every(({ player }) => player !== name))
    ) {
      return [];
    }
    const rules = own.some(({ rule }) => rule === undefined) ? undefined : own.flatMap(({ rule }) => rule ?? []);
    return [{ name, seconds, rules, findings }];
  });
  const cheats = flagged.map(({ player }, index) => {
    return { play, name: player, firsts: firsts[index] ?? new Map<string, number>() };
  });
  return { protocol: game, honest, cheats };
}

/** What recordings say of one rule, or of all together. */
export interface RuleHearing {
  /** `*`: all rules together. */
  readonly rule: string;
  /** Hours of play of honest players. */
  readonly honestHours: number;
  /** Findings in honest players, and how many players had one. */
  readonly findings: number;
  readonly players: number;
  /** Findings in an hour of an honest player, and the 95 % interval of that (exact, Poisson). */
  readonly perHour: number;
  readonly perHourLow: number;
  readonly perHourHigh: number;
  /** Cheats that the rule found, of all of the game. */
  readonly found: number;
  readonly cheats: number;
  /** Seconds until it did, in the median and at most; undefined where it found none. */
  readonly medianSeconds: number | undefined;
  readonly mostSeconds: number | undefined;
}

/** Sums up by rule, all rules together first. `rules` are those of the game. */
export function sumUpHearing(heard: readonly Heard[], rules: readonly string[]): readonly RuleHearing[] {
  const honest = heard.flatMap((each) => each.honest);
  const cheats = heard.flatMap((each) => each.cheats);
  return ["*", ...[...rules].sort()].map((rule): RuleHearing => {
    const exposed = honest.filter((each) => each.rules === undefined || (rule !== "*" && each.rules.includes(rule)));
    const honestHours = exposed.reduce((sum, { seconds }) => sum + seconds, 0) / 3600;
    const counts = exposed.map(({ findings }) =>
      rule === "*" ? [...findings.values()].reduce((sum, count) => sum + count, 0) : (findings.get(rule) ?? 0),
    );
    const findings = counts.reduce((sum, count) => sum + count, 0);
    const [low, high] = poissonInterval(findings);
    const per = (count: number): number => (honestHours > 0 ? count / honestHours : 0);
    const times = cheats
      .flatMap(({ firsts }) => (rule === "*" ? Math.min(...firsts.values()) : (firsts.get(rule) ?? [])))
      .filter((seconds) => Number.isFinite(seconds))
      .sort((a, b) => a - b);
    return {
      rule,
      honestHours,
      findings,
      players: counts.filter((count) => count > 0).length,
      perHour: per(findings),
      perHourLow: per(low),
      perHourHigh: honestHours > 0 ? per(high) : Number.POSITIVE_INFINITY,
      found: times.length,
      cheats: cheats.length,
      medianSeconds: times[Math.floor((times.length - 1) / 2)],
      mostSeconds: times.at(-1),
    };
  });
}

const TAIL = 0.025;

/** The 95 % interval of the mean of a Poisson distribution of which `count` was seen (Garwood 1936). */
export function poissonInterval(count: number): readonly [low: number, high: number] {
  // The mean at which as much or more, or as much or less, is seen in one of forty.
  const low = count === 0 ? 0 : meanWhere((mean) => 1 - poissonBelow(count, mean) >= TAIL, count);
  const high = meanWhere((mean) => poissonBelow(count + 1, mean) <= TAIL, count);
  return [low, high];
}

/** The least mean for which it is so; it stays so for greater ones. */
function meanWhere(isSo: (mean: number) => boolean, near: number): number {
  let [from, to] = [0, near + 10 * Math.sqrt(near + 1) + 10];
  for (let step = 0; step < 60; step += 1) {
    const mean = (from + to) / 2;
    if (isSo(mean)) to = mean;
    else from = mean;
  }
  return to;
}

/** The probability of fewer than `count`. */
function poissonBelow(count: number, mean: number): number {
  let sum = 0;
  // In logarithms: the terms of a large mean are smaller than any number.
  let term = -mean;
  for (let k = 0; k < count; k += 1) {
    sum += Math.exp(term);
    term += Math.log(mean) - Math.log(k + 1);
  }
  return Math.min(1, sum);
}
