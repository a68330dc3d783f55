/** What the rules of a game find, in words: the page's glossary, `docs/rules.md` and the tables of the guides have no others. */

/** A rule of a game. Texts may have `code`, and the word standard with a number: a section of the game's standard. */
export interface RuleInfo {
  /** The message or the behaviour that it finds, without a capital letter and a full stop. */
  readonly finds: string;
  /** The kind of its verdicts, and when it is another one. */
  readonly answer: string;
  /** Unit of what is measured; empty for a rule that measures nothing. */
  readonly measured: string;
}

/** All rules of a game by name. */
export type RuleGlossary<Rule extends string = string> = Readonly<Record<Rule, RuleInfo>>;
