/**
 * What the contestants of the mouse benchmark read and write: packets that the real client's own routine wrote, and packets of
 * their records with a given number of them; the same in every process.
 */
import { readFileSync } from "node:fs";
import { osrs } from "wirewalk/osrs";
import { type MouseRecord, readMousePacket, writeMousePacket } from "wirewalk/osrs/mouse";
import { parseHex } from "wirewalk/wire";

/** Records of a packet, for the chart. A packet of 255 bytes holds no more than 84 of three bytes. */
export const recordCounts = [1, 4, 10, 25, 60] as const;

/** Packets without opcode, as the client wrote them. */
function captured(): readonly Uint8Array[] {
  const file = new URL("../../vectors/osrs-mouse-client.json", import.meta.url);
  const { traces } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly traces: readonly { readonly packets: readonly string[] }[];
  };
  return traces.flatMap(({ packets }) => packets.map(parseHex)).filter(isWhole);
}

/** Some traces are of clients that write what the reader refuses; and packets without records say nothing. */
function isWhole(packet: Uint8Array): boolean {
  const { records, cut } = readMousePacket("client", packet);
  return records.length > 0 && cut.length === 0;
}

/** Packets of so many captured records each, of the forms that keep them within a packet. */
function packetsOf(records: number): readonly Uint8Array[] {
  const all = captured()
    .flatMap((packet): readonly MouseRecord[] => readMousePacket("client", packet).records)
    .filter(({ form }) => form === "small" || form === "medium");
  return Array.from({ length: 64 }, (_, index) => {
    const chosen = Array.from({ length: records }, (_, at) => all[(index * 37 + at) % all.length] as MouseRecord);
    return writeMousePacket("client", { average: 3, excess: 1, records: chosen, cut: new Uint8Array() });
  });
}

export interface Workload {
  /** Bodies without opcode. */
  readonly bodies: readonly Uint8Array[];
  /** With opcode, as `codec.read` takes them. */
  readonly packets: readonly Uint8Array[];
  readonly records: number;
}

/** `captured`, or a number of records, as often as asked. */
export function createWorkload(work: string, packets: number): Workload {
  const some = work === "captured" ? captured() : packetsOf(Number(work));
  // Memory of its own for each, as packets come.
  const bodies = Array.from({ length: packets }, (_, index) => (some[index % some.length] as Uint8Array).slice());
  const { mouseOpcode } = osrs.capabilities.settings?.values ?? {};
  const records = bodies.reduce(
    (sum, body) => sum + readMousePacket("client", body, { strict: true }).records.length,
    0,
  );
  return { bodies, packets: bodies.map((body) => Uint8Array.of(mouseOpcode?.default ?? 0, ...body)), records };
}
