/** Player info: worlds in which everything happens and everybody observes, and damaged packets. */
import type { Random } from "wirewalk/motion";
import { noMasks, PlayerInfoDecoder, PlayerInfoEngine, revision206 } from "wirewalk/osrs/player-info";
import { WireError } from "wirewalk/wire";
import {
  RandomWorld,
  type RandomWorldOptions,
} from "../packages/wirewalk/src/protocols/osrs/player-info/testing/random-world.ts";
import { mutated } from "../packages/wirewalk/src/protocols/testing/random-bytes.ts";
import { must } from "../packages/wirewalk/src/protocols/testing/rule.ts";
import type { FuzzRun } from "./fuzz-run.ts";

/** Packets of one world: a large one lives for fewer ticks. */
const PACKETS = 4_000;

function someWorld(random: Random): RandomWorldOptions {
  const players = random.pick([2, 10, 100, 600, 2046, 2047] as const);
  const endless = random.chance(0.3);
  return {
    random: random.fork(),
    isTwin: true,
    dialect: random.pick(["client", "documented"] as const),
    revision: random.pick([noMasks, revision206] as const),
    players,
    // All of them observe.
    observers: players,
    side: random.pick([1, 13, 60, 104, 1000, 16_000] as const),
    viewDistance: endless ? Number.POSITIVE_INFINITY : random.pick([0, 1, 15, 100] as const),
    maxLocals: random.pick([1, 10, 250, 250, 2047] as const),
    activity: random.pick([0.05, 0.5, 1] as const),
    talk: random.pick([0, 0.1, 0.9] as const),
    talkLength: random.pick([5, 30, 120] as const),
  };
}

/** Whatever happens, every client has what the server meant. */
const worlds: FuzzRun = {
  name: "osrs/player-info worlds",
  step(random) {
    const options = someWorld(random);
    const world = new RandomWorld(options);
    const ticks = Math.min(200, Math.max(4, PACKETS / options.players));
    for (let tick = 0; tick < ticks; tick++) world.tick();
  },
};

/** A damaged packet is refused and changes nothing, or is read to its end. */
const damage: FuzzRun = {
  name: "osrs/player-info damage",
  step(random) {
    const options = { dialect: random.pick(["client", "documented"] as const), revision: revision206 };
    const engine = new PlayerInfoEngine(options);
    const decoder = new PlayerInfoDecoder(options);
    const players = random.integer(1, 40);
    const tile = () => ({ level: 0, x: 8180 + random.integer(0, 20), z: 8180 + random.integer(0, 20) });
    for (let index = 1; index <= players; index++) engine.add(index * 7, tile());
    decoder.init(engine.observe(7), 7);
    for (let tick = 0; tick < 10; tick++) {
      for (let index = 1; index <= players; index++) {
        const { x, z } = engine.tileOf(index * 7);
        engine.move(index * 7, x + random.integer(-2, 2), z + random.integer(-2, 2));
        if (random.chance(0.3)) engine.setBlock(index * 7, "sequence", { id: tick, delay: 0 });
      }
      engine.tick();
      const packet = engine.packet(7).slice();
      let isWhole = true;
      for (let damages = 0; damages < 20 && isWhole; damages++) {
        const before = memoryOf(decoder);
        try {
          decoder.decode(mutated(random, packet));
          isWhole = false;
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          must(before === memoryOf(decoder), () => "a rejected packet changed the decoder's state");
        }
      }
      // A decoder that accepted a changed packet is out of step with the engine: initialize it again.
      if (isWhole) decoder.decode(packet);
      else decoder.init(engine.observe(7), 7);
    }
  },
};

function memoryOf({ x, z, level, quarters, flags, locals }: PlayerInfoDecoder): string {
  return [x, z, level, quarters, flags, locals].map((each) => each.join()).join(";");
}

export const playerInfoRuns: readonly FuzzRun[] = [worlds, damage];
