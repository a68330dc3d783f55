import { describe, expect, test } from "vitest";
import { mapleHello, mapleStory, openMapleChannel } from "wirewalk/maplestory";
import { createRandom } from "wirewalk/motion";
import { osrs } from "wirewalk/osrs";
import type { Channel, PlayableProtocol, Side } from "wirewalk/protocol";
import { scrapMechanic } from "wirewalk/scrap-mechanic";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { encode, type JsonObject, parseHex, sized, u16le } from "wirewalk/wire";
import type { Line } from "./pipe.ts";
import { parseRules, type RelayRule, ruleStage } from "./rules.ts";

interface Case {
  readonly protocol: PlayableProtocol;
  readonly dialect: string;
  readonly rules: readonly RelayRule[];
  /** What each side sends, and what the other receives. */
  readonly sent: Readonly<Record<Side, readonly JsonObject[]>>;
  readonly received: Readonly<Record<Side, readonly JsonObject[]>>;
}

const ping = { message: "ping", value: {} };
const pong = { message: "pong", value: {} };
const chat = (text: string): JsonObject => ({ message: "chat", value: { text } });
const hello = (version: number): JsonObject => ({ message: "hello", value: { version } });
const index = (number: number): JsonObject => ({ message: "playerIndex", value: { index: number } });

/** PLAYER_LOGGEDIN. */
const entering = (characterId: number, dialect = "v62"): JsonObject => ({
  message: "playerLoggedIn",
  value: { characterId, ...(dialect === "v62" ? { reserved: 0 } : { rest: "" }) },
});

/** KILL_MONSTER. */
const gone = (dialect: string): JsonObject => ({
  message: "removeMonster",
  value: { mobId: 1, animation: 1, ...(dialect === "v62" ? {} : { rest: "" }) },
});

const maple = (dialect: string): Case => ({
  protocol: mapleStory as PlayableProtocol,
  dialect,
  rules: [
    { direction: "client", message: "pong", drop: true },
    { message: "playerLoggedIn", where: { characterId: 5 }, set: { characterId: 6 } },
    { direction: "server", message: "ping", drop: true },
  ],
  sent: {
    client: [pong, entering(4, dialect), entering(5, dialect), pong, entering(7, dialect)],
    server: [ping, gone(dialect), ping],
  },
  received: {
    client: [gone(dialect)],
    server: [entering(4, dialect), entering(6, dialect), entering(7, dialect)],
  },
});

const cases: readonly Case[] = [
  {
    protocol: slimeOnline2 as PlayableProtocol,
    dialect: "v0106",
    rules: [
      { direction: "client", message: "chat", drop: true },
      { message: "ping", drop: true },
    ],
    sent: { client: [chat("a"), { message: "logout", value: {} }, chat("b")], server: [ping] },
    received: { client: [], server: [{ message: "logout", value: {} }] },
  },
  maple("v62"),
  maple("v83"),
  maple("v95"),
  {
    protocol: scrapMechanic as PlayableProtocol,
    dialect: "documented",
    rules: [{ message: "hello", where: { version: 1 }, set: { version: 2 } }],
    sent: { client: [hello(1), hello(3)], server: [] },
    received: { client: [], server: [hello(2), hello(3)] },
  },
  {
    protocol: osrs as PlayableProtocol,
    dialect: "client",
    rules: [{ message: "playerIndex", where: { index: 7 }, drop: true }],
    sent: { client: [], server: [index(5), index(7), index(9)] },
    received: { client: [index(5), index(9)], server: [] },
  },
];

/** IVs that no server of ours has. */
const ivs = { recvIv: parseHex("01020304"), sendIv: parseHex("a0b0c0d0") };

/** Both ends of a connection, and what the server says before its first frame. */
function endsOf({ protocol, dialect }: Case): { client: Channel; server: Channel; greeting: Uint8Array } {
  const options = { dialect, carrier: "stream" } as const;
  if (protocol.name !== "maplestory") {
    return {
      client: protocol.openChannel({ side: "client", ...options }),
      server: protocol.openChannel({ side: "server", ...options }),
      greeting: new Uint8Array(0),
    };
  }
  const version = Number(dialect.slice(1));
  const greeting = { version, patch: "1", ...ivs, locale: 8 };
  const greeted = { ...options, hello: greeting, greeted: true };
  return {
    client: openMapleChannel({ side: "client", ...greeted }) as Channel,
    server: openMapleChannel({ side: "server", ...greeted }) as Channel,
    greeting: encode(sized(u16le, mapleHello), greeting),
  };
}

/** Carries what both sides send through the rules, split anywhere. */
function carry(each: Case): { received: Record<Side, Uint8Array[]>; notes: string[]; isAborted: boolean } {
  const { protocol, dialect, rules } = each;
  const codec = protocol.codec(dialect);
  const ends = endsOf(each);
  const received: Record<Side, Uint8Array[]> = { client: [], server: [] };
  const notes: string[] = [];
  let isAborted = false;
  const stage = ruleStage({
    protocol,
    dialect,
    options: {},
    rules,
    events: {
      applied: (direction, rule, action, message, failed) =>
        notes.push(`${direction} ${message} ${action} ${rule}${failed === undefined ? "" : `: ${failed}`}`),
      lost: (direction, reason) => notes.push(`${direction} lost: ${reason}`),
    },
    abort: () => {
      isAborted = true;
    },
  });
  const lineTo = (side: Side): Line => ({
    heldBytes: 0,
    push: (bytes) => received[side].push(bytes) > 0,
    drained: () => {},
    end: () => {},
    reset: () => {},
    close: () => {},
  });
  const lines = {
    client: stage("client", lineTo("server"), () => {}),
    server: stage("server", lineTo("client"), () => {}),
  };
  const random = createRandom(1);
  const send = (side: Side, bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; ) {
      const length = random.integer(1, 4);
      lines[side].push(bytes.subarray(at, at + length));
      at += length;
    }
  };
  send("server", ends.greeting);
  for (const side of ["client", "server"] as const) {
    for (const json of each.sent[side]) {
      const message = codec.fromJson(side, json);
      send(side, side === "client" ? ends.client.write(message) : ends.server.write(message));
    }
  }
  return { received, notes, isAborted };
}

describe.each(cases.map((each) => [each.protocol.name, each.dialect, each] as const))(
  "%s %s",
  (_name, _dialect, each) => {
    test("messages are dropped and changed, and ciphers stay in step", () => {
      const { received } = carry(each);
      const { client, server, greeting } = endsOf(each);
      const codec = each.protocol.codec(each.dialect);
      const read = (channel: Channel, bytes: Uint8Array, sender: Side): JsonObject[] => {
        channel.push(bytes);
        const messages: JsonObject[] = [];
        for (let next = channel.next(); next !== undefined; next = channel.next()) {
          if (next.error !== undefined) throw next.error;
          messages.push(codec.toJson(sender, next.message));
        }
        return messages;
      };
      expect(read(server, Buffer.concat(received.server), "client")).toMatchObject(each.received.server);
      const toClient = Buffer.concat(received.client);
      expect(toClient.subarray(0, greeting.length).equals(greeting)).toBe(true);
      expect(read(client, toClient.subarray(greeting.length), "server")).toMatchObject(each.received.client);
    });

    test("rules that name nothing that is sent change no byte", () => {
      const message = each.protocol.codec(each.dialect).messages[0]?.message ?? "";
      const { received } = carry({ ...each, rules: [{ message, where: { nothing: 1 }, drop: true }] });
      const ends = endsOf(each);
      const codec = each.protocol.codec(each.dialect);
      const all = (side: Side): Uint8Array[] =>
        each.sent[side].map((json) => {
          const sent = codec.fromJson(side, json);
          return side === "client" ? ends.client.write(sent) : ends.server.write(sent);
        });
      expect(Buffer.concat(received.server).equals(Buffer.concat(all("client")))).toBe(true);
      expect(Buffer.concat(received.client).equals(Buffer.concat([ends.greeting, ...all("server")]))).toBe(true);
    });
  },
);

const maple62 = maple("v62");

test("what rules did is reported, and a message that a rule does not fit passes unchanged", () => {
  const rules: readonly RelayRule[] = [
    { message: "pong", drop: true },
    { message: "playerLoggedIn", set: { characterId: "many" } },
    { message: "playerLoggedIn", set: { speed: 5 } },
  ];
  const { notes, received } = carry({ ...maple62, rules, sent: { client: [pong, entering(4)], server: [] } });
  expect(notes[0]).toBe("client pong drop 1");
  expect(notes[1]).toMatch(/^client playerLoggedIn set 2: Cannot .*characterId/);
  expect(notes[2]).toBe("client playerLoggedIn set 3: it has no speed");
  expect(Buffer.concat(received.server).length).toBeGreaterThan(0);
});

/** A stage of Slime Online 2 as documented: a u16 length before each payload. */
function plain(rules: readonly RelayRule[]) {
  const out: Uint8Array[] = [];
  const notes: string[] = [];
  const stage = ruleStage({
    protocol: slimeOnline2 as PlayableProtocol,
    dialect: "documented",
    options: {},
    rules,
    events: {
      applied: () => {},
      lost: (_direction, reason, isReset) => notes.push(`${reason}${isReset ? " reset" : ""}`),
    },
    abort: () => notes.push("aborted"),
  });
  const line = stage(
    "client",
    {
      heldBytes: 0,
      push: (bytes) => out.push(bytes) > 0,
      drained: () => {},
      end: () => out.push(Buffer.from("end")),
      reset: () => {},
      close: () => {},
    },
    () => {},
  );
  return { line, notes, text: () => Buffer.concat(out).toString("hex") };
}

const broken = "ffff0102";
/** A payload that is no message. */
const unknown = "0200aabb";

test("a stream that breaks passes unchanged when no rule has changed it", () => {
  const { line, notes, text } = plain([{ message: "movePlayer", drop: true }]);
  for (const hex of [unknown, "02", "00aabb", `${unknown}${broken}`, "030405"]) line.push(Buffer.from(hex, "hex"));
  expect(text()).toBe(`${unknown}${unknown}${unknown}${broken}030405`);
  expect(notes).toEqual([expect.stringContaining("65535")]);
});

test("half a frame at the end passes as it is", () => {
  const { line, text } = plain([{ message: "movePlayer", drop: true }]);
  line.push(Buffer.from("0200aa", "hex"));
  expect(text()).toBe("");
  line.end();
  expect(text()).toBe(`0200aa${Buffer.from("end").toString("hex")}`);
});

test("a stream that breaks after a change is reset", () => {
  const { line, notes } = plain([{ message: "movePlayer", drop: true }]);
  line.push(Buffer.from("030000080a", "hex"));
  line.push(Buffer.from(broken, "hex"));
  expect(notes).toEqual([expect.stringMatching(/65535.* reset$/), "aborted"]);
});

test.each([
  ["{", "not JSON"],
  ["{}", "a rule file is a list of rules"],
  ["[1]", "rule 1: it must be an object"],
  ['[{"message":"chat","drop":true},{"mesage":"chat"}]', "rule 2: unknown member 'mesage'"],
  ['[{"message":"chat"}]', "rule 1: it needs either drop or set"],
  ['[{"message":"chat","drop":true,"set":{"text":"a"}}]', "rule 1: it needs either drop or set"],
  ['[{"message":"chat","drop":false}]', "rule 1: drop must be true"],
  ['[{"message":"chatt","drop":true}]', "rule 1: no message 'chatt' of dialect v0106, expected movePlayer"],
  ['[{"direction":"client","message":"position","drop":true}]', "rule 1: no message 'position'"],
  ['[{"direction":"both","message":"chat","drop":true}]', "rule 1: direction must be client or server"],
  ['[{"message":"chat","set":{}}]', "rule 1: set must be an object of values by path"],
  ['[{"message":"chat","where":{"a b":1},"drop":true}]', "rule 1: where has a wrong path 'a b'"],
  ['[{"message":"chat","set":{"__proto__.x":1}}]', "rule 1: set has a wrong path '__proto__.x'"],
])("%s is refused", (text, why) => {
  expect(() => parseRules(text, { protocol: slimeOnline2 as PlayableProtocol, dialect: "v0106" })).toThrow(why);
});
