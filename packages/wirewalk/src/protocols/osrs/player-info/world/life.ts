/**
 * What the players of the demo do besides walking: they change clothes, speak, play animations, look about, jump, and fight. So
 * every mask block of the clients' revision is on the wire.
 */
import type { Appearance } from "../wire/masks/appearance.ts";
import { plainLook } from "../wire/masks/appearance.ts";
import { FULL_HEALTH, OUTFITS, outfits } from "./outfits.ts";
import type { ShownBlocks } from "./shown-blocks.ts";
import type { Walker } from "./walker.ts";

/** Chances for each player and tick. */
const OUTFIT_CHANCE = 0.004;
const SAY_CHANCE = 0.02;
const CHAT_CHANCE = 0.01;
const EMOTE_CHANCE = 0.02;
const SPOT_CHANCE = 0.01;
const LOOK_CHANCE = 0.05;
const FIGHT_CHANCE = 0.01;
const TITLE_CHANCE = 0.2;

/** Tiles within which a fight begins, and goes on. */
const FIGHT_TILES = 6;
const FIGHT_TICKS = 12;
/** A fighter hits every so many ticks. */
const HIT_EVERY = 3;
const MOST_DAMAGE = 24;

/** Numbers of the client's tables: animations, spot animations, hit marks. */
const emotes: readonly number[] = [855, 858, 861, 863, 866, 2109];
const spots: readonly number[] = [86, 110, 184, 1177];
const ATTACK = 422;
const HIT_MARK = 16;
const MISS_MARK = 12;
/** Brighter marks, for the one who hits. */
const OWN_HIT_MARK = 17;
const OWN_MISS_MARK = 13;
const RED = { start: 0, end: 30, hue: 0, saturation: 6, luminance: 28, weight: 112 };

const words: readonly string[] = [
  "Hello!",
  "Which way to the square?",
  "~Selling planks~",
  "Mind the stairs.",
  "gz",
  "Ow",
];
const titles: readonly string[] = ["Sir ", "Lady ", "the brave "];

function lookOf({ name, outfit }: Walker): Appearance {
  return {
    ...plainLook,
    ...outfits[outfit % OUTFITS],
    name: name.slice(0, 12),
    combatLevel: 3 + ((outfit * 25) % 123),
  };
}

/** A player comes: its appearance, and perhaps a title. */
export function appear(walker: Walker, shown: ShownBlocks): void {
  shown.appearance(walker.index, lookOf(walker));
  if (!walker.random.chance(TITLE_CHANCE)) return;
  shown.set(walker.index, "nameExtras", { beforeName: walker.random.pick(titles), afterName: "", afterLevel: "" });
}

/** What a player does in a tick, after its step. `walkers`: everybody, by index. */
export function act(walker: Walker, shown: ShownBlocks, walkers: readonly (Walker | undefined)[]): void {
  const { random, index } = walker;
  if (random.chance(OUTFIT_CHANCE)) {
    walker.outfit = random.integer(0, OUTFITS - 1);
    shown.appearance(index, lookOf(walker));
  }
  if (random.chance(SAY_CHANCE)) shown.set(index, "say", { text: random.pick(words) });
  if (random.chance(CHAT_CHANCE)) chat(walker, shown);
  if (random.chance(SPOT_CHANCE)) shown.spotAnimation(index, random.pick(spots), 92);
  if (walker.health < FULL_HEALTH && walker.foe === 0) walker.health += 1;
  if (walker.foe !== 0) fight(walker, shown, walkers[walker.foe]);
  else if (random.chance(FIGHT_CHANCE)) begin(walker, shown, walkers);
  if (walker.stance !== "stand") return;
  if (random.chance(EMOTE_CHANCE)) {
    shown.set(index, "sequence", { id: random.pick(emotes), delay: 0 });
    shown.set(index, "freeze", { delay: 0, duration: 60, cancelSequence: 0 });
  }
  if (random.chance(LOOK_CHANCE)) {
    walker.orientation = random.integer(0, 7) * 256;
    shown.faceAngle(index, walker.orientation);
  }
}

/** The text is packed by a table of the game's cache: this is the one that is empty. */
function chat({ random, index }: Walker, shown: ShownBlocks): void {
  const colourEffect = (random.integer(0, 12) << 8) | random.integer(0, 5);
  const message = { colourEffect, icon: 0, auto: 0, text: Uint8Array.of(0) };
  if (!(random.chance(0.5) && shown.set(index, "oldPublicChat", message))) shown.set(index, "publicChat", message);
}

function begin(walker: Walker, shown: ShownBlocks, walkers: readonly (Walker | undefined)[]): void {
  const foe = walkers.find((other) => other !== undefined && other !== walker && isNear(walker, other));
  if (foe === undefined) return;
  walker.foe = foe.index;
  walker.fightTicks = FIGHT_TICKS;
  shown.face(walker.index, foe.index);
}

function isNear(a: Walker, b: Walker): boolean {
  const away = Math.max(Math.abs(a.tile.x - b.tile.x), Math.abs(a.tile.z - b.tile.z));
  return a.level === b.level && away <= FIGHT_TILES;
}

function fight(walker: Walker, shown: ShownBlocks, foe: Walker | undefined): void {
  const { random, index } = walker;
  walker.fightTicks -= 1;
  if (foe === undefined || walker.fightTicks <= 0 || !isNear(walker, foe)) {
    walker.foe = 0;
    shown.face(index, undefined);
    shown.set(index, "reset", { value: 0 });
    return;
  }
  if (walker.fightTicks % HIT_EVERY !== 0) return;
  shown.set(index, "sequence", { id: ATTACK, delay: 0 });
  const value = random.integer(0, MOST_DAMAGE);
  foe.health = foe.health > value ? foe.health - value : FULL_HEALTH;
  const [type, own] = value === 0 ? [MISS_MARK, OWN_MISS_MARK] : [HIT_MARK, OWN_HIT_MARK];
  const fill = Math.round((foe.health / FULL_HEALTH) * 255);
  shown.hit(foe.index, { type, value, fill }, { index, type: own });
  if (value < MOST_DAMAGE / 2) return;
  shown.set(foe.index, "tinting", RED);
  shown.set(foe.index, "transparency", { start: 0, end: 30, from: 0, to: 60, useFrom: 1 });
}
