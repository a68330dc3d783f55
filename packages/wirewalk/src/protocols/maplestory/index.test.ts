import { describe, expect, it } from "vitest";
import { decodeLines, encodeLines, type LineResult, traceStream } from "../../inspect/index.ts";
import { createRandom } from "../../motion/index.ts";
import { parseHex, tilingFault } from "../../wire/index.ts";
import type { StreamSetup } from "../packet-stream.ts";
import { mapleStory } from "./maplestory.ts";

const stream = mapleStory.streams[""];
if (stream === undefined) throw new Error("the game has no stream");
const captured =
  "2600016c001f0003006c002d000000f0000000067800006c003500000000000000061a00006c003500000000000b00046c01110000000000000000006c001f006c003500";
const setup = (change: Partial<StreamSetup> = {}): StreamSetup => ({
  dialect: "v62",
  sender: "client",
  framed: false,
  options: {},
  ...change,
});
const textOf = (results: readonly LineResult[]): string =>
  results.map((result) => ("text" in result ? result.text : JSON.stringify(result))).join("\n");

describe("lines", () => {
  it("decode gives the line of the issue, encode the bytes back", () => {
    const [result] = decodeLines(stream, setup()).line(captured);
    const line = JSON.stringify(result !== undefined && "json" in result ? result.json : result);
    expect(line).toContain(
      '{"message":"movePlayer","value":{"fieldKey":1,"start":{"x":108,"y":31},"fragments":[{"type":0,"kind":"absolute","x":108,"y":45,"vx":0,"vy":240,"foothold":0,"state":6,"durationMs":120},',
    );
    expect(line).toContain(
      '"keypad":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"box":{"left":108,"top":31,"right":108,"bottom":53}}}',
    );
    expect(textOf(encodeLines(stream, setup()).line(line))).toBe(captured);
  });

  it("a framed stream of the client is ciphered, and comes back", () => {
    const line = JSON.stringify({ message: "pong", value: {} });
    const encoder = encodeLines(stream, setup({ framed: true }));
    const carried = [line, line].map((each) => textOf(encoder.line(each)));
    expect(carried[0]).not.toBe(carried[1]);
    const decoder = decodeLines(stream, setup({ framed: true }));
    expect(carried.flatMap((each) => decoder.line(each))).toEqual(
      [1, 2].map(() => ({ json: { message: "pong", value: {} } })),
    );
  });

  it("a framed stream of the server begins with its hello", () => {
    const framed = setup({ framed: true, sender: "server" });
    const text = textOf(encodeLines(stream, framed).line(JSON.stringify({ message: "ping", value: {} })));
    expect(text.startsWith("0d003e000000")).toBe(true);
    expect(decodeLines(stream, framed).line(text)).toEqual([{ json: { message: "ping", value: {} } }]);
  });

  it.each([
    ["server", "27568982", "487d4a7d015c", "ping"],
    ["client", "56cfecdd", "d2ddd0dd0528", "pong"],
  ] as const)("a stream of the %s that is joined after its hello needs the IV %s", (sender, iv, frame, message) => {
    const joined = setup({ framed: true, sender, options: { iv } });
    expect(decodeLines(stream, joined).line(frame)).toEqual([{ json: { message, value: {} } }]);
    expect(textOf(encodeLines(stream, joined).line(JSON.stringify({ message, value: {} })))).toBe(frame);
    expect(traceStream(stream, parseHex(frame), joined)).toMatchObject([{ message: { message } }]);
  });

  it.each([
    [{ options: { iv: "27568982" } }, "bare payloads are not ciphered"],
    [{ framed: true, dialect: "documented", options: { iv: "27568982" } }, "documented has no cipher"],
    [{ framed: true, options: { iv: "275689" } }, "it must have 4 bytes, got 3"],
    [{ framed: true, options: { iv: "IV" } }, "it must be hex"],
  ])("an invalid IV is refused on every line: %j", (change, why) => {
    for (const converter of [decodeLines(stream, setup(change)), encodeLines(stream, setup(change))]) {
      const [result] = converter.line("00");
      expect(result !== undefined && "error" in result ? result.error : undefined).toMatchObject({ path: "iv" });
      expect(JSON.stringify(result)).toContain(why);
    }
    expect(traceStream(stream, new Uint8Array(2), setup(change))[0]?.error?.message).toContain(why);
  });

  it("inspect shows every field, the key nibbles too", () => {
    const bytes = parseHex(captured);
    const [part] = traceStream(stream, bytes, setup());
    expect(part?.error).toBeUndefined();
    expect(tilingFault(part?.fields ?? [], bytes.length)).toBeUndefined();
    const shown = Object.fromEntries(part?.fields.map(({ path, shown: text }) => [path, text]) ?? []);
    expect(shown).toMatchObject({
      opcode: "movePlayer",
      fieldKey: "1",
      "fragments[0].type": "0, absolute",
      "fragments[0].state": "6, jump right",
      "keypad[16]": "no key",
      "box.bottom": "53",
    });
  });
});

describe("the protocol", () => {
  it("refuses unknown dialects everywhere", () => {
    const dialect = "v84";
    expect(() => mapleStory.codec(dialect)).toThrow(RangeError);
    expect(() => mapleStory.openChannel({ side: "server", dialect, carrier: "stream" })).toThrow(RangeError);
    expect(() => mapleStory.createWorld({ dialect, seed: 1 })).toThrow(RangeError);
    expect(() => mapleStory.bots.create({ dialect, random: createRandom(1), number: 0, cheat: "none" })).toThrow(
      RangeError,
    );
  });

  it("has no login of its own: a session is a player at once", () => {
    expect(mapleStory.capabilities.login).toBeUndefined();
  });

  it("bots play without maps too, without a verdict", () => {
    for (const { name: dialect } of mapleStory.dialects) {
      const bot = mapleStory.bots.create({ dialect, random: createRandom(3), number: 2, cheat: "none" });
      const world = mapleStory.createWorld({ dialect, seed: 1 });
      const codec = mapleStory.codec(dialect);
      world.join(1, { account: "a", name: "a" }, 0);
      let sent = 0;
      const verdicts: string[] = [];
      const say = (messages: ReturnType<typeof bot.step>, nowMs: number): void => {
        for (const message of messages) {
          sent += 1;
          world.receive(1, message, codec.write("client", message), nowMs);
        }
        for (const effect of world.takeEffects()) {
          if (effect.effect === "verdict") verdicts.push(`${effect.verdict.kind} ${effect.verdict.rule}`);
          if (effect.effect === "send") say(bot.receive(effect.message, nowMs), nowMs);
        }
      };
      say(bot.start(0), 0);
      for (let nowMs = 0; nowMs < 20_000; nowMs += 50) say(bot.step(nowMs), nowMs);
      expect(sent).toBeGreaterThan(10);
      expect(verdicts).toEqual([]);
    }
  });
});
