/**
 * The mouse packet as data (standard 2.2 and 3): one description for each dialect, from which follow readers, writers, the
 * trace, JSON, sizes and tables. The readers and writers that `packet.ts` uses are generated.
 *
 * ```ts
 * const packet = decode(mousePacketDescription("client"), parseHex("0000 5860"));
 * packet.records; // => [{ form: "small", dt: 5, x: 1, y: 0, outside: false, button: 0 }]
 * ```
 */
import {
  array,
  bits,
  concat,
  constant,
  i8,
  integer,
  type Layout,
  limited,
  mark,
  namedNumbers,
  prefix,
  restBytes,
  sizeOf,
  struct,
  tagged,
  u8,
  uint,
  unused,
  type WordRule,
  withDefault,
  withMeaning,
} from "../../../../wire/index.ts";
import { CYCLE_MS, type MouseRules, mouseRules } from "./dialect.ts";

/** How a record is written; which one follows from its time and distance. */
export type MouseForm = "small" | "medium" | "largeQuick" | "full";

/** Bytes before the records. */
export const HEADER_BYTES = 2;
/** A payload's length travels in one byte. The real writer stops at 251 (252 with buttons). */
export const MAX_PAYLOAD_BYTES = 0xff;
/** `dt` of the very first record of a client's process: the low 13 bits of "for ever". */
export const FIRST_DT = 0x1fff;
/** The 13 bits of a full record's time come round after so many cycles: 163.84 s. */
export const WRAP_CYCLES = 0x2000;
/** Times below this fit the two forms between small and full. */
export const QUICK_CYCLES = 32;
/** Times below this fit a small record. */
export const SMALL_CYCLES = 8;

/**
 * One record as it stands on the wire. `x` and `y` are offsets from the position before in small and medium records;
 * in the large ones positions (`client`, `native`) or offsets (`documented`). Outside the window both are -1.
 */
export interface MouseRecord {
  readonly form: MouseForm;
  /** Client cycles (20 ms) since the record before, modulo 8192; 8191 also begins a process (`FIRST_DT`). */
  readonly dt: number;
  readonly x: number;
  readonly y: number;
  /** The pointer is outside the window, or one of its coordinates is (`client`, `native`). */
  readonly outside: boolean;
  /** The last mouse button: 0 none, 2 left, 8 right, 14 middle. 0 in dialects without it. */
  readonly button: number;
}

/** A packet's payload, without opcode and size byte. */
export interface MousePacket {
  /** The header's first byte: signed in `client` and `native`. */
  readonly average: number;
  /** The header's second byte: signed in `client` and `native`. */
  readonly excess: number;
  readonly records: readonly MouseRecord[];
  /**
   * What is left of a last record that was cut or has no form, as a clock that goes back makes them. No bytes in a sound
   * packet.
   */
  readonly cut: Uint8Array;
}

/** The first bits of each form (standard 3.1). Nothing begins with 101: A0-BF. */
const codes = { small: "0", medium: "100", largeQuick: "110", full: "111" } as const;

/** The other bits of each form, the button included. */
function bodiesOf({ smallMask, smallBias, absolute, buttons, name }: MouseRules) {
  const section = name === "documented" ? "3.3" : "3.1";
  const places = { doc: "from the left edge", unit: "px", section };
  const offsets = { doc: "offset from the record before", unit: "px", section };
  const time = (width: number): Layout<number> =>
    withMeaning(uint(width), {
      doc: "cycles since the record before",
      unit: `${CYCLE_MS} ms`,
      words: [{ text: "{} ms", factor: CYCLE_MS }],
      section,
    });
  const button = buttons
    ? withMeaning(u8, {
        doc: "the last mouse button",
        words: namedNumbers({ none: 0, left: 2, right: 8, middle: 14 }),
        section: "3.1",
      })
    : constant(0);
  const rest = { outside: constant(false), button };

  const $unused = withMeaning(unused(1), { doc: "without meaning; written as 0" });
  const small = withMeaning(integer({ bits: smallMask === 0x3f ? 6 : 5, bias: smallBias }), offsets);
  const medium = withMeaning(integer({ bits: 8, bias: 128 }), offsets);
  const large = integer({ bits: 16, signed: !absolute });
  const place = mark({
    parts: [
      { name: "y", bits: 16, value: 0x8000 },
      { name: "x", bits: 16, value: 0 },
    ],
    marked: struct({ x: constant(-1), y: constant(-1), outside: constant(true) }),
    of: struct(
      {
        y: withMeaning(large, absolute ? { ...places, doc: "from the upper edge" } : offsets),
        x: withMeaning(large, absolute ? places : offsets),
        outside: constant(false),
      },
      { order: ["x", "y", "outside"] },
    ),
    when: { outside: [true] },
  });
  const largeBody = (timeBits: number) => concat(struct({ dt: time(timeBits) }), concat(place, struct({ button })));
  return {
    small:
      smallMask === 0x3f
        ? struct({ dt: time(3), x: small, y: small, ...rest })
        : concat(struct({ dt: time(3), $unused, x: small }), struct({ $unused, y: small, ...rest })),
    medium: struct({ dt: time(5), x: medium, y: medium, ...rest }),
    largeQuick: largeBody(5),
    full: largeBody(13),
  } satisfies Record<MouseForm, Layout<object>>;
}

function createDescription(rules: MouseRules): Layout<MousePacket> {
  const { small, medium, largeQuick, full } = bodiesOf(rules);
  const record = tagged("form", prefix(codes), [
    { tags: ["small"], layout: small },
    { tags: ["medium"], layout: medium },
    { tags: ["largeQuick"], layout: largeQuick },
    { tags: ["full"], layout: full },
  ]) as Layout<MouseRecord>;
  const window = rules.header === "window";
  const header = (doc: string, section: string, words: readonly WordRule[]): Layout<number> =>
    withMeaning(window ? u8 : i8, { doc, section, words });
  const packet = struct({
    average: window
      ? header("cycles per record, floored", "4.2", [{ text: "{} cycles per record, floored" }])
      : header("milliseconds left over by whole cycles, per record", "4.1", [{ text: "{} ms left over per record" }]),
    excess: window
      ? header("cycles of the window beside them", "4.2", [{ text: "{} cycles" }])
      : header("milliseconds beside them", "4.1", [{ text: "{} ms" }]),
    records: withMeaning(array(bits(record), { rest: MAX_PAYLOAD_BYTES, tolerant: true }, { rows: "object" }), {
      doc: "places of the pointer, one after the other",
      section: "2.2",
    }),
    // JSON that was written by hand has no cut bytes.
    cut: withDefault(
      withMeaning(restBytes({ limit: MAX_PAYLOAD_BYTES }), {
        doc: "a last record that is cut or has no form",
        section: "7.3",
      }),
      "",
    ),
  });
  return limited(packet, { bytes: MAX_PAYLOAD_BYTES, name: "payload" });
}

const descriptions = new Map<string, Layout<MousePacket>>();

/**
 * The description of a dialect's packet, opcode and size byte not included. Tolerant: a cut record ends the packet. It takes all that is
 * left. Throws `RangeError` for an unknown dialect.
 */
export function mousePacketDescription(dialect: string): Layout<MousePacket> {
  const rules = mouseRules(dialect);
  const known = descriptions.get(dialect) ?? createDescription(rules);
  descriptions.set(dialect, known);
  return known;
}

function sizesOf(rules: MouseRules): Uint8Array {
  const bodies = bodiesOf(rules);
  const forms = Object.entries(codes) as [MouseForm, string][];
  return Uint8Array.from({ length: 256 }, (_, first) => {
    const begin = first.toString(2).padStart(8, "0");
    const found = forms.find(([, code]) => begin.startsWith(code));
    if (found === undefined) return 0;
    const [form, code] = found;
    return (code.length + sizeOf(bodies[form].node).most) / 8;
  });
}

/** Once for each dialect: trackers and cursors are made in great numbers. */
const sizes = new Map<string, Uint8Array>();

/** The bytes of a record by its first byte; 0 where no record begins so. */
export function recordSizes(rules: MouseRules): Uint8Array {
  const known = sizes.get(rules.name) ?? sizesOf(rules);
  sizes.set(rules.name, known);
  return known;
}
