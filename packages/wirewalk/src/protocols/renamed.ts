/** Names that rules and settings of a game had before, and what replaced them: old policies, files and recordings have them. */
export interface Renamed {
  readonly rules: Readonly<Record<string, string>>;
  /** The setting of today; undefined where the value follows from the game's motion. */
  readonly settings: Readonly<Record<string, string | undefined>>;
}

/** The end of a sentence about an unknown name; undefined for one that the game never had. */
export function replacedBy(renamed: Renamed | undefined, of: keyof Renamed, name: string): string | undefined {
  const names = renamed?.[of];
  if (names === undefined || !Object.hasOwn(names, name)) return undefined;
  const now = names[name];
  return now === undefined ? ": it follows from the game's motion" : `: it is ${now} now`;
}

/** The rule of today that has this name, or had it. */
export function ruleOfToday(renamed: Renamed | undefined, rule: string): string {
  return renamed !== undefined && Object.hasOwn(renamed.rules, rule) ? (renamed.rules[rule] as string) : rule;
}
