/** What the contract suite has to know of each game of the table, for its tests and for the fuzzer. */
import { demoMap } from "../maplestory/maps/demo-maps.ts";
import { mapleMapsOf } from "../maplestory/maps/maple-maps.ts";
import type { MapleServerMessage } from "../maplestory/wire/codec.ts";
import { MapleWorld } from "../maplestory/world/world.ts";
import { collisionMapsOf } from "../osrs/maps/collision-maps.ts";
import { noMasks } from "../osrs/player-info/wire/masks/mask-revision.ts";
import { OsrsWorld } from "../osrs/world/world.ts";
import { gridMapsOf } from "../scrap-mechanic/maps/grid-maps.ts";
import { movementModel } from "../scrap-mechanic/movement/model.ts";
import { ScrapWorld } from "../scrap-mechanic/world/world.ts";
import { slimeMapsOf } from "../slime-online-2/maps/slime-maps.ts";
import { physicsConstants } from "../slime-online-2/movement/physics-constants.ts";
import type { SlimeServerMessage } from "../slime-online-2/wire/codec.ts";
import { SlimeWorld } from "../slime-online-2/world/world.ts";
import type { SuiteOptions } from "./subject.ts";

/** A coordinate left of a room's edge is sent as 16 bits of a negative number. */
function signed(x: number): number {
  return x >= 0x8000 ? x - 0x10000 : x;
}

export const suiteOptions: Readonly<Record<string, SuiteOptions>> = {
  "slime-online-2": {
    rooms: [undefined, "1", "2", "300"],
    gameCode(world, player, random, nowMs) {
      const slime = world as unknown as SlimeWorld;
      if (random.chance(0.3)) slime.setFactors(player, { speed: random.pick([0.5, 1, 2]), jump: 1 }, nowMs);
      else if (random.chance(0.5)) slime.allowAnywhere(player, nowMs);
      else slime.warp(player, random.integer(1, 3), random.integer(100, 600), 160, nowMs, random.chance(0.5));
    },
    // When messages arrived, and what came in one burst; the rate; violations, and that they end in a ban.
    countedOnRefusal: [
      "pace",
      "stalledMs",
      "owedMs",
      "silenceMs",
      "burstUntilMs",
      "burstCounted",
      "rate",
      "antiCheat",
      "banned",
    ],
    otherWorlds: {
      strict: (options) => new SlimeWorld({ ...options, strict: true }),
      landing: (options) => new SlimeWorld({ ...options, landing: "ballistic" }),
      maps: (options) => new SlimeWorld({ ...options, maps: slimeMapsOf("none", []) }),
      startRoom: (options) => new SlimeWorld({ ...options, startRoom: 2 }),
      constants: (options) => new SlimeWorld({ ...options, constants: { ...physicsConstants, gravity: 1 } }),
      motd: (options) => new SlimeWorld({ ...options, motd: "welcome" }),
    },
    ownCorrections: ["no-door"],
    // Its key, so that none is left held. A teleport of one that runs too fast is still measured from where it says it is.
    believedOfCorrected: ({ message, value }) =>
      message === "movePlayer" ? (value as { readonly direction: string }).direction : undefined,
    keptOfCorrected: ["baseline"],
    correctionsApartMs: 1000,
    correctedTo(message, player) {
      const { message: name, value } = message as SlimeServerMessage;
      if (name === "position") return { x: signed(value.x), y: value.y };
      if (name === "warp" && value.kind === "command") return { x: signed(value.x), y: value.y };
      if (name !== "movePlayer" || value.playerId !== player || value.direction !== "landing") return undefined;
      const { x = Number.NaN, y = Number.NaN } = value;
      return { x: signed(x), y };
    },
  },
  osrs: {
    rooms: [undefined, undefined, "mouse"],
    // Each engine has room for 2,047 players: saving and restoring one takes a hundred times as long as of another game.
    restores: 20,
    otherWorlds: {
      revision: (options) => new OsrsWorld({ ...options, revision: noMasks }),
      maps: (options) => new OsrsWorld({ ...options, maps: collisionMapsOf("none", []) }),
    },
  },
  maplestory: {
    rooms: [undefined, "1", "2", "1-2", "555"],
    otherWorlds: {
      maps: (options) => new MapleWorld({ ...options, maps: mapleMapsOf("none", []) }),
      startMap: (options) => new MapleWorld({ ...options, startMap: 2 }),
      mayTeleport: (options) => new MapleWorld({ ...options, mayTeleport: () => true }),
      pattern: (options) => new MapleWorld({ ...options, pattern: () => new Uint8Array(23) }),
    },
    // When messages arrived, and which silences were before: where no pings say it, how late they may be follows from that. The time that
    // paths took is spent, also of those that `documented` refuses.
    countedOnRefusal: [
      "pace",
      "stalledMs",
      "patientUntilMs",
      "isPatient",
      "restedBefore",
      "claimedMs",
      "savedUpMs",
      "budget",
      "claimed",
      "patience",
      "moves",
      "scores",
      "savedUp",
    ],
    // The measurements of a path, and those that were corrected, are kept whatever became of it.
    keptOfCorrected: ["scores", "evidence"],
    // A path of one absolute fragment that goes nowhere, of the dialect that cannot put a client back.
    stoodAt(message) {
      const { message: name, value } = message as { message: string; value: { pathBytes?: Uint8Array } };
      const path = value.pathBytes;
      if (name !== "movePlayer" || path?.length !== 19 || path[4] !== 1 || path[5] !== 0) return undefined;
      const view = new DataView(path.buffer, path.byteOffset, path.byteLength);
      return { x: view.getInt16(6, true), y: view.getInt16(8, true) };
    },
    correctedTo(message) {
      const { message: name, value } = message as MapleServerMessage;
      if (name !== "changeMap" || value.target.content !== "map") return undefined;
      return demoMap(value.target.mapId)?.portals[value.target.spawnPoint];
    },
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
    gameCode: (world, player, random, nowMs) => {
      const scrap = world as unknown as ScrapWorld;
      if (random.chance(0.5)) scrap.setSeated(player, random.chance(0.5), nowMs);
      else scrap.tumble(player, { x: random.integer(-4, 4), y: random.integer(-4, 4), z: random.integer(0, 6) });
    },
    otherWorlds: {
      model: (options) => new ScrapWorld({ ...options, place: "yard", model: { ...movementModel, gravity: 20 } }),
      place: (options) => new ScrapWorld({ ...options, place: "plain" }),
      maps: (options) => new ScrapWorld({ ...options, place: "yard", maps: gridMapsOf("none", {}) }),
    },
    // Since when only ticks from the future arrive, and when that was last said.
    countedOnRefusal: ["refusedSinceMs", "foundMs"],
  },
};
