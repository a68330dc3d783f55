/**
 * What a client writes beside its paths: the fields that an honest one fills in the same way each time, by dialect.
 *
 * Source: docs/protocols/maplestory.md 3.2, 3.4.1, 3.5, 3.6.
 */
import type { MapleClientMessage } from "../wire/codec.ts";
import type { DialectRules } from "../wire/dialect.ts";
import { Fragment } from "../wire/fragment.ts";
import type { Path, Point, Tail } from "../wire/messages.ts";
import { NO_FLY_TARGET } from "../wire/messages-v83.ts";
import type { RecordedStart } from "./recorder.ts";

type Of<N extends MapleClientMessage["message"]> = Extract<MapleClientMessage, { readonly message: N }>;
type Clients = Pick<DialectRules, "name" | "renumbered" | "fragments">;

/** What stands after the character in the login of a v83 or v95 client; no server reads it. */
const LOGIN_REST_BYTES = 26;

export function playerLoggedIn({ name }: Clients, characterId: number): Of<"playerLoggedIn"> {
  const value = name !== "v62" ? { characterId, rest: new Uint8Array(LOGIN_REST_BYTES) } : { characterId, reserved: 0 };
  return { message: "playerLoggedIn", value };
}

/**
 * A recorded path as the dialect writes it: with its own types, and in `v95` with a velocity at the start and offsets, which are 0
 * for a body that stands on nothing that moves (ours).
 */
export function pathFor<P extends Path>({ renumbered, fragments: table }: Clients, path: P): P {
  if (!table.startsMoving) return path;
  const { start } = path;
  const { vx = 0, vy = 0 } = start as RecordedStart;
  const fragments = path.fragments.map((fragment) => {
    const { kind = "absolute" } = fragment;
    const offsets = kind === "absolute" || kind === "fallDown" ? { xOffset: 0, yOffset: 0 } : {};
    return Fragment.of(kind, { ...fragment, type: renumbered[fragment.type] ?? fragment.type, ...offsets });
  });
  return { ...path, start: { x: start.x, y: start.y, vx, vy }, fragments };
}

/** A path of the own character. We have neither the map's data nor the client's code: its checksums are 0. */
export function movePlayer(dialect: Clients, fieldKey: number, recorded: Path & Tail): Of<"movePlayer"> {
  const path = pathFor(dialect, recorded);
  switch (dialect.name) {
    case "v83":
      return { message: "movePlayer", value: { fieldKey, fieldCrc: 0, ...path } };
    case "v95": {
      const noDebugger = { debug0: NOT_DEBUGGED, debug1: NOT_DEBUGGED, debug2: NOT_DEBUGGED, debug3: NOT_DEBUGGED };
      const checksums = { fieldCrc: 0, crcKey: 0, crc: 0 };
      return { message: "movePlayer", value: { ...noDebugger, ...checksums, fieldKey, ...path } };
    }
    default:
      return { message: "movePlayer", value: { fieldKey, ...path } };
  }
}

/** The inverse of an empty debug register. */
const NOT_DEBUGGED = 0xffff_ffff;

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
  dialect: Clients,
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
    ...pathFor(dialect, path),
  };
  const target = { flyTargetX: NO_FLY_TARGET, flyTargetY: NO_FLY_TARGET };
  switch (dialect.name) {
    case "v83":
      return { message: "moveLife", value: { ...value, ...target } };
    case "v95": {
      const chase = { chasing: 0, hasTarget: 0, chasingNow: 0, chasingHack: 0, chaseMs: 0 };
      const none = { ballTargets: [], areaTimes: [], unknownCrc: 0 };
      return { message: "moveLife", value: { ...value, ...target, ...none, ...chase } };
    }
    default:
      return { message: "moveLife", value };
  }
}

/** The same in `documented`. What the document does not print is 0. */
export function documentedMoveLife(mobId: number, moveId: number, fragments: readonly Fragment[]): Of<"moveLife"> {
  const before = {
    mobId,
    moveId,
    flags: 0,
    actionAndDirection: -1,
    target: new Uint8Array(4),
    moveFlags: 0,
    unknown: 1,
  };
  return { message: "moveLife", value: { ...before, opaque: new Uint8Array(4), fragments, rest: new Uint8Array(0) } };
}

/** A monster noticed a player. `from` and `to` are their places. */
export function aggro({ name }: Clients, mobId: number, from: Point, to: Point): Of<"aggro"> {
  const distance = Math.trunc(Math.abs(to.x - from.x) / 10 + Math.abs(to.y - from.y) / 3);
  return { message: "aggro", value: name !== "v62" ? { mobId, distance } : { mobId, unknown: 0 } };
}
