/**
 * The messages of `v83` that `v62` has otherwise, or not at all.
 *
 * Source: docs/protocols/maplestory.md 3.5.
 */
import {
  array,
  encode,
  fixedBytes,
  type Infer,
  i8,
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
import * as v62 from "./messages.ts";

const { actionAndDirection, characterId, fieldKey, fields, foothold, inSection, lookItems, MAX_PAYLOAD_BYTES } = v62;
const { mobId, name, originFoothold, spawnEffect, stance, standing, target, team, template } = v62;

export const flyTarget = withMeaning(i32le, {
  doc: "where a flying monster heads; 16768460 when it has no target",
  unit: "px",
  section: "3.5",
});
/** C 0xBC. */
export const moveLifeFields = fields({ ...v62.moveLifeFields, flyTargetX: flyTarget, flyTargetY: flyTarget });
/** What `flyTargetX` and `flyTargetY` are when a monster flies nowhere. */
export const NO_FLY_TARGET = 0x00ff_ddcc;

/** C 0x29. */
export const movePlayerFields = fields({
  fieldKey,
  fieldCrc: withMeaning(u32le, { doc: "a checksum of the map's data, which servers do not check", section: "3.5" }),
});

/** S 0xEF. */
export const moveMonsterFields = fields({
  mobId,
  notForceLanding: withMeaning(u8, { doc: "servers write 0", section: "3.5" }),
  nextAttackPossible: withMeaning(u8, { doc: "the client's word that an attack may come next" }),
  actionAndDirection,
  target,
});

/** C 0xB5: nothing, as the dragon is its owner's. */
export const moveDragonFields = fields({});
/** S 0xB6. */
export const moveDragonNoticeFields = fields({ characterId: withMeaning(u32le, { doc: "the owner" }) });

/** C 0xBD. */
export const aggro = inSection(
  "3.5",
  struct({
    mobId,
    distance: withMeaning(u32le, { doc: "abs(dx) / 10 + abs(dy) / 3, and 100 more for one kind of action" }),
  }),
);
/** C 0x14. */
export const playerLoggedIn = inSection(
  "3.5",
  struct({
    characterId,
    rest: restBytes({ limit: MAX_PAYLOAD_BYTES, opaque: "no server reads it; 26 bytes by inference" }),
  }),
);

const chasePlace = withMeaning(i32le, { doc: "where the player comes out", unit: "px" });
const chased = { field: "chase", from: 1, to: 1 } as const;

/** S 0x7D. */
export const changeMap = inSection(
  "3.5",
  struct({
    channel: withMeaning(i32le, { doc: "the channel that the player is in, from 0" }),
    fieldKey,
    target: variant("content", oneOf(u8, { map: 0, character: 1 }), {
      map: struct({
        notices: withMeaning(u16le, { doc: "how many lines of notices follow; servers write 0" }),
        revive: withMeaning(u8, { doc: "1: the player comes back to life here" }),
        mapId: withMeaning(u32le, { doc: "the map that the player comes to" }),
        spawnPoint: withMeaning(u8, { doc: "which of the map's portals the player comes out of" }),
        hp: withMeaning(u16le, { doc: "the health that the player has" }),
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
        data: restBytes({ limit: MAX_PAYLOAD_BYTES, opaque: "the whole character, then the time as u64" }),
      }),
    }),
  }),
);

/** S 0xA0. */
export const showPlayer = inSection(
  "3.5",
  struct({
    characterId,
    level: withMeaning(u8, { doc: "the level of the character" }),
    look: restBytes({ limit: MAX_PAYLOAD_BYTES, opaque: "name, guild, status effects, look, place" }),
  }),
);

/** Bytes of the status effects of a `v83` player, and after its foothold: pets, mount, shop, board, rings, cards, team. */
const EFFECT_BYTES_ = 128;
const EXTRAS_BYTES_ = 23;

/** How open servers of v83 fill in `look`. UNSETTLED: no captured packet is public, so it is written and never read. */
const look = struct({
  name,
  guild: name,
  emblem: fixedBytes(6),
  effects: fixedBytes(EFFECT_BYTES_),
  job: u16le,
  gender: u8,
  skin: u8,
  face: u32le,
  megaphone: u8,
  hair: u32le,
  equipment: lookItems,
  masked: lookItems,
  weapon: u32le,
  pets: array(u32le, { count: 3 }),
  chocolates: u32le,
  itemEffect: u32le,
  chair: u32le,
  ...standing,
  state: stance,
  foothold,
  extras: fixedBytes(EXTRAS_BYTES_),
});

/** The look of a player without guild, effects and clothes, for {@link showPlayer}. */
export function plainLook(who: {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly state: number;
}): Uint8Array {
  const effects = new Uint8Array(EFFECT_BYTES_);
  effects.set([0xfc, 1], 6);
  const extras = new Uint8Array(EXTRAS_BYTES_);
  // The mount's level.
  extras.set([1], 2);
  const clothes = { equipment: [], masked: [], weapon: 0, pets: [0, 0, 0], chocolates: 0, itemEffect: 0, chair: 0 };
  const body = { job: 0, gender: 0, skin: 0, face: 20_000, megaphone: 1, hair: 30_000 };
  const rest = { guild: "", emblem: new Uint8Array(6), effects, extras, foothold: 0 };
  return encode(look, { ...who, ...body, ...clothes, ...rest });
}

const noStatus = { field: "statusMask", zero: true } as const;

/**
 * What a client must know of a monster. With a status the entries of the mask come first, whose number and sizes follow from it: all that
 * comes after such a mask is opaque.
 */
const spawn = struct({
  status: oneOf(u8, { controlled: 1, notControlled: 5 }),
  template,
  statusMask: fixedBytes(16, { opaque: "a bit for each status effect" }),
  withStatuses: optional(
    restBytes({ limit: MAX_PAYLOAD_BYTES, opaque: "entries of the statuses, then the fields below" }),
    {
      field: "statusMask",
      zero: false,
    },
  ),
  x: optional(standing.x, noStatus),
  y: optional(standing.y, noStatus),
  state: optional(stance, noStatus),
  originFoothold: optional(originFoothold, noStatus),
  foothold: optional(foothold, noStatus),
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
});
export type Spawn = Infer<typeof spawn>;

/** S 0xEC. */
export const showMonster = inSection("3.5", struct({ mobId, spawn: spawn }));
/** S 0xED. */
export const removeMonster = inSection(
  "3.5",
  struct({
    mobId,
    animation: withMeaning(u8, { doc: "0 gone, 1 died, 4 swallowed" }),
    swallowedBy: optional(withMeaning(u32le, { doc: "the character" }), { field: "animation", from: 4, to: 4 }),
    rest: restBytes({ limit: 8, opaque: "one server writes the animation twice" }),
  }),
);
/** S 0xEE. */
export const controlMonster = inSection(
  "3.5",
  variant("mode", oneOf(u8, { stop: 0, control: 1, controlWithAggro: 2 }), {
    stop: struct({ mobId }),
    control: struct({ mobId, spawn: spawn }),
    controlWithAggro: struct({ mobId, spawn: spawn }),
  }),
);
