/** All targets. Each loads what it fuzzes itself, so that only that is instrumented. */
import type { Random } from "wirewalk/motion";
import type { PayloadCodec, Protocol, Side } from "wirewalk/protocol";
import type { OpenedTarget, Run, Target } from "./target.ts";

const src = "packages/wirewalk/src/";
/** Seeds of one message. */
const SEEDS_PER_MESSAGE = 3;
/** A channel's stream, and a world's script, may be this long. */
const SCRIPT_BYTES = 600;

const sides: readonly Side[] = ["client", "server"];

/** The parts of a game that a codec is made of. */
function gameFiles(folder: string): RegExp {
  return new RegExp(`${src}(?:wire/(?!testing)|protocols/(?:message-table|${folder}/wire/)).*(?<!\\.test)\\.ts$`);
}

/** The files whose branches the committed inputs must reach: what reads bytes of a peer. */
export const decoders =
  /wire\/(?:byte-reader|bit-reader|frames|hex|latin1|lz4-block|rc4|trace)\.ts$|wire\/layout\/(?!describe|words|size|index|node)[\w-]+\.ts$|protocols\/[^/]+\/(?:[^/]+\/)?wire\/(?!engine\/|.*\.test\.ts)|server\/src\/(?:websocket-frames|proxy-header|ban-key)\.ts/;

/** Valid payloads of a codec, from a seed. */
async function payloadsOf(codec: PayloadCodec, side: Side): Promise<Uint8Array[]> {
  const { createRandom } = await import("wirewalk/motion");
  const { generate } = await import("../../packages/wirewalk/src/wire/testing/generate.ts");
  const random = createRandom(1);
  const draw = (low: number, high: number): number => random.integer(low, high);
  const payloads: Uint8Array[] = [];
  for (const { message, sender, id } of codec.messages) {
    const layout = codec.layouts[sender][message];
    if (sender !== side || layout === undefined) continue;
    const { encode } = await import("wirewalk/wire");
    const head = encode(codec.id.layout, id);
    for (let count = 0; count < SEEDS_PER_MESSAGE; count++) {
      const body = generate(layout.node, draw);
      payloads.push(Uint8Array.from([...head, ...body]));
    }
  }
  return payloads;
}

async function protocolNamed(name: string): Promise<Protocol> {
  const { protocols } = await import("wirewalk/protocols");
  const protocol = protocols[name];
  if (protocol === undefined) throw new RangeError(`There is no protocol ${name}`);
  return protocol;
}

/** A payload of a dialect, the sender in the first byte: read and trace agree, and what is read is written back. */
function codecTarget(protocolName: string, dialect: string): Target {
  return {
    name: `${protocolName}/${dialect}`,
    summary: "a payload: it is refused by a WireError, or it is written back as it says, straight and by JSON",
    cover: gameFiles(protocolName === "osrs" ? "osrs/mouse" : protocolName),
    maxBytes: 512,
    async open(): Promise<OpenedTarget> {
      const protocol = await protocolNamed(protocolName);
      const { checkPayload, readOrRefuse } = await import("../../packages/wirewalk/src/protocols/testing/payloads.ts");
      const codec = protocol.codec(dialect);
      const seeds: Uint8Array[] = [];
      for (const [at, side] of sides.entries()) {
        for (const payload of await payloadsOf(codec, side)) seeds.push(Uint8Array.of(at, ...payload));
      }
      const sideOf = (input: Uint8Array): Side => sides[(input[0] ?? 0) & 1] as Side;
      return {
        seeds,
        run(input) {
          readOrRefuse(codec, sideOf(input), input.subarray(1));
        },
        check: (input) => checkPayload(codec, sideOf(input), input.subarray(1)),
      };
    },
  };
}

/** Pieces of a script: each begins with its length. */
function* piecesOf(script: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < script.length; ) {
    const length = script[at] as number;
    yield script.subarray(at + 1, at + 1 + length);
    at += 1 + length;
  }
}

function scriptOf(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [Math.min(piece.length, 255), ...piece.subarray(0, 255)]));
}

/** A stream from a client to a server's channel: however it is split, the same messages and the same end. */
function channelTarget(protocolName: string, dialect: string): Target {
  return {
    name: `${protocolName}/${dialect} stream`,
    summary: "payloads framed by a client's channel, damaged, and split: the same messages whole and in pieces",
    cover: new RegExp(
      `${src}(?:wire/(?!testing|layout)|protocols/(?:framed-channel|${protocolName}/wire/)).*(?<!\\.test)\\.ts$`,
    ),
    maxBytes: SCRIPT_BYTES,
    async open() {
      const protocol = await protocolNamed(protocolName);
      const { attempt } = await import("../../packages/wirewalk/src/inspect/attempt.ts");
      const codec = protocol.codec(dialect);
      const payloads = await payloadsOf(codec, "client");
      const take = (stream: Uint8Array, step: number): string => {
        const server = protocol.openChannel({ side: "server", dialect, carrier: "stream" });
        const got: string[] = [];
        /** Whether the stream is broken. Payloads that were complete before are read all the same. */
        const breaks = (work: () => void): boolean =>
          attempt(() => {
            work();
            return {};
          }).error !== undefined;
        const readAll = (): void => {
          for (let next = server.next(); next !== undefined; next = server.next()) {
            got.push(next.error?.message ?? next.message?.message ?? "nothing");
          }
        };
        let isBroken = false;
        for (let at = 0; at < stream.length && !isBroken; at += step) {
          isBroken = breaks(() => server.push(stream.subarray(at, at + step)));
          isBroken = breaks(readAll) || isBroken;
        }
        return `${got.join()} ${isBroken ? "broken" : server.pendingBytes}`;
      };
      /** As it is carried, or nothing when the channel would not carry it. */
      const carriedBy = (client: ReturnType<Protocol["openChannel"]>, body: Uint8Array): Uint8Array => {
        try {
          return client.frame(body);
        } catch (error) {
          if (error instanceof RangeError) return new Uint8Array();
          throw error;
        }
      };
      return {
        seeds: payloads.map((payload, at) => scriptOf([Uint8Array.of(0, 3), payload, payloads[at + 1] ?? payload])),
        // The first piece says what is damaged and how it is split.
        run(script) {
          const [control = new Uint8Array(), ...bodies] = piecesOf(script);
          const client = protocol.openChannel({ side: "client", dialect, carrier: "stream" });
          const frames = bodies.slice(0, 8).map((body) => carriedBy(client, body));
          const stream = Uint8Array.from(frames.flatMap((frame) => [...frame]));
          const [change = 0, step = 1, place = 0] = control;
          if (change !== 0 && stream.length > 0) stream[place % stream.length] = change;
          const whole = take(stream, Math.max(1, stream.length));
          const split = take(stream, Math.max(1, step));
          if (whole !== split) throw new Error(`The stream says ${whole} whole, and ${split} in pieces of ${step}`);
        },
      };
    },
  };
}

/** A world as a script of joins, leaves, payloads and time: it throws never, and goes on the same after it was saved and restored. */
function worldTarget(protocolName: string, dialect: string): Target {
  return {
    name: `${protocolName}/${dialect} world`,
    summary: "a script of joins, leaves, payloads and ticks: no error, and a restored world goes on as the other",
    cover: new RegExp(`${src}protocols/(?:world-kit|${protocolName})/(?!.*(?:bots|testing)/).*(?<!\\.test)\\.ts$`),
    maxBytes: SCRIPT_BYTES,
    async open() {
      const protocol = await protocolNamed(protocolName);
      const { readOrRefuse } = await import("../../packages/wirewalk/src/protocols/testing/payloads.ts");
      const codec = protocol.codec(dialect);
      const payloads = await payloadsOf(codec, "client");
      const create = () => protocol.createWorld({ dialect, seed: 1, demo: true });
      const empty = create().save();
      const world = create();
      const other = create();
      /** One piece of a script: what happens, to whom, and how much later. */
      const play = (target: typeof world, piece: Uint8Array, nowMs: number, players: Set<number>): void => {
        const [what = 0, who = 0] = piece;
        const player = (who % 4) + 1;
        if (!players.has(player)) {
          players.add(player);
          target.join(
            player,
            { account: `account${player}`, name: `player${player}`, room: String(1 + (what & 1)) },
            nowMs,
          );
        } else if (what === 255) {
          players.delete(player);
          target.leave(player, nowMs);
        } else {
          const payload = piece.slice(3);
          const message = readOrRefuse(codec, "client", payload);
          if (message !== undefined) target.receive(player, message, payload, nowMs);
        }
        target.tick(nowMs);
      };
      return {
        seeds: payloads.map((payload) => {
          const move = Uint8Array.of(0, 0, 10, ...payload);
          return scriptOf([Uint8Array.of(0, 0, 0), move, Uint8Array.of(0, 1, 9), move, move]);
        }),
        run(script) {
          world.restore(empty);
          world.takeEffects();
          const players = new Set<number>();
          let nowMs = 0;
          let isSaved = false;
          let pieces = 0;
          let otherPlayers = new Set<number>();
          for (const piece of piecesOf(script)) {
            if (++pieces > 24) break;
            nowMs += (piece[2] ?? 0) * 10;
            if (pieces === 4) {
              isSaved = true;
              other.restore(world.save());
              other.takeEffects();
              world.takeEffects();
              otherPlayers = new Set(players);
            }
            play(world, piece, nowMs, players);
            if (!isSaved) continue;
            play(other, piece, nowMs, otherPlayers);
            const effects = JSON.stringify(world.takeEffects(), bigints);
            const restored = JSON.stringify(other.takeEffects(), bigints);
            if (effects !== restored) throw new Error(`The restored world answers ${restored}, the other ${effects}`);
          }
          if (isSaved && world.digest() !== other.digest()) throw new Error("The restored world has another digest");
        },
      };
    },
  };
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

const playerInfo: Target = {
  name: "osrs/player-info",
  summary: "a packet of player info after an initialisation: a WireError that changes nothing, or read to its end",
  cover: new RegExp(`${src}(?:wire/(?!testing)|protocols/osrs/player-info/wire/(?!engine)).*(?<!\\.test)\\.ts$`),
  maxBytes: 400,
  async open() {
    const { PlayerInfoDecoder, PlayerInfoEngine, revision206 } = await import("wirewalk/osrs/player-info");
    const { createRandom } = await import("wirewalk/motion");
    const { WireError } = await import("wirewalk/wire");
    const engines = (["client", "documented"] as const).map((dialect) => {
      const engine = new PlayerInfoEngine({ dialect, revision: revision206 });
      engine.add(1, { level: 0, x: 8190, z: 8190 });
      return { engine, init: engine.observe(1), decoder: new PlayerInfoDecoder({ dialect, revision: revision206 }) };
    });
    const seeds: Uint8Array[] = [];
    engines.forEach(({ engine }, which) => {
      const random: Random = createRandom(which + 1);
      for (let tick = 0; tick < 40; tick++) {
        const index = random.integer(2, 30);
        const tile = { level: 0, x: 8185 + random.integer(0, 12), z: 8185 + random.integer(0, 12) };
        if (!engine.has(index)) engine.add(index, tile);
        else if (random.chance(0.2)) engine.remove(index);
        else engine.teleport(index, tile);
        if (engine.has(index)) engine.setBlock(index, "say", { text: "hello" });
        engine.tick();
        seeds.push(Uint8Array.of(which, ...engine.packet(1)));
      }
    });
    const fresh = engines.map(() => true);
    return {
      seeds: seeds.filter(({ length }) => length < 300),
      run(input) {
        const which = (input[0] ?? 0) & 1;
        const { decoder, init } = engines[which] as (typeof engines)[number];
        // A refused packet changes nothing: only after one that was read it begins anew.
        if (fresh[which] === true) decoder.init(init, 1);
        fresh[which] = false;
        let packets = 0;
        try {
          for (const packet of packetsOf(input.subarray(1))) {
            packets++;
            decoder.decode(packet);
            fresh[which] = true;
          }
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          if (packets > 1) fresh[which] = true;
        }
      },
    };
  },
};

/** One packet, or two: 0xFE 0xED parts them, since a second packet needs what the first has added. */
function* packetsOf(input: Uint8Array): Generator<Uint8Array> {
  const at = input.findIndex((byte, place) => byte === 0xfe && input[place + 1] === 0xed);
  if (at < 0) yield input;
  else {
    yield input.subarray(0, at);
    yield input.subarray(at + 2);
  }
}

const lz4: Target = {
  name: "lz4",
  summary: "a block: refused by a WireError, or its bytes are compressed and read again as they were",
  cover: new RegExp(`${src}wire/(?:lz4|byte|trace).*(?<!\\.test)\\.ts$`),
  maxBytes: 600,
  async open() {
    const { decodeLz4Block, encodeLz4Block, Tracer, traceLz4Block } = await import("wirewalk/wire");
    const { attempt } = await import("../../packages/wirewalk/src/inspect/attempt.ts");
    const run: Run = (input) => {
      const limit = (input[0] ?? 0) * 64;
      const unusedBits = (input[0] ?? 0) % 2 === 0 ? "refuse" : "ignore";
      const block = input.subarray(1);
      attempt(() => {
        traceLz4Block(new Tracer(), "block", block);
        return {};
      });
      const decoded = attempt(() => ({ bytes: decodeLz4Block(block, { limit, unusedBits }) }));
      if (decoded.error !== undefined) return;
      const { bytes } = decoded;
      const again = decodeLz4Block(encodeLz4Block(bytes), { limit });
      if (Buffer.compare(again, bytes) !== 0)
        throw new Error(`${bytes.length} bytes come back as ${again.length} others`);
    };
    const texts = ["", "a", "abcabcabcabcabcabcabc", "x".repeat(300), "the quick brown fox jumps over the lazy dog"];
    const seeds = texts.map((text) => Uint8Array.of(8, ...encodeLz4Block(new TextEncoder().encode(text))));
    return { run, seeds };
  },
};

const lines: Target = {
  name: "inspect lines",
  summary: "a line of text for decode, encode and inspect of every protocol: an answer or a refusal, never an error",
  cover: new RegExp(
    `${src}(?:inspect|wire/(?:hex|latin1)|protocols/(?:message-table|packet-stream|payload-stream)).*(?<!\\.test)\\.ts$`,
  ),
  maxBytes: 300,
  async open() {
    const { protocols } = await import("wirewalk/protocols");
    const { decodeLines, encodeLines, formatTrace, traceStream } = await import("wirewalk/inspect");
    const { parseHex } = await import("wirewalk/wire");
    const { attempt } = await import("../../packages/wirewalk/src/inspect/attempt.ts");
    const setups = Object.values(protocols).flatMap((protocol) =>
      // A stream of player info makes an engine for every writer: too slow here, and a target of its own.
      [protocol.streams[""], protocol.streams.mouse].flatMap((stream) =>
        stream === undefined
          ? []
          : protocol.dialects.flatMap(({ name: dialect }) =>
              [false, true].map((framed) => ({
                stream,
                setup: { dialect, sender: "client" as Side, framed, options: {} },
              })),
            ),
      ),
    );
    const decoder = new TextDecoder("latin1");
    const text = (line: string): Uint8Array => Uint8Array.from(line, (character) => character.charCodeAt(0) & 0xff);
    return {
      seeds: [
        "00 08 02 C0 01 A0 00",
        '{"message":"movePlayer","value":{"code":2}}',
        '{"ok":true,"message":"x"}',
        "0x",
        "[]",
      ].flatMap((line) => setups.map((_, at) => Uint8Array.of(at, ...text(line)))),
      words: [
        '"message":',
        '"value":',
        '"ok":',
        "{",
        "}",
        "[",
        "null",
        "0x",
        '"code":',
        "-1",
        "1e99",
        '"fragments":',
      ].map(text),
      run(input) {
        const { stream, setup } = setups[(input[0] ?? 0) % setups.length] as (typeof setups)[number];
        const line = decoder.decode(input.subarray(1));
        for (const convert of [decodeLines(stream, setup), encodeLines(stream, setup)]) {
          convert.line(line);
          convert.end();
        }
        const parsed = attempt(() => ({ bytes: parseHex(line) }));
        if (parsed.error !== undefined) return;
        for (const part of traceStream(stream, parsed.bytes, setup)) formatTrace(part.bytes, part);
      },
    };
  },
};

const revisions: Target = {
  name: "osrs revision",
  summary: "a mask revision as JSON: refused by a WireError, or a revision",
  cover: new RegExp(`${src}protocols/osrs/player-info/wire/masks/.*(?<!\\.test)\\.ts$`),
  maxBytes: 900,
  async open() {
    const { parseMaskRevision, revision206 } = await import("wirewalk/osrs/player-info");
    const { attempt } = await import("../../packages/wirewalk/src/inspect/attempt.ts");
    const text = new TextEncoder();
    const decoder = new TextDecoder();
    const small = {
      name: "small",
      extensions: [128],
      blocks: [{ name: "say", flag: 1, kept: "index", fields: [{ name: "text", type: "string" }] }],
    };
    const words = [
      '"kept":',
      '"index"',
      '"type":',
      '"u8"',
      '"u16"',
      '"flag":',
      '"fields":',
      '"blocks":',
      '"bytes"',
      '"add"',
      "-1",
      "256",
    ];
    const whole = JSON.parse(JSON.stringify(revision206)) as { name: string; extensions: number[]; blocks: object[] };
    return {
      seeds: [
        text.encode(JSON.stringify(small)),
        ...whole.blocks.map((block) => text.encode(JSON.stringify({ ...whole, blocks: [block] }))),
      ],
      words: words.map((word) => text.encode(word)),
      run(input) {
        let json: unknown;
        try {
          json = JSON.parse(decoder.decode(input));
        } catch {
          return;
        }
        attempt(() => parseMaskRevision(json));
      },
    };
  },
};

const websocketFrames: Target = {
  name: "websocket frames",
  summary:
    "a stream of WebSocket frames in pieces: the same counts whole and in pieces, and the frames that we write are whole",
  cover: /packages\/server\/src\/websocket-frames\.ts$/,
  maxBytes: 300,
  async open() {
    const { FrameMeter, frameBinary } = await import("../../packages/server/src/websocket-frames.ts");
    const measure = (stream: Uint8Array, step: number): string => {
      const meter = new FrameMeter();
      for (let at = 0; at < stream.length; at += step) meter.push(stream.subarray(at, at + step));
      return `${meter.messages} ${meter.mostFragments} ${meter.unfinished}`;
    };
    return {
      seeds: [
        Uint8Array.of(1, 0x82, 0x81, 1, 2, 3, 4, 5),
        Uint8Array.of(3, 0x02, 0x82, 1, 2, 3, 4, 5, 6, 0x89, 0x80, 1, 2, 3, 4, 0x80, 0x81, 1, 2, 3, 4, 9),
        Uint8Array.of(2, ...frameBinary(new Uint8Array(200))),
        Uint8Array.of(200, 0x82, 0xff, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6),
      ],
      run(input) {
        const stream = input.subarray(1);
        const whole = measure(stream, Math.max(1, stream.length));
        const split = measure(stream, Math.max(1, input[0] ?? 1));
        if (whole !== split) throw new Error(`The frames are ${whole} whole, and ${split} in pieces`);
        const framed = measure(frameBinary(stream), 1);
        if (framed !== "1 1 false") throw new Error(`A frame of ${stream.length} bytes is ${framed}`);
      },
    };
  },
};

const proxyHeader: Target = {
  name: "proxy header",
  summary: "the start of a proxy's connection: byte by byte it says the same as whole, and names an address or nobody",
  cover: /packages\/server\/src\/(?:proxy-header|ban-key)\.ts$/,
  maxBytes: 260,
  async open() {
    const { readProxyHeader } = await import("../../packages/server/src/proxy-header.ts");
    const { plainAddress } = await import("../../packages/server/src/ban-key.ts");
    const text = (line: string): Uint8Array => new TextEncoder().encode(line);
    const signature = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a];
    return {
      seeds: [
        text("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nabc"),
        text("PROXY TCP6 2001:db8::1 ::1 65535 0\r\n"),
        text("PROXY UNKNOWN whatever\r\n"),
        Uint8Array.of(...signature, 0x21, 0x11, 0, 12, 192, 0, 2, 1, 192, 0, 2, 2, 0, 1, 0, 2, 9),
        Uint8Array.of(...signature, 0x21, 0x21, 0, 36, ...new Uint8Array(36)),
        Uint8Array.of(...signature, 0x20, 0, 0, 0),
      ],
      words: ["PROXY ", "TCP4 ", "TCP6 ", "UNKNOWN", "\r\n", "::ffff:1.2.3.4 ", "65536"].map(text),
      run(input) {
        const whole = readProxyHeader(input);
        for (let length = 0; length < input.length; length++) {
          const part = readProxyHeader(input.subarray(0, length));
          if (part.state === "incomplete") continue;
          if (JSON.stringify(part) === JSON.stringify(whole)) break;
          throw new Error(`${length} bytes say ${JSON.stringify(part)}, all say ${JSON.stringify(whole)}`);
        }
        if (whole.state !== "complete") return;
        if (whole.bytes > input.length) throw new Error(`A header of ${whole.bytes} bytes in ${input.length}`);
        if (whole.client !== undefined && plainAddress(whole.client) === undefined) {
          throw new Error(`${whole.client} is not an address`);
        }
      },
    };
  },
};

const addresses: Target = {
  name: "addresses",
  summary:
    "a Host, an X-Forwarded-For, an address and a ban key as text: no error, and every spelling of an address is one",
  cover: /packages\/server\/src\/(?:ban-key|trusted-proxies|web-access)\.ts$/,
  maxBytes: 120,
  async open() {
    const keys = await import("../../packages/server/src/ban-key.ts");
    const { TrustedProxies } = await import("../../packages/server/src/trusted-proxies.ts");
    const { hostName, isOwnHost } = await import("../../packages/server/src/web-access.ts");
    const proxies = new TrustedProxies(["10.0.0.0/8", "::1"]);
    const decoder = new TextDecoder("latin1");
    const text = (line: string): Uint8Array => Uint8Array.from(line, (character) => character.charCodeAt(0) & 0xff);
    const names = { publicHosts: ["play.example.org"], allowedOrigins: [] };
    const socket = { localAddress: "192.0.2.1" } as Parameters<typeof isOwnHost>[0]["socket"];
    return {
      seeds: [
        "192.0.2.7",
        "::ffff:192.0.2.7",
        "2001:db8:0:1:a::7",
        "fe80::1%eth0",
        "address:2001:db8:0:1::/64",
        "login:ann",
        "localhost:7400",
        "[::1]:7400",
        "play.example.org.",
        "10.0.0.1, 198.51.100.7",
        "[2001:db8::1]:80, 10.1.1.1:80",
      ].map(text),
      words: ["::", "ffff:", "address:", "login:", "/64", "%", ", ", "[", "]:80", "127.0.0.1", "10.0.0.1"].map(text),
      run(input) {
        const line = decoder.decode(input);
        const plain = keys.plainAddress(line);
        if (plain !== undefined && keys.plainAddress(plain) !== plain)
          throw new Error(`${line} is ${plain}, which is another`);
        const group = keys.addressGroup(line);
        const key = keys.addressKey(line);
        if (group !== undefined && (key === undefined || keys.parseBanKey(key) !== key)) {
          throw new Error(`${line} is of ${group}, whose key ${key} is parsed as ${keys.parseBanKey(key ?? "")}`);
        }
        const parsed = keys.parseBanKey(line);
        if (parsed !== undefined && keys.parseBanKey(parsed) !== parsed)
          throw new Error(`The key ${line} is ${parsed}, which is another`);
        const client = proxies.clientOf("10.0.0.9", line);
        if (keys.plainAddress(client) !== client) throw new Error(`The client of ${line} is ${client}`);
        const host = hostName(line);
        if (isOwnHost({ headers: { host: line }, socket }, names) && host === undefined) {
          throw new Error(`${line} is an own host without a name`);
        }
      },
    };
  },
};

const codecs: readonly [protocol: string, dialect: string][] = [
  ["slime-online-2", "v0106"],
  ["slime-online-2", "documented"],
  ["slime-online-2", "documentedLittleEndian"],
  ["maplestory", "v62"],
  ["maplestory", "documented"],
  ["scrap-mechanic", "documented"],
  ["osrs", "client"],
  ["osrs", "native"],
  ["osrs", "documented"],
];

const streams: readonly [protocol: string, dialect: string][] = [
  ["slime-online-2", "v0106"],
  ["maplestory", "v62"],
  ["scrap-mechanic", "documented"],
  ["osrs", "client"],
];

const worlds: readonly [protocol: string, dialect: string][] = [
  ["slime-online-2", "v0106"],
  ["slime-online-2", "documented"],
  ["maplestory", "v62"],
  ["scrap-mechanic", "documented"],
];

export const targets: readonly Target[] = [
  ...codecs.map(([protocol, dialect]) => codecTarget(protocol, dialect)),
  playerInfo,
  ...streams.map(([protocol, dialect]) => channelTarget(protocol, dialect)),
  ...worlds.map(([protocol, dialect]) => worldTarget(protocol, dialect)),
  lz4,
  lines,
  revisions,
  websocketFrames,
  proxyHeader,
  addresses,
];
