/** The packet streams of the game in frames of a revision with a table: what is not theirs passes through by name. */
import { describe, expect, it } from "vitest";
import { decodeLines, type LineResult, traceStream } from "../../inspect/index.ts";
import { formatHex, parseHex } from "../../wire/index.ts";
import type { PacketStream, StreamSetup } from "../packet-stream.ts";
import { osrs } from "./osrs.ts";
import { PlayerInfoEngine } from "./player-info/wire/engine/engine.ts";
import type { MaskRevision } from "./player-info/wire/masks/mask-revision.ts";
import { maskRevisions } from "./wire/revisions.ts";

const { mouse, "player-info": playerInfo } = osrs.streams as { mouse: PacketStream; "player-info": PacketStream };
const setup = (sender: "client" | "server", options: StreamSetup["options"], dialect = "client"): StreamSetup => ({
  dialect,
  sender,
  framed: true,
  options,
});
const print = (results: readonly LineResult[]): unknown[] =>
  results.map((result) => {
    if ("json" in result) return result.json;
    return "text" in result ? JSON.parse(result.text) : { error: result.error.message };
  });

/** Two players who see each other; what the first one is sent. */
function session() {
  const engine = new PlayerInfoEngine({ dialect: "client", revision: maskRevisions.get(239) as MaskRevision });
  engine.add(5, { level: 0, x: 3200, z: 3201 });
  engine.add(6, { level: 0, x: 3201, z: 3201 });
  const init = formatHex(engine.observe(5), { separator: "" });
  const packet = (): string => {
    engine.tick();
    const bytes = engine.packet(5);
    return `1c${bytes.length.toString(16).padStart(4, "0")}${formatHex(bytes, { separator: "" })}`;
  };
  return { engine, init, packet };
}

const index = "80fd0005";
const reconnect = (init: string) => `80ff1200${init}`;
const tail = { worldArea: 399, zoneX: 400, zoneZ: 400 };
/** LE, BE+, BE+. */
const tailHex = "8f01 0110 0110".replaceAll(" ", "");
const activeWorld = "2f000001";
const tickEnd = "53";
const both = { 5: [0, 3200, 3201], 6: [0, 3201, 3201] };

describe("player info in frames of a table", () => {
  it.each([
    ["rebuildNormal", (init: string) => `311206${init}${tailHex}`],
    ["playerInfoInit", reconnect],
  ])("begins at %s, whatever stands between its packets", (name, begin) => {
    const { init, packet, engine } = session();
    const decoder = decodeLines(playerInfo, setup("server", { revision: "239" }));
    const hex = [index, begin(init), activeWorld, packet(), activeWorld, tickEnd].join("");
    const lines = print(decoder.line(hex));
    const value = name === "rebuildNormal" ? { value: { init, ...tail } } : {};
    expect(lines).toMatchObject([
      { message: "playerIndex", index: 5 },
      { message: name, ...value },
      { message: "setActiveWorld", value: { index: 0, level: 1 } },
      { message: "playerInfo", players: both },
      { message: "setActiveWorld" },
      { message: "serverTickEnd", value: {} },
    ]);
    engine.move(6, 3202, 3202);
    // A plain rebuild is no new beginning.
    expect(print(decoder.line(`310006${tailHex}${packet()}`))).toMatchObject([
      { message: "rebuildNormal", value: tail },
      { message: "playerInfo", players: { ...both, 6: [0, 3202, 3202] } },
    ]);
    // A resumed session forgets all, and knows its index.
    const again = session();
    expect(print(decoder.line(`${reconnect(again.init)}${again.packet()}`))).toMatchObject([
      { message: "playerInfoInit" },
      { message: "playerInfo", players: both },
    ]);
  });

  it("without an index is refused, and the stream goes on", () => {
    const { init } = session();
    const decoder = decodeLines(playerInfo, setup("server", { revision: "239" }));
    expect(print(decoder.line(`311206${init}${tailHex}${tickEnd}`))).toEqual([
      { error: expect.stringContaining("no index came before it") },
      { message: "serverTickEnd", value: {} },
    ]);
  });

  it("passes a message that is not described by its name in the table, with its bytes", () => {
    const decoder = decodeLines(playerInfo, setup("server", { revision: "223" }));
    // IF_SETHIDE of 223 has a fixed size, IF_SETTEXT two bytes of it.
    const game = osrs.capabilities.revisions?.table(223);
    const opcodeOf = (name: string) => [...(game?.server ?? [])].find(([, each]) => each.name === name)?.[0] ?? 0;
    const head = (name: string) => opcodeOf(name).toString(16).padStart(2, "0");
    expect(print(decoder.line(`${head("IF_SETTEXT")}0003414243${head("IF_SETHIDE")}0102030405`))).toEqual([
      { message: "IF_SETTEXT", value: { bytes: "414243" } },
      { message: "IF_SETHIDE", value: { bytes: "0102030405" } },
    ]);
  });

  it("is inspected with the memory of the initialisation in a rebuild", () => {
    const { init, packet } = session();
    const bytes = parseHex(`${index}311206${init}${tailHex}${packet()}${tickEnd}`);
    const parts = traceStream(playerInfo, bytes, setup("server", { revision: "239" }));
    expect(parts.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
    expect(parts[1]?.fields.map(({ path }) => path)).toContain("zoneX");
    expect(parts[2]?.fields.length).toBeGreaterThan(3);
  });
});

describe("mouse packets in frames of a table", () => {
  const options = { revision: "239" };
  const small = { form: "small", dt: 5, dx: 1, dy: 0 };

  it("are read by the layout of their opcode, in sessions of their own", () => {
    const decoder = decodeLines(mouse, setup("client", options));
    const lines = print(decoder.line("6e 04 00005860 06 05 0000586002 72 05 6f0c 710d 80".replaceAll(" ", "")));
    expect(lines).toMatchObject([
      { value: { records: [small] } },
      { message: "nativeMouseMove", value: { records: [{ ...small, button: 2 }] } },
      { message: "moveGameClick", value: { x: 3183, z: 3441, keys: 0 } },
    ]);
    const parts = traceStream(mouse, parseHex("6e0400005860060500005860027205 6f0c710d80"), setup("client", options));
    expect(parts.map(({ error, fields }) => [error, fields.length > 2])).toEqual([
      [undefined, true],
      [undefined, true],
      [undefined, true],
    ]);
  });

  it("are written under the opcode of the dialect", () => {
    const value = { header: [0, 0], records: [small] };
    const client = mouse.openWriter(setup("client", options)).write({ value });
    expect(formatHex(client as Uint8Array, { separator: "" })).toBe("6e0400005860");
    const buttons = { header: [0, 0], records: [{ ...small, button: 2 }] };
    const native = mouse.openWriter(setup("client", options, "native")).write({ value: buttons });
    expect(formatHex(native as Uint8Array, { separator: "" })).toBe("06050000586002");
  });
});
