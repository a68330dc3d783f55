import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseHex } from "wirewalk/wire";
import { readProxyHeader, startsWithProxyHeader } from "./proxy-header.ts";

const line = (text: string): Buffer => Buffer.from(text, "latin1");
const SIGNATURE = "0D 0A 0D 0A 00 0D 0A 51 55 49 54 0A";

/** A header of version 2: version and command, family and transport, what follows. */
const binary = (command: string, family: string, body: string, length?: number): Uint8Array => {
  const bytes = parseHex(body);
  const size = (length ?? bytes.length).toString(16).padStart(4, "0");
  return parseHex(`${SIGNATURE} ${command} ${family} ${size} ${body}`);
};

const INET = "C0 00 02 07 C6 33 64 01 30 39 15 B3";
const INET6 =
  "20 01 0D B8 00 00 00 01 00 00 00 00 00 00 00 07 20 01 0D B8 00 00 00 02 00 00 00 00 00 00 00 01 30 39 15 B3";

/** Headers with their client. */
const complete: readonly (readonly [string, Uint8Array, string | undefined])[] = [
  ["TCP4", line("PROXY TCP4 192.0.2.7 198.51.100.1 12345 5555\r\n"), "192.0.2.7"],
  ["TCP6", line("PROXY TCP6 2001:db8::7 2001:db8::1 12345 5555\r\n"), "2001:db8::7"],
  ["UNKNOWN", line("PROXY UNKNOWN\r\n"), undefined],
  ["UNKNOWN with more", line("PROXY UNKNOWN ffff:f::1 ffff::2 65535 65535\r\n"), undefined],
  ["IPv4 over TCP", binary("21", "11", INET), "192.0.2.7"],
  ["IPv6 over TCP", binary("21", "21", INET6), "2001:db8:0:1:0:0:0:7"],
  ["with fields behind", binary("21", "11", `${INET} 04 00 03 00 00 00`), "192.0.2.7"],
  ["a health check", binary("20", "00", ""), undefined],
  ["a health check with addresses", binary("20", "11", INET), undefined],
  ["a Unix socket", binary("21", "31", "00".repeat(216)), undefined],
  ["an unknown family", binary("21", "00", "01 02 03"), undefined],
];

describe.each(complete)("%s", (_name, bytes, client) => {
  test("is read, and what follows is not part of it", () => {
    const header = { state: "complete", client, bytes: bytes.length };
    expect(readProxyHeader(bytes)).toEqual(header);
    expect(readProxyHeader(Buffer.concat([bytes, line("first message")]))).toEqual(header);
    expect(startsWithProxyHeader(bytes)).toBe(true);
  });

  test("is incomplete up to its last byte", () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(readProxyHeader(bytes.subarray(0, length))).toEqual({ state: "incomplete" });
    }
  });
});

const invalid: readonly (readonly [string, Uint8Array, string])[] = [
  ["no header", line("hello"), "it is no PROXY header"],
  ["a signature that breaks off", line("PROXX"), "it is no PROXY header"],
  ["small letters", line("proxy TCP4 192.0.2.7 198.51.100.1 1 2\r\n"), "it is no PROXY header"],
  ["an endless line", line(`PROXY TCP4 ${"1".repeat(200)}`), "its line is longer than 107 bytes"],
  ["a line that is too long", line(`PROXY UNKNOWN ${"1".repeat(92)}\r\n`), "its line is longer than 107 bytes"],
  ["LF alone", line("PROXY UNKNOWN\n"), "its line ends without CR LF"],
  ["another family", line("PROXY UDP4 192.0.2.7 198.51.100.1 1 2\r\n"), 'its family is "UDP4"'],
  ["a name as address", line("PROXY TCP4 localhost 198.51.100.1 1 2\r\n"), "its addresses cannot be read"],
  ["IPv6 in TCP4", line("PROXY TCP4 ::1 ::1 1 2\r\n"), "its addresses cannot be read"],
  ["no address", line("PROXY TCP4\r\n"), "its addresses cannot be read"],
  ["a port over 65535", line("PROXY TCP4 192.0.2.7 198.51.100.1 65536 2\r\n"), "its ports cannot be read"],
  ["a port too many", line("PROXY TCP4 192.0.2.7 198.51.100.1 1 2 3\r\n"), "its ports cannot be read"],
  ["version 3", binary("31", "11", INET), "its version is 3"],
  ["another command", binary("22", "11", INET), "its command is 2"],
  ["datagrams", binary("21", "12", INET), "its transport is 2, expected a stream"],
  ["half an address", binary("21", "11", "C0 00"), "its addresses need 12 bytes, it has 2"],
  ["too many fields", binary("21", "11", "", 60_000), "it is 60016 bytes long, at most 2048 are read"],
];

test.each(invalid)("%s is refused", (_name, bytes, why) => {
  expect(readProxyHeader(bytes)).toEqual({ state: "invalid", why });
});

test("the messages of games do not begin as a header does", () => {
  for (const hex of ["07 00 73 68 65", "22 04 00 00 58 60", "50 52 4F 58 59", "0D 0A 0D 0A"]) {
    expect(startsWithProxyHeader(parseHex(hex))).toBe(false);
  }
});

test("any bytes are a header, the beginning of one, or refused, and stay what they are when more come", () => {
  const starts = fc.constantFrom(
    line(""),
    line("PROXY TCP4 "),
    parseHex(SIGNATURE),
    parseHex(`${SIGNATURE} 21 11 00 0C`),
  );
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 140 }), fc.uint8Array({ maxLength: 20 }), (start, bytes, more) => {
      const whole = Buffer.concat([start, bytes]);
      const header = readProxyHeader(whole);
      if (header.state === "incomplete") return;
      expect(readProxyHeader(Buffer.concat([whole, more])).state).toBe(header.state);
      if (header.state === "complete") expect(header.bytes).toBeLessThanOrEqual(whole.length);
    }),
  );
});
