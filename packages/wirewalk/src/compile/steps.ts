/**
 * The form between a description and a language: functions of steps over bytes. Steps say what a reader or a writer does, with
 * every place, width and check worked out; a back end only has to print them. Plain data, like the descriptions.
 *
 * @module
 */
import type { ByteTransform, IntegerOrder, LayoutNode } from "../wire/describe/node.ts";

/**
 * A place in the bytes: so many bits after a cursor. `at` counts bytes, `bit` counts bits, for fields whose place within a byte is
 * known only when they are read. `order`: which bit of a byte comes first, or `bytes` where everything lies on whole bytes.
 */
export interface Place {
  readonly base: "at" | "bit";
  readonly bits: number;
  readonly order: "bytes" | "msb" | "lsb";
}

/** What a check refuses, as data: a kind, the path of the field, and what the words of the error need. `[]` in a path is an index. */
export type Check = readonly (string | number)[];

/** A check by its table and number, with the locals that hold the indexes of its path. */
export interface CheckUse {
  readonly table: string;
  readonly id: number;
  readonly indexes: readonly Local[];
}

/** The path of what another function reads or writes. */
export interface PathUse {
  readonly path: string;
  readonly indexes: readonly Local[];
}

/** What a local holds; back ends choose their types by it. */
export type LocalType = "number" | "bigint" | "text" | "boolean" | "bytes" | "list" | "value";

/** A value that steps make and use. Its name is unique in its function. */
export interface Local {
  readonly name: string;
  readonly type: LocalType;
  /** Its description, for languages that name types. */
  readonly node?: LayoutNode;
  /** It was set in branches, each for itself. */
  readonly isMerged?: true;
}

/** A value, before it is made: objects are made in one piece where they are used. */
export type Value =
  | { readonly is: "local"; readonly local: Local }
  | { readonly is: "constant"; readonly value: number | string | boolean | bigint }
  | { readonly is: "object"; readonly fields: readonly ValueField[]; readonly node?: LayoutNode };

/** A field of an object; `maybe`: it is there only when its local was set. */
export interface ValueField {
  /** `...` for all members of an object that another function has made. */
  readonly key: string;
  readonly value: Value;
  readonly maybe?: true;
}

/** A test of numbers, of what is left, or of a value that is written. All of `all` hold, or one of `any`. */
export type Test =
  | { readonly all: readonly Test[] }
  | { readonly any: readonly Test[] }
  | {
      readonly of: Local;
      /** Whether the local may be unset: then the test fails. */
      readonly maybe?: true;
      readonly mask?: number;
      readonly from?: number;
      readonly to?: number;
      readonly not?: number;
      readonly is?: number | string | boolean | bigint;
    }
  | { readonly zeros: Local; readonly expected: boolean; readonly maybe?: true }
  | { readonly absent: Local }
  | { readonly present: Local }
  /** So many bits are left from the place on: exactly, or at least. */
  | { readonly left: Place; readonly exactly?: number; readonly atLeast?: number; readonly atMost?: number }
  | { readonly bitsAt: Place; readonly width: number; readonly is: number }
  | { readonly next: Place; readonly mask: number; readonly value: number }
  /** A value to be written is one of these. */
  | { readonly of: Local; readonly oneOf: readonly (string | number | boolean)[] };

/** An integer as it stands on the wire. */
export interface WireInteger {
  readonly bits: number;
  readonly signed: boolean;
  readonly order: IntegerOrder;
  readonly transform?: ByteTransform;
  readonly bias?: number;
  readonly divisor?: number;
}

/** The number of items of a list or bytes of a run: known, in a local, or all that is left. */
export type Count = number | Local | { readonly rest: number };

export type ReadStep =
  /** Refuses where fewer bits are left. */
  | { readonly step: "need"; readonly place: Place; bits: number; readonly times?: Local; readonly check: CheckUse }
  | { readonly step: "integer"; readonly to: Local; readonly place: Place; readonly as: WireInteger }
  | { readonly step: "big"; readonly to: Local; readonly place: Place }
  | {
      readonly step: "float";
      readonly to: Local;
      readonly place: Place;
      readonly order: "be" | "le";
      readonly finite: boolean;
    }
  /** A number of one or more bytes: its first byte says how many. Moves the cursor. */
  | {
      readonly step: "smart";
      readonly to: Local;
      readonly wide: boolean;
      readonly checks: readonly [CheckUse, CheckUse, CheckUse];
    }
  | {
      readonly step: "prefix";
      readonly to: Local;
      readonly codes: readonly string[];
      readonly check: CheckUse;
      readonly place: Place;
    }
  /** Refuses unless the test holds; `shown` is the value that the error names. */
  | {
      readonly step: "check";
      readonly test: Test;
      readonly check: CheckUse;
      readonly place: Place;
      readonly shown?: Local;
    }
  /** Refuses a float that is not finite. */
  | { readonly step: "finite"; readonly of: Local; readonly check: CheckUse; readonly place: Place }
  | {
      readonly step: "name";
      readonly to: Local;
      readonly of: Local;
      readonly names: Readonly<Record<string, number>>;
      readonly check: CheckUse;
      readonly place: Place;
    }
  | { readonly step: "boolean"; readonly to: Local; readonly of: Local }
  | {
      readonly step: "flags";
      readonly to: Local;
      readonly of: Local;
      readonly flags: Readonly<Record<string, number>>;
      readonly shared: boolean;
    }
  /** Bits under a mask, moved down. */
  | { readonly step: "part"; readonly to: Local; readonly of: Local; readonly shift: number; readonly mask: number }
  | {
      readonly step: "bytes";
      readonly to: Local;
      readonly place: Place;
      readonly count: number | Local;
      readonly transform?: ByteTransform;
      readonly reversed?: boolean;
    }
  /** All that is left, at most `limit`. */
  | {
      readonly step: "left";
      readonly to: Local;
      readonly place: Place;
      readonly limit: number;
      readonly check: CheckUse;
    }
  /** Text up to a zero byte. Moves the cursor. */
  | {
      readonly step: "zeroText";
      readonly to: Local;
      readonly charset: "latin1" | "windows-1252";
      readonly limit: number;
      readonly checks: readonly [CheckUse, CheckUse];
    }
  | {
      readonly step: "text";
      readonly to: Local;
      readonly place: Place;
      readonly count: Local;
      readonly charset: "latin1" | "windows-1252";
    }
  /** The cursor moves by so many bits, or by a number of items of so many bits. */
  | { readonly step: "advance"; readonly base: Place["base"]; readonly bits: number; readonly times?: Local }
  /** Bits begin at a place that only the reader knows, and end at a whole byte again. */
  | { readonly step: "toBits"; readonly place: Place }
  | { readonly step: "toBytes"; readonly place: Place; readonly check?: CheckUse }
  | { readonly step: "declare"; readonly local: Local; readonly fill?: number | string | boolean }
  | { readonly step: "set"; readonly to: Local; readonly value: Value }
  | {
      readonly step: "switch";
      readonly of: Local;
      readonly cases: readonly { readonly values: readonly number[]; readonly body: readonly ReadStep[] }[];
      readonly no: readonly ReadStep[];
    }
  | {
      readonly step: "if";
      readonly test: Test;
      readonly yes: readonly ReadStep[];
      readonly no: readonly ReadStep[];
    }
  | {
      readonly step: "list";
      readonly to: Local;
      readonly index: Local;
      readonly count: number | Local;
      /** Whether so many items are believed before they are read. */
      readonly isBounded: boolean;
      readonly body: readonly ReadStep[];
      readonly item: Value;
    }
  /** Items to the end of the bytes, or up to a byte. */
  | {
      readonly step: "openList";
      readonly to: Local;
      readonly index: Local;
      readonly place: Place;
      readonly limit: number;
      readonly until?: number;
      readonly check: CheckUse;
      readonly body: readonly ReadStep[];
      readonly item: Value;
    }
  /** Another function reads from the cursor on, and moves it. */
  | {
      readonly step: "call";
      readonly to: Local;
      readonly name: string;
      /** The path of what it reads, in errors. */
      readonly path: PathUse;
      readonly claims: boolean;
    }
  /** A size, of `extra` bytes more than what the function reads. */
  | {
      readonly step: "sized";
      readonly to: Local;
      readonly name: string;
      readonly size: Local;
      readonly extra: number;
      readonly claims: boolean;
      readonly start: Place;
      readonly checks: { readonly path: PathUse; readonly small: CheckUse };
    }
  /** Items by a function until one is refused. */
  | {
      readonly step: "tolerant";
      readonly to: Local;
      readonly name: string;
      readonly limit: number;
      readonly check: CheckUse;
    }
  | {
      readonly step: "inflate";
      readonly to: Local;
      readonly name: string;
      readonly limit: number;
      readonly ignoreReserved: boolean;
      readonly exact?: number;
      readonly checks: { readonly block: CheckUse; readonly body: PathUse };
    }
  | { readonly step: "refuse"; readonly check: CheckUse; readonly place: Place; readonly shown?: Local }
  /** The bytes from one place to another are kept under a name. */
  | { readonly step: "keepFrom"; readonly place: Place }
  | { readonly step: "keepTo"; readonly place: Place }
  | { readonly step: "return"; readonly value: Value; readonly place: Place }
  /** The fields of an item are put into an object of the caller. */
  | { readonly step: "fill"; readonly fields: readonly ValueField[]; readonly place: Place }
  /** Items become rows of numbers. */
  | {
      readonly step: "rows";
      readonly index: Local;
      readonly count: number | Local;
      readonly body: readonly ReadStep[];
      readonly words: readonly (readonly {
        readonly locals: readonly Local[];
        readonly shift: number;
        readonly bits: number;
      }[])[];
      readonly place: Place;
    };

/** A function that reads one description from a cursor on. */
export interface ReadFunction {
  readonly name: string;
  /** What becomes of what is read: a value, fields of an object of the caller, or rows of numbers. */
  readonly into: "value" | "object" | "rows";
  readonly node: LayoutNode;
  readonly claims: boolean;
  readonly body: readonly ReadStep[];
}

export type WriteStep =
  /** Refuses what is no object. */
  | { readonly step: "object"; readonly of: Local; readonly path: PathUse }
  | { readonly step: "get"; readonly to: Local; readonly of: Local; readonly key: string }
  /** Refuses unless the value is this one, or is absent where that is allowed. */
  | {
      readonly step: "same";
      readonly of: Local;
      readonly value: number | string | boolean | bigint;
      readonly optional: boolean;
      readonly check: CheckUse;
    }
  /** Refuses an object that has one of these keys. */
  | { readonly step: "absent"; readonly of: Local; readonly keys: readonly string[]; readonly path: PathUse }
  /** An integer of the value: refuses it where it does not fit. */
  | {
      readonly step: "integer";
      readonly of: Local;
      readonly place: Place;
      readonly as: WireInteger;
      readonly min: number;
      readonly max: number;
      readonly check: CheckUse;
      /** It was checked before. */
      readonly isChecked?: true;
    }
  /** Integers that may be all that their bits hold, one after another. */
  | {
      readonly step: "integers";
      readonly of: Local;
      /** The path of the object. */
      readonly prefix: string;
      readonly fields: { readonly key: string; readonly place: Place; readonly as: WireInteger }[];
      readonly check: CheckUse;
    }
  /** A number that is known, as it stands on the wire. */
  | { readonly step: "put"; readonly place: Place; readonly as: WireInteger; readonly value: number }
  | { readonly step: "big"; readonly of: Local; readonly place: Place; readonly check: CheckUse }
  | {
      readonly step: "float";
      readonly of: Local;
      readonly place: Place;
      readonly order: "be" | "le";
      readonly finite: boolean;
      readonly checks: readonly [type: CheckUse, fits: CheckUse];
    }
  | {
      readonly step: "smart";
      readonly of: Local;
      readonly wide: boolean;
      readonly min: number;
      readonly max: number;
      readonly check: CheckUse;
    }
  /** The number of a name. */
  | {
      readonly step: "number";
      readonly to: Local;
      readonly of: Local;
      readonly names: Readonly<Record<string, number>>;
      readonly check: CheckUse;
    }
  | { readonly step: "boolean"; readonly to: Local; readonly of: Local; readonly check: CheckUse }
  | {
      readonly step: "flags";
      readonly to: Local;
      readonly of: Local;
      readonly flags: Readonly<Record<string, number>>;
      readonly check: CheckUse;
    }
  /** Refuses what is no list; `to` is its length. */
  | { readonly step: "length"; readonly to: Local; readonly of: Local; readonly check: CheckUse }
  | { readonly step: "atMost"; readonly of: Local; readonly limit: number; readonly check: CheckUse }
  | { readonly step: "exactly"; readonly of: Local; readonly count: number; readonly check: CheckUse }
  /** Bytes, refused unless there are so many; `count`: how many stands before them. */
  | {
      readonly step: "bytes";
      readonly of: Local;
      readonly least: number;
      readonly most: number;
      readonly check: CheckUse;
      readonly count?: WireInteger;
      readonly transform?: ByteTransform;
      readonly reversed?: boolean;
    }
  | {
      readonly step: "bitBytes";
      readonly of: Local;
      readonly place: Place;
      readonly count: number;
      readonly check: CheckUse;
    }
  /** Text behind its count, or before a zero byte. */
  | {
      readonly step: "text";
      readonly of: Local;
      readonly charset: "latin1" | "windows-1252";
      readonly least: 0 | 1;
      readonly limit: number;
      readonly check: CheckUse;
      readonly isZeroEnded: boolean;
      readonly count?: WireInteger;
    }
  | { readonly step: "advance"; readonly base: Place["base"]; readonly bits: number }
  | { readonly step: "toBits"; readonly place: Place }
  | { readonly step: "toBytes" }
  | {
      readonly step: "choose";
      readonly of: Local;
      readonly cases: readonly { readonly values: readonly (string | number)[]; readonly body: readonly WriteStep[] }[];
      readonly no: readonly WriteStep[];
    }
  | {
      readonly step: "if";
      readonly test: Test;
      readonly yes: readonly WriteStep[];
      readonly no: readonly WriteStep[];
    }
  | {
      readonly step: "list";
      readonly of: Local;
      readonly index: Local;
      readonly length: Local;
      readonly item: Local;
      readonly body: readonly WriteStep[];
      readonly until?: { readonly byte: number; readonly check: CheckUse };
    }
  | { readonly step: "call"; readonly of: Local; readonly name: string; readonly path: PathUse }
  | {
      readonly step: "sized";
      readonly of: Local;
      readonly name: string;
      readonly extra: number;
      readonly as: WireInteger;
      readonly max: number;
      readonly checks: { readonly path: PathUse; readonly size: CheckUse };
    }
  | {
      readonly step: "deflate";
      readonly of: Local;
      readonly name: string;
      readonly node: LayoutNode;
      readonly head: number;
      readonly path: PathUse;
    }
  /** At most so many bytes may have been written since the function began. */
  | {
      readonly step: "over";
      readonly since: Local;
      readonly limit: number;
      readonly place: Place;
      readonly check: CheckUse;
    }
  | { readonly step: "mark"; readonly to: Local; readonly place: Place }
  /** Bits that look like a mark: refused. */
  | {
      readonly step: "notMark";
      readonly parts: readonly { readonly of: Local; readonly bits: number; readonly value: number }[];
      readonly shown: Local;
      readonly check: CheckUse;
    }
  | { readonly step: "refuse"; readonly check: CheckUse; readonly shown: Local }
  | { readonly step: "end"; readonly place: Place };

/** A function that writes one description from a cursor on. */
export interface WriteFunction {
  readonly name: string;
  readonly node: LayoutNode;
  /** What the value is used as. */
  readonly use: LocalType;
  readonly body: readonly WriteStep[];
}
