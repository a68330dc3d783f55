/** By which protocol, dialect, sender and framing packets are read, and the words for the ways that were tried. */
import { type ReadingTrial, tryReadings, type WayToRead } from "wirewalk/inspect";
import type { JsonObject } from "wirewalk/wire";
import type { InspectSource } from "./inspect-sources.ts";

/** The packets of a source with the way to read them. */
export interface ChosenReading {
  readonly packets: readonly { readonly bytes: Uint8Array; readonly line: number }[];
  /** Undefined when no way reads the packets and none was named. */
  readonly way: WayToRead | undefined;
  /** The trial of that way. */
  readonly chosen: ReadingTrial | undefined;
  /** Of the ways that were tried: the others that fit, and those that do not. */
  readonly fits: readonly ReadingTrial[];
  readonly misfits: readonly ReadingTrial[];
  /** True when the first way, which the command line named or is usual, does not fit. */
  readonly isOther: boolean;
}

/**
 * Chooses among the ways. Where the protocol is known the first one, which is usual, is taken if it fits; else the one that fits best.
 * Lines that may be one packet or several are read as what fits.
 */
export function chooseReading(
  { input }: InspectSource,
  ways: readonly WayToRead[],
  isProtocolKnown: boolean,
): ChosenReading {
  const first = choose(input.packets, ways, isProtocolKnown);
  if (input.alternative === undefined || isFit(first, ways)) return first;
  const other = choose(input.alternative, ways, isProtocolKnown);
  return isFit(other, ways) ? other : first;
}

function isFit({ misfits, way }: ChosenReading, ways: readonly WayToRead[]): boolean {
  return way !== undefined && ways.length > 0 && !misfits.some((each) => each.way === way);
}

function choose(
  packets: ChosenReading["packets"],
  ways: readonly WayToRead[],
  isProtocolKnown: boolean,
): ChosenReading {
  const trials = tryReadings(
    ways,
    packets.map(({ bytes }) => bytes),
  );
  const [usual] = ways;
  const fitting = trials.filter(({ refused }) => refused === 0);
  const isUsual = isProtocolKnown && (fitting.length === 0 || fitting.some(({ way }) => way === usual));
  const best = trials[0]?.standing === "refused" ? undefined : trials[0]?.way;
  const way = isUsual ? usual : best;
  return {
    packets,
    way,
    chosen: trials.find((each) => each.way === way),
    fits: fitting.filter((each) => each.way !== way),
    misfits: trials.filter(({ refused }) => refused > 0),
    isOther: isProtocolKnown && way !== usual,
  };
}

/** `v0106 (client, framed)`, with the protocol where several were tried. */
export function nameOfWay({ name, stream, setup }: WayToRead, withProtocol: boolean): string {
  const { dialect, sender, framed } = setup;
  const words = [...(stream.senders.length > 1 ? [sender] : []), ...(framed ? ["framed"] : [])];
  const dialectName = withProtocol ? `${name} ${dialect}` : dialect;
  return words.length === 0 ? dialectName : `${dialectName} (${words.join(", ")})`;
}

/** The words of the command line that choose a way. */
function flagsOf({ name, stream, setup }: WayToRead, withProtocol: boolean): string {
  const flags = [...(withProtocol ? [name] : []), `--dialect ${setup.dialect}`];
  if (stream.senders.length > 1) flags.push(`--direction ${setup.sender}`);
  if (setup.framed) flags.push("--framed");
  return flags.join(" ");
}

/** What a way has read of the packets, in words; nothing to say of one that simply fits. */
export function reasonOf({ standing, error, doubt }: ReadingTrial): string | undefined {
  if (doubt !== undefined) return doubt;
  if (standing === "mostly") return "it reads most of the packets";
  if (standing !== "cut") return undefined;
  return error?.code === "trailing" ? "the likeliest, with bytes too many" : "the likeliest, if its end is missing";
}

/** `fits plain (server)  --dialect plain --direction server`: a line for each. */
export function fitLines(fits: readonly ReadingTrial[], withProtocol: boolean): string[] {
  const names = fits.map(({ way }) => nameOfWay(way, withProtocol));
  const width = Math.max(0, ...names.map((name) => name.length));
  return fits.map((trial, index) => {
    const reason = reasonOf(trial);
    const verb = trial.refused === 0 ? "fits" : "like";
    const flags = flagsOf(trial.way, withProtocol);
    return `${verb} ${names[index]?.padEnd(width)}  ${flags}${reason === undefined ? "" : `  (${reason})`}`;
  });
}

/** Which of the ways that do not fit are listed. */
export interface MisfitChoice {
  readonly withProtocol: boolean;
  /** All of them, instead of the best of each protocol, or of each dialect where the protocol is known. */
  readonly all: boolean;
  /** Ways that fit: of their protocols or dialects no other way is listed. */
  readonly fits: readonly ReadingTrial[];
}

/**
 * `not plain (client), greeting (client): bit 8: Cannot read …`: a line for each reason. They are in order: the first one of a protocol
 * is the one that came nearest.
 */
export function misfitLines(
  misfits: readonly ReadingTrial[],
  packets: number,
  { withProtocol, all, fits }: MisfitChoice,
): string[] {
  const groupOf = ({ way }: ReadingTrial): string => (withProtocol ? way.name : way.setup.dialect);
  const seen = new Set(fits.map(groupOf));
  const shown = misfits.filter((trial) => {
    const group = groupOf(trial);
    const isFirst = !seen.has(group);
    seen.add(group);
    return all || isFirst;
  });
  const reasons = new Map<string, string[]>();
  for (const { way, error, packet } of shown) {
    const place = packets > 1 && packet !== undefined ? `packet ${packet + 1}, bit` : "bit";
    const reason = `${place} ${error?.bitOffset ?? 0}: ${error?.message ?? ""}`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), nameOfWay(way, withProtocol)]);
  }
  const lines = [...reasons].map(([reason, names]) => `not ${names.join(", ")}: ${reason}`);
  const left = misfits.length - shown.length;
  return left === 0 ? lines : [...lines, `and ${left} more ways do not fit: --tries lists them`];
}

export function wayJson({ name, setup }: WayToRead): JsonObject {
  return { protocol: name, dialect: setup.dialect, direction: setup.sender, framed: setup.framed };
}

export function fitJson({ way, standing, doubt }: ReadingTrial): JsonObject {
  return { ...wayJson(way), standing, ...(doubt === undefined ? {} : { reason: doubt }) };
}

export function misfitJson({ way, standing, error, packet }: ReadingTrial): JsonObject {
  return {
    ...wayJson(way),
    standing,
    ...(packet === undefined ? {} : { packet: packet + 1 }),
    bitOffset: error?.bitOffset ?? 0,
    reason: error?.message ?? "",
  };
}
