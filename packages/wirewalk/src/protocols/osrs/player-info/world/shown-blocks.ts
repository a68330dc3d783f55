/**
 * What a game shows of its players, as the mask blocks of whichever revision the clients have: what one revision says in one
 * block another says in two, and a third not at all.
 *
 * ```ts
 * const engine = new PlayerInfoEngine({ dialect: "client", revision: namedRevisions[240] });
 * engine.add(5, { level: 0, x: 3200, z: 3201 });
 * const shown = new ShownBlocks(engine);
 * shown.hit(5, { type: 16, value: 3, fill: 200 }); // hitmarks and headBars; hits in revision 206
 * shown.face(5, 7); // facing; faceEntity in revision 206
 * ```
 */
import type { PlayerInfoEngine } from "../wire/engine/engine.ts";
import { type Appearance, type AppearanceForm, appearanceFormOf, writeAppearance } from "../wire/masks/appearance.ts";
import type { MaskFields } from "../wire/masks/mask-revision.ts";

/** A number over a player, and what is left on the bar over it. */
export interface ShownHit {
  readonly type: number;
  readonly value: number;
  /** 0..255. */
  readonly fill: number;
}

/** Forced movement: from tiles away to the tile where the player stands now. */
export interface ShownJump {
  readonly dx: number;
  readonly dz: number;
  /** Cycles of 20 ms. */
  readonly cycles: number;
  readonly angle: number;
}

const NOBODY = 0xffff;
/** Added to a player's index where a target may be an NPC too: in 206, and later. */
const PLAYER_TARGET_206 = 0x8000;
const FACING_PLAYER = 2;
const FACING_AN_ANGLE = 2 << 3;
const FACING_NOTHING = 3 << 3;
const NO_LIMIT = 4;
const OWN_BAR = 0;

export class ShownBlocks {
  readonly #engine: PlayerInfoEngine;
  readonly #fieldsOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #form: AppearanceForm | undefined;
  /** Whether the newest layout of a spot animation has the field. */
  readonly #loops: boolean;

  constructor(engine: PlayerInfoEngine) {
    this.#engine = engine;
    const { blocks } = engine.revision;
    this.#fieldsOf = new Map(blocks.map(({ name, node }) => [name, new Set(node.fields.map((field) => field.name))]));
    this.#form = appearanceFormOf(engine.revision);
    const list = blocks.find(({ name }) => name === "spotAnimations")?.node.fields[0]?.node;
    const item = list?.kind === "array" ? list.item : undefined;
    this.#loops = item?.kind === "struct" && item.fields.some(({ name }) => name === "loop");
  }

  /** Whether the revision has blocks at all. */
  get hasBlocks(): boolean {
    return this.#fieldsOf.size > 0;
  }

  /** Sets a block that the revision has; false for one that it has not. */
  set(index: number, name: string, fields: MaskFields): boolean {
    if (!this.#fieldsOf.has(name)) return false;
    this.#engine.setBlock(index, name, fields);
    return true;
  }

  appearance(index: number, look: Appearance): void {
    if (this.#form !== undefined) this.set(index, "appearance", { data: writeAppearance(look, this.#form) });
  }

  /** The player looks at another one; undefined: at nobody any more. Where two blocks say so, they take turns. */
  face(index: number, target: number | undefined): void {
    const facing =
      target === undefined
        ? { flags: FACING_NOTHING }
        : { flags: 0, entityType: FACING_PLAYER, index: target, fallbackAngle: 0 };
    const isOther = target !== undefined && target % 2 === 1 && this.#fieldsOf.has("faceEntity");
    if (!isOther && this.set(index, "facing", facing) && target !== undefined) return;
    if (this.#fieldsOf.get("faceEntity")?.has("targetHigh")) {
      this.set(index, "faceEntity", { target: target ?? NOBODY, targetHigh: target === undefined ? 0xff : 1 });
    } else {
      this.set(index, "faceEntity", { target: target === undefined ? NOBODY : PLAYER_TARGET_206 + target });
    }
  }

  /** 0..2047. */
  faceAngle(index: number, angle: number): void {
    if (!this.set(index, "faceAngle", { angle })) this.set(index, "facing", { flags: FACING_AN_ANGLE, angle });
  }

  /** The same hit for everyone, and with another type for the one who made it. */
  hit(index: number, hit: ShownHit, maker?: { readonly index: number; readonly type: number }): void {
    const { type, value, fill } = hit;
    const bars = [{ id: OWN_BAR, endTime: 0, startTime: 0, startFill: fill }];
    // Revision 237 has both: then they take turns.
    const isSplit = this.#fieldsOf.has("hitmarks") && !(this.#fieldsOf.has("hits") && value % 2 === 1);
    const hits = isSplit
      ? (of: number): MaskFields => ({ hits: [{ type: of, value, delay: 0, limit: NO_LIMIT }] })
      : (of: number): MaskFields => ({ hits: [{ type: of, value, delay: 0 }], bars });
    const name = isSplit ? "hitmarks" : "hits";
    if (!this.set(index, name, hits(type))) return;
    if (maker !== undefined) this.#engine.setBlockFor(maker.index, index, name, hits(maker.type));
    if (isSplit) this.set(index, "headBars", { bars });
  }

  spotAnimation(index: number, id: number, height: number): void {
    const animation = { id, heightDelay: height << 16 };
    if (this.set(index, "spotAnimation", animation)) return;
    const isOld = id % 2 === 1 && this.set(index, "oldSpotAnimations", { animations: [{ slot: 0, ...animation }] });
    if (isOld) return;
    const loops = this.#loops ? { loop: 0 } : {};
    this.set(index, "spotAnimations", { animations: [{ slot: 0, ...animation, ...loops }] });
  }

  jump(index: number, { dx, dz, cycles, angle }: ShownJump): void {
    this.set(index, "exactMove", { dx1: -dx, dz1: -dz, dx2: 0, dz2: 0, start: 0, end: cycles, angle });
  }
}
