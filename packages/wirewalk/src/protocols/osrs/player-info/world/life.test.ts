import { describe, expect, it } from "vitest";
import { scale } from "../../../../testing/scale.ts";
import { demoMap } from "../movement/demo-map.ts";
import { TICK_MS } from "../wire/constants.ts";
import { PlayerInfoDecoder } from "../wire/decoder.ts";
import { appearanceFormOf, readAppearance } from "../wire/masks/appearance.ts";
import type { MaskBlock, MaskRevision } from "../wire/masks/mask-revision.ts";
import { knownRevisions, namedRevisions } from "../wire/masks/named-revisions.ts";
import { PlayerInfoWorld } from "./world.ts";

const PLAYERS = 60;
const TICKS = 200;

describe("the life of the demo's players", () => {
  it.each(knownRevisions)("has every mask block of revision $name, and clients read it", (revision) => {
    const world = new PlayerInfoWorld({ dialect: "client", seed: 11, demo: true, revision });
    const form = appearanceFormOf(revision);
    const decoders = new Map<number, PlayerInfoDecoder>();
    const owners = new Map<number, Set<number>>();
    const indices = new Map<number, number>();
    const blocks = new Set<string>();
    const places = new Set<string>();
    const levels = new Set<number>();
    const quarters = new Set<string>();
    for (let player = 1; player <= PLAYERS; player++) world.join(player, { account: "a", name: `a${player}` }, 0);
    // Flags without a block, and the count that 241 has left of a block, say nothing.
    const isSaid = ({ name, source }: MaskBlock): boolean => source === undefined && name !== "oldSpotAnimationCount";
    const wanted = revision.blocks.filter(isSaid).map(({ name }) => name);
    const missing = (): string[] => wanted.filter((name) => !blocks.has(name));
    const isReused = (): boolean => [...owners.values()].some((of) => of.size > 1);
    // Until everything was seen, and in the soak on after that.
    const isSeen = (): boolean =>
      missing().length === 0 && levels.size > 1 && quarters.size > 3 && places.size > 3 && isReused();
    for (let tick = 1; tick <= TICKS && !(scale < 1 && isSeen()); tick++) {
      world.tick(tick * TICK_MS);
      for (const effect of world.takeEffects()) {
        if (effect.effect !== "send") continue;
        const { to, message } = effect;
        if (message.message === "playerIndex") {
          const { index } = message.value;
          indices.set(to, index);
          owners.set(index, (owners.get(index) ?? new Set()).add(to));
        } else if (to <= 3 && message.message === "playerInfoInit") {
          const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
          decoder.init(message.value.bytes, indices.get(to) as number);
          decoders.set(to, decoder);
        } else if (to <= 3) {
          for (const masks of decoders.get(to)?.decode(message.value.bytes).masks ?? []) {
            for (const block of Object.keys(masks.blocks)) blocks.add(block);
            const data = masks.blocks.appearance?.data;
            if (!(data instanceof Uint8Array) || form === undefined) continue;
            const look = readAppearance(data, form);
            expect(look.name).toMatch(/^a\d+$/);
            places.add(look.places.join());
          }
        }
      }
      for (const { position } of world.tracks(tick * TICK_MS)) {
        levels.add(position.level ?? 0);
        quarters.add(`${position.x >> 13},${position.y >> 13}`);
      }
    }
    expect(missing()).toEqual([]);
    expect([...levels].sort()).toEqual([0, 1]);
    expect(quarters.size).toBe(4);
    expect(places.size).toBeGreaterThan(3);
    expect(isReused()).toBe(true);
  });

  it("goes on from a saved world as it would have without", () => {
    const revision = namedRevisions[240] as MaskRevision;
    const options = { dialect: "client", seed: 4, demo: true, revision } as const;
    const world = new PlayerInfoWorld(options);
    const bytes = (of: PlayerInfoWorld, from: number): readonly object[] => {
      for (let tick = from; tick < from + 30; tick++) of.tick(tick * TICK_MS);
      return of.takeEffects();
    };
    for (let player = 1; player <= 20; player++) world.join(player, { account: "a", name: "a" }, 0);
    bytes(world, 1);
    const other = new PlayerInfoWorld(options);
    other.restore(world.save());
    expect(bytes(other, 31)).toEqual(bytes(world, 31));
    expect(other.digest()).toBe(world.digest());
    expect(demoMap(4)).toBe(world.map);
  });
});
