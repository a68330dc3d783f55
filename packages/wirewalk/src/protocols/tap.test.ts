import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatHex, parseHex, WireError } from "../wire/index.ts";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import type { Side } from "./codec.ts";
import { mapleStory } from "./maplestory/maplestory.ts";
import { type Hello, openMapleChannel, writeHello } from "./maplestory/wire/channel.ts";
import { openTap } from "./open-tap.ts";
import { osrs } from "./osrs/osrs.ts";
import { frameOsrs } from "./osrs/wire/framing.ts";
import { OpcodeCipher } from "./osrs/wire/isaac.ts";
import type { Protocol } from "./protocol.ts";
import { slimeOnline2 } from "./slime-online-2/slime-online-2.ts";
import type { Tap } from "./tap.ts";
import { fakeProtocol } from "./testing/fake-protocol.ts";

test("the examples of open-tap.ts are true", () => {
  const examples = findExamples(readFileSync(new URL("open-tap.ts", import.meta.url), "utf8"));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) runExample(example, { openTap, slimeOnline2, parseHex });
});

function texts(tap: Tap, sender: Side): string[] {
  const read: string[] = [];
  for (let tapped = tap.next(sender); tapped !== undefined; tapped = tap.next(sender)) {
    if (tapped.payload === undefined) read.push(`${tapped.what} ${tapped.unframed.length}`);
    else read.push(formatHex(tapped.payload, { separator: "" }));
  }
  return read;
}

/** IVs that no server of ours has. */
const hello: Hello = {
  version: 83,
  patch: "1",
  recvIv: parseHex("01020304"),
  sendIv: parseHex("a0b0c0d0"),
  locale: 8,
};

test("MapleStory: the IVs are those of the greeting, whatever is split", () => {
  const options = { dialect: "v83", carrier: "stream", hello, greeted: true } as const;
  const client = openMapleChannel({ side: "client", ...options });
  const server = openMapleChannel({ side: "server", ...options });
  const fromServer = [writeHello(hello), server.frame(parseHex("1100")), server.frame(parseHex("1100aabb"))];
  const fromClient = [client.frame(parseHex("1800")), client.frame(parseHex("180001"))];
  const tap = openTap(mapleStory as Protocol, { dialect: "v83", options: {} });
  // A client that speaks before the greeting is read when that has come.
  tap.push("client", fromClient[0] as Uint8Array);
  expect(texts(tap, "client")).toEqual([]);
  const read: string[] = [];
  for (const byte of fromServer.flatMap((bytes) => [...bytes])) {
    tap.push("server", Uint8Array.of(byte));
    read.push(...texts(tap, "server"));
  }
  expect(read).toEqual([`greeting ${writeHello(hello).length}`, "1100", "1100aabb"]);
  tap.push("client", fromClient[1] as Uint8Array);
  expect(texts(tap, "client")).toEqual(["1800", "180001"]);
  // What is framed anew is what each side would have sent.
  expect(tap.frame("client", parseHex("1800"))).toEqual(fromClient[0]);
  expect(tap.frame("server", parseHex("1100"))).toEqual(fromServer[1]);
});

test("MapleStory: a greeting of another version names its dialect", () => {
  const tap = openTap(mapleStory as Protocol, { dialect: "v62", options: {} });
  expect(() => tap.push("server", writeHello(hello))).toThrow(
    "Cannot read hello: version 83 is not 62: it is dialect v83",
  );
});

const seed = [1, 2, 0xffff_ffff, 4];
const options = { isaac: "0000000100000002ffffffff00000004", skipLogin: true };

test("OSRS: packets follow the login, with hidden opcodes", () => {
  const tap = openTap(osrs as Protocol, { dialect: "client", options });
  const mouse = parseHex("22000858605860");
  const index = parseHex("010005");
  tap.push("client", parseHex("0e"));
  tap.push("server", parseHex("000102030405060708"));
  tap.push("client", parseHex("1000020304"));
  tap.push("server", parseHex("0203aabb"));
  expect([...texts(tap, "client"), ...texts(tap, "server")]).toEqual([]);
  // The end of the login and the first packet arrive together.
  const first = frameOsrs(new Map([[1, 2]]), index, { cipher: new OpcodeCipher("server", seed) });
  tap.push("server", Uint8Array.of(0xcc, ...first));
  tap.push("client", frameOsrs(new Map([[0x22, "varByte"]]), mouse, { cipher: new OpcodeCipher("client", seed) }));
  expect(texts(tap, "server")).toEqual(["login 14", "010005"]);
  expect(texts(tap, "client")).toEqual(["login 6", "22000858605860"]);
});

test("OSRS: a login that fails, and one that never ends, are refused; its length may be given", () => {
  const refused = openTap(osrs as Protocol, { dialect: "client", options });
  expect(() => refused.push("server", parseHex("00010203040506070803"))).toThrow(
    "Cannot read login: the server refuses the login: invalid user name or password (code 3) at byte 9",
  );
  const endless = openTap(osrs as Protocol, { dialect: "client", options });
  const piece = new Uint8Array(1000);
  expect(() => {
    for (let times = 0; times < 20; times++) endless.push("client", piece);
  }).toThrow(WireError);
  const given = openTap(osrs as Protocol, { dialect: "client", options: { loginBytes: 3 } });
  given.push("server", parseHex("aabbcc010005"));
  expect(texts(given, "server")).toEqual(["login 3", "010005"]);
});

test("OSRS: opcodes are those of the revision, and the sizes of others may be given", () => {
  const sizes = { client: { 5: "varByte" }, server: { 200: 1, 201: "varShort" } };
  const game = osrs.capabilities.settings?.configure({ revision: 240 }).capabilities?.revisions?.withTable(sizes);
  const open = () => openTap(game as Protocol, { dialect: "client", options: {} });
  const tap = open();
  tap.push("server", parseHex("80c811 80c90002aabb 5b0001cc"));
  expect(texts(tap, "server")).toEqual(["c811", "c9aabb", "5bcc"]);
  tap.push("client", parseHex("0503010203"));
  expect(texts(tap, "client")).toEqual(["05010203"]);
  const kept = open();
  kept.push("server", parseHex("5b0001cc 80c8aa"));
  expect(kept.next("server")).toMatchObject({ message: { message: "playerInfo" } });
  expect(kept.next("server")).toMatchObject({ error: { code: "unknown-message" } });
});

test("a game whose ends greet needs the capability", () => {
  expect(() => openTap(fakeProtocol as Protocol, { dialect: "greeting", options: {} })).toThrow(
    "fake cannot be read from beside: its ends greet, and it has no capability tap",
  );
});
