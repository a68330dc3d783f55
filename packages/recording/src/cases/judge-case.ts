/**
 * Judges a case again: its seconds are replayed by the rules of this build, and what they find in the player is compared with what the
 * case says. The same in Node and in a browser.
 */
import type { Verdict } from "wirewalk/motion";
import { type MapReading, type Protocol, ruleInfoOf, type WorldMaps } from "wirewalk/protocol";
import { formatHex, type JsonObject, WireError } from "wirewalk/wire";
import { digestOf } from "wirewalk/world-kit";
import { chunkHeader } from "../reading/chunk-records.ts";
import { type Decompress, openRecording, type Recording } from "../reading/read-recording.ts";
import { recordedWorld } from "../reading/session-records.ts";
import { Replay } from "../replay/replay.ts";
import { findVerdict } from "../verdicts/recorded-verdict.ts";
import { CaseError, type CaseFacts, type CaseFile, type CaseLimit } from "./case-file.ts";

export interface JudgeOptions {
  /** The games by name. */
  readonly protocols: Readonly<Record<string, Protocol>>;
  readonly decompress: Readonly<Record<string, Decompress>>;
  /** For a case without its maps. */
  readonly maps?: WorldMaps | undefined;
}

/** Something about the rule that is not as it was when the case was made. */
export interface RuleChange {
  /** The name of a limit, or of the rule. */
  readonly name: string;
  readonly before: string;
  readonly now: string;
}

export interface Judgement {
  /** True where this build finds the verdict, with the same numbers, at the same time. */
  readonly isFound: boolean;
  /** 64 bits, in hexadecimal digits, of all verdicts about the player in these seconds: equal where the same was found. */
  readonly digest: string;
  /** What the rules found in the player, in order. */
  readonly verdicts: readonly Verdict[];
  /** Where the replay differs from what was recorded, the first one; undefined where it does not, or where other limits are in force. */
  readonly difference: string | undefined;
  /** Why the seconds cannot be replayed. */
  readonly problem: string | undefined;
}

/** Bytes of a decompressed chunk of a case, and of all of them: its seconds are few. */
const MOST_CHUNK_BYTES = 32 << 20;
const MOST_BYTES = 128 << 20;
/** Calls that are replayed at most: a hostile case names any time. */
const MOST_STEPS = 2_000_000;

/** The recording of a case. Throws {@link CaseError}. */
export function openCase(
  { recording }: Pick<CaseFile, "recording">,
  decompress: Readonly<Record<string, Decompress>>,
): Recording {
  try {
    const opened = openRecording(recording, { decompress, mostChunkBytes: MOST_CHUNK_BYTES });
    const bytes = opened.chunks.reduce((sum, chunk) => sum + chunkHeader(recording, chunk).size, 0n);
    if (bytes > MOST_BYTES) throw new Error(`its recording claims ${bytes} bytes, at most ${MOST_BYTES} are read`);
    return opened;
  } catch (error) {
    throw new CaseError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The maps in a case; undefined where it has none. Throws {@link CaseError} for what the game cannot read. */
export function mapsOfCase(text: string | undefined, reading: MapReading | undefined): WorldMaps | undefined {
  if (text === undefined) return undefined;
  try {
    return reading?.ofExcerpt?.(JSON.parse(text) as JsonObject);
  } catch (error) {
    throw new CaseError(`its maps are unreadable: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/**
 * Judges the seconds of a case. `settings`: limits in place of those that were in force. Throws {@link CaseError} for a game that this
 * build does not have.
 */
export function judgeCase(
  { facts, recording, maps: places }: Pick<CaseFile, "facts" | "recording" | "maps">,
  { protocols, decompress, maps: given }: JudgeOptions,
  settings?: Readonly<Record<string, number>>,
): Judgement {
  const game = protocols[facts.game];
  if (game === undefined) throw new CaseError(`this build does not have the game ${facts.game}`);
  const maps = mapsOfCase(places, game.capabilities?.maps) ?? given;
  return judgeRecording(openCase({ recording }, decompress), facts, { protocols, maps, settings });
}

interface JudgeRecordingOptions extends Pick<JudgeOptions, "protocols" | "maps"> {
  readonly settings?: Readonly<Record<string, number>> | undefined;
}

/** Judges the seconds around a verdict of a recording. */
export function judgeRecording(
  recording: Recording,
  { verdict: { id }, player: { number } }: Pick<CaseFacts, "verdict" | "player">,
  { protocols, maps, settings }: JudgeRecordingOptions,
): Judgement {
  const verdicts: Verdict[] = [];
  const replay = new Replay(recording, {
    protocols,
    maps,
    ...(settings === undefined ? {} : { settings }),
    onVerdict: (verdict) => {
      if (verdict.player === number) verdicts.push(verdict);
    },
  });
  let problem: string | undefined;
  try {
    let steps = 0;
    while (replay.next() !== undefined) {
      steps += 1;
      if (steps > MOST_STEPS) throw new RangeError(`more than ${MOST_STEPS} records`);
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    problem = error.message;
  }
  const report = replay.recorded === undefined ? undefined : replay.report();
  if (report === undefined) problem ??= "the recording has no readable key frame";
  const [first] = report?.differences ?? [];
  const found = verdicts.map(keyOf);
  const wanted = verdictKey(recording, id);
  return {
    isFound: wanted !== undefined && found.includes(wanted),
    digest: digestOf(found).toString(16).padStart(16, "0"),
    verdicts,
    difference:
      first === undefined
        ? undefined
        : `${first.what} ${first.field}: ${first.recorded} was recorded, ${first.replayed} is replayed`,
    problem,
  };
}

/**
 * What distinguishes a verdict in whatever program judges: the functions of mathematics differ from engine to engine in the last of sixteen
 * digits, so measures count by nine.
 */
function keyOf({ player, kind, rule, atMs, measured, allowed, message }: Verdict): string {
  const rounded = (value: number | undefined): string => (value === undefined ? "" : value.toPrecision(DIGITS));
  return [player, kind, rule, atMs, rounded(measured), rounded(allowed), formatHex(message)].join(" ");
}

const DIGITS = 9;

/** The key of the recorded verdict with the id; undefined where the recording has none. */
function verdictKey(recording: Recording, id: string): string | undefined {
  try {
    return keyOf(findVerdict(recording, id).verdict);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** Of a recording that somebody made: what a replay refuses, and bytes that no recording has. */
function isUnreadable(error: unknown): error is RangeError | WireError {
  return error instanceof RangeError || error instanceof WireError;
}

/** Whether the file's own words are those of the verdict in its recording: what was edited in them, by name. */
export function editedFacts(facts: CaseFacts, recording: Recording): readonly string[] {
  const { verdict: said, player, room, limits, game, dialect } = facts;
  let found: Verdict;
  try {
    found = findVerdict(recording, said.id).verdict;
  } catch (error) {
    if (isUnreadable(error)) return [`its recording does not have the verdict ${said.id}`];
    throw error;
  }
  const { measured = null, allowed = null, unit = "", ...plain } = found;
  const recorded: Readonly<Record<string, unknown>> = { ...plain, measured, allowed, unit };
  const claimed = { ...said, room, player: player.number };
  const compared = ["kind", "rule", "reason", "measured", "allowed", "unit", "room", "player"] as const;
  const world = recordedWorld(recording);
  const pairs: readonly (readonly [name: string, claimed: unknown, recorded: unknown])[] = [
    ...compared.map((name) => [name, claimed[name], recorded[name]] as const),
    ["game", game, world.protocol],
    ["dialect", dialect, world.dialect],
    ...limits.map(({ name, value }) => [name, value, world.settings[name]] as const),
  ];
  return pairs.flatMap(([name, other, own]) =>
    Object.is(own, other) ? [] : [`it says ${name} ${String(other)}, and its recording ${String(own)}`],
  );
}

/** The limits of a rule, as the settings in force had them. */
export function limitsOfRule(
  game: Protocol,
  rule: string,
  inForce: Readonly<Record<string, number>>,
): readonly CaseLimit[] {
  const infos = game.capabilities?.settings?.values ?? {};
  return Object.entries(infos).flatMap(([name, { rules, unit, default: own, summary, source }]) =>
    rules.includes(rule) ? [{ name, unit, value: inForce[name] ?? own, own, summary, source }] : [],
  );
}

/** What this build says otherwise about the rule of a case. */
export function ruleChanges({ verdict, rule, limits }: CaseFacts, game: Protocol): readonly RuleChange[] {
  const changes: RuleChange[] = [];
  const name = verdict.rule;
  const info = ruleInfoOf(game, name);
  if (game.capabilities?.rules?.includes(name) === false) {
    return [{ name, before: rule.finds, now: "there is no such rule" }];
  }
  if (info !== undefined && info.finds !== rule.finds) changes.push({ name, before: rule.finds, now: info.finds });
  const now = new Map(limitsOfRule(game, name, {}).map((limit) => [limit.name, limit]));
  for (const { name: limit, own, unit } of limits) {
    const other = now.get(limit);
    if (other === undefined)
      changes.push({ name: limit, before: withUnit(own, unit), now: "it is no limit of the rule" });
    else if (other.own !== own)
      changes.push({ name: limit, before: withUnit(own, unit), now: withUnit(other.own, other.unit) });
    now.delete(limit);
  }
  for (const { name: limit, own, unit } of now.values()) {
    changes.push({ name: limit, before: "it was no limit of the rule", now: withUnit(own, unit) });
  }
  return changes;
}

/** The limits that this build would judge by: its own, and those that the server's owner had chosen. Undefined where they are those of the case. */
export function limitsOfToday(
  { verdict, limits }: CaseFacts,
  game: Protocol,
): Readonly<Record<string, number>> | undefined {
  const own = new Map(limitsOfRule(game, verdict.rule, {}).map(({ name, own: value }) => [name, value]));
  const changed = limits.flatMap(({ name, value, own: before }) => {
    const today = own.get(name);
    return today === undefined || value !== before || today === value ? [] : [[name, today] as const];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function withUnit(value: number, unit: string): string {
  return unit === "" ? String(value) : `${value} ${unit}`;
}
