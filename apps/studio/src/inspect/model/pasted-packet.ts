/** A pasted packet as it is looked at. */
import { formatHex } from "wirewalk/wire";
import { type Inspectable, inspectable } from "./inspectable.ts";
import type { Reading, ReadPacket } from "./reading.ts";

/** Undefined where there are not so many. */
export function pastedPacket(
  packets: readonly ReadPacket[],
  index: number,
  reading: Reading | undefined,
): Inspectable | undefined {
  const read = packets[index];
  if (read === undefined) return undefined;
  const count = packets.length;
  const { bytes, trace, json, notes, title } = read;
  return inspectable({
    key: `pasted ${index} ${formatHex(bytes.subarray(0, 64), { separator: "" })} ${bytes.length}`,
    origin: count === 1 ? "pasted" : `pasted, ${index + 1} of ${count}`,
    reading: reading === undefined ? undefined : { ...reading, framed: false },
    sender: reading?.sender ?? "client",
    bytes,
    trace,
    json,
    title,
    notes,
    before: packets[index - 1]?.json,
  });
}
