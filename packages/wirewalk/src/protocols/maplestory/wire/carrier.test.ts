import { createCipheriv } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { formatHex, parseHex } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import { Aes256 } from "./aes.ts";
import { defaultHello, openMapleChannel, writeHello } from "./channel.ts";
import { applyAesOfb, decryptShanda, encryptShanda, rollIv } from "./cipher.ts";
import type { MapleClientMessage } from "./codec.ts";
import { mapleDialects } from "./dialect.ts";
import { Keystreams } from "./keystreams.ts";
import { MAX_PAYLOAD_BYTES } from "./messages.ts";
import { PacketCipher, prepareFrame } from "./packet-cipher.ts";

const vectors = new URL("../../../../../../vectors/", import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, vectors), "utf8"));
const carrier = read("maplestory-v62-carrier.json") as {
  readonly shanda: { readonly plain: string; readonly cipher: string };
  readonly ivRoll: { readonly iv: string; readonly next: string };
  readonly serverPing: { readonly iv: string; readonly plain: string; readonly frame: string };
  readonly clientPong: { readonly iv: string; readonly plain: string; readonly cipher: string };
  readonly hello: { readonly bytes: string; readonly recvIv: string; readonly sendIv: string };
};
const packets = read("maplestory-v62.json") as readonly { readonly hex: string; readonly decoded?: { iv?: string } }[];
const hexOf = (bytes: Uint8Array): string => formatHex(bytes, { separator: "" });

describe("the carrier's check values", () => {
  it("Shanda", () => {
    const data = parseHex(carrier.shanda.plain);
    encryptShanda(data);
    expect(hexOf(data)).toBe(carrier.shanda.cipher);
    decryptShanda(data);
    expect(hexOf(data)).toBe(carrier.shanda.plain);
  });

  it("the roll of the IV", () => expect(hexOf(rollIv(parseHex(carrier.ivRoll.iv)))).toBe(carrier.ivRoll.next));

  it("the server's ping and the client's pong", () => {
    const { serverPing, clientPong } = carrier;
    const server = new PacketCipher("server", parseHex(serverPing.iv), 62);
    expect(hexOf(server.seal(parseHex(serverPing.plain)))).toBe(serverPing.frame);
    expect(hexOf(server.iv)).toBe(hexOf(rollIv(parseHex(serverPing.iv))));
    const client = new PacketCipher("client", parseHex(clientPong.iv), 62);
    expect(hexOf(client.seal(parseHex(clientPong.plain)).subarray(4))).toBe(clientPong.cipher);
  });

  it("the hello", () => {
    expect(hexOf(writeHello(defaultHello("v62")))).toBe(carrier.hello.bytes);
    expect(hexOf(defaultHello("v62").recvIv)).toBe(carrier.hello.recvIv);
    expect(hexOf(defaultHello("v62").sendIv)).toBe(carrier.hello.sendIv);
  });

  it("the captured encrypted packet is the captured plain one, both ways", () => {
    const [plain, encrypted] = packets;
    const iv = parseHex(encrypted?.decoded?.iv ?? "");
    const body = parseHex(encrypted?.hex ?? "");
    new PacketCipher("client", iv, 62).open(body);
    expect(hexOf(body)).toBe(plain?.hex);
    const sealed = new PacketCipher("client", iv, 62).seal(parseHex(plain?.hex ?? ""));
    expect(hexOf(sealed.subarray(4))).toBe(encrypted?.hex);
  });
});

const anyBytes = fc.uint8Array({ maxLength: 300 });

describe("AES-256", () => {
  it("is that of FIPS 197, appendix C.3", () => {
    const block = parseHex("00112233445566778899aabbccddeeff");
    new Aes256(parseHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")).encryptBlock(block);
    expect(hexOf(block)).toBe("8ea2b7ca516745bfeafc49904b496089");
  });

  it("is what OpenSSL computes, for any key and block", () => {
    const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
    fc.assert(
      fc.property(bytes(32), bytes(16), (key, block) => {
        const expected = createCipheriv("aes-256-ecb", key, null).update(block);
        const own = block.slice();
        new Aes256(key).encryptBlock(own);
        expect(hexOf(own)).toBe(expected.toString("hex"));
      }),
    );
  });

  it("wants a key of 32 bytes and blocks of 16", () => {
    expect(() => new Aes256(new Uint8Array(16))).toThrow(RangeError);
    expect(() => new Aes256(new Uint8Array(32)).encryptBlock(new Uint8Array(15))).toThrow(RangeError);
  });

  it("starts its feedback anew after 1456 and then every 1460 bytes", () => {
    const iv = parseHex("01020304");
    const stream = new Uint8Array(1456 + 1460 + 100);
    applyAesOfb(stream, iv);
    const first = stream.subarray(0, 100);
    expect(stream.subarray(1456, 1556)).toEqual(first);
    expect(stream.subarray(1456 + 1460, 1456 + 1460 + 100)).toEqual(first);
    expect(stream.subarray(1460, 1560)).not.toEqual(first);
  });
});

it("Shanda and OFB undo themselves, and the IV rolls the same at both ends", () => {
  fc.assert(
    fc.property(fc.array(anyBytes, { maxLength: 5 }), (payloads) => {
      const iv = parseHex("4c871d9d");
      const there = new PacketCipher("client", iv, 62);
      const here = new PacketCipher("client", iv, 62);
      for (const payload of payloads) {
        const body = there.seal(payload).slice(4);
        here.open(body);
        expect(body).toEqual(payload);
        expect(here.iv).toEqual(there.iv);
      }
    }),
  );
});

describe("frames that are prepared once and sealed for each connection", () => {
  const chain = new Keystreams(defaultHello("v62").sendIv);
  const chainLength = chain.ivs.length;
  // The longest a keystream is kept for, the stretches of output feedback, and any others.
  const payloads = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.uint8Array({ maxLength: 70 }) },
      fc.constantFrom(63, 64, 65, 1455, 1457, 3000).map((length) => new Uint8Array(length).fill(length)),
    ),
    { maxLength: 12 },
  );
  const check = (iv: Uint8Array, all: readonly Uint8Array[], aside: number): void => {
    const one = new PacketCipher("server", iv, 62);
    const other = new PacketCipher("server", iv, 62);
    const frames = all.map((payload) => one.seal(payload));
    const prepared = Uint8Array.from(all.flatMap((payload) => [...prepareFrame(payload)]));
    const before = prepared.slice();
    // Somewhere in larger memory that was used before.
    const memory = new Uint8Array(aside + prepared.length + 8).fill(0xee);
    other.sealPrepared(prepared, memory.subarray(aside, aside + prepared.length), chain);
    expect(hexOf(memory.subarray(aside, aside + prepared.length))).toBe(frames.map(hexOf).join(""));
    expect(memory.subarray(aside + prepared.length)).toEqual(new Uint8Array(8).fill(0xee));
    expect(prepared).toEqual(before);
    expect(other.iv).toEqual(one.iv);
  };

  it("are those of one by one, anywhere in the chain and outside of it", () => {
    fc.assert(
      fc.property(payloads, fc.nat(chainLength - 1), fc.nat(7), fc.boolean(), (all, place, aside, isInChain) => {
        const word = isInChain ? (chain.ivs[place] as number) : place;
        check(Uint8Array.of(word, word >>> 8, word >>> 16, word >>> 24), all, aside);
      }),
    );
  });

  it("go on where the chain comes back to itself", () => {
    const last = chain.ivs[chainLength - 1] as number;
    const iv = Uint8Array.of(last, last >>> 8, last >>> 16, last >>> 24);
    expect(chain.placeOf(rollIv(iv))).toBe(chain.next(chainLength - 1));
    expect([chainLength, chain.next(chainLength - 1)]).toEqual([25_263, 5290]);
    check(iv, [Uint8Array.of(1, 2, 3), new Uint8Array(40), Uint8Array.of(9)], 1);
  });
});

const pong: MapleClientMessage = { message: "pong", value: {} };
const open = (dialect: string, carrierOf: "stream" | "message" = "stream") => ({
  server: openMapleChannel({ side: "server", dialect, carrier: carrierOf }),
  client: openMapleChannel({ side: "client", dialect, carrier: carrierOf }),
});

describe("a stream of v62", () => {
  it("begins with the server's hello; frames are ciphered and not shared", () => {
    const { server, client } = open("v62");
    expect(hexOf(server.handshake?.greeting ?? new Uint8Array())).toBe(carrier.hello.bytes);
    expect(client.handshake?.greeting).toBeUndefined();
    expect(server.sharesFrames).toBe(false);
    expect(server.write({ message: "ping", value: {} })).not.toEqual(server.write({ message: "ping", value: {} }));
  });

  it("a client uses the IVs that the hello names", () => {
    const other = { ...defaultHello("v62"), recvIv: parseHex("01020304"), sendIv: parseHex("05060708") };
    const server = openMapleChannel({ side: "server", dialect: "v62", carrier: "stream", hello: other });
    const { client } = open("v62");
    client.push(server.handshake?.greeting ?? new Uint8Array());
    client.push(server.write({ message: "ping", value: {} }));
    expect(client.next()?.message).toEqual({ message: "ping", value: {} });
    server.push(client.write(pong));
    expect(server.next()?.message).toEqual(pong);
  });

  it("a client that speaks before the hello is believed where the hello names the IVs it assumed, and nowhere else", () => {
    const { server, client } = open("v62");
    server.push(client.write(pong));
    client.push(server.handshake?.greeting ?? new Uint8Array());
    server.push(client.write(pong));
    expect([server.next()?.message, server.next()?.message]).toEqual([pong, pong]);
    const late = open("v62").client;
    late.write(pong);
    const other = writeHello({ ...defaultHello("v62"), recvIv: parseHex("01020304") });
    expect(wireErrorOf(() => late.push(other))?.code).toBe("bad-state");
  });

  test.each([
    ["a header of another IV", "00 00 00 00", "server", "bad-checksum"],
    ["a hello of another version", "0D 00 53 00 00 00 46 72 7A 18 52 30 78 14 08", "client", "bad-value"],
    ["a hello without end", "FF FF", "client", "limit"],
    ["a hello that is too short", "02 00 3E 00", "client", "truncated"],
  ] as const)("%s breaks it", (_, hex, side, code) => {
    const channel = open("v62")[side];
    expect(wireErrorOf(() => channel.push(parseHex(hex)))?.code).toBe(code);
    expect(wireErrorOf(() => channel.push(parseHex("00")))?.code).toBe("bad-state");
    expect(wireErrorOf(() => channel.next())?.code).toBe("bad-state");
  });

  it("a length over the limit breaks it as soon as the header is there; what came whole before can be taken", () => {
    const { server } = open("v62");
    const cipher = new PacketCipher("client", defaultHello("v62").recvIv, 62);
    const good = cipher.seal(parseHex("1800"));
    const header = cipher.seal(new Uint8Array(MAX_PAYLOAD_BYTES + 1)).subarray(0, 4);
    const error = wireErrorOf(() => server.push(Uint8Array.of(...good, ...header)));
    expect(error).toMatchObject({ code: "limit", bitOffset: good.length * 8 });
    expect(server.next()?.message).toEqual(pong);
    expect(wireErrorOf(() => server.next())?.code).toBe("bad-state");
  });

  it("a writer refuses a payload over the limit", () => {
    expect(() => open("v62").server.frame(new Uint8Array(MAX_PAYLOAD_BYTES + 1))).toThrow(RangeError);
    expect(open("v62").server.frame(new Uint8Array(MAX_PAYLOAD_BYTES))).toHaveLength(MAX_PAYLOAD_BYTES + 4);
  });
});

describe.each(mapleDialects.map(({ name }) => name))("a stream of %s", (dialect) => {
  it("keeps its payloads, however it is split and glued", () => {
    const payloads = fc.array(fc.oneof(anyBytes, fc.uint8Array({ minLength: 1400, maxLength: 3000 })), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(
        payloads,
        fc.integer({ min: 1, max: 700 }),
        fc.constantFrom("client", "server"),
        (said, size, sender) => {
          const { server, client } = open(dialect);
          const [from, to] = sender === "client" ? [client, server] : [server, client];
          const stream = Uint8Array.from([
            ...(from.handshake?.greeting ?? []),
            ...said.flatMap((payload) => [...from.frame(payload)]),
          ]);
          const received: Uint8Array[] = [];
          for (let at = 0; at < stream.length; at += size) {
            to.push(stream.subarray(at, at + size));
            for (let next = to.next(); next !== undefined; next = to.next()) received.push(next.payload);
          }
          expect(received).toEqual(said);
          expect(to.pendingBytes).toBe(0);
        },
      ),
      { numRuns: 40 },
    );
  });
});

it("documented prints no carrier: a length before the payload, the same for all", () => {
  const { server } = open("documented");
  expect(server.handshake?.greeting).toBeUndefined();
  expect(server.sharesFrames).toBe(true);
  expect(hexOf(server.frame(parseHex("b30000")))).toBe("0300b30000");
});

it("where messages are kept whole there is neither hello nor cipher", () => {
  const { server, client } = open("v62", "message");
  expect(server.handshake?.greeting).toBeUndefined();
  expect(server.sharesFrames).toBe(true);
  expect(hexOf(client.write(pong))).toBe("1800");
  server.push(client.write(pong));
  expect(server.next()?.message).toEqual(pong);
  server.push(parseHex("FFFF"));
  expect(server.next()?.error?.code).toBe("unknown-message");
  expect(wireErrorOf(() => server.push(new Uint8Array(MAX_PAYLOAD_BYTES + 1)))?.code).toBe("limit");
});

describe.each([
  ["v83", 83],
  ["v95", 95],
] as const)("the carrier of %s", (dialect, version) => {
  it("greets with its version and its patch name", () => {
    const hello = formatHex(writeHello(defaultHello(dialect)));
    expect(hello).toBe(`0e 00 ${version.toString(16)} 00 01 00 31 46 72 7a 18 52 30 78 14 08`);
  });

  it("marks its headers with the version, from the client and inverted from the server", () => {
    const server = openMapleChannel({ side: "server", dialect, carrier: "stream" });
    const client = openMapleChannel({ side: "client", dialect, carrier: "stream" });
    client.push(server.handshake?.greeting ?? new Uint8Array(0));
    const fromServer = server.write({ message: "ping", value: {} });
    // iv[2] | iv[3] << 8 is 0x1478 and 0x187a; the length is 2.
    const mark = 0x1478 ^ (0xffff - version);
    expect([...fromServer.subarray(0, 4)]).toEqual([mark & 255, mark >> 8, (mark ^ 2) & 255, (mark ^ 2) >> 8]);
    client.push(fromServer);
    expect(client.next()?.message).toEqual({ message: "ping", value: {} });
    const fromClient = client.write({ message: "pong", value: {} });
    const own = 0x187a ^ version;
    expect([...fromClient.subarray(0, 4)]).toEqual([own & 255, own >> 8, (own ^ 2) & 255, (own ^ 2) >> 8]);
    server.push(fromClient);
    expect(server.next()?.message).toEqual({ message: "pong", value: {} });
  });

  it("refuses the hello of another version", () => {
    const client = openMapleChannel({ side: "client", dialect, carrier: "stream" });
    expect(wireErrorOf(() => client.push(writeHello(defaultHello("v62"))))).toMatchObject({
      code: "bad-value",
      message: `Cannot read hello: version 62 is not ${version} at byte 0`,
    });
  });
});

it("documented has no hello", () => {
  expect(() => defaultHello("documented")).toThrow(RangeError);
});
