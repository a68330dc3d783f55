/**
 * The memory of the mouse stream in other languages: places and times of a session's records, out of packets that carry neither. It is
 * written by hand, once for each language, as `movement/tracker.ts` of the game is, and stands in the file of the game's messages.
 *
 * @module
 */

import type { TypedDialect, TypedMessage } from "../../compile/typed/program.ts";
import type { ValueType } from "../../compile/typed/types.ts";
import { mouseDialects } from "../../protocols/osrs/mouse/wire/dialect.ts";
import { filledIn } from "../filled-in.ts";
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
  { dialect, messages }: TypedDialect,
): string | undefined {
  const text = trackers[language];
  const rules = mouseDialects.find(({ name }) => name === dialect.dialect);
  const packet = messages.find(({ sender, message }) => sender === "client" && message === "mouseMove");
  if (protocol.name !== "osrs" || text === undefined || rules === undefined || packet === undefined) return undefined;
  const written = (value: boolean): string => (language === "python" ? (value ? "True" : "False") : String(value));
  return filledIn(text, {
    ...typeNames(packet),
    absolute: written(rules.absolute),
    window: written(rules.header === "window"),
    startsOutside: written(rules.startsOutside),
  });
}

/** The names that a dialect's types have: beside another message with records they have other ones. */
function typeNames({ type }: TypedMessage): {
  readonly MouseMove: string;
  readonly Record: string;
  readonly Form: string;
} {
  const member = (of: ValueType | undefined, key: string): ValueType | undefined =>
    of?.is === "record" ? of.members.find((each) => each.key === key)?.type : undefined;
  const records = member(type, "records");
  const record = records?.is === "list" ? records.item : undefined;
  const form = member(record, "form");
  if (type.is !== "record" || record?.is !== "record" || form?.is !== "enum") {
    throw new TypeError("Cannot happen: a packet of the mouse has no records with a form");
  }
  return { MouseMove: type.name, Record: record.name, Form: form.name };
}
