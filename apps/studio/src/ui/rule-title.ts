/** What a rule's finding is called, for people. */
import type { Protocol } from "wirewalk/protocol";

/** Its name where the game does not describe it, and until the game is loaded. */
export function ruleTitle(protocol: Protocol | undefined, rule: string): string {
  const glossary = protocol?.capabilities?.glossary;
  return glossary !== undefined && Object.hasOwn(glossary, rule) ? (glossary[rule]?.title ?? rule) : rule;
}
