/** The packets of one tick for all observers, by the core or in JavaScript. */
import { PLAYER_SLOTS, quarterOf } from "../constants.ts";
import { CORE_DONE, CORE_NEEDS_MASKS, type PlayerInfoCore } from "./core.ts";
import type { EngineMemory } from "./engine-memory.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { KnownBlocks } from "./known-blocks.ts";
import type { MaskStore } from "./mask-store.ts";
import type { ObserverViews } from "./observer-views.ts";
import type { OwnPackets } from "./own-packets.ts";
import type { PacketWriter } from "./packet-writer.ts";
import type { SharedPackets } from "./shared-packets.ts";
import { makeTickCodes } from "./tick-bits.ts";

/** Players in view from which groups pay for their table (measured). */
const CROWD_PLAYERS = 300;

export class TickPackets {
  readonly #memory: EngineMemory;
  readonly #masks: MaskStore;
  readonly #views: ObserverViews;
  readonly #writer: PacketWriter;
  readonly #known: KnownBlocks;
  readonly #shared: SharedPackets;
  readonly #own: OwnPackets;
  readonly #hidden: Uint8Array;

  constructor({ memory, masks, views, writer, known, shared, own, hidden }: EngineParts) {
    this.#memory = memory;
    this.#masks = masks;
    this.#views = views;
    this.#writer = writer;
    this.#known = known;
    this.#shared = shared;
    this.#own = own;
    this.#hidden = hidden;
  }

  /** @param ticks the number of this tick. */
  make(core: PlayerInfoCore | undefined, ticks: number): void {
    if (core === undefined) this.#makeAll(ticks);
    else this.#makeWith(core, ticks);
  }

  #makeAll(ticks: number): void {
    const memory = this.#memory;
    makeTickCodes(memory);
    this.#masks.beginTick(ticks);
    this.#views.beginTick(ticks);
    this.#shared.beginTick();
    const changed = this.#known.changed();
    for (let observer = 1; observer < PLAYER_SLOTS; observer++) {
      if (memory.observing[observer] === 1) this.#write(observer, changed, ticks);
    }
    memory.swap();
    const { present, teleported, reused, x, z, level, sentX, sentZ, sentLevel, quarter } = memory;
    for (let index = 1; index < PLAYER_SLOTS; index++) {
      if (present[index] === 0) continue;
      sentX[index] = x[index] as number;
      sentZ[index] = z[index] as number;
      sentLevel[index] = level[index] as number;
      quarter[index] = quarterOf(level[index] as number, x[index] as number, z[index] as number);
    }
    teleported.fill(0);
    reused.fill(0);
  }

  /** The same by the core, which stops for masks that are not composed, and for packets that it cannot make. */
  #makeWith(core: PlayerInfoCore, ticks: number): void {
    const memory = this.#memory;
    const masks = this.#masks;
    core.beginTick(ticks);
    masks.beginTick(ticks);
    if (!masks.isInRoom) core.leaveToHost();
    let changed = -1;
    for (let stop = core.makePackets(); stop !== CORE_DONE; stop = core.makePackets()) {
      if (stop === CORE_NEEDS_MASKS) {
        for (let at = 0; at < core.requestCount; at++) {
          const request = core.requests[at] as number;
          masks.variant(request & (PLAYER_SLOTS - 1), request >> 11);
        }
        if (!masks.isInRoom) core.leaveToHost();
        continue;
      }
      if (changed < 0) {
        makeTickCodes(memory);
        changed = this.#known.changed();
      }
      const start = core.end;
      this.#writer.continueAt(start);
      this.#writeAlone(core.observer, false, changed, ticks);
      core.acceptPacket(this.#writer.end - start);
    }
    if (core.endTick() !== memory.state.byteOffset) memory.swap();
  }

  #write(observer: number, changed: number, ticks: number): void {
    const { packetStart, packetEnd, choosy } = this.#memory;
    const count = this.#views.choose(observer);
    const ordinary = this.#own.isOrdinary(observer);
    const shares = ordinary && choosy[observer] === 0 && this.#hidden[observer] === 0;
    const bucket = shares ? this.#shared.bucketOf(observer) : -1;
    if (bucket >= 0) {
      const twin = this.#shared.find(observer, bucket);
      if (twin > 0) {
        packetStart[observer] = packetStart[twin] as number;
        packetEnd[observer] = packetEnd[twin] as number;
        this.#known.update(observer, changed);
        return;
      }
    }
    packetStart[observer] = this.#writer.end;
    if (this.#writeAlone(observer, this.#isCrowd(count), changed, ticks) && bucket >= 0)
      this.#shared.add(observer, bucket);
    packetEnd[observer] = this.#writer.end;
  }

  /** Writes the packet of an observer whose view is chosen. Returns whether it has only what all observers get. */
  #writeAlone(observer: number, isCrowd: boolean, changed: number, ticks: number): boolean {
    if (this.#own.isOrdinary(observer) && this.#writer.write(observer, this.#memory.masked, isCrowd)) {
      this.#known.update(observer, changed);
      return true;
    }
    this.#own.write(observer, ticks);
    return false;
  }

  /** Whether groups are faster than single players: with many in view, and at least a quarter of all visible. */
  #isCrowd(count: number): boolean {
    return count >= CROWD_PLAYERS && count * 4 >= this.#views.visible;
  }
}
