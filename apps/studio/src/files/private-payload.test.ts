import { expect, it } from "vitest";
import type { CaptureRecord } from "wirewalk/capture";
import { Pseudonyms } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { parseHex } from "wirewalk/wire";
import { privatePacket } from "./private-payload.ts";

const chat: CaptureRecord = {
  kind: "message",
  time: { seconds: 0, nanoseconds: 0 },
  packet: 1,
  flow: "10.0.0.7:1-10.0.0.1:2",
  direction: "client",
  protocol: "slime-online-2",
  dialect: "v0106",
  message: "chat",
  value: { text: "Ann" },
  payload: parseHex("11 00 41 6e 6e 00"),
};

it("a copy has no chat", () => {
  expect(privatePacket([chat], slimeOnline2, new Pseudonyms())).toEqual({
    payload: parseHex("11 00 00"),
    json: { message: "chat", value: { text: "" } },
  });
});

it("nothing is copied of a game that does not say where names are, nor of a gap", () => {
  const { capabilities: _, ...bare } = slimeOnline2;
  expect(privatePacket([chat], bare, new Pseudonyms())).toBeUndefined();
  const gap = { ...chat, kind: "gap", gap: 5 } as const;
  expect(privatePacket([chat, gap], slimeOnline2, new Pseudonyms())).toBeUndefined();
});
