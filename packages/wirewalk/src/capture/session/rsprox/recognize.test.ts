import { describe, expect, test } from "vitest";
import { parseHex } from "../../../wire/index.ts";
import { pcapngHeader } from "../../pcapng.ts";
import { pcapFile } from "../../testing/made-packets.ts";
import { isRsprox } from "./recognize.ts";
import { head, headWith, worked } from "./testing/hand-made.ts";

describe("recognition", () => {
  test("needs the head, and no more", () => {
    for (let length = 0; length < head.length; length++) expect(isRsprox(worked.subarray(0, length))).toBeUndefined();
    expect(isRsprox(head)).toBe(true);
    expect(isRsprox(worked)).toBe(true);
  });

  test("takes RuneScape 3, which is refused with its reason", () => {
    expect(isRsprox(headWith(47, "52533320"))).toBe(true);
  });

  test.each([
    ["pcap", pcapFile([], { littleEndian: true, nanoseconds: true })],
    ["pcap, high byte first", pcapFile([], { littleEndian: false, nanoseconds: false })],
    ["pcapng", pcapngHeader({ application: "a test", interfaceName: "relay" })],
    ["gzip", Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)],
    ["MCAP", Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a)],
    ["JSON", new TextEncoder().encode('{"a":1}')],
    ["hex", new TextEncoder().encode("00000001000000ef")],
    ["MapleShark", parseHex("2720 0c 31 2e 32 2e 33 2e 34 3a 35 30 30 30 88 13")],
    ["MapleShark before 2.0.1.2", parseHex("5300 8813 0000e4e85ee5db08 0280 2900 aabb")],
    ["a revision over 400", headWith(6, "0191")],
    ["a revision under 200", headWith(6, "00c7")],
    ["another version", headWith(3, "02")],
    ["an index over 2047", headWith(41, "ffff")],
  ])("is false for %s", (_name, file) => {
    expect(isRsprox(file)).toBe(false);
  });
});
