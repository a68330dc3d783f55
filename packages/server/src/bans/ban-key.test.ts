import { SocketAddress } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addressGroup,
  addressKey,
  banKind,
  banValue,
  isLoopbackAddress,
  loginKey,
  parseBanKey,
  plainAddress,
  sessionKey,
} from "./ban-key.ts";

describe("a ban key", () => {
  test("holds its kind, so that no name is an address", () => {
    expect(loginKey("127.0.0.1")).toBe("login:127.0.0.1");
    expect(addressKey("127.0.0.1")).toBe("address:127.0.0.1");
    expect(loginKey("address:127.0.0.1")).toBe("login:address:127.0.0.1");
    expect(sessionKey(7)).toBe("session:7");
    expect([banKind("login:a:b"), banValue("login:a:b")]).toEqual(["login", "a:b"]);
  });

  test("is parsed as it is printed", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.string({ minLength: 1 }), (address, name) => {
        for (const key of [loginKey(name), addressKey(address), sessionKey(3)]) {
          expect(parseBanKey(String(key))).toBe(key);
        }
      }),
    );
  });

  test.each(["", "ann", "login:", "account:ann", "address:ann", "address:1.2.3.4/64", "address:2001:db8::/48", ":x"])(
    "%j is none",
    (text) => {
      expect(parseBanKey(text)).toBeUndefined();
    },
  );

  test("of an address may be given by any address of its network", () => {
    expect(parseBanKey("address:2001:DB8:0:1::77")).toBe("address:2001:db8:0:1::/64");
    expect(parseBanKey("address:::ffff:192.0.2.7")).toBe("address:192.0.2.7");
  });
});

describe("an address", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:0207", "192.0.2.7"],
    ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8::/64"],
    ["::1", "::1"],
    ["::2", "::/64"],
    ["64:ff9b::192.0.2.7", "64:ff9b::/64"],
    ["fe80::1:2%eth0", "fe80::1:2"],
    ["fe80::1:3%eth0", "fe80::1:3"],
  ])("%s counts as %s", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  test.each(["", "unknown", "localhost", "1.2.3", "1.2.3.4.5", "::g", "192.0.2.7:80"])("%j is none", (text) => {
    expect(addressGroup(text)).toBeUndefined();
    expect(addressKey(text)).toBeUndefined();
  });

  test("has one spelling, that of the system", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const plain = plainAddress(address) ?? "";
        expect(plainAddress(plain)).toBe(plain);
        const words = new SocketAddress({ address, family: "ipv6" }).address;
        expect(plain).toBe(plainAddress(words));
        // The system writes some addresses with an IPv4 part, which this spelling has only for mapped ones.
        if (plain.includes(":") && !words.includes(".")) expect(plain).toBe(words);
      }),
    );
  });

  test("addresses of one network of 64 bits are one peer, those of two are two", () => {
    const word = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.array(word, { minLength: 12, maxLength: 12 }), (words) => {
        const [network, host, otherHost] = [words.slice(0, 4), words.slice(4, 8), words.slice(8)];
        fc.pre(((network[0] ?? 0) & 0xffc0) !== 0xfe80 && network.some((each) => each !== 0));
        const text = (parts: readonly number[]): string => parts.map((each) => each.toString(16)).join(":");
        const [one, two] = [text([...network, ...host]), text([...network, ...otherHost])];
        expect(addressGroup(one)).toBe(addressGroup(two));
        const next = text([...network.slice(0, 3), (network[3] ?? 0) ^ 1, ...host]);
        expect(addressGroup(next)).not.toBe(addressGroup(one));
      }),
    );
  });

  test.each([
    ["127.0.0.1", true],
    ["127.255.0.9", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["128.0.0.1", false],
    ["::2", false],
    ["unknown", false],
  ])("%s is loopback: %s", (address, expected) => {
    expect(isLoopbackAddress(address)).toBe(expected);
  });
});
