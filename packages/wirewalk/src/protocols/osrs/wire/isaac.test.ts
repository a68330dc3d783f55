import { expect, test } from "vitest";
import { type BodySize, type BodySizes, frameOsrs, OsrsDeframer } from "./framing.ts";
import { Isaac, OpcodeCipher } from "./isaac.ts";

const take = (numbers: Isaac, count: number): number[] => Array.from({ length: count }, () => numbers.next());

// Of the crate rand_isaac, which has them from the reference implementation in C.
test("the numbers are those of the reference implementation", () => {
  expect(take(new Isaac([1, 23, 456, 7890, 12_345]), 10)).toEqual([
    2_558_573_138, 873_787_463, 263_499_565, 2_103_644_246, 3_595_684_709, 4_203_127_393, 264_982_119, 2_765_226_902,
    2_737_944_514, 3_900_253_796,
  ]);
});

test("a restored stream goes on", () => {
  const numbers = new Isaac([1, 2, 3, 4]);
  take(numbers, 300);
  const saved = numbers.save();
  const other = new Isaac([]);
  other.restore(saved);
  expect(take(other, 600)).toEqual(take(numbers, 600));
});

const seed = [0x8000_0001, 2, 3, 0xffff_ffff];
const sizes: BodySizes = new Map<number, BodySize>([
  [7, "varByte"],
  [130, 2],
  [255, "varShort"],
]);

test.each(["client", "server"] as const)("frames of a %s with hidden opcodes are read, split anywhere", (sender) => {
  const payloads = [Uint8Array.of(7, 1, 2, 3), Uint8Array.of(130, 9, 9), Uint8Array.of(255), Uint8Array.of(7)];
  const sent = new OpcodeCipher(sender, seed);
  const bytes = payloads.flatMap((payload) => [...frameOsrs(sizes, payload, { cipher: sent })]);
  const deframer = new OsrsDeframer(sizes, { cipher: new OpcodeCipher(sender, seed) });
  const read: Uint8Array[] = [];
  for (const byte of bytes) {
    // A restored deframer goes on in the middle of any frame.
    const saved = deframer.save();
    deframer.restore(saved);
    deframer.push(Uint8Array.of(byte));
    for (let payload = deframer.next(); payload !== undefined; payload = deframer.next()) read.push(payload);
  }
  expect(read).toEqual(payloads);
  // An opcode of the server from 128 on has two bytes.
  expect(bytes.length).toBe(5 + 3 + 3 + 2 + (sender === "server" ? 2 : 0));
});
