/** Numbers of a game that an installation may set: limits of rules, opcodes, a choice of data. */
import { type Renamed, replacedBy } from "./renamed.ts";

/** A setting: what it is, its value, and which values it may have. */
export interface SettingInfo {
  readonly summary: string;
  /** `rule`: a limit of the rules that verdicts come from. `game`: anything else, such as an opcode. */
  readonly kind: "rule" | "game";
  /** As in verdicts: `px/s`, `ms`, `messages/s`; empty for a plain number. */
  readonly unit: string;
  /** The game's own value; in a configured protocol the value that was set. */
  readonly default: number;
  /** Both are allowed. */
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
  /** Where the value comes from: a section of the game's standard, or `ours`. */
  readonly source: string;
  /** Names of the rules that read it. Empty for `game`. */
  readonly rules: readonly string[];
}

/** A game with numbers that an installation may set. Capability `settings` of a `Protocol`. */
export interface Settings<P> {
  /** By name. */
  readonly values: Readonly<Record<string, SettingInfo>>;
  /** The same game with other settings. Throws `RangeError` for an unknown setting or an invalid value. */
  configure(settings: Readonly<Record<string, number>>): P;
}

/** A limit of a rule as a game declares it. */
export interface RuleLimit extends Pick<SettingInfo, "summary" | "unit" | "default" | "least" | "most" | "source"> {
  readonly isWhole?: true;
  readonly rules: readonly string[];
}

/** The values of limits by name. */
export type RuleLimits<D extends Readonly<Record<string, RuleLimit>>> = { readonly [K in keyof D]: number };

/** The values of limits: the given ones, and defaults. Throws `RangeError` for an unknown name or an invalid value. */
export function ruleLimits<D extends Readonly<Record<string, RuleLimit>>>(
  game: string,
  limits: D,
  given: Readonly<Record<string, number | undefined>> = {},
  renamed?: Renamed,
): RuleLimits<D> {
  const values: Record<string, number> = {};
  for (const [name, limit] of Object.entries(limits)) values[name] = limit.default;
  for (const [name, value] of Object.entries(given)) {
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (limit === undefined)
      throw new RangeError(`${game} has no setting ${name}${replacedBy(renamed, "settings", name) ?? ""}`);
    if (value === undefined) continue;
    checkLimit(`${game}.${name}`, limit, value);
    values[name] = value;
  }
  return values as RuleLimits<D>;
}

function checkLimit(name: string, { isWhole, least, most, unit }: RuleLimit, value: number): void {
  if (value >= least && value <= most && !(isWhole && !Number.isInteger(value))) return;
  const what = `${isWhole ? "a whole number" : "a number"} from ${least} to ${most}`;
  throw new RangeError(`${name} must be ${what}${unit === "" ? "" : ` ${unit}`}, got ${value}`);
}

/** Limits with their values, for the capability `settings`. */
export function limitInfos<D extends Readonly<Record<string, RuleLimit>>>(
  limits: D,
  values: RuleLimits<D>,
): Readonly<Record<string, SettingInfo>> {
  return Object.fromEntries(
    Object.entries(limits).map(([name, limit]): [string, SettingInfo] => {
      const { isWhole = false, ...info } = limit;
      return [name, { ...info, isWhole, kind: "rule", default: values[name as keyof D] }];
    }),
  );
}

/** Values by the names of limits, and nothing else: for the options of a saved world. */
export function limitValues<D extends Readonly<Record<string, RuleLimit>>>(
  limits: D,
  values: RuleLimits<D>,
): RuleLimits<D> {
  return Object.fromEntries(
    Object.keys(limits).map((name) => [name, values[name as keyof D]]),
  ) as unknown as RuleLimits<D>;
}
