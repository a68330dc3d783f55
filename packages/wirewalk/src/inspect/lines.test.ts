import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { carrierFramer, channelName, FramedChannel, type Framer } from "../protocols/framed-channel.ts";
import {
  type Channel,
  type ChannelOptions,
  type MessageCodec,
  payloadStream,
  type Side,
  type StreamSetup,
} from "../protocols/index.ts";
import { type JsonObject, WireError } from "../wire/index.ts";
import { decodeLines, encodeLines, type LineResult } from "./lines.ts";
import { traceStream } from "./trace-stream.ts";

/** Client and server say `{ n }` in one byte of 0..99, turned over on the wire; the server greets. */
interface Say {
  readonly message: "say";
  readonly value: { readonly n: number };
}

const codec: MessageCodec<Say, Say> = {
  messages: [],
  read(_sender: Side, payload: Uint8Array): Say {
    const { message, error } = codec.trace("client", payload);
    if (message === undefined) throw error;
    return message as Say;
  },
  write(_sender: Side, { value }: Say): Uint8Array {
    if (value.n > 99) throw new RangeError(`Cannot write n: must be at most 99, got ${value.n}`);
    return new Uint8Array([value.n]);
  },
  trace(_sender, payload) {
    const raw = payload[0];
    if (raw === undefined || raw > 99)
      return { fields: [], error: new WireError("bad-value", "Cannot read n: no", 0, "n") };
    return {
      fields: [{ path: "n", bitOffset: 0, bitLength: 8, raw, shown: "" }],
      message: { message: "say", value: { n: raw } },
    };
  },
  fromJson(_sender, { message, value }): Say {
    if (message !== "say") throw new WireError("bad-value", "Cannot read message: none", 0, "message");
    return { message, value: { n: Number((value as JsonObject).n) } };
  },
  toJson: (_sender, { message, value }) => ({ message, value: { n: value.n } }),
};

function turn(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte ^ 0xff);
}

function openChannel(options: ChannelOptions): Channel {
  const { side, dialect } = options;
  const cipher = dialect === "ciphered" ? turn : (bytes: Uint8Array) => bytes;
  const plain = carrierFramer("stream", { lengthLayout: "u16le", receiveLimit: 4, sendLimit: 4 });
  const framer: Framer = {
    get pending() {
      return plain.pending;
    },
    push: (bytes) => plain.push(bytes),
    next() {
      const carried = plain.next();
      return carried === undefined ? undefined : cipher(carried);
    },
    frame: (payload) => plain.frame(cipher(payload)),
    save: () => plain.save(),
    restore: (state) => plain.restore(state),
  };
  const greeting = side === "server" ? framer.frame(Uint8Array.of(42)) : undefined;
  const channel = new FramedChannel({ name: channelName("says", options), side, codec: codec as MessageCodec, framer });
  return Object.assign(channel, { handshake: { greeting, awaited: false } });
}

const stream = payloadStream({
  summary: "Says",
  codec: () => codec as MessageCodec,
  openChannel: (side, { dialect }) => openChannel({ side, dialect, carrier: "stream" }),
});

function setup(changes: Partial<StreamSetup> = {}): StreamSetup {
  return { dialect: "plain", sender: "client", framed: false, options: {}, ...changes };
}

const framed = setup({ framed: true });

/** Results in short: the number said, the text, or the code of the refusal. */
function brief(results: readonly LineResult[]): (number | string)[] {
  return results.map((result) => {
    if ("error" in result) return result.error.code;
    return "text" in result ? result.text : ((result.json.value as JsonObject).n as number);
  });
}

function refusal(results: readonly LineResult[]): object {
  const [result] = results;
  if (result === undefined || !("error" in result)) throw new Error("not refused");
  return result.error.toJSON();
}

describe("decoding payloads", () => {
  const decoder = decodeLines(stream, setup());

  it("gives one message per line, spaces or not", () => {
    expect(decoder.line(" 0x07 ")).toEqual([{ json: { message: "say", value: { n: 7 } } }]);
  });

  it("refuses what is not a message, and what is not hex, and goes on", () => {
    expect(refusal(decoder.line("ff"))).toEqual({
      code: "bad-value",
      message: "Cannot read n: no",
      bitOffset: 0,
      path: "n",
    });
    expect(refusal(decoder.line("0"))).toMatchObject({ code: "bad-hex" });
    expect(brief(decoder.line("08"))).toEqual([8]);
    expect(decoder.end()).toEqual([]);
  });
});

describe("decoding a stream", () => {
  it("finds the same payloads wherever the lines end", () => {
    const numbers = fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 6 });
    fc.assert(
      fc.property(numbers, fc.constantFrom("plain", "ciphered"), fc.array(fc.nat(20)), (said, dialect, cuts) => {
        const channel = openChannel({ side: "client", dialect, carrier: "stream" });
        const hex = said.map((n) => Buffer.from(channel.frame(new Uint8Array([n]))).toString("hex")).join("");
        const ends = [...new Set(cuts.map((cut) => Math.min(cut * 2, hex.length))), hex.length].sort((a, b) => a - b);
        const decoder = decodeLines(stream, setup({ framed: true, dialect }));
        let from = 0;
        const results: LineResult[] = [];
        for (const end of ends) {
          results.push(...decoder.line(hex.slice(from, end)));
          from = end;
        }
        expect(brief([...results, ...decoder.end()])).toEqual(said.map((n) => (n > 99 ? "bad-value" : n)));
      }),
    );
  });

  it("gives what came before a break, the first reason for it, and begins anew with the next line", () => {
    const decoder = decodeLines(stream, framed);
    expect(brief(decoder.line("0100 07 0900 07 0100 08"))).toEqual([7, "limit"]);
    expect(brief(decoder.line("0100 08"))).toEqual([8]);
  });

  it("passes over a line that is not hex, in the middle of a frame too", () => {
    const decoder = decodeLines(stream, framed);
    expect(brief(decoder.line("01"))).toEqual([]);
    expect(brief(decoder.line("zz"))).toEqual(["bad-hex"]);
    expect(brief(decoder.line("00 07"))).toEqual([7]);
  });

  it("says at the end when a frame is not finished", () => {
    const decoder = decodeLines(stream, framed);
    decoder.line("0100 07 01");
    expect(refusal(decoder.end())).toEqual({
      code: "truncated",
      message: "Cannot read frame: the input ends 1 byte into it",
      bitOffset: 0,
      path: "",
    });
  });
});

describe("encoding", () => {
  const encoder = encodeLines(stream, setup());

  it("takes what decoding printed, with ok or without, and gives plain hex", () => {
    expect(brief(encoder.line('{"ok":true,"message":"say","value":{"n":10}}'))).toEqual(["0a"]);
    expect(brief(encoder.line('{"message":"say","value":{"n":10}}'))).toEqual(["0a"]);
  });

  it.each([
    ["{", /^Cannot write JSON: /, ""],
    ["[1]", /one object/, ""],
    ["null", /one object/, ""],
    ['"say"', /one object/, ""],
    ['{"ok":false,"error":{"code":"bad-hex"}}', /^Cannot write ok: false marks/, "ok"],
    ['{"ok":"yes","message":"say","value":{"n":1}}', /^Cannot write ok: must be true/, "ok"],
    ['{"message":"shout","value":{}}', /message/, "message"],
    ['{"message":"say","value":{"n":100}}', /at most 99, got 100/, "n"],
  ])("refuses %s", (line, message, path) => {
    const refused = refusal(encoder.line(line));
    expect(refused).toMatchObject({ code: "bad-value", path });
    expect(refused).toHaveProperty("message", expect.stringMatching(message));
  });

  it("shows no control characters of a line in its refusal", () => {
    expect(refusal(encoder.line('\x1b[31m"'))).toHaveProperty("message", expect.not.stringContaining("\x1b"));
  });

  it("frames and ciphers on demand, the greeting before the first message", () => {
    const line = '{"message":"say","value":{"n":10}}';
    expect(brief(encodeLines(stream, setup({ framed: true, dialect: "ciphered" })).line(line))).toEqual(["0100f5"]);
    const greeting = encodeLines(stream, setup({ framed: true, sender: "server" }));
    expect(brief(greeting.line("{"))).toEqual(["bad-value"]);
    expect(brief(greeting.line(line))).toEqual(["01002a01000a"]);
    expect(brief(greeting.line(line))).toEqual(["01000a"]);
  });
});

describe("a trace", () => {
  it("of a payload is one part without title", () => {
    const bytes = new Uint8Array([7]);
    expect(traceStream(stream, bytes, setup())).toEqual([{ ...codec.trace("client", bytes), bytes }]);
  });

  it("of a stream has a part for each frame, which says what was around the payload", () => {
    const bytes = new Uint8Array([1, 0, 7, 1, 0, 8]);
    expect(traceStream(stream, bytes, framed).map(({ title, bytes }) => [title, [...bytes]])).toEqual([
      ["Frame at byte 0: header 01 00, payload of 1 byte", [7]],
      ["Frame at byte 3: header 01 00, payload of 1 byte", [8]],
    ]);
  });

  it("of a ciphered stream counts from the deciphered payload", () => {
    const [part] = traceStream(stream, new Uint8Array([1, 0, 0xf8]), setup({ framed: true, dialect: "ciphered" }));
    expect(part).toMatchObject({
      title: "Frame at byte 0: header 01 00, payload of 1 byte, deciphered from f8",
      bytes: new Uint8Array([7]),
      message: { message: "say", value: { n: 7 } },
    });
  });

  it.each([
    [[1, 0, 7, 9, 0, 1], "limit", 1],
    [[1, 0, 7, 1, 0], "truncated", 1],
    [[], "truncated", 0],
  ])("of %j ends with the part that is not a frame", (bytes, code, at) => {
    const parts = traceStream(stream, new Uint8Array(bytes), framed);
    expect(parts).toHaveLength(at + 1);
    expect(parts[at]?.error).toMatchObject({ code, bitOffset: 0 });
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), fc.constantFrom("plain", "ciphered"), (bytes, dialect) => {
        traceStream(stream, bytes, setup({ framed: true, dialect }));
        traceStream(stream, bytes, setup({ dialect }));
      }),
    );
  });
});
