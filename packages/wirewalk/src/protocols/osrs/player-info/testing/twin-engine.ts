/** Two engines that do the same, one with the WebAssembly core and one without: every packet must be equal. */
import { formatHex } from "../../../../wire/index.ts";
import { MAX_PLAYER_INDEX, type WorldTile } from "../wire/constants.ts";
import { PlayerInfoEngine, type PlayerInfoEngineOptions } from "../wire/engine/engine.ts";
import type { Standing } from "../wire/engine/observer-views.ts";
import type { MaskFields } from "../wire/masks/mask-revision.ts";

export class TwinEngine extends PlayerInfoEngine {
  /** The engine in JavaScript. */
  readonly twin: PlayerInfoEngine;
  /** Packets that were compared. */
  compared = 0;

  constructor(options: PlayerInfoEngineOptions) {
    super(options);
    const { threads: _, ...others } = options;
    this.twin = new PlayerInfoEngine({ ...others, core: "javascript" });
  }

  override add(index: number, tile: WorldTile): void {
    super.add(index, tile);
    this.twin.add(index, tile);
  }

  override remove(index: number): void {
    super.remove(index);
    this.twin.remove(index);
  }

  override move(index: number, x: number, z: number): void {
    super.move(index, x, z);
    this.twin.move(index, x, z);
  }

  override teleport(index: number, tile: WorldTile): void {
    super.teleport(index, tile);
    this.twin.teleport(index, tile);
  }

  override setBlock(index: number, name: string, fields: MaskFields): void {
    super.setBlock(index, name, fields);
    this.twin.setBlock(index, name, fields);
  }

  override setBlockFor(observer: number, index: number, name: string, fields: MaskFields): void {
    super.setBlockFor(observer, index, name, fields);
    this.twin.setBlockFor(observer, index, name, fields);
  }

  override hide(index: number, hidden: boolean): void {
    super.hide(index, hidden);
    this.twin.hide(index, hidden);
  }

  override setStanding(observer: number, index: number, standing: Standing): void {
    super.setStanding(observer, index, standing);
    this.twin.setStanding(observer, index, standing);
  }

  override observe(index: number): Uint8Array<ArrayBuffer> {
    const expected = this.twin.observe(index);
    const initialisation = super.observe(index);
    if (formatHex(initialisation) !== formatHex(expected)) throw new Error(`The initialisations of ${index} differ`);
    return initialisation;
  }

  // `remove` of the base class calls it: the twin's own does too.
  override unobserve(index: number): void {
    super.unobserve(index);
    if (this.twin.has(index)) this.twin.unobserve(index);
  }

  override prepareRestore(data: unknown, where?: string): () => void {
    const restore = [super.prepareRestore(data, where), this.twin.prepareRestore(data, where)];
    return () => {
      for (const each of restore) each();
    };
  }

  override tick(): void {
    super.tick();
    this.twin.tick();
    for (let observer = 1; observer <= MAX_PLAYER_INDEX; observer++) {
      const packet = this.packet(observer);
      const expected = this.twin.packet(observer);
      let at = 0;
      while (at < packet.length && packet[at] === expected[at]) at++;
      if (at < packet.length || packet.length !== expected.length) {
        const lengths = `${packet.length} and ${expected.length} bytes`;
        throw new Error(`The packets of observer ${observer} by both cores differ at byte ${at}: ${lengths}`);
      }
      if (packet.length > 0) this.compared++;
    }
  }
}
