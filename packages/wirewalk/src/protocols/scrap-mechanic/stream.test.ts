import { describe, expect, it } from "vitest";
import { decodeLines, encodeLines, type LineResult, traceStream } from "../../inspect/index.ts";
import { parseHex } from "../../wire/index.ts";
import type { StreamSetup } from "../packet-stream.ts";
import { scrapStream } from "./stream.ts";

const setup = (more: Partial<StreamSetup> = {}): StreamSetup => ({
  dialect: "documented",
  sender: "client",
  framed: false,
  options: {},
  ...more,
});
const decoded = (line: string, more: Partial<StreamSetup> = {}): LineResult | undefined =>
  decodeLines(scrapStream, setup(more)).line(line)[0];
const encoded = (json: object, more: Partial<StreamSetup> = {}): LineResult | undefined =>
  encodeLines(scrapStream, setup(more)).line(JSON.stringify(json))[0];
const jsonOf = (result: LineResult | undefined): object => {
  if (result === undefined || !("json" in result)) throw new Error(`no message: ${JSON.stringify(result)}`);
  return result.json;
};
const error = (result: LineResult | undefined): object =>
  result !== undefined && "error" in result ? result.error : {};

const walking = "1e800000303904400040";
const nobody = "1890000000100000303900";

describe("a line", () => {
  it("is a packet, of the side that its id belongs to", () => {
    expect(jsonOf(decoded(walking))).toMatchObject({ message: "playerMovement", value: { tick: 12345 } });
    expect(jsonOf(decoded(nobody))).toMatchObject({ message: "unreliableUpdate", value: { currentTick: 12345 } });
    for (const hex of [walking, nobody]) {
      for (const sender of ["client", "server"] as const) {
        expect(encoded({ ok: true, ...jsonOf(decoded(hex, { sender })) }, { sender })).toEqual({ text: hex });
      }
    }
  });

  it("is strict, unless lenient", () => {
    const odd = "1e8f0000303904400040";
    expect(error(decoded(odd))).toMatchObject({ code: "bad-value", path: "token" });
    expect(jsonOf(decoded(odd, { options: { lenient: true } }))).toEqual(jsonOf(decoded(walking)));
  });

  it("with body is the body of the side's packet", () => {
    const body = { options: { body: true } };
    expect(jsonOf(decoded("0000303904400040", body))).toEqual(jsonOf(decoded(walking)));
    expect(encoded(jsonOf(decoded(walking)), body)).toEqual({ text: "0000303904400040" });
    const server = { ...body, sender: "server" } as const;
    expect(jsonOf(decoded("000000100000303900", server))).toEqual(jsonOf(decoded(nobody)));
    expect(encoded(jsonOf(decoded(nobody)), server)).toEqual({ text: "000000100000303900" });
    expect(error(encoded(jsonOf(decoded(nobody)), body))).toMatchObject({ code: "bad-value" });
    expect(error(decoded("0000303904400040ff", body))).toMatchObject({ code: "trailing" });
    expect(error(decoded("000030390440004", body))).toMatchObject({ code: "bad-hex" });
    expect(error(decoded("00003039e4400040", body))).toMatchObject({ code: "bad-value", path: "keys" });
    expect(jsonOf(decoded("00003039e4400040", { options: { body: true, lenient: true } }))).toEqual(
      jsonOf(decoded(walking)),
    );
  });

  it("without its count has updates up to the end", () => {
    const options = { countByte: false };
    expect(jsonOf(decoded("18800000001000003039", { options }))).toEqual(jsonOf(decoded(nobody)));
    expect(encoded(jsonOf(decoded(nobody)), { options })).toEqual({ text: "18800000001000003039" });
  });

  it("in frames is a piece of a stream", () => {
    const decoder = decodeLines(scrapStream, setup({ framed: true }));
    expect(decoder.line(`000a${walking}000a1e80`)).toHaveLength(1);
    expect(decoder.line(walking.slice(4))).toHaveLength(1);
    expect(decoder.end()).toEqual([]);
    expect(encoded(jsonOf(decoded(walking)), { framed: true })).toEqual({ text: `000a${walking}` });
  });
});

describe("a trace", () => {
  it("shows the body's fields where they lie in the packet", () => {
    const [part, ...more] = traceStream(scrapStream, parseHex(walking), setup());
    expect(more).toEqual([]);
    expect(part?.fields.map(({ path, bitOffset, shown }) => [path, bitOffset, shown])).toEqual([
      ["id", 0, "playerMovement"],
      ["token", 8, "8 literals follow, no match"],
      ["tick", 16, "12345"],
      ["keys", 48, "horizontal"],
      ["direction", 56, "forward"],
      ["yaw", 64, "0° to the left of +Y"],
      ["pitch", 72, "level"],
    ]);
  });

  it("shows a block that is compressed, and then what came out of it", () => {
    const position = { x: 0, y: 0, z: 0 };
    const keys = { jump: false, crawl: false, horizontal: false, sprint: false, aim: false };
    const character = { kind: "character", keys, direction: 0, yaw: 0, pitch: 64, position };
    const updates = [1, 2, 3].map((id) => ({ ...character, id }));
    const result = encoded({ message: "unreliableUpdate", value: { serverTick: 1, currentTick: 2, updates } });
    const packet = parseHex(result !== undefined && "text" in result ? result.text : "");
    const [block, body] = traceStream(scrapStream, packet, setup({ sender: "server" }));
    expect(block?.fields.some(({ path }) => path === "block[0].offset")).toBe(true);
    expect(body?.title).toBe("The body that came out of the block");
    expect(body?.bytes).toHaveLength(9 + 3 * 23);
    expect(body?.fields.map(({ path }) => path)).toContain("updates[2].position.z");
    expect(body?.error).toBeUndefined();
  });

  it("of a bare body counts from the body", () => {
    const [part] = traceStream(scrapStream, parseHex("0000303904400040"), setup({ options: { body: true } }));
    expect(part?.fields.map(({ path, bitOffset }) => [path, bitOffset])).toEqual([
      ["tick", 0],
      ["keys", 32],
      ["direction", 40],
      ["yaw", 48],
      ["pitch", 56],
    ]);
    const server = setup({ sender: "server", options: { body: true } });
    expect(traceStream(scrapStream, parseHex("000000100000303901"), server)[0]?.error).toMatchObject({
      code: "truncated",
    });
  });
});
