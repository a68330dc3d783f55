import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as ws from "ws";
import { FrameMeter, frameBinary } from "./websocket-frames.ts";

// Exported by `ws` for uses like this, but not by its types.
const { Receiver, Sender } = ws as unknown as {
  readonly Receiver: new (options: object) => NodeJS.WritableStream;
  readonly Sender: { frame(data: Buffer, options: object): readonly Buffer[] };
};

/** A frame as `ws` itself writes it. */
function byWs(payload: Uint8Array, options: { fin?: boolean; opcode?: number; mask?: boolean } = {}): Buffer {
  const defaults = { fin: true, rsv1: false, opcode: 2, mask: false, readOnly: true };
  return Buffer.concat(Sender.frame(Buffer.from(payload), { ...defaults, ...options }));
}

test("a frame is byte for byte what ws writes, at every form of the length", () => {
  for (const length of [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]) {
    const payload = Uint8Array.from({ length }, (_, at) => at % 256);
    expect(Buffer.from(frameBinary(payload)).equals(byWs(payload))).toBe(true);
  }
});

test("frames in one write are separate messages to a reader", () => {
  const received: string[] = [];
  const receiver = new Receiver({ isServer: false });
  receiver.on("message", (data: Buffer) => received.push(String(data)));
  receiver.write(Buffer.concat(["one", "", "x".repeat(300)].map((text) => frameBinary(Buffer.from(text)))));
  expect(received).toEqual(["one", "", "x".repeat(300)]);
});

describe("the meter", () => {
  test("knows whether something is unfinished after every byte", () => {
    const frames = [
      byWs(Buffer.from("hello"), { mask: true }),
      byWs(new Uint8Array(0), { mask: true }),
      byWs(new Uint8Array(300), { mask: true }),
      byWs(new Uint8Array(70_000), { mask: true }),
    ];
    const meter = new FrameMeter();
    for (const [index, frame] of frames.entries()) {
      meter.push(frame.subarray(0, 1));
      expect(meter.unfinished).toBe(true);
      meter.push(frame.subarray(1, -1));
      expect(meter.unfinished).toBe(true);
      meter.push(frame.subarray(-1));
      expect(meter.unfinished).toBe(false);
      expect(meter.messages).toBe(index + 1);
    }
  });

  test("a message in fragments is unfinished until its last, whatever control frames come between", () => {
    const meter = new FrameMeter();
    meter.push(byWs(Buffer.from("a"), { fin: false, mask: true }));
    meter.push(byWs(Buffer.from("ping"), { opcode: 9, mask: true }));
    expect([meter.unfinished, meter.messages]).toEqual([true, 0]);
    meter.push(byWs(Buffer.from("b"), { opcode: 0, mask: true }));
    expect([meter.unfinished, meter.messages]).toEqual([false, 1]);
  });

  test("counts the frames of the longest message, control frames not", () => {
    const meter = new FrameMeter();
    expect(meter.mostFragments).toBe(0);
    const [first, ping, next, last] = [
      byWs(new Uint8Array(0), { fin: false, mask: true }),
      byWs(Buffer.from("ping"), { opcode: 9, mask: true }),
      byWs(new Uint8Array(0), { fin: false, opcode: 0, mask: true }),
      byWs(new Uint8Array(0), { opcode: 0, mask: true }),
    ];
    meter.push(Buffer.concat([first, ping, next, last, first, last]));
    expect([meter.mostFragments, meter.messages]).toEqual([3, 2]);
    meter.push(Buffer.concat([first, ...Array.from({ length: 9 }, () => next)]));
    expect([meter.mostFragments, meter.messages]).toEqual([10, 2]);
  });

  test("however the bytes are cut", () => {
    const sizes = fc.array(fc.constantFrom(0, 1, 5, 125, 126, 400), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (lengths, cuts) => {
        const stream = Buffer.concat(lengths.map((length) => byWs(new Uint8Array(length), { mask: true })));
        const meter = new FrameMeter();
        for (let at = 0, cut = 0; at < stream.length; cut += 1) {
          const size = cuts[cut % cuts.length] ?? 1;
          meter.push(stream.subarray(at, at + size));
          at += size;
        }
        expect([meter.unfinished, meter.messages]).toEqual([false, lengths.length]);
      }),
    );
  });
});
