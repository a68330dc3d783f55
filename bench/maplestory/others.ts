/**
 * Kaitai, binary-parser and protodef at MapleStory's paths and packets. Of whole packets all check what our codec checks:
 * the opcode, the types of fragments, that nothing is left, and that the unused half of the last key byte is 0.
 */
import { binaryParsers, kaitaiReader, protodefProtocol, protodefWrites } from "../codec/packages.ts";
import { type Run, refusals } from "../codec/work.ts";
import type { Paths } from "./workload.ts";

/** A fragment as the packages leave it: fields that it does not have are not there. */
interface RawFragment {
  readonly type: number;
  readonly body: Partial<Record<"x" | "y" | "vx" | "vy" | "state" | "duration", number>>;
}

function sumOf({ type, body }: RawFragment): number {
  const { x = 0, y = 0, vx = 0, vy = 0, state = 0, duration = 0 } = body;
  return type + x + y + vx + vy + state + duration;
}

/** The kinds by their types, with their fields. */
const kinds: Readonly<Record<string, { readonly types: readonly number[]; readonly fields: readonly string[] }>> = {
  absolute: { types: [0, 5, 17], fields: ["x", "y", "vx", "vy", "foothold", "state", "duration"] },
  fall_down: { types: [15], fields: ["x", "y", "vx", "vy", "foothold", "fall_start", "state", "duration"] },
  relative: { types: [1, 2, 6, 12, 13, 16], fields: ["vx", "vy", "state", "duration"] },
  instant: { types: [3, 4, 7, 8, 9, 11], fields: ["x", "y", "foothold", "state", "duration"] },
  start_fall_down: { types: [14], fields: ["vx", "vy", "fall_start", "state", "duration"] },
  equipment: { types: [10], fields: ["data"] },
};
const widths: Readonly<Record<string, "u1" | "u2" | "s2">> = { state: "u1", data: "u1", duration: "u2" };
const knownTypes = Object.values(kinds).flatMap(({ types }) => types);

const OPCODE = 0x26;

// --- Kaitai --------------------------------------------------------------------------------------------------------------

const kaitaiFragment = {
  seq: [
    { id: "type", type: "u1", valid: { "any-of": knownTypes } },
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
};
const kaitaiTypes = {
  fragment: kaitaiFragment,
  ...Object.fromEntries(
    Object.entries(kinds).map(([kind, { fields }]) => [
      kind,
      { seq: fields.map((id) => ({ id, type: widths[id] ?? "s2" })) },
    ]),
  ),
};
const kaitaiPath = [
  { id: "start_x", type: "s2" },
  { id: "start_y", type: "s2" },
  { id: "count", type: "u1" },
  { id: "fragments", type: "fragment", repeat: "expr", "repeat-expr": "count" },
];

interface RawPath {
  readonly startX: number;
  readonly startY: number;
  readonly fragments: readonly RawFragment[];
}

export async function kaitaiPaths({ payloads }: Paths): Promise<Run> {
  const read = await kaitaiReader<RawPath>({
    meta: { id: "maple_path", endian: "le" },
    seq: kaitaiPath,
    types: kaitaiTypes,
  });
  return () => {
    let sum = 0;
    for (const payload of payloads) {
      const { startX, startY, fragments } = read(payload).value;
      sum += startX + startY;
      for (const fragment of fragments) sum += sumOf(fragment);
    }
    return sum;
  };
}

/** A whole packet as all three packages leave it. */
interface RawPacket {
  readonly fieldKey: number;
  readonly startX: number;
  readonly startY: number;
  readonly fragments: readonly RawFragment[];
  readonly keys: readonly number[];
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Looks at all that a packet brought, as our contestant does. */
function sumOfPacket({ fieldKey, startX, startY, fragments, keys, left, top, right, bottom }: RawPacket): number {
  let sum = fieldKey + startX + startY + left + top + right + bottom;
  for (const { body } of fragments) {
    const { x = 0, y = 0, vx = 0, vy = 0, state = 0, duration = 0 } = body;
    sum += x + y + vx + vy + state + duration;
  }
  for (const key of keys) sum += key;
  return sum;
}

interface PacketRuns {
  readonly read: Run;
  readonly refuse: Run;
}

function packetRuns(payloads: readonly Uint8Array[], read: (payload: Uint8Array) => RawPacket): PacketRuns {
  return {
    read() {
      let sum = 0;
      for (const payload of payloads) sum += sumOfPacket(read(payload));
      return sum;
    },
    refuse: refusals(payloads, read),
  };
}

const box = ["left", "top", "right", "bottom"];

/** A player's own packet. */
export const kaitaiPacketSpec = {
  meta: { id: "maple_move", endian: "le", "bit-endian": "le" },
  seq: [
    { id: "opcode", type: "u2", valid: OPCODE },
    { id: "field_key", type: "u1" },
    ...kaitaiPath,
    { id: "key_count", type: "u1" },
    { id: "keys", type: "b4", repeat: "expr", "repeat-expr": "key_count" },
    { id: "unused", type: "b4", if: "key_count % 2 == 1", valid: 0 },
    ...box.map((id) => ({ id, type: "s2" })),
  ],
  types: kaitaiTypes,
} as const;

export async function kaitaiPackets(payloads: readonly Uint8Array[]): Promise<PacketRuns> {
  const read = await kaitaiReader<RawPacket>(kaitaiPacketSpec);
  return packetRuns(payloads, (payload) => {
    const { value, stream } = read(payload);
    if (!stream.isEof()) throw new RangeError("Bytes are left");
    return value;
  });
}

/** Key nibbles out of their bytes, for the packages that have no half bytes in this order. */
function keysOf(bytes: ArrayLike<number>, count: number): number[] {
  const keys = new Array<number>(count);
  for (let index = 0; index < count; index++) {
    keys[index] = ((bytes[index >> 1] as number) >> ((index & 1) << 2)) & 0xf;
  }
  if ((count & 1) === 1 && (bytes[count >> 1] as number) > 0xf) throw new RangeError("The unused half byte is not 0");
  return keys;
}

// --- binary-parser -------------------------------------------------------------------------------------------------------

/** A parser of the fields before the count, the count, and the fragments. */
function binaryPath() {
  const create = binaryParsers();
  const parser = () => create().endianness("little");
  const choices: Record<number, ReturnType<typeof parser>> = {};
  for (const { types, fields } of Object.values(kinds)) {
    for (const type of types) {
      choices[type] = fields.reduce((body, field) => {
        const width = widths[field];
        return width === "u1" ? body.uint8(field) : width === "u2" ? body.uint16(field) : body.int16(field);
      }, parser());
    }
  }
  const fragment = parser().uint8("type").choice("body", { tag: "type", choices });
  return { parser, fragment };
}

export function binaryParserPaths({ payloads }: Paths): Run {
  const { parser, fragment } = binaryPath();
  const path = parser()
    .int16("startX")
    .int16("startY")
    .uint8("count")
    .array("fragments", { type: fragment, length: "count" });
  return () => {
    let sum = 0;
    for (const payload of payloads) {
      const { startX, startY, fragments } = path.parse(payload) as RawPath;
      sum += startX + startY;
      for (const each of fragments) sum += sumOf(each);
    }
    return sum;
  };
}

export function binaryParserPackets(payloads: readonly Uint8Array[]): PacketRuns {
  const { parser, fragment } = binaryPath();
  const packet = parser()
    .uint16("opcode")
    .uint8("fieldKey")
    .int16("startX")
    .int16("startY")
    .uint8("count")
    .array("fragments", { type: fragment, length: "count" })
    .uint8("keyCount")
    .buffer("keyBytes", { length: (item: { keyCount: number }) => (item.keyCount + 1) >> 1 })
    .int16("left")
    .int16("top")
    .int16("right")
    .int16("bottom")
    .saveOffset("end");
  type Parsed = Omit<RawPacket, "keys"> & Record<"opcode" | "keyCount" | "end", number> & { keyBytes: Uint8Array };
  return packetRuns(payloads, (payload) => {
    const parsed = packet.parse(payload) as Parsed & { keys: number[] };
    if (parsed.opcode !== OPCODE) throw new RangeError("Unknown opcode");
    if (parsed.end !== payload.length) throw new RangeError("Bytes are left");
    parsed.keys = keysOf(parsed.keyBytes, parsed.keyCount);
    return parsed;
  });
}

// --- protodef ------------------------------------------------------------------------------------------------------------

const protodefFragment = () => {
  const typeOf = (field: string): string => ({ u1: "u8", u2: "lu16", s2: "li16" })[widths[field] ?? "s2"];
  const bodies = Object.entries(kinds).flatMap(([, { types, fields }]) =>
    types.map((type) => [type, ["container", fields.map((name) => ({ name, type: typeOf(name) }))]]),
  );
  return [
    "container",
    [
      { name: "type", type: "u8" },
      { name: "body", type: ["switch", { compareTo: "type", fields: Object.fromEntries(bodies) }] },
    ],
  ];
};
const protodefPath = [
  { name: "startX", type: "li16" },
  { name: "startY", type: "li16" },
  { name: "fragments", type: ["array", { countType: "u8", type: "fragment" }] },
];

/** Key nibbles as a native type: protodef's bit fields put the high bits first. */
const keypad = {
  Read: {
    keypad: [
      "native",
      (buffer: Buffer, offset: number) => {
        const count = buffer.readUInt8(offset);
        const size = 1 + ((count + 1) >> 1);
        if (offset + size > buffer.length) throw new RangeError("The keys are cut");
        return { value: keysOf(buffer.subarray(offset + 1, offset + size), count), size };
      },
    ],
  },
  Write: {
    keypad: [
      "native",
      (keys: readonly number[], buffer: Buffer, offset: number) => {
        let at = buffer.writeUInt8(keys.length, offset);
        for (let index = 0; index < keys.length; index += 2) {
          at = buffer.writeUInt8((keys[index] as number) | ((keys[index + 1] ?? 0) << 4), at);
        }
        return at;
      },
    ],
  },
  SizeOf: { keypad: ["native", (keys: readonly number[]) => 1 + ((keys.length + 1) >> 1)] },
};

export function protodefPaths({ payloads }: Paths): { readonly decode: Run; readonly encode: Run } {
  const protocol = protodefProtocol({ fragment: protodefFragment(), path: ["container", protodefPath] });
  const buffers = payloads.map((payload) => Buffer.from(payload));
  const values = buffers.map((buffer) => protocol.read(buffer, 0, "path").value);
  return {
    decode() {
      let sum = 0;
      for (const buffer of buffers) {
        const { startX, startY, fragments } = protocol.read(buffer, 0, "path").value as RawPath;
        sum += startX + startY;
        for (const fragment of fragments) sum += sumOf(fragment);
      }
      return sum;
    },
    encode: protodefWrites(protocol, "path", () => values),
  };
}

export function protodefPackets(payloads: readonly Uint8Array[]): PacketRuns & { readonly write: Run } {
  const packet = [
    { name: "opcode", type: "lu16" },
    { name: "fieldKey", type: "u8" },
    ...protodefPath,
    { name: "keys", type: "keypad" },
    ...box.map((name) => ({ name, type: "li16" })),
  ];
  const protocol = protodefProtocol({ fragment: protodefFragment(), packet: ["container", packet] }, keypad);
  const read = (payload: Uint8Array): RawPacket => {
    const { value, size } = protocol.read(payload as Buffer, 0, "packet");
    const found = value as RawPacket & { readonly opcode: number };
    if (found.opcode !== OPCODE) throw new RangeError("Unknown opcode");
    if (size !== payload.length) throw new RangeError("Bytes are left");
    return found;
  };
  const buffers = payloads.map((payload) => Buffer.from(payload));
  return {
    ...packetRuns(buffers, read),
    write: protodefWrites(protocol, "packet", () => buffers.map(read)),
  };
}
