import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import type { NetworkConditions } from "../../net/index.ts";
import { scaled } from "../../testing/scale.ts";
import { simulate } from "../../testing/simulation.ts";
import { formatHex, type JsonObject, parseHex, tilingFault } from "../../wire/index.ts";
import { wireErrorOf } from "../../wire/testing/check-layout.ts";
import { exportsIn, findExamples, runExample } from "../../wire/testing/run-examples.ts";
import type { PlayableProtocol } from "../protocol.ts";
import type { MouseMoveMessage } from "./mouse/wire/message.ts";
import { osrs } from "./osrs.ts";
import type { PlayerInfoServerMessage } from "./player-info/wire/message.ts";

const small = Uint8Array.of(34, 0, 0, 0x58, 0x60);

describe("the game's channel", () => {
  const ends = (carrier: "stream" | "message", dialect = "client") => ({
    client: osrs.openChannel({ side: "client", dialect, carrier }),
    server: osrs.openChannel({ side: "server", dialect, carrier }),
  });

  it("carries a packet as opcode, size and body over a stream, as opcode and body in a message", () => {
    const message = osrs.codec("client").read("client", small);
    expect(ends("stream").client.write(message)).toEqual(Uint8Array.of(34, 4, 0, 0, 0x58, 0x60));
    expect(ends("message").client.write(message)).toEqual(small);
  });

  it.each(["stream", "message"] as const)("reads at one end what the other wrote: %s", (carrier) => {
    const { client, server } = ends(carrier);
    const message = osrs.codec("client").read("client", small);
    server.push(client.write(message));
    expect(server.next()).toEqual({ payload: small, message });
    expect(server.next()).toBeUndefined();
  });

  it("skips a packet without a header, and loses its place at an opcode that it does not know", () => {
    const { server } = ends("stream");
    server.push(Uint8Array.of(34, 1, 0, 34, 4, 0, 0, 0x58, 0x60, 35));
    expect(server.next()?.error?.code).toBe("truncated");
    expect(server.next()?.message?.value.records).toHaveLength(1);
    expect(wireErrorOf(() => server.next())?.code).toBe("unknown-message");
  });

  const sent: readonly [PlayerInfoServerMessage, string][] = [
    [{ message: "playerIndex", value: { index: 499 } }, "01 01f3"],
    [{ message: "playerInfoInit", value: { bytes: new Uint8Array(4608).fill(0xab) } }, `02 ${"ab".repeat(4608)}`],
    [{ message: "playerInfo", value: { bytes: Uint8Array.of(0xaf, 0x7f, 0xf4) } }, "03 0003 af7ff4"],
    [{ message: "playerInfo", value: { bytes: new Uint8Array(40_000) } }, `03 9c40 ${"00".repeat(40_000)}`],
  ];

  it("carries the server's messages, with a size only where the opcode has no fixed one", () => {
    const { client, server } = ends("stream");
    for (const [message, hex] of sent) {
      const frame = server.write(message);
      expect(formatHex(frame, { separator: "" })).toBe(hex.replaceAll(" ", ""));
      client.push(frame.subarray(0, 2));
      expect(client.next()).toBeUndefined();
      client.push(frame.subarray(2));
      expect(client.next()?.message).toEqual(message);
    }
    expect(client.pendingBytes).toBe(0);
  });

  it("carries the same as whole messages, with an opcode alone", () => {
    const { client, server } = ends("message");
    for (const [message] of sent) {
      const payload = server.write(message);
      client.push(payload);
      expect(client.next()).toEqual({ payload, message });
    }
  });
});

it("has no login, in no dialect", () => {
  expect(osrs.capabilities.login).toBeUndefined();
});

it("refuses an unknown dialect by the names that it has", () => {
  expect(() => osrs.codec("java")).toThrow("Unknown dialect java of osrs: it has client, native, documented");
});

describe("the server's messages", () => {
  const codec = osrs.codec("client");

  it.each([
    ["an index over 2047", "010800", "bad-value"],
    ["an index of 0", "010000", "bad-value"],
    ["an index cut", "0105", "truncated"],
    ["an index and more", "01000100", "trailing"],
    ["a short initialisation", `02${"00".repeat(4607)}`, "truncated"],
    ["a long initialisation", `02${"00".repeat(4609)}`, "trailing"],
    ["a packet over the client's buffer", `03${"00".repeat(40_001)}`, "limit"],
    ["an opcode of the other side", "2200005860", "unknown-message"],
    ["nothing", "", "truncated"],
  ])("is refused when it is %s", (_, hex, code) => {
    const payload = parseHex(hex);
    expect(wireErrorOf(() => codec.read("server", payload))?.code).toBe(code);
    expect(codec.trace("server", payload).error?.code).toBe(code);
  });

  it("goes through JSON, with bytes as hex", () => {
    const json = { message: "playerInfo", value: { bytes: "af7ff4" } };
    expect(codec.toJson("server", codec.fromJson("server", json))).toEqual(json);
    const index = { message: "playerIndex", value: { index: 7 } };
    expect(codec.toJson("server", codec.fromJson("server", index))).toEqual(index);
  });

  it.each([
    [{ message: "playerIndex", value: { index: 2048 } }, "index"],
    [{ message: "playerIndex", value: { index: "7" } }, "index"],
    [{ message: "playerIndex", value: { index: 7, name: "a" } }, "name"],
    [{ message: "playerInfo", value: { bytes: 7 } }, "bytes"],
    [{ message: "playerInfo", value: { bytes: "0" } }, "bytes"],
    [{ message: "playerInfo", value: { bytes: "00", more: 1 } }, "more"],
    [{ message: "playerInfo" }, "value"],
    [{ message: "playerInfo", value: {} }, "bytes"],
    [{ message: "playerInfoInit", value: { bytes: "00" } }, "bytes"],
    [{ message: "toString", value: { bytes: "00" } }, "message"],
    [{ message: "mouseMove", value: { bytes: "00" } }, "message"],
  ])("is refused by the field that is wrong: %j", (json, path) => {
    expect(wireErrorOf(() => codec.fromJson("server", json as unknown as JsonObject))).toMatchObject({ path });
  });

  it("is traced to the last bit, and no further than a payload alone tells", () => {
    const world = osrs.createWorld({ dialect: "client", seed: 1 });
    world.join(1, { account: "a", name: "a" }, 0);
    world.tick(600);
    const shown = world.takeEffects().flatMap((effect) => {
      if (effect.effect !== "send") return [];
      const payload = codec.write("server", effect.message as PlayerInfoServerMessage);
      const { fields, error } = codec.trace("server", payload);
      expect(error).toBeUndefined();
      expect(tilingFault(fields, payload.length)).toBeUndefined();
      return [fields.map(({ path }) => path)];
    });
    expect(shown).toEqual([
      ["opcode", "index"],
      ["opcode", "level", "x", "z", "quarters", "padding"],
      ["opcode", "bytes"],
    ]);
  });
});

describe("opcodes", () => {
  it("are those of the settings", () => {
    const other = osrs.capabilities.settings?.configure({ mouseOpcode: 90 });
    const message = osrs.codec("client").read("client", small);
    expect(other?.capabilities?.settings?.values.mouseOpcode?.default).toBe(90);
    expect(other?.codec("client").write("client", message)).toEqual(Uint8Array.of(90, 0, 0, 0x58, 0x60));
    expect(wireErrorOf(() => other?.codec("client").read("client", small))?.code).toBe("unknown-message");
  });

  it.each([
    [{ mouseOpcode: 256 }, "osrs.mouseOpcode must be an opcode from 0 to 255, got 256"],
    [{ playerInfoOpcode: -1 }, "osrs.playerInfoOpcode must be an opcode from 0 to 255, got -1"],
    [{ mouseOpcode: 1.5 }, "osrs.mouseOpcode must be an opcode"],
    [{ walkOpcode: 1 }, "osrs has no setting walkOpcode"],
    [{ toString: 1 }, "osrs has no setting toString"],
    [{ playerInfoOpcode: 2 }, "osrs.playerInfoInitOpcode and osrs.playerInfoOpcode are both 2: a server sends both"],
    [{ revision: 207 }, "osrs.revision must be one of 0, 206, 223 to 241, got 207"],
  ])("are bytes of messages that exist, and one for each: %o is refused", (settings, sentence) => {
    expect(() => osrs.capabilities.settings?.configure(settings as unknown as Record<string, number>)).toThrow(
      expect.objectContaining({ name: "RangeError", message: expect.stringContaining(sentence) }),
    );
  });

  it("of different senders may be the same, and both may be exchanged", () => {
    const other = osrs.capabilities.settings?.configure({
      mouseOpcode: 3,
      playerIndexOpcode: 2,
      playerInfoInitOpcode: 1,
    });
    const codec = other?.codec("client");
    expect(codec?.write("server", { message: "playerIndex", value: { index: 7 } })).toEqual(Uint8Array.of(2, 0, 7));
    expect(codec?.read("client", Uint8Array.of(3, 0, 0, 0x58, 0x60)).message).toBe("mouseMove");
  });
});

describe("hands at their mice, through bad networks", () => {
  const conditions: NetworkConditions = {
    latencyMs: { low: 20, high: 240 },
    jitterMs: 60,
    stall: { everyMs: 30_000, durationMs: 2000 },
  };
  const count = scaled(12, 3);
  const play = (
    cheat: string,
    dialect = "client",
    game: PlayableProtocol<MouseMoveMessage, PlayerInfoServerMessage> = osrs,
  ) => {
    const random = createRandom(7);
    const bots = Array.from({ length: count }, (_, number) => ({
      bot: game.bots.create({ dialect, random: random.fork(), number, cheat, part: "mouse" }),
      joining: { account: `a${number}`, name: `mouse ${number}` },
      startMs: number * 50,
      listens: false,
    }));
    const world = { dialect, seed: 1 };
    return simulate({ protocol: game, world, seed: 7, durationMs: 180_000, conditions, bots });
  };

  it.each(["client", "native", "documented"])(
    "no player is suspected in a revision with a table either: %s",
    (dialect) => {
      const { verdicts, refused, received } = play(
        "none",
        dialect,
        osrs.capabilities.settings?.configure({ revision: 239 }),
      );
      expect(verdicts.filter(({ kind }) => kind !== "accept" && kind !== "benign")).toEqual([]);
      expect(refused).toBe(0);
      expect(received).toBeGreaterThan(count * 40);
    },
  );

  it.each(["client", "native", "documented"])("no player who plays by hand is suspected: %s", (dialect) => {
    const { verdicts, bans, refused, received } = play("none", dialect);
    expect(verdicts.filter(({ kind }) => kind !== "accept" && kind !== "benign")).toEqual([]);
    expect([bans.length, refused]).toEqual([0, 0]);
    expect(received).toBeGreaterThan(count * 40);
  });

  it.each(osrs.bots.cheats)("%s is found, by evidence alone", (cheat) => {
    const { verdicts, bans } = play(cheat);
    const flagged = new Set(verdicts.filter(({ kind }) => kind === "flag").map(({ player }) => player));
    expect(flagged.size).toBe(count);
    expect(verdicts.every(({ kind }) => kind === "flag" || kind === "benign")).toBe(true);
    expect(bans).toEqual([]);
    // The evidence is the packet as it was carried, which the codec opens again.
    for (const { message } of verdicts) expect(osrs.codec("client").trace("client", message).error).toBeUndefined();
  });
});

it.each(["index.ts", "wire/framing.ts", "bots/bot.ts", "world/world.ts"])("the example of %s is true", async (file) => {
  const game = await exportsIn(new URL(".", import.meta.url));
  for (const example of findExamples(readFileSync(new URL(file, import.meta.url), "utf8")))
    runExample(example, { createRandom, ...game });
});
