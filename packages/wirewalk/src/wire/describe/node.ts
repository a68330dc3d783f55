/**
 * The description of a layout: plain data, which `structuredClone` and JSON can carry. Everything that can be said of a
 * message's bytes is derived from it: reading, writing, traces, JSON, sizes, the words of `inspect`, tables in docs.
 *
 * ```ts
 * import { describeNode, struct, u16be, u8, withMeaning } from "wirewalk/wire";
 *
 * const step = struct({ level: u8, x: withMeaning(u16be, { unit: "px" }) });
 * step.node.kind; // => "struct"
 * describeNode(step.node).map(({ path, type, unit }) => [path, type, unit]); // => [["level", "u8", ""], ["x", "u16be", "px"]]
 * ```
 *
 * @module
 */

import type { WireErrorCode } from "../wire-error.ts";

/** What a person wants to know of a field beside its bits. */
export interface Meaning {
  /** What the field means, in a short sentence. */
  readonly doc?: string;
  /** Where the protocol's standard describes it: `4.2`. */
  readonly section?: string;
  /** `px`, `ms`, `1/256 turn`. */
  readonly unit?: string;
  /** How a trace shows a number. The first rule that covers the number counts; without one it is shown as it is. */
  readonly words?: readonly WordRule[];
}

/**
 * Words for a range of numbers. In `text`, `{number}` stands for the number and `{}` for `(number - offset) * factor`,
 * rounded to `digits` decimals. Without `from` the range has no lower end, without `to` no upper end.
 */
export interface WordRule {
  readonly from?: number;
  readonly to?: number;
  /** The range has only every so many numbers, counted from `from` (or 0) on: 2 for the even or the odd ones. */
  readonly every?: number;
  readonly text: string;
  readonly offset?: number;
  readonly factor?: number;
  readonly digits?: number;
}

export type ByteOrder = "be" | "le";

/**
 * Order of the bytes of an integer. Four bytes may also come half by half: the digits name the value's bytes, 0 the lowest,
 * in the order in which they stand on the wire.
 */
export type IntegerOrder = ByteOrder | "2301" | "1032";

/** How the low byte of a number is changed on the wire, modulo 256: v + 128, -v, 128 - v. */
export type ByteTransform = "+128" | "neg" | "sub";

/** An integer. On the wire stands `value * divisor + bias`, in two's complement when `signed`, then transformed. */
export interface IntegerNode extends Meaning {
  readonly kind: "integer";
  /** 1 to 32, or 64: then the value is a bigint. Whole bytes outside of `bits`. */
  readonly bits: number;
  readonly signed: boolean;
  readonly order: IntegerOrder;
  readonly transform?: ByteTransform;
  /** Added to the value before it is written. */
  readonly bias?: number;
  /** Fixed point: the value is a multiple of 1 / divisor. */
  readonly divisor?: number;
  /** Least and greatest value, where the bits could hold more. */
  readonly min?: number;
  readonly max?: number;
}

/**
 * One byte under 128, or two bytes, high byte first, with the highest bit set: 0 to 32767. `wide`: two bytes under 32767, or
 * four bytes with the highest bit set: 0 to 2147483647; two bytes of 32767 are -1.
 */
export interface SmartNode extends Meaning {
  readonly kind: "smart";
  readonly max?: number;
  readonly wide?: true;
}

/** A 32-bit float. `finite`: NaN and infinities are refused, and -0 reads as 0. */
export interface FloatNode extends Meaning {
  readonly kind: "float";
  readonly bits: 32;
  readonly order: ByteOrder;
  readonly finite?: boolean;
}

/** A byte of 0 or 1. */
export interface BooleanNode extends Meaning {
  readonly kind: "boolean";
  readonly of: LayoutNode;
}

/** Numbers with names; any other number is refused. */
export interface OneOfNode extends Meaning {
  readonly kind: "oneOf";
  readonly of: LayoutNode;
  readonly names: Readonly<Record<string, number>>;
}

/** A tag of variable length: each code is a string of `0` and `1`, none begins with another. Only within `bits`. */
export interface PrefixNode extends Meaning {
  readonly kind: "prefix";
  readonly codes: Readonly<Record<string, string>>;
}

/** Bits with names, bit 0 the least significant. */
export interface FlagsNode extends Meaning {
  readonly kind: "flags";
  readonly of: LayoutNode;
  readonly flags: Readonly<Record<string, number>>;
  /** What becomes of a set bit without a name. `ignore`: it is read over, and written as 0. */
  readonly reserved: "refuse" | "ignore";
  /** Readers give one frozen object for all values with the same bits. Only with at most 8 flags. */
  readonly shared?: true;
}

/** A number or text that is always the same. */
export interface LiteralNode extends Meaning {
  readonly kind: "literal";
  readonly of: LayoutNode;
  readonly value: number | string | bigint;
  /** Of a number: the bits that must be these, each refused in its way, in this order. Other bits are read over. */
  readonly parts?: readonly LiteralPart[];
}

/** Bits of a literal number with a refusal of their own. `{}` in `why` stands for these bits, moved down. */
export interface LiteralPart {
  readonly shift: number;
  readonly mask: number;
  readonly code: WireErrorCode;
  readonly why: string;
}

/** A field of the value that has no bits: it follows from where it stands. */
export interface ConstantNode extends Meaning {
  readonly kind: "constant";
  readonly value: number | string | boolean;
  /** A writer does without it. */
  readonly optional?: true;
}

/** Bits without a meaning: read over, and written as 0. Only a hidden field. */
export interface UnusedNode extends Meaning {
  readonly kind: "unused";
  readonly bits: number;
}

/** A count before the items, and the most that is believed; a fixed number; or all that is left, up to a limit. */
export type RunLength =
  | number
  | { readonly count: LayoutNode; readonly limit: number }
  | {
      readonly rest: number;
      /** The run ends before the first item that cannot be read; what is left belongs to the next field. */
      readonly tolerant?: true;
    }
  /** Items end before a byte of this value, which an item never begins with. */
  | { readonly until: number; readonly limit: number };

/** Items one after another. */
export interface ArrayNode extends Meaning {
  readonly kind: "array";
  readonly item: LayoutNode;
  readonly length: RunLength;
  /** What the items are called where a trace shows them as one field: `map quarters`. */
  readonly fold?: string;
  /** How readers that allocate nothing store the items: as rows of numbers, or one after another in an object that is used again. */
  readonly rows?: RowsNode | "object";
}

/** Items of a list as rows of one typed array: a row is words of 32 bits. Fields that an item lacks are 0 there. */
export interface RowsNode {
  /** The columns of each word, lowest bits first; together at most 32 bits. */
  readonly words: readonly (readonly ColumnNode[])[];
}

/** A column of rows: 8, 16 or 32 bits that hold the fields of these names, of which an item has at most one. */
export interface ColumnNode {
  readonly name: string;
  readonly fields: readonly string[];
  readonly bits: 8 | 16 | 32;
  readonly signed: boolean;
}

/** A run of bytes. */
export interface BytesNode extends Meaning {
  readonly kind: "bytes";
  readonly length: RunLength;
  readonly transform?: ByteTransform;
  /** The last byte comes first. */
  readonly reversed?: boolean;
  /** Why the bytes are not described further. */
  readonly opaque?: string;
  /** What the bytes hold, for traces; the value stays the bytes. Only with a fixed length. */
  readonly inside?: LayoutNode;
  /** A trace names the fields of `inside` without the name of the bytes: they are all that the struct has to show. */
  readonly flat?: true;
  /** What the bytes hold by an earlier number of the same struct. Only with a fixed length. */
  readonly readings?: readonly ReadingNode[];
}

/**
 * One meaning of bytes that have several: a trace shows its fields in place of the bytes, and JSON has it beside the hex,
 * under its name. The value stays the bytes.
 */
export interface ReadingNode {
  readonly name: string;
  readonly when: Condition;
  readonly node: LayoutNode;
}

/** Text: ends at a zero byte, has its count of characters before it, or is all that is left, up to a limit. */
export interface TextNode extends Meaning {
  readonly kind: "text";
  readonly charset: "latin1" | "windows-1252";
  readonly length:
    | { readonly end: "zero"; readonly limit: number }
    | { readonly count: LayoutNode; readonly limit: number }
    | { readonly rest: number };
}

/** When an optional field is there, by an earlier number or bytes of the same struct. All that is given must hold. */
export interface Condition {
  readonly field: string;
  /** Of bytes: whether all of them are 0. The other conditions are those of a number. */
  readonly zero?: boolean;
  readonly from?: number;
  readonly to?: number;
  readonly not?: number;
  /** The bits of the number, at most 32, that the other conditions are about; all of them without it. */
  readonly mask?: number;
}

export interface FieldNode {
  /** Empty: the fields of the node stand in the same object. */
  readonly name: string;
  readonly node: LayoutNode;
  /** On the wire, and not in the value: always the same, or without a meaning. */
  readonly hidden?: true;
  readonly when?: Condition;
  /** What the field is in JSON that leaves it out. */
  readonly default?: number | string | boolean;
}

/** Fields one after another. */
export interface StructNode extends Meaning {
  readonly kind: "struct";
  readonly fields: readonly FieldNode[];
  /** Fields that come first in the value; the others follow in wire order. */
  readonly order?: readonly string[];
  readonly kept?: KeptNode;
}

/**
 * The bytes of some fields as they came, so that they can be passed on without being written anew. A reader says where they lie. A
 * writer takes a value that has the bytes under `name` in place of these fields. Only among whole bytes.
 */
export interface KeptNode {
  readonly name: string;
  /** The first and the last of the fields. */
  readonly from: string;
  readonly to: string;
  /** So many bytes before the first field belong to them too. */
  readonly before?: number;
  /** Reading alone finds out where they lie, or writing alone takes them. Default: both. */
  readonly only?: "reading" | "writing";
}

/** What a value looks like that belongs to a case: each named field has one of these values, is there, or is not. */
export type CaseTest = Readonly<Record<string, readonly (string | number | boolean)[] | "present" | "absent">>;

export interface CaseNode {
  /** Absent: every tag that no other case has. */
  readonly tags?: readonly (string | number)[];
  readonly node: LayoutNode;
  /** Which values are written by this case; without it the tag in the value says so. */
  readonly when?: CaseTest;
  /** The tag does not stand in the value: it follows from the rest. Needs `when` and exactly one tag. */
  readonly hidden?: true;
}

/** A tag, then what the tag selects, to one object with the tag under the name `tagName`. */
export interface VariantNode extends Meaning {
  readonly kind: "variant";
  readonly tagName: string;
  readonly tag: LayoutNode;
  readonly cases: readonly CaseNode[];
  /** Fields that come first in the value; the tag and the others follow in wire order. */
  readonly order?: readonly string[];
  /**
   * The fields that every value has after the tag, in this order, whichever case it is: those that its case lacks are as given here.
   * Consumers of values so see one shape. A writer and JSON have the fields of the case alone. Not with hidden tags, and not where a
   * case has fields that are not always there.
   */
  readonly members?: Readonly<Record<string, number | string | boolean>>;
  /** A writer refuses a value with a field that other cases have and its case has not: it would be lost. */
  readonly exact?: true;
}

/** The number of bytes that are left selects the case; the last case takes all other lengths. */
export interface ByLengthNode extends Meaning {
  readonly kind: "byLength";
  readonly cases: readonly { readonly bytes?: number; readonly node: LayoutNode; readonly when: CaseTest }[];
}

/**
 * The bytes ahead select the case: the first one whose test holds; the last case has no test. A writer uses the first case.
 */
export interface PeekNode extends Meaning {
  readonly kind: "peek";
  readonly cases: readonly { readonly when?: PeekTest; readonly node: LayoutNode }[];
}

/** All that is given must hold. */
export interface PeekTest {
  /** There is a next byte, and its bits under the mask have this value. */
  readonly next?: { readonly mask: number; readonly value: number };
  /** So many bytes are left, or fewer. */
  readonly atMost?: number;
}

/** Bits within whole bytes: numbers of any width, one after another, with no regard to bytes. */
export interface BitsNode extends Meaning {
  readonly kind: "bits";
  /** Which bit of a byte comes first. With `lsb` no number may lie in two bytes. */
  readonly first: "msb" | "lsb";
  readonly of: LayoutNode;
  /** What is left of the last byte. */
  readonly padding: { readonly name: string; readonly value: "zero" | "any" };
}

/** Bits that stand for something else when they all have these values: then the value is `marked`, otherwise `of`. */
export interface MarkNode extends Meaning {
  readonly kind: "mark";
  /** The bits of the mark, in wire order. */
  readonly parts: readonly { readonly name: string; readonly bits: number; readonly value: number }[];
  /** The fields of a marked value: constants, which have no bits of their own. */
  readonly marked: LayoutNode;
  readonly of: LayoutNode;
  /** Which values are written as the mark. */
  readonly when: CaseTest;
}

/** All that is left holds `of`, and is refused under `name` when it is longer. */
export interface LimitedNode extends Meaning {
  readonly kind: "limited";
  readonly bytes: number;
  readonly name: string;
  readonly of: LayoutNode;
}

/** A size in bytes, then content that fills it. */
export interface SizedNode extends Meaning {
  readonly kind: "sized";
  readonly size: LayoutNode;
  /** How many bytes the size counts beside the content: itself, perhaps. */
  readonly extra: number;
  readonly of: LayoutNode;
}

/** A compressed block to the end of the bytes, which holds `of`. */
export interface CompressedNode extends Meaning {
  readonly kind: "compressed";
  readonly method: "lz4-block";
  /** The most bytes that may come out. */
  readonly limit: number;
  /** `ignore`: bits of the block that no sender sets may be set. */
  readonly reserved: "refuse" | "ignore";
  /** So many bytes at the start are written as literals: they differ from copy to copy, so that the rest is compressed once for all. */
  readonly literals?: number;
  readonly of: LayoutNode;
}

/** Any description. */
export type LayoutNode =
  | IntegerNode
  | SmartNode
  | FloatNode
  | BooleanNode
  | OneOfNode
  | PrefixNode
  | FlagsNode
  | LiteralNode
  | ConstantNode
  | UnusedNode
  | ArrayNode
  | BytesNode
  | TextNode
  | StructNode
  | VariantNode
  | ByLengthNode
  | PeekNode
  | BitsNode
  | MarkNode
  | LimitedNode
  | SizedNode
  | CompressedNode;

/** How the number of a message is written for people: in decimal, or as hexadecimal digits after 0x. */
export interface IdFormat {
  readonly base: 10 | 16;
  /** Hexadecimal digits at least. */
  readonly digits?: number;
  readonly upperCase?: true;
}

/** All messages of a dialect: a number says which one a payload holds, then comes its body, and nothing after it. */
export interface DialectNode {
  readonly dialect: string;
  /** What the protocol calls the number: `type`, `opcode`. */
  readonly idName: string;
  readonly id: LayoutNode;
  readonly idFormat?: IdFormat;
  readonly messages: readonly MessageNode[];
}

/** One message of a dialect. */
export interface MessageNode {
  readonly sender: "client" | "server";
  readonly id: number;
  readonly message: string;
  readonly summary: string;
  readonly node: LayoutNode;
}
