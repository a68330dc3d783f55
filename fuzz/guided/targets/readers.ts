/** The cursors that all readers are made of, against arithmetic on bits. */
import type { ByteReader } from "wirewalk/wire";
import type { Target } from "../target.ts";
import { src } from "./sources.ts";

/** The bits of bytes as text: slow, and plainly right. */
function bitsOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(2).padStart(8, "0");
  return text;
}

function signed(unsigned: number, width: number): number {
  return unsigned >= 2 ** (width - 1) ? unsigned - 2 ** width : unsigned;
}

/** Columns of a dump's row between the offset and the text. */
const DUMP_COLUMNS = 49;

/** What a read gives, or how it is refused. */
type Read = { readonly value: unknown } | { readonly refusal: string };

const numbers: readonly {
  readonly read: (reader: ByteReader) => number | bigint;
  readonly bytes: number;
  readonly expected: (bytes: Uint8Array) => number | bigint;
}[] = (["u8", "i8", "u16le", "u16be", "i16le", "i16be", "u32le", "u32be", "i32le", "i32be"] as const).map((verb) => {
  const bytes = Number(verb.replace(/\D/g, "")) / 8;
  return {
    read: (reader) => reader[verb](),
    bytes,
    expected: (raw) => {
      const ordered = verb.endsWith("le") ? [...raw].reverse() : [...raw];
      const unsigned = ordered.reduce((sum, byte) => sum * 256 + byte, 0);
      return verb.startsWith("i") ? signed(unsigned, bytes * 8) : unsigned;
    },
  };
});

/** Kinds that a DataView reads too, and those that are no numbers: how many bytes they need, and how far they move. */
const wide: readonly {
  readonly read: (reader: ByteReader) => unknown;
  readonly bytes: number;
  readonly moves: number;
  readonly expected: (view: DataView) => unknown;
}[] = [
  { read: (reader) => reader.u64le(), bytes: 8, moves: 8, expected: (view) => view.getBigUint64(0, true) },
  { read: (reader) => reader.f32le(), bytes: 4, moves: 4, expected: (view) => view.getFloat32(0, true) },
  { read: (reader) => reader.f32be(), bytes: 4, moves: 4, expected: (view) => view.getFloat32(0, false) },
  { read: (reader) => reader.peekU8(), bytes: 1, moves: 0, expected: (view) => view.getUint8(0) },
  { read: (reader) => reader.skip(3), bytes: 3, moves: 3, expected: () => undefined },
];

function viewOf(bytes: Uint8Array, at: number): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + at);
}

/** An input: how many bytes of script, the script, then the bytes that it reads. */
export const readers: Target = {
  name: "readers",
  summary: "a script of reads by bytes and by bits: the numbers that stand there, or a WireError at the right place",
  cover: new RegExp(`${src}wire/(?:byte-reader|bit-reader|frames|hex|latin1|rc4|wire-error)\\.ts$`),
  maxBytes: 160,
  async open() {
    const {
      BitReader,
      ByteReader,
      formatHex,
      parseHex,
      hexDump,
      LengthPrefixDeframer,
      WireError,
      decodeLatin1,
      encodeLatin1,
    } = await import("wirewalk/wire");
    const attempt = (work: () => unknown): Read => {
      try {
        return { value: work() };
      } catch (error) {
        if (error instanceof RangeError) return { refusal: "RangeError" };
        if (error instanceof WireError) return { refusal: `${error.code} ${error.bitOffset}` };
        throw error;
      }
    };
    const mustBe = (what: string, found: Read, expected: Read): void => {
      const [is, should] = [found, expected].map((each) => ("value" in each ? String(each.value) : each.refusal));
      if (is !== should) throw new Error(`${what} gives ${is}, expected ${should}`);
    };
    const readBytes = (bytes: Uint8Array, script: Uint8Array): void => {
      const reader = new ByteReader(bytes);
      let at = 0;
      for (const op of script) {
        const kind = numbers[op & 15];
        const truncated = { refusal: `truncated ${at * 8}` };
        const left = bytes.length - at;
        if (kind !== undefined) {
          const expected =
            kind.bytes > left ? truncated : { value: kind.expected(bytes.subarray(at, at + kind.bytes)) };
          mustBe(
            `number ${op & 15}`,
            attempt(() => kind.read(reader)),
            expected,
          );
          if ("value" in expected) at += kind.bytes;
        } else if ((op & 15) === 11) {
          const count = (op >> 4) - 1;
          const expected =
            count < 0
              ? { refusal: "RangeError" }
              : count > left
                ? truncated
                : { value: bytes.subarray(at, at + count) };
          mustBe(
            `bytes ${count}`,
            attempt(() => reader.bytes(count)),
            expected,
          );
          if ("value" in expected) at += count;
        } else if ((op & 15) === 12) {
          const to = (op >> 4) * 4;
          const isPlace = to % 8 === 0 && to / 8 <= bytes.length;
          mustBe(
            `seek ${to}`,
            attempt(() => reader.seek(to)),
            isPlace ? { value: undefined } : { refusal: "RangeError" },
          );
          if (isPlace) at = to / 8;
        } else if ((op & 15) === 13) {
          const rest = left === 0 ? { value: undefined } : { refusal: `trailing ${at * 8}` };
          mustBe(
            "end",
            attempt(() => reader.expectEnd()),
            rest,
          );
        } else if ((op & 15) === 14) {
          const kind = wide[(op >> 4) % wide.length] as (typeof wide)[number];
          const expected = kind.bytes > left ? truncated : { value: kind.expected(viewOf(bytes, at)) };
          mustBe(
            `wide number ${op >> 4}`,
            attempt(() => kind.read(reader)),
            expected,
          );
          if ("value" in expected) at += kind.moves;
        } else {
          const limit = op >> 4;
          const zero = bytes.indexOf(0, at);
          const found = attempt(() => reader.cstring(limit));
          if (zero >= 0 && zero - at <= limit) {
            mustBe("cstring", found, { value: Buffer.from(bytes.subarray(at, zero)).toString("latin1") });
            at = zero + 1;
          } else {
            mustBe("cstring", found, { refusal: `${left <= limit ? "truncated" : "limit"} ${at * 8}` });
          }
        }
        if (reader.offset !== at || reader.bitOffset !== at * 8)
          throw new Error(`The reader is at ${reader.offset}, not at ${at}`);
      }
    };
    const readBits = (bytes: Uint8Array, script: Uint8Array): void => {
      const reader = new BitReader(bytes);
      const bits = bitsOf(bytes);
      let at = 0;
      for (const op of script) {
        const width = op & 63;
        if (op >= 192) {
          const to = Math.ceil(at / 8) * 8;
          mustBe(
            "align",
            attempt(() => reader.align()),
            { value: Number.parseInt(`0${bits.slice(at, to)}`, 2) },
          );
          at = to;
        } else {
          const isSigned = (op & 64) !== 0;
          const value = Number.parseInt(bits.slice(at, at + width), 2);
          const expected =
            width < 1 || width > 32
              ? { refusal: "RangeError" }
              : at + width > bits.length
                ? { refusal: `truncated ${at}` }
                : { value: isSigned ? signed(value, width) : value };
          mustBe(
            `${width} bits`,
            attempt(() => (isSigned ? reader.readSigned(width) : reader.read(width))),
            expected,
          );
          if ("value" in expected) at += width;
        }
        if (reader.bitOffset !== at || reader.remainingBits !== bits.length - at)
          throw new Error(`The bit reader is not at ${at}`);
      }
    };
    /** Frames in pieces: payloads of the lengths that stand before them, whatever the options are. */
    const readFrames = (bytes: Uint8Array, script: Uint8Array): void => {
      const [options = 0, limit = 0] = script;
      const lengthLayout = (options & 1) === 0 ? "u16le" : "u16be";
      const allowEmpty = (options & 2) !== 0;
      const created = attempt(() => new LengthPrefixDeframer({ limit, lengthLayout, allowEmpty }));
      if (!("value" in created)) {
        mustBe("deframer", created, limit === 0 ? { refusal: "RangeError" } : { value: "a deframer" });
        return;
      }
      let deframer = created.value as InstanceType<typeof LengthPrefixDeframer>;
      const expected: Uint8Array[] = [];
      let at = 0;
      let end = "";
      while (at + 2 <= bytes.length && end === "") {
        const [a, b] = [bytes[at] as number, bytes[at + 1] as number];
        const length = lengthLayout === "u16le" ? a + b * 256 : a * 256 + b;
        if (length > limit) end = `limit ${at * 8}`;
        else if (length === 0 && !allowEmpty) end = `bad-length ${at * 8}`;
        else if (at + 2 + length > bytes.length) break;
        else {
          expected.push(bytes.subarray(at + 2, at + 2 + length));
          at += 2 + length;
        }
      }
      const step = 1 + (options >> 3);
      let found = "";
      for (let from = 0; from < bytes.length && found === ""; from += step) {
        const pushed = attempt(() => deframer.push(bytes.subarray(from, from + step)));
        if ("refusal" in pushed) found = pushed.refusal;
        if ((options & 4) === 0) continue;
        const saved = deframer.save();
        deframer = new LengthPrefixDeframer({ limit, lengthLayout, allowEmpty });
        deframer.restore(saved);
      }
      if (found !== end) throw new Error(`The stream ends with "${found}", expected "${end}"`);
      for (const payload of expected)
        mustBe(
          "frame",
          attempt(() => deframer.next()),
          { value: payload },
        );
      const last = attempt(() => deframer.next());
      if (end === "" ? !("value" in last) || last.value !== undefined : !("refusal" in last))
        throw new Error("One frame too many");
      if (end !== "") attempt(() => deframer.push(bytes));
      else if (deframer.pending !== bytes.length - at) throw new Error(`${deframer.pending} bytes held`);
    };
    const checkHex = (bytes: Uint8Array, script: Uint8Array): void => {
      const back = parseHex(formatHex(bytes));
      if (Buffer.compare(back, bytes) !== 0) throw new Error(`${formatHex(bytes)} is parsed as ${formatHex(back)}`);
      const fields = [...script].map((length, at) => ({
        path: `f${at}`,
        bitOffset: (length & 15) * 8,
        bitLength: 8,
        raw: "",
        shown: "",
      }));
      const dump = hexDump(bytes, (script[0] ?? 0) % 2 === 0 ? fields : undefined);
      const digits = dump.split("\n").map((line) => line.slice(9, 9 + DUMP_COLUMNS).replaceAll(/[^0-9a-f]/g, ""));
      if (digits.join("") !== formatHex(bytes, { separator: "" }))
        throw new Error(`The dump of ${formatHex(bytes)} is ${dump}`);
      const latin1 = decodeLatin1(bytes);
      const encoded = attempt(() => encodeLatin1((script[0] ?? 0) > 200 ? `${latin1}\u0100` : latin1));
      mustBe("latin1", encoded, (script[0] ?? 0) > 200 ? { refusal: "RangeError" } : { value: bytes });
    };
    return {
      seeds: [0, 1, 2, 3].flatMap((kind) => [
        Uint8Array.of(kind, 4, 0, 3, 42, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
        Uint8Array.of(kind, 3, 0x1f, 0x4c, 0xff, 1, 0, 7, 0, 2, 1, 2, 200, 255, 0, 0),
      ]),
      run(input) {
        const [kind = 0, length = 0] = input;
        const script = input.subarray(2, 2 + (length & 31));
        const bytes = input.subarray(2 + (length & 31));
        if ((kind & 3) === 0) readBytes(bytes, script);
        else if ((kind & 3) === 1) readBits(bytes, script);
        else if ((kind & 3) === 2) readFrames(bytes, script);
        else checkHex(bytes, script);
      },
    };
  },
};
