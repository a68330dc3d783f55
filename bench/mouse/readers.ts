/** The contestants of the mouse benchmark, each as it is best used: none is asked for more than the sum. */
import { createRequire } from "node:module";
import { MouseCursor, MouseTracker, readMousePacket } from "wirewalk/osrs/mouse";
import type { Reader, ReaderName } from "./workload.ts";

const require = createRequire(import.meta.url);

function streaming(): Reader {
  const cursor = new MouseCursor("client");
  return (payloads) => {
    let sum = 0;
    for (const payload of payloads) {
      cursor.open(payload);
      while (cursor.next()) sum += cursor.dt + cursor.x + cursor.y;
    }
    return sum;
  };
}

function objects(): Reader {
  return (payloads) => {
    let sum = 0;
    for (const payload of payloads) {
      for (const { dt, x, y } of readMousePacket("client", payload).records) sum += dt + x + y;
    }
    return sum;
  };
}

/** Does more than all others: absolute positions and times. Its sum is its own. */
function tracking(): Reader {
  const tracker = new MouseTracker({ dialect: "client" });
  let sum = 0;
  return (payloads) => {
    sum = 0;
    for (const payload of payloads) {
      tracker.read(payload, ({ x, y, sinceMs }) => {
        sum += x + y + sinceMs;
      });
    }
    return sum;
  };
}

/** A record's fields as the packages below leave them: bytes and shorts, of which some are not there. */
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

const kaitaiSpec = {
  meta: { id: "mouse_move", endian: "be" },
  seq: [
    { id: "average", type: "s1" },
    { id: "excess", type: "s1" },
    { id: "records", type: "record", repeat: "eos" },
  ],
  types: {
    record: {
      seq: [
        { id: "first", type: "u1" },
        { id: "second", type: "u1", if: "first < 0x80 or first >= 0xe0" },
        { id: "medium_x", type: "u1", if: "first >= 0x80 and first < 0xa0" },
        { id: "medium_y", type: "u1", if: "first >= 0x80 and first < 0xa0" },
        { id: "y", type: "u2", if: "first >= 0xc0" },
        { id: "x", type: "u2", if: "first >= 0xc0" },
      ],
    },
  },
};

interface KaitaiCompiler {
  compile(language: string, spec: object, importer: undefined, debug: boolean): Promise<Record<string, string>>;
}

async function kaitai(): Promise<Reader> {
  const compiler: KaitaiCompiler = require("kaitai-struct-compiler");
  const KaitaiStream: new (bytes: Uint8Array) => object = require("kaitai-struct/KaitaiStream");
  const source = Object.values(await compiler.compile("javascript", kaitaiSpec, undefined, false))[0] ?? "";
  // The compiled module is UMD: as in the browser, it fills in what stands for the global object.
  const root: { KaitaiStream: unknown; MouseMove?: unknown } = { KaitaiStream };
  new Function("define", "exports", "require", source).call(root, undefined, undefined, undefined);
  const compiled = root.MouseMove as { MouseMove?: unknown } | undefined;
  const MouseMove = (compiled?.MouseMove ?? compiled) as new (stream: object) => { readonly records: RawRecord[] };
  return (payloads) => {
    let sum = 0;
    for (const payload of payloads) {
      for (const record of new MouseMove(new KaitaiStream(payload)).records) sum += sumOf(record);
    }
    return sum;
  };
}

interface BinaryParser {
  endianness(order: "big"): BinaryParser;
  uint8(name: string): BinaryParser;
  int8(name: string): BinaryParser;
  uint16(name: string): BinaryParser;
  array(name: string, options: { type: BinaryParser; readUntil: "eof" }): BinaryParser;
  choice(name: string, options: { tag: string; choices: Record<number, BinaryParser> }): BinaryParser;
  parse(bytes: Uint8Array): unknown;
}

function binaryParser(): Reader {
  const { Parser }: { Parser: new () => BinaryParser } = require("binary-parser");
  const parser = (): BinaryParser => new Parser().endianness("big");
  const small = parser().uint8("second");
  const medium = parser().uint8("mediumX").uint8("mediumY");
  const quick = parser().uint16("y").uint16("x");
  const full = parser().uint8("second").uint16("y").uint16("x");
  const choices: Record<number, BinaryParser> = {};
  for (let first = 0; first < 256; first += 1) {
    choices[first] = first < 0x80 ? small : first < 0xc0 ? medium : first < 0xe0 ? quick : full;
  }
  // A choice without a name puts its fields beside `first`.
  const record = parser()
    .uint8("first")
    .choice(undefined as unknown as string, { tag: "first", choices });
  const packet = parser().int8("average").int8("excess").array("records", { type: record, readUntil: "eof" });
  return (payloads) => {
    let sum = 0;
    for (const payload of payloads) {
      for (const each of (packet.parse(payload) as { records: RawRecord[] }).records) sum += sumOf(each);
    }
    return sum;
  };
}

/** The document's "Server Code Example" on a DataView. It misreads the real client's packets, at the same cost. */
function documentSample(): Reader {
  const decode = (bytes: Uint8Array): { timeWindow: number; entries: { x: number; y: number; dt: number }[] } => {
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
  return (payloads) => {
    let sum = 0;
    for (const payload of payloads) {
      for (const { x, y, dt } of decode(payload).entries) sum += x + y + dt;
    }
    return sum;
  };
}

/** Makes a reader. Throws when its package is not installed. */
export async function createReader(name: ReaderName): Promise<Reader> {
  switch (name) {
    case "wirewalk, streaming":
      return streaming();
    case "wirewalk, objects":
      return objects();
    case "wirewalk, tracker":
      return tracking();
    case "kaitai":
      return await kaitai();
    case "binary-parser":
      return binaryParser();
    case "the document's code":
      return documentSample();
  }
}
