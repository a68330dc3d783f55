/** The contestants of the mouse benchmark, each as it is best used: none is asked for more than the sum. */
import { osrs } from "wirewalk/osrs";
import { osrsMessages } from "wirewalk/osrs/codec";
import { MouseCursor, MouseTracker, readMousePacket } from "wirewalk/osrs/mouse";
import { decode, type Layout, layoutOf } from "wirewalk/wire";
import { binaryParsers, kaitaiReader } from "../codec/packages.ts";
import { type Run, sumOfBytes, type Work } from "../codec/work.ts";
import { createWorkload, type Workload } from "./workload.ts";

function streaming({ bodies }: Workload): Run {
  const cursor = new MouseCursor("client");
  return () => {
    let sum = 0;
    for (const body of bodies) {
      cursor.open(body);
      while (cursor.next()) sum += cursor.dt + cursor.x + cursor.y;
    }
    return sum;
  };
}

interface Records {
  readonly records: readonly { readonly dt: number; readonly x: number; readonly y: number }[];
}

/** Of every payload the records. */
function objects(payloads: readonly Uint8Array[], read: (payload: Uint8Array) => Records): Run {
  return () => {
    let sum = 0;
    for (const payload of payloads) for (const { dt, x, y } of read(payload).records) sum += dt + x + y;
    return sum;
  };
}

/** Does more than all others: absolute positions and times. Its sum is its own. */
function tracking({ bodies }: Workload): Run {
  let sum = 0;
  return () => {
    const tracker = new MouseTracker({ dialect: "client" });
    sum = 0;
    for (const body of bodies) {
      tracker.read(body, ({ x, y, sinceMs }) => {
        sum += x + y + sinceMs;
      });
    }
    return sum;
  };
}

/** A record's fields as the packages leave them: bytes and shorts, of which some are not there. */
interface RawRecord {
  readonly first: number;
  readonly second: number;
  readonly mediumX: number;
  readonly mediumY: number;
  readonly y: number;
  readonly x: number;
}

/** What a reader by fields still has to do. */
function sumOf(record: RawRecord): number {
  const { first } = record;
  if (first < 0x80) {
    const packed = (first << 8) | record.second;
    return (first >> 4) + ((packed >> 6) & 0x3f) - 32 + (packed & 0x3f) - 32;
  }
  if (first < 0xa0) return (first & 0x1f) + record.mediumX - 128 + record.mediumY - 128;
  const dt = first < 0xe0 ? first & 0x1f : ((first & 0x1f) << 8) | record.second;
  return dt + (record.x === 0 && record.y === 0x8000 ? -2 : record.x + record.y);
}

function sumOfRecords(payloads: readonly Uint8Array[], read: (payload: Uint8Array) => { records: RawRecord[] }): Run {
  return () => {
    let sum = 0;
    for (const payload of payloads) for (const record of read(payload).records) sum += sumOf(record);
    return sum;
  };
}

const header = [
  { id: "average", type: "s1" },
  { id: "excess", type: "s1" },
  { id: "records", type: "record", repeat: "eos" },
];
const kaitaiRecord = {
  seq: [
    { id: "first", type: "u1" },
    { id: "second", type: "u1", if: "first < 0x80 or first >= 0xe0" },
    { id: "medium_x", type: "u1", if: "first >= 0x80 and first < 0xa0" },
    { id: "medium_y", type: "u1", if: "first >= 0x80 and first < 0xa0" },
    { id: "y", type: "u2", if: "first >= 0xc0" },
    { id: "x", type: "u2", if: "first >= 0xc0" },
  ],
};

async function kaitai(payloads: readonly Uint8Array[], hasOpcode: boolean): Promise<Run> {
  const opcode = hasOpcode ? [{ id: "opcode", type: "u1", valid: 34 }] : [];
  const read = await kaitaiReader<{ readonly records: RawRecord[] }>({
    meta: { id: "mouse_move", endian: "be" },
    seq: [...opcode, ...header],
    types: { record: kaitaiRecord },
  });
  return sumOfRecords(payloads, (payload) => read(payload).value);
}

function binaryParser(payloads: readonly Uint8Array[], hasOpcode: boolean): Run {
  const create = binaryParsers();
  const parser = () => create().endianness("big");
  const small = parser().uint8("second");
  const medium = parser().uint8("mediumX").uint8("mediumY");
  const quick = parser().uint16("y").uint16("x");
  const full = parser().uint8("second").uint16("y").uint16("x");
  const choices: Record<number, ReturnType<typeof parser>> = {};
  for (let first = 0; first < 256; first += 1) {
    choices[first] = first < 0x80 ? small : first < 0xc0 ? medium : first < 0xe0 ? quick : full;
  }
  // A choice without a name puts its fields beside `first`.
  const record = parser().uint8("first").choice(undefined, { tag: "first", choices });
  const start = hasOpcode ? parser().uint8("opcode") : parser();
  const packet = start.int8("average").int8("excess").array("records", { type: record, readUntil: "eof" });
  return sumOfRecords(payloads, (payload) => {
    const parsed = packet.parse(payload) as { records: RawRecord[]; opcode: number };
    if (hasOpcode && parsed.opcode !== 34) throw new RangeError("Unknown opcode");
    return parsed;
  });
}

/** The document's "Server Code Example" on a DataView. It misreads the real client's packets, at the same cost. */
function documentSample({ bodies }: Workload): Run {
  const decodeSample = (bytes: Uint8Array): { timeWindow: number; entries: { x: number; y: number; dt: number }[] } => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 2;
    const entries: { x: number; y: number; dt: number }[] = [];
    while (at < bytes.length) {
      const first = view.getUint8(at);
      if ((first & 0xe0) === 0xe0 || (first & 0xe0) === 0xc0) {
        const full = (first & 0xe0) === 0xe0;
        const dt = full ? view.getUint16(at) & 0x1fff : first & 0x1f;
        at += full ? 2 : 1;
        let y = view.getInt16(at);
        let x = view.getInt16(at + 2);
        at += 4;
        if (x === 0 && y === -0x8000) {
          x = -1;
          y = -1;
        }
        entries.push({ x, y, dt });
      } else if ((first & 0xe0) === 0x80) {
        const packed = view.getUint16(at + 1);
        at += 3;
        entries.push({ x: (packed >> 8) - 128, y: (packed & 0xff) - 128, dt: first & 0x1f });
      } else {
        const packed = view.getUint16(at);
        at += 2;
        entries.push({ x: (packed >> 6) & 0x1f, y: packed & 0x1f, dt: (packed >> 12) & 7 });
      }
    }
    return { timeWindow: entries.length * view.getUint8(0) + view.getUint8(1), entries };
  };
  return () => {
    let sum = 0;
    for (const body of bodies) for (const { x, y, dt } of decodeSample(body).entries) sum += x + y + dt;
    return sum;
  };
}

/** The body of a packet, made again from its description. */
function described(): Layout<Records> {
  const layout = osrs.codec("client").layouts?.client.mouseMove;
  if (layout === undefined) throw new Error("The codec has no mouseMove");
  return layoutOf(layout.node) as unknown as Layout<Records>;
}

async function runOf(contestant: string, workload: Workload): Promise<Run> {
  const { bodies, packets } = workload;
  const codec = osrs.codec("client");
  switch (contestant) {
    case "read: wirewalk":
      return objects(packets, (packet) => codec.read("client", packet).value as unknown as Records);
    case "read: wirewalk, codec alone": {
      const alone = osrsMessages("client");
      return objects(packets, (packet) => alone.read("client", packet).value as unknown as Records);
    }
    case "interpret: read": {
      const layout = described();
      return objects(packets, (packet) => decode(layout, packet.subarray(1)));
    }
    case "read: kaitai, compiled":
      return await kaitai(packets, true);
    case "read: binary-parser":
      return binaryParser(packets, true);
    case "write: wirewalk, codec alone": {
      const alone = osrsMessages("client");
      const messages = packets.map((packet) => alone.read("client", packet));
      return () => {
        let sum = 0;
        for (const message of messages) sum += sumOfBytes(alone.write("client", message));
        return sum;
      };
    }
    case "write: wirewalk": {
      const messages = packets.map((packet) => codec.read("client", packet));
      return () => {
        let sum = 0;
        for (const message of messages) sum += sumOfBytes(codec.write("client", message));
        return sum;
      };
    }
    case "stream: wirewalk, streaming":
      return streaming(workload);
    case "stream: wirewalk, objects":
      return objects(bodies, (body) => readMousePacket("client", body));
    case "track: wirewalk, tracker":
      return tracking(workload);
    case "stream: kaitai, compiled":
      return await kaitai(bodies, false);
    case "stream: binary-parser":
      return binaryParser(bodies, false);
    case "sample: the document's code":
      return documentSample(workload);
    default:
      throw new RangeError(`No contestant ${contestant}`);
  }
}

/** Makes a contestant's work: per record, or per packet for `codec.read` and `codec.write`. */
export async function createWork(contestant: string, work: string, packets: number): Promise<Work> {
  const workload = createWorkload(work, packets);
  const isWhole = /^(?:read|write|interpret)/.test(contestant);
  return { run: await runOf(contestant, workload), count: isWhole ? packets : workload.records };
}
