/**
 * **Expectations**: what the rules must and must not find in a recording. They are a small JSON file beside it, and not metadata
 * in it: what a recording shows is often known only after the play, and the file stays as the server wrote it.
 */
import type { Verdict } from "wirewalk/motion";
import { type Protocol, ruleOfToday, type WorldMaps } from "wirewalk/protocol";
import type { Recording } from "../reading/read-recording.ts";
import { recordedWorld } from "../reading/session-records.ts";
import { Replay } from "../replay/replay.ts";

export interface Expectation {
  readonly expect: "must-flag" | "must-not-flag";
  /** Undefined: any rule. */
  readonly rule?: string;
  /** Seconds of the recording. Default: all of it. */
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
  /** Name of a player. Default: at least one player for `must-flag`, no player for `must-not-flag`. */
  readonly player?: string;
}

/** A recording with what is expected of it. */
export interface Expectations {
  /** What was played, for tables: a cheat, an attack, a network. */
  readonly play?: string;
  readonly expectations: readonly Expectation[];
}

/** What became of one expectation. */
export interface ExpectationResult extends Expectation {
  readonly holds: boolean;
  /** Verdicts above benign that it is about. */
  readonly found: number;
  /** When the first of them was, in seconds of the recording, and by which rule. */
  readonly firstSeconds: number | undefined;
  readonly firstRule: string | undefined;
}

/** `play.mcap` has its expectations in `play.expect.json`, and so has a session of another tool. */
export function expectationsFile(recording: string): string {
  return `${recording.replace(/\.(?:mcap|bin|msb|txt|log)$/, "")}.expect.json`;
}

/** Checks the data of a file. Throws `RangeError` that names the member. */
export function checkExpectations(data: unknown): Expectations {
  const { play, expectations, ...others } = membersOf(data, "the file");
  noOthers(others, "the file");
  if (play !== undefined && typeof play !== "string") throw new RangeError("play must be a text");
  if (!Array.isArray(expectations) || expectations.length === 0) {
    throw new RangeError("expectations must be an array with at least one");
  }
  const checked = expectations.map((each: unknown, index) => checkOne(each, `expectations[${index}]`));
  return play === undefined ? { expectations: checked } : { play, expectations: checked };
}

function checkOne(data: unknown, at: string): Expectation {
  const { expect, rule, fromSeconds, toSeconds, player, ...others } = membersOf(data, at);
  noOthers(others, at);
  if (expect !== "must-flag" && expect !== "must-not-flag") {
    throw new RangeError(`${at}.expect must be must-flag or must-not-flag`);
  }
  for (const [name, value] of Object.entries({ rule, player })) {
    if (value !== undefined && typeof value !== "string") throw new RangeError(`${at}.${name} must be a text`);
  }
  for (const [name, value] of Object.entries({ fromSeconds, toSeconds })) {
    if (value === undefined || (typeof value === "number" && value >= 0)) continue;
    throw new RangeError(`${at}.${name} must be a number of seconds`);
  }
  return data as Expectation;
}

function membersOf(data: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof data === "object" && data !== null && !Array.isArray(data)) return { ...data };
  throw new RangeError(`${at} must be an object`);
}

function noOthers(others: object, at: string): void {
  const [name] = Object.keys(others);
  if (name !== undefined) throw new RangeError(`${at} has an unknown member ${name}`);
}

export interface CheckOptions {
  readonly protocols: Readonly<Record<string, Protocol>>;
  /** Limits of rules by name. Default: the game's own, as it is now, and not those of the recording. */
  readonly settings?: Readonly<Record<string, number>>;
  /** The maps of the recorded world. Default: none. */
  readonly maps?: WorldMaps | undefined;
}

/**
 * Replays a recording with the rules and limits of today and says which expectations hold. Throws `RangeError` as a replay does,
 * and for a rule that the game does not have.
 */
export function checkRecording(
  recording: Recording,
  { expectations }: Expectations,
  { protocols, settings, maps }: CheckOptions,
): readonly ExpectationResult[] {
  const { protocol: game } = recordedWorld(recording);
  const protocol = protocols[game];
  if (protocol === undefined) throw new RangeError(`Cannot replay: unknown protocol ${game}`);
  const unknown = expectations.find(
    ({ rule }) => rule !== undefined && !knowsRule(protocol, ruleOfToday(protocol.capabilities?.renamed, rule)),
  );
  if (unknown !== undefined) throw new RangeError(`${game} has no rule ${unknown.rule}`);
  const verdicts: { readonly name: string | undefined; readonly verdict: Verdict }[] = [];
  const replay: Replay = new Replay(recording, {
    protocols,
    maps,
    settings: { ...limitsOf(protocol), ...settings },
    onVerdict: (verdict) => {
      if (verdict.kind !== "benign") verdicts.push({ name: replay.players.get(verdict.player)?.name, verdict });
    },
  });
  while (replay.next() !== undefined) {
    // All of it.
  }
  const { fromMs } = replay.report();
  return expectations.map((expectation) => {
    const { rule: named, fromSeconds = 0, toSeconds = Number.POSITIVE_INFINITY, player, expect } = expectation;
    const rule = named === undefined ? undefined : ruleOfToday(protocol.capabilities?.renamed, named);
    const found = verdicts.filter(({ name, verdict }) => {
      const seconds = (verdict.atMs - fromMs) / 1000;
      if (seconds < fromSeconds || seconds > toSeconds) return false;
      return (rule === undefined || verdict.rule === rule) && (player === undefined || name === player);
    });
    const first = found[0]?.verdict;
    const firstSeconds = first === undefined ? undefined : (first.atMs - fromMs) / 1000;
    const holds = expect === "must-flag" ? found.length > 0 : found.length === 0;
    return { ...expectation, holds, found: found.length, firstSeconds, firstRule: first?.rule };
  });
}

function knowsRule({ capabilities }: Protocol, rule: string): boolean {
  const rules = capabilities?.rules;
  return rules === undefined || rules.includes(rule);
}

/** The game's limits of rules, as it is configured. */
export function limitsOf({ capabilities }: Protocol): Readonly<Record<string, number>> {
  const values = Object.entries(capabilities?.settings?.values ?? {});
  return Object.fromEntries(
    values.filter(([, { kind }]) => kind === "rule").map(([name, info]) => [name, info.default]),
  );
}
