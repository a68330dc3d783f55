/** Revisions of Old School RuneScape that have a table: their frames, their codecs, tables out of JSON. */
import type { PayloadCodec, Side } from "wirewalk/protocol";
import type { GameMessages } from "../../../packages/wirewalk/src/protocols/osrs/wire/game-messages.ts";
import type { Target } from "../target.ts";
import { changeValue } from "./change-value.ts";
import { messageCheck } from "./messages.ts";
import { payloadsOf, sides } from "./payloads.ts";
import { piecesOf, SCRIPT_BYTES, scriptOf } from "./script.ts";
import { src } from "./sources.ts";
import { splitReader } from "./split-stream.ts";

const seed = [1, 0xffff_fff0, 3, 4];
const dialects = ["client", "native", "documented"];
const osrsWire = `${src}protocols/osrs/wire/`;
/** Zeros are a valid initialisation of player info. */
const INIT_BYTES = 4608;
const INDEX_OPCODE = 253;

/** The messages of every revision that has a table, ascending. */
async function allMessages(): Promise<readonly GameMessages[]> {
  const wire = "../../../packages/wirewalk/src/protocols/osrs/wire";
  const { messagesOfTable, tableOpcodes } = (await import(
    `${wire}/game-messages.ts`
  )) as typeof import("../../../packages/wirewalk/src/protocols/osrs/wire/game-messages.ts");
  const { revisionTable, tableRevisions } = await import("wirewalk/osrs");
  return tableRevisions.flatMap((revision) => {
    const table = revisionTable(revision);
    if (table === undefined) return [];
    const ours = { mouseOpcode: 0, playerIndexOpcode: INDEX_OPCODE, playerInfoInitOpcode: 0, playerInfoOpcode: 0 };
    return [messagesOfTable(table, { ...ours, ...tableOpcodes(table) })];
  });
}

/** The payload, with the initialisation of player info behind its opcode if `hasInit`. */
function withInit(payload: Uint8Array, hasInit: boolean): Uint8Array {
  if (!hasInit || payload.length === 0) return payload;
  const long = new Uint8Array(payload.length + INIT_BYTES);
  long.set(payload.subarray(0, 1));
  long.set(payload.subarray(1), 1 + INIT_BYTES);
  return long;
}

/** Bits of the first byte of a script's first piece. */
const FROM_SERVER = 1;
const CIPHERED = 2;
const AFTER_LOGIN = 4;
const WHOLE_MESSAGES = 8;
const RESUMED = 16;

export const osrsTableFrames: Target = {
  name: "osrs table frames",
  summary:
    "frames of a revision with or without ciphers, damaged and split: the same whole, in pieces and from a restored framer",
  cover: new RegExp(`${osrsWire}(?:framing|stream-framer|game-messages|isaac)\\.ts$`),
  maxBytes: SCRIPT_BYTES,
  async open() {
    const { openFramer } = await import("../../../packages/wirewalk/src/protocols/osrs/wire/stream-framer.ts");
    const readSplit = await splitReader();
    const revisions = await allMessages();
    const sizes = { client: new Map([[250, 3]]), server: new Map() };
    type Connection = Parameters<typeof openFramer>[2];
    type Framer = ReturnType<typeof openFramer>;
    const seeds = revisions.flatMap(({ sizes: own }, at) =>
      sides.flatMap((side, from) => {
        const opcodes = [...own[side]].filter(([, size]) => typeof size !== "number" || size < 40).slice(at, at + 5);
        const bodies = opcodes.map(([opcode, size]) =>
          Uint8Array.of(opcode, ...new Uint8Array(typeof size === "number" ? size : 6)),
        );
        return [0, CIPHERED, CIPHERED | AFTER_LOGIN, AFTER_LOGIN | RESUMED].map((flags) =>
          scriptOf([Uint8Array.of(flags | from, 2, 0, 0, 5, at), ...bodies]),
        );
      }),
    );
    return {
      seeds: [...seeds, scriptOf([Uint8Array.of(WHOLE_MESSAGES, 1, 0, 0, 0, 3), Uint8Array.of(1, 2)])],
      run(script) {
        const [control = new Uint8Array(), ...payloads] = piecesOf(script);
        const [flags = 0, step = 1, change = 0, place = 0, restoreAt = 0, revision = 0] = control;
        const messages = revisions[revision % revisions.length] as GameMessages;
        const sender: Side = (flags & FROM_SERVER) === 0 ? "client" : "server";
        const init = (flags & RESUMED) === 0 ? {} : { init: new Uint8Array(INIT_BYTES) };
        const connection: Connection = {
          seed: (flags & CIPHERED) === 0 ? undefined : seed,
          sizes,
          ...((flags & AFTER_LOGIN) === 0 ? {} : { login: { length: 1, index: 7, usedNumbers: 4, ...init } }),
        };
        const carrier = (flags & WHOLE_MESSAGES) === 0 ? "stream" : "message";
        const open = (side: Side): Framer => openFramer({ side, dialect: "client", carrier }, messages, connection);
        let from = open(sender);
        const frames: Uint8Array[] = [];
        const sent: string[] = [];
        for (const [at, payload] of payloads.slice(0, 100).entries()) {
          let frame: Uint8Array;
          try {
            frame = from.frame(payload);
          } catch (error) {
            if (error instanceof RangeError) continue;
            throw error;
          }
          frames.push(frame);
          if (frame.length > 0) sent.push(payload.join(" "));
          if (at !== restoreAt) continue;
          const saved = structuredClone(from.save());
          from = open(sender);
          from.restore(saved);
        }
        if (carrier === "message") return;
        const stream = Uint8Array.from(frames.flatMap((frame) => [...frame]));
        if (stream.length === 0) return;
        const receiver = (): Framer => open(sender === "client" ? "server" : "client");
        const whole = readSplit(receiver, stream, stream.length, -1);
        if (!whole.endsWith(sent.join("; "))) throw new Error("Frames do not come out as they went in");
        if (change !== 0) stream[place % stream.length] = (stream[place % stream.length] as number) ^ change;
        const damaged = readSplit(receiver, stream, stream.length, -1);
        const split = readSplit(receiver, stream, Math.max(1, step), restoreAt);
        if (damaged !== split) throw new Error(`Whole: ${damaged}; in pieces: ${split}`);
      },
    };
  },
};

export const osrsTableMessages: Target = {
  name: "osrs table messages",
  summary:
    "a message of a revision, also with changed members: refused, or written as it was read; its trace says the same and throws never",
  cover: new RegExp(
    `${osrsWire}(?:revision-(?:codec|layouts|orders)|game-messages|plain-json|tables/.*(?<!\\.test))\\.ts$`,
  ),
  maxBytes: 300,
  async open() {
    const { WireError } = await import("wirewalk/wire");
    const { plainJson } = await import("../../../packages/wirewalk/src/protocols/osrs/wire/plain-json.ts");
    const check = await messageCheck();
    const revisions = await allMessages();
    const codecOf = (revision: number, dialect: number): PayloadCodec =>
      (revisions[revision % revisions.length] as GameMessages).codec(dialects[dialect % dialects.length] as string);
    const seeds: Uint8Array[] = [];
    for (const [revision] of revisions.entries()) {
      const codec = codecOf(revision, revision);
      for (const [at, side] of sides.entries()) {
        for (const payload of await payloadsOf(codec, side)) {
          const name = codec.undescribed?.(side, payload);
          if (payload.length > 200 || (name !== undefined && revision > 0)) continue;
          seeds.push(Uint8Array.of(revision, (revision % 3) * 4 + at, payload.length, ...payload, 0, 0, 0));
        }
      }
    }
    return {
      seeds,
      run(input) {
        const [revision = 0, flags = 0, length = 0] = input;
        const codec = codecOf(revision, flags >> 2);
        const side = sides[flags & 1] as Side;
        const payload = withInit(input.slice(3, 3 + length), (flags & 2) !== 0);
        const trace = codec.trace(side, payload);
        const name = codec.undescribed?.(side, payload);
        let isRead = true;
        try {
          const message = codec.read(side, payload);
          const again = codec.write(side, message);
          const isSame = Buffer.compare(payload, again) === 0;
          // Records of the mouse have several forms, of which the writer knows one.
          const isMouse = message.message === "mouseMove" || message.message === "nativeMouseMove";
          if (!isSame && !(isMouse && Buffer.compare(codec.write(side, codec.read(side, again)), again) === 0)) {
            throw new Error(`${message.message} is written again as ${Buffer.from(again).toString("hex")}`);
          }
          if (JSON.stringify(plainJson(message.value)) !== JSON.stringify(codec.toJson(side, message).value)) {
            throw new Error(`${message.message} is other JSON by its values than by its description`);
          }
          if (name !== undefined && name !== message.message) throw new Error(`${name} is read as ${message.message}`);
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          isRead = false;
        }
        if (isRead !== (trace.error === undefined)) throw new Error(`Read: ${isRead}, traced: ${trace.error}`);
        if (isRead) check(codec, side, payload, input.subarray(3 + length));
      },
    };
  },
};

/** Documents to begin with: all that they may have. */
const documents: readonly object[] = [
  {
    source: "a test",
    revisions: {
      242: {
        fromServer: {
          PLAYER_INFO: [17, -2],
          IF_SETTEXT: [130, -1],
          REBUILD_NORMAL_V1: [3, -2],
          REBUILD_NORMAL: [4, -2],
        },
        fromClient: {
          EVENT_MOUSE_MOVE: [3, -1],
          MOVE_GAMECLICK: [4, 5],
          MOVE_MINIMAPCLICK: [6, 18],
          EVENT_NATIVE_MOUSE_CLICK: [7, 7],
          EVENT_MOUSE_CLICK_V2: [5, 7],
        },
      },
      239: { fromServer: { PLAYER_INFO: [1, -2], RECONNECT: [255, -2] }, fromClient: { EVENT_MOUSE_MOVE: [3, -1] } },
    },
  },
  { client: { 12: "varByte" }, server: { 80: 5, 81: "varShort" } },
];

export const osrsTableDocuments: Target = {
  name: "osrs table documents",
  summary:
    "a table as JSON, as text or a valid one changed: refused with its place, or one whose codecs read what they write",
  cover: new RegExp(`${osrsWire}(?:tables/(?:parse-table|tables)|game-messages|revision-(?:codec|layouts))\\.ts$`),
  maxBytes: 500,
  async open() {
    const { WireError } = await import("wirewalk/wire");
    const { osrs, parseRevisionTable } = await import("wirewalk/osrs");
    const text = (line: string): Uint8Array => new TextEncoder().encode(line);
    const decoder = new TextDecoder();
    const documentIn = (input: Uint8Array): unknown => {
      const [mode = 0] = input;
      if (mode === 0) {
        try {
          return JSON.parse(decoder.decode(input.subarray(1)));
        } catch {
          return undefined;
        }
      }
      const root = { value: structuredClone(documents[mode % documents.length]) as unknown };
      changeValue(root, input.subarray(1), true);
      return root.value;
    };
    const parse = (json: unknown): ReturnType<typeof parseRevisionTable> | undefined => {
      try {
        return parseRevisionTable(json);
      } catch (error) {
        if (!(error instanceof WireError && error.code === "bad-value")) throw error;
        return undefined;
      }
    };
    const jsonOf = (messages: ReadonlyMap<number, { readonly name: string; readonly size: number | string }>): object =>
      Object.fromEntries(
        [...messages].map(([opcode, { name, size }]) => [
          name,
          [opcode, size === "varByte" ? -1 : size === "varShort" ? -2 : size],
        ]),
      );
    return {
      seeds: [
        ...documents.map((json) => Uint8Array.of(0, ...text(JSON.stringify(json)))),
        ...[
          '{"revisions":{}}',
          '{"revisions":{"9":{"fromServer":{"PLAYER_INFO":[1,-2],"X":[253,0]},"fromClient":{"EVENT_MOUSE_MOVE":[3,-1]}}}}',
        ].map((json) => Uint8Array.of(0, ...text(json))),
        ...documents.map((_, at) => Uint8Array.of(documents.length + at, 0, 0, 0)),
      ],
      words: [
        '"revisions":{',
        '"fromServer":{',
        '"PLAYER_INFO":[1,-2]',
        '"EVENT_MOUSE_MOVE":[3,-1]',
        '"fromClient":{',
      ].map(text),
      run(input) {
        const json = documentIn(input);
        const parsed = parse(json);
        if (parsed === undefined) return;
        const { tables } = parsed;
        const game = osrs.capabilities.revisions?.withTable(json) as typeof osrs;
        for (const table of tables) {
          if (game.capabilities.revisions?.table(table.revision)?.client.size !== table.client.size) {
            throw new Error(`Revision ${table.revision} has another table`);
          }
          const written = {
            revisions: { [table.revision]: { fromServer: jsonOf(table.server), fromClient: jsonOf(table.client) } },
          };
          if (
            JSON.stringify(jsonOf(parse(written)?.tables[0]?.server ?? new Map())) !==
            JSON.stringify(jsonOf(table.server))
          ) {
            throw new Error(`${JSON.stringify(written)} is parsed as another`);
          }
          const own = game.capabilities.settings?.configure({ revision: table.revision }) as typeof osrs;
          for (const dialect of dialects) {
            const codec = own.codec(dialect) as PayloadCodec;
            for (const side of sides) {
              for (const opcode of table[side].keys())
                codec.trace(side, Uint8Array.of(opcode, ...input.subarray(0, 9)));
            }
          }
        }
      },
    };
  },
};
