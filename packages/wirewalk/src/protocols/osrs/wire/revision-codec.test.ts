import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatHex, type JsonObject, parseHex } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import type { PayloadCodec, Side } from "../../codec.ts";
import type { RevisionTable } from "../../revisions.ts";
import { osrs } from "../osrs.ts";
import { frameOsrs, OsrsDeframer } from "./framing.ts";
import { OpcodeCipher } from "./isaac.ts";
import { plainJson } from "./plain-json.ts";
import { revisionTable, tableRevisions } from "./tables/revision-table.ts";

const sides = ["client", "server"] as const;
const gameOf = (revision: number) => osrs.capabilities.settings?.configure({ revision }) ?? osrs;
const codecOf = (revision: number, dialect = "client"): PayloadCodec => gameOf(revision).codec(dialect) as PayloadCodec;
const tableOf = (revision: number): RevisionTable => revisionTable(revision) as RevisionTable;
const hexOf = (bytes: Uint8Array): string => formatHex(bytes, { separator: "" });

/** Reads bytes of a message and gives its value; writes it again and compares. */
function readBothWays(revision: number, sender: Side, hex: string, message: string): unknown {
  const codec = codecOf(revision);
  const payload = parseHex(hex);
  const read = codec.read(sender, payload);
  expect(read.message).toBe(message);
  expect(hexOf(codec.write(sender, read))).toBe(hexOf(payload));
  const json = codec.toJson(sender, read);
  expect(hexOf(codec.write(sender, codec.fromJson(sender, json)))).toBe(hexOf(payload));
  expect(json.value).toEqual(plainJson(read.value));
  const trace = codec.trace(sender, payload);
  expect(trace.error).toBeUndefined();
  expect(trace.message).toEqual(read);
  return read.value;
}

/** Opcodes of messages that have two: those of the older form. */
const older: Readonly<Record<number, readonly (readonly [id: number, name: string])[]>> = {
  229: [[70, "setActiveWorld"]],
  230: [[55, "setActiveWorld"]],
  237: [[79, "rebuildNormal"]],
};

describe("every message of a table", () => {
  it.each(tableRevisions)("%i has a name, is read and written, and says whether it is described", (revision) => {
    const codec = codecOf(revision);
    const names = new Map(codec.messages.map(({ sender, id, message }) => [`${sender} ${id}`, message]));
    for (const [id, name] of older[revision] ?? []) names.set(`server ${id}`, name);
    for (const sender of sides) {
      for (const [opcode, { name, size }] of tableOf(revision)[sender]) {
        const message = names.get(`${sender} ${opcode}`);
        const undescribed = codec.undescribed?.(sender, Uint8Array.of(opcode));
        // A camel-case name is that of a described message, one in capitals the table's.
        expect(undescribed).toBe(message === name ? name : undefined);
        if (undescribed === undefined) {
          expect(message).toMatch(/^[a-z]/);
          continue;
        }
        const payload = new Uint8Array(1 + (typeof size === "number" ? size : 3)).fill(7);
        payload[0] = opcode;
        const read = codec.read(sender, payload);
        expect(read).toEqual({ message: name, value: { bytes: payload.slice(1) } });
        expect(codec.write(sender, read)).toEqual(payload);
      }
    }
    // With the client's own index, and each opcode of the tables once.
    const { client, server } = tableOf(revision);
    expect(names.size).toBe(client.size + server.size + 1);
    const distinct = new Set(codec.messages.map(({ sender, message }) => `${sender} ${message}`));
    expect(distinct.size).toBe(codec.messages.length);
  });

  it("refuses an opcode that the revision does not have by revision and opcode", () => {
    const error = wireErrorOf(() => codecOf(239).read("client", Uint8Array.of(200)));
    expect(error).toMatchObject({ code: "unknown-message", path: "opcode" });
    expect(error?.message).toBe("Cannot read opcode: 200 is no message of revision 239 at byte 0");
    expect(codecOf(239).undescribed?.("client", Uint8Array.of(200))).toBeUndefined();
    expect(codecOf(239).undescribed?.("client", new Uint8Array())).toBeUndefined();
  });

  it("leaves the game without a table as it was", () => {
    const codec = osrs.codec("client") as PayloadCodec;
    expect(codec.messages.map(({ message, id }) => [message, id])).toEqual([
      ["mouseMove", 34],
      ["playerIndex", 1],
      ["playerInfoInit", 2],
      ["playerInfo", 3],
    ]);
    expect(codec.undescribed?.("client", Uint8Array.of(34))).toBeUndefined();
  });
});

describe("a message in the form of a revision", () => {
  it.each<[revision: number, hex: string, value: object]>([
    // The first is from the game: the observer stands at 3185, 3436.
    [223, "38 710d 00 0cef", { x: 3183, z: 3441, keys: 0 }],
    [224, "1b 01 710d 0c6f", { x: 3183, z: 3441, keys: 1 }],
    [225, "3f 0d71 7f ef0c", { x: 3183, z: 3441, keys: 1 }],
    [226, "19 81 ef0c 0df1", { x: 3183, z: 3441, keys: 1 }],
    [231, "45 ff 6f0c f10d", { x: 3183, z: 3441, keys: 1 }],
    [238, "6f 710d 0c6f fe", { x: 3183, z: 3441, keys: 2 }],
    [240, "66 f10d ff ef0c", { x: 3183, z: 3441, keys: 1 }],
    [241, "37 80 0df1 0cef", { x: 3183, z: 3441, keys: 0 }],
  ])("click into the scene, %i: %s", (revision, hex, value) => {
    expect(readBothWays(revision, "client", hex, "moveGameClick")).toEqual(value);
  });

  it("click on the small map: five bytes of it never change", () => {
    const hex = "43 6f0c 710d 80 5a 64 0400 39000059 6380 7123 3f";
    const value = { x: 3183, z: 3441, keys: 0, mapX: 90, mapY: 100, cameraAngle: 1024, fineX: 25_472, fineZ: 28_963 };
    expect(readBothWays(239, "client", hex, "moveMinimapClick")).toEqual(value);
    const wrong = parseHex(hex.replace("39000059", "39000058"));
    expect(wireErrorOf(() => codecOf(239).read("client", wrong))).toMatchObject({ code: "bad-value" });
  });

  it.each<[revision: number, hex: string, message: string, value: object]>([
    [223, "12 00c9 0102 0090", "mouseClick", { timeAndButton: 201, x: 258, y: 144 }],
    [240, "00 00c9 0102 0090", "mouseClick", { timeAndButton: 201, x: 258, y: 144 }],
    [232, "3f 0201 4900 05 1000", "mouseClickV2", { x: 258, timeAndButton: 201, code: 5, y: 144 }],
    [239, "23 0182 4900 0010 7b", "mouseClickV2", { x: 258, timeAndButton: 201, y: 144, code: 5 }],
    [241, "1b 1000 8201 0049 fb", "mouseClickV2", { y: 144, x: 258, timeAndButton: 201, code: 5 }],
    [223, "5e 9000 0201 7b 4900", "nativeMouseClick", { y: 144, x: 258, code: 5, sinceLast: 201 }],
    [224, "05 0090 0102 c900 05", "nativeMouseClick", { y: 144, x: 258, code: 5, sinceLast: 201 }],
    [226, "47 0201 9000 85 00c9", "nativeMouseClick", { y: 144, x: 258, code: 5, sinceLast: 201 }],
    [227, "4a 0102 0090 00c9 fb", "nativeMouseClick", { y: 144, x: 258, code: 5, sinceLast: 201 }],
  ])("mouse button, %i: %s", (revision, hex, message, value) => {
    expect(readBothWays(revision, "client", hex, message)).toEqual(value);
  });

  it("a native click of 232 to 237 has a name and bytes: nobody has published its order", () => {
    expect(codecOf(234).undescribed?.("client", Uint8Array.of(24))).toBe("EVENT_NATIVE_MOUSE_CLICK");
  });

  const init = "0c71b5ac".padEnd(9216, "0");
  const key = "000000010000000200000003ffffffff";
  it.each<[revision: number, hex: string, value: object]>([
    [223, "62 0081 010e ad01 0000", { worldArea: 1, zoneX: 398, zoneZ: 429, keys: [] }],
    [224, `07 ad01 8100 010e 0001${key}`, { worldArea: 1, zoneX: 398, zoneZ: 429, keys: [[1, 2, 3, -1]] }],
    [236, "22 01ad 0e01 ffff 0000", { worldArea: -1, zoneX: 398, zoneZ: 429, keys: [] }],
    [237, "64 0001 8e01 ad01", { worldArea: 1, zoneX: 398, zoneZ: 429 }],
    [237, "4f 8100 8e01 012d 0000", { worldArea: 1, zoneX: 398, zoneZ: 429, keys: [] }],
    [239, "31 0100 012d 010e", { worldArea: 1, zoneX: 398, zoneZ: 429 }],
    [240, "27 2d01 8100 0e01", { worldArea: 1, zoneX: 398, zoneZ: 429 }],
    [241, "60 01ad 8e01 0001", { worldArea: 1, zoneX: 398, zoneZ: 429 }],
  ])("map around the observer, %i: %s, with the initialisation and without", (revision, hex, value) => {
    expect(readBothWays(revision, "server", hex, "rebuildNormal")).toEqual(value);
    const withInit = hex.slice(0, 2) + init + hex.slice(2);
    expect(readBothWays(revision, "server", withInit, "rebuildNormal")).toEqual({ init: parseHex(init), ...value });
  });

  it("map around the observer in a revision that is not known: the initialisation, and the rest", () => {
    const game = osrs.capabilities.revisions?.withTable({
      revisions: {
        242: {
          fromServer: { PLAYER_INFO: [1, -2], REBUILD_NORMAL_V2: [2, -2] },
          fromClient: { EVENT_MOUSE_MOVE: [3, -1], MOVE_GAMECLICK: [4, -1] },
        },
      },
    });
    const codec = game?.capabilities?.settings?.configure({ revision: 242 }).codec("client") as PayloadCodec;
    const rest = Uint8Array.of(1, 2, 3, 4, 5, 6);
    expect(codec.read("server", Uint8Array.of(2, ...rest))).toEqual({ message: "rebuildNormal", value: { rest } });
    const long = Uint8Array.of(2, ...parseHex(init), ...rest);
    const read = codec.read("server", long);
    expect(read).toEqual({ message: "rebuildNormal", value: { init: parseHex(init), rest } });
    expect(codec.write("server", read)).toEqual(long);
    expect(codec.undescribed?.("client", Uint8Array.of(4))).toBe("MOVE_GAMECLICK");
  });

  it.each<[revision: number, hex: string, message: string, value: object]>([
    [223, "82 00 0000 00", "setActiveWorld", { type: 0, index: 0, level: 0 }],
    [229, "46 01 0005 02", "setActiveWorld", { type: 1, index: 5, level: 2 }],
    [229, "7f ffff 01", "setActiveWorld", { index: -1, level: 1 }],
    [239, "2f 0000 01", "setActiveWorld", { index: 0, level: 1 }],
    [239, "53", "serverTickEnd", {}],
    [239, "5d 0102", "packetGroupStart", { bytes: 258 }],
    [239, "fd 01f3", "playerIndex", { index: 499 }],
    [239, "1c 007ff4", "playerInfo", { bytes: parseHex("007ff4") }],
    [239, `ff ${init}`, "playerInfoInit", { bytes: parseHex(init) }],
  ])("server, %i: %s", (revision, hex, message, value) => {
    // 229 has SET_ACTIVE_WORLD_V2 at its own opcode.
    const [first = ""] = hex.split(" ");
    const opcode =
      first === "7f" ? [...tableOf(229).server].find(([, { name }]) => name === "SET_ACTIVE_WORLD_V2")?.[0] : undefined;
    const given = opcode === undefined ? hex : hex.replace(first, opcode.toString(16).padStart(2, "0"));
    expect(readBothWays(revision, "server", given, message)).toEqual(value);
  });
});

describe("the layout of a mouse packet", () => {
  const [client, native] = ["6e 0000 5860", "06 0000 5860 02"].map(parseHex) as [Uint8Array, Uint8Array];

  it.each(["client", "native"])("follows from its opcode, whatever the dialect: %s", (dialect) => {
    const codec = codecOf(239, dialect);
    const record = { form: "small", dt: 5, x: 1, y: 0, outside: false };
    const moves = codec.read("client", client);
    expect(moves).toMatchObject({ message: "mouseMove", value: { records: [{ ...record, button: 0 }] } });
    const buttons = codec.read("client", native);
    expect(buttons).toMatchObject({ message: "nativeMouseMove", value: { records: [{ ...record, button: 2 }] } });
    expect(codec.write("client", moves)).toEqual(client);
    expect(codec.write("client", buttons)).toEqual(native);
    expect(codec.fromJson("client", codec.toJson("client", buttons) as JsonObject)).toEqual(buttons);
    for (const payload of [client, native]) {
      expect(codec.trace("client", payload).fields.some(({ shown }) => shown?.includes("ms") === true)).toBe(true);
    }
  });
});

const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 });

describe("frames of a table", () => {
  it.each(tableRevisions)("%i: every message of both sides, with ciphers and without, split anywhere", (revision) => {
    for (const sender of sides) {
      const table = tableOf(revision)[sender];
      const sizes = new Map([...table].map(([opcode, { size }]) => [opcode, size]));
      const payloads = [...table].map(([opcode, { size }]) => {
        const payload = new Uint8Array(1 + (typeof size === "number" ? size : opcode)).fill(opcode ^ 0x5a);
        payload[0] = opcode;
        return payload;
      });
      for (const seed of [undefined, [1, 2, 0xffff_ffff, revision]]) {
        fc.assert(
          fc.property(cuts, (widths) => {
            const isSmart = sender === "server";
            const carriage = () => ({
              revision,
              ...(seed === undefined ? { isSmart } : { cipher: new OpcodeCipher(sender, seed) }),
            });
            const sent = carriage();
            const stream = Uint8Array.from(payloads.flatMap((payload) => [...frameOsrs(sizes, payload, sent)]));
            let deframer = new OsrsDeframer(sizes, carriage());
            const read: Uint8Array[] = [];
            for (let at = 0, turn = 0; at < stream.length; turn++) {
              const width = widths[turn % widths.length] as number;
              deframer.push(stream.subarray(at, at + width));
              at += width;
              // A saved deframer goes on where it was, also within an opcode of two bytes.
              const next = new OsrsDeframer(sizes, carriage());
              next.restore(structuredClone(deframer.save()));
              expect(next.pending).toBe(deframer.pending);
              deframer = next;
              for (let payload = deframer.next(); payload !== undefined; payload = deframer.next()) read.push(payload);
            }
            expect(read.length).toBe(payloads.length);
            expect(read).toEqual(payloads);
            expect(deframer.pending).toBe(0);
          }),
          { numRuns: 3 },
        );
      }
    }
  });

  it("have opcodes from 128 on in two bytes, of the server alone", () => {
    const { openChannel, codec } = gameOf(239);
    const server = openChannel({ side: "server", dialect: "client", carrier: "stream" });
    const index = codec("client").write("server", { message: "playerIndex", value: { index: 499 } });
    expect(hexOf(server.frame(index))).toBe("80fd01f3");
    const client = openChannel({ side: "client", dialect: "client", carrier: "stream" });
    // Worked example of the recordings sheet: 600 ms of player info, then a mouse packet.
    client.push(parseHex("1c 0003 007ff4 80fd01f3"));
    expect(client.next()?.message).toEqual({ message: "playerInfo", value: { bytes: parseHex("007ff4") } });
    expect(client.next()?.message).toEqual({ message: "playerIndex", value: { index: 499 } });
    server.push(parseHex("6e 04 00005860"));
    expect(server.next()?.message?.message).toBe("mouseMove");
    server.push(parseHex("c8"));
    expect(wireErrorOf(() => server.next())?.message).toBe(
      "Cannot read opcode: 200 is no message of revision 239 at byte 6",
    );
  });
});
