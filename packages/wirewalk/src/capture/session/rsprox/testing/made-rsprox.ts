/** Recordings of RSProx that tests make: tables of a few messages, and sessions of random ones. */
import type { Random } from "../../../../motion/index.ts";
import { joinBytes } from "../../../../wire/index.ts";
import type { SessionHeader, SessionRecord } from "../../session.ts";
import { type MessageSizes, PLAYER_INDEX_OPCODE } from "../message-sizes.ts";
import { writeRsprox } from "../rsprox-writer.ts";

const INIT_BYTES = 4608;

/** Two revisions whose tables contradict each other. */
export const madeSizes: ReadonlyMap<number, MessageSizes> = new Map([
  [
    239,
    {
      client: new Map([
        [6, { name: "EVENT_NATIVE_MOUSE_MOVE", size: "varByte" }],
        [50, { name: "MAP_BUILD_COMPLETE", size: 0 }],
        [110, { name: "EVENT_MOUSE_MOVE", size: "varByte" }],
        [200, { name: "CLIENT_CHEAT", size: "varShort" }],
      ]),
      server: new Map([
        [28, { name: "PLAYER_INFO", size: "varShort" }],
        [83, { name: "SERVER_TICK_END", size: 0 }],
        [127, { name: "VARP_SMALL", size: 3 }],
        [128, { name: "VARP_LARGE", size: 6 }],
        [150, { name: "MESSAGE_GAME", size: "varByte" }],
        [255, { name: "RECONNECT", size: "varShort" }],
      ]),
    },
  ],
  [
    230,
    {
      client: new Map([
        [6, { name: "EVENT_MOUSE_CLICK", size: 6 }],
        [94, { name: "EVENT_MOUSE_MOVE", size: "varByte" }],
      ]),
      server: new Map([
        [23, { name: "PLAYER_INFO", size: "varShort" }],
        [28, { name: "VARP_SMALL", size: 3 }],
        [108, { name: "SERVER_TICK_END", size: 0 }],
        [255, { name: "RECONNECT", size: "varShort" }],
      ]),
    },
  ],
]);

export const START_MS = 1_700_000_000_000;

/** The head of a session that RSProx did not record. */
export function madeHeader(revision = 239, observer = 5): SessionHeader {
  return {
    format: "pcap",
    protocol: "osrs",
    dialect: "client",
    settings: { revision },
    startMs: START_MS,
    observer,
    flow: "10.0.0.7:20000-10.0.0.1:43594",
    fields: {},
  };
}

type MadeRecord = Omit<SessionRecord, "number" | "byteOffset">;

/** Records of random messages, bodies and pauses, in order. */
export function madeRecords(
  random: Random,
  sizes: MessageSizes,
  count: number,
  startMs: number = START_MS,
): MadeRecord[] {
  const records: MadeRecord[] = [];
  const bodyOf = (size: number | "varByte" | "varShort"): number => {
    if (typeof size === "number") return size;
    if (random.chance(0.1)) return 0;
    if (size === "varByte") return random.integer(0, random.chance(0.1) ? 0xff : 20);
    return random.chance(0.01) ? INIT_BYTES : random.integer(0, random.chance(0.1) ? 600 : 40);
  };
  let timeMs = startMs;
  for (let index = 0; index < count; index++) {
    const sender = random.pick(["client", "server"] as const);
    const known = [...sizes[sender]].filter(([opcode]) => sender === "client" || opcode !== PLAYER_INDEX_OPCODE);
    const [opcode, { size }] = random.pick(known);
    const payload = new Uint8Array(1 + bodyOf(size));
    for (let at = 1; at < payload.length; at++) payload[at] = random.integer(0, 0xff);
    payload[0] = opcode;
    timeMs += random.chance(0.02) ? random.integer(0, 2 ** 30) : random.integer(0, random.chance(0.3) ? 600 : 20);
    records.push({ timeMs, sender, payload });
  }
  return records;
}

/** A file of such records. */
export function madeFile(
  header: SessionHeader,
  records: readonly MadeRecord[],
  sizes: ReadonlyMap<number, MessageSizes> = madeSizes,
): Uint8Array {
  const writer = writeRsprox({ sizes: (revision) => sizes.get(revision) });
  return joinBytes([writer.header(header), ...records.map((record) => writer.record(record))]);
}
