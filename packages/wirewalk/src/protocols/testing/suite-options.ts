/** What the contract suite has to know of each game of the table, for its tests and for the fuzzer. */
import type { MapleWorld } from "../maplestory/world/world.ts";
import type { ScrapWorld } from "../scrap-mechanic/world/world.ts";
import type { SlimeWorld } from "../slime-online-2/world/world.ts";
import type { SuiteOptions } from "./subject.ts";

export const suiteOptions: Readonly<Record<string, SuiteOptions>> = {
  "slime-online-2": {
    rooms: [undefined, "1", "2", "300"],
    gameCode(world, player, random, nowMs) {
      const slime = world as unknown as SlimeWorld;
      if (random.chance(0.3)) slime.setFactors(player, { speed: random.pick([0.5, 1, 2]), jump: 1 }, nowMs);
      else if (random.chance(0.5)) slime.allowAnywhere(player, nowMs);
      else slime.warp(player, random.integer(1, 3), random.integer(100, 600), 160, nowMs, random.chance(0.5));
    },
    // When the player last sent anything, and what came in one burst; the rate; violations, and that they end in a ban.
    countedOnRefusal: ["receivedAtMs", "burstUntilMs", "burstCounted", "rate", "antiCheat", "banned"],
  },
  // Each engine has room for 2,047 players: saving and restoring one takes a hundred times as long as of another game.
  osrs: { rooms: [undefined, undefined, "mouse"], restores: 20 },
  maplestory: {
    rooms: [undefined, "1", "2", "1-2", "555"],
    gameCode(world, player, random, nowMs) {
      const maple = world as unknown as MapleWorld;
      const room = world.tracks(nowMs).find((track) => track.player === player)?.room ?? "1";
      const monsters = [...maple.monsters(room).keys()];
      switch (random.integer(0, 9)) {
        case 0:
          maple.setFactors(player, { speed: random.pick([1, 1.4]), jump: 1 });
          break;
        case 1:
          maple.setHidden(player, random.chance(0.5), nowMs);
          break;
        case 2:
          maple.spawnMonster(room, 100_100, { x: random.integer(-100, 100), y: 0 }, nowMs);
          break;
        case 3:
          if (monsters.length > 0) maple.killMonster(room, random.pick(monsters), nowMs);
          break;
        case 4:
          if (monsters.length > 0) maple.attack(player, random.pick(monsters), nowMs);
          break;
        case 5:
          maple.changeMap(player, random.pick([1, 2, 777]), random.integer(1, 2), 0, nowMs);
          break;
        case 6:
          maple.addSummon(player, random.integer(1, 4), nowMs);
          break;
        default:
          // Monsters are attacked most often: they change hands.
          if (monsters.length > 0) maple.attack(player, random.pick(monsters), nowMs);
      }
    },
  },
  "scrap-mechanic": {
    rooms: [undefined, "2"],
    gameCode: (world, player, random, nowMs) =>
      (world as unknown as ScrapWorld).setSeated(player, random.chance(0.5), nowMs),
    // Since when only ticks from the future arrive, and when that was last said.
    countedOnRefusal: ["refusedSinceMs", "foundMs"],
  },
};
