/** What `wirewalk inspect --json` writes of packets: the contract is in docs/inspect.md. */
import { decodeLines, type WayToRead } from "wirewalk/inspect";
import type { PacketReader, TracedBytes } from "wirewalk/protocol";
import { formatHex, type JsonObject, type TraceField, WireError } from "wirewalk/wire";
import { fitJson, misfitJson, wayJson } from "../input/inspect-readings.ts";
import type { Inspected, InspectionPiece } from "./inspect-text.ts";

const hexOf = (bytes: Uint8Array): string => formatHex(bytes, { separator: "" });

/** A line for each packet, with `framed` for each frame. */
export function* inspectionJson(inspected: Inspected): Generator<InspectionPiece> {
  const { source, reading, traces } = inspected;
  const { way, packets } = reading;
  const tried = {
    fits: reading.fits.map(fitJson),
    others: reading.misfits.filter((each) => each.way !== way).map(misfitJson),
  };
  let bytes = 0;
  const file = {
    ...(source.file === undefined ? {} : { file: source.file }),
    ...(source.flow === undefined ? {} : { flow: source.flow }),
  };
  const line = (object: JsonObject, isRefused: boolean): InspectionPiece => ({
    text: `${JSON.stringify({ ...file, ...object, ...tried })}\n`,
    bytes,
    isRefused,
  });
  if (way === undefined || traces === undefined) {
    const error = { code: "unknown-message", path: "", byteOffset: 0, bitOffset: 0, text: "no protocol fits" };
    for (const [index, packet] of packets.entries()) {
      bytes += packet.bytes.length;
      const place = {
        packet: index + 1,
        line: packet.line,
        protocol: null,
        dialect: null,
        direction: null,
        framed: null,
      };
      yield line({ ...place, error, hex: hexOf(packet.bytes) }, true);
    }
    return;
  }
  const values = new ValueReader(
    way,
    packets.map((packet) => packet.bytes),
  );
  let index = 0;
  for (const parts of traces) {
    bytes += packets[index]?.bytes.length ?? 0;
    for (const [at, part] of parts.entries()) {
      // What a packet held in another form stands in the packet's object.
      if (part === parts[at - 1]?.inner) continue;
      const start = packets[way.setup.framed ? 0 : index];
      const place = { packet: index + 1, line: start?.line ?? 1, ...wayJson(way) };
      yield line({ ...place, ...partJson(part, values), hex: hexOf(part.bytes) }, hasError(part));
      index += 1;
    }
  }
}

function hasError({ error, inner }: TracedBytes): boolean {
  return error !== undefined || inner?.error !== undefined;
}

function partJson(part: TracedBytes, values: ValueReader): JsonObject {
  const { title, notes = [], inner } = part;
  const error = part.error ?? inner?.error;
  const value = values.next(part);
  return {
    ...(title === undefined ? {} : { title }),
    ...(error === undefined ? value : { error: errorJson(error) }),
    fields: part.fields.map(fieldJson),
    ...innerJson(inner),
    ...(notes.length === 0 ? {} : { notes: [...notes] }),
  };
}

/** What the packet held in another form, which may hold more. */
function innerJson(inner: TracedBytes | undefined): JsonObject {
  if (inner === undefined) return {};
  const { title = "", fields, bytes } = inner;
  return { inner: { title, fields: fields.map(fieldJson), hex: hexOf(bytes), ...innerJson(inner.inner) } };
}

function errorJson({ code, path, bitOffset, message }: WireError): JsonObject {
  return { code, path, byteOffset: Math.floor(bitOffset / 8), bitOffset, text: message };
}

function fieldJson({ path, bitOffset, bitLength, raw, shown, flags }: TraceField): JsonObject {
  const bits = flags === undefined ? {} : { flags: flags.map((flag) => ({ ...flag })) };
  return { path, bitOffset, bitLength, raw: typeof raw === "bigint" ? String(raw) : raw, shown, ...bits };
}

/** The messages as `decode` gives them, packet after packet. */
class ValueReader {
  readonly #results: readonly JsonObject[];
  readonly #reader: PacketReader | undefined;
  #at = 0;

  constructor({ stream, setup }: WayToRead, packets: readonly Uint8Array[]) {
    this.#results = [];
    if (!setup.framed) {
      this.#reader = openReader(() => stream.openReader(setup));
      return;
    }
    this.#reader = undefined;
    const lines = decodeLines(stream, setup);
    this.#results = packets
      .flatMap((bytes) => lines.line(hexOf(bytes)))
      .map((result) => ("json" in result ? result.json : {}));
  }

  /** The next packet; empty for one that is refused, or that needs others before it. */
  next({ bytes }: TracedBytes): JsonObject {
    if (this.#reader === undefined) return this.#results[this.#at++] ?? {};
    try {
      return this.#reader.read(bytes);
    } catch (error) {
      if (error instanceof WireError) return {};
      throw error;
    }
  }
}

function openReader(open: () => PacketReader): PacketReader | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
