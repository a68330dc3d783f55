/** What a message did, as a list: the fields of a state that changed, then those that stayed. Pure. */
import type { JsonObject, JsonValue } from "wirewalk/wire";

export interface StateField {
  readonly name: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly changed: boolean;
}

/** Fields by name in the order of the states, nested objects flattened to `a.b`; changed ones first. */
export function stateChange(before: JsonObject | undefined, after: JsonObject | undefined): readonly StateField[] {
  const from = flatten(before ?? {});
  const to = flatten(after ?? {});
  const fields = [...new Set([...from.keys(), ...to.keys()])].map((name): StateField => {
    const [was, is] = [from.get(name), to.get(name)];
    return { name, before: was, after: is, changed: JSON.stringify(was) !== JSON.stringify(is) };
  });
  return [...fields.filter(({ changed }) => changed), ...fields.filter(({ changed }) => !changed)];
}

function flatten(state: JsonObject, prefix = "", into = new Map<string, JsonValue>()): Map<string, JsonValue> {
  for (const [name, value] of Object.entries(state)) {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      flatten(value as JsonObject, `${prefix}${name}.`, into);
    } else into.set(prefix + name, value);
  }
  return into;
}
