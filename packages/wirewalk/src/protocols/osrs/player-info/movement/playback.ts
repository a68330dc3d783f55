/**
 * Smooth movement from player info: between two packets, 600 ms apart, the client moves drawn players in cycles of
 * 20 ms along a queue of tiles.
 *
 * ```ts
 * const decoder = new PlayerInfoDecoder({ dialect: "client" });
 * const engine = new PlayerInfoEngine({ dialect: "client" });
 * engine.add(499, { level: 0, x: 3200, z: 3200 });
 * decoder.init(engine.observe(499), 499);
 * const playback = new PlayerInfoPlayback(decoder);
 * engine.move(499, 3201, 3200);
 * engine.tick();
 * playback.take(decoder.decode(engine.packet(499))); // with every packet
 * playback.cycle(); // every 20 ms
 * playback.positionOf(499).x; // => 3200 * 128 + 64 + 2
 * playback.positionOf(499).orientation; // => 1536
 * ```
 *
 * The document ends where movement is handed over; the numbers here are the client's own.
 */
import { middleOf, UNITS_PER_TILE } from "../wire/constants.ts";
import type { PlayerInfoDecoder } from "../wire/decoder.ts";
import type { MaskFields } from "../wire/masks/mask-revision.ts";
import { orientationOf } from "../wire/orientation.ts";
import type { PlayerInfoUpdate } from "../wire/player-info-update.ts";

/** Tiles that the client's queue holds; of a longer way the oldest are dropped. */
export const MAX_QUEUED_TILES = 10;
/** Units that a walking player goes in a cycle: one tile in 32 of them, a little more than a tick has. */
const WALK_UNITS = 4;
/** Units per cycle instead, with more than 2 and more than 3 tiles queued: so a player catches up. */
const HURRY_UNITS = 6;
const RUSH_UNITS = 8;
/** A next tile farther than this along an axis is not walked to: a teleport. */
const SNAP_UNITS = 2 * UNITS_PER_TILE;

const CRAWL_SPEED = 0;
const RUN_SPEED = 2;

/** Where a player is drawn. */
export interface DrawnPosition {
  readonly level: number;
  /** Fine, absolute: 128 units a tile; the middle of a tile is 64 into it. */
  readonly x: number;
  readonly z: number;
  /** 0..2047: 0 south, 512 west, 1024 north, 1536 east. */
  readonly orientation: number;
  readonly moving: boolean;
}

interface QueuedTile {
  readonly x: number;
  readonly z: number;
  readonly speed: number;
}

/** A forced movement: to the first place until one cycle, on to the second until another. */
interface ExactMove {
  readonly x1: number;
  readonly z1: number;
  readonly x2: number;
  readonly z2: number;
  readonly startCycle: number;
  readonly endCycle: number;
  readonly angle: number;
}

/** The queued movement of one player. Tiles are absolute. */
export class MovementQueue {
  #x: number;
  #z: number;
  #orientation: number;
  /** Oldest first. */
  #path: QueuedTile[] = [];
  #exact: ExactMove | undefined;
  #cycle = 0;
  #moving = false;
  #arriving: number | undefined;

  constructor(tileX: number, tileZ: number, orientation = 0) {
    this.#x = middleOf(tileX);
    this.#z = middleOf(tileZ);
    this.#orientation = orientation;
  }

  get x(): number {
    return this.#x;
  }

  get z(): number {
    return this.#z;
  }

  get orientation(): number {
    return this.#orientation;
  }

  get moving(): boolean {
    return this.#moving;
  }

  /** Tiles still to go. */
  get length(): number {
    return this.#path.length;
  }

  /** Goes on to a tile: crawling (-1 and 0), walking (1) or running (2). */
  step(tileX: number, tileZ: number, speed: number): void {
    if (this.#path.length === MAX_QUEUED_TILES) this.#path.shift();
    this.#path.push({ x: middleOf(tileX), z: middleOf(tileZ), speed });
    this.#arriving = undefined;
  }

  /** Is on a tile at once, and goes nowhere. */
  stop(tileX: number, tileZ: number): void {
    this.#path = [];
    this.#arriving = undefined;
    this.#x = middleOf(tileX);
    this.#z = middleOf(tileZ);
  }

  /** Looks that way once it has arrived. */
  face(angle: number): void {
    if (this.#path.length === 0) this.#orientation = angle;
    else this.#arriving = angle;
  }

  /** Plays an exact move. Its tiles count from the given one, on which the player stands afterwards. */
  exactMove(tileX: number, tileZ: number, fields: MaskFields): void {
    const field = (name: string): number => fields[name] as number;
    const startCycle = this.#cycle + field("start");
    this.#exact = {
      x1: middleOf(tileX + field("dx1")),
      z1: middleOf(tileZ + field("dz1")),
      x2: middleOf(tileX + field("dx2")),
      z2: middleOf(tileZ + field("dz2")),
      startCycle,
      endCycle: Math.max(startCycle, this.#cycle + field("end")),
      angle: field("angle"),
    };
    this.#path = [{ x: middleOf(tileX), z: middleOf(tileZ), speed: 1 }];
  }

  /** 20 ms later. */
  cycle(): void {
    this.#cycle++;
    const exact = this.#exact;
    if (exact !== undefined && this.#cycle <= exact.endCycle) this.#forced(exact);
    else this.#walk();
  }

  #forced({ x1, z1, x2, z2, startCycle, endCycle, angle }: ExactMove): void {
    this.#moving = true;
    this.#orientation = angle;
    if (this.#cycle <= startCycle) {
      const left = startCycle - this.#cycle + 1;
      this.#x += (x1 - this.#x) / left;
      this.#z += (z1 - this.#z) / left;
      return;
    }
    const part = (this.#cycle - startCycle) / (endCycle - startCycle);
    this.#x = x1 + (x2 - x1) * part;
    this.#z = z1 + (z2 - z1) * part;
  }

  #walk(): void {
    this.#exact = undefined;
    const [next] = this.#path;
    if (next === undefined) {
      this.#moving = false;
      return;
    }
    const dx = next.x - this.#x;
    const dz = next.z - this.#z;
    if (Math.abs(dx) > SNAP_UNITS || Math.abs(dz) > SNAP_UNITS) {
      this.#x = next.x;
      this.#z = next.z;
    } else {
      const units = this.#unitsPerCycle(next.speed);
      this.#orientation = orientationOf(dx, dz) ?? this.#orientation;
      this.#x += Math.sign(dx) * Math.min(units, Math.abs(dx));
      this.#z += Math.sign(dz) * Math.min(units, Math.abs(dz));
    }
    this.#moving = dx !== 0 || dz !== 0;
    if (this.#x === next.x && this.#z === next.z) this.#path.shift();
    if (this.#path.length === 0 && this.#arriving !== undefined) {
      this.#orientation = this.#arriving;
      this.#arriving = undefined;
    }
  }

  #unitsPerCycle(speed: number): number {
    const queued = this.#path.length;
    const units = queued > 3 ? RUSH_UNITS : queued > 2 ? HURRY_UNITS : WALK_UNITS;
    if (speed >= RUN_SPEED) return units * 2;
    return speed <= CRAWL_SPEED ? units / 2 : units;
  }
}

/** All players in one observer's view, as they are drawn. */
export class PlayerInfoPlayback {
  readonly #decoder: PlayerInfoDecoder;
  readonly #queues = new Map<number, MovementQueue>();

  /**
   * All players in the decoder's view begin on their tiles. From here on the decoder takes the observer's drawn position
   * from this playback (`drawnAt`).
   */
  constructor(decoder: PlayerInfoDecoder) {
    this.#decoder = decoder;
    decoder.drawnAt = () => this.#queues.get(decoder.localIndex);
    this.reset();
  }

  /** After a new initialisation: nothing moves. */
  reset(): void {
    this.#queues.clear();
    for (const index of this.#decoder.locals) this.#place(index);
  }

  #place(index: number): void {
    const player = this.#decoder.player(index);
    if (player !== undefined) this.#queues.set(index, new MovementQueue(player.x, player.z, player.orientation));
  }

  /** Takes the update of a packet that the decoder has just read. */
  take({ added, removed, moves, masks }: PlayerInfoUpdate): void {
    for (const index of removed) this.#queues.delete(index);
    for (const index of added) this.#place(index);
    for (const { index, x, z, arrival, speed } of moves) {
      if (arrival === "stop") this.#queues.get(index)?.stop(x, z);
      else this.#queues.get(index)?.step(x, z, speed);
    }
    const { x, z } = this.#decoder;
    for (const { index, blocks } of masks) {
      const queue = this.#queues.get(index);
      const { exactMove, faceAngle, facing } = blocks;
      if (exactMove !== undefined) queue?.exactMove(x[index] as number, z[index] as number, exactMove);
      if (faceAngle !== undefined) queue?.face(faceAngle.angle as number);
      // Only facing an angle has one.
      if (facing?.angle !== undefined) queue?.face(facing.angle as number);
    }
  }

  /** 20 ms later. */
  cycle(): void {
    for (const queue of this.#queues.values()) queue.cycle();
  }

  /** Where a player is drawn; undefined when it is not in view. */
  positionOf(index: number): DrawnPosition | undefined {
    const queue = this.#queues.get(index);
    if (queue === undefined) return undefined;
    const { x, z, orientation, moving } = queue;
    return { level: this.#decoder.level[index] as number, x, z, orientation, moving };
  }
}
