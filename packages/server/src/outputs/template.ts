/** Texts of events: `{name} in {world}: {rule}` with the members of the event in place of their names. */
import { type OutputEvent, outputFields } from "./output-events.ts";

/** A text for each kind of event. */
export type Templates = Readonly<Record<OutputEvent["event"], string>>;

export const defaultTemplates: Templates = {
  verdict: "{name} (player {player}) in {world}: {rule}, {reason}{figures} [{verdict}]",
  penalty: "{name} (player {player}) in {world}: {action} by policy, {rule} at {score} points of {limit} [{verdict}]",
  action: "{name} (player {player}) in {world}: {action} by {by}, {reason} [{verdict}]",
};

/** What a text may name beside the members: ` (900 of 40 px)`, and nothing where the rule measures nothing. */
const FIGURES = "figures";
/** The rule of a penalty for all rules together, as policies name it. */
const ALL_RULES = "*";
const MAX_TEMPLATE = 2_000;
const MAX_VALUE = 300;

/** Throws `RangeError` for an unknown member, and a template that is too long. */
export function checkTemplate(template: string): void {
  if (template.length > MAX_TEMPLATE) throw new RangeError(`a template has at most ${MAX_TEMPLATE} letters`);
  for (const [, name = ""] of template.matchAll(/\{([^{}]*)\}/g)) {
    if (name === FIGURES || (outputFields as readonly string[]).includes(name)) continue;
    throw new RangeError(`{${name}} is no member of an event: known are ${outputFields.join(", ")} and ${FIGURES}`);
  }
}

/** The text of an event on one line. `quote` is given each value, which may be a player's choice. */
export function textOf(
  event: OutputEvent,
  templates: Templates,
  quote: (text: string) => string = (text) => text,
): string {
  const text = templates[event.event].replaceAll(
    /\{([a-zA-Z]+)\}/g,
    (_whole, name: keyof OutputEvent | typeof FIGURES) => {
      const shown = name === FIGURES ? figuresOf(event) : shownValue(event, name);
      // A name may hold line breaks and letters that turn the order of writing: a line stays one.
      return quote(shown.slice(0, MAX_VALUE).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?"));
    },
  );
  return text.replaceAll(/\s+/g, " ").trim();
}

function shownValue(event: OutputEvent, name: keyof OutputEvent): string {
  const value = event[name];
  if (typeof value === "number") return String(Math.round(value * 100) / 100);
  if (name === "rule" && value === ALL_RULES) return "all rules together";
  return value === "" ? `no ${name}` : (value ?? "none");
}

function figuresOf(event: OutputEvent): string {
  const { measured, allowed, unit } = event;
  if (measured === null || allowed === null) return "";
  return ` (${shownValue(event, "measured")} of ${shownValue(event, "allowed")}${unit === null ? "" : ` ${unit}`})`;
}
