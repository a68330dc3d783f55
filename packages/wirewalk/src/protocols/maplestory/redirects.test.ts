import { expect, test } from "vitest";
import { parseHex } from "../../wire/index.ts";
import type { PayloadCodec, WireMessage } from "../codec.ts";
import { mapleRedirects } from "./redirects.ts";
import { mapleCodec } from "./wire/codec.ts";

const dialects = ["v62", "v83", "v95"] as const;
const codecOf = (dialect: string): PayloadCodec => mapleCodec(dialect) as PayloadCodec;

/** As OdinMS, HeavenMS and Kinoko write them: standard 3.4.5. */
const sent: readonly (readonly [message: string, hex: string, host: string, port: number])[] = [
  ["serverIp", "0C 00 00 00 C0 00 02 07 97 1D 4D 00 00 00 00 00 00 00 00", "192.0.2.7", 7575],
  ["serverIpOfAll", "09 00 00 00 7F 00 00 01 98 1D 4D 00 00 00 45 39 05 00 00", "127.0.0.1", 7576],
  ["changeChannel", "10 00 01 C0 00 02 07 98 1D", "192.0.2.7", 7576],
];

test.each(dialects.flatMap((dialect) => sent.map((each) => [dialect, ...each] as const)))(
  "%s %s: the address is read, and another one of the same length is written",
  (dialect, name, hex, host, port) => {
    const codec = codecOf(dialect);
    const payload = parseHex(hex);
    const message = codec.read("server", payload);
    expect(message.message).toBe(name);
    expect(mapleRedirects.addressOf(message)).toEqual({ host, port });
    const changed = mapleRedirects.withAddress(message, { host: "10.1.2.255", port: 0x8001 });
    const written = codec.write("server", changed);
    const expected = payload.slice();
    expected.set([10, 1, 2, 255, 0x01, 0x80], name === "changeChannel" ? 3 : 4);
    expect(written).toEqual(expected);
    expect(codec.write("server", mapleRedirects.withAddress(message, { host, port }))).toEqual(payload);
  },
);

test.each(["0C 00 06 00", "0C 00 0C 13 01 02", "10 00 00", "11 00"])("%s sends its client nowhere", (hex) => {
  for (const dialect of dialects) {
    const codec = codecOf(dialect);
    const message = codec.read("server", parseHex(hex));
    expect(mapleRedirects.addressOf(message)).toBeUndefined();
    expect(codec.write("server", message)).toEqual(parseHex(hex));
  }
});

test.each(["::1", "localhost", "1.2.3", "1.2.3.256", "1.2.3.4.5", ""])(
  "%s is refused: the message holds IPv4",
  (host) => {
    const message = codecOf("v83").read("server", parseHex("10 00 01 7F 00 00 01 98 1D"));
    expect(() => mapleRedirects.withAddress(message, { host, port: 1 })).toThrow(RangeError);
  },
);

test("a port is a whole number from 0 to 65535: others are refused", () => {
  const message: WireMessage = codecOf("v83").read("server", parseHex("10 00 01 7F 00 00 01 98 1D"));
  for (const port of [-1, 65_536, 1.5]) {
    expect(() => mapleRedirects.withAddress(message, { host: "127.0.0.1", port })).toThrow("There is no port");
  }
});
