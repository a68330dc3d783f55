import { encodeCbor } from "@wirewalk/recording";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BatchHead,
  BatchReader,
  decodeInput,
  decodePart,
  encodeBatch,
  encodeInput,
  type SentEffect,
} from "./batch.ts";
import { decodeHistory } from "./history.ts";

const head: BatchHead = { epoch: 3, batch: 9, base: 8, wallMs: 1_000 };
const payload = Uint8Array.of(1, 2, 3);

describe("batches", () => {
  const effects: readonly SentEffect[] = [
    { effect: "send", to: 1, payload },
    { effect: "broadcast", room: "1", except: 2, payload },
    { effect: "broadcast", room: "1", except: undefined, payload },
    { effect: "enter", player: 1, room: "1" },
    { effect: "observe", player: 1, room: "1", what: "path", data: {} },
    // Monsters belong to no player.
    { effect: "observe", player: 0, room: "1", what: "monsters", data: { monsters: [] } },
    { effect: "close", player: 65_535, reason: "silent" },
    { effect: "refuse", player: 1, refusal: "full" },
  ];

  test.each(effects)("an effect arrives as it was sent: $effect of $player", (effect) => {
    const [bytes = payload] = encodeBatch({
      ...head,
      log: [{ nowMs: 1, calls: [{ call: "tick" }] }],
      effects: [effect],
    });
    const part = decodePart(bytes);
    const batch = part === undefined ? undefined : new BatchReader().take(part);
    expect(batch).toMatchObject({ ...head, log: [{ nowMs: 1, calls: [{ call: "tick" }] }] });
    expect(encodeCbor(batch?.effects)).toEqual(encodeCbor([effect]));
  });

  test("one that is long comes in parts, and is nothing without one of them", () => {
    const long = { effect: "send", to: 1, payload: new Uint8Array(2_000_000) } as const;
    const parts = encodeBatch({ ...head, log: [], effects: [long] }).map((bytes) => decodePart(bytes));
    expect(parts).toHaveLength(3);
    const [whole, cut] = [new BatchReader(), new BatchReader()];
    const taken = parts.map((part) => (part === undefined ? undefined : whole.take(part)));
    expect(taken.map((batch) => batch?.effects.length)).toEqual([undefined, undefined, 1]);
    for (const part of [parts[0], parts[2]]) expect(part && cut.take(part)).toBeUndefined();
  });
});

describe("what no node would send is refused", () => {
  const bytesOf = (epoch: number, batch: number, part = 0, parts = 1): Uint8Array => {
    const bytes = new Uint8Array(37 + 4);
    const view = new DataView(bytes.buffer);
    view.setUint8(0, 1);
    view.setUint16(1, part);
    view.setUint16(3, parts);
    for (const [index, value] of [epoch, batch, 0, 0].entries()) view.setFloat64(5 + index * 8, value);
    return bytes;
  };

  test.each([
    ["an epoch that is no number", bytesOf(Number.NaN, 1)],
    ["a negative epoch", bytesOf(-1, 1)],
    ["an epoch past the whole numbers", bytesOf(2 ** 53, 1)],
    ["half a batch", bytesOf(1, 1.5)],
    ["a part past the last", bytesOf(1, 1, 2, 2)],
    ["no parts", bytesOf(1, 1, 0, 0)],
    ["more parts than a batch has", bytesOf(1, 1, 0, 65)],
    ["another version", Uint8Array.from(bytesOf(1, 1), (byte, at) => (at === 0 ? 2 : byte))],
    ["no head", new Uint8Array(36)],
  ])("%s", (_, bytes) => {
    expect(decodePart(bytes)).toBeUndefined();
  });

  test.each([
    ["players past 16 bits", [{ effect: "close", player: 65_536, reason: "" }]],
    ["unknown effects", [{ effect: "reboot", player: 1 }]],
    ["payloads that are no bytes", [{ effect: "send", to: 1, payload: "text" }]],
    [
      "bans without an end",
      [{ effect: "ban", player: 1, account: "a", reason: "", durationMs: Infinity, evidence: [] }],
    ],
    ["no list", { length: 1 }],
  ])("a body with %s", (_, effects) => {
    const [bytes = payload] = encodeBatch({ ...head, log: [], effects: effects as unknown as readonly SentEffect[] });
    const part = decodePart(bytes);
    expect(part && new BatchReader().take(part)).toBeUndefined();
  });

  test("any bytes are refused or are calls, and never throw", () => {
    const calls = encodeInput({ gateway: "a", run: 1, first: 1, calls: [{ call: "leave", player: 1 }] });
    const changed = fc.tuple(fc.nat(calls.length - 1), fc.nat(255)).map(([at, value]) => {
      return Uint8Array.from(calls, (byte, index) => (index === at ? value : byte));
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 64 }), changed), (bytes) => {
        const input = decodeInput(bytes);
        for (const call of input?.calls ?? []) if ("player" in call) expect(call.player).toBeLessThan(65_536);
        decodeHistory(bytes);
        decodePart(bytes);
      }),
      { numRuns: 300 },
    );
  });
});
