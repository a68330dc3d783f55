/** The contestants of the Scrap Mechanic benchmark, each as it is best used. */
import {
  decodePlayerMovement,
  encodePlayerMovement,
  encodePlayerMovementInto,
  type PlayerMovement,
  type ScrapClientMessage,
  scrapCodec,
} from "wirewalk/scrap-mechanic";
import { scrapMessages } from "wirewalk/scrap-mechanic/codec";
import { binaryParsers, kaitaiReader, protodefProtocol, protodefWrites } from "../codec/packages.ts";
import { type Run, refusals, sumOfBytes, type Work } from "../codec/work.ts";
import { packerRun } from "./packers.ts";
import { createBodies, createPackets, damages } from "./workload.ts";

/** A movement as the packages leave it. */
interface RawMovement {
  readonly tick: number;
  readonly keys: number;
  readonly direction: number;
  readonly yaw: number;
  readonly pitch: number;
}

const ID = 0x1e;
/** A block of eight literals: what conforming senders write. */
const TOKEN = 0x80;
const MOST_KEYS = 31;
const fields = ["direction", "yaw", "pitch"] as const;

function rawSum({ tick, keys, direction, yaw, pitch }: RawMovement): number {
  return tick + direction + yaw + pitch + (keys & 1);
}

function movementSum({ tick, keys, direction, yaw, pitch }: PlayerMovement): number {
  return tick + direction + yaw + pitch + (keys.jump ? 1 : 0);
}

function readAll<T>(packets: readonly Uint8Array[], read: (packet: Uint8Array) => T, sumOf: (value: T) => number): Run {
  return () => {
    let sum = 0;
    for (const packet of packets) sum += sumOf(read(packet));
    return sum;
  };
}

async function kaitai(): Promise<(packet: Uint8Array) => RawMovement> {
  const read = await kaitaiReader<RawMovement>({
    meta: { id: "scrap_movement", endian: "be" },
    seq: [
      { id: "id", type: "u1", valid: ID },
      { id: "token", type: "u1", valid: TOKEN },
      { id: "tick", type: "u4" },
      { id: "keys", type: "u1", valid: { max: MOST_KEYS } },
      ...fields.map((id) => ({ id, type: "u1" })),
    ],
  });
  return (packet) => {
    const { value, stream } = read(packet);
    if (!stream.isEof()) throw new RangeError("Bytes are left");
    return value;
  };
}

type RawPacket = RawMovement & { readonly id: number; readonly token: number };

function checked(packet: RawPacket, end: number, length: number): RawPacket {
  if (packet.id !== ID || packet.token !== TOKEN) throw new RangeError("Unknown packet");
  if (packet.keys > MOST_KEYS) throw new RangeError("Unknown keys");
  if (end !== length) throw new RangeError("Bytes are left");
  return packet;
}

function binaryParser(): (packet: Uint8Array) => RawMovement {
  const parser = binaryParsers()()
    .endianness("big")
    .uint8("id")
    .uint8("token")
    .uint32("tick")
    .uint8("keys")
    .uint8("direction")
    .uint8("yaw")
    .uint8("pitch")
    .saveOffset("end");
  return (packet) => {
    const parsed = parser.parse(packet) as RawPacket & { readonly end: number };
    return checked(parsed, parsed.end, packet.length);
  };
}

function protodef(packets: readonly Uint8Array[]): { read: Run; write: Run; refuse: Run } {
  const names = ["id", "token", "tick", "keys", ...fields];
  const protocol = protodefProtocol({
    packet: ["container", names.map((name) => ({ name, type: name === "tick" ? "u32" : "u8" }))],
  });
  const buffers = packets.map((packet) => Buffer.from(packet));
  const read = (buffer: Uint8Array): RawPacket => {
    const { value, size } = protocol.read(buffer as Buffer, 0, "packet");
    return checked(value as RawPacket, size, buffer.length);
  };
  return {
    read: readAll(buffers, read, rawSum),
    refuse: refusals(buffers, read),
    write: protodefWrites(protocol, "packet", () => buffers.map(read)),
  };
}

/** Of whole movement packets: reads, writes and refusals. */
async function packetRun(contestant: string, packets: readonly Uint8Array[]): Promise<Run> {
  const codec = scrapCodec("documented");
  const alone = scrapMessages("documented");
  const writeAll = (write: (message: ScrapClientMessage) => Uint8Array): Run => {
    const messages = packets.map((packet) => alone.read("client", packet));
    return () => {
      let sum = 0;
      for (const message of messages) sum += sumOfBytes(write(message));
      return sum;
    };
  };
  switch (contestant) {
    case "read: wirewalk":
      return readAll(packets, (packet) => codec.read("client", packet).value as PlayerMovement, movementSum);
    case "read: wirewalk, codec alone":
      return readAll(packets, (packet) => alone.read("client", packet).value as PlayerMovement, movementSum);
    case "read: kaitai, compiled":
      return readAll(packets, await kaitai(), rawSum);
    case "read: binary-parser":
      return readAll(packets, binaryParser(), rawSum);
    case "read: protodef, compiled":
      return protodef(packets).read;
    case "write: wirewalk":
      return writeAll((message) => codec.write("client", message));
    case "write: wirewalk, codec alone":
      return writeAll((message) => alone.write("client", message));
    case "write: protodef, compiled":
      return protodef(packets).write;
    case "refuse: wirewalk, codec alone":
      return refusals(packets, (packet) => alone.read("client", packet));
    case "refuse: kaitai, compiled":
      return refusals(packets, await kaitai());
    case "refuse: binary-parser":
      return refusals(packets, binaryParser());
    case "refuse: protodef, compiled":
      return protodef(packets).refuse;
    default:
      throw new RangeError(`No contestant ${contestant}`);
  }
}

/** Of movement packets, with memory of the caller for what is written: does more than the block codecs, which leave bytes. */
function fusedRun(isRead: boolean, movements: readonly PlayerMovement[]): Run {
  if (isRead) return readAll(movements.map(encodePlayerMovement), decodePlayerMovement, movementSum);
  const packet = new Uint8Array(10);
  return () => {
    let sum = 0;
    for (const movement of movements) {
      encodePlayerMovementInto(packet, movement);
      sum += packet[9] as number;
    }
    return sum;
  };
}

/** Makes a contestant's work. Throws when its package is not installed. */
export async function createWork(contestant: string, work: string, count: number): Promise<Work> {
  const damage = damages[work];
  if (damage !== undefined || work === "movement") {
    const packets = createPackets(count);
    return { run: await packetRun(contestant, damage === undefined ? packets : packets.map(damage)), count };
  }
  const { movements, bodies } = createBodies(work, count);
  const [direction = "", name = ""] = contestant.split(": ");
  const run = name === "wirewalk, fused" ? fusedRun(direction.startsWith("unpack"), movements) : undefined;
  return { run: run ?? (await packerRun(name, direction.startsWith("unpack"), bodies)), count };
}
