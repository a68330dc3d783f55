/** The rules of a game from their definitions, with the limits that this server has set. Pure. */
import type { Capabilities, SettingInfo } from "wirewalk/protocol";

/** A limit of a rule. */
export interface RuleLimitRow {
  readonly name: string;
  readonly summary: string;
  readonly value: number;
  readonly unit: string;
  readonly source: string;
  /** The server has another value than the game's own. */
  readonly isSet: boolean;
}

export interface RuleOf {
  readonly rule: string;
  readonly limits: readonly RuleLimitRow[];
}

/** In the order of the game's own list. `set` are the settings of the watched world. */
export function rulesOf(
  { rules = [], settings }: Pick<Capabilities, "rules" | "settings">,
  set: Readonly<Record<string, number>>,
): readonly RuleOf[] {
  const values: readonly (readonly [name: string, info: SettingInfo])[] = Object.entries(settings?.values ?? {});
  return rules.map((rule) => ({
    rule,
    limits: values.flatMap(([name, info]) => {
      if (!info.rules.includes(rule)) return [];
      const { summary, unit, source } = info;
      const value = set[name] ?? info.default;
      return [{ name, summary, unit, source, value, isSet: value !== info.default }];
    }),
  }));
}
