/** The contestants of the Slime Online 2 benchmark, each as it is best used, with the checks of our codec. */
import { type SlimeClientMessage, slimeCodec, slimeLayouts } from "wirewalk/slime-online-2";
import { slimeMessages } from "wirewalk/slime-online-2/codec";
import { decode, encode, type Layout, layoutOf } from "wirewalk/wire";
import { binaryParsers, kaitaiReader, protodefProtocol, protodefWrites } from "../codec/packages.ts";
import { type Run, refusals, sumOfBytes, type Work, withId } from "../codec/work.ts";
import { createPackets, damages, moves } from "./workload.ts";

/** A move as all leave it: coordinates that its code does not carry are not there. */
interface Move {
  readonly code: number;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

/** What a reader gives: a move, or a line of chat. */
type Body = Move | { readonly text: string };

function sumOf(body: Body): number {
  if ("text" in body) return body.text.length;
  const { code, x = 0, y = 0 } = body;
  return code + x + y;
}

function readAll(packets: readonly Uint8Array[], read: (packet: Uint8Array) => Body): Run {
  return () => {
    let sum = 0;
    for (const packet of packets) sum += sumOf(read(packet));
    return sum;
  };
}

const MOVE = 2;
const CHAT = 17;
/** Codes with both coordinates, with x alone, and without any. */
const codes = { xy: [1, 2, 5, 6, 9], x: [3], none: [4, 7, 8, 10, 11, 12, 13] };
const knownCodes = Object.values(codes).flat();

async function kaitai(work: string): Promise<(packet: Uint8Array) => Body> {
  const isMove = moves.includes(work) || work in damages;
  const has = (list: readonly number[]): string => list.map((code) => `code == ${code}`).join(" or ");
  const seq = isMove
    ? [
        { id: "type", type: "u2", valid: MOVE },
        { id: "code", type: "u1", valid: { "any-of": knownCodes } },
        { id: "x", type: "u2", if: has([...codes.xy, ...codes.x]) },
        { id: "y", type: "u2", if: has(codes.xy) },
      ]
    : [
        { id: "type", type: "u2", valid: CHAT },
        { id: "text", type: "strz", encoding: "iso8859-1" },
      ];
  const read = await kaitaiReader<Body>({ meta: { id: "slime_message", endian: "le" }, seq });
  return (packet) => {
    const { value, stream } = read(packet);
    if (!stream.isEof()) throw new RangeError("Bytes are left");
    return value;
  };
}

function binaryParser(): (packet: Uint8Array) => Body {
  const create = binaryParsers();
  const parser = () => create().endianness("little");
  const choices: Record<number, ReturnType<typeof parser>> = {};
  for (const code of codes.xy) choices[code] = parser().uint16("x").uint16("y");
  for (const code of codes.x) choices[code] = parser().uint16("x");
  for (const code of codes.none) choices[code] = parser();
  const move = parser().uint8("code").choice(undefined, { tag: "code", choices });
  const chat = parser().string("text", { zeroTerminated: true, encoding: "latin1" });
  const packetParser = parser()
    .uint16("type")
    .choice(undefined, { tag: "type", choices: { [MOVE]: move, [CHAT]: chat } })
    .saveOffset("end");
  return (packet) => {
    const parsed = packetParser.parse(packet) as Body & { readonly end: number };
    if (parsed.end !== packet.length) throw new RangeError("Bytes are left");
    return parsed;
  };
}

interface Packet {
  readonly type: number;
  readonly body: Body;
}

function protodef(packets: readonly Uint8Array[]): { read: Run; write: Run; refuse: Run } {
  const place = (...names: string[]) => ["container", names.map((name) => ({ name, type: "lu16" }))];
  // Moves with both coordinates, and lines of chat: what this benchmark has.
  const position: Record<number, unknown> = {};
  for (const code of codes.xy) position[code] = place("x", "y");
  for (const code of codes.x) position[code] = place("x");
  for (const code of codes.none) position[code] = "void";
  const move = [
    "container",
    [
      { name: "code", type: "u8" },
      { name: "position", type: ["switch", { compareTo: "code", fields: position }] },
    ],
  ];
  const types = {
    packet: [
      "container",
      [
        { name: "type", type: "lu16" },
        {
          name: "body",
          type: [
            "switch",
            { compareTo: "type", fields: { [MOVE]: move, [CHAT]: ["container", [{ name: "text", type: "cstring" }]] } },
          ],
        },
      ],
    ],
  };
  const protocol = protodefProtocol(types);
  const buffers = packets.map((packet) => Buffer.from(packet));
  const parse = (buffer: Uint8Array): Packet => {
    const { value, size } = protocol.read(buffer as Buffer, 0, "packet");
    if (size !== buffer.length) throw new RangeError("Bytes are left");
    return value as Packet;
  };
  const read = (buffer: Uint8Array): Body => {
    const { body } = parse(buffer);
    if ("text" in body) return body;
    const { code, position: at } = body as Move & { readonly position: Omit<Move, "code"> | undefined };
    return at === undefined ? { code } : { code, x: at.x, y: at.y };
  };
  return {
    read: readAll(buffers, read),
    refuse: refusals(buffers, read),
    write: protodefWrites(protocol, "packet", () => buffers.map(parse)),
  };
}

/** The body of a message, made again from its description. */
function described(work: string): Layout<Body> {
  const layout = slimeLayouts.v0106.client[moves.includes(work) ? "movePlayer" : "chat"];
  if (layout === undefined) throw new Error("v0106 has no such message");
  return layoutOf(layout.node) as unknown as Layout<Body>;
}

async function runOf(contestant: string, work: string, packets: readonly Uint8Array[]): Promise<Run> {
  const codec = slimeCodec("v0106");
  const alone = slimeMessages("v0106");
  const writeAll = (write: (message: SlimeClientMessage) => Uint8Array): Run => {
    const messages = packets.map((packet) => codec.read("client", packet));
    return () => {
      let sum = 0;
      for (const message of messages) sum += sumOfBytes(write(message));
      return sum;
    };
  };
  switch (contestant) {
    case "read: wirewalk":
      return readAll(packets, (packet) => codec.read("client", packet).value as Body);
    case "read: wirewalk, codec alone":
      return readAll(packets, (packet) => alone.read("client", packet).value as Body);
    case "interpret: read": {
      const layout = described(work);
      return readAll(packets, (packet) => decode(layout, packet.subarray(2)));
    }
    case "read: kaitai, compiled":
      return readAll(packets, await kaitai(work));
    case "read: binary-parser":
      return readAll(packets, binaryParser());
    case "read: protodef, compiled":
      return protodef(packets).read;
    case "write: wirewalk":
      return writeAll((message) => codec.write("client", message));
    case "write: wirewalk, codec alone":
      return writeAll((message) => alone.write("client", message));
    case "interpret: write": {
      const layout = described(work);
      const id = moves.includes(work) ? MOVE : CHAT;
      return writeAll(({ value }) => withId(id, encode(layout, value as Body)));
    }
    case "write: protodef, compiled":
      return protodef(packets).write;
    case "refuse: wirewalk, codec alone":
      return refusals(packets, (packet) => alone.read("client", packet));
    case "refuse: kaitai, compiled":
      return refusals(packets, await kaitai(work));
    case "refuse: binary-parser":
      return refusals(packets, binaryParser());
    case "refuse: protodef, compiled":
      return protodef(packets).refuse;
    default:
      throw new RangeError(`No contestant ${contestant}`);
  }
}

/** Makes a contestant's work. Throws when its package is not installed. */
export async function createWork(contestant: string, work: string, packets: number): Promise<Work> {
  const damage = damages[work];
  const payloads = createPackets(damage === undefined ? work : "right press", packets);
  const run = await runOf(contestant, work, damage === undefined ? payloads : payloads.map(damage));
  return { run, count: packets };
}
