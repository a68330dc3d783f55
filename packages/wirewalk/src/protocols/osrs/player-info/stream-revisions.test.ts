import { describe, expect, it } from "vitest";
import { decodeLines, encodeLines, type LineResult, traceStream } from "../../../inspect/index.ts";
import { formatHex, parseHex } from "../../../wire/index.ts";
import type { PacketStream, StreamSetup } from "../../packet-stream.ts";
import { osrs } from "../osrs.ts";
import { revisionTable } from "../wire/tables/revision-table.ts";
import { knownRevisions } from "./wire/masks/named-revisions.ts";

const stream = osrs.streams["player-info"] as PacketStream;
const setup = (options: StreamSetup["options"] = {}, framed = false): StreamSetup => ({
  dialect: "client",
  sender: "server",
  framed,
  options,
});

function print([result]: readonly LineResult[]): Record<string, unknown> {
  if (result === undefined) throw new Error("no answer");
  if ("json" in result) return { ok: true, ...result.json };
  return "text" in result ? JSON.parse(result.text) : { ok: false, error: JSON.parse(JSON.stringify(result.error)) };
}

/** An initialisation for player 5, and a packet of a revision with some of its blocks. */
function packetOf(revision: string, blocks: object): { init: string; packet: string } {
  const encoder = encodeLines(stream, setup({ revision }));
  const players = { 5: [0, 3200, 3201] };
  const { init } = print(encoder.line(JSON.stringify({ observers: [5], players }))) as { init: Record<string, string> };
  const { packets } = print(encoder.line(JSON.stringify({ players, masks: { 5: blocks } }))) as {
    packets: Record<string, string>;
  };
  return { init: init[5] as string, packet: packets[5] as string };
}

const names = knownRevisions.map(({ name }) => name);
const look = { appearance: { data: `0102${"00".repeat(46)}ff` } };

const exactMove = { dx1: 0, dz1: 0, dx2: 1, dz2: 2, start: 3, end: 30, angle: 512 };

describe("which revision a packet is of", () => {
  it.each(names)("%s: decode and inspect say so, and why and where the others do not fit", (name) => {
    const { init, packet } = packetOf(name, { ...look, sequence: { id: 808, delay: 1 }, exactMove });
    const decoder = decodeLines(stream, setup({ revision: "all" }));
    decoder.line(JSON.stringify({ localIndex: 5, initHex: init }));
    const answer = print(decoder.line(JSON.stringify({ hex: packet })));
    expect(answer).toMatchObject({ ok: true, fits: [name], fitsAll: [name], masks: { 5: look } });
    const misfits = answer.misfits as Record<string, string>;
    expect(Object.keys(misfits)).toEqual(names.filter((each) => each !== name));
    const [part] = traceStream(stream, parseHex(packet), setup({ local: "5" }));
    expect(part?.notes).toHaveLength(names.length);
    for (const [at, note] of (part?.notes ?? []).entries()) {
      if (names[at] === name) expect(note).toBe(`fits revision ${name}`);
      else expect(note).toMatch(new RegExp(`^not revision ${names[at]}, bit \\d+: Cannot read `));
    }
    const [best] = traceStream(stream, parseHex(packet), setup({ local: "5", revision: "all" }));
    expect(best?.error).toBeUndefined();
  });

  it("packets that fit several leave those that fit all of them", () => {
    const one = packetOf("206", { say: { text: "Hi" }, ...look });
    const decoder = decodeLines(stream, setup({ revision: "all" }));
    decoder.line(JSON.stringify({ localIndex: 5, initHex: one.init }));
    // No masks.
    expect(print(decoder.line('{"hex":"007ff4"}'))).toMatchObject({ fits: names, fitsAll: names });
    const flags = print(decoder.line(JSON.stringify({ hex: one.packet }))) as { fits: string[]; fitsAll: string[] };
    expect(flags.fits).toContain("206");
    expect(flags.fitsAll).toEqual(flags.fits);
    expect(print(decoder.line('{"hex":"007ff4"}'))).toMatchObject({ fits: names, fitsAll: flags.fits });
  });

  it("a packet that fits none is refused where the best of them ends, and changes nothing", () => {
    const { init } = packetOf("206", look);
    const decoder = decodeLines(stream, setup({ revision: "all" }));
    decoder.line(JSON.stringify({ localIndex: 5, initHex: init }));
    expect(print(decoder.line('{"hex":"c07ff4ffffff"}'))).toMatchObject({ ok: false, error: { pass: 5 } });
    expect(print(decoder.line('{"hex":"80"}'))).toMatchObject({ ok: false, error: { pass: 1, index: 5, bit: 4 } });
    expect(print(decoder.line('{"hex":"007ff4"}'))).toMatchObject({ ok: true });
    const encoder = encodeLines(stream, setup({ revision: "all" }));
    expect(print(encoder.line("{}"))).toMatchObject({ ok: false, error: { path: "revision" } });
  });
});

describe("a stream of a revision", () => {
  const tabled = names.map(Number).filter((name) => revisionTable(name) !== undefined);
  const opcodeOf = (name: number, side: "client" | "server", message: string) =>
    [...(revisionTable(name)?.[side] ?? [])].find(([, each]) => each.name === message)?.[0] ?? -1;

  it.each(tabled)("%i has its opcodes, in frames and as a setting", (name) => {
    const playerInfoOpcode = opcodeOf(name, "server", "PLAYER_INFO");
    const configured = osrs.capabilities.settings?.configure({ revision: name });
    const info = configured?.capabilities?.settings?.values ?? {};
    expect(info.playerInfoOpcode?.default).toBe(playerInfoOpcode);
    expect(info.mouseOpcode?.default).toBe(opcodeOf(name, "client", "EVENT_MOUSE_MOVE"));
    expect(info.playerIndexOpcode?.default).toBe(253);
    expect(() => osrs.capabilities.settings?.configure({ revision: name, playerInfoOpcode: 200 })).toThrow(
      `osrs.playerInfoOpcode is ${playerInfoOpcode} in the table of revision ${name}, got 200`,
    );
    const { init, packet } = packetOf(String(name), look);
    const size = (packet.length / 2).toString(16).padStart(4, "0");
    const opcode = playerInfoOpcode.toString(16).padStart(2, "0");
    const decoder = decodeLines(stream, setup({ revision: String(name) }, true));
    const answers = decoder.line(`80fd0005 80ff1200${init} ${opcode}${size}${packet}`).map((each) => print([each]));
    expect(answers).toMatchObject([
      { message: "playerIndex", index: 5 },
      { message: "playerInfoInit" },
      { message: "playerInfo", masks: { 5: look } },
    ]);
    expect(formatHex(parseHex(packet)).slice(0, 8)).toBe("c0 7f f4");
  });

  it("is unknown otherwise", () => {
    expect(() => osrs.capabilities.settings?.configure({ revision: 207 })).toThrow(
      "osrs.revision must be one of 0, 206, 223 to 241, got 207",
    );
  });
});
