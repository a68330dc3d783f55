/**
 * Times of records. MapleShark writes .NET ticks, 100 ns since the year 1; servers that write the same files write Unix milliseconds
 * in their place. Their sizes tell them apart (sheet 2.4).
 */

export type TimeUnit = "ticks" | "unix-ms";

export interface RecordTime {
  readonly unit: TimeUnit;
  /** Milliseconds since 1970, whole microseconds. */
  readonly timeMs: number;
  /** The rest of the ticks, less than a microsecond: 0..9 times 100 ns. */
  readonly hundredNs: number;
}

interface Range {
  readonly least: bigint;
  readonly most: bigint;
}

/** The years 1997 to 2092 and 1998 to 2096. No number lies in both. */
const ranges: Readonly<Record<TimeUnit, Range>> = {
  ticks: { least: 630_000_000_000_000_000n, most: 660_000_000_000_000_000n },
  "unix-ms": { least: 900_000_000_000n, most: 4_000_000_000_000n },
};

/** Milliseconds from the year 1 to 1970. */
const UNIX_EPOCH_MS = 62_135_596_800_000n;

/** The time of a number, or undefined where it is of neither unit. */
export function timeOf(value: bigint): RecordTime | undefined {
  if (isWithin(value, ranges["unix-ms"])) return { unit: "unix-ms", timeMs: Number(value), hundredNs: 0 };
  if (!isWithin(value, ranges.ticks)) return undefined;
  const microseconds = Number(value / 10n - UNIX_EPOCH_MS * 1000n);
  return { unit: "ticks", timeMs: microseconds / 1000, hundredNs: Number(value % 10n) };
}

/** The number that is written for a time, or undefined where no reader would take it for a time. Parts of a microsecond are rounded. */
export function timeValue({ unit, timeMs, hundredNs }: RecordTime): bigint | undefined {
  if (!Number.isFinite(timeMs)) return undefined;
  if (unit === "unix-ms") return checked(BigInt(Math.round(timeMs)), unit);
  // Whole milliseconds apart: times 1000 in one number, a microsecond of the year 2090 would be rounded to another.
  const whole = Math.floor(timeMs);
  const microseconds = BigInt(whole) * 1000n + BigInt(Math.round((timeMs - whole) * 1000));
  return checked((microseconds + UNIX_EPOCH_MS * 1000n) * 10n + BigInt(hundredNs), unit);
}

function checked(value: bigint, unit: TimeUnit): bigint | undefined {
  return isWithin(value, ranges[unit]) ? value : undefined;
}

function isWithin(value: bigint, { least, most }: Range): boolean {
  return value >= least && value <= most;
}
