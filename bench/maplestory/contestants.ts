/** The contestants of the MapleStory benchmark, each as it is best used. */
import { createRequire } from "node:module";
import {
  encodePath,
  FragmentRows,
  type MapleClientMessage,
  mapleCodec,
  mapleLayouts,
  readFragments,
  v62Fragments,
} from "wirewalk/maplestory";
import { array, ByteReader, decode, encode as encodeWith, i16le, type Layout, layoutOf, u8 } from "wirewalk/wire";
import type { ContestantName, Run, Workload } from "./workload.ts";

const require = createRequire(import.meta.url);

/** Reads a field of the start. */
function i16(bytes: Uint8Array, at: number): number {
  return (((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 24)) >> 16;
}

function objects({ payloads }: Workload): Run {
  // The start too, as the others read it.
  const readPath = (payload: Uint8Array) => ({
    start: { x: i16(payload, 0), y: i16(payload, 2) },
    fragments: readFragments(payload, 5, payload[4] ?? 0, v62Fragments),
  });
  return () => {
    let sum = 0;
    for (const payload of payloads) {
      const { start, fragments } = readPath(payload);
      sum += start.x + start.y;
      for (const { type, x, y, vx, vy, state, durationMs } of fragments) {
        sum += type + x + y + vx + vy + state + durationMs;
      }
    }
    return sum;
  };
}

function rows({ payloads }: Workload): Run {
  const path = new FragmentRows();
  return () => {
    let sum = 0;
    for (const payload of payloads) {
      sum += i16(payload, 0) + i16(payload, 2);
      path.read(payload, 4, v62Fragments);
      for (let row = 0; row < path.count; row++) {
        sum += path.type(row) + path.x(row) + path.y(row) + path.vx(row) + path.vy(row);
        sum += path.state(row) + path.durationMs(row);
      }
    }
    return sum;
  };
}

function definition({ payloads }: Workload): Run {
  const list = array(v62Fragments.layout, { count: u8, limit: 255 });
  return () => {
    let sum = 0;
    for (const payload of payloads) {
      const reader = new ByteReader(payload);
      sum += i16le.read(reader) + i16le.read(reader);
      for (const { type, x, y, vx, vy, state, durationMs } of list.read(reader)) {
        sum += type + x + y + vx + vy + state + durationMs;
      }
    }
    return sum;
  };
}

/** A fragment as the packages below leave it: fields that it does not have are not there. */
interface RawFragment {
  readonly type: number;
  readonly body: Partial<Record<"x" | "y" | "vx" | "vy" | "state" | "duration", number>>;
}

function sumOf({ type, body }: RawFragment): number {
  const { x = 0, y = 0, vx = 0, vy = 0, state = 0, duration = 0 } = body;
  return type + x + y + vx + vy + state + duration;
}

/** A path as binary-parser and protodef leave it. */
interface RawPath {
  readonly x: number;
  readonly y: number;
  readonly fragments: readonly RawFragment[];
}

/** The kinds by the types that the workload has, with their fields. */
const kinds: Readonly<Record<string, { readonly types: readonly number[]; readonly fields: readonly string[] }>> = {
  absolute: { types: [0, 5, 17], fields: ["x", "y", "vx", "vy", "foothold", "state", "duration"] },
  fall_down: { types: [15], fields: ["x", "y", "vx", "vy", "foothold", "fall_start", "state", "duration"] },
  relative: { types: [1, 2, 6, 12, 13, 16], fields: ["vx", "vy", "state", "duration"] },
  instant: { types: [3, 4, 7, 8, 9, 11], fields: ["x", "y", "foothold", "state", "duration"] },
  start_fall_down: { types: [14], fields: ["vx", "vy", "fall_start", "state", "duration"] },
  equipment: { types: [10], fields: ["data"] },
};
const widths: Readonly<Record<string, "u1" | "u2" | "s2">> = { state: "u1", data: "u1", duration: "u2" };

const kaitaiSpec = {
  meta: { id: "maple_path", endian: "le" },
  seq: [
    { id: "start_x", type: "s2" },
    { id: "start_y", type: "s2" },
    { id: "count", type: "u1" },
    { id: "fragments", type: "fragment", repeat: "expr", "repeat-expr": "count" },
  ],
  types: {
    fragment: {
      seq: [
        { id: "type", type: "u1" },
        {
          id: "body",
          type: {
            "switch-on": "type",
            cases: Object.fromEntries(
              Object.entries(kinds).flatMap(([kind, { types }]) => types.map((type) => [type, kind])),
            ),
          },
        },
      ],
    },
    ...Object.fromEntries(
      Object.entries(kinds).map(([kind, { fields }]) => [
        kind,
        { seq: fields.map((id) => ({ id, type: widths[id] ?? "s2" })) },
      ]),
    ),
  },
};

interface KaitaiCompiler {
  compile(language: string, spec: object, importer: undefined, debug: boolean): Promise<Record<string, string>>;
}

async function kaitai({ payloads }: Workload): Promise<Run> {
  const compiler: KaitaiCompiler = require("kaitai-struct-compiler");
  const KaitaiStream: new (bytes: Uint8Array) => object = require("kaitai-struct/KaitaiStream");
  const source = Object.values(await compiler.compile("javascript", kaitaiSpec, undefined, false))[0] ?? "";
  // The compiled module is UMD: as in the browser, it fills in what stands for the global object.
  const root: { KaitaiStream: unknown; MaplePath?: unknown } = { KaitaiStream };
  new Function("define", "exports", "require", source).call(root, undefined, undefined, undefined);
  const compiled = root.MaplePath as { MaplePath?: unknown } | undefined;
  const MaplePath = (compiled?.MaplePath ?? compiled) as new (
    stream: object,
  ) => {
    readonly startX: number;
    readonly startY: number;
    readonly fragments: RawFragment[];
  };
  return () => {
    let sum = 0;
    for (const payload of payloads) {
      const { startX, startY, fragments } = new MaplePath(new KaitaiStream(payload));
      sum += startX + startY;
      for (const fragment of fragments) sum += sumOf(fragment);
    }
    return sum;
  };
}

interface BinaryParser {
  endianness(order: "little"): BinaryParser;
  uint8(name: string): BinaryParser;
  int16(name: string): BinaryParser;
  uint16(name: string): BinaryParser;
  array(name: string, options: { type: BinaryParser; length: string }): BinaryParser;
  choice(name: string, options: { tag: string; choices: Record<number, BinaryParser> }): BinaryParser;
  parse(bytes: Uint8Array): unknown;
}

function binaryParser({ payloads }: Workload): Run {
  const { Parser }: { Parser: new () => BinaryParser } = require("binary-parser");
  const parser = (): BinaryParser => new Parser().endianness("little");
  const choices: Record<number, BinaryParser> = {};
  for (const { types, fields } of Object.values(kinds)) {
    let body = parser();
    for (const field of fields) {
      const width = widths[field];
      body = width === "u1" ? body.uint8(field) : width === "u2" ? body.uint16(field) : body.int16(field);
    }
    for (const type of types) choices[type] = body;
  }
  const fragment = parser().uint8("type").choice("body", { tag: "type", choices });
  const path = parser().int16("x").int16("y").uint8("count").array("fragments", { type: fragment, length: "count" });
  return () => {
    let sum = 0;
    for (const payload of payloads) {
      const { x, y, fragments } = path.parse(payload) as RawPath;
      sum += x + y;
      for (const fragment of fragments) sum += sumOf(fragment);
    }
    return sum;
  };
}

/** What is used of a compiled protodef. */
interface CompiledProtocol {
  read(buffer: Buffer, offset: number, type: string): { readonly value: RawPath };
  sizeOf(value: object, type: string): number;
  write(value: object, buffer: Buffer, offset: number, type: string): number;
}

interface ProtocolCompiler {
  addTypesToCompile(types: object): void;
  compileProtoDefSync(): CompiledProtocol;
}

function protodef(): CompiledProtocol {
  const { Compiler }: { Compiler: { ProtoDefCompiler: new () => ProtocolCompiler } } = require("protodef");
  const compiler = new Compiler.ProtoDefCompiler();
  const typeOf = (field: string): string => ({ u1: "u8", u2: "lu16", s2: "li16" })[widths[field] ?? "s2"];
  const bodies = Object.entries(kinds).flatMap(([, { types, fields }]) =>
    types.map((type) => [type, ["container", fields.map((name) => ({ name, type: typeOf(name) }))]]),
  );
  compiler.addTypesToCompile({
    fragment: [
      "container",
      [
        { name: "type", type: "u8" },
        { name: "body", type: ["switch", { compareTo: "type", fields: Object.fromEntries(bodies) }] },
      ],
    ],
    path: [
      "container",
      [
        { name: "x", type: "li16" },
        { name: "y", type: "li16" },
        { name: "fragments", type: ["array", { countType: "u8", type: "fragment" }] },
      ],
    ],
  });
  return compiler.compileProtoDefSync();
}

function protodefDecode({ payloads }: Workload): Run {
  const protocol = protodef();
  const buffers = payloads.map((payload) => Buffer.from(payload));
  return () => {
    let sum = 0;
    for (const buffer of buffers) {
      const { x, y, fragments } = protocol.read(buffer, 0, "path").value;
      sum += x + y;
      for (const fragment of fragments) sum += sumOf(fragment);
    }
    return sum;
  };
}

/** The length and bytes from both ends: enough to see that the same was written. */
function sumOfBytes(bytes: Uint8Array): number {
  const { length } = bytes;
  // Not `at`: on typed arrays it takes longer than the writing.
  return length * 1000 + (bytes[5] ?? 0) + (bytes[length - 1] ?? 0) + (bytes[length - 3] ?? 0);
}

function encode({ paths }: Workload): Run {
  return () => {
    let sum = 0;
    for (const path of paths) sum += sumOfBytes(encodePath(path, v62Fragments));
    return sum;
  };
}

function protodefEncode({ payloads }: Workload): Run {
  const protocol = protodef();
  const values = payloads.map((payload) => protocol.read(Buffer.from(payload), 0, "path").value);
  return () => {
    let sum = 0;
    for (const value of values) {
      const buffer = Buffer.allocUnsafe(protocol.sizeOf(value, "path"));
      protocol.write(value, buffer, 0, "path");
      sum += sumOfBytes(buffer);
    }
    return sum;
  };
}

type OwnMove = Extract<MapleClientMessage, { readonly message: "movePlayer" }>["value"];

/** The body of a player's packet, made again from its description. */
function describedMove(): Layout<OwnMove> {
  const { movePlayer } = mapleLayouts.v62.client;
  if (movePlayer === undefined) throw new Error("v62 has no movePlayer");
  return layoutOf(movePlayer.node) as Layout<OwnMove>;
}

const OPCODE_BYTES = 2;

/** Looks at all that a packet brought. */
function sumOfMove(value: OwnMove): number {
  if (!("keypad" in value)) return 0;
  const { fieldKey, start, fragments, keypad, box } = value;
  let sum = fieldKey + start.x + start.y + box.left + box.top + box.right + box.bottom;
  for (const { x = 0, y = 0, vx = 0, vy = 0, state = 0, durationMs = 0 } of fragments) {
    sum += x + y + vx + vy + state + durationMs;
  }
  for (const keys of keypad) sum += keys;
  return sum;
}

function readPackets({ payloads }: Workload, read: (payload: Uint8Array) => OwnMove): Run {
  return () => {
    let sum = 0;
    for (const payload of payloads) sum += sumOfMove(read(payload));
    return sum;
  };
}

function writePackets({ messages }: Workload, write: (message: MapleClientMessage) => Uint8Array): Run {
  return () => {
    let sum = 0;
    for (const message of messages) sum += sumOfBytes(write(message));
    return sum;
  };
}

function packetContestant(name: ContestantName, workload: Workload): Run {
  const codec = mapleCodec("v62");
  const described = describedMove();
  switch (name) {
    case "read: wirewalk":
      return readPackets(workload, (payload) => codec.read("client", payload).value as OwnMove);
    case "read: wirewalk, definition":
      return readPackets(workload, (payload) => decode(described, payload.subarray(OPCODE_BYTES)));
    case "write: wirewalk":
      return writePackets(workload, (message) => codec.write("client", message));
    default:
      return writePackets(workload, ({ value }) => encodeWith(described, value as OwnMove));
  }
}

/** Makes a contestant. Throws when its package is not installed. */
export async function createContestant(name: ContestantName, workload: Workload): Promise<Run> {
  switch (name) {
    case "decode: wirewalk, objects":
      return objects(workload);
    case "decode: wirewalk, reused rows":
      return rows(workload);
    case "decode: wirewalk, definition":
      return definition(workload);
    case "decode: kaitai, compiled":
      return await kaitai(workload);
    case "decode: binary-parser":
      return binaryParser(workload);
    case "decode: protodef, compiled":
      return protodefDecode(workload);
    case "encode: wirewalk":
      return encode(workload);
    case "encode: protodef, compiled":
      return protodefEncode(workload);
    default:
      return packetContestant(name, workload);
  }
}
