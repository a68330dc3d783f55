/** The traces of the real writer: `vectors/osrs-mouse-client.json`, whose `about` says what each field is. */
import { readFileSync } from "node:fs";
import { parseHex } from "../../../../wire/index.ts";

export interface MouseTrace {
  readonly id: number;
  readonly kind: string;
  readonly samples: readonly (readonly [x: number, y: number, timeMs: number])[];
  readonly flushAfter: readonly number[];
  readonly packetOfFlush: readonly number[];
  readonly packets: readonly string[];
  readonly recordsPerPacket: readonly number[];
  readonly positions: readonly (readonly [x: number, y: number, dt: number])[];
}

const file = new URL("../../../../../../../vectors/osrs-mouse-client.json", import.meta.url);

export const traces: readonly MouseTrace[] = JSON.parse(readFileSync(file, "utf8")).traces;

/** Every payload of every trace. */
export const payloads: readonly Uint8Array[] = traces.flatMap(({ packets }) => packets.map((hex) => parseHex(hex)));
