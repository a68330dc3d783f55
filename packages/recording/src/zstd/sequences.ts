/** The sequences section of a block of Zstandard (RFC 8878, section 3.1.1.3.2): copies of what was before, between literals. */
import { BackwardBits } from "./bit-readers.ts";
import { FseState, type FseTable, fseTable, readFseTable, singleSymbol } from "./entropy.ts";

/** A length: its least value, and the bits that are added to it. */
interface LengthCode {
  readonly base: number;
  readonly bits: number;
}

/** Each code begins where the one before ends. */
function lengthCodes(first: number, bits: readonly number[]): readonly LengthCode[] {
  let base = first;
  return bits.map((count) => {
    const code = { base, bits: count };
    base += 1 << count;
    return code;
  });
}

const zeros = (count: number): readonly number[] => new Array<number>(count).fill(0);
const literalCodes = lengthCodes(0, [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const matchCodes = lengthCodes(3, [
  ...zeros(32),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
]);

/** What a table is without a description of its own, and its limits. */
interface Kind {
  readonly standard: FseTable;
  readonly maxAccuracy: number;
  readonly maxSymbol: number;
}

const times = (count: number, value: number): readonly number[] => new Array<number>(count).fill(value);
const literalKind: Kind = {
  standard: fseTable([4, 3, ...times(11, 2), 1, 1, 1, ...times(9, 2), 3, 2, ...times(5, 1), ...times(4, -1)], 6),
  maxAccuracy: 9,
  maxSymbol: 35,
};
const offsetKind: Kind = {
  standard: fseTable([...times(6, 1), 2, 2, 2, ...times(15, 1), ...times(5, -1)], 5),
  maxAccuracy: 8,
  maxSymbol: 31,
};
const matchKind: Kind = {
  standard: fseTable([1, 4, 3, ...times(6, 2), ...times(37, 1), ...times(7, -1)], 6),
  maxAccuracy: 9,
  maxSymbol: 52,
};

/** What one block leaves to the next. */
export interface SequenceState {
  literals?: FseTable;
  offsets?: FseTable;
  matches?: FseTable;
  /** The last three offsets. */
  repeats: readonly [number, number, number];
}

/** The farthest copy is 64 MiB back: encoders go so far only when they are asked to. */
const MAX_OFFSET_BITS = 25;

/** Receives what sequences say. */
export interface SequenceSink {
  literals(count: number): void;
  /** Copies bytes from `offset` bytes before. */
  match(offset: number, count: number): void;
}

/** Reads the sequences of a block. Throws `RangeError` for bytes that cannot be. */
export function readSequences(bytes: Uint8Array, state: SequenceState, sink: SequenceSink): void {
  const first = bytes[0] ?? 0;
  if (first === 0) return;
  let at = 1;
  let count = first;
  if (first === 255) {
    count = (bytes[1] ?? 0) + ((bytes[2] ?? 0) << 8) + 0x7f00;
    at = 3;
  } else if (first >= 128) {
    count = ((first - 128) << 8) + (bytes[1] ?? 0);
    at = 2;
  }
  const modes = bytes[at] ?? 0;
  at += 1;
  const table = (mode: number, kind: Kind, before: FseTable | undefined): FseTable => {
    if (mode === 0) return kind.standard;
    if (mode === 1) {
      const symbol = bytes[at] ?? 0;
      if (symbol > kind.maxSymbol) throw new RangeError(`code ${symbol} of zstd is unknown`);
      at += 1;
      return singleSymbol(symbol);
    }
    if (mode === 2) {
      const read = readFseTable(bytes.subarray(at), kind.maxAccuracy, kind.maxSymbol + 1);
      at += read.bytes;
      return read.table;
    }
    if (before === undefined) throw new RangeError("a block of zstd repeats a table that is missing");
    return before;
  };
  state.literals = table(modes >> 6, literalKind, state.literals);
  state.offsets = table((modes >> 4) & 3, offsetKind, state.offsets);
  state.matches = table((modes >> 2) & 3, matchKind, state.matches);

  const input = new BackwardBits(bytes.subarray(at));
  const literals = new FseState(state.literals, input);
  const offsets = new FseState(state.offsets, input);
  const matches = new FseState(state.matches, input);
  for (let index = 0; index < count; index++) {
    const offsetCode = offsets.symbol;
    if (offsetCode > MAX_OFFSET_BITS) throw new RangeError(`a sequence of zstd has an offset of ${offsetCode} bits`);
    const offsetValue = (1 << offsetCode) + input.read(offsetCode);
    const matchLength = lengthOf(matchCodes, matches.symbol, input);
    const literalLength = lengthOf(literalCodes, literals.symbol, input);
    sink.literals(literalLength);
    sink.match(takeOffset(state, offsetValue, literalLength), matchLength);
    if (index === count - 1) break;
    literals.advance();
    matches.advance();
    offsets.advance();
  }
  if (input.left !== 0) throw new RangeError("the sequences of a block of zstd do not end with its last bit");
}

function lengthOf(codes: readonly LengthCode[], symbol: number, input: BackwardBits): number {
  const { base, bits } = codes[symbol] as LengthCode;
  return base + input.read(bits);
}

/** Values up to 3 are one of the last offsets (3.1.1.5). */
function takeOffset(state: SequenceState, value: number, literalLength: number): number {
  const [first, second, third] = state.repeats;
  if (value > 3) {
    state.repeats = [value - 3, first, second];
    return value - 3;
  }
  const index = literalLength === 0 ? value : value - 1;
  if (index === 0) return first;
  const offset = index === 1 ? second : index === 2 ? third : first - 1;
  state.repeats = index === 1 ? [offset, first, third] : [offset, first, second];
  return offset;
}
