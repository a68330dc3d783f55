/** What sessions are written as: a session of another tool, a recording, a capture, or JSON lines. */
import {
  PcapngExport,
  type SessionFormat,
  type SessionHeader,
  type SessionRecord,
  sessionFormats,
  sessionProtocol,
} from "wirewalk/capture";
import type { Protocol } from "wirewalk/protocol";
import { formatHex, WireError } from "wirewalk/wire";
import { UsageError } from "../context.ts";
import type { ChosenMaps } from "../input/maps.ts";
import type { Losses } from "./losses.ts";

type WrittenRecord = Omit<SessionRecord, "number" | "byteOffset">;

/** A file that is being written. */
export interface Target {
  header(session: string, header: SessionHeader): void;
  /** Throws `RangeError` for what the file cannot hold; nothing of it is written then. */
  record(session: string, record: WrittenRecord): void;
  /** Resolves when what was added is written, as far as the file has it by now. */
  flush(): Promise<void>;
  end(): Promise<void>;
}

export interface TargetOptions {
  readonly protocols: Readonly<Record<string, Protocol>>;
  readonly build?: number | undefined;
  /** The maps by which a session is judged that becomes a recording. Default: none. */
  readonly chosen?: ChosenMaps | undefined;
  /** Of the format. */
  readonly version?: number | undefined;
  /** For the texts of the file. */
  readonly source: string;
  /** What the file cannot hold and that is not asked of it record by record. */
  readonly losses: Losses;
  readonly write: (bytes: Uint8Array) => void;
}

/** A kind of target, by the ending of its file. */
interface TargetKind {
  readonly endings: readonly string[];
  /** How many sessions one file holds. */
  readonly sessions: "one" | "many";
  open(options: TargetOptions): Target;
}

const formatsWithWriter = sessionFormats.filter(({ openWriter }) => openWriter !== undefined);

export const targetKinds: readonly TargetKind[] = [
  { endings: [".mcap"], sessions: "one", open: recordingTarget },
  { endings: [".pcapng"], sessions: "many", open: captureTarget },
  { endings: [".jsonl"], sessions: "many", open: lineTarget },
  ...formatsWithWriter.map(
    (format): TargetKind => ({
      endings: format.endings,
      sessions: "one",
      open: (options) => sessionTarget(format, options),
    }),
  ),
];

/** The kind of a path. Throws {@link UsageError} for an ending that is not known. */
export function targetKindOf(path: string): TargetKind {
  const found = targetKinds.find(({ endings }) => endings.some((ending) => path.toLowerCase().endsWith(ending)));
  if (found !== undefined) return found;
  const known = targetKinds.flatMap(({ endings }) => endings).join(", ");
  throw new UsageError(`${path}: what it is follows from the end of its name: ${known}`);
}

function sessionTarget(format: SessionFormat, { write, losses, ...options }: TargetOptions): Target {
  const writer = format.openWriter?.(options);
  if (writer === undefined) throw new UsageError(`${format.title} cannot be written`);
  return {
    header(_session, header) {
      if (header.format !== format.name) lostFields(header, losses);
      write(writer.header(header));
    },
    record(_session, record) {
      write(writer.record(record));
      if (record.timeMs % 1 !== 0 && format.name === "rsprox") losses.add(ROUNDED_TIMES, "");
    },
    flush: async () => {},
    end: async () => {},
  };
}

/** The head of a file of another format has fields that no other has. */
function lostFields({ fields }: SessionHeader, losses: Losses): void {
  const names = Object.keys(fields);
  if (names.length > 0) losses.add(`fields of the head: ${names.join(", ")}`, "the head");
}

/** No loss: the format has no finer times. */
export const ROUNDED_TIMES = "times are cut to whole milliseconds";

function recordingTarget({ protocols, chosen, losses, write }: TargetOptions): Target {
  let opened: Promise<import("@wirewalk/recording").SessionRecording> | undefined;
  let ready: ((session: import("@wirewalk/recording").SessionRecording) => void)[] = [];
  const open = async (): Promise<import("@wirewalk/recording").SessionRecording> => {
    const { SessionRecording } = await import("@wirewalk/recording");
    const { nodeMeans } = await import("@wirewalk/recording/node");
    return new SessionRecording({
      protocols,
      mapsOf: (protocol) => chosen?.of(protocol),
      means: nodeMeans,
      sink: {
        open: async () => ({ name: "recording", write: async (bytes) => write(bytes), close: async () => {} }),
      },
      onProblem: ({ message }, record) => losses.add(message, record === undefined ? "" : `record ${record.number}`),
    });
  };
  let number = 0;
  const flush = async (): Promise<void> => {
    opened ??= open();
    const session = await opened;
    const calls = ready;
    ready = [];
    for (const call of calls) call(session);
    await session.settled();
  };
  return {
    header: (_session, header) => void ready.push((session) => session.header(header)),
    record(_session, record) {
      number += 1;
      // States of ciphers that a writer did not know are 0.
      const fields = Object.entries(record.fields ?? {}).filter(([, value]) => value !== 0);
      if (fields.length > 0) {
        losses.add(`fields of records: ${fields.map(([name]) => name).join(", ")}`, `record ${number}`);
      }
      const own = { ...record, number, byteOffset: 0 };
      ready.push((session) => session.record(own));
    },
    flush,
    async end() {
      await flush();
      await (await opened)?.close();
    },
  };
}

/** Addresses of documentation (RFC 5737), for ends that have a name or none. */
const SOME_CLIENT = "192.0.2.1";
const SOME_SERVER = "192.0.2.2";
const SOME_CLIENT_PORT = 50_000;

function captureTarget({ protocols, source, losses, write }: TargetOptions): Target {
  const capture = new PcapngExport(Object.values(protocols), `wirewalk convert ${source}`, "own");
  const sessions = new Map<string, { readonly flow: string; readonly protocol: string; readonly dialect: string }>();
  write(capture.head);
  return {
    header(session, header) {
      const { protocol, dialect } = sessionProtocol(header, { protocols });
      lostFields(header, losses);
      const port = protocol.defaultPort ?? 1;
      sessions.set(session, {
        flow: addressesOf(header.flow, sessions.size, port, losses),
        protocol: protocol.name,
        dialect,
      });
      capture.configure(protocol);
    },
    record(session, { timeMs, sender: direction, payload }) {
      const known = sessions.get(session);
      if (known === undefined) return;
      const seconds = Math.floor(timeMs / 1000);
      const time = { seconds, nanoseconds: Math.round((timeMs - seconds * 1000) * 1e6) };
      const base = { ...known, time, packet: 0, direction, payload };
      for (const block of capture.blocks({ kind: "message", message: "", value: null, ...base })) write(block);
    },
    flush: async () => {},
    end: async () => {},
  };
}

/** A flow of addresses of IP: names and unknown ends are stood for. */
function addressesOf(flow: string, number: number, serverPort: number, losses: Losses): string {
  const [client = "", server = ""] = flow.split("-");
  const known = (end: string): boolean => /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\]):\d{1,5}$/i.test(end);
  if (known(client) && known(server)) return flow;
  losses.add(STANDS_FOR, flow);
  const port = /:(\d{1,5})$/.exec(server)?.[1] ?? serverPort;
  return `${known(client) ? client : `${SOME_CLIENT}:${SOME_CLIENT_PORT + number}`}-${known(server) ? server : `${SOME_SERVER}:${port}`}`;
}

/** No loss of messages. */
export const STANDS_FOR = `ends without an address of IP: ${SOME_CLIENT} and ${SOME_SERVER} stand for them`;

function lineTarget({ protocols, write }: TargetOptions): Target {
  const texts = new TextEncoder();
  const sessions = new Map<string, { readonly protocol: Protocol; readonly dialect: string; readonly flow: string }>();
  const line = (json: object): void => write(texts.encode(`${JSON.stringify(json)}\n`));
  return {
    header(session, header) {
      sessions.set(session, { ...sessionProtocol(header, { protocols }), flow: session });
      line({ session: header });
    },
    record(session, { timeMs, sender, payload, fields }) {
      const known = sessions.get(session);
      if (known === undefined) return;
      const { protocol, dialect, flow } = known;
      const time = (timeMs / 1000).toFixed(9);
      const base = { time, flow, direction: sender, protocol: protocol.name, dialect };
      const hex = formatHex(payload, { separator: "" });
      line({
        ...base,
        ...jsonOf(protocol, dialect, sender, payload),
        hex,
        ...(fields === undefined ? {} : { fields }),
      });
    },
    flush: async () => {},
    end: async () => {},
  };
}

function jsonOf(protocol: Protocol, dialect: string, sender: "client" | "server", payload: Uint8Array): object {
  const codec = protocol.codec(dialect);
  const undescribed = codec.undescribed?.(sender, payload);
  if (undescribed !== undefined) return { message: undescribed, size: payload.length };
  try {
    return codec.toJson(sender, codec.read(sender, payload));
  } catch (error) {
    if (error instanceof WireError) return { message: null, reason: error.message };
    throw error;
  }
}
