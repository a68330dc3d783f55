/** What `wirewalk inspect` shows of packets, for people. */
import { formatTrace, type ReadingTrial } from "wirewalk/inspect";
import type { TracedBytes } from "wirewalk/protocol";
import { countBytes, escapeControls, hexDump } from "wirewalk/wire";
import { type ChosenReading, fitLines, misfitLines, reasonOf } from "../input/inspect-readings.ts";
import type { InspectSource } from "../input/inspect-sources.ts";
import type { Paint } from "./colours.ts";

/** How text is shown. */
export interface TextStyle {
  readonly paint: Paint;
  /** Characters of a line; undefined without a limit. */
  readonly width: number | undefined;
}

/** A source, how it is read, and its fields. */
export interface Inspected {
  readonly source: InspectSource;
  readonly reading: ChosenReading;
  /** The parts of each packet, or of the stream of all; undefined where no protocol fits. */
  readonly traces: Iterable<readonly TracedBytes[]> | undefined;
  /** True when all protocols were tried. */
  readonly withProtocol: boolean;
  /** True to list all ways that do not fit. */
  readonly allTries: boolean;
}

/** A piece of output. */
export interface InspectionPiece {
  readonly text: string;
  /** Bytes that were shown so far. */
  readonly bytes: number;
  readonly isRefused: boolean;
}

/** How many bytes of an unknown packet are shown. */
const DUMP_BYTES = 256;

/** The text piece by piece, so that long input needs no text of all of it. */
export function* inspectionText(inspected: Inspected, style: TextStyle): Generator<InspectionPiece> {
  const { source, reading, traces } = inspected;
  const { paint } = style;
  const { packets, way } = reading;
  yield { text: `${paint("title", headOf(source, reading, inspected.withProtocol))}\n`, bytes: 0, isRefused: false };
  let [bytes, index, isRefused] = [0, 0, false];
  for (const parts of traces ?? []) {
    const title = way?.setup.framed === true || packets.length === 1 ? undefined : packetTitle(reading, index);
    const isBroken = parts.some(({ error }) => error !== undefined);
    isRefused ||= isBroken;
    bytes += packets[index]?.bytes.length ?? 0;
    index += 1;
    const text = parts.map((part) => showPart(part, style));
    const all = title === undefined ? text : [`${paint("title", title)}\n${text[0]}`, ...text.slice(1)];
    yield { text: all.map((each) => `\n${each}\n`).join(""), bytes, isRefused: isBroken };
  }
  if (traces === undefined) {
    for (const packet of packets) {
      const more = packet.bytes.length > DUMP_BYTES ? `\n${countBytes(packet.bytes.length - DUMP_BYTES)} more` : "";
      const text = `\n${hexDump(packet.bytes.subarray(0, DUMP_BYTES))}${more}\n`;
      bytes += packet.bytes.length;
      yield { text, bytes, isRefused: true };
    }
  }
  yield { text: waysText(inspected, isRefused || traces === undefined, style), bytes, isRefused: false };
}

/** `Slime Online 2, dialect documented, from the client, 7 bytes`. */
function headOf(
  { file, input, flow }: InspectSource,
  { way, packets, chosen }: ChosenReading,
  withProtocol: boolean,
): string {
  const total = packets.reduce((sum, packet) => sum + packet.bytes.length, 0);
  const counts = [...(packets.length > 1 ? [`${packets.length} packets`] : []), countBytes(total)];
  if (input.format !== "hex") counts.push(`out of ${formatWords[input.format]}`);
  if (flow !== undefined) counts.push(`carried by TCP from ${flow}`);
  const start = file === undefined ? "" : `${escapeControls(file)}: `;
  if (way === undefined) return `${start}No protocol fits, ${counts.join(", ")}`;
  const { protocol, name, stream, setup } = way;
  const words = [name === protocol.name ? protocol.title : `${protocol.title} (${name})`, `dialect ${setup.dialect}`];
  if (stream.senders.length > 1) words.push(`from the ${setup.sender}`);
  const reason = withProtocol && chosen !== undefined ? reasonOf(chosen) : undefined;
  return start + [...words, ...counts].join(", ") + (reason === undefined ? "" : ` (${reason})`);
}

const formatWords = {
  hex: "hex",
  dump: "a dump",
  base64: "base64",
  literal: "a literal",
  binary: "binary input",
} as const;

function packetTitle({ packets }: ChosenReading, index: number): string {
  const packet = packets[index];
  const lines = new Set(packets.map(({ line }) => line));
  const line = lines.size > 1 ? ` at line ${packet?.line}` : "";
  return `Packet ${index + 1} of ${packets.length}${line}, ${countBytes(packet?.bytes.length ?? 0)}`;
}

function showPart(part: TracedBytes, { paint, width }: TextStyle): string {
  const { message, title, notes = [] } = part;
  const style = { paint, ...(width === undefined ? {} : { width }) };
  const heads = [title, message?.message].filter((line) => line !== undefined).map((line) => paint("title", line));
  return [...heads, formatTrace(part.bytes, part, style), ...notes].join("\n");
}

/** Of a packet whose end is missing: the other ways that read all of what is there. */
function likeIt(chosen: ReadingTrial, misfits: readonly ReadingTrial[]): readonly ReadingTrial[] {
  return misfits.filter((each) => each !== chosen && each.standing === "cut" && chosen.standing === "cut");
}

/** The ways that fit as well, and those that do not where that is a question. */
function waysText({ reading, withProtocol, allTries }: Inspected, isRefused: boolean, { paint }: TextStyle): string {
  const { chosen, fits, misfits, packets, way, isOther } = reading;
  const isOpen = isRefused || withProtocol || isOther || allTries;
  // The flags of a way that nobody asked for.
  const isTaken = chosen !== undefined && chosen.standing !== "refused" && (withProtocol || isOther);
  const taken = isTaken ? [chosen, ...likeIt(chosen, misfits)] : [];
  const shown = [...taken, ...(isOpen ? fits : [])];
  const fitting = fitLines(shown, withProtocol);
  const others = misfits.filter((each) => each.way !== way && !taken.includes(each));
  const not = isOpen ? misfitLines(others, packets.length, { withProtocol, all: allTries, fits: shown }) : [];
  const lines = [
    ...fitting.map((line) => paint("good", line)),
    ...not.map((line) => paint("unread", escapeControls(line))),
  ];
  return lines.length === 0 ? "" : `\n${lines.join("\n")}\n`;
}
