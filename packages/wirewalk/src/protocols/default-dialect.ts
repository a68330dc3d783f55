/** Which dialect commands and servers use without a choice: one rule for all games. */
import type { Protocol } from "./protocol.ts";

/**
 * The dialect of every command, of `startServer` and of the page without a choice: the first one that was taken from a shipped
 * client. A game without one has its first dialect instead. `documented` and the others are chosen by name. Functions of the
 * library take a dialect as an argument. Throws `RangeError` for a protocol without dialects.
 */
export function defaultDialect({ name, dialects }: Pick<Protocol, "name" | "dialects">): string {
  const chosen = dialects.find(({ source }) => source === "client") ?? dialects[0];
  if (chosen === undefined) throw new RangeError(`${name} has no dialects`);
  return chosen.name;
}
