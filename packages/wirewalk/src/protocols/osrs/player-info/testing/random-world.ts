/** Random worlds from a seed, with a decoder for each observer, and the rules that must hold after every tick. */
import type { Random } from "../../../../motion/index.ts";
import type { PacketThreads } from "../../../packet-threads.ts";
import {
  MAX_PACKET_BYTES,
  MAX_PLAYER_INDEX,
  PLAYER_SLOTS,
  quarterOf,
  WORLD_TILES,
  type WorldTile,
} from "../wire/constants.ts";
import { PlayerInfoDecoder } from "../wire/decoder.ts";
import { PlayerInfoEngine } from "../wire/engine/engine.ts";
import type { MaskBlock, MaskFields, MaskRevision } from "../wire/masks/mask-revision.ts";
import type { MaskBlocks, PlayerInfoUpdate } from "../wire/player-info-update.ts";
import { mustAgree, secondClientFor } from "./agreement.ts";
import { someFields } from "./random-fields.ts";
import type { SecondClient } from "./second-client.ts";
import { TwinEngine } from "./twin-engine.ts";

/** Sizes and probabilities of a random world. */
export interface RandomWorldOptions {
  readonly random: Random;
  readonly dialect: string;
  readonly revision: MaskRevision;
  readonly players: number;
  readonly observers: number;
  /** Side of the square in which most of them are. */
  readonly side: number;
  readonly viewDistance: number;
  readonly maxLocals: number;
  /** Part of the players that do something in a tick. */
  readonly activity: number;
  /** Probability of a mask block of an active player. */
  readonly talk: number;
  /** Length of most strings and byte runs. */
  readonly talkLength: number;
  /** Plays with both engines, and compares every packet: see {@link TwinEngine}. */
  readonly isTwin?: boolean;
  /** Plays with an engine of this class. */
  readonly Engine?: typeof PlayerInfoEngine;
  /** Threads of the engine with WebAssembly. */
  readonly threads?: PacketThreads;
  /** Whether decoders read the packets; default true. False where the test compares packets and another test reads them. */
  readonly isRead?: boolean;
  /** Called in every tick when all has happened, before the packets are made. */
  readonly onTick?: () => void;
}

/** Observers with a second client at most, and in a crowd: it is slow. */
const MAX_SECONDS = 4;
const CROWD_PLAYERS = 500;

/** An observer's decoder, and the values that it must have. */
interface Shadow {
  readonly decoder: PlayerInfoDecoder;
  /** Of the first observers: reads every packet too. */
  readonly second: SecondClient | undefined;
  /** How often it was initialised. */
  inits: number;
  /** Blocks kept by index that the client should have, by name and index. */
  readonly kept: Map<string, Map<number, string>>;
  /** The same of those that it was sent since its last initialisation. */
  sent: Map<string, Map<number, string>>;
}

/** Throws an error that names the rule when a client differs from the server. */
export class RandomWorld {
  /** May be replaced by one that goes on from what it has saved. */
  engine: PlayerInfoEngine;
  readonly observers = new Map<number, Shadow>();
  readonly players = new Map<number, WorldTile>();
  readonly hidden = new Set<number>();
  /** Standings by observer. */
  readonly standings = new Map<number, Map<number, "first" | "never">>();
  /** Present values of blocks kept by index, by name and player. */
  readonly keptValues = new Map<string, Map<number, string>>();
  /** Blocks of the tick, by player and name, for everyone. */
  readonly said = new Map<number, Map<string, string>>();
  /** The same by observer, for that observer alone. */
  readonly saidTo = new Map<number, Map<number, Map<string, string>>>();
  longestPacket = 0;
  bytes = 0;
  packets = 0;

  readonly #options: RandomWorldOptions;
  readonly #random: Random;
  readonly #keptByIndex: readonly MaskBlock[];
  readonly #originX: number;
  readonly #originZ: number;
  /** Where the slots' quarters are as of the last tick. */
  readonly #quarters = new Int32Array(PLAYER_SLOTS);

  constructor(options: RandomWorldOptions) {
    this.#options = options;
    this.#random = options.random;
    const { dialect, revision, viewDistance, maxLocals, random, side, threads } = options;
    this.#keptByIndex = revision.blocks.filter(({ kept }) => kept === "index");
    const Engine = options.Engine ?? (options.isTwin === true ? TwinEngine : PlayerInfoEngine);
    this.engine = new Engine({
      dialect,
      revision,
      viewDistance,
      maxLocals,
      ...(threads === undefined ? {} : { threads }),
    });
    // Often across the borders of map quarters.
    const corner = (): number => (random.chance(0.5) ? 8192 - (side >> 1) : random.integer(0, WORLD_TILES - side - 1));
    this.#originX = corner();
    this.#originZ = corner();
    while (this.players.size < options.players) this.#join();
    const indices = [...this.players.keys()];
    while (this.observers.size < Math.min(options.observers, options.players)) this.#observe(random.pick(indices));
  }

  #someTile(): WorldTile {
    const random = this.#random;
    const { side } = this.#options;
    if (random.chance(0.03)) {
      return {
        level: random.integer(0, 3),
        x: random.integer(0, WORLD_TILES - 1),
        z: random.integer(0, WORLD_TILES - 1),
      };
    }
    const x = this.#originX + random.integer(0, side - 1);
    const z = this.#originZ + random.integer(0, side - 1);
    return { level: random.chance(0.9) ? 0 : random.integer(0, 3), x, z };
  }

  #join(index = this.#freeSlot()): void {
    const tile = this.#someTile();
    this.engine.add(index, tile);
    this.players.set(index, tile);
    for (const block of this.#options.revision.blocks) {
      const values = this.keptValues.get(block.name);
      const initial = block.initial;
      if (initial !== undefined && values?.has(index)) this.#received(index, block, initial);
      else values?.delete(index);
      this.#valuesBefore.get(block.name)?.delete(index);
      if (block.name === "appearance" && this.#random.chance(0.9)) this.#say(index, block);
    }
  }

  #freeSlot(): number {
    for (;;) {
      const index = this.#random.integer(1, MAX_PLAYER_INDEX);
      if (!this.players.has(index)) return index;
    }
  }

  #leave(index: number): void {
    this.engine.remove(index);
    this.players.delete(index);
    this.hidden.delete(index);
    this.observers.delete(index);
    this.saidTo.delete(index);
    for (const players of this.saidTo.values()) players.delete(index);
    this.said.delete(index);
    this.#stopped.delete(index);
    this.standings.delete(index);
    for (const standings of this.standings.values()) standings.delete(index);
  }

  get #maxSeconds(): number {
    return this.#options.players > CROWD_PLAYERS ? 1 : MAX_SECONDS;
  }

  #observe(index: number): void {
    const { dialect, revision, isRead = true } = this.#options;
    // After a reconnect the client's program still runs, with what it remembers.
    const decoder = this.observers.get(index)?.decoder ?? new PlayerInfoDecoder({ dialect, revision });
    const shadow = this.observers.get(index) ?? {
      decoder,
      second: isRead && this.observers.size < this.#maxSeconds ? secondClientFor(decoder) : undefined,
      inits: 0,
      kept: new Map(),
      sent: new Map(),
    };
    shadow.sent = new Map();
    const init = this.engine.observe(index);
    shadow.decoder.init(init, index);
    shadow.second?.init(init, index);
    shadow.inits++;
    this.observers.set(index, shadow);
    this.saidTo.delete(index);
  }

  #say(index: number, block: MaskBlock): void {
    const value = someFields(this.#random, block, this.#options.talkLength);
    this.engine.setBlock(index, block.name, value);
    this.#received(index, block, value);
  }

  #received(index: number, block: MaskBlock, value: MaskFields): void {
    const text = show(value);
    const blocks = this.said.get(index) ?? new Map<string, string>();
    this.said.set(index, blocks.set(block.name, text));
    if (block.kept !== "index") return;
    const values = this.keptValues.get(block.name) ?? new Map<number, string>();
    this.keptValues.set(block.name, values.set(index, text));
  }

  #move(index: number): void {
    const random = this.#random;
    const { level, x, z } = this.players.get(index) as WorldTile;
    let to: WorldTile;
    const reach = random.pick([1, 1, 1, 2, 2, 16, 17, 0] as const);
    if (reach === 0) {
      to = this.#someTile();
    } else {
      const step = (at: number): number =>
        Math.min(WORLD_TILES - 1, Math.max(0, at + random.integer(-reach, Math.min(reach, 15))));
      to = { level: random.chance(0.02) ? random.integer(0, 3) : level, x: step(x), z: step(z) };
    }
    if (to.level !== level || random.chance(0.2)) {
      this.engine.teleport(index, to);
      if (this.#options.revision.blocks.some(({ name }) => name === "temporaryMoveSpeed")) this.#stopped.add(index);
    } else this.engine.move(index, to.x, to.z);
    this.players.set(index, to);
  }

  readonly #stopped = new Set<number>();
  /** As `keptValues`, as of the last tick, of players who were there. */
  readonly #valuesBefore = new Map<string, Map<number, string>>();

  /** One tick: things happen, packets are made and read, and everything is compared. */
  tick(): void {
    const random = this.#random;
    const { activity, talk, revision } = this.#options;
    for (const index of [...this.players.keys()]) {
      if (!random.chance(activity)) continue;
      if (random.chance(0.8)) this.#move(index);
      if (revision.blocks.length > 0 && random.chance(talk)) this.#say(index, random.pick(revision.blocks));
    }
    this.#happen();
    // A teleport sets the temporary speed to stop, unless another was set.
    for (const index of this.#stopped) {
      const blocks = this.said.get(index) ?? new Map<string, string>();
      if (this.players.has(index) && !blocks.has("temporaryMoveSpeed")) {
        this.said.set(index, blocks.set("temporaryMoveSpeed", show({ speed: 127 })));
      }
    }
    this.#options.onTick?.();
    this.engine.tick();
    for (const [index, { level, x, z }] of this.players) this.#quarters[index] = quarterOf(level, x, z);
    if (this.#options.isRead === false) this.packets += this.observers.size;
    else for (const [observer, shadow] of this.observers) this.#check(observer, shadow);
    for (const [name, values] of this.keptValues) this.#valuesBefore.set(name, new Map(values));
    this.said.clear();
    this.saidTo.clear();
    this.#stopped.clear();
  }

  /** Rare events: joins, leaves, hiding, standings, blocks for one observer. */
  #happen(): void {
    const random = this.#random;
    const some = (): number => random.pick([...this.players.keys()]);
    const observers = (): number[] => [...this.observers.keys()];
    if (random.chance(0.3) && this.players.size > 2) this.#leave(some());
    if (random.chance(0.3) && this.players.size < this.#options.players + 5 && this.players.size < MAX_PLAYER_INDEX)
      this.#join();
    if (random.chance(0.3) && this.players.size > 2) {
      // The slot changes hands within the tick.
      const index = some();
      const observed = this.observers.has(index);
      this.#leave(index);
      this.#join(index);
      if (observed) this.#observe(index);
    }
    if (random.chance(0.1) && this.observers.size > 0) this.#observe(random.pick(observers()));
    if (this.observers.size < this.#options.observers) {
      const index = some();
      if (!this.observers.has(index)) this.#observe(index);
    }
    if (random.chance(0.2)) {
      const index = some();
      const hidden = random.chance(0.5);
      this.engine.hide(index, hidden);
      if (hidden) this.hidden.add(index);
      else this.hidden.delete(index);
    }
    if (random.chance(0.2) && this.observers.size > 0) {
      const observer = random.pick(observers());
      const index = some();
      const standing = random.pick(["first", "never", "ordinary"] as const);
      this.engine.setStanding(observer, index, standing);
      const standings = this.standings.get(observer) ?? new Map<number, "first" | "never">();
      this.standings.set(observer, standings);
      if (standing === "ordinary" || observer === index) standings.delete(index);
      else standings.set(index, standing);
    }
    const own = this.#options.revision.blocks.filter(({ perObserver }) => perObserver);
    if (own.length > 0 && random.chance(0.3) && this.observers.size > 0) {
      const observer = random.pick(observers());
      const index = some();
      const block = random.pick(own);
      const value = someFields(random, block, 10);
      this.engine.setBlockFor(observer, index, block.name, value);
      const players = this.saidTo.get(observer) ?? new Map<number, Map<string, string>>();
      const blocks = players.get(index) ?? new Map<string, string>();
      this.saidTo.set(observer, players.set(index, blocks.set(block.name, show(value))));
    }
  }

  #check(observer: number, shadow: Shadow): void {
    const { decoder, second } = shadow;
    const { engine, players, hidden } = this;
    const packet = engine.packet(observer).slice();
    const fail = (rule: string): never => {
      throw new Error(`Observer ${observer}: ${rule}`);
    };
    if (packet.length > MAX_PACKET_BYTES) fail(`a packet of ${packet.length} bytes`);
    this.longestPacket = Math.max(this.longestPacket, packet.length);
    this.bytes += packet.length;
    this.packets++;
    const update = decoder.decode(packet);
    const [crash] = update.wouldCrash;
    if (crash !== undefined) fail(`${crash.path} of ${crash.index} would crash the client: ${crash.reason}`);
    if (second !== undefined) mustAgree(second, decoder, packet, update);
    const self = players.get(observer) as WorldTile;
    const distance = engine.viewDistanceOf(observer);
    const standings = this.standings.get(observer);
    const waiting = new Set(engine.waitingFor(observer));
    const { local, level, x, z, quarters } = decoder;
    let locals = 0;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      const isLocal = local[index] === 1;
      if (isLocal !== engine.sees(observer, index)) fail(`client and server differ in whether ${index} is in view`);
      if (isLocal) locals++;
      else if (quarters[index] !== this.#quarters[index]) fail(`the quarter of ${index} is wrong`);
      const tile = players.get(index);
      if (tile === undefined) {
        if (isLocal) fail(`${index}, who has left, is in view`);
        continue;
      }
      if (isLocal && !(x[index] === tile.x && z[index] === tile.z && level[index] === tile.level)) {
        fail(`${index} is not where it should be`);
      }
      const away = Math.max(Math.abs(tile.x - self.x), Math.abs(tile.z - self.z));
      const standing = standings?.get(index);
      const reach = standing === "first" ? engine.viewDistance : distance;
      const may = tile.level === self.level && away <= reach && !hidden.has(index) && standing !== "never";
      if (isLocal && !may && index !== observer) fail(`${index} is in view and may not be`);
      // On one tile there may be more than can be shown.
      if (!isLocal && may && distance > 0 && !waiting.has(index)) fail(`${index} is not in view and should be`);
    }
    if (locals > engine.maxLocals) fail(`${locals} players are in view`);
    this.#checkMasks(observer, update, shadow, waiting, fail);
  }

  #checkMasks(
    observer: number,
    { masks }: PlayerInfoUpdate,
    { kept, sent }: Shadow,
    waiting: ReadonlySet<number>,
    fail: (rule: string) => never,
  ): void {
    const got = new Map<number, MaskBlocks>(masks.map(({ index, blocks }) => [index, blocks]));
    // A block that needs one which the observer had before this packet: it must come.
    const hadNeeded = new Map<string, ReadonlySet<number>>();
    for (const { name, needs } of this.#options.revision.blocks) {
      if (needs === undefined) continue;
      const had = new Set<number>();
      for (const [index, value] of this.#valuesBefore.get(needs) ?? []) {
        if (sent.get(needs)?.get(index) === value) had.add(index);
      }
      hadNeeded.set(name, had);
    }
    for (const { index, blocks } of masks) {
      for (const { name } of this.#keptByIndex) {
        const value = blocks[name];
        if (value === undefined) continue;
        for (const all of [kept, sent]) {
          const values = all.get(name) ?? new Map<number, string>();
          all.set(name, values.set(index, show(value)));
        }
      }
    }
    const own = this.saidTo.get(observer);
    for (const index of this.observers.get(observer)?.decoder.locals ?? []) {
      if (waiting.has(index)) continue;
      const blocks = got.get(index);
      for (const [name, said] of new Map([...(this.said.get(index) ?? []), ...(own?.get(index) ?? [])])) {
        const received = blocks?.[name];
        const shown = received === undefined ? "nothing" : show(received);
        if (received === undefined && hadNeeded.get(name)?.has(index) === false) continue;
        if (shown !== said) fail(`${name} of ${index} is ${shown}, not ${said}`);
      }
      for (const { name } of this.#keptByIndex) {
        const should = this.keptValues.get(name)?.get(index);
        if (should !== undefined && kept.get(name)?.get(index) !== should)
          fail(`the client has an old ${name} of ${index}`);
      }
    }
  }
}

/** A value with bytes as hex, to be compared. Without `JSON.stringify` and a replacer, which took a fifth of these tests. */
function show(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex");
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  if (Array.isArray(value)) return `[${value.map(show).join()}]`;
  let text = "";
  for (const [name, field] of Object.entries(value)) if (field !== undefined) text += `${name}:${show(field)} `;
  return `{${text}}`;
}
