/** The four passes of one packet, one function per branch of the standard (5.2 to 5.9). */
import type { ClientMemory } from "./client-memory.ts";
import {
  middleOf,
  QUARTER_TILES,
  runX,
  runZ,
  SCENE_MARGIN_TILES,
  SCENE_TILES,
  UNITS_PER_TILE,
  WORLD_TILES,
  walkX,
  walkZ,
} from "./constants.ts";
import type { PlayerInfoDialect } from "./dialect.ts";
import { orientationOf } from "./orientation.ts";
import type { PacketCursor } from "./packet-cursor.ts";
import type { FinePosition, PlayerMove } from "./player-info-update.ts";

/** A movement that waits for the player's masks: they have its speed. */
export interface HeldMove {
  index: number;
  type: PlayerMove["type"];
  level: number;
  x: number;
  z: number;
  arrival: PlayerMove["arrival"];
  speed: number;
}

/** Units at each side of the loaded map in which the observer is moved by teleports: 1536. */
const EDGE_UNITS = SCENE_MARGIN_TILES * UNITS_PER_TILE;

/** Reads the passes of one packet into a client's memory, and lists additions, removals, movements and pending masks. */
export class PassReader {
  /** Players with masks, in their order. */
  readonly pending: number[] = [];
  readonly added: number[] = [];
  readonly removed: number[] = [];
  readonly moves: HeldMove[] = [];
  readonly #memory: ClientMemory;
  readonly #cursor: PacketCursor;
  readonly #dialect: PlayerInfoDialect;
  readonly #drawnAt: (() => FinePosition | undefined) | undefined;

  /** `drawnAt`: where the observer is drawn, see `PlayerInfoDecoder.drawnAt`. */
  constructor(
    memory: ClientMemory,
    cursor: PacketCursor,
    dialect: PlayerInfoDialect,
    drawnAt: (() => FinePosition | undefined) | undefined,
  ) {
    this.#memory = memory;
    this.#cursor = cursor;
    this.#dialect = dialect;
    this.#drawnAt = drawnAt;
  }

  /** Returns the bits of each pass. Throws `WireError` for a packet that does not fit the state. */
  readAll(): [number, number, number, number] {
    const passBits: [number, number, number, number] = [0, 0, 0, 0];
    for (const pass of [1, 2, 3, 4] as const) {
      this.#cursor.stage = pass;
      const start = this.#cursor.bits.bitOffset;
      const locals = pass <= 2;
      this.#readPass(
        locals ? this.#memory.locals : this.#memory.externals,
        this.#dialect.passFlags[pass - 1] as 0 | 1,
        locals,
      );
      passBits[pass - 1] = this.#cursor.bits.bitOffset - start;
      if (this.#dialect.alignsPasses || pass === 4) this.#cursor.align();
    }
    return passBits;
  }

  /** One pass over the players of a list, as it stood when the packet began, whose activity flag is the pass's. */
  #readPass(list: Uint16Array, flag: 0 | 1, locals: boolean): void {
    const { flags } = this.#memory;
    const { length } = list;
    let toSkip = 0;
    for (let at = 0; at < length; at++) {
      const index = list[at] as number;
      const found = flags[index] as number;
      if ((found & 1) !== flag) continue;
      this.#cursor.index = index;
      if (this.#cursor.read(1, "update") === 0) {
        flags[index] = found | 2;
        toSkip = this.#readSkip();
        // Most of a packet is skipped: a loop of its own, without calls.
        while (toSkip > 0 && ++at < length) {
          const skipped = list[at] as number;
          const value = flags[skipped] as number;
          if ((value & 1) !== flag) continue;
          flags[skipped] = value | 2;
          toSkip--;
        }
      } else if (locals) {
        this.#readLocal(index);
      } else {
        this.#readExternal(index, this.#cursor.read(2, "type", externalTypes), this.#addedFlag);
      }
    }
    this.#cursor.index = undefined;
    if (toSkip > 0) throw this.#cursor.error("bad-length", `a skip goes ${toSkip} players past the end of the pass`);
  }

  /** How many players after the present one are skipped too. */
  #readSkip(): number {
    switch (this.#cursor.read(2, "skip.size")) {
      case 0:
        return 0;
      case 1:
        return this.#cursor.read(5, "skip.count");
      case 2:
        return this.#cursor.read(8, "skip.count");
      default:
        return this.#cursor.read(11, "skip.count");
    }
  }

  get #addedFlag(): 0 | 2 {
    return this.#dialect.flagsAdded ? 2 : 0;
  }

  #readLocal(index: number): void {
    const hasMask = this.#cursor.read(1, "mask") === 1;
    if (hasMask) this.pending.push(index);
    const { x, z } = this.#memory;
    switch (this.#cursor.read(2, "type", localTypes)) {
      case 0:
        // With a mask: no movement.
        if (!hasMask) this.#remove(index);
        return;
      case 1: {
        const direction = this.#cursor.read(3, "walk", walkNames);
        const dx = walkX[direction] as number;
        const dz = walkZ[direction] as number;
        this.#move(index, "walk", 0, (x[index] as number) + dx, (z[index] as number) + dz, hasMask);
        return;
      }
      case 2: {
        const direction = this.#cursor.read(4, "run");
        const dx = runX[direction] as number;
        const dz = runZ[direction] as number;
        this.#move(index, "run", 0, (x[index] as number) + dx, (z[index] as number) + dz, hasMask);
        return;
      }
      default:
        this.#readTeleport(index, hasMask);
    }
  }

  #readTeleport(index: number, hasMask: boolean): void {
    const { x, z } = this.#memory;
    if (this.#cursor.read(1, "far") === 0) {
      const level = this.#cursor.read(2, "near.level");
      const dx = this.#cursor.readSigned(5, "near.x");
      const dz = this.#cursor.readSigned(5, "near.z");
      this.#move(index, "near", level, (x[index] as number) + dx, (z[index] as number) + dz, hasMask);
      return;
    }
    const level = this.#cursor.read(2, "far.level");
    const toX = ((x[index] as number) + this.#cursor.read(14, "far.x")) & (WORLD_TILES - 1);
    const toZ = ((z[index] as number) + this.#cursor.read(14, "far.z")) & (WORLD_TILES - 1);
    this.#move(index, "far", level, toX, toZ, hasMask);
  }

  #move(index: number, type: PlayerMove["type"], levels: number, x: number, z: number, hasMask: boolean): void {
    if (x < 0 || z < 0 || x >= WORLD_TILES || z >= WORLD_TILES) {
      throw this.#cursor.error("bad-value", `the player leaves the world, to ${x}, ${z}`);
    }
    const atEdge = index === this.#memory.localIndex && this.#isAtSceneEdge();
    // Levels only change by teleports, whose position is set first (standard 5.5).
    this.#memory.setLevel(index, (this.#memory.level[index] as number) + levels);
    const facing = orientationOf(x - (this.#memory.x[index] as number), z - (this.#memory.z[index] as number));
    if (facing !== undefined) this.#memory.orientation[index] = facing;
    this.#memory.arrivingOrientation[index] = -1;
    this.#memory.x[index] = x;
    this.#memory.z[index] = z;
    // With a mask pending the movement waits for it, unless at the edge of the loaded map: there it is a teleport.
    const arrival = atEdge ? "stop" : "path";
    const speed = atEdge || hasMask ? 0 : (this.#memory.speed[index] as number);
    this.moves.push({ index, type, level: this.#memory.level[index] as number, x, z, arrival, speed });
  }

  #remove(index: number): void {
    if (index === this.#memory.localIndex) throw this.#cursor.error("bad-value", "the observer itself is removed");
    this.#memory.remove(index);
    this.removed.push(index);
    // The update that may follow is read like any external's. One that adds leaves the flag alone.
    if (this.#cursor.read(1, "quarterFollows") === 1)
      this.#readExternal(index, this.#cursor.read(2, "type", externalTypes), 0);
  }

  #readExternal(index: number, type: number, addedFlag: 0 | 2): void {
    if (type !== 0) {
      this.#readQuarter(index, type);
      return;
    }
    if (this.#cursor.read(1, "quarterFirst") === 1) {
      const nested = this.#cursor.read(2, "quarter.type", externalTypes);
      // An add within an add would add the player twice, which ends the client: refused before it is read, so nothing
      // here goes deeper than this.
      if (nested === 0) throw this.#cursor.error("bad-value", "an add is nested in an add");
      this.#readQuarter(index, nested);
    }
    const quarter = this.#memory.quarters[index] as number;
    const x = ((quarter >> 14) & 0xff) * QUARTER_TILES + this.#cursor.read(13, "x");
    const z = (quarter & 0xff) * QUARTER_TILES + this.#cursor.read(13, "z");
    const hasMask = this.#cursor.read(1, "mask") === 1;
    if (x >= WORLD_TILES || z >= WORLD_TILES) {
      throw this.#cursor.error("bad-value", `the player is added outside of the world, at ${x}, ${z}`);
    }
    if (hasMask) this.pending.push(index);
    this.#memory.setLevel(index, quarter >> 28);
    this.#memory.x[index] = x;
    this.#memory.z[index] = z;
    this.#memory.appear(
      index,
      this.#memory.keptOrientation[index] as number,
      this.#memory.keptInteracting[index] as number,
    );
    this.added.push(index);
    this.#memory.flags[index] = (this.#memory.flags[index] as number) | addedFlag;
  }

  #readQuarter(index: number, type: number): void {
    const quarter = this.#memory.quarters[index] as number;
    const level = ((quarter >> 28) + this.#cursor.read(2, "quarter.level")) & 3;
    let x = (quarter >> 14) & 0xff;
    let z = quarter & 0xff;
    if (type === 2) {
      const direction = this.#cursor.read(3, "quarter.direction", walkNames);
      // QUIRK: the client does not keep these two sums within 8 bits. An add out there is refused.
      x += walkX[direction] as number;
      z += walkZ[direction] as number;
    } else if (type === 3) {
      x = (x + this.#cursor.read(8, "quarter.x")) & 0xff;
      z = (z + this.#cursor.read(8, "quarter.z")) & 0xff;
    }
    this.#memory.quarters[index] = (x << 14) + z + (level << 28);
  }

  /**
   * Whether the observer is drawn at the edge of the loaded map. The document compares `player.x` and `player.z`, which are
   * the drawn position in units: inside are 1536 to 11775, tiles 12 to 91 of the 104.
   */
  #isAtSceneEdge(): boolean {
    const index = this.#memory.localIndex;
    const { x, z } = this.#drawnAt?.() ?? {
      x: middleOf(this.#memory.x[index] as number),
      z: middleOf(this.#memory.z[index] as number),
    };
    return !(isInside(x - this.#memory.sceneX * UNITS_PER_TILE) && isInside(z - this.#memory.sceneZ * UNITS_PER_TILE));
  }
}

/** Whether a coordinate of the loaded map, in units, is not at its edge. */
function isInside(units: number): boolean {
  return units >= EDGE_UNITS && units < SCENE_TILES * UNITS_PER_TILE - EDGE_UNITS;
}

export const walkNames = (raw: number): string =>
  ["south-west", "south", "south-east", "west", "east", "north-west", "north", "north-east"][raw] as string;
export const localTypes = (raw: number): string => ["no movement or removed", "walk", "run", "teleport"][raw] as string;
export const externalTypes = (raw: number): string =>
  ["add", "quarter: level", "quarter: small step", "quarter: any step"][raw] as string;
