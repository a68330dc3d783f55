/** What a rule's finding is called, for people. */
import { type Protocol, ruleInfoOf } from "wirewalk/protocol";

/** Its name where the game does not describe it, and until the game is loaded. */
export function ruleTitle(protocol: Protocol | undefined, rule: string): string {
  return (protocol && ruleInfoOf(protocol, rule)?.title) ?? rule;
}
