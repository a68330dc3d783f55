/** Fuzz runs that every protocol of the table gets, for each of its dialects. */
import { createRandom, type Random } from "wirewalk/motion";
import type { Channel, PayloadCodec, Protocol, Side, WireMessage, World } from "wirewalk/protocol";
import { formatHex, WireError } from "wirewalk/wire";
import { equalBytes, type FuzzRun, must, mutated, pieces, randomBytes } from "./fuzz-run.ts";

const sides: readonly Side[] = ["client", "server"];
/** Payloads of every side kept to mutate: enough for each kind of message in many states. */
const CORPUS_PAYLOADS = 2_000;
const MAX_RANDOM_BYTES = 64;

type Corpus = Readonly<Record<Side, readonly Uint8Array[]>>;

/** What bots and a world say to each other, honest and cheating, as payloads. */
function playedCorpus(protocol: Protocol, dialect: string): Corpus {
  const codec = protocol.codec(dialect);
  const world = protocol.createWorld({ dialect, seed: 1, enforcement: "log" });
  const corpus: Record<Side, Uint8Array[]> = { client: [], server: [] };
  const keep = (side: Side, payload: Uint8Array): void => {
    if (corpus[side].length < CORPUS_PAYLOADS) corpus[side].push(payload);
  };
  const bots = ["none", ...protocol.bots.cheats].map((cheat, number) => ({
    player: number + 1,
    bot: protocol.bots.create({ dialect, random: createRandom(number), number, cheat }),
  }));
  const say = (player: number, messages: readonly WireMessage[], nowMs: number): void => {
    for (const message of messages) {
      const payload = codec.write("client", message);
      keep("client", payload);
      world.receive(player, message, payload, nowMs);
    }
  };
  const settle = (nowMs: number): void => {
    for (const effect of world.takeEffects()) {
      if (effect.effect !== "send" && effect.effect !== "broadcast") continue;
      keep("server", codec.write("server", effect.message));
      for (const { player, bot } of bots) {
        if (effect.effect === "send" ? effect.to === player : effect.except !== player) {
          say(player, bot.receive(effect.message, nowMs), nowMs);
        }
      }
    }
  };
  for (const { player, bot } of bots) {
    world.join(player, { account: `bot ${player}`, name: `bot ${player}` }, 0);
    say(player, bot.start(0), 0);
    settle(0);
  }
  for (let nowMs = 50; nowMs < 20_000; nowMs += 50) {
    for (const { player, bot } of bots) say(player, bot.step(nowMs), nowMs);
    settle(nowMs);
    world.tick(nowMs);
    settle(nowMs);
  }
  must(corpus.client.length > 0, () => `${protocol.name} ${dialect}: bots say nothing`);
  return corpus;
}

/** A valid payload, a damaged one, or noise. */
function somePayload(random: Random, corpus: Corpus, side: Side): Uint8Array {
  const valid = corpus[side];
  if (valid.length === 0 || random.chance(0.2)) return randomBytes(random, MAX_RANDOM_BYTES);
  const payload = random.pick(valid);
  return random.chance(0.2) ? payload : mutated(random, payload);
}

/** The message in the bytes, or undefined when they are refused as they should be. */
function readOrRefuse(codec: PayloadCodec, side: Side, payload: Uint8Array): WireMessage | undefined {
  try {
    return codec.read(side, payload);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

/** A payload is a message that encodes back to the same bytes, straight and by way of JSON, or a `WireError`. */
function checkPayload(codec: PayloadCodec, side: Side, payload: Uint8Array): void {
  const before = payload.slice();
  const message = readOrRefuse(codec, side, payload);
  const trace = codec.trace(side, payload);
  must(equalBytes(before, payload), () => "reading changed the bytes");
  must((message === undefined) === (trace.error !== undefined), () => "trace and read disagree about a refusal");
  if (message === undefined) return;
  const back = codec.write(side, message);
  const text = JSON.stringify(codec.toJson(side, message));
  // Compressed payloads have many forms: another one must at least say the same.
  const says = (bytes: Uint8Array): string => JSON.stringify(codec.toJson(side, codec.read(side, bytes)));
  must(equalBytes(back, payload) || says(back) === text, () => `written back as ${formatHex(back)}`);
  const json = JSON.parse(text) as ReturnType<PayloadCodec["toJson"]>;
  const byJson = codec.write(side, codec.fromJson(side, json));
  must(equalBytes(byJson, back), () => `by JSON written back as ${formatHex(byJson)}`);
}

function codecRun(protocol: Protocol, dialect: string, corpus: Corpus): FuzzRun {
  const codec = protocol.codec(dialect);
  return {
    name: `${protocol.name}/${dialect}/codec`,
    step(random) {
      for (const side of sides) {
        const payload = somePayload(random, corpus, side);
        try {
          checkPayload(codec, side, payload);
        } catch (error) {
          throw new Error(`${side} ${formatHex(payload)}`, { cause: error });
        }
      }
    },
  };
}

function channelOf(protocol: Protocol, side: Side, dialect: string, carrier: "stream" | "message"): Channel {
  return side === "server"
    ? protocol.openChannel({ side, dialect, carrier })
    : protocol.openChannel({ side, dialect, carrier });
}

/** All whole payloads that wait in a channel; `true` at the end of the list when the stream broke. */
function drain(channel: Channel, into: Uint8Array[]): boolean {
  try {
    for (let next = channel.next(); next !== undefined; next = channel.next()) into.push(next.payload.slice());
    return false;
  } catch (error) {
    if (error instanceof WireError) return true;
    throw error;
  }
}

/** Pushes a piece and reads what is whole; true when the stream broke. */
function feed(channel: Channel, piece: Uint8Array, into: Uint8Array[]): boolean {
  try {
    channel.push(piece);
  } catch (error) {
    if (error instanceof WireError) return true;
    throw error;
  }
  return drain(channel, into);
}

function channelRun(protocol: Protocol, dialect: string, corpus: Corpus): FuzzRun {
  return {
    name: `${protocol.name}/${dialect}/channel`,
    step(random) {
      const sender = random.pick(sides);
      const receiver: Side = sender === "client" ? "server" : "client";
      const from = channelOf(protocol, sender, dialect, "stream");
      const to = channelOf(protocol, receiver, dialect, "stream");
      const said = Array.from({ length: random.integer(0, 20) }, () =>
        corpus[sender].length === 0 ? randomBytes(random, MAX_RANDOM_BYTES) : random.pick(corpus[sender]),
      );
      const frames = said.map((payload) => [...from.frame(payload)]);
      const stream = Uint8Array.from([...(from.handshake?.greeting ?? []), ...frames.flat()]);
      const heard: Uint8Array[] = [];
      for (const piece of pieces(random, stream)) {
        must(!feed(to, piece, heard), () => `an honest stream broke: ${formatHex(stream)}`);
      }
      must(to.pendingBytes === 0, () => `${to.pendingBytes} bytes are left of ${formatHex(stream)}`);
      must(
        heard.length === said.length && heard.every((payload, index) => equalBytes(payload, said[index] ?? payload)),
        () => `${said.map((payload) => formatHex(payload))} arrived as ${heard.map((payload) => formatHex(payload))}`,
      );

      // A damaged stream breaks or goes on; it never does anything else, and never holds more than it was given.
      const damaged = channelOf(protocol, receiver, dialect, "stream");
      const bytes = random.chance(0.3) ? randomBytes(random, 500) : mutated(random, stream);
      for (const piece of pieces(random, bytes)) if (feed(damaged, piece, [])) break;
      must(damaged.pendingBytes <= bytes.length, () => "more bytes are held than came");

      const whole = channelOf(protocol, receiver, dialect, "message");
      feed(whole, somePayload(random, corpus, sender), []);
    },
  };
}

/** Whatever decodes may reach a world, in any order and at any pace: nothing is thrown, and all it says can be written. */
function worldRun(protocol: Protocol, dialect: string, corpus: Corpus): FuzzRun {
  const codec = protocol.codec(dialect);
  return {
    name: `${protocol.name}/${dialect}/world`,
    step(random) {
      const enforcement = random.chance(0.5) ? "enforce" : "log";
      const world: World = protocol.createWorld({ dialect, seed: random.integer(0, 1_000), enforcement });
      const players = new Set<number>();
      let nowMs = 0;
      for (let count = 0; count < 100; count += 1) {
        nowMs += random.pick([0, 1, 16, 100, 5_000] as const);
        const player = random.integer(1, 5);
        const name = `player ${player}`;
        const payload = somePayload(random, corpus, "client");
        const message = readOrRefuse(codec, "client", payload);
        if (random.chance(0.1)) world.tick(nowMs);
        if (random.chance(0.05)) world.refresh(player, nowMs);
        if (random.chance(0.05)) {
          world.leave(player, nowMs);
          players.delete(player);
        } else if (!players.has(player) && world.refuses({ account: name, name }) === undefined) {
          world.join(player, { account: name, name }, nowMs);
          players.add(player);
        } else if (message !== undefined) {
          world.receive(player, message, payload, nowMs);
        }
        for (const effect of world.takeEffects()) {
          if (effect.effect !== "send" && effect.effect !== "broadcast") continue;
          checkPayload(codec, "server", codec.write("server", effect.message));
        }
        for (const track of world.tracks(nowMs)) {
          const { position, velocity } = track;
          must(
            [position.x, position.y, velocity.x, velocity.y].every(Number.isFinite),
            () => `no place: ${JSON.stringify(track)}`,
          );
        }
      }
    },
  };
}

/** The runs of one protocol: codec, channel and world of every dialect. */
export function protocolRuns(protocol: Protocol): readonly FuzzRun[] {
  return protocol.dialects.flatMap(({ name }) => {
    const corpus = playedCorpus(protocol, name);
    return [codecRun, channelRun, worldRun].map((run) => run(protocol, name, corpus));
  });
}
