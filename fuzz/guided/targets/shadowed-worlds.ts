/** Saved states of worlds beside another server, damaged. */
import type { World } from "wirewalk/protocol";
import type { Target } from "../target.ts";
import { changeValue } from "./change-value.ts";
import { payloadsOf } from "./payloads.ts";
import { src } from "./sources.ts";

/** What a saved state has of the world beside the game's own state. */
interface ShadowState {
  readonly watched: readonly object[];
  readonly effects: readonly object[];
}

export const shadowedWorlds: Target = {
  name: "shadowed worlds",
  summary:
    "what was seen of players in a saved state, changed: refused, and nothing has changed, or saved again as it was",
  cover: new RegExp(`${src}protocols/(?:world-kit/shadowed-world|maplestory/shadow|slime-online-2/shadow)\\.ts$`),
  maxBytes: 60,
  async open() {
    const { mapleStory } = await import("wirewalk/maplestory");
    const { slimeOnline2 } = await import("wirewalk/slime-online-2");
    const { readOrRefuse } = await import("../../../packages/wirewalk/src/protocols/testing/payloads.ts");
    const games = await Promise.all(
      [
        { game: mapleStory, dialect: "v83" },
        { game: slimeOnline2, dialect: "v0106" },
      ].map(async ({ game, dialect }) => {
        const create = (): World =>
          game.createWorld({ dialect, seed: 1, shadow: true, enforcement: "log" } as never) as unknown as World;
        const codec = game.codec(dialect) as Parameters<typeof payloadsOf>[0];
        const payloads = await payloadsOf(codec, "client");
        const world = create();
        for (const player of [1, 2, 3]) world.join(player, { account: `a${player}`, name: `p${player}` }, 0);
        for (const payload of payloads) {
          const message = readOrRefuse(codec, "client", payload);
          if (message !== undefined) world.receive(1, message, payload, 10);
        }
        world.shadow?.lost(2, 10);
        world.tick(20);
        return { codec, payloads, saved: world.save(), fresh: create().save(), world: create(), other: create() };
      }),
    );
    return {
      seeds: games.flatMap((_, game) => [0, 5, 10, 15, 20, 25].map((how) => Uint8Array.of(game, how, how, 1))),
      run(input) {
        const [which = 0] = input;
        const { codec, payloads, saved, fresh, world, other } = games[which % games.length] as (typeof games)[number];
        const { watched, effects, ...inner } = saved.state as ShadowState;
        const root = { value: structuredClone({ watched, effects }) as unknown };
        changeValue(root, input.subarray(1), false);
        const own = typeof root.value === "object" ? root.value : {};
        const damaged = { ...saved, state: { ...inner, ...own } };
        world.restore(fresh);
        const before = world.digest();
        try {
          world.restore(damaged);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          if (world.digest() !== before) throw new Error("A state is refused, and a part of it taken");
          return;
        }
        const again = world.save();
        other.restore(again);
        if (other.digest() !== world.digest()) throw new Error("What was saved again is restored as another");
        const count = (state: object): number => (state as ShadowState).watched.length;
        if (count(again.state) !== count(damaged.state)) {
          throw new Error(`${count(damaged.state)} players are restored as ${count(again.state)}`);
        }
        for (const player of [1, 2, 3]) {
          for (const payload of payloads.slice(0, 8)) {
            const message = readOrRefuse(codec, "client", payload);
            if (message !== undefined) world.receive(player, message, payload, 30);
          }
        }
        world.tick(40);
        world.takeEffects();
        for (const player of [1, 2, 3]) world.leave(player, 50);
      },
    };
  },
};
