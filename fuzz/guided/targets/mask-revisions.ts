/** Revisions of mask blocks as JSON. */
import type { MaskBlock, MaskFields, MaskRevision } from "wirewalk/osrs/player-info";
import type { FieldNode } from "wirewalk/wire";
import type { Target } from "../target.ts";
import { changeValue } from "./change-value.ts";
import { src } from "./sources.ts";

const MAX_BYTES = 1200;

export const revisions: Target = {
  name: "osrs revision",
  summary:
    "a mask revision as text, or one with changed members: refused by a WireError, or a revision that blocks are read by",
  cover: new RegExp(`${src}(?:protocols/osrs/player-info/wire/masks|wire/describe)/.*(?<!\\.test)\\.ts$`),
  maxBytes: MAX_BYTES,
  async open() {
    const { maskRevisionJson, namedRevisions, parseMaskRevision, revision206 } = await import(
      "wirewalk/osrs/player-info"
    );
    const wire = await import("wirewalk/wire");
    const {
      ByteReader,
      i8,
      integer,
      prefixedBytes,
      struct,
      Tracer,
      tagged,
      u64le,
      u8,
      windows1252String,
      withMeaning,
    } = wire;
    const { blockFromJson, blockToJson, ByteArena, readBlock, traceBlock, writeBlock } = await import(
      "../../../packages/wirewalk/src/protocols/osrs/player-info/wire/masks/mask-codec.ts"
    );
    const { attempt } = await import("../../../packages/wirewalk/src/inspect/attempt.ts");
    const text = new TextEncoder();
    const decoder = new TextDecoder();
    const small = {
      name: "small",
      extensions: [128],
      blocks: [
        {
          name: "say",
          flag: 1,
          kept: "index",
          fields: [{ name: "text", node: windows1252String({ limit: 255 }).node }],
        },
      ],
    };
    const words = [
      '"kept":',
      '"index"',
      '"node":',
      '"kind":"integer"',
      '"kind":"struct"',
      '"smart"',
      '"flag":',
      '"fields":',
      '"blocks":',
      '"bytes"',
      '"add"',
      "-1",
      "256",
      '"constructor"',
      '"toString"',
      '"__proto__"',
    ];
    const whole = structuredClone(maskRevisionJson(revision206)) as {
      name: string;
      extensions: number[];
      blocks: object[];
    };
    const speed = withMeaning(integer({ bits: 8, signed: true, transform: "neg" }), {
      doc: "d",
      unit: "u",
      words: [{ from: 1, to: 2, text: "t", digits: 1 }],
    });
    const full = {
      name: "full",
      extensions: [64, 0x4000],
      blocks: [
        {
          name: "moveSpeed",
          flag: 1,
          kept: "index",
          initial: { speed: 1 },
          fields: [{ name: "speed", node: speed.node }],
          clientNeeds: [{ field: "speed", allowed: [[-1, 2], 127] }],
        },
        { name: "hits", flag: 2, late: "drop", perObserver: true, fields: fieldsOf(revision206, "hits") },
        {
          name: "appearance",
          flag: 0x10000,
          kept: "player",
          fields: [{ name: "look", node: prefixedBytes({ count: u8, limit: 255, reversed: true }).node }],
          clientNeeds: [{ field: "look", minLength: 1 }],
        },
        {
          name: "wide",
          flag: 4,
          kept: "standing",
          fields: [{ name: "at", node: integer({ bits: 32, order: "2301" }).node }],
        },
        { name: "flag0x8", flag: 8, fields: [], source: "seen" },
      ],
    };
    // Every kind that a block may have, though no known one has it.
    const place = struct({ kind: wire.oneOf(u8, { none: 0, near: 1 }), isOpen: wire.boolean(u8) });
    const strange = {
      name: "strange",
      extensions: [64],
      blocks: [
        {
          name: "kinds",
          flag: 1,
          fields: Object.entries({
            flags: wire.flags(u8, { a: 0, b: 7 }, { reserved: "ignore" }),
            $magic: wire.literal(wire.u16le, 7),
            $gap: wire.unused(16),
            text: wire.prefixedString({ count: u8, limit: 9 }),
            height: wire.f32le,
            half: integer({ bits: 16, divisor: 2, bias: 3 }),
            far: wire.smart({ wide: true }),
            list: wire.array(place, { until: 255, limit: 9 }),
            two: wire.array(wire.array(i8, { count: 2 }), { count: 2 }),
            packed: wire.bits(struct({ a: wire.uint(3), b: wire.uint(10) }), { padding: "any" }),
            pieces: wire.bits(wire.array(wire.uint(4), { count: 3 }), { first: "lsb" }),
            read: wire.bytesReadBy(2, [{ name: "x", when: { field: "far", from: 1 }, of: struct({ x: wire.i16le }) }]),
            inside: wire.bytesWith(struct({ y: wire.i16be })),
            choice: tagged("type", u8, [
              { tags: [1], hidden: true, when: { type: "absent" }, layout: struct({ by: wire.constant("one") }) },
              { layout: struct({ z: u8 }) },
            ]),
          }).map(([name, { node }]) =>
            name.startsWith("$") ? { name: name.slice(1), node, hidden: true } : { name, node },
          ),
        },
        {
          name: "prefixes",
          flag: 2,
          fields: [
            {
              name: "moves",
              node: wire.bits(
                wire.variant("size", wire.prefix({ small: "0", large: "10" }), {
                  small: struct({ by: wire.uint(3) }),
                  large: wire.mark({
                    parts: [{ name: "x", bits: 4, value: 9 }],
                    marked: struct({ stop: wire.constant(true) }),
                    of: struct({ x: wire.uint(4) }),
                    when: { stop: [true] },
                  }),
                }),
              ).node,
            },
          ],
        },
      ],
    };
    const bases = [
      small,
      full,
      whole,
      structuredClone(maskRevisionJson(namedRevisions[240] as MaskRevision)),
      structuredClone(strange),
    ];
    for (const base of bases) parseMaskRevision(base);
    /** A first byte under 32 is no text: then the other bytes change a revision. */
    const jsonOf = (input: Uint8Array): unknown => {
      const [first = 0] = input;
      if (first >= 32) {
        try {
          return JSON.parse(decoder.decode(input));
        } catch {
          return undefined;
        }
      }
      const changed = { value: structuredClone(bases[first % bases.length]) as unknown };
      changeValue(changed, input.subarray(1), true);
      return changed.value;
    };
    const byte = u8.node;
    let deep: object = byte;
    for (let depth = 0; depth < 33; depth++) deep = { kind: "boolean", of: deep };
    const { refusedNodes } = await import("../../../packages/wirewalk/src/wire/testing/refused-nodes.ts");
    /** Fields and blocks that are refused, each for a reason of its own. */
    const wrongFields: readonly object[] = [
      { name: "y", type: "i16" },
      { name: "y", type: "hits" },
      { name: "y", type: 5 },
      { name: "", node: struct({ a: u8 }).node },
      ...[
        ...refusedNodes.map(([, json]) => json),
        wire.limited(u8, { bytes: 3, name: "y" }).node,
        wire.sized(u8, struct({ a: u8 })).node,
        u64le.node,
        deep,
        { kind: "array", item: struct({}).node, length: { count: byte, limit: 2 } },
        { kind: "struct", fields: [], kept: { name: "k", from: "a", to: "a", before: 1 } },
        { kind: "struct", fields: [{ name: "", node: struct({ a: u8 }).node }] },
        { kind: "bytes", length: 2, inside: byte },
        { kind: "struct", fields: new Array(33).fill(0).map((_, at) => ({ name: `a${at}`, node: byte })) },
      ].map((node) => ({ name: "y", node })),
    ];
    const number = { name: "n", node: byte };
    const wrongBlocks: readonly object[] = [
      ...wrongFields.map((field) => ({ fields: [number, field] })),
      { fields: [number], kept: "player", perObserver: true },
      { fields: [number], perObserver: 1 },
      { fields: [number], needs: 5 },
      { fields: [number], needs: "b" },
      { fields: [number], needs: "a" },
      { fields: [number], needs: "a", kept: "index" },
      { fields: [number], initial: { n: 1 } },
      { fields: [number], initial: { n: 300 }, kept: "index" },
      {
        fields: [number, { name: "m", node: byte, when: { field: "n", from: 1 } }],
        initial: { n: 0, m: 1 },
        kept: "index",
      },
      ...[
        { field: "m", allowed: [1] },
        { field: "n" },
        { field: "n", minLength: 1 },
        { field: "n", allowed: [] },
        { field: "n", allowed: [[2, 1]] },
        { field: "n", allowed: [[1, 2], 5] },
      ].map((need) => ({ fields: [number], clientNeeds: [need] })),
      {
        fields: [{ name: "n", node: windows1252String({ limit: 2 }).node }],
        clientNeeds: [{ field: "n", allowed: [1] }],
      },
      {
        fields: [number, { name: "g", node: { kind: "unused", bits: 8 }, hidden: true }],
        initial: { n: 1, g: 1 },
        kept: "index",
      },
      { fields: [number], source: "seen" },
      { fields: [], source: "" },
      { name: "a", fields: [number] },
      { name: "moveSpeed", fields: [number] },
      { name: "appearance", fields: [number] },
    ];
    const wrong = wrongBlocks.map((block) => {
      const kept = { name: "a", flag: 2, kept: "index", fields: [{ name: "n", node: byte }] };
      return JSON.stringify({ name: "x", extensions: [64], blocks: [{ name: "x", flag: 1, ...block }, kept] });
    });
    return {
      seeds: [
        ...wrong.filter(({ length }) => length <= MAX_BYTES).map((json) => text.encode(json)),
        ...bases.flatMap((_, first) =>
          Array.from({ length: 80 }, (__, at) => Uint8Array.of(first, at, at * 3, at * 7)),
        ),
        text.encode(JSON.stringify(small)),
        ...whole.blocks.map((block) => text.encode(JSON.stringify({ ...whole, blocks: [block] }))),
      ],
      words: words.map((word) => text.encode(word)),
      run(input) {
        const json = jsonOf(input);
        for (const fields of fieldListsOf(json)) attempt(() => wire.parseNode({ kind: "struct", fields }));
        const revision = attempt(() => parseMaskRevision(json));
        if (revision.error !== undefined) return;
        const extra = Uint8Array.from({ length: 400 }, (_, at) => (input[at % input.length] ?? 0) ^ (at % 7));
        for (const block of revision.blocks) {
          for (const bytes of [input, extra, new Uint8Array(400)]) {
            const value = attempt(() => readBlock(block, new ByteReader(bytes)));
            const traced = attempt(() => traceBlock(block, new ByteReader(bytes), new Tracer(), ""));
            if ((value.error === undefined) !== (traced.error === undefined))
              throw new Error("A trace reads otherwise");
            if (value.error === undefined) mustComeBack(block, value);
          }
        }
        const written = JSON.stringify(maskRevisionJson(revision));
        if (JSON.stringify(maskRevisionJson(parseMaskRevision(JSON.parse(written)))) !== written)
          throw new Error("A revision is another when it is parsed again");
      },
    };

    /** The fields of all blocks, whatever they are: other descriptions may have kinds that blocks have not. */
    function fieldListsOf(json: unknown): readonly unknown[] {
      const { blocks } = Object(json) as { readonly blocks?: unknown };
      return Array.isArray(blocks)
        ? blocks.map((block) => (Object(block) as { readonly fields?: unknown }).fields)
        : [];
    }

    /** What was read can be written, and as JSON, unless the writer says why not. */
    function mustComeBack(block: MaskBlock, value: MaskFields): void {
      try {
        writeBlock(block, value, new ByteArena());
      } catch (error) {
        if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
        return;
      }
      attempt(() => blockFromJson(block, JSON.parse(JSON.stringify(blockToJson(block, value)))));
    }

    function fieldsOf({ blocks }: MaskRevision, name: string): readonly FieldNode[] {
      return blocks.find((block) => block.name === name)?.node.fields ?? [];
    }
  },
};
