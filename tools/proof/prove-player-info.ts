/**
 * Whether player info in another language writes the packets that the library writes, and reads and refuses what it reads and refuses.
 * A program takes the calls of random worlds as commands; `README.md` has them.
 */
import { readFileSync } from "node:fs";
import type { Language } from "../../packages/wirewalk/src/compile/language.ts";
import { canonicalJson, canonicalText } from "../../packages/wirewalk/src/compile/typed/canonical.ts";
import type { PassesLanguage, PlayerInfoSource } from "../../packages/wirewalk/src/export/player-info/passes.ts";
import { playerInfoSource } from "../../packages/wirewalk/src/export/player-info/player-info.ts";
import { createRandom, type Random } from "../../packages/wirewalk/src/motion/index.ts";
import {
  RandomWorld,
  type RandomWorldOptions,
} from "../../packages/wirewalk/src/protocols/osrs/player-info/testing/random-world.ts";
import { PLAYER_SLOTS, type WorldTile } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/constants.ts";
import { PlayerInfoDecoder } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/decoder.ts";
import {
  PlayerInfoEngine,
  type PlayerInfoEngineOptions,
} from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/engine/engine.ts";
import type { Standing } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/engine/observer-views.ts";
import { ByteArena, writeBlock } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/masks/mask-codec.ts";
import type {
  MaskFields,
  MaskRevision,
} from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/masks/mask-revision.ts";
import { PlayerInfoError } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/player-info-error.ts";
import { formatHex, parseHex } from "../../packages/wirewalk/src/wire/index.ts";
import { batchOf, type Frame, Frames } from "./frames.ts";
import { buildPrograms, programOf } from "./prove-language.ts";
import type { ProofProgram, Toolchain } from "./toolchains.ts";

/** Player info of a revision and a dialect, as a program. */
export interface PlayerInfoSubject {
  readonly source: PlayerInfoSource;
  readonly program: ProofProgram;
}

export interface PlayerInfoResult {
  ticks: number;
  /** Packets of the encoder that were compared, by their length and a hash. */
  written: number;
  /** Bytes of the longest of them. */
  longest: number;
  /** Players that waited for room in a packet. */
  waited: number;
  /** Packets that decoders read, and that they refused. */
  read: number;
  refused: number;
  differences: number;
  readonly examples: string[];
  /** Milliseconds of the processor for all ticks of the encoder, and for all packets of decoders: here and in the program. */
  readonly encodeMs: { here: number; there: number };
  readonly decodeMs: { here: number; there: number };
}

const MAX_EXAMPLES = 5;

/** Programs for a revision and dialects, compiled. */
export async function buildPlayerInfo(
  language: Language,
  passes: PassesLanguage,
  toolchain: Toolchain,
  kinds: readonly { readonly revision: MaskRevision; readonly dialect: string }[],
): Promise<readonly PlayerInfoSubject[]> {
  const subjects = kinds.map((kind) => {
    const header = [`Player info of revision ${kind.revision.name}, dialect ${kind.dialect}.`];
    const source = playerInfoSource(language, passes, { ...kind, header });
    return { source, program: programOf(toolchain, [passes.codec(source), passes.driver(source)]) };
  });
  await buildPrograms(
    toolchain,
    subjects.map(({ program }) => program),
  );
  return subjects;
}

/** The scenes of the proof, a world after another: few and many, a crowd on few tiles, more than may be seen, packets without room. */
const scenes = {
  apart: {
    players: 2047,
    observers: 2047,
    side: 300,
    viewDistance: 15,
    maxLocals: 250,
    activity: 0.3,
    talk: 0.3,
    talkLength: 10,
  },
  crowd: {
    players: 2042,
    observers: 2042,
    side: 13,
    viewDistance: 15,
    maxLocals: 250,
    activity: 0.2,
    talk: 0.2,
    talkLength: 20,
  },
  few: {
    players: 40,
    observers: 40,
    side: 40,
    viewDistance: 15,
    maxLocals: 12,
    activity: 0.5,
    talk: 0.8,
    talkLength: 30,
  },
  full: {
    players: 2047,
    observers: 6,
    side: 60,
    viewDistance: 16_384,
    maxLocals: 2047,
    activity: 0.6,
    talk: 0.9,
    talkLength: 200,
  },
  tile: {
    players: 400,
    observers: 400,
    side: 2,
    viewDistance: 15,
    maxLocals: 90,
    activity: 0.3,
    talk: 0.3,
    talkLength: 10,
  },
} satisfies Readonly<Record<string, Omit<RandomWorldOptions, "random" | "dialect" | "revision">>>;
type Scene = keyof typeof scenes;
const allScenes = Object.keys(scenes) as Scene[];

/** Ticks of one world. */
const WORLD_TICKS = 200;
/** Observers whose packets decoders read, and packets of each that are damaged before. */
const MAX_READERS = 8;
const DAMAGED = 2;
/** Every so many ticks a reader begins anew. */
const REJOIN_TICKS = 9;

/** A program, and what came out of it. */
interface Contestant {
  readonly frames: Frames;
  readonly result: PlayerInfoResult;
}

type Answered = (found: Buffer, result: PlayerInfoResult) => void;

/** The programs, the questions that they have not answered yet, and what is made of the answers. */
class Programs {
  readonly contestants: readonly Contestant[];
  #batch: Frame[] = [];
  #open: Answered[] = [];

  constructor(contestants: readonly Contestant[]) {
    this.contestants = contestants;
  }

  tell(command: number, ...parts: readonly (number | Uint8Array)[]): void {
    this.#batch.push([
      command,
      Buffer.concat(parts.map((part) => (typeof part === "number" ? Buffer.of(part >> 8, part) : part))),
    ]);
  }

  ask(command: number, parts: readonly (number | Uint8Array)[], answered: Answered): void {
    this.tell(command, ...parts);
    this.#open.push(answered);
  }

  /** What is seen here, for each program. */
  count(add: (result: PlayerInfoResult) => void): void {
    for (const { result } of this.contestants) add(result);
  }

  async settle(): Promise<void> {
    const bytes = batchOf(this.#batch);
    const open = this.#open;
    this.#batch = [];
    this.#open = [];
    for (const { frames } of this.contestants) frames.send(bytes);
    for (const { frames, result } of this.contestants)
      for (const answered of open) answered(await frames.next(), result);
  }
}

const byte = (value: number): Uint8Array => Uint8Array.of(value);
const word = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);

/** An engine whose calls programs get too. */
function recordingEngine(program: Programs): typeof PlayerInfoEngine {
  let ticks = 0;
  return class extends PlayerInfoEngine {
    constructor(options: PlayerInfoEngineOptions) {
      super(options);
      program.tell(0, word(this.viewDistance), word(this.maxLocals));
    }

    override add(index: number, tile: WorldTile): void {
      super.add(index, tile);
      program.tell(1, index, byte(tile.level), tile.x, tile.z);
    }

    override remove(index: number): void {
      super.remove(index);
      program.tell(2, index);
    }

    override move(index: number, x: number, z: number): void {
      super.move(index, x, z);
      program.tell(3, index, x, z);
    }

    override teleport(index: number, tile: WorldTile): void {
      super.teleport(index, tile);
      program.tell(4, index, byte(tile.level), tile.x, tile.z);
    }

    override setBlock(index: number, name: string, fields: MaskFields): void {
      super.setBlock(index, name, fields);
      program.tell(5, index, ...this.#block(name, fields));
    }

    override setBlockFor(observer: number, index: number, name: string, fields: MaskFields): void {
      super.setBlockFor(observer, index, name, fields);
      program.tell(6, observer, index, ...this.#block(name, fields));
    }

    #block(name: string, fields: MaskFields): readonly [Uint8Array, Uint8Array] {
      const ordinal = this.revision.blocks.findIndex((block) => block.name === name);
      const block = this.revision.blocks[ordinal];
      const bytes = new ByteArena();
      if (block !== undefined) writeBlock(block, fields, bytes);
      return [byte(ordinal), bytes.toBytes()];
    }

    override hide(index: number, hidden: boolean): void {
      super.hide(index, hidden);
      program.tell(7, index, byte(hidden ? 1 : 0));
    }

    override setStanding(observer: number, index: number, standing: Standing): void {
      super.setStanding(observer, index, standing);
      program.tell(8, observer, index, byte(["first", "ordinary", "never"].indexOf(standing)));
    }

    override observe(index: number): Uint8Array<ArrayBuffer> {
      const init = super.observe(index);
      program.ask(9, [index], (found, result) => {
        if (Buffer.compare(found.subarray(1), init) !== 0) differs(result, `the initialisation of ${index}`);
      });
      return init;
    }

    override unobserve(index: number): void {
      super.unobserve(index);
      program.tell(10, index);
    }

    override tick(): void {
      const before = process.threadCpuUsage();
      super.tick();
      const spent = spentMs(before);
      const rows: Buffer[] = [Buffer.of(0)];
      let [waited, longest] = [0, 0];
      for (let observer = 1; observer < PLAYER_SLOTS; observer++) {
        const packet = this.packet(observer);
        if (packet.length === 0) continue;
        const row = Buffer.alloc(10);
        row.writeUInt16BE(observer);
        row.writeUInt32BE(packet.length, 2);
        row.writeInt32BE(hashOf(packet), 6);
        rows.push(row);
        waited += this.waitingFor(observer).length;
        longest = Math.max(longest, packet.length);
      }
      const expected = Buffer.concat(rows);
      const tick = ticks++;
      program.ask(11, [], (found, result) => {
        if (Buffer.compare(found, expected) !== 0) differs(result, packetDifference(found, expected, tick));
      });
      program.count((result) => {
        result.encodeMs.here += spent;
        result.written += rows.length - 1;
        result.waited += waited;
        result.longest = Math.max(result.longest, longest);
        result.ticks += 1;
      });
    }
  };
}

const spentMs = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

function packetDifference(found: Buffer, expected: Buffer, tick: number): string {
  if (found[0] !== 0) return found.toString("utf8", 1);
  if (found.length !== expected.length) return `tick ${tick}: ${found.length} bytes of answers, not ${expected.length}`;
  for (let at = 1; at < expected.length; at += 10) {
    if (found.compare(expected, at, at + 10, at, at + 10) === 0) continue;
    const lengths = `${found.readUInt32BE(at + 2)} bytes, not ${expected.readUInt32BE(at + 2)}`;
    return `tick ${tick}: the packet of observer ${expected.readUInt16BE(at)} has ${lengths}, or others`;
  }
  return `tick ${tick}`;
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] as number), 16_777_619);
  return hash;
}

function differs(result: PlayerInfoResult, what: string): void {
  result.differences += 1;
  if (result.examples.length < MAX_EXAMPLES) result.examples.push(what);
}

/** A client here and in the programs, by its slot there. */
class Reader {
  readonly #decoder: PlayerInfoDecoder;
  readonly #slot: number;
  readonly #source: PlayerInfoSource;
  readonly #program: Programs;

  constructor(source: PlayerInfoSource, slot: number, program: Programs) {
    this.#decoder = new PlayerInfoDecoder({ dialect: source.passes.name, revision: source.revision });
    this.#source = source;
    this.#slot = slot;
    this.#program = program;
  }

  init(bytes: Uint8Array, index: number): void {
    let expected: Buffer = Buffer.of(0);
    try {
      this.#decoder.init(bytes, index);
    } catch (error) {
      expected = refusalOf(error);
    }
    this.#compare(13, [this.#slot, index, bytes], expected, `an initialisation of ${bytes.length} bytes`);
  }

  read(packet: Uint8Array): void {
    this.#compare(14, [this.#slot, packet], this.#answerTo(packet), formatHex(packet, { separator: "" }));
  }

  #compare(command: number, parts: readonly (number | Uint8Array)[], expected: Buffer, what: string): void {
    const own = Buffer.from(expected);
    this.#program.ask(command, parts, (found, result) => {
      if (own[0] === 0) result.read += 1;
      else result.refused += 1;
      if (Buffer.compare(found, own) === 0) return;
      const texts = [own, found].map((each) => each.toString("latin1", 1).slice(0, 1000));
      differs(result, `${what.slice(0, 400)}\n  library: ${texts[0]}\n  program: ${texts[1]}`);
    });
  }

  #answerTo(packet: Uint8Array): Buffer {
    const decoder = this.#decoder;
    const before = process.threadCpuUsage();
    const timed = (): void => {
      const spent = spentMs(before);
      this.#program.count((result) => {
        result.decodeMs.here += spent;
      });
    };
    try {
      const update = decoder.decode(packet);
      timed();
      const { passBits, maskBits, added, removed, moves, masks, wouldCrash } = update;
      const listText = (list: readonly number[]): string => `[${list.join(", ")}]`;
      const lines = [
        `${listText(passBits)} ${maskBits} ${listText(added)} ${listText(removed)}`,
        ...moves.map(
          ({ index, type, level, x, z, arrival, speed }) =>
            `${index} ${type} ${level} ${x} ${z} ${arrival === "stop"} ${speed}`,
        ),
        ...masks.map(({ index, blocks }) =>
          [String(index), ...Object.entries(blocks).map(([name, fields]) => this.#blockJson(name, fields))].join(" "),
        ),
        ...wouldCrash.map(({ index, path }) => `${index} ${path}`),
        `${decoder.locals.length} ${stateOf(decoder)}`,
      ];
      return Buffer.from(`\u0000${lines.join("\n")}`, "utf8");
    } catch (error) {
      timed();
      return refusalOf(error);
    }
  }

  #blockJson(name: string, fields: MaskFields): string {
    const type = this.#source.dialect.messages.find(({ message }) => message === name)?.type;
    if (type === undefined) throw new Error(`Cannot happen: ${name} has no type`);
    return `{"message":${canonicalText(name)},"value":${canonicalJson(type, fields)}}`;
  }
}

function refusalOf(error: unknown): Buffer {
  if (!(error instanceof PlayerInfoError)) throw error;
  const { code, path, bitOffset, pass, index = 0 } = error;
  return Buffer.from(`\u0001${code} ${path} ${bitOffset} ${pass} ${index}`, "utf8");
}

/** A hash of all that a client remembers. */
function stateOf(decoder: PlayerInfoDecoder): number {
  let hash = 0x811c9dc5 | 0;
  const mix = (value: number | undefined): void => {
    hash = Math.imul(hash ^ (value ?? 0), 16_777_619);
  };
  const { x, z, level, quarters, flags, local } = decoder;
  for (let index = 1; index < PLAYER_SLOTS; index++) {
    for (const each of [x, z, level, quarters, flags, local]) mix(each[index]);
    mix(decoder.appearanceOf(index)?.length ?? -1);
    const player = decoder.player(index);
    if (player === undefined) continue;
    mix(player.orientation);
    mix(player.interacting);
    mix(player.speed);
  }
  return hash;
}

/** A packet with a few bits turned, cut, longer, or with bytes of another kind. */
function damaged(random: Random, packet: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(packet);
  switch (random.integer(0, 4)) {
    case 0:
      return bytes.subarray(0, random.integer(0, Math.max(0, bytes.length - 1)));
    case 1:
      return Uint8Array.of(...bytes.subarray(0, 2000), random.integer(0, 255));
    case 2: {
      const from = random.integer(0, bytes.length);
      const noise = Uint8Array.from({ length: random.integer(1, 30) }, () => random.integer(0, 255));
      return Uint8Array.of(...bytes.subarray(Math.max(0, from - 3000), from), ...noise);
    }
    default:
      for (let turns = random.integer(1, 3); turns > 0; turns--) {
        const at = random.integer(0, Math.max(0, bytes.length - 1));
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.integer(0, 7));
      }
      return bytes;
  }
}

export interface PlayerInfoOptions {
  readonly seed: number;
  readonly ticks: number;
  readonly players?: number;
  readonly scenes?: readonly Scene[];
  /** Bits that are turned in each byte of the vectors of mask blocks, one after another; default: all. */
  readonly turnedBits?: number;
  readonly isOver?: () => boolean;
}

/** Plays random worlds here and in a program for so many ticks, then the vectors of the repository. */
export async function provePlayerInfo(
  toolchain: Toolchain,
  subject: PlayerInfoSubject,
  options: PlayerInfoOptions,
): Promise<PlayerInfoResult> {
  const [result] = await playTogether([{ toolchain, subject }], options);
  if (result === undefined) throw new Error("Cannot happen: a result for each program");
  return result;
}

/** The same for programs of one revision and dialect in several languages: each world is played here once. */
export async function playTogether(
  chosen: readonly { readonly toolchain: Toolchain; readonly subject: PlayerInfoSubject }[],
  options: PlayerInfoOptions,
): Promise<readonly PlayerInfoResult[]> {
  const [first] = chosen;
  if (first === undefined) return [];
  const { source } = first.subject;
  const there = new Programs(
    chosen.map(({ toolchain, subject: { program } }) => ({
      frames: new Frames(toolchain.command(program)),
      result: {
        ticks: 0,
        written: 0,
        longest: 0,
        waited: 0,
        read: 0,
        refused: 0,
        differences: 0,
        examples: [],
        encodeMs: { here: 0, there: 0 },
        decodeMs: { here: 0, there: 0 },
      },
    })),
  );
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const random = createRandom(options.seed);
    const played = options.scenes ?? allScenes;
    const most = options.players ?? PLAYER_SLOTS;
    const each = Math.min(WORLD_TICKS, Math.ceil(options.ticks / played.length));
    let ticks = 0;
    for (let scene = 0; ticks < options.ticks && options.isOver?.() !== true; scene++) {
      const own = scenes[played[scene % played.length] ?? "few"];
      const world = new RandomWorld({
        ...own,
        players: Math.min(own.players, most),
        observers: Math.min(own.observers, most),
        random,
        dialect: source.passes.name,
        revision: source.revision,
        isRead: false,
        Engine: recordingEngine(there),
      });
      const count = Math.min(each, options.ticks - ticks);
      await play(world, source, count, { random, there });
      world.engine.close();
      ticks += count;
    }
    await readVectors(source, there, options.turnedBits ?? 8);
    there.ask(15, [], (found, { encodeMs, decodeMs }) => {
      const [encodeNs, decodeNs] = found.toString("utf8", 1).split(" ").map(Number);
      encodeMs.there = (encodeNs ?? 0) / 1e6;
      decodeMs.there = (decodeNs ?? 0) / 1e6;
    });
    await there.settle();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    for (const { frames } of there.contestants) frames.end();
  }
  return there.contestants.map(({ result }) => result);
}

/** Some observers' packets are read by two clients each: one that is sent damaged packets before, and one that is not. */
async function play(
  world: RandomWorld,
  source: PlayerInfoSource,
  ticks: number,
  { random, there }: { readonly random: Random; readonly there: Programs },
): Promise<void> {
  const readers = new Map<number, readonly [plain: Reader, tried: Reader]>();
  let slots = 0;
  const join = (index: number): void => {
    const pair = readers.get(index) ?? [new Reader(source, slots++, there), new Reader(source, slots++, there)];
    readers.set(index, pair);
    const init = world.engine.observe(index);
    if (random.chance(0.2)) pair[1].init(init.subarray(0, random.integer(0, init.length - 1)), index);
    for (const reader of pair) reader.init(init, index);
  };
  for (let tick = 0; tick < ticks; tick++) {
    const observers = [...world.observers.keys()];
    for (const index of readers.keys()) if (!world.observers.has(index)) readers.delete(index);
    while (readers.size < Math.min(MAX_READERS, observers.length)) join(random.pick(observers));
    if (tick % REJOIN_TICKS === 0) join(random.pick([...readers.keys()]));
    const known = new Map([...world.observers].map(([index, shadow]) => [index, { shadow, inits: shadow.inits }]));
    world.tick();
    for (const [index, [plain, tried]] of readers) {
      const packet = world.engine.packet(index).slice();
      // It left, or began anew within the tick: its clients would have to as well.
      const [now, before] = [world.observers.get(index), known.get(index)];
      if (now === undefined || now !== before?.shadow || now.inits !== before.inits) {
        readers.delete(index);
        continue;
      }
      for (let count = 0; count < DAMAGED; count++) tried.read(damaged(random, packet));
      plain.read(packet);
      tried.read(packet);
    }
    await there.settle();
  }
}

interface ContextLine {
  readonly localIndex: number;
  readonly initHex: string;
  readonly packets?: readonly string[];
}

const vectorText = (name: string): string =>
  readFileSync(new URL(`../../vectors/${name}`, import.meta.url), "utf8").trim();

/** Slots of the clients that read vectors. */
const VECTOR_SLOT = 4000;

/** Packets that the real client was given, whole and damaged: each after what came before it. Then those with every mask block. */
async function readVectors(source: PlayerInfoSource, there: Programs, turnedBits: number): Promise<void> {
  const begun = ({ initHex, localIndex, packets = [] }: ContextLine): Reader => {
    const reader = new Reader(source, VECTOR_SLOT, there);
    there.tell(16, VECTOR_SLOT);
    reader.init(parseHex(initHex), localIndex);
    for (const hex of packets) reader.read(parseHex(hex));
    return reader;
  };
  for (const name of ["osrs-player-info-bad.jsonl", "osrs-player-info-client.jsonl"]) {
    let context: ContextLine | undefined;
    let reader: Reader | undefined;
    for (const text of vectorText(name).split("\n")) {
      const line = JSON.parse(text) as Partial<ContextLine> & { readonly hex?: string };
      if (line.initHex !== undefined) {
        context = line as ContextLine;
        reader = begun(context);
      } else if (line.hex !== undefined && context !== undefined) {
        if (name.includes("bad")) reader = begun(context);
        reader?.read(parseHex(line.hex));
      }
    }
    await there.settle();
  }
  const masks = JSON.parse(vectorText("osrs-player-info-masks.json")) as ContextLine & {
    readonly revisions: readonly { readonly revision: string; readonly packets: readonly { readonly hex: string }[] }[];
  };
  for (const { revision, packets } of masks.revisions) {
    // Packets of other revisions than the program's are read in part and refused, alike.
    const whole = packets.map(({ hex }) => parseHex(hex));
    const start = { ...masks, packets: [] };
    const reader = begun(start);
    for (const packet of whole) reader.read(packet);
    if (revision !== source.revision.name) continue;
    const [shown, blocks] = whole;
    if (shown === undefined || blocks === undefined)
      throw new Error(`Revision ${revision} has no packet with its blocks`);
    // Each cut, and each bit turned: what is shared by all blocks is damaged as well.
    for (let at = 0; at < blocks.length; at++) {
      const damagedOnes = [
        blocks.subarray(0, at),
        ...Array.from({ length: turnedBits }, (_, bit) => turned(blocks, at, (at + bit) % 8)),
      ];
      for (const bad of damagedOnes) {
        const other = begun(start);
        other.read(shown);
        other.read(bad);
      }
      await there.settle();
    }
  }
  await there.settle();
}

function turned(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const own = Uint8Array.from(bytes);
  own[at] = (own[at] ?? 0) ^ (1 << bit);
  return own;
}
