/** A game of bytes only is shown as any other: as lines, as fields, among the ways to read packets. */
import { describe, expect, it } from "vitest";
import { messageTable, type Protocol, packetStreams } from "../protocols/index.ts";
import { bytesGame } from "../protocols/testing/fake-bytes.ts";
import { struct, u8 } from "../wire/index.ts";
import {
  decodeLines,
  encodeLines,
  type KnownOfPackets,
  traceStream,
  tryReadings,
  waysToRead,
  worldEngine,
} from "./index.ts";

const [stream] = Object.values(packetStreams(bytesGame));
if (stream === undefined) throw new Error("it has payloads");
const setup = { dialect: "plain", sender: "client", framed: false, options: {} } as const;
const step = { message: "step", value: { x: 258 } };

describe("packets of a game of bytes only", () => {
  it("are lines of text, both ways", () => {
    const [written] = encodeLines(stream, setup).line(JSON.stringify(step));
    expect(written).toEqual({ text: expect.stringMatching(/^..0201$/) as string });
    const text = written !== undefined && "text" in written ? written.text : "";
    expect(decodeLines(stream, setup).line(text)).toEqual([{ json: step }]);
  });

  it("are fields with their places", () => {
    const bytes = stream.openWriter(setup).write(step) as Uint8Array;
    const [part] = traceStream(stream, bytes, setup);
    expect(part?.fields.map(({ path, bitOffset }) => [path, bitOffset])).toEqual([
      [expect.any(String), 0],
      ["x", 8],
    ]);
  });

  it("are found among the games, bare alone", () => {
    const ways = waysToRead([bytesGame], { sender: "client" });
    expect(new Set(ways.map(({ setup: { dialect } }) => dialect))).toEqual(
      new Set(bytesGame.dialects.map(({ name }) => name)),
    );
    expect(ways.filter(({ setup: { framed } }) => framed)).toEqual([]);
    expect(waysToRead([bytesGame], { framed: true })).toEqual([]);
    const bytes = stream.openWriter(setup).write(step) as Uint8Array;
    expect(tryReadings(ways, [bytes])[0]).toMatchObject({
      refused: 0,
      way: { name: "bytes", setup: { dialect: "plain" } },
    });
  });

  it("are not tried as those of a side that sends nothing, unless it is named", () => {
    const rows = [{ sender: "client", id: 1, message: "step", summary: "a step", layout: struct({ x: u8 }) }] as const;
    const codec = messageTable({ dialect: "plain", idName: "type", id: u8, rows });
    const oneSided: Protocol = { ...bytesGame, dialects: bytesGame.dialects.slice(0, 1), codec: () => codec };
    const sendersOf = (known: KnownOfPackets) => waysToRead([oneSided], known).map(({ setup }) => setup.sender);
    expect(sendersOf({})).toEqual(["client"]);
    expect(sendersOf({ sender: "server" })).toEqual(["server"]);
    expect(
      waysToRead([{ ...oneSided, codec: () => messageTable({ dialect: "plain", idName: "type", id: u8, rows: [] }) }]),
    ).toHaveLength(2);
  });

  it.each([
    ["decodeLines", () => decodeLines(stream, { ...setup, framed: true })],
    ["encodeLines", () => encodeLines(stream, { ...setup, framed: true })],
    ["traceStream", () => traceStream(stream, Uint8Array.of(1), { ...setup, framed: true })],
  ])("in frames are refused by %s", (_, read) => {
    expect(read).toThrow("the stream has no channel (openChannel): it cannot be read or written in frames");
  });

  it("play in no engine", () => {
    expect(() => worldEngine(bytesGame as Parameters<typeof worldEngine>[0])).toThrow(
      "bytes has no world (createWorld): it cannot be run as an engine",
    );
  });
});
