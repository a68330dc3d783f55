import { describe, expect, it } from "vitest";
import { parseHex } from "../../wire/index.ts";
import type { LineOptions, LineResult } from "../line-tools.ts";
import { scrapLines } from "./lines.ts";

const options = (more: Partial<LineOptions> = {}): LineOptions => ({
  dialect: "documented",
  direction: "client",
  framed: false,
  flags: {},
  ...more,
});
const decoded = (line: string, more: Partial<LineOptions> = {}): LineResult | undefined =>
  scrapLines.decoder(options(more)).line(line)[0];
const encoded = (json: object, more: Partial<LineOptions> = {}): LineResult | undefined =>
  scrapLines.encoder(options(more)).line(JSON.stringify(json))[0];
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
      for (const direction of ["client", "server"] as const) {
        expect(encoded({ ok: true, ...jsonOf(decoded(hex, { direction })) }, { direction })).toEqual({ text: hex });
      }
    }
  });

  it("is strict, unless lenient", () => {
    const odd = "1e8f0000303904400040";
    expect(error(decoded(odd))).toMatchObject({ code: "bad-value", path: "token" });
    expect(jsonOf(decoded(odd, { flags: { lenient: true } }))).toEqual(jsonOf(decoded(walking)));
  });

  it("with --body is the body of the side's packet", () => {
    const body = { flags: { body: true } };
    expect(jsonOf(decoded("0000303904400040", body))).toEqual(jsonOf(decoded(walking)));
    expect(encoded(jsonOf(decoded(walking)), body)).toEqual({ text: "0000303904400040" });
    const server = { ...body, direction: "server" } as const;
    expect(jsonOf(decoded("000000100000303900", server))).toEqual(jsonOf(decoded(nobody)));
    expect(encoded(jsonOf(decoded(nobody)), server)).toEqual({ text: "000000100000303900" });
    expect(error(encoded(jsonOf(decoded(nobody)), body))).toMatchObject({ code: "bad-value" });
    expect(error(decoded("0000303904400040ff", body))).toMatchObject({ code: "trailing" });
    expect(error(decoded("000030390440004", body))).toMatchObject({ code: "bad-hex" });
    expect(error(decoded("00003039e4400040", body))).toMatchObject({ code: "bad-value", path: "keys" });
    expect(jsonOf(decoded("00003039e4400040", { flags: { body: true, lenient: true } }))).toEqual(
      jsonOf(decoded(walking)),
    );
  });

  it("with --no-count-byte has updates up to the end", () => {
    const flags = { countByte: false };
    expect(jsonOf(decoded("18800000001000003039", { flags }))).toEqual(jsonOf(decoded(nobody)));
    expect(encoded(jsonOf(decoded(nobody)), { flags })).toEqual({ text: "18800000001000003039" });
  });

  it("with --framed is a piece of a stream", () => {
    const decoder = scrapLines.decoder(options({ framed: true }));
    expect(decoder.line(`000a${walking}000a1e80`)).toHaveLength(1);
    expect(decoder.line(walking.slice(4))).toHaveLength(1);
    expect(decoder.end()).toEqual([]);
    expect(encoded(jsonOf(decoded(walking)), { framed: true })).toEqual({ text: `000a${walking}` });
  });
});

describe("a trace", () => {
  it("shows the body's fields where they lie in the packet", () => {
    const [part, ...more] = scrapLines.trace(parseHex(walking), options());
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
    const [block, body] = scrapLines.trace(packet, options({ direction: "server" }));
    expect(block?.fields.some(({ path }) => path === "block[0].offset")).toBe(true);
    expect(body?.title).toBe("The body that came out of the block");
    expect(body?.bytes).toHaveLength(9 + 3 * 23);
    expect(body?.fields.map(({ path }) => path)).toContain("updates[2].position.z");
    expect(body?.error).toBeUndefined();
  });

  it("of a bare body counts from the body", () => {
    const [part] = scrapLines.trace(parseHex("0000303904400040"), options({ flags: { body: true } }));
    expect(part?.fields.map(({ path, bitOffset }) => [path, bitOffset])).toEqual([
      ["tick", 0],
      ["keys", 32],
      ["direction", 40],
      ["yaw", 48],
      ["pitch", 56],
    ]);
    const server = options({ direction: "server", flags: { body: true } });
    expect(scrapLines.trace(parseHex("000000100000303901"), server)[0]?.error).toMatchObject({ code: "truncated" });
  });
});
