/**
 * The memory of the mouse stream in other languages: places and times of a session's records, out of packets that carry neither. It is
 * written by hand, once for each language, as `movement/tracker.ts` of the game is, and stands in the file of the game's messages.
 *
 * @module
 */
import { mouseDialects } from "../../protocols/osrs/mouse/wire/dialect.ts";
import type { DialectNode } from "../../wire/index.ts";
import type { ExportScope } from "../format.ts";
import { csharpTracker } from "./csharp.ts";
import { goTracker } from "./go.ts";
import { javaTracker } from "./java.ts";
import { pythonTracker } from "./python.ts";
import { rustTracker } from "./rust.ts";

/** By language: the text, with the rules of a dialect as names in braces. One line each. */
const trackers: Readonly<Record<string, string>> = {
  csharp: csharpTracker,
  go: goTracker,
  java: javaTracker,
  python: pythonTracker,
  rust: rustTracker,
};

/** What a file of messages has besides: the tracker, where they are those of the game and a packet of the mouse is among them. */
export function trackerFor(
  language: string,
  { protocol }: Pick<ExportScope, "protocol">,
  node: DialectNode,
): string | undefined {
  const text = trackers[language];
  const rules = mouseDialects.find(({ name }) => name === node.dialect);
  const isThere = node.messages.some(({ sender, message }) => sender === "client" && message === "mouseMove");
  if (protocol.name !== "osrs" || text === undefined || rules === undefined || !isThere) return undefined;
  const written = (value: boolean): string => (language === "python" ? (value ? "True" : "False") : String(value));
  return text
    .replace("{absolute}", written(rules.absolute))
    .replace("{window}", written(rules.header === "window"))
    .replace("{startsOutside}", written(rules.startsOutside));
}
