/**
 * **Tuning**: limits with which the rules find nothing in honest recordings any more, as near to those of today as can be. They are a proposal:
 * what they cost in cheats that are found later, or not, is for their owner to weigh.
 */
import type { Protocol, SettingInfo } from "wirewalk/protocol";
import type { Recording } from "../reading/read-recording.ts";
import { limitsOf } from "./expectation.ts";
import { type Heard, hearRecording } from "./hearing.ts";

/** A limit with another value. */
export interface ProposedLimit {
  readonly name: string;
  readonly unit: string;
  readonly summary: string;
  readonly today: number;
  readonly proposed: number;
  /** The rule that it is for. */
  readonly rule: string;
  /** Findings of that rule in honest players with the limits of today, and with this one and those before it. */
  readonly findings: number;
  readonly findingsThen: number;
}

export interface Tuning {
  readonly proposals: readonly ProposedLimit[];
  /** Rules that still find something, with their findings. */
  readonly open: readonly { readonly rule: string; readonly findings: number }[];
}

/** An honest recording: everybody in it is. */
export interface HonestRecording {
  readonly recording: Recording;
  readonly options: Omit<Parameters<typeof hearRecording>[2], "settings">;
}

const HONEST = { expectations: [{ expect: "must-not-flag" }] } as const;
/** Factors that are tried, the smallest change first. A limit that would have to be further off is no matter of tuning. */
const FACTORS = [1.1, 1.25, 1.5, 2, 3, 5, 10];
/** Limits that are changed for one rule. */
const MAX_LIMITS = 3;

/** What honest recordings say with these limits. */
export function hearHonest(
  honest: readonly HonestRecording[],
  settings: Readonly<Record<string, number>>,
): readonly Heard[] {
  return honest.map(({ recording, options }) => hearRecording(recording, HONEST, { ...options, settings }));
}

/**
 * Proposes limits of a game. `today` are its limits as they are set; `onTry` is called before each try. Throws `RangeError` as a replay does.
 */
export function tuneLimits(
  protocol: Protocol,
  honest: readonly HonestRecording[],
  today: Readonly<Record<string, number>> = {},
  onTry: (name: string, value: number) => void = () => {},
): Tuning {
  const base = { ...limitsOf(protocol), ...today };
  const heard = hearHonest(honest, today);
  const infos = Object.entries(protocol.capabilities?.settings?.values ?? {}).filter(([, { kind }]) => kind === "rule");
  const proposals: ProposedLimit[] = [];
  const chosen: Record<string, number> = { ...today };
  const flagged = new Set(heard.flatMap((each) => each.honest.flatMap(({ findings }) => [...findings.keys()])));
  // What silences the loudest rule often silences others.
  const rules = [...flagged].sort((a, b) => countOf(heard, b) - countOf(heard, a) || (a < b ? -1 : 1));
  for (const rule of rules) {
    const findings = countOf(heard, rule);
    // Only where it found something: the others stay silent, or are heard again at the end.
    const concerned = honest.filter((_each, index) => countOf(heard.slice(index, index + 1), rule) > 0);
    // What was proposed for another rule may be enough.
    let left = countOf(hearHonest(concerned, chosen), rule);
    for (let round = 0; round < MAX_LIMITS && left > 0; round += 1) {
      const others = othersOf(hearHonest(concerned, chosen), rule);
      const now = { ...base, ...chosen };
      const own = infos.filter(([, info]) => info.rules.includes(rule));
      const countWith = (limits: Readonly<Record<string, number>>): number => {
        for (const [name, value] of Object.entries(limits)) onTry(name, value);
        const then = hearHonest(concerned, { ...chosen, ...limits });
        // Limits that make another rule find more in honest players are none to propose.
        return othersOf(then, rule) > others ? left : countOf(then, rule);
      };
      const one = nearest(own, now, left, countWith);
      // Where no single limit helps, several may: a rule that asks for two things at once.
      const tried = one === undefined ? together(own, now, left, countWith) : [one];
      if (tried.length === 0) break;
      for (const { name, info, value, findingsThen } of tried) {
        left = findingsThen;
        chosen[name] = value;
        const { unit, summary } = info;
        const before = base[name] ?? info.default;
        const proposal = { name, unit, summary, today: before, proposed: value, rule, findings, findingsThen };
        const at = proposals.findIndex((each) => each.name === name);
        if (at < 0) proposals.push(proposal);
        else proposals[at] = proposal;
      }
    }
  }
  const total = (settings: Readonly<Record<string, number>>): number => {
    const then = hearHonest(honest, settings);
    return rules.reduce((sum, rule) => sum + countOf(then, rule), 0);
  };
  // One that a later one has made needless is taken back.
  const kept = proposals.filter(({ name, today: before }) => {
    const without = { ...chosen, [name]: before };
    if (proposals.length === 1 || total(without) > total(chosen)) return true;
    chosen[name] = before;
    return false;
  });
  // As a set they may do with less than each of them by itself: half of the way back, where that finds no more.
  const drawn = kept.map((each): ProposedLimit => {
    const { name, today: before, proposed } = each;
    const isWhole = infos.some(([of, info]) => of === name && info.isWhole);
    const half = halfWay(before, proposed, isWhole);
    if (half === undefined || total({ ...chosen, [name]: half }) > total(chosen)) return each;
    chosen[name] = half;
    return { ...each, proposed: half };
  });
  const then = hearHonest(honest, chosen);
  const open = rules.flatMap((rule) => {
    const findings = countOf(then, rule);
    return findings === 0 ? [] : [{ rule, findings }];
  });
  return { proposals: drawn, open };
}

/** The smallest change of all limits of a rule at once after which less is left, without those that are not needed for it. Empty where none helps. */
function together(
  infos: readonly (readonly [string, SettingInfo])[],
  base: Readonly<Record<string, number>>,
  findings: number,
  countWith: (limits: Readonly<Record<string, number>>) => number,
): readonly Tried[] {
  if (infos.length < 2) return [];
  for (const factor of FACTORS) {
    for (const by of [factor, 1 / factor]) {
      const limits: Record<string, number> = {};
      for (const [name, info] of infos) {
        const today = base[name] ?? info.default;
        const value = within(info, today * by);
        if (value !== today) limits[name] = value;
      }
      const findingsThen = countOrAll(limits, findings, countWith);
      if (findingsThen >= findings) continue;
      for (const [name] of infos) {
        const { [name]: own, ...others } = limits;
        if (own !== undefined && countOrAll(others, findings, countWith) <= findingsThen) delete limits[name];
      }
      return infos.flatMap(([name, info]): readonly Tried[] => {
        const value = limits[name];
        return value === undefined ? [] : [{ name, info, value, findingsThen }];
      });
    }
  }
  return [];
}

/** All findings for limits that do not fit each other. */
function countOrAll(
  limits: Readonly<Record<string, number>>,
  findings: number,
  countWith: (limits: Readonly<Record<string, number>>) => number,
): number {
  try {
    return countWith(limits);
  } catch (error) {
    if (error instanceof RangeError) return findings;
    throw error;
  }
}

/** Between two values, by their factor; undefined where there is none between. */
function halfWay(from: number, to: number, isWhole: boolean): number | undefined {
  if (from <= 0 || to <= 0) return undefined;
  const half = rounded(Math.sqrt(from * to), isWhole);
  return half === from || half === to ? undefined : half;
}

interface Tried {
  readonly name: string;
  readonly info: SettingInfo;
  readonly value: number;
  readonly findingsThen: number;
}

/** The smallest change of one limit after which nothing is left, else the one after which least is. Undefined where none helps. */
function nearest(
  infos: readonly (readonly [string, SettingInfo])[],
  base: Readonly<Record<string, number>>,
  findings: number,
  countWith: (limits: Readonly<Record<string, number>>) => number,
): Tried | undefined {
  let best: Tried | undefined;
  const before = new Map<string, number>();
  for (const factor of FACTORS) {
    for (const [name, info] of infos) {
      const today = base[name] ?? info.default;
      for (const value of [today * factor, today / factor]) {
        const bounded = within(info, value);
        if (bounded === today || before.get(`${name} ${bounded}`) !== undefined) continue;
        const findingsThen = countOrAll({ [name]: bounded }, findings, countWith);
        before.set(`${name} ${bounded}`, findingsThen);
        if (findingsThen === 0) return { name, info, value: bounded, findingsThen };
        if (findingsThen < (best?.findingsThen ?? findings)) best = { name, info, value: bounded, findingsThen };
      }
    }
  }
  return best;
}

/** A value that a setting may have. */
function within({ least, most, isWhole }: SettingInfo, value: number): number {
  return rounded(Math.min(most, Math.max(least, value)), isWhole);
}

function rounded(value: number, isWhole: boolean): number {
  return isWhole ? Math.round(value) : Number(value.toPrecision(4));
}

function countOf(heard: readonly Heard[], rule: string): number {
  const counts = heard.flatMap((each) => each.honest.map(({ findings }) => findings.get(rule) ?? 0));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Findings of all other rules. */
function othersOf(heard: readonly Heard[], rule: string): number {
  const counts = heard.flatMap((each) => each.honest.flatMap(({ findings }) => [...findings]));
  return counts.reduce((sum, [of, count]) => (of === rule ? sum : sum + count), 0);
}
