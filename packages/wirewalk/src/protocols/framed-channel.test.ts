import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { struct, u8, WireError } from "../wire/index.ts";
import { wireErrorOf } from "../wire/testing/check-layout.ts";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import type { PayloadCodec, Side } from "./codec.ts";
import { carrierFramer, FramedChannel, WholeFramer } from "./framed-channel.ts";
import { messageTable } from "./message-table.ts";

const echoRow = (sender: Side) => ({ message: "echo", sender, id: 9, summary: "", layout: struct({ byte: u8 }) });
const rows = [echoRow("client"), echoRow("server")];
const echoCodec: PayloadCodec = {
  ...messageTable({ dialect: "plain", idName: "type", id: u8, rows }),
  fromJson: () => ({ message: "echo", value: { byte: 0 } }),
  toJson: () => ({}),
};

const options = { lengthLayout: "u16le", receiveLimit: 4, sendLimit: 300 } as const;
const long = Uint8Array.from({ length: 258 }, (_, index) => index & 0xff);

describe("a stream of payloads with their length before them", () => {
  it("gives them whole, however it was cut, and knows what it holds of the next one", () => {
    const framer = carrierFramer("stream", options);
    framer.push(Uint8Array.of(2, 0, 9, 1, 1));
    expect(framer.next()).toEqual(Uint8Array.of(9, 1));
    expect(framer.next()).toBeUndefined();
    expect(framer.pending).toBe(1);
    framer.push(Uint8Array.of(0, 7));
    expect(framer.next()).toEqual(Uint8Array.of(7));
    expect(framer.pending).toBe(0);
  });

  it("is framed in the order of bytes that was asked for", () => {
    expect([...carrierFramer("stream", options).frame(long).subarray(0, 3)]).toEqual([2, 1, 0]);
    const bigEndian = carrierFramer("stream", { ...options, lengthLayout: "u16be" });
    expect([...bigEndian.frame(long).subarray(0, 3)]).toEqual([1, 2, 0]);
  });

  it("ends where the peer claims more than its limit; this side has its own", () => {
    const framer = carrierFramer("stream", options);
    expect(wireErrorOf(() => framer.push(Uint8Array.of(5, 0)))?.code).toBe("limit");
    expect(framer.frame(new Uint8Array(300))).toHaveLength(302);
    expect(() => framer.frame(new Uint8Array(301))).toThrow("A payload has at most 300 bytes, got 301");
  });
});

describe("a carrier that keeps messages whole", () => {
  it("gives them as they came, in their order, within the same limits", () => {
    const framer = carrierFramer("message", options);
    framer.push(Uint8Array.of(1));
    framer.push(new Uint8Array());
    expect([framer.next(), framer.next(), framer.next()]).toEqual([Uint8Array.of(1), new Uint8Array(), undefined]);
    expect(wireErrorOf(() => framer.push(new Uint8Array(5)))?.message).toBe(
      "Cannot read payload: 5 bytes are over the limit of 4",
    );
    expect(framer.frame(long)).toBe(long);
    expect(() => framer.frame(new Uint8Array(301))).toThrow(RangeError);
  });
});

describe("a framed channel", () => {
  it("tells what is not a message with its payload, and goes on", () => {
    const channel = new FramedChannel({
      name: "echo",
      side: "client",
      codec: echoCodec,
      framer: carrierFramer("stream", options),
    });
    channel.push(Uint8Array.of(0, 0, 1, 0, 9, 2, 0, 9, 8));
    expect(channel.next()).toMatchObject({ payload: new Uint8Array(), error: { code: "truncated" } });
    expect(channel.next()).toMatchObject({ payload: Uint8Array.of(9), error: { code: "truncated", path: "byte" } });
    expect(channel.next()?.message).toEqual({ message: "echo", value: { byte: 8 } });
    expect(channel.next()).toBeUndefined();
  });

  it.each(["u16le", "u16be"] as const)("saved at any byte of a stream (%s) goes on in another", (lengthLayout) => {
    const open = (): FramedChannel => {
      return new FramedChannel({
        name: "echo",
        side: "client",
        codec: echoCodec,
        framer: carrierFramer("stream", { ...options, lengthLayout }),
      });
    };
    const sender = carrierFramer("stream", { ...options, lengthLayout });
    const payloads = [Uint8Array.of(9, 1), new Uint8Array(), Uint8Array.of(9, 2, 0), Uint8Array.of(9, 4)];
    // The last length is over the limit: a refused stream is saved as one.
    const stream = Uint8Array.from([...payloads.flatMap((payload) => [...sender.frame(payload)]), 9, 9, 9]);
    const rest = (channel: FramedChannel, bytes: Uint8Array): unknown[] => {
      const found: unknown[] = [];
      try {
        channel.push(bytes);
      } catch (error) {
        found.push(error);
      }
      try {
        for (let next = channel.next(); next !== undefined; next = channel.next())
          found.push(next, channel.pendingBytes);
      } catch (error) {
        found.push(error);
      }
      return [...found, channel.pendingBytes, channel.save()];
    };
    for (let cut = 0; cut < stream.length; cut++) {
      for (const taken of [0, 1, 2]) {
        const channel = open();
        try {
          channel.push(stream.subarray(0, cut));
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
        }
        for (let count = 0; count < taken; count++) wireErrorOf(() => channel.next());
        const saved = channel.save();
        const restored = open();
        restored.push(Uint8Array.of(1));
        restored.restore(structuredClone(saved));
        expect(restored.pendingBytes).toBe(channel.pendingBytes);
        expect(rest(restored, stream.subarray(cut))).toEqual(rest(channel, stream.subarray(cut)));
      }
    }
  });

  it("takes over the state of its like alone", () => {
    const open = (name: string): FramedChannel => {
      return new FramedChannel({ name, side: "client", codec: echoCodec, framer: new WholeFramer(options) });
    };
    const channel = open("echo");
    channel.push(Uint8Array.of(9, 1));
    const saved = structuredClone(channel.save());
    const other = open("other");
    expect(() => other.restore(saved)).toThrow(new RangeError('Cannot restore: saved by "echo", not by other'));
    expect(() => open("echo").restore({ ...saved, schema: 2 })).toThrow(RangeError);
    const same = open("echo");
    same.push(Uint8Array.of(1));
    same.restore(saved);
    expect([same.next()?.message?.value, same.next()]).toEqual([{ byte: 1 }, undefined]);
  });

  it("lets out what is no fault of the bytes", () => {
    const codec: PayloadCodec = {
      ...echoCodec,
      read() {
        throw new TypeError("a defect");
      },
    };
    const channel = new FramedChannel({ name: "echo", side: "server", codec, framer: new WholeFramer(options) });
    channel.push(Uint8Array.of(9, 1));
    expect(() => channel.next()).toThrow("a defect");
  });

  it("its example is true", () => {
    const [example = ""] = findExamples(readFileSync(new URL("framed-channel.ts", import.meta.url), "utf8"));
    runExample(example, { carrierFramer, FramedChannel, echoCodec });
  });
});
