import { expect, test } from "vitest";
import type { Effect } from "wirewalk/protocol";
import { EffectHashes, effectHash } from "./effect-hash.ts";

/** FNV-1a of 32 bits, as its authors define it. */
function fnv(bytes: readonly number[]): number {
  return bytes.reduce(
    (hash, byte) => Number(((BigInt(hash ^ byte) & 0xffff_ffffn) * 0x0100_0193n) & 0xffff_ffffn),
    0x811c_9dc5,
  );
}

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const sendTo = (to: number): Effect => ({ effect: "send", to, message: { message: "said", value: {} } });

test("effects have the hash of their kind, player and payload, whatever stands beside them", () => {
  const hashes = new EffectHashes();
  for (let round = 0; round < 3; round += 1) {
    const expected: number[] = [];
    for (let count = 0; count < 301 + round; count += 1) {
      const to = (count * 37) % 1000;
      const payload = Uint8Array.from({ length: (count * count) % 70 }, (_, at) => (at * 31 + count) & 0xff);
      if (count % 5 === 0) {
        const exit: Effect = { effect: "exit", player: to, room: "1" };
        hashes.add(exit, undefined);
        expected.push(fnv([...ascii("exit"), to & 0xff, to >>> 8, ...ascii("1")]));
        continue;
      }
      hashes.add(sendTo(to), payload);
      expected.push(fnv([...ascii("send"), to & 0xff, to >>> 8, ...payload]));
      expect(effectHash(sendTo(to), payload)).toBe(expected.at(-1));
    }
    expect(hashes.length).toBe(expected.length);
    expect([...hashes.read()]).toEqual(expected);
    hashes.clear();
    expect([...hashes.read()]).toEqual([]);
    hashes.add(sendTo(1), Uint8Array.of(1));
    hashes.clear();
  }
});
