/** What the rules of a game find, in words: the page's glossary, `docs/rules.md` and the tables of the guides have no others. */

/** A rule of a game. Texts may have `code`, and the word standard with a number: a section of the game's standard. */
export interface RuleInfo {
  /** What its finding is called by people who run a server and do not know the rules: `Walks too fast`. */
  readonly title: string;
  /** Honest causes that it leaves alone, as the rest of a sentence that begins with "It allows for". Missing where there are none to name. */
  readonly allows?: string;
  /** The message or the behaviour that it finds, without a capital letter and a full stop. */
  readonly finds: string;
  /** The kind of its verdicts, and when it is another one. */
  readonly answer: string;
  /** Unit of what is measured; empty for a rule that measures nothing. */
  readonly measured: string;
}

/** Units of numbers that name something: they are no amounts. */
const nameUnits: ReadonlySet<string> = new Set(["mobId", "key"]);

/** Whether the measure of a rule is the number of something, such as that of a monster. */
export function isNameUnit(unit: string | null | undefined): boolean {
  return unit !== null && unit !== undefined && nameUnits.has(unit);
}

/** What a game says of a rule; undefined for one that it does not describe. */
export function ruleInfoOf(
  { capabilities }: { readonly capabilities?: { readonly glossary?: RuleGlossary } },
  rule: string,
): RuleInfo | undefined {
  const glossary = capabilities?.glossary;
  return glossary !== undefined && Object.hasOwn(glossary, rule) ? glossary[rule] : undefined;
}

/** All rules of a game by name. */
export type RuleGlossary<Rule extends string = string> = Readonly<Record<Rule, RuleInfo>>;
