import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeLines, encodeLines, type LineResult, traceStream } from "../../../inspect/index.ts";
import { createRandom } from "../../../motion/index.ts";
import { formatHex, type JsonObject, tilingFault, type WireError } from "../../../wire/index.ts";
import type { PacketStream, StreamSetup } from "../../packet-stream.ts";
import { osrs } from "../osrs.ts";
import { maskRevisionJson } from "./wire/masks/parse-mask-revision.ts";
import { revision206 } from "./wire/masks/revision-206.ts";
import { PlayerInfoWorld } from "./world/world.ts";

const stream = osrs.streams["player-info"] as PacketStream;
const setup = (options: StreamSetup["options"] = {}, dialect = "client"): StreamSetup => ({
  dialect,
  sender: "server",
  framed: false,
  options,
});
const vectors = readFileSync(
  new URL("../../../../../../vectors/osrs-player-info-client.jsonl", import.meta.url),
  "utf8",
)
  .split("\n")
  .filter((line) => line !== "");

/** What the command line prints for one line. */
function print([result]: readonly LineResult[]): unknown {
  if (result === undefined) throw new Error("no answer");
  if ("json" in result) return { ok: true, ...result.json };
  return "text" in result ? JSON.parse(result.text) : { ok: false, error: JSON.parse(JSON.stringify(result.error)) };
}

describe("decode", () => {
  it("answers the vectors line by line", () => {
    const decoder = decodeLines(stream, setup());
    for (const line of vectors) {
      const { players } = JSON.parse(line);
      const answer = print(decoder.line(line));
      if (players === undefined) expect(answer).toMatchObject({ ok: true, observers: [JSON.parse(line).localIndex] });
      else expect(answer).toMatchObject({ ok: true, players, masks: {} });
    }
    expect(decoder.end()).toEqual([]);
  });

  it("refuses a packet with pass, player and bit, and goes on as if it had not come", () => {
    const decoder = decodeLines(stream, setup());
    expect(print(decoder.line('{"hex":"00"}'))).toMatchObject({ ok: false, error: { code: "bad-state", pass: 0 } });
    for (const line of vectors.slice(0, 2)) decoder.line(line);
    expect(print(decoder.line('{"hex":"8fbeb5d11f403fdfd5"}'))).toMatchObject({
      ok: false,
      error: { code: "bad-value", pass: 1, index: 499, bit: 4 },
    });
    expect(print(decoder.line(vectors[2] as string))).toMatchObject({ ok: true });
  });

  it.each([
    ["", "Cannot read JSON"],
    ["[]", "Cannot read JSON: a line holds one object"],
    ["{}", "Cannot read JSON: a line has initHex and localIndex, or hex"],
    ['{"hex":5}', "Cannot read hex: it must be a text of hex digits"],
    ['{"hex":"00","localIndx":5}', "Cannot read localIndx: there is no such field, only hex, tick, players, masks"],
    ['{"initHex":"00","localIndex":1,"hex":"00"}', "Cannot read hex: there is no such field, only initHex"],
    ['{"hex":"0"}', "Cannot read hex: half a byte"],
    ['{"initHex":"00","localIndex":0}', "Cannot read localIndex: it must be an index in 1..2047"],
    ['{"initHex":"00","localIndex":1}', "Cannot read initialisation: 4608 bytes needed, 1 given"],
  ])("refuses %s", (line, message) => {
    const [result] = decodeLines(stream, setup()).line(line);
    expect((result as { error: WireError }).error.message).toContain(message);
  });

  it("refuses every line when the revision is none, or frames are asked for", () => {
    const wrong = decodeLines(stream, setup({ revision: '{"name":"mine"}' }));
    expect(print(wrong.line(vectors[0] as string))).toMatchObject({ ok: false, error: { path: "extensions" } });
    const framed = encodeLines(stream, { ...setup(), framed: true });
    expect(print(framed.line(vectors[0] as string))).toMatchObject({ ok: false });
  });
});

describe("a packet that is cut names the field where its bits end", () => {
  it.each([
    ["", "update"],
    ["f0", "near.x"],
    ["b8", "far.x"],
    ["c0", "update"],
    ["c07f", "skip.count"],
    ["c07ff4", "flags"],
    ["c07ff480", "flags"],
    ["c07ff401", "say.text"],
  ])("%s: %s", (hex, path) => {
    const decoder = decodeLines(stream, setup({ revision: "206" }));
    decoder.line(vectors[0] as string);
    expect(print(decoder.line(JSON.stringify({ hex })))).toMatchObject({
      error: { code: "truncated", path, message: expect.stringContaining(`Cannot read ${path}: `) },
    });
  });
});

describe("a server's stream", () => {
  const revision = "206";
  const framed = { ...setup({ revision }), framed: true };
  const world = new PlayerInfoWorld({ dialect: "client", seed: 4, demo: true, revision: revision206 });
  for (let player = 1; player <= 30; player++) world.join(player, { account: "a", name: "a" }, 0);
  for (let tick = 1; tick <= 20; tick++) world.tick(tick * 600);
  const messages = world.takeEffects().flatMap((effect) => {
    return effect.effect === "send" && effect.to === 7 ? [effect.message] : [];
  });
  const server = osrs.openChannel({ side: "server", dialect: "client", carrier: "stream" });
  const carried = messages.flatMap((message) => [...server.write(message)]);

  it("is decoded with the memory of all before, split anywhere", () => {
    const decoder = decodeLines(stream, framed);
    const results: LineResult[] = [];
    for (let at = 0; at < carried.length; at += 997) {
      results.push(...decoder.line(formatHex(Uint8Array.from(carried.slice(at, at + 997)))));
    }
    expect([...results, ...decoder.end()].map((result) => print([result]))).toMatchObject([
      { ok: true, message: "playerIndex", index: 7 },
      { ok: true, message: "playerInfoInit" },
      ...Array.from({ length: 20 }, () => ({ ok: true, message: "playerInfo" })),
    ]);
    const last = print([results.at(-1) as LineResult]) as { players: Record<string, number[]> };
    const { x, z } = world.engine.tileOf(7);
    expect(last.players[7]).toEqual([0, x, z]);
  });

  it("that lost its place, or is cut, is refused there", () => {
    const hex = formatHex(Uint8Array.from(carried), { separator: "" });
    const lost = decodeLines(stream, framed);
    const refused = lost.line(`${hex.slice(0, 6)}09`);
    expect(refused.map((result) => print([result]))).toMatchObject([
      { ok: true, message: "playerIndex" },
      { ok: false, error: { code: "unknown-message" } },
    ]);
    expect(print(lost.line(hex.slice(0, 6)))).toMatchObject({ ok: true, index: 7 });
    lost.line("0300");
    expect(print(lost.end())).toMatchObject({ ok: false, error: { code: "truncated" } });
    const unnamed = decodeLines(stream, { ...framed, options: { revision: "{}" } });
    expect(print(unnamed.line(hex.slice(0, 6)))).toMatchObject({ ok: false, error: { code: "bad-value" } });
  });

  it("is inspected to the last bit", () => {
    const parts = traceStream(stream, Uint8Array.from(carried), framed);
    expect(parts.filter(({ title }) => title?.startsWith("Frame at byte "))).toHaveLength(22);
    expect(parts.filter(({ title }) => title?.startsWith("Appearance of player "))).toHaveLength(7);
    for (const { bytes, fields, error } of parts) {
      expect(error).toBeUndefined();
      expect(tilingFault(fields, bytes.length)).toBeUndefined();
    }
    expect(parts[0]?.title).toBe("Frame at byte 0: header 01, payload of 2 bytes");
    expect(parts[2]?.title).toMatch(/^Frame at byte 4612: header 03 0\w \w\w, payload of \d+ bytes$/);
    const [, , second] = traceStream(stream, Uint8Array.from(carried), { ...framed, options: { revision: "none" } });
    expect(second?.error?.code).toBe("unknown-variant");
  });
});

describe("encode", () => {
  it.each(["client", "documented", "native"])("%s: decode reads what it writes, tick by tick", (dialect) => {
    const random = createRandom(11);
    const encoder = encodeLines(stream, setup({}, dialect));
    const decoder = decodeLines(stream, setup({}, dialect));
    const players: Record<string, number[]> = { 5: [0, 3200, 3201], 7: [0, 3205, 3201], 2047: [0, 3199, 3190] };
    const first = print(encoder.line(JSON.stringify({ observers: [5], players }))) as { init: Record<string, string> };
    expect(Object.keys(first.init)).toEqual(["5"]);
    decoder.line(JSON.stringify({ localIndex: 5, initHex: first.init[5] }));
    for (let tick = 0; tick < 50; tick++) {
      for (const tile of Object.values(players)) {
        const reach = random.pick([0, 1, 2, 20]);
        tile[1] = (tile[1] as number) + random.integer(-reach, reach);
        tile[2] = (tile[2] as number) + random.integer(-reach, reach);
      }
      const here = tick % 3 === 0 ? { 5: players[5] } : players;
      const { packets } = print(encoder.line(JSON.stringify({ players: here }))) as { packets: Record<string, string> };
      const seen = Object.entries(here).filter(([, tile]) =>
        [1, 2].every((at) => Math.abs((tile?.[at] ?? 0) - (players[5]?.[at] ?? 0)) <= 15),
      );
      expect(print(decoder.line(JSON.stringify({ hex: packets[5] })))).toMatchObject({
        ok: true,
        players: Object.fromEntries(seen),
      });
    }
  });

  it("gives an observer that is added again a new initialisation", () => {
    const encoder = encodeLines(stream, setup());
    encoder.line('{"observers":[5],"players":{"5":[0,3200,3201]}}');
    expect(print(encoder.line('{"players":{}}'))).toEqual({ packets: {} });
    const back = print(encoder.line('{"players":{"5":[1,100,100]}}')) as Record<string, object>;
    expect(Object.keys(back)).toEqual(["init", "packets"]);
  });

  it("takes what decode prints: the same players and masks come out", () => {
    const options = { revision: "206" };
    const world = new PlayerInfoWorld({ dialect: "client", seed: 9, demo: true, revision: revision206 });
    for (let player = 1; player <= 40; player++) world.join(player, { account: "a", name: "a" }, 0);
    for (let tick = 1; tick <= 30; tick++) world.tick(tick * 600);
    const lines = world.takeEffects().flatMap((effect): readonly object[] => {
      if (effect.effect !== "send" || effect.to !== 7) return [];
      const { message } = effect;
      if (message?.message === "playerInfoInit") return [{ localIndex: 7, initHex: formatHex(message.value.bytes) }];
      return message?.message === "playerInfo" ? [{ hex: formatHex(message.value.bytes) }] : [];
    });
    const [decoder, encoder, again] = [decodeLines, encodeLines, decodeLines].map((open) =>
      open(stream, setup(options)),
    );
    for (const line of lines) {
      const decoded = print(decoder?.line(JSON.stringify(line)) ?? []) as Record<string, object>;
      const written = print(encoder?.line(JSON.stringify(decoded)) ?? []) as Record<string, Record<string, string>>;
      const next =
        written.packets === undefined ? { localIndex: 7, initHex: written.init?.[7] } : { hex: written.packets[7] };
      const read = print(again?.line(JSON.stringify(next)) ?? []) as Record<string, object>;
      expect(read.players).toEqual(decoded.players);
      expect(read.masks ?? {}).toMatchObject(decoded.masks ?? {});
    }
  });

  it("carries masks as decode shows them", () => {
    const options = { revision: "206" };
    const encoder = encodeLines(stream, setup(options));
    const decoder = decodeLines(stream, setup(options));
    const line = { observers: [5], players: { 5: [0, 3200, 3201] } };
    const { init } = print(encoder.line(JSON.stringify(line))) as { init: Record<string, string> };
    decoder.line(JSON.stringify({ localIndex: 5, initHex: init[5] }));
    const masks = { 5: { sequence: { id: 7, delay: 0 }, appearance: { data: "0102ff".repeat(12) } } };
    const tick = encoder.line(JSON.stringify({ players: line.players, masks }));
    const { packets } = print(tick) as { packets: Record<string, string> };
    expect(print(decoder.line(JSON.stringify({ hex: packets[5] })))).toMatchObject({ masks });
    const json = decodeLines(stream, setup({ revision: JSON.stringify(maskRevisionJson(revision206)) }));
    json.line(JSON.stringify({ localIndex: 5, initHex: init[5] }));
    expect(print(json.line(JSON.stringify({ hex: packets[5] })))).toMatchObject({ masks });
  });

  it.each([
    ['{"players":{}}', "Cannot write observers: it must be a list of indices"],
    ['{"observers":[1],"players":{}}', "Cannot write observers[0]: there is no such player"],
    ['{"observers":[],"players":{"0":[0,1,1]}}', "Cannot write players.0: it must be an index"],
    ...["5.0", "1e1", "05", " 6", "+6"].map((key) => {
      const line = JSON.stringify({ observers: [], players: { [key]: [0, 1, 1] } });
      return [line, `Cannot write players.${key}: it must be an index in 1..2047, without more`];
    }),
    ['{"observers":[1,1],"players":{"1":[0,1,1]}}', "Cannot write observers[1]: it is in the list already"],
    [
      '{"observers":[],"players":{},"blocks":{}}',
      "Cannot write blocks: there is no such field, only observers, players",
    ],
    ['{"observers":[],"players":{"1":[4,1,1]}}', "Cannot write players.1: it must be [level"],
    ['{"observers":[],"players":{"1":[0,1,1]},"masks":{"1":{"say":{}}}}', "revision none has no such block"],
  ])("refuses %s", (line, message) => {
    const encoder = encodeLines(stream, setup());
    const [result] = encoder.line(line);
    expect((result as { error: WireError }).error.message).toContain(message);
    // And nothing has changed.
    expect(print(encoder.line('{"observers":[],"players":{}}'))).toEqual({ init: {} });
  });
});

describe("inspect", () => {
  it("covers every bit of a packet and of an initialisation", () => {
    const [scenario, tick] = vectors.map((line) => JSON.parse(line));
    for (const hex of [scenario.initHex, tick.hex] as string[]) {
      const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
      const options = { local: "499", init: scenario.initHex as string };
      const [part] = traceStream(stream, bytes, setup(options));
      expect(part?.error).toBeUndefined();
      expect(tilingFault(part?.fields ?? [], bytes.length)).toBeUndefined();
    }
  });

  it("says what would crash the client, at the field", () => {
    const setup206 = setup({ revision: "206", local: "5" });
    const [part] = traceStream(stream, Uint8Array.of(0xc0, 0x7f, 0xf4, 0x01, 0x48, 0x00), setup206);
    expect(part?.error).toBeUndefined();
    expect(part?.fields.at(-1)?.shown).toBe(
      '"H"; would crash the client: the client takes the name from the appearance, which it does not have',
    );
  });

  it("needs nothing but the packet when it comes first", () => {
    const [part] = traceStream(stream, Uint8Array.of(0x90, 0x7f, 0xf4), setup());
    expect(part?.fields.map(({ path, shown }) => `${path} ${shown}`)).toEqual([
      "pass1.player[1].update 1",
      "pass1.player[1].mask 0",
      "pass1.player[1].type walk",
      "pass1.player[1].walk south-west",
      "pass1.padding ignored",
      "pass4.player[2].update 0",
      "pass4.player[2].skip.size 3",
      "pass4.player[2].skip.count 2045",
      "pass4.padding ignored",
    ]);
  });

  it("opens mask blocks to their fields, and flags to the names of the blocks", () => {
    const options = { revision: "206" };
    const encoder = encodeLines(stream, setup(options));
    encoder.line('{"observers":[5],"players":{"5":[0,3200,3201]}}');
    const hits = { hits: [{ type: 16, value: 3, delay: 0 }], bars: [] };
    const blocks = { sequence: { id: 5, delay: 0 }, faceEntity: { target: 32_775 }, hits };
    const tick = encoder.line(JSON.stringify({ players: { 5: [0, 3200, 3201] }, masks: { 5: blocks } }));
    const { packets } = print(tick) as { packets: Record<string, string> };
    const bytes = Uint8Array.from(Buffer.from(packets[5] as string, "hex"));
    const [part] = traceStream(stream, bytes, setup({ ...options, local: "5" }));
    expect(part?.error).toBeUndefined();
    expect(tilingFault(part?.fields ?? [], bytes.length)).toBeUndefined();
    const masks = part?.fields.filter(({ path }) => path.startsWith("masks.player[5].")) ?? [];
    expect(
      masks[0]?.flags
        ?.filter(({ name }) => ["sequence", "hits", "faceEntity"].includes(name))
        .map(({ bitOffset }) => bitOffset - 24),
    ).toHaveLength(3);
    expect(masks.map(({ path, bitOffset, shown }) => `${bitOffset / 8} ${path.slice(16)} ${shown}`)).toEqual([
      "3 flags sequence, hits, faceEntity",
      "4 sequence.id 5",
      "6 sequence.delay 0",
      "7 hits.hits.count 1",
      "8 hits.hits[0].type 16",
      "9 hits.hits[0].value 3",
      "10 hits.hits[0].delay 0",
      "11 hits.bars.count 0",
      "12 faceEntity.target player 7",
    ]);
    const [cut] = traceStream(stream, bytes.subarray(0, 10), setup({ ...options, local: "5" }));
    expect(cut?.error).toMatchObject({ code: "truncated", path: "hits.hits[0].delay", bitOffset: 80 });
    expect(cut?.fields.at(-1)?.path).toBe("masks.player[5].hits.hits[0].value");
  });

  it("reads, traces and writes a flag that has no block", () => {
    const options = { revision: "223" };
    const encoder = encodeLines(stream, setup(options));
    const players = { 5: [0, 3200, 3201] };
    const first = print(encoder.line(JSON.stringify({ observers: [5], players }))) as { init: Record<string, string> };
    const decoder = decodeLines(stream, setup(options));
    decoder.line(JSON.stringify({ localIndex: 5, initHex: first.init[5] }));
    // The pass says that the player has masks; the two bytes of flags are those of the game's server.
    const hex = "c07ff41004";
    const answer = print(decoder.line(JSON.stringify({ hex })));
    expect(answer).toMatchObject({ ok: true, players, masks: { 5: { flag0x400: {} } } });
    const { ok: _, ...line } = answer as JsonObject;
    expect(print(encoder.line(JSON.stringify(line)))).toEqual({ packets: { 5: hex } });
    const [part] = traceStream(stream, Uint8Array.from(Buffer.from(hex, "hex")), setup({ ...options, local: "5" }));
    expect(part?.error).toBeUndefined();
    expect(part?.fields.at(-1)).toMatchObject({ path: "masks.player[5].flags", raw: "1004", shown: "flag0x400" });
  });

  it("never throws: what cannot be read is the trace's error", () => {
    for (const options of [{}, { local: "0" }, { init: "xy" }, { revision: "{" }]) {
      const [part] = traceStream(stream, Uint8Array.of(1), setup(options));
      expect(part?.error).toBeDefined();
    }
  });
});
