import { expect, test } from "vitest";
import type { CaptureRecord } from "wirewalk/capture";
import { protocols } from "wirewalk/protocols";
import { parseHex, WireError } from "wirewalk/wire";
import { RecordStore } from "./record-store.ts";

const base = {
  flow: "10.0.0.7:1-10.0.0.1:5555",
  direction: "client",
  protocol: "slime-online-2",
  dialect: "v0106",
} as const;
const at = (nanoseconds: number) => ({ time: { seconds: 1_700_000_000, nanoseconds }, packet: nanoseconds });

test("records come back as they were added: values from their payloads, or kept where the payload does not say all", () => {
  const store = new RecordStore(new Map(Object.entries(protocols)));
  const mouse = { header: [8, 0], spanMs: 56, records: [{ form: "small", dt: 2, dx: 5, dy: -2, x: 405, y: 298 }] };
  const some: readonly CaptureRecord[] = [
    {
      kind: "message",
      ...base,
      ...at(1),
      message: "movePlayer",
      value: { code: 10, direction: "leftPressAir" },
      payload: parseHex("02 00 0a"),
    },
    {
      kind: "refused",
      ...base,
      ...at(2),
      error: new WireError("truncated", "Cannot read y: 2 bytes needed, 0 left at byte 5", 40, "y"),
      payload: parseHex("02 00 02 c0 01"),
    },
    { kind: "gap", ...base, ...at(3), gap: 1460 },
    // Where the pointer is follows from packets before.
    {
      kind: "message",
      ...base,
      ...at(4),
      protocol: "osrs",
      dialect: "client",
      message: "mouseMove",
      value: mouse,
      payload: parseHex("22 08 00 29 5e"),
    },
  ];
  // More than one piece of memory.
  for (let round = 0; round < 2000; round++) for (const record of some) expect(store.add(record)).toBe(true);
  expect(store.count).toBe(8000);
  for (const index of [0, 1, 2, 3, 4096, 4097, 4098, 4099, 7999]) {
    expect(store.get(index, true)).toEqual(some[index % 4]);
  }
  expect(store.get(0, false)).toMatchObject({ kind: "message", value: null });
  // A gap ends what is before it.
  expect(store.streamBefore(5, 100)).toEqual([3, 4, 5]);
  expect(store.streamBefore(5, 2)).toEqual([4, 5]);
});
