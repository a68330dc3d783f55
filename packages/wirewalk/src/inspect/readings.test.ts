/** What a reading says of bytes. */
import { expect, test } from "vitest";
import { scrapMechanic } from "../protocols/scrap-mechanic/index.ts";
import { protocols } from "../protocols/table.ts";
import { parseHex } from "../wire/index.ts";
import { evidenceOf } from "./evidence.ts";
import { tryReadings, waysToRead } from "./index.ts";

const ways = waysToRead(Object.values(protocols));
const bestOf = (...packets: string[]) => tryReadings(ways, packets.map(parseHex))[0];

test("evidence is what bytes of chance hardly ever have", () => {
  const bytes = Uint8Array.of(2, 0, 9, 9, 9);
  const any = evidenceOf(() => Number.POSITIVE_INFINITY, bytes, false);
  const number = evidenceOf((each) => (each[0] === 2 && each[1] === 0 ? 40 : 0), bytes, false);
  const half = evidenceOf((each) => ((each[0] as number) < 128 ? 40 : 0), bytes, false);
  expect(any).toBe(0);
  expect(number).toBeGreaterThan(10);
  expect(half).toBeGreaterThan(0.5);
  expect(half).toBeLessThan(2);
  // A reader that costs much is asked eight times.
  let asked = 0;
  const never = (each: Uint8Array): number => {
    asked += 1;
    return each === bytes ? 40 : 0;
  };
  expect(evidenceOf(never, bytes, true)).toBe(3);
  expect(asked).toBe(9);
});

test("a place that no world has is a reason to doubt", () => {
  const codec = scrapMechanic.codec("documented");
  const [way] = waysToRead([scrapMechanic], { sender: "server", framed: false });
  if (way === undefined) throw new Error("no way");
  const playingAt = (x: number): Uint8Array =>
    codec.write("server", { message: "playing", value: { character: 7, tick: 12_345, position: { x, y: 1, z: 2 } } });
  expect(tryReadings([way], [playingAt(3)])[0]).toMatchObject({ standing: "fits" });
  for (const x of [1e-12, -3e30]) {
    expect(tryReadings([way], [playingAt(x)])[0]).toMatchObject({
      standing: "weak",
      doubt: expect.stringMatching(/^position\.x would be /),
    });
  }
});

test("one of several packets that is cut leaves the rest as they are", () => {
  expect(bestOf("02 00 02 c0 01 a0 00", "02 00 0a", "02 00 02 c0 01")).toMatchObject({
    standing: "mostly",
    read: 2,
    refused: 1,
    packet: 2,
    way: { name: "slime-online-2" },
  });
});

test("nothing is said of bytes that stop at the number of their message", () => {
  const trials = tryReadings(ways, [parseHex("02")]);
  expect(trials.filter(({ standing }) => standing === "cut")).toEqual([]);
});
