import { describe, expect, it } from "vitest";
import { formatHex, parseHex, WireError } from "../../wire/index.ts";
import { wireErrorOf } from "../../wire/testing/check-layout.ts";
import type { Side } from "../codec.ts";
import { openTap } from "../open-tap.ts";
import type { Protocol } from "../protocol.ts";
import type { RevisionTable } from "../revisions.ts";
import type { Tap } from "../tap.ts";
import { osrs } from "./osrs.ts";
import { BrokenStream } from "./wire/broken-stream.ts";
import { frameOsrs } from "./wire/framing.ts";
import { hiddenBodiesOf } from "./wire/game-messages.ts";
import { OpcodeCipher } from "./wire/isaac.ts";
import { loginEnd } from "./wire/login.ts";
import { revisionTable } from "./wire/tables/revision-table.ts";

const seed = [1, 2, 0xffff_ffff, 4];
const isaac = "0000000100000002ffffffff00000004";
/** Opcode of 239: it has no body. */
const LOGOUT = [...(revisionTable(239)?.server ?? [])]
  .filter(([, { name }]) => name === "LOGOUT")
  .map(([opcode]) => opcode.toString(16).padStart(2, "0"))
  .join("");
const base = { isaac, skipLogin: true };
const configured = (revision: number, game: Protocol | undefined = osrs as Protocol): Protocol =>
  game?.capabilities?.settings?.configure({ revision }) as Protocol;
const tapWith = (options: object, game = configured(239)): Tap =>
  openTap(game, { dialect: "client", options: options as Record<string, string> });

function texts(tap: Tap, sender: Side): string[] {
  const read: string[] = [];
  for (let tapped = tap.next(sender); tapped !== undefined; tapped = tap.next(sender)) {
    if (tapped.payload === undefined) read.push(`${tapped.what} ${tapped.unframed.length}`);
    else
      read.push(
        `${tapped.message?.message ?? tapped.error?.message} ${formatHex(tapped.payload, { separator: "" }).slice(0, 12)}`,
      );
  }
  return read;
}

/** What one end of the game writes after the login: its ciphers run on. */
function endOf(sender: Side, usedNumbers = 0): (hex: string) => Uint8Array {
  const sizes = new Map([...(revisionTable(239)?.[sender] ?? [])].map(([opcode, { size }]) => [opcode, size]));
  const cipher = new OpcodeCipher(sender, seed);
  cipher.skip(usedNumbers);
  return (hex) => frameOsrs(sizes, parseHex(hex), { cipher });
}

const session = `00${"11".repeat(8)}`;
/** The body of an OK: authenticator, ranks, the index 499, member, three ids. Its size says 37, and it has 34 bytes. */
const okBody = (authenticator: string) => `${authenticator} 00 00 01f3 01 ${"22".repeat(24)}`;
const ok = (authenticator = "00 00000000") => `02 25 ${okBody(authenticator)}`;

describe("the end of a login", () => {
  it.each<[what: string, hex: string, end: object]>([
    ["at once", `${session} ${ok()}`, { length: 45, index: 499, usedNumbers: 0 }],
    ["with an authenticator", `${session} ${ok("01 a1b2c3d4")}`, { length: 45, index: 499, usedNumbers: 4 }],
    [
      "after proof of work, twice",
      `${session} 45 0003 000102 45 0001 00 ${ok()}`,
      { length: 55, index: 499, usedNumbers: 0 },
    ],
    ["after tokens", `${session} 40 05 0102030405 ${ok("01 a1b2c3d4")}`, { length: 52, index: 499, usedNumbers: 9 }],
    ["after a birthday", `${session} 3d 07 ${ok()}`, { length: 47, index: 499, usedNumbers: 0 }],
    ["of another server", `${session} 02 03 aabbcc`, { length: 14, usedNumbers: 0 }],
    ["of a resumed session", `${session} 0f 0002 aabb`, { length: 14, usedNumbers: 0 }],
  ])("%s", (_, hex, end) => {
    const bytes = parseHex(hex);
    expect(loginEnd(bytes)).toEqual(end);
    expect(loginEnd(parseHex(`${hex} 5555`))).toEqual(end);
    const { length } = end as { length: number };
    // The size of a body that is not looked into says enough.
    for (let cut = 0; cut < length; cut++) {
      const early = loginEnd(bytes.subarray(0, cut));
      expect(early === undefined || (early.length > cut && early.index === undefined)).toBe(true);
    }
  });

  it("is not known before the text of a refusal is complete", () => {
    expect(loginEnd(parseHex(`${session} 1d 0005 41004280`))).toBeUndefined();
    expect(loginEnd(parseHex(`${session} 1d 00`))).toBeUndefined();
  });

  it.each([
    ["fe", 0, "the server answers the connection with code 254, expected 0"],
    ["2a0102", 0, "the server answers the connection with code 42, expected 0 (as a refusal: in a queue)"],
    [`${session} 03`, 9, "the server refuses the login: invalid user name or password (code 3)"],
    [`${session} c8`, 9, "the server answers with code 200, expected 2 or 15"],
    [`${session} 45 0000 1d 0005 4100428000`, 12, 'the server refuses the login: "A / B\u20ac" (code 29)'],
    [`${session} 1d 0003 000000`, 9, "the server refuses the login: a text without words (code 29)"],
  ])("is not in %s", (hex, at, why) => {
    expect(wireErrorOf(() => loginEnd(parseHex(hex)))).toMatchObject({
      code: "bad-value",
      bitOffset: at * 8,
      message: `Cannot read login: ${why} at byte ${at}`,
    });
  });
});

describe("a connection with a login", () => {
  it.each([
    ["plain", ok(), 0],
    ["with an authenticator", ok("01 a1b2c3d4"), 4],
    ["with proof of work and tokens", `45 0003 000102 40 02 0707 ${ok("01 a1b2c3d4")}`, 6],
  ])("%s: the index comes before the first packet, and the ciphers stay in step", (_, answers, usedNumbers) => {
    const tap = tapWith(base);
    const [server, client] = [endOf("server", usedNumbers), endOf("client")];
    tap.push("client", parseHex("0e"));
    tap.push("server", parseHex(session));
    tap.push("client", parseHex("10 0003 aabbcc 13 0008 0000000000000001"));
    expect([...texts(tap, "client"), ...texts(tap, "server")]).toEqual([]);
    // The end of the login and the first packets arrive together, byte by byte.
    const packets = ["1c007ff4", "53", "8312", "1c00"].map(server);
    const bytes = [...parseHex(answers), ...packets.flatMap((packet) => [...packet])];
    const read: string[] = [];
    for (const byte of bytes) {
      tap.push("server", Uint8Array.of(byte));
      read.push(...texts(tap, "server"));
    }
    tap.push("client", client("6e00005860"));
    expect(read).toEqual([
      `login ${parseHex(session + answers).length}`,
      "playerIndex fd01f3",
      "playerInfo 1c007ff4",
      "serverTickEnd 53",
      expect.stringMatching(/^[A-Z_\d]+ 8312$/),
      "playerInfo 1c00",
    ]);
    expect(texts(tap, "client")).toEqual(["login 18", "mouseMove 6e00005860"]);
    // Framed anew they are what each side would have sent; what the login stands for is on no wire.
    expect(tap.frame("server", parseHex("fd01f3"))).toEqual(new Uint8Array(0));
    expect(["1c007ff4", "53"].map((hex) => tap.frame("server", parseHex(hex)))).toEqual(packets.slice(0, 2));
    expect(tap.frame("client", parseHex("6e00005860"))).toEqual(endOf("client")("6e00005860"));
  });

  it("that resumes a session gives the initialisation, with the index that is given", () => {
    const init = new Uint8Array(4608).fill(0xab);
    const answer = parseHex(`${session} 0f 1200`);
    for (const [options, index] of [
      [{ ...base, local: 7 }, ["playerIndex fd0007"]],
      [base, []],
    ] as const) {
      const tap = tapWith(options);
      tap.push("client", parseHex("0e"));
      tap.push("server", Uint8Array.of(...answer, ...init, ...endOf("server")("1c007ff4")));
      expect(texts(tap, "server")).toEqual([
        "login 4620",
        ...index,
        "playerInfoInit ffababababab",
        "playerInfo 1c007ff4",
      ]);
      expect(texts(tap, "client")).toEqual(["login 1"]);
      expect(tap.frame("server", Uint8Array.of(255, ...init))).toEqual(new Uint8Array(0));
    }
  });

  it("leaves its index for a connection that goes on with its session, unless the server has ended it", () => {
    const left = tapWith(base);
    expect(left.session).toBeUndefined();
    left.push("client", parseHex("0e"));
    left.push("server", parseHex(`${session} ${ok()}`));
    texts(left, "server");
    expect(left.session).toBe(499);
    const answer = parseHex(`${session} 0f 1200`);
    const resumed = () => left.session;
    const tap = openTap(configured(239), { dialect: "client", options: base as never, resumed });
    tap.push("server", Uint8Array.of(...answer, ...new Uint8Array(4608)));
    expect(texts(tap, "server")).toEqual(["login 4620", "playerIndex fd01f3", "playerInfoInit ff0000000000"]);
    expect(tap.session).toBe(499);
    left.push("server", endOf("server")(LOGOUT));
    texts(left, "server");
    expect(left.session).toBeUndefined();
  });

  it("keeps what the login stands for when it is saved before it was taken", () => {
    const tap = tapWith(base);
    tap.push("server", parseHex(`${session} ${ok()}`));
    expect(tap.next("server")).toMatchObject({ what: "login" });
    const saved = tap.save("server");
    const other = tapWith({});
    expect(saved).toMatchObject({ state: { led: [parseHex("fd01f3")] } });
    expect(texts(tap, "server")).toEqual(["playerIndex fd01f3"]);
    expect(tap.save("server")).not.toHaveProperty("state.led");
    expect(other.save("server")).not.toHaveProperty("state.led");
  });

  it("whose login is refused can be read in neither direction, and both say so", () => {
    const tap = tapWith(base);
    tap.push("client", parseHex("0e 100003aabbcc"));
    expect(() => tap.push("server", parseHex(`${session} 03`))).toThrow("invalid user name or password (code 3)");
    expect(() => tap.push("client", parseHex("0102"))).toThrow(
      "Cannot read login: the server refused it, 7 bytes of the client after its start",
    );
  });

  it("that is for the cache is read in neither direction", () => {
    const tap = tapWith(base);
    expect(() => tap.push("client", parseHex("0f000000ef"))).toThrow(
      "the client asks for its cache (JS5, first byte 15)",
    );
    expect(() => tap.push("server", parseHex("00"))).toThrow("the client asks for its cache");
  });

  it("has options that are checked", () => {
    expect(() => tapWith({ ...base, local: 0 })).toThrow("Cannot read local: it must be an index in 1..2047");
  });
});

describe("a stream that breaks", () => {
  const tables = [223, 224, 225, 231, 238, 239, 240];
  /** What a server of a revision sends, enciphered: a message of each size, again and again. */
  const sentBy = (revision: number, words: readonly number[], count: number): Uint8Array => {
    const table = revisionTable(revision)?.server ?? new Map();
    const sizes = new Map([...table].map(([opcode, { size }]) => [opcode, size]));
    const cipher = new OpcodeCipher("server", words);
    const hiddenBodies = hiddenBodiesOf(revisionTable(revision) as RevisionTable);
    const opcodes = [...table.keys()].filter((opcode) => opcode !== 255);
    const frames = Array.from({ length: count }, (_, at) => {
      const opcode = opcodes[(at * 7) % opcodes.length] as number;
      const size = sizes.get(opcode);
      return frameOsrs(sizes, Uint8Array.of(opcode, ...new Uint8Array(typeof size === "number" ? size : at)), {
        cipher,
        hiddenBodies,
      });
    });
    return Uint8Array.from(frames.flatMap((frame) => [...frame]));
  };
  const whyOf = (revision: number, bytes: Uint8Array, piece = 50): string => {
    const tap = tapWith({ isaac }, configured(revision));
    try {
      for (let at = 0; at < bytes.length; at += piece) {
        tap.push("server", bytes.subarray(at, at + piece));
        texts(tap, "server");
      }
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each(tables)("names the revision whose table it is: %i", (sent) => {
    for (const revision of tables) {
      const why = whyOf(revision, sentBy(sent, seed, 40));
      if (revision === sent) expect(why).toBe("");
      else
        expect(why).toMatch(
          new RegExp(`at byte \\d+, (as the first message|after \\d+ messages?, .*); revision .*${sent}`),
        );
    }
  });

  it("with wrong seeds fits none, and says so", () => {
    const why = whyOf(239, sentBy(239, [1, 2, 3, 5], 40));
    expect(why).toContain("no other revision fits these bytes, so the seeds or the start of the stream may be wrong");
    // It begins in the middle.
    expect(whyOf(239, sentBy(239, seed, 80).subarray(200))).toContain("no other revision fits these bytes");
  });

  it("after 64 messages says only where it broke: the table was right", () => {
    const whole = sentBy(239, seed, 100);
    const why = whyOf(239, Uint8Array.of(...whole, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 1);
    expect(why).toMatch(/after \d{3} messages, the last one [A-Z_\d]+$/);
  });

  it("is explained only where its start was seen, and never to a server of ours", () => {
    const open = () => configured(238).openChannel?.({ side: "client", dialect: "client", carrier: "stream" });
    const channel = open();
    channel?.push(Uint8Array.of(0xff, 0xff, 0xff));
    expect(() => channel?.next()).toThrow(/is no message of revision 238 at byte 1$/);
    const stream = new BrokenStream({ nameOf: () => "A", others: () => [] });
    const refusal = () => (stream.explained(new WireError("limit", "broken", 0)) as Error).message;
    expect(refusal()).toMatch(/^broken, as the first message; no other/);
    stream.read(Uint8Array.of(1));
    expect(refusal()).toMatch(/^broken, after 1 message, the last one A; no other/);
    stream.forget();
    expect(refusal()).toBe("broken");
  });
});

describe("a tap of a game with a table", () => {
  const table = {
    revisions: {
      242: {
        fromServer: { PLAYER_INFO: [17, -2], IF_SETTEXT: [130, -2] },
        fromClient: { EVENT_MOUSE_MOVE: [3, -1], IDLE: [4, 0] },
      },
    },
  };

  it("reads a revision that the game does not have by itself", () => {
    const tap = tapWith({}, configured(242, osrs.capabilities.revisions?.withTable(table)));
    tap.push("server", parseHex("11 0003 007ff4 8082 0002 4100"));
    tap.push("client", parseHex("04 03 04 00005860"));
    expect(texts(tap, "server")).toEqual(["playerInfo 11007ff4", "IF_SETTEXT 824100"]);
    expect(texts(tap, "client")).toEqual(["IDLE 04", "mouseMove 0300005860"]);
    tap.push("client", parseHex("05"));
    expect(() => tap.next("client")).toThrow("5 is no message of revision 242 at byte 7");
  });

  it("refuses another revision than that of the game among the options of packet streams", () => {
    expect(() => tapWith({ revision: "240" })).toThrow(
      "Cannot read revision: 240 is not that of the game, 239: configure the game, osrs.revision",
    );
    expect(() => tapWith({ revision: "239" })).not.toThrow();
    expect(() => tapWith({ revision: "positions" })).not.toThrow();
  });
});
