/**
 * The descriptions of messages as Lua. Nothing is said twice: what occurs more than once stands in `shared`, by a name, and what
 * follows from a description alone (sizes, the lists in refusals) is computed here, as the layouts themselves do it.
 */

import { integerRange } from "../../wire/describe/number-nodes.ts";
import { type FieldNode, type LayoutNode, sizeOf, tagsText } from "../../wire/index.ts";
import { LuaCall, LuaName, type LuaValue, luaText } from "./lua-text.ts";

/** Descriptions that are shorter are written out where they occur. */
const SHARED_LENGTH = 150;

type Plain = Readonly<Record<string, unknown>>;

/** Writes descriptions; equal ones once. */
export class DescriptionWriter {
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #definitions: string[] = [];

  /** Counts what occurs in a description: call it for all of them before the first {@link write}. */
  count(node: LayoutNode): void {
    const key = JSON.stringify(node);
    const before = this.#counts.get(key) ?? 0;
    this.#counts.set(key, before + 1);
    if (before === 0) for (const inner of childrenOf(node)) this.count(inner);
  }

  /** A description as Lua. `name`: of the field, for the name of what is shared. */
  write(node: LayoutNode, name: string): LuaValue {
    const key = JSON.stringify(node);
    if (key.length < SHARED_LENGTH || (this.#counts.get(key) ?? 0) < 2) return this.#call(node, name);
    let shared = this.#names.get(key);
    if (shared === undefined) {
      const text = luaText(this.#call(node, name));
      shared = this.#newName(name);
      this.#names.set(key, shared);
      this.#definitions.push(`shared.${shared} = ${text}`);
    }
    return new LuaName(`shared.${shared}`);
  }

  /** The definitions of what is shared, in the order in which they need each other. */
  get definitions(): readonly string[] {
    return this.#definitions;
  }

  #newName(name: string): string {
    const base = /^[A-Za-z]\w*$/.test(name) ? name : "part";
    let found = base;
    for (let count = 2; this.#used.has(found); count++) found = `${base}_${count}`;
    this.#used.add(found);
    // A keyword of Lua cannot follow a dot.
    return found === "end" ? "end_" : found;
  }

  #call(node: LayoutNode, name: string): LuaValue {
    const { kind, section, ...rest } = node as Plain & LayoutNode;
    const { doc, unit, words, ...own } = rest as Plain;
    const meaning = { doc, section, unit, words } as Record<string, LuaValue | undefined>;
    return new LuaCall(kind, { ...this.#body(node, own, name), ...meaning });
  }

  /** What a description has beside its meaning, with the descriptions in it. */
  #body(node: LayoutNode, own: Plain, name: string): Record<string, LuaValue | undefined> {
    const plain = own as Record<string, LuaValue>;
    switch (node.kind) {
      case "integer": {
        const { min, max } = integerRange(node);
        const isRanged = node.min !== undefined || node.max !== undefined;
        return isRanged ? { ...plain, min, max } : plain;
      }
      case "oneOf":
        return { of: this.write(node.of, name), names: pairs(node.names) };
      case "prefix":
        return { codes: pairs(node.codes) };
      case "flags":
        return {
          of: this.write(node.of, name),
          flags: Object.entries(node.flags).map(([flag, bit]) => ({ name: flag, bit })),
          reserved: node.reserved,
        };
      case "literal": {
        const { value } = node;
        return { ...plain, of: this.write(node.of, name), value: typeof value === "bigint" ? String(value) : value };
      }
      case "boolean":
      case "limited":
        return { ...plain, of: this.write(node.of, name) };
      case "bits":
        return { first: node.first, padding: { ...node.padding }, of: this.write(node.of, name) };
      case "sized": {
        const least = node.extra + sizeOf(node.of).least / 8;
        return { size: this.write(node.size, "size"), extra: node.extra, least, of: this.write(node.of, name) };
      }
      case "compressed": {
        const { least, most } = sizeOf(node.of);
        const { method, limit, reserved } = node;
        return { method, limit, reserved, exact: least === most ? most / 8 : undefined, of: this.write(node.of, name) };
      }
      case "array":
        return { length: this.#length(node.length), fold: node.fold, item: this.write(node.item, name) };
      case "bytes": {
        const { inside, readings, length } = node;
        return {
          ...plain,
          length: this.#length(length),
          inside: inside === undefined ? undefined : this.write(inside, name),
          readings: readings?.map((each) => ({
            name: each.name,
            when: { ...each.when },
            node: this.write(each.node, each.name),
          })),
        };
      }
      case "text": {
        const { length, charset } = node;
        if (!("count" in length)) return { charset, length: { ...length } };
        return { charset, length: { count: this.write(length.count, "count"), limit: length.limit } };
      }
      case "struct":
        return { fields: node.fields.map((field) => this.#field(field)) };
      case "variant":
        return {
          tagName: node.tagName,
          tag: this.write(node.tag, node.tagName),
          known: tagsText(node.cases.flatMap(({ tags }) => tags ?? [])),
          cases: node.cases.map(({ tags, node: of, hidden }) => ({
            tags: tags === undefined ? undefined : [...tags],
            hidden,
            node: this.write(of, `${name}_${tags?.[0] ?? "other"}`),
          })),
        };
      case "byLength":
        return { cases: node.cases.map(({ bytes, node: of }) => ({ bytes, node: this.write(of, name) })) };
      case "peek":
        return {
          cases: node.cases.map(({ when, node: of }) => ({
            when: when === undefined ? undefined : { ...when, next: when.next && { ...when.next } },
            node: this.write(of, name),
          })),
        };
      case "mark":
        return {
          parts: node.parts.map((each) => ({ ...each })),
          marked: this.write(node.marked, name),
          of: this.write(node.of, name),
        };
      default:
        return plain;
    }
  }

  #field({ name, node, hidden, when }: FieldNode): LuaValue {
    return { name, hidden, when: when === undefined ? undefined : { ...when }, node: this.write(node, name) };
  }

  #length(length: Extract<LayoutNode, { kind: "array" }>["length"]): LuaValue {
    if (typeof length === "number") return length;
    if (!("count" in length)) return { ...length };
    return { count: this.write(length.count, "count"), limit: length.limit };
  }
}

function pairs(named: Readonly<Record<string, LuaValue>>): LuaValue {
  return Object.entries(named).map(([name, value]) => [name, value]);
}

/** The descriptions that stand in a description. */
function childrenOf(node: unknown): readonly LayoutNode[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.values(node).flatMap((inner: unknown): readonly LayoutNode[] => {
    if (typeof inner !== "object" || inner === null) return [];
    return "kind" in inner && typeof inner.kind === "string" ? [inner as LayoutNode] : childrenOf(inner);
  });
}
