/**
 * Descriptions made up of every kind of node, compiled into one module: the oracle, the interpreter and the generated code read and
 * write the same.
 */
import { describe, expect, it } from "vitest";
import { changeValue } from "../fuzz/guided/targets/change-value.ts";
import { Choices, nodeFrom } from "../fuzz/guided/targets/made-up-nodes.ts";
import { compiledNodes } from "../packages/wirewalk/src/compile/testing/compiled-nodes.ts";
import { typescriptModule } from "../packages/wirewalk/src/compile/typescript/module.ts";
import { createRandom } from "../packages/wirewalk/src/motion/index.ts";
import { mutated } from "../packages/wirewalk/src/protocols/testing/random-bytes.ts";
import { scaled } from "../packages/wirewalk/src/testing/scale.ts";
import { generate } from "../packages/wirewalk/src/wire/describe/generate.ts";
import { type LayoutNode, layoutOf, parseNode, WireError } from "../packages/wirewalk/src/wire/index.ts";
import { compareNode } from "./testing/compare-node.ts";

const NODES = scaled(5_000, 80);
/** Of each description, half of them damaged. */
const PAYLOADS = 40;

/** Why a description cannot be compiled: undefined for one that can be. */
function whyNot(node: LayoutNode): string | undefined {
  try {
    typescriptModule({
      title: "a node",
      dialects: [],
      others: { node },
      runtime: "wirewalk/compiled",
      madeBy: "a test",
    });
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

const isDescription = (node: LayoutNode): boolean => {
  try {
    layoutOf(node);
    return true;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return false;
    throw error;
  }
};

it("made-up descriptions are read and written alike by all three", { timeout: 600_000 }, async () => {
  const random = createRandom(11);
  const nodes: Record<string, LayoutNode> = {};
  const refused: string[] = [];
  for (let count = 0; count < NODES; ) {
    const script = Uint8Array.from({ length: random.integer(1, 60) }, () => random.integer(0, 255));
    const node = nodeFrom(new Choices(script), 0, false, true);
    if (!isDescription(node)) continue;
    const why = whyNot(node);
    if (why === undefined) nodes[`node${count++}`] = node;
    else refused.push(why);
  }
  for (const why of refused) expect(why).toMatch(/^Cannot compile /);
  const compiled = await compiledNodes(nodes);
  const seen = { read: 0, refused: 0 };
  const kinds = new Set<string>();
  for (const [name, node] of Object.entries(nodes)) {
    for (const [, kind = ""] of JSON.stringify(node).matchAll(/"kind":"(\w+)"/g)) kinds.add(kind);
    const body = compiled[name];
    if (body === undefined) throw new RangeError(`${name} is not compiled`);
    for (let count = 0; count < PAYLOADS; count++) {
      const whole = generate(node, (low, high) => random.integer(low, high));
      seen[compareNode(node, body, count % 2 === 0 ? whole : mutated(random, whole), random)] += 1;
    }
  }
  expect(seen.read).toBeGreaterThan(NODES);
  expect(seen.refused).toBeGreaterThan(NODES);
  // Nearly all kinds, even among few.
  expect(kinds.size).toBeGreaterThan(14);
});

/** What files cannot say, though constructors can: bytes within bits, and a text to the end of the bytes. */
const notInFiles = /: (?:\w+ stands among whole bytes, never within bits|it must have end or count)$/;

it("made-up descriptions come back out of JSON; changed ones are refused by a WireError, or are descriptions", () => {
  const random = createRandom(12);
  const seen = { parsed: 0, refused: 0 };
  const parse = (json: unknown): string | undefined => {
    try {
      expect(parseNode(json)).toBe(json);
      seen.parsed += 1;
      return undefined;
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      seen.refused += 1;
      return error.message;
    }
  };
  for (let count = 0; count < NODES * 10; count++) {
    const script = Uint8Array.from({ length: random.integer(1, 60) }, () => random.integer(0, 255));
    const node = nodeFrom(new Choices(script), 0, false, true);
    const json = { value: JSON.parse(JSON.stringify(node)) as unknown };
    const why = isDescription(node) ? parse(json.value) : undefined;
    if (why !== undefined) expect(why).toMatch(notInFiles);
    changeValue(json, script, true);
    parse(json.value);
  }
  expect(seen.parsed).toBeGreaterThan(NODES);
  expect(seen.refused).toBeGreaterThan(NODES);
});

it("a misspelt condition is no description, and not one that never holds", () => {
  const byte: LayoutNode = { kind: "integer", bits: 8, signed: false, order: "be" };
  const fields = [
    { name: "kind", node: byte },
    { name: "x", node: byte, when: { field: "knid", from: 1 } },
  ];
  expect(isDescription({ kind: "struct", fields })).toBe(false);
  expect(whyNot({ kind: "struct", fields })).toContain("knid");
});

describe("what cannot be compiled is refused with its place:", () => {
  const struct = (node: LayoutNode, before: LayoutNode): LayoutNode => ({
    kind: "bits",
    first: "msb",
    of: {
      kind: "struct",
      fields: [
        { name: "before", node: before },
        { name: "field", node },
      ],
    },
    padding: { name: "padding", value: "any" },
  });
  const bits = (count: number): LayoutNode => ({ kind: "integer", bits: count, signed: false, order: "be" });

  it.each<[string, LayoutNode]>([
    [
      "a prefix that may lie in two bytes",
      struct({ kind: "prefix", codes: { on: "1", off: "00", other: "01" } }, bits(7)),
    ],
    ["a text within bits", struct({ kind: "text", charset: "latin1", length: { end: "zero", limit: 9 } }, bits(3))],
    ["a run of bytes within bits", struct({ kind: "bytes", length: { count: bits(3), limit: 9 } }, bits(3))],
  ])("%s", (_, node) => {
    expect(isDescription(node)).toBe(true);
    expect(whyNot(node)).toMatch(/^Cannot compile \S*field\S*: /);
  });
});
