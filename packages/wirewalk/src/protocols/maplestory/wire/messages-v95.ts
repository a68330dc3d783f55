/**
 * The messages of `v95` that `v83` has otherwise.
 *
 * Source: docs/protocols/maplestory.md 3.6.
 */
import {
  array,
  encode,
  fixedBytes,
  type Infer,
  i8,
  i16le,
  i32le,
  oneOf,
  optional,
  restBytes,
  struct,
  u8,
  u16le,
  u32le,
  u64le,
  variant,
  withMeaning,
} from "../../../wire/index.ts";
import type { FragmentFields } from "./fragment.ts";
import * as v62 from "./messages.ts";
import { flyTarget } from "./messages-v83.ts";
import { place } from "./path-blocks.ts";

const { actionAndDirection, fieldKey, fields, foothold, inSection, lookItems, MAX_PAYLOAD_BYTES, mobId } = v62;
const { name, originFoothold, spawnEffect, stance, standing, target, team, template } = v62;

/** Entries of a list in a monster's path, and options in a change of map (ours). */
export const MAX_LISTED = 64;

const pxPerSecond = (doc: string) => withMeaning(i16le, { doc, unit: "px/s" });
/** What stands before the fragments: where the path begins, and with which velocity. */
export const placeFields = fields({
  start: struct({ ...place, vx: pxPerSecond("to the right"), vy: pxPerSecond("downwards") }),
});

/** Where a path starts and with which velocity, and what was done from there. */
export interface MovingPath {
  readonly start: Infer<(typeof placeFields)["start"]>;
  readonly fragments: readonly FragmentFields[];
}

const checksum = (doc: string) => withMeaning(u32le, { doc, section: "3.6" });
const debugRegister = checksum("the inverse of a debug register; the client checks for a debugger with it");

/** C 0x2C. */
export const movePlayerFields = fields({
  debug0: debugRegister,
  debug1: debugRegister,
  fieldKey,
  debug2: debugRegister,
  debug3: debugRegister,
  fieldCrc: checksum("a checksum of the map's data, which servers do not check"),
  crcKey: checksum("the key of the next checksum"),
  crc: checksum("a checksum of the client"),
});

const aim = (doc: string) => withMeaning(i32le, { doc, unit: "px" });
const ballTargets = array(struct({ x: aim("to the right"), y: aim("downwards") }), {
  count: u32le,
  limit: MAX_LISTED,
});
const areaTimes = array(withMeaning(i32le, { unit: "ms" }), { count: u32le, limit: MAX_LISTED });
const lists = fields({
  ballTargets: withMeaning(ballTargets, { doc: "what an attack with several balls aims at" }),
  areaTimes: withMeaning(areaTimes, { doc: "when the parts of an attack on an area hit" }),
});

/** C 0xE3, before the path. */
export const moveLifeFields = fields({
  mobId: v62.moveLifeFields.mobId,
  moveId: v62.moveLifeFields.moveId,
  flags: v62.moveLifeFields.flags,
  actionAndDirection,
  target,
  ...lists,
  moveFlags: v62.moveLifeFields.moveFlags,
  unknown: v62.moveLifeFields.unknown,
  flyTargetX: flyTarget,
  flyTargetY: flyTarget,
  unknownCrc: checksum("a checksum of the field unknown"),
});
/** C 0xE3, after the path's keys and box. */
export const moveLifeTail = fields({
  chasing: withMeaning(u8, { doc: "whether the monster chases a player" }),
  hasTarget: withMeaning(u8, { doc: "whether it has a player to chase" }),
  chasingNow: withMeaning(u8, { doc: "the same of its present movement" }),
  chasingHack: withMeaning(u8, { doc: "not known; honest clients send 0" }),
  chaseMs: withMeaning(u32le, { doc: "how long it has chased", unit: "ms" }),
});

/** S 0x11F. */
export const moveMonsterFields = fields({
  mobId,
  notForceLanding: withMeaning(u8, { doc: "servers write 0", section: "3.6" }),
  notChangeAction: withMeaning(u8, { doc: "servers write 0", section: "3.6" }),
  nextAttackPossible: withMeaning(u8, { doc: "the client's word that an attack may come next" }),
  actionAndDirection,
  target,
  ...lists,
});

const chasePlace = withMeaning(i32le, { doc: "where the player comes out", unit: "px" });
const chased = { field: "chase", from: 1, to: 1 } as const;
const option = struct({
  type: withMeaning(u32le, { doc: "which option" }),
  value: withMeaning(u32le, { doc: "its value" }),
});

/** S 0x8D. */
export const changeMap = inSection(
  "3.6",
  struct({
    options: withMeaning(array(option, { count: u16le, limit: MAX_LISTED }), {
      doc: "of the client; after type 2 with a value fragments have two more fields, and ours does not read them",
    }),
    channel: withMeaning(i32le, { doc: "the channel that the player is in, from 0" }),
    oldDriver: withMeaning(u32le, { doc: "not known; servers write 0" }),
    fieldKey,
    target: variant("content", oneOf(u8, { map: 0, character: 1 }), {
      map: struct({
        notices: withMeaning(u16le, { doc: "how many lines of notices follow; servers write 0" }),
        revive: withMeaning(u8, { doc: "1: the player comes back to life here" }),
        mapId: withMeaning(u32le, { doc: "the map that the player comes to" }),
        spawnPoint: withMeaning(u8, { doc: "which of the map's portals the player comes out of" }),
        hp: withMeaning(u32le, { doc: "the health that the player has" }),
        chase: withMeaning(u8, { doc: "1: a place follows at which the player comes out instead" }),
        chaseX: optional(chasePlace, chased),
        chaseY: optional(chasePlace, chased),
        time: withMeaning(u64le, { doc: "the server's time: 100 ns since 1601" }),
      }),
      character: struct({
        notices: withMeaning(u16le, { doc: "how many lines of notices follow; servers write 0" }),
        seeds: withMeaning(array(u32le, { count: 3 }), {
          doc: "the seeds of the client's random numbers, by which it works out damage",
        }),
        data: restBytes({ limit: MAX_PAYLOAD_BYTES, opaque: "the whole character, gifts, then the time as u64" }),
      }),
    }),
  }),
);

/** How an open server of v95 fills in `look` of showPlayer. UNSETTLED: no captured packet is public, so it is written and never read. */
const look = struct({
  name,
  guild: name,
  emblem: fixedBytes(6),
  effects: fixedBytes(18),
  job: u16le,
  gender: u8,
  skin: u8,
  face: u32le,
  hairSlot: u8,
  hair: u32le,
  equipment: lookItems,
  masked: lookItems,
  weapon: u32le,
  pets: array(u32le, { count: 3 }),
  driver: u32le,
  passenger: u32le,
  chocolates: u32le,
  itemEffect: u32le,
  itemSet: u32le,
  chair: u32le,
  ...standing,
  state: stance,
  foothold,
  extras: fixedBytes(25),
});

/** The look of a player without guild, effects and clothes. */
export function plainLook(who: {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly state: number;
}): Uint8Array {
  const clothes = { equipment: [], masked: [], weapon: 0, pets: [0, 0, 0] };
  const body = { job: 0, gender: 0, skin: 0, face: 20_000, hairSlot: 0, hair: 30_000 };
  const nothing = { driver: 0, passenger: 0, chocolates: 0, itemEffect: 0, itemSet: 0, chair: 0, foothold: 0 };
  const bytes = { guild: "", emblem: new Uint8Array(6), effects: new Uint8Array(18), extras: new Uint8Array(25) };
  return encode(look, { ...who, ...body, ...clothes, ...nothing, ...bytes });
}

const noStatus = { field: "statusMask", zero: true } as const;

/** As in `v83`, but the foothold comes before that of the origin, and a phase ends it. */
const spawn = struct({
  status: oneOf(u8, { controlled: 1, notControlled: 5 }),
  template,
  statusMask: fixedBytes(16, { opaque: "a bit for each status effect" }),
  withStatuses: optional(
    restBytes({ limit: MAX_PAYLOAD_BYTES, opaque: "entries of the statuses, then the fields below" }),
    { field: "statusMask", zero: false },
  ),
  x: optional(standing.x, noStatus),
  y: optional(standing.y, noStatus),
  state: optional(stance, noStatus),
  foothold: optional(foothold, noStatus),
  originFoothold: optional(originFoothold, noStatus),
  appear: optional(withMeaning(i8, { doc: "-1, -2 new; -3 out of another monster; 0 and more an effect" }), noStatus),
  appearFrom: optional(withMeaning(u32le, { doc: "the monster that it came out of" }), {
    field: "appear",
    from: -3,
    to: -3,
  }),
  appearDelay: optional(withMeaning(u32le, { doc: "when the effect begins", unit: "ms" }), {
    field: "appear",
    from: 0,
  }),
  team: optional(team, noStatus),
  effect: optional(spawnEffect, noStatus),
  phase: optional(withMeaning(u32le, { doc: "not known; servers write 0" }), noStatus),
});
export type Spawn = Infer<typeof spawn>;

/** S 0x11C. */
export const showMonster = inSection("3.6", struct({ mobId, spawn }));
/** S 0x11E. */
export const controlMonster = inSection(
  "3.6",
  variant("mode", oneOf(u8, { stop: 0, control: 1, controlWithAggro: 2 }), {
    stop: struct({ mobId }),
    control: struct({ mobId, spawn }),
    controlWithAggro: struct({ mobId, spawn }),
  }),
);
