import fc from "fast-check";
import { expect, test } from "vitest";
import { formatHex, parseHex } from "../../wire/index.ts";
import { TcpPackets } from "../tcp-packets.ts";
import { payloadOfFrame } from "./pasted-frame.ts";

const ends = { client: { address: "10.0.0.7", port: 20_000 }, server: { address: "10.0.0.1", port: 5555 } };

test.each<[string, string]>([
  // As Wireshark 4 copies a segment with 02 00 0a over loopback of Linux: Ethernet, IPv4, TCP with timestamps.
  [
    "Ethernet and IPv4",
    "000000000000 000000000000 0800 45000037 0001 4000 40 06 0000 7f000001 7f000001 " +
      "4e20 15b3 00000001 00000001 8018 0200 fe2b 0000 0101080a 00000001 00000001 02000a",
  ],
  [
    "a VLAN",
    "000000000000 000000000000 8100 0005 0800 4500002b00014000400600007f0000017f000001 4e2015b300000001000000015018020000000000 02000a",
  ],
  ["raw IPv4", "4500002b00014000400600007f0000017f000001 4e2015b300000001000000015018020000000000 02000a"],
  [
    "a frame that is filled up",
    `000000000000 000000000000 0800 4500002b00014000400600007f0000017f000001 4e2015b300000001000000015018020000000000 02000a 000000`,
  ],
])("%s", (_, hex) => {
  const found = payloadOfFrame(parseHex(hex));
  expect(found === undefined ? undefined : formatHex(found.payload)).toBe("02 00 0a");
  expect([found?.from, found?.to]).toEqual(["127.0.0.1:20000", "127.0.0.1:5555"]);
});

test("what our own writer makes", () => {
  const connection = new TcpPackets(ends);
  connection.open();
  const [packet] = connection.data("client", Uint8Array.of(2, 0, 10));
  const found = payloadOfFrame(packet as Uint8Array);
  expect([formatHex(found?.payload ?? new Uint8Array()), found?.from, found?.to]).toEqual([
    "02 00 0a",
    "10.0.0.7:20000",
    "10.0.0.1:5555",
  ]);
});

test("a frame that is cut or longer and random bytes are refused", () => {
  const frame = parseHex("4500002b00014000400600007f0000017f0000014e2015b30000000100000001501802000000000002000a");
  expect(payloadOfFrame(frame)).toBeDefined();
  expect(payloadOfFrame(frame.subarray(0, -1))).toBeUndefined();
  expect(payloadOfFrame(Uint8Array.of(...frame, 0))).toBeUndefined();
  fc.assert(fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => payloadOfFrame(bytes) === undefined));
});
