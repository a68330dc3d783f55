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
  /** What its finding is called; the name of a rule that the game does not describe. */
  readonly title: string;
  /** Honest causes that it leaves alone, as a sentence; empty where none are named. */
  readonly allows: string;
  /** What it finds, as a sentence; empty for a rule that the game does not describe. */
  readonly finds: string;
  readonly limits: readonly RuleLimitRow[];
}

/** In the order of the game's own list. `set` are the settings of the watched world. */
export function rulesOf(
  { rules = [], glossary = {}, settings }: Pick<Capabilities, "rules" | "glossary" | "settings">,
  set: Readonly<Record<string, number>>,
): readonly RuleOf[] {
  const values: readonly (readonly [name: string, info: SettingInfo])[] = Object.entries(settings?.values ?? {});
  return rules.map((rule) => ({
    rule,
    title: glossary[rule]?.title ?? rule,
    allows: glossary[rule]?.allows === undefined ? "" : `It allows for ${glossary[rule].allows}.`,
    finds: sentenceOf(glossary[rule]?.finds ?? ""),
    limits: values.flatMap(([name, info]) => {
      if (!info.rules.includes(rule)) return [];
      const { summary, unit, source } = info;
      const value = set[name] ?? info.default;
      return [{ name, summary, unit, source, value, isSet: value !== info.default }];
    }),
  }));
}

/** A text of the glossary as plain words: without marks of code and places in documents. */
function sentenceOf(finds: string): string {
  const plain = finds.replaceAll(/ \(standard [^)]*\)/g, "").replaceAll("`", "");
  return plain === "" ? "" : `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}
