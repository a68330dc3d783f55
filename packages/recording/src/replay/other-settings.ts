/**
 * What other limits would have found in a recording: the recorded inputs again, on a world with other settings.
 *
 * The inputs stay as they were recorded, while corrections and bans differ. A client that was corrected then has answered
 * that correction, and one that is corrected now has not. So what a rule finds in a player is certain up to the first
 * difference that its client would have seen, and an estimate after it.
 */
import type { Verdict, VerdictKind } from "wirewalk/motion";
import type { Recording } from "../reading/read-recording.ts";
import { Replay, type ReplayGap, type ReplayOptions, type VerdictJson } from "./replay.ts";

/** A verdict that one of both worlds gave alone. */
export interface VerdictChange {
  readonly change: "appears" | "vanishes";
  readonly player: number;
  readonly room: string;
  /** Milliseconds of the world's clock. */
  readonly atMs: number;
  readonly kind: VerdictKind;
  readonly rule: string;
  readonly measured: number | undefined;
  readonly allowed: number | undefined;
  readonly unit: string | undefined;
  /** False after the first difference that the player's client would have seen: it would have sent something else. */
  readonly isCertain: boolean;
}

export interface ChangedSetting {
  readonly name: string;
  readonly unit: string;
  readonly recorded: number;
  readonly other: number;
}

export interface SettingsComparison {
  readonly settings: readonly ChangedSetting[];
  /** In the order of their times. */
  readonly changes: readonly VerdictChange[];
  /** By rule, and of all rules together. Verdicts of kind accept are not counted. */
  readonly rules: ReadonlyMap<string, VerdictCounts>;
  readonly total: VerdictCounts;
  readonly gaps: readonly ReplayGap[];
  readonly fromMs: number;
  readonly toMs: number;
}

export interface VerdictCounts {
  readonly appear: number;
  readonly vanish: number;
  readonly same: number;
}

/** Options of {@link compareSettings}: those of a replay, and limits of rules by name. */
export interface CompareSettingsOptions extends Pick<ReplayOptions, "protocols" | "maps" | "fromNs" | "toNs"> {
  readonly settings: Readonly<Record<string, number>>;
}

/** The client is sent something else after it: verdicts that refuse a message or put the client back. */
const seenKinds: ReadonlySet<string> = new Set<VerdictKind>(["correct", "reject"]);

/**
 * Replays a recording with other limits. Throws `RangeError` as a replay does, and for a setting that is unknown, invalid or
 * no limit of a rule.
 */
export function compareSettings(recording: Recording, options: CompareSettingsOptions): SettingsComparison {
  const before = new VerdictBag();
  const after = new VerdictBag();
  const replay = new Replay(recording, {
    ...options,
    onRecordedVerdict: (verdict) => before.add(verdict),
    onVerdict: (verdict) => after.add(verdict),
  });
  for (const _ of replay.steps()) {
    // All of it.
  }
  const { world, gaps, fromMs, toMs } = replay.report();
  const infos = options.protocols[world.protocol]?.capabilities?.settings?.values ?? {};
  const settings = Object.entries(options.settings).map(([name, other]) => {
    return { name, unit: infos[name]?.unit ?? "", recorded: world.settings[name] ?? Number.NaN, other };
  });
  return { settings, gaps, fromMs, toMs, ...compareVerdicts(before.verdicts, after.verdicts) };
}

type Found = Pick<Verdict, "player" | "room" | "atMs" | "kind" | "rule" | "measured" | "allowed" | "unit">;

class VerdictBag {
  readonly verdicts: Found[] = [];

  /** Not the whole verdict: its evidence may be long. */
  add({ player, room, atMs, kind, rule, measured, allowed, unit }: VerdictJson | Verdict): void {
    this.verdicts.push({
      player,
      room,
      atMs,
      kind,
      rule,
      ...(measured === undefined ? {} : { measured }),
      ...(allowed === undefined ? {} : { allowed }),
      ...(unit === undefined ? {} : { unit }),
    });
  }
}

/** Two verdicts are the same when one rule gave them about one player at one time, of one kind, whatever it allowed. */
function keyOf({ player, atMs, kind, rule }: Found): string {
  return `${player} ${atMs} ${kind} ${rule}`;
}

function compareVerdicts(
  before: readonly Found[],
  after: readonly Found[],
): Pick<SettingsComparison, "changes" | "rules" | "total"> {
  const vanished = without(before, after);
  const appeared = without(after, before);
  const all = [
    ...vanished.map((found) => ({ change: "vanishes" as const, found })),
    ...appeared.map((found) => ({ change: "appears" as const, found })),
  ].sort((a, b) => a.found.atMs - b.found.atMs);
  const rules = new Map<string, VerdictCounts>();
  const count = (rule: string, name: keyof VerdictCounts, by: number): void => {
    const counts = rules.get(rule) ?? { appear: 0, vanish: 0, same: 0 };
    rules.set(rule, { ...counts, [name]: counts[name] + by });
  };
  for (const { rule } of before) count(rule, "same", 1);
  for (const { rule } of vanished) count(rule, "same", -1);
  for (const { change, found } of all) count(found.rule, change === "appears" ? "appear" : "vanish", 1);
  const differs = new Set<number>();
  const changes = all.map(({ change, found }): VerdictChange => {
    const { player, room, atMs, kind, rule, measured, allowed, unit } = found;
    const isCertain = !differs.has(player);
    if (seenKinds.has(kind)) differs.add(player);
    return { change, player, room, atMs, kind, rule, measured, allowed, unit, isCertain };
  });
  const sum = (name: keyof VerdictCounts): number => [...rules.values()].reduce((total, each) => total + each[name], 0);
  return { changes, rules, total: { appear: sum("appear"), vanish: sum("vanish"), same: sum("same") } };
}

/** Those that the others have not, each as often as it is there too often. */
function without(found: readonly Found[], others: readonly Found[]): readonly Found[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return found.filter((each) => {
    const left = counts.get(keyOf(each)) ?? 0;
    counts.set(keyOf(each), left - 1);
    return left <= 0;
  });
}
