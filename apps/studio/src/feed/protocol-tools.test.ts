import type { ServedWorld } from "@wirewalk/server/feed";
import { expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { parseHex } from "wirewalk/wire";
import { payloadTracer, recordRow, recordWords, summarize, type TracePayload, traceRecord } from "./protocol-tools.ts";

const tracerOf = (served: ServedWorld): TracePayload => payloadTracer(served, protocols[served.protocol]);

function summary(name: string, dialect: string, hex: string): string {
  const world: ServedWorld = {
    name,
    protocol: name,
    title: name,
    dialect,
    path: "",
    listen: null,
    demo: { seed: 1 },
    settings: {},
  };
  return summarize(tracerOf(world)("client", parseHex(hex)));
}

test("a message is its name and its values", () => {
  expect(summary("slime-online-2", "documented", "0008 02 C001 A000")).toBe("movePlayer rightPress 448 160");
});

test("the summary of a message shows only the length of its lists", () => {
  expect(summary("osrs", "client", "22 0000 5860 5860")).toMatch(/^mouseMove records × 2, 0 ms left over per record/);
});

test("what is not a message is its error's code, and so is what this page was not built with", () => {
  expect(summary("slime-online-2", "documented", "00")).toBe("truncated");
  expect(summary("slime-online-2", "unheard-of", "00")).toBe("unknown-message");
  expect(summary("unheard-of", "documented", "00")).toBe("unknown-message");
});

test("a message is read by the opcodes that the server has", () => {
  const osrs = {
    name: "osrs",
    protocol: "osrs",
    title: "",
    dialect: "client",
    path: "",
    listen: null,
    demo: null,
  } as const;
  const payload = Uint8Array.of(90, 0, 0, 0x58, 0x60);
  expect(tracerOf({ ...osrs, settings: { mouseOpcode: 90 } })("client", payload).message?.message).toBe("mouseMove");
  expect(tracerOf({ ...osrs, settings: {} })("client", payload).error?.code).toBe("unknown-message");
});

test("the view's reading of a message takes precedence over the decoded bytes", () => {
  const settings = {};
  const world: ServedWorld = {
    name: "slime-online-2",
    protocol: "slime-online-2",
    title: "",
    dialect: "documented",
    path: "",
    listen: null,
    demo: { seed: 1 },
    settings,
  };
  const payload = parseHex("0008 02 C001 A000");
  const trace = { fields: [{ path: "all", bitOffset: 0, bitLength: 56, raw: "", shown: "" }] };
  const reading = { words: "went right", trace: () => trace };
  const tracer = tracerOf(world);
  expect(recordWords(tracer, { sender: "client", payload, reading })).toBe("went right");
  expect(traceRecord(tracer, { sender: "client", payload, reading })).toBe(trace);
  expect(recordWords(tracer, { sender: "client", payload })).toBe("movePlayer rightPress 448 160");
  expect(traceRecord(tracer, { sender: "client", payload }).fields.length).toBeGreaterThan(1);
});

test("a row that was read before its game was loaded is read again by it", () => {
  const record = { sender: "client", payload: Uint8Array.of(1) } as const;
  const unread: TracePayload = () => ({ fields: [] });
  const read = { message: { message: "move" }, fields: [] } as unknown as ReturnType<TracePayload>;
  expect(recordRow(unread, record).message).toBe("?");
  expect(recordRow(() => read, record).message).toBe("move");
});
