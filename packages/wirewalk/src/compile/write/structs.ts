import type { Condition, IntegerNode, StructNode } from "../../wire/describe/node.ts";
import { integerName } from "../../wire/describe/number-nodes.ts";
import { groupFrom, wireInteger } from "../shapes.ts";
import type { Local, LocalType, Test } from "../steps.ts";
import { isPlainInteger, writeKnown } from "./numbers.ts";
import type { Scope, WriteState } from "./state.ts";
import { useOf } from "./uses.ts";

export function memberOf(state: WriteState, of: Local, key: string, type: LocalType): Local {
  const to = state.local(key, type);
  state.steps.push({ step: "get", to, of, key });
  return to;
}

export function writeStruct(state: WriteState, node: StructNode, of: Local): void {
  const { fields } = node;
  const kept = node.kept?.only === "reading" ? undefined : node.kept;
  const scope: Scope = new Map();
  const asked = new Set(fields.flatMap(({ when }) => (when === undefined ? [] : [when.field])));
  const writeAll = (list: StructNode["fields"]): void => {
    for (let index = 0; index < list.length; ) {
      const { when } = list[index] as StructNode["fields"][number];
      const group = when === undefined ? list.slice(index, index + 1) : groupFrom(list, index);
      if (when === undefined) for (const field of group) writeField(state, field, of, scope, asked);
      else writeOptional(state, group, when, of, scope, asked);
      index += group.length;
    }
  };
  const first = kept === undefined ? -1 : fields.findIndex(({ name }) => name === kept.from);
  if (kept === undefined || first < 0) {
    writeAll(fields);
    return;
  }
  const last = fields.findIndex(({ name }) => name === kept.to);
  writeAll(fields.slice(0, first));
  const bytes = memberOf(state, of, kept.name, "bytes");
  state.choose(
    { present: bytes },
    () => {
      state.commit();
      const check = state.within(kept.name, () => state.use("bytes", state.path, 0, "any"));
      state.steps.push({ step: "bytes", of: bytes, least: 0, most: Number.POSITIVE_INFINITY, check });
    },
    () => writeAll(fields.slice(first, last + 1)),
  );
  writeAll(fields.slice(last + 1));
}

export function writeField(
  state: WriteState,
  { name, node, hidden }: StructNode["fields"][number],
  of: Local,
  scope: Scope,
  asked: ReadonlySet<string>,
): void {
  if (name === "") {
    state.object(node, of);
    return;
  }
  state.within(name, () => {
    if (hidden) {
      if (node.kind === "literal") writeKnown(state, node.of, of, node.value);
      else state.leaf(node, of);
    } else if (isPlainInteger(state, node) && !asked.has(name)) {
      writeJoined(state, node, of, name);
    } else {
      const value = memberOf(state, of, name, useOf(node));
      if (isPlainInteger(state, node)) state.known = [...state.known, [state.path, integerName(node)]];
      state.part(node, value, name);
      scope.set(name, { local: value, maybe: false });
    }
  });
}

/** Fields that are there together or not at all. */
export function writeOptional(
  state: WriteState,
  group: StructNode["fields"],
  when: Condition,
  of: Local,
  scope: Scope,
  asked: ReadonlySet<string>,
): void {
  const test = conditionTest(state, when, scope);
  // Those that a later condition is about are looked at before it.
  for (const { name, node } of group) {
    if (asked.has(name)) scope.set(name, { local: memberOf(state, of, name, useOf(node)), maybe: true });
  }
  state.choose(
    test,
    () => {
      for (const { name, node } of group) {
        state.within(name, () => {
          const known = scope.get(name);
          if (known === undefined && isPlainInteger(state, node)) writeJoined(state, node, of, name);
          else state.part(node, known?.local ?? memberOf(state, of, name, useOf(node)), name);
        });
      }
    },
    () => state.steps.push({ step: "absent", of, keys: group.map(({ name }) => name), path: state.pathUse() }),
  );
}

/** An integer that is written and checked together with those before it. */
export function writeJoined(state: WriteState, node: IntegerNode, of: Local, key: string): void {
  const last = state.steps.at(-1);
  const field = { key, place: state.take(node.bits), as: wireInteger(node) };
  const prefix = state.path.slice(0, state.path.length - key.length).replace(/\.$/, "");
  const piece = [state.path, integerName(node)] as const;
  if (last?.step === "integers" && last.of === of) {
    last.fields.push(field);
    state.joins.at(-1)?.pieces.push(piece);
    state.known = [...state.known, piece];
    return;
  }
  const step = {
    step: "integers" as const,
    of,
    prefix,
    fields: [field],
    check: { table: state.table.name, id: -1, indexes: state.indexes },
  };
  state.steps.push(step);
  state.joins.push({ check: step.check, pieces: [piece], known: state.known });
  state.known = [...state.known, piece];
}

export function conditionTest(state: WriteState, { field, zero, from, to, not, mask }: Condition, scope: Scope): Test {
  const known = scope.get(field);
  if (known === undefined) throw new TypeError(`Cannot compile ${state.path}: there is no field ${field} before it`);
  const maybe = known.maybe ? { maybe: true as const } : {};
  if (zero !== undefined) return { zeros: known.local, expected: zero, ...maybe };
  return {
    of: known.local,
    ...maybe,
    ...(mask === undefined ? {} : { mask }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(not === undefined ? {} : { not }),
  };
}
