/**
 * The descriptions of all messages of a game as text, for its codec that does nothing but read and write. Each description is
 * there once, after those that it is made of, and without the words for people.
 */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DialectInfo, PayloadCodec } from "../packages/wirewalk/src/protocols/codec.ts";
import { protocols } from "../packages/wirewalk/src/protocols/table.ts";
import type { LayoutNode } from "../packages/wirewalk/src/wire/index.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const LINE = 110;

/** What of a description is for people alone. */
const words: ReadonlySet<string> = new Set([
  "doc",
  "section",
  "unit",
  "words",
  "opaque",
  "inside",
  "flat",
  "readings",
  "fold",
  "rows",
]);

function isNode(data: unknown): data is LayoutNode {
  return typeof data === "object" && data !== null && "kind" in data && typeof data.kind === "string";
}

/** The descriptions of a game's messages, each distinct one once. */
class Nodes {
  readonly list: unknown[] = [];
  readonly #indices = new Map<string, number>();

  /** The index of a description. */
  add(node: LayoutNode): number {
    const own = this.#withoutWords(node);
    const key = JSON.stringify(own);
    const index = this.#indices.get(key) ?? this.list.push(own) - 1;
    this.#indices.set(key, index);
    return index;
  }

  #withoutWords(data: unknown): unknown {
    if (Array.isArray(data)) return data.map((each) => this.#part(each));
    if (typeof data !== "object" || data === null) {
      if (typeof data === "bigint") throw new TypeError("a literal of 64 bits has no place in JSON");
      return data;
    }
    const entries = Object.entries(data).filter(([key]) => !(isNode(data) && words.has(key)));
    return Object.fromEntries(entries.map(([key, each]) => [key, this.#part(each)]));
  }

  #part(data: unknown): unknown {
    return isNode(data) ? { $: this.add(data) } : this.#withoutWords(data);
  }
}

function describe(dialects: readonly DialectInfo[], codecOf: (dialect: string) => PayloadCodec): string {
  const nodes = new Nodes();
  const entries = dialects.map(({ name }) => {
    const { id, messages, layouts } = codecOf(name);
    const rows = messages.map(({ sender, id: number, message }) => {
      const layout = layouts[sender][message];
      if (layout === undefined) throw new Error(`${message} of ${name} has no layout`);
      return [sender, number, message, nodes.add(layout.node)];
    });
    return [name, { idName: id.name, id: nodes.add(id.node), rows }];
  });
  return JSON.stringify({ nodes: nodes.list, dialects: Object.fromEntries(entries) });
}

/** The files that hold the descriptions, and what must be in them. */
export function describedCodecs(): ReadonlyMap<string, string> {
  return new Map(
    Object.values(protocols).map(({ name, dialects, codec }) => {
      const text = describe(dialects, codec);
      const lines = text.match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
      const file = `packages/wirewalk/src/protocols/${name}/wire/described-messages.ts`;
      const source = `/** Made by \`npm run build:codecs\` from the layouts of the messages: the same descriptions, as JSON. */
// biome-ignore format: lines of text
export const describedMessages =
${lines.map((line) => `  '${line.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`).join(" +\n")};
`;
      return [file, source];
    }),
  );
}

/** The files that are not what the layouts make. */
export function outdatedCodecs(): readonly string[] {
  return [...describedCodecs()].flatMap(([file, source]) => {
    const [found] = globSync(file, { cwd: root });
    return found !== undefined && readFileSync(root + file, "utf8") === source ? [] : [file];
  });
}
