/**
 * A world whose players move by themselves, by ways through a made-up map, and receive player info: for a server to run, a
 * page to show and a test to follow.
 *
 * ```ts
 * const world = new PlayerInfoWorld({ dialect: "client", seed: 1, demo: true });
 * world.join(7, { account: "a", name: "a" }, 0);
 * world.tick(600);
 * const sent = world.takeEffects().map(({ effect, message }) => message?.message ?? effect);
 * sent; // => ["enter", "playerIndex", "playerInfoInit", "playerInfo"]
 * ```
 */
import { createRandom, type PlayerId, type Random, type Track } from "../../../../motion/index.ts";
import { i32le } from "../../../../wire/index.ts";
import type { Following } from "../../../following.ts";
import { checkTickMs } from "../../../tick.ts";
import type { Effect, Joining, Refusal, SavedWorld, World, WorldOptions } from "../../../world.ts";
import {
  checkSaved,
  copyState,
  digestOf,
  EffectQueue,
  list,
  mapOf,
  number,
  type Observation,
  PlayerTable,
  plainData,
  type SavedOutline,
  savedOptions,
  savedWorld,
  state,
  text,
} from "../../../world-kit/index.ts";
import { UsedMaps } from "../../../world-kit/used-maps.ts";
import { Collision } from "../../maps/collision.ts";
import { type CollisionMaps, collisionMapsIn } from "../../maps/collision-maps.ts";
import { CollisionWalkMap } from "../movement/collision-walk-map.ts";
import { demoMap } from "../movement/demo-map.ts";
import type { WalkMap } from "../movement/walk-map.ts";
import { MAX_PLAYER_INDEX, PLAYER_SLOTS, TICK_MS } from "../wire/constants.ts";
import { playerInfoDialectIn } from "../wire/dialect.ts";
import { PlayerInfoEngine } from "../wire/engine/engine.ts";
import { packSet, type SavedEngine } from "../wire/engine/saved-engine.ts";
import type { MaskRevision } from "../wire/masks/mask-revision.ts";
import type { PlayerInfoMessage, PlayerInfoServerMessage } from "../wire/message.ts";
import { act, appear } from "./life.ts";
import { PLAYER_INFO_ROOM, packetOf, startOf, trackOf } from "./observations.ts";
import { ShownBlocks } from "./shown-blocks.ts";
import {
  createWalker,
  followScene,
  liveOf,
  loadScene,
  moveWalker,
  restoreWalker,
  savedWalker,
  type Walker,
} from "./walker.ts";

export interface PlayerInfoWorldOptions extends WorldOptions {
  /** Mask blocks that clients of this world read. Default none: no blocks are sent. */
  readonly revision?: MaskRevision;
}

const WALK_SPEED = 1;
const RUN_SPEED = 2;
/** Of each tick: two players log out and in again, and have each other's index then. */
const CHANGE_CHANCE = 0.02;
/** Cycles of a jump: a tick. */
const JUMP_CYCLES = 30;

/** Counts the changes of the shape of {@link savedState}. */
const SCHEMA = 3;

const savedState = state({
  /** State of the generator that new players get theirs from. */
  random: i32le,
  walkers: list(savedWalker),
  followed: list(number),
  // The engine checks it.
  engine: plainData<SavedEngine>(),
  effects: list(plainData<Effect<PlayerInfoServerMessage>>()),
  /** Regions of the given maps, with their digests, in the order in which they were first used. */
  used: mapOf(text, text),
});

/**
 * Up to 2047 players; each tick one packet for each. Pure: everything follows from the seed and the calls.
 *
 * Spectators who follow a player receive its stream: first `player-info-start` (`index`: the player's own, `dialect`, and
 * `state`: a `PlayerInfoState`, what the player's client knows), which `PlayerInfoDecoder.fromState` takes, then for every
 * tick `player-info` (`hex`: the packet that the player is sent). After a new initialisation there is a new start.
 */
export class PlayerInfoWorld implements World<never, PlayerInfoServerMessage>, Following {
  readonly following: Following = this;
  readonly tickMs: number;
  readonly capacity: number = MAX_PLAYER_INDEX;
  readonly engine: PlayerInfoEngine;
  readonly map: WalkMap;
  /** What names its options in saved data. */
  readonly outline: SavedOutline;
  readonly #random: Random;
  readonly #shown: ShownBlocks;
  /** Its players do more than walk. */
  readonly #isLively: boolean;
  /** The revision has a block that says how fast a player moves. */
  readonly #saysSpeed: boolean;
  #walkers = new PlayerTable<Walker>(MAX_PLAYER_INDEX);
  #taken = new Set<number>();
  #followed = new Set<PlayerId>();
  #effects = new EffectQueue<PlayerInfoServerMessage>();
  readonly #maps: CollisionMaps | undefined;
  readonly #collision: Collision | undefined;
  #used = new UsedMaps();
  /** Counts the calls after which tracks may be others. */
  #changes = 0;

  /** Throws `RangeError` for an unknown dialect or an invalid length of ticks, `TypeError` for maps of another game. */
  constructor(options: PlayerInfoWorldOptions) {
    const { dialect, seed, demo = false, revision, tickMs = TICK_MS, threads } = options;
    checkTickMs(tickMs);
    const maps = collisionMapsIn(options);
    this.#maps = maps;
    this.tickMs = tickMs;
    this.engine = new PlayerInfoEngine({
      dialect: playerInfoDialectIn(dialect),
      ...(revision === undefined ? {} : { revision }),
      ...(threads === undefined ? {} : { threads }),
    });
    const collision = maps && new Collision(maps, (place) => this.#used.note(place, () => maps.digest(place)));
    this.#collision = collision;
    const walked = maps && collision && CollisionWalkMap.create(maps, collision);
    this.map = walked ?? demoMap(demo && maps === undefined ? seed : undefined);
    this.#shown = new ShownBlocks(this.engine);
    this.#isLively = demo;
    this.#random = createRandom(seed);
    this.outline = {
      schema: SCHEMA,
      world: `osrs/player-info/${dialect}`,
      // The seed makes the demo's map; the state of the generator is saved.
      options: savedOptions({
        map: demo && maps === undefined ? `demo ${seed}` : "none",
        maps: maps === undefined ? "none" : "given",
        tickMs,
        revision: this.engine.revision.name,
      }),
    };
    this.#saysSpeed = this.engine.revision.blocks.some(({ name }) => name === "moveSpeed");
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#walkers.isFull) return "full";
    return joining.room === undefined || joining.room === PLAYER_INFO_ROOM ? undefined : "bad-room";
  }

  join(player: PlayerId, joining: Joining, _nowMs: number): void {
    this.#walkers.checkJoin(player, this.refuses(joining));
    const walker = createWalker(player, this.#freeIndex(), joining.name, this.#random.fork(), this.map);
    this.#walkers.add(player, walker);
    this.#taken.add(walker.index);
    this.#enter(walker);
    this.#effects.enter(player, PLAYER_INFO_ROOM);
    this.#initialise(walker);
  }

  #enter(walker: Walker): void {
    this.engine.add(walker.index, { level: walker.level, ...walker.tile });
    if (this.#isLively) appear(walker, this.#shown);
  }

  /** Two players log out and in again within a tick: their indices change hands in one packet (standard 8.5). */
  #changeIndices(): void {
    const walkers = [...this.#walkers.values()];
    if (walkers.length < 2 || !this.#random.chance(CHANGE_CHANCE)) return;
    const first = this.#random.pick(walkers);
    const second = this.#random.pick(walkers);
    if (first === second) return;
    for (const { index } of [first, second]) this.engine.remove(index);
    [first.index, second.index] = [second.index, first.index];
    for (const walker of [first, second]) {
      walker.foe = 0;
      this.#enter(walker);
    }
    for (const walker of [first, second]) this.#initialise(walker);
  }

  /** The lowest free index, as the game takes it: so indices change hands. */
  #freeIndex(): number {
    let index = 1;
    while (this.#taken.has(index)) index++;
    return index;
  }

  leave(player: PlayerId, _nowMs: number): void {
    const walker = this.#walkers.remove(player);
    if (walker === undefined) return;
    this.#changes += 1;
    this.engine.remove(walker.index);
    this.#taken.delete(walker.index);
    this.#followed.delete(player);
    this.#effects.exit(player, PLAYER_INFO_ROOM);
  }

  /** Clients send nothing: the demo moves their players. */
  receive(): void {}

  tick(_nowMs: number): void {
    this.#changes += 1;
    if (this.#isLively) this.#changeIndices();
    for (const walker of this.#walkers.values()) this.#move(walker);
    if (this.#isLively && this.#shown.hasBlocks) this.#live();
    this.engine.tick();
    // Observers who see the same share their bytes, and so the copy of them.
    const shared = new Map<number, PlayerInfoMessage>();
    for (const walker of this.#walkers.values()) {
      const packet = this.engine.packet(walker.index);
      let message = shared.get(packet.byteOffset);
      if (message === undefined || packet.length === 0) {
        message = { message: "playerInfo", value: { bytes: packet.slice() } };
        shared.set(packet.byteOffset, message);
      }
      walker.packetBytes = packet.length;
      // A player who reads too slowly is sent no packet, and begins anew once it has caught up.
      this.#effects.send(walker.id, message, "lossy");
      if (this.#followed.has(walker.id)) this.#effects.observe(packetOf(walker.id, packet));
      followScene(walker);
    }
  }

  #move(walker: Walker): void {
    const { index, runs } = walker;
    moveWalker(walker, this.map);
    if (walker.runs !== runs && this.#saysSpeed) {
      this.engine.setBlock(index, "moveSpeed", { speed: walker.runs ? RUN_SPEED : WALK_SPEED });
    }
    const { stance, tile, level } = walker;
    if (stance === "teleport") this.engine.teleport(index, { level, ...tile });
    else if (stance !== "stand") this.engine.move(index, tile.x, tile.z);
  }

  #live(): void {
    const byIndex: (Walker | undefined)[] = new Array(PLAYER_SLOTS).fill(undefined);
    for (const walker of this.#walkers.values()) byIndex[walker.index] = walker;
    for (const walker of this.#walkers.values()) {
      const { index, dx, dz, orientation, jumped } = walker;
      if (jumped) this.#shown.jump(index, { dx, dz, cycles: JUMP_CYCLES, angle: orientation });
      act(walker, this.#shown, byIndex);
    }
  }

  refresh(player: PlayerId, _nowMs: number): void {
    const walker = this.#walkers.get(player);
    if (walker !== undefined) this.#initialise(walker);
  }

  #initialise(walker: Walker): void {
    const { id, index } = walker;
    this.#changes += 1;
    this.#effects.send(id, { message: "playerIndex", value: { index } });
    this.#effects.send(id, { message: "playerInfoInit", value: { bytes: this.engine.observe(index) } });
    walker.packetBytes = 0;
    loadScene(walker);
    if (this.#followed.has(id)) this.#effects.observe(this.#startOf(walker));
  }

  follow(player: PlayerId, _nowMs: number): void {
    const walker = this.#walkers.get(player);
    if (walker === undefined) return;
    this.#followed.add(player);
    this.#effects.observe(this.#startOf(walker));
  }

  #startOf({ id, index, sceneX, sceneZ }: Walker): Observation {
    return startOf(id, { ...this.engine.clientState(index), scene: [sceneX, sceneZ] });
  }

  unfollow(player: PlayerId): void {
    this.#followed.delete(player);
  }

  takeEffects(): readonly Effect<PlayerInfoServerMessage>[] {
    return this.#effects.take();
  }

  tracks(nowMs: number, room: string = PLAYER_INFO_ROOM): readonly Track[] {
    if (room !== PLAYER_INFO_ROOM) return [];
    const perSecond = 1000 / this.tickMs;
    return Array.from(this.#walkers.values(), (walker) => trackOf(walker, this.engine, nowMs, perSecond));
  }

  /** Bodies move with ticks alone. */
  tracksVersion(): number {
    return this.#changes;
  }

  rooms(): ReadonlyMap<string, number> {
    return this.#walkers.size === 0 ? new Map() : new Map([[PLAYER_INFO_ROOM, this.#walkers.size]]);
  }

  usedMaps(): ReadonlyMap<string, string> {
    return this.#used.digests;
  }

  close(): void {
    this.engine.close();
  }

  /** The index that player info names a player by; undefined for an unknown player. */
  indexOf(player: PlayerId): number | undefined {
    return this.#walkers.get(player)?.index;
  }

  save(): SavedWorld {
    const walkers = Array.from(this.#walkers.values(), liveOf);
    const parts = { random: this.#random.save(), walkers, followed: this.#followed, used: this.#used.digests };
    const state = copyState(savedState, { ...parts, engine: this.engine, effects: this.#effects });
    return savedWorld(this.outline, state);
  }

  restore(saved: SavedWorld): void {
    this.prepareRestore(saved).commit();
  }

  /** The first half of {@link restore}: checks everything and returns the second half, which cannot fail. */
  prepareRestore(saved: SavedWorld): { readonly players: PlayerTable<Walker>; commit(): void } {
    const state = checkSaved(saved, this.outline, savedState);
    const used = new UsedMaps(state.used);
    used.mustBeIn(this.#maps);
    const walkers = new PlayerTable<Walker>(MAX_PLAYER_INDEX);
    const indices = new Uint8Array(MAX_PLAYER_INDEX + 1);
    for (const data of state.walkers) {
      const walker = restoreWalker(data);
      walkers.add(walker.id, walker);
      if (indices[walker.index] === 1) throw new RangeError(`Cannot restore: two players have index ${walker.index}`);
      indices[walker.index] = 1;
    }
    const followed = new Set(state.followed);
    for (const player of followed) walkers.need(player);
    const effects = new EffectQueue(state.effects);
    const restoreEngine = this.engine.prepareRestore(state.engine, "state.engine");
    const present = packSet(indices);
    if (!state.engine.present.every((word, at) => word === present[at])) {
      throw new RangeError("Cannot restore: state.engine has other players than state.walkers");
    }
    return {
      players: walkers,
      commit: () => {
        this.#random.restore(state.random);
        this.#walkers = walkers;
        this.#taken = new Set(Array.from(walkers.values(), ({ index }) => index));
        this.#followed = followed;
        this.#effects = effects;
        this.#used = used;
        this.#collision?.forget();
        restoreEngine();
        this.#changes += 1;
      },
    };
  }

  digest(): bigint {
    return digestOf(this.save());
  }
}
