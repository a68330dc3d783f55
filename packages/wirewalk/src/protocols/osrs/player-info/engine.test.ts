import { describe, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { noMasks } from "./mask-revision.ts";
import { revision206 } from "./revision-206.ts";
import { RandomWorld, type RandomWorldOptions } from "./testing/random-world.ts";

const small: Omit<RandomWorldOptions, "random"> = {
  dialect: "client",
  revision: noMasks,
  players: 40,
  observers: 40,
  side: 60,
  viewDistance: 15,
  maxLocals: 250,
  activity: 0.6,
  talk: 0.3,
  talkLength: 12,
};

describe("random", () => {
  it("worlds", () => {
    for (let seed = 0; seed < 20; seed++) {
      const world = new RandomWorld({
        ...small,
        revision: seed % 2 ? revision206 : noMasks,
        dialect: seed % 3 ? "client" : "documented",
        random: createRandom(seed),
      });
      for (let tick = 0; tick < 100; tick++) {
        try {
          world.tick();
        } catch (e) {
          throw new Error(`seed ${seed} tick ${tick}`, { cause: e });
        }
      }
    }
  });
});
