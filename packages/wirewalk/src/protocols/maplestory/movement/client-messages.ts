/**
 * What a client writes beside its paths: the fields that an honest one fills in the same way each time, by dialect.
 *
 * Source: docs/protocols/maplestory.md 3.2, 3.4.1, 3.5.
 */
import type { MapleClientMessage } from "../wire/codec.ts";
import type { DialectRules } from "../wire/dialect.ts";
import type { Path, Point, Tail } from "../wire/messages.ts";
import { NO_FLY_TARGET } from "../wire/messages-v83.ts";

type Of<N extends MapleClientMessage["message"]> = Extract<MapleClientMessage, { readonly message: N }>;
type Clients = Pick<DialectRules, "name">;

/** What stands after the character in a v83 client's login; no server reads it. */
const LOGIN_REST_BYTES = 26;

export function playerLoggedIn({ name }: Clients, characterId: number): Of<"playerLoggedIn"> {
  const value = name === "v83" ? { characterId, rest: new Uint8Array(LOGIN_REST_BYTES) } : { characterId, reserved: 0 };
  return { message: "playerLoggedIn", value };
}

/** A path of the own character. The checksum of `v83` is that of the map's data, which we do not have: 0. */
export function movePlayer({ name }: Clients, fieldKey: number, path: Path & Tail): Of<"movePlayer"> {
  return { message: "movePlayer", value: name === "v83" ? { fieldKey, fieldCrc: 0, ...path } : { fieldKey, ...path } };
}

/** What a monster does beside walking. */
export interface MonsterAct {
  /** Whether it could attack next. */
  readonly canAttack: boolean;
  /** The skill that it uses on this path. */
  readonly skill: { readonly id: number; readonly level: number } | undefined;
}

const walksOnly: MonsterAct = { canAttack: false, skill: undefined };

/** The lowest raw action of a skill. */
const FIRST_SKILL_ACTION = 42;

/** A path of a monster, with nothing to report. */
export function moveLife(
  { name }: Clients,
  mobId: number,
  moveId: number,
  path: Path & Tail,
  { canAttack, skill }: MonsterAct = walksOnly,
): Of<"moveLife"> {
  const value = {
    mobId,
    moveId,
    flags: canAttack ? 1 : 0,
    actionAndDirection: skill === undefined ? -1 : FIRST_SKILL_ACTION,
    // A skill's id and level, and no delay.
    target: Uint8Array.of(skill?.id ?? 0, skill?.level ?? 0, 0, 0),
    moveFlags: 0,
    unknown: 1,
    ...path,
  };
  const target = { flyTargetX: NO_FLY_TARGET, flyTargetY: NO_FLY_TARGET };
  return { message: "moveLife", value: name === "v83" ? { ...value, ...target } : value };
}

/** A monster noticed a player. `from` and `to` are their places. */
export function aggro({ name }: Clients, mobId: number, from: Point, to: Point): Of<"aggro"> {
  const distance = Math.trunc(Math.abs(to.x - from.x) / 10 + Math.abs(to.y - from.y) / 3);
  return { message: "aggro", value: name === "v83" ? { mobId, distance } : { mobId, unknown: 0 } };
}
