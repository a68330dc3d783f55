/** Texts of events: `{name} in {world}: {rule}` with the members of the event in place of their names. */
import { type OutputEvent, outputFields } from "./output-events.ts";

/** A text for each kind of event. */
export type Templates = Readonly<Record<OutputEvent["event"], string>>;

export const defaultTemplates: Templates = {
  verdict: "{name} (player {player}) in {world}: {rule}, {reason} ({measured} of {allowed} {unit}) [{verdict}]",
  penalty: "{name} (player {player}) in {world}: {action} by policy, {rule} at {score} points of {limit} [{verdict}]",
  action: "{name} (player {player}) in {world}: {action} by {by}, {reason} [{verdict}]",
};

const MAX_TEMPLATE = 2_000;
const MAX_VALUE = 300;

/** Throws `RangeError` for an unknown member, and a template that is too long. */
export function checkTemplate(template: string): void {
  if (template.length > MAX_TEMPLATE) throw new RangeError(`a template has at most ${MAX_TEMPLATE} letters`);
  for (const [, name = ""] of template.matchAll(/\{([^{}]*)\}/g)) {
    if ((outputFields as readonly string[]).includes(name)) continue;
    throw new RangeError(`{${name}} is no member of an event: known are ${outputFields.join(", ")}`);
  }
}

/** The text of an event on one line. `quote` is given each value, which may be a player's choice. */
export function textOf(
  event: OutputEvent,
  templates: Templates,
  quote: (text: string) => string = (text) => text,
): string {
  const text = templates[event.event].replaceAll(/\{([a-zA-Z]+)\}/g, (_whole, name: keyof OutputEvent) => {
    const value = event[name];
    const shown = typeof value === "number" ? String(Math.round(value * 100) / 100) : (value ?? "none");
    // A name may hold line breaks and letters that turn the order of writing: a line stays one.
    return quote(shown.slice(0, MAX_VALUE).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?"));
  });
  return text.replaceAll(/\s+/g, " ").trim();
}
