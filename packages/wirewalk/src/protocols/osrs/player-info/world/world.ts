/**
 * A world whose players move by themselves, by ways through a made-up map, and are told of each other by player info:
 * for a server to run, a page to show and a test to follow.
 *
 * ```ts
 * const world = new PlayerInfoWorld({ dialect: "client", seed: 1, demo: true });
 * world.join(7, { account: "a", name: "a" }, 0);
 * world.tick(600);
 * const said = world.takeEffects().map(({ effect, message }) => message?.message ?? effect);
 * said; // => ["enter", "playerIndex", "playerInfoInit", "playerInfo"]
 * ```
 */
import { createRandom, type PlayerId, type Random, type Track } from "../../../../motion/index.ts";
import { formatHex, type JsonObject } from "../../../../wire/index.ts";
import type { Following } from "../../../following.ts";
import { checkTickMs } from "../../../tick.ts";
import type { Effect, Joining, Refusal, World, WorldOptions } from "../../../world.ts";
import { DEMO_ORIGIN, DEMO_TILES, DemoMap, MAX_WAY_TILES, type MapTile } from "../movement/demo-map.ts";
import { MAX_PLAYER_INDEX, TICK_MS } from "../wire/constants.ts";
import { orientationOf } from "../wire/decoder.ts";
import { playerInfoDialectIn } from "../wire/dialect.ts";
import { PlayerInfoEngine } from "../wire/engine/engine.ts";
import type { MaskRevision } from "../wire/masks/mask-revision.ts";
import type { PlayerInfoMessage, PlayerInfoServerMessage } from "../wire/message.ts";
import { leavesScene, sceneAround } from "../wire/scene.ts";

export interface PlayerInfoWorldOptions extends WorldOptions {
  /** Mask blocks that clients of this world read. Default none, and then nobody says or wears anything. */
  readonly revision?: MaskRevision;
}

/** The one place of all players. */
export const PLAYER_INFO_ROOM = "world";
const REST_CHANCE = 0.1;
const MAX_REST_TICKS = 8;
const TELEPORT_CHANCE = 0.02;
const RUN_CHANCE = 0.4;
const WALK_SPEED = 1;
const RUN_SPEED = 2;

/** One player, as the demo moves it. */
interface Walker {
  readonly index: number;
  /** As the player was called when it joined. */
  readonly name: string;
  readonly random: Random;
  tile: MapTile;
  way: readonly MapTile[];
  /** Tiles of the way that it has gone. */
  gone: number;
  runs: boolean;
  restTicks: number;
  /** The last step: tiles along each axis, and whether it was one. */
  dx: number;
  dz: number;
  orientation: number;
  stance: "stand" | "walk" | "run" | "teleport";
  /** South-west tile of the part of the map that its client has loaded. */
  sceneX: number;
  sceneZ: number;
}

/**
 * Up to 2047 players; each tick one packet for each. Pure: all follows from the seed and the calls.
 *
 * Who follows a player is shown its stream: first `player-info-start` (`index`: the player's own, `dialect`, and `state`: a
 * `PlayerInfoState`, what the player's client knows), which `PlayerInfoDecoder.restore` takes, then for every tick
 * `player-info` (`hex`: the packet that the player gets). After a fresh initialisation there is a new start.
 */
export class PlayerInfoWorld implements World<never, PlayerInfoServerMessage> {
  readonly following: Following = this;
  readonly tickMs: number;
  readonly capacity: number = MAX_PLAYER_INDEX;
  readonly engine: PlayerInfoEngine;
  readonly map: DemoMap;
  readonly #random: Random;
  readonly #walkers = new Map<PlayerId, Walker>();
  readonly #taken = new Set<number>();
  readonly #followed = new Set<PlayerId>();
  #effects: Effect<PlayerInfoServerMessage>[] = [];

  /** Throws `RangeError` for an unknown dialect or a tick that is none. */
  constructor({ dialect, seed, demo = false, revision, tickMs = TICK_MS }: PlayerInfoWorldOptions) {
    checkTickMs(tickMs);
    this.tickMs = tickMs;
    const spoken = playerInfoDialectIn(dialect);
    this.engine = new PlayerInfoEngine({ dialect: spoken, ...(revision === undefined ? {} : { revision }) });
    this.map = new DemoMap(demo ? seed : undefined);
    this.#random = createRandom(seed);
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#walkers.size >= this.capacity) return "full";
    return joining.room === undefined || joining.room === PLAYER_INFO_ROOM ? undefined : "bad-room";
  }

  join(player: PlayerId, joining: Joining, _nowMs: number): void {
    const refusal = this.refuses(joining);
    if (refusal !== undefined) throw new RangeError(`Cannot join: ${refusal}`);
    if (this.#walkers.has(player)) throw new RangeError(`Cannot join: player ${player} is here already`);
    const random = this.#random.fork();
    const tile = this.#someTile(random);
    const index = this.#freeIndex();
    this.#taken.add(index);
    this.engine.add(index, { level: 0, ...tile });
    this.#walkers.set(player, {
      index,
      name: joining.name,
      random,
      tile,
      way: [],
      gone: 0,
      runs: false,
      restTicks: 0,
      dx: 0,
      dz: 0,
      orientation: 0,
      stance: "stand",
      sceneX: 0,
      sceneZ: 0,
    });
    this.#effects.push({ effect: "enter", player, room: PLAYER_INFO_ROOM });
    this.refresh(player, 0);
  }

  /** The lowest free one, as a game has it: so indices change hands. */
  #freeIndex(): number {
    for (let index = 1; index <= MAX_PLAYER_INDEX; index++) if (!this.#taken.has(index)) return index;
    throw new RangeError("Cannot join: full");
  }

  leave(player: PlayerId, _nowMs: number): void {
    const walker = this.#walkers.get(player);
    if (walker === undefined) return;
    this.engine.remove(walker.index);
    this.#taken.delete(walker.index);
    this.#walkers.delete(player);
    this.#followed.delete(player);
    this.#effects.push({ effect: "exit", player, room: PLAYER_INFO_ROOM });
  }

  /** Clients say nothing: everybody goes its own way. */
  receive(): void {}

  tick(_nowMs: number): void {
    for (const walker of this.#walkers.values()) this.#move(walker);
    this.engine.tick();
    // Observers who see the same share their bytes, and so the copy of them.
    const shared = new Map<number, PlayerInfoMessage>();
    for (const [player, walker] of this.#walkers) {
      const packet = this.engine.packet(walker.index);
      let message = shared.get(packet.byteOffset);
      if (message === undefined || packet.length === 0) {
        message = { message: "playerInfo", value: { bytes: packet.slice() } };
        shared.set(packet.byteOffset, message);
      }
      // Who lags gets no packet: it begins anew when it has caught up.
      this.#effects.push({ effect: "send", to: player, message, lossy: true });
      if (this.#followed.has(player)) {
        this.#show(player, "player-info", { hex: formatHex(packet, { separator: "" }) });
      }
      const { x, z } = walker.tile;
      if (leavesScene(x, walker.sceneX) || leavesScene(z, walker.sceneZ)) loadScene(walker);
    }
  }

  refresh(player: PlayerId, _nowMs: number): void {
    const walker = this.#walkers.get(player);
    if (walker === undefined) return;
    const { index } = walker;
    const send = (message: PlayerInfoServerMessage): void => {
      this.#effects.push({ effect: "send", to: player, message });
    };
    send({ message: "playerIndex", value: { index } });
    send({ message: "playerInfoInit", value: { bytes: this.engine.observe(index) } });
    loadScene(walker);
    if (this.#followed.has(player)) this.#showStart(player, walker);
  }

  follow(player: PlayerId, _nowMs: number): void {
    const walker = this.#walkers.get(player);
    if (walker === undefined) return;
    this.#followed.add(player);
    this.#showStart(player, walker);
  }

  unfollow(player: PlayerId): void {
    this.#followed.delete(player);
  }

  #showStart(player: PlayerId, { index, sceneX, sceneZ }: Walker): void {
    const state = { ...this.engine.clientState(index), scene: [sceneX, sceneZ] };
    this.#show(player, "player-info-start", { index, dialect: state.dialect, state });
  }

  #show(player: PlayerId, what: string, data: JsonObject): void {
    this.#effects.push({ effect: "observe", player, room: PLAYER_INFO_ROOM, what, data, toFollowers: true });
  }

  takeEffects(): readonly Effect<PlayerInfoServerMessage>[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    if (room !== undefined && room !== PLAYER_INFO_ROOM) return [];
    const perSecond = 1000 / this.tickMs;
    return Array.from(this.#walkers, ([player, walker]): Track => {
      const { index, name, dx, dz, orientation, stance } = walker;
      const { level, x, z } = this.engine.tileOf(index);
      return {
        player,
        room: PLAYER_INFO_ROOM,
        atMs: nowMs,
        position: { x, y: z, level },
        velocity: stance === "teleport" ? { x: 0, y: 0 } : { x: dx * perSecond, y: dz * perSecond },
        // East is 1536 and north 1024 of 2048: the game turns clockwise, a screen counter-clockwise.
        facingTurns: ((1536 - orientation) & 2047) / 2048,
        stance,
        source: "simulated",
        details: {
          index,
          name,
          local: this.engine.localCountOf(index),
          viewDistance: this.engine.viewDistanceOf(index),
          packetBytes: this.engine.packetBytes(index),
        },
      };
    });
  }

  rooms(): ReadonlyMap<string, number> {
    return this.#walkers.size === 0 ? new Map() : new Map([[PLAYER_INFO_ROOM, this.#walkers.size]]);
  }

  /** The index that player info names a player by; undefined when there is no such player. */
  indexOf(player: PlayerId): number | undefined {
    return this.#walkers.get(player)?.index;
  }

  #someTile(random: Random): MapTile {
    for (;;) {
      const x = DEMO_ORIGIN + random.integer(0, DEMO_TILES - 1);
      const z = DEMO_ORIGIN + random.integer(0, DEMO_TILES - 1);
      if (this.map.isOpen(x, z)) return { x, z };
    }
  }

  #move(walker: Walker): void {
    const { random, tile } = walker;
    walker.stance = "stand";
    walker.dx = 0;
    walker.dz = 0;
    if (walker.restTicks > 0) {
      walker.restTicks--;
      return;
    }
    if (random.chance(TELEPORT_CHANCE)) {
      walker.way = [];
      this.#arrive(walker, this.#someTile(random), "teleport");
      this.engine.teleport(walker.index, { level: 0, ...walker.tile });
      return;
    }
    if (walker.gone >= walker.way.length) {
      if (random.chance(REST_CHANCE)) walker.restTicks = random.integer(1, MAX_REST_TICKS);
      const far = (): number => random.integer(-MAX_WAY_TILES, MAX_WAY_TILES);
      walker.way = this.map.findWay(tile, { x: tile.x + far(), z: tile.z + far() });
      walker.gone = 0;
      this.#setSpeed(walker, random.chance(RUN_CHANCE));
    }
    const steps = Math.min(walker.runs ? 2 : 1, walker.way.length - walker.gone);
    const next = walker.way[walker.gone + steps - 1];
    if (steps === 0 || next === undefined) return;
    walker.gone += steps;
    this.#arrive(walker, next, walker.runs ? "run" : "walk");
    this.engine.move(walker.index, next.x, next.z);
  }

  #setSpeed(walker: Walker, runs: boolean): void {
    if (walker.runs === runs) return;
    walker.runs = runs;
    const knows = this.engine.revision.blocks.some(({ name }) => name === "moveSpeed");
    if (knows) this.engine.setBlock(walker.index, "moveSpeed", { speed: runs ? RUN_SPEED : WALK_SPEED });
  }

  #arrive(walker: Walker, tile: MapTile, stance: Walker["stance"]): void {
    walker.dx = tile.x - walker.tile.x;
    walker.dz = tile.z - walker.tile.z;
    walker.orientation = orientationOf(walker.dx, walker.dz) ?? walker.orientation;
    walker.tile = tile;
    walker.stance = stance;
  }
}

/** The client loads the part of the map around the player. */
function loadScene(walker: Walker): void {
  walker.sceneX = sceneAround(walker.tile.x);
  walker.sceneZ = sceneAround(walker.tile.z);
}
