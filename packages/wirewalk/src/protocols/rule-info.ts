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
  /**
   * What the player did, as the rest of a sentence that begins with its name: `moved {way}`. `{measured}`, `{allowed}` and `{over}` stand for figures
   * of the verdict with their units, `{way}` for the distance and its side, `{mover}` for whom the message moves, `{to}` for the room that it leads to.
   */
  readonly did?: string;
  /** What its figure is, where that is not plain: `the distance beyond what its time allows`. */
  readonly figure?: string;
  /** How far one finding goes. Default `strong`. */
  readonly weight?: RuleWeight;
  /** Honest causes that can matter for it, the likeliest first. */
  readonly causes?: readonly HonestCause[];
  /** What of the gain the server takes away by itself, as a sentence. */
  readonly remedy?: string;
}

/**
 * How far a finding of a rule goes.
 * - `proof`: no client of the game sends this.
 * - `strong`: a clear excess is a cheat, a small one may be chance.
 * - `hint`: worth a look, and never enough alone.
 * - `noise`: harmless: it says little even when it is often found.
 */
export type RuleWeight = "proof" | "strong" | "hint" | "noise";

/** What is known of each verdict: a pause of the connection, a pile of late messages, whether the server has the map. Others are sentences. */
export type HonestCause = "pause" | "burst" | "map" | { readonly words: string };

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
