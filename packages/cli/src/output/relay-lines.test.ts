import type { RelayEvent } from "@wirewalk/server";
import { expect, test } from "vitest";
import { jsonLine, textLine } from "./relay-lines.ts";

const at = { connection: 3, timeMs: Date.UTC(2026, 0, 1, 12, 49, 6, 123) };
const from = { host: "192.0.2.7", port: 7575 };
const to = { host: "127.0.0.1", port: 40_001 };

const events: readonly (readonly [event: RelayEvent, text: string, json: object])[] = [
  [
    { ...at, event: "redirect", message: "serverIp", from, to },
    "server serverIp sends the client to 127.0.0.1:40001 instead of 192.0.2.7:7575",
    { event: "redirect", message: "serverIp", from: "192.0.2.7:7575", to: "127.0.0.1:40001" },
  ],
  [
    { ...at, event: "redirect", message: "changeChannel", from, failed: "why" },
    "server changeChannel passed unchanged, so the client goes to 192.0.2.7:7575 without the relay: why",
    { event: "redirect", message: "changeChannel", from: "192.0.2.7:7575", failed: "why" },
  ],
  [{ ...at, event: "unseen", reason: "why" }, "is not judged: why", { event: "unseen", reason: "why" }],
  [
    { ...at, event: "unseen", reason: "why", rules: ["speed", "jump"] },
    "is not judged by speed, jump: why",
    { event: "unseen", reason: "why", rules: ["speed", "jump"] },
  ],
  [
    { ...at, event: "unseen", reason: "why", rules: [] },
    "is judged in part: why",
    { event: "unseen", reason: "why", rules: [] },
  ],
  [
    { ...at, event: "notice", notice: "wall-step", reason: "why", total: 7 },
    "server wall-step: why (7 so far)",
    { event: "notice", notice: "wall-step", reason: "why", total: 7 },
  ],
];

test.each(events)("%j", (event, text, json) => {
  expect(textLine(event)).toBe(`12:49:06.123 3 ${text}`);
  const line = JSON.parse(jsonLine(event, { protocol: "maplestory", dialect: "v83" }, undefined)) as object;
  expect(line).toEqual({ time: "1767271746.123000000", connection: 3, ...json });
});
