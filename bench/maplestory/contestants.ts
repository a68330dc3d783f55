/** The contestants of the MapleStory benchmark, each as it is best used. */
import {
  encodePath,
  FragmentRows,
  type MapleClientMessage,
  mapleCodec,
  mapleLayouts,
  readFragments,
  v62Fragments,
} from "wirewalk/maplestory";
import { mapleMessages } from "wirewalk/maplestory/codec";
import { array, ByteReader, decode, encode as encodeWith, type Layout, layoutOf, readLayout, u8 } from "wirewalk/wire";
import { type Run, refusals, sumOfBytes, type Work, withId } from "../codec/work.ts";
import {
  binaryParserPackets,
  binaryParserPaths,
  kaitaiPackets,
  kaitaiPaths,
  protodefPackets,
  protodefPaths,
} from "./others.ts";
import { CAPTURED, createPackets, createPaths, damages, type Mix, type OwnMove, type Paths } from "./workload.ts";

/** Reads a field of the start. */
function i16(bytes: Uint8Array, at: number): number {
  return (((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 24)) >> 16;
}

function objects({ payloads }: Paths): Run {
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

function rows({ payloads }: Paths): Run {
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

function interpreted({ payloads }: Paths): Run {
  const list = array(v62Fragments.layout, { count: u8, limit: 255 });
  return () => {
    let sum = 0;
    for (const payload of payloads) {
      const reader = new ByteReader(payload);
      sum += reader.i16le() + reader.i16le();
      for (const { type, x, y, vx, vy, state, durationMs } of readLayout(list, reader)) {
        sum += type + x + y + vx + vy + state + durationMs;
      }
    }
    return sum;
  };
}

function encode({ paths }: Paths): Run {
  return () => {
    let sum = 0;
    for (const path of paths) sum += sumOfBytes(encodePath(path, v62Fragments));
    return sum;
  };
}

/** The body of a player's packet, made again from its description. */
function describedMove(): Layout<OwnMove> {
  const { movePlayer } = mapleLayouts.v62.client;
  if (movePlayer === undefined) throw new Error("v62 has no movePlayer");
  return layoutOf(movePlayer.node) as Layout<OwnMove>;
}

const OPCODE_BYTES = 2;
const MOVE_PLAYER = 0x26;

/** Looks at all that a packet brought. */
function sumOfMove({ fieldKey, start, fragments, keypad, box }: OwnMove): number {
  let sum = fieldKey + start.x + start.y + box.left + box.top + box.right + box.bottom;
  for (const { x = 0, y = 0, vx = 0, vy = 0, state = 0, durationMs = 0 } of fragments) {
    sum += x + y + vx + vy + state + durationMs;
  }
  for (const keys of keypad) sum += keys;
  return sum;
}

function readPackets(payloads: readonly Uint8Array[], read: (payload: Uint8Array) => OwnMove): Run {
  return () => {
    let sum = 0;
    for (const payload of payloads) sum += sumOfMove(read(payload));
    return sum;
  };
}

function writePackets(payloads: readonly Uint8Array[], write: (message: MapleClientMessage) => Uint8Array): Run {
  const codec = mapleCodec("v62");
  const messages = payloads.map((payload) => codec.read("client", payload));
  return () => {
    let sum = 0;
    for (const message of messages) sum += sumOfBytes(write(message));
    return sum;
  };
}

/** Of fragments, `mixed` or `absolute`. */
async function pathRun(contestant: string, paths: Paths): Promise<Run> {
  switch (contestant) {
    case "decode: wirewalk, objects":
      return objects(paths);
    case "decode: wirewalk, reused rows":
      return rows(paths);
    case "interpret: decode":
      return interpreted(paths);
    case "decode: kaitai, compiled":
      return await kaitaiPaths(paths);
    case "decode: binary-parser":
      return binaryParserPaths(paths);
    case "decode: protodef, compiled":
      return protodefPaths(paths).decode;
    case "encode: wirewalk":
      return encode(paths);
    case "encode: protodef, compiled":
      return protodefPaths(paths).encode;
    default:
      throw new RangeError(`No contestant ${contestant}`);
  }
}

/** Of whole packets: reads, writes and refusals. */
async function packetRun(contestant: string, payloads: readonly Uint8Array[]): Promise<Run> {
  const codec = mapleCodec("v62");
  switch (contestant) {
    case "read: wirewalk":
      return readPackets(payloads, (payload) => codec.read("client", payload).value as OwnMove);
    case "read: wirewalk, codec alone": {
      const alone = mapleMessages("v62");
      return readPackets(payloads, (payload) => alone.read("client", payload).value as OwnMove);
    }
    case "interpret: read": {
      const described = describedMove();
      return readPackets(payloads, (payload) => decode(described, payload.subarray(OPCODE_BYTES)));
    }
    case "read: kaitai, compiled":
      return (await kaitaiPackets(payloads)).read;
    case "read: binary-parser":
      return binaryParserPackets(payloads).read;
    case "read: protodef, compiled":
      return protodefPackets(payloads).read;
    case "write: wirewalk":
      return writePackets(payloads, (message) => codec.write("client", message));
    case "write: wirewalk, codec alone": {
      const alone = mapleMessages("v62");
      return writePackets(payloads, (message) => alone.write("client", message as never));
    }
    case "interpret: write": {
      const described = describedMove();
      return writePackets(payloads, ({ value }) => withId(MOVE_PLAYER, encodeWith(described, value as OwnMove)));
    }
    case "write: protodef, compiled":
      return protodefPackets(payloads).write;
    case "refuse: wirewalk, codec alone": {
      const alone = mapleMessages("v62");
      return refusals(payloads, (payload) => alone.read("client", payload));
    }
    case "refuse: kaitai, compiled":
      return (await kaitaiPackets(payloads)).refuse;
    case "refuse: binary-parser":
      return binaryParserPackets(payloads).refuse;
    case "refuse: protodef, compiled":
      return protodefPackets(payloads).refuse;
    default:
      throw new RangeError(`No contestant ${contestant}`);
  }
}

/** Makes a contestant's work. Throws when its package is not installed. */
export async function createWork(contestant: string, work: string, packets: number): Promise<Work> {
  if (work === "mixed" || work === "absolute") {
    const paths = createPaths(work satisfies Mix, packets);
    return { run: await pathRun(contestant, paths), count: paths.count };
  }
  const damage = damages[work];
  const payloads = createPackets(damage === undefined ? Number(work) : CAPTURED, packets);
  const run = await packetRun(contestant, damage === undefined ? payloads : payloads.map(damage));
  return { run, count: packets };
}
