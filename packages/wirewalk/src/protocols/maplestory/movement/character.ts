/**
 * A played character: keys in, packets out. It walks with the client's constants and records itself as the client does, in
 * all dialects.
 *
 * ```ts
 * const map = demoMap(1);
 * const character = new Character({ dialect: "v62", map, at: { x: -500, y: 300 }, fieldKey: 1 });
 * const sent = Array.from({ length: 17 }, () => character.step({ right: true }));
 * sent.findIndex((message) => message !== undefined); // 16
 * ```
 */

import { type MapleMap, type Portal, portalKinds } from "../maps/map.ts";
import { isUsedByKey, touchedPortals, touches } from "../maps/portals.ts";
import type { MapleClientMessage } from "../wire/codec.ts";
import { type DialectRules, dialectRules } from "../wire/dialect.ts";
import { Fragment } from "../wire/fragment.ts";
import { sizeOfFragments, writeFragments } from "../wire/fragment-io.ts";
import { boxOf, type Path, type Point, type Tail } from "../wire/messages.ts";
import { keyBits } from "../wire/path-blocks.ts";
import { movePlayer } from "./client-messages.ts";
import { DocumentRecorder } from "./document-recorder.ts";
import { PathRecorder, playerRecording, round } from "./recorder.ts";
import { HEAD_BYTES, makeVerification, TAIL_BYTES, type VerificationPattern } from "./verification-pattern.ts";
import {
  createWalker,
  isOut,
  type Keys,
  leap,
  type Move,
  sitDown,
  stateOf,
  stepWalker,
  type WalkConstants,
  type Walker,
  walkConstants,
} from "./walker.ts";

export interface CharacterOptions {
  readonly dialect: string;
  readonly map: MapleMap;
  readonly at: Point;
  /** The key in CHANGE_MAP. */
  readonly fieldKey: number;
  /** Its speeds. Default {@link walkConstants}. */
  readonly constants?: WalkConstants;
  /** The verification pattern of `documented`. Default: zeros. */
  readonly pattern?: VerificationPattern;
}

/** How near a portal it must stand to pass through, pixels: less than servers allow, which know a rounded position. */
const PORTAL_PX = 20;

/** The type of the fragment for an arrival through a portal of the same map. */
const PORTAL_TYPE = 4;
/** How long it has fallen out of the map before it goes back by itself, milliseconds: a server may put it back before. */
const OUT_MS = 1000;

/** The key nibble of a step. */
export function keyNibble({ down, up, right, left }: Keys): number {
  return (down ? keyBits.down : 0) | (up ? keyBits.up : 0) | (right ? keyBits.right : 0) | (left ? keyBits.left : 0);
}

/** The state of a body, for the start of a recording. */
export function stateOfBody(body: Walker, map: MapleMap): Move {
  const { x, y, vx, vy, foothold } = body;
  return { kind: "step", type: 0, durationMs: 0, fallStart: 0, x, y, vx, vy, foothold, state: stateOf(body, map) };
}

/** One character, on one map after another. */
export class Character {
  /** Milliseconds of a step. */
  readonly stepMs: number;
  readonly #dialect: DialectRules;
  readonly #constants: WalkConstants;
  readonly #pattern: VerificationPattern | undefined;
  #map: MapleMap;
  #fieldKey: number;
  #body: Walker;
  readonly #recorder: PathRecorder;
  readonly #documentRecorder: DocumentRecorder;
  /** Packets of `documented` sent so far. */
  #sent = 0;
  #wantsSeat = false;
  /** Where it is with the next step, at once. */
  #leapsTo: Point | undefined;
  /** The portal that it was in with up held. */
  #wasInPortal = false;
  /** The portal that it touches, and that it has gone through. */
  #touched: Portal | undefined;
  #outMs = 0;

  constructor({ dialect, map, at, fieldKey, constants = walkConstants, pattern }: CharacterOptions) {
    this.#dialect = dialectRules(dialect);
    this.#constants = constants;
    this.#pattern = pattern;
    this.stepMs = this.#dialect.stepMs;
    this.#map = map;
    this.#fieldKey = fieldKey;
    this.#body = createWalker(map, at, constants);
    const start = stateOfBody(this.#body, map);
    const { startsMoving } = this.#dialect.fragments;
    this.#recorder = new PathRecorder({ ...playerRecording, start, startsMoving });
    this.#documentRecorder = new DocumentRecorder({ start });
  }

  get body(): Readonly<Walker> {
    return this.#body;
  }

  get map(): MapleMap {
    return this.#map;
  }

  /** The state byte. */
  get state(): number {
    return stateOf(this.#body, this.#map);
  }

  /** Whether it stands in a portal that leads to a map. */
  get isAtPortal(): boolean {
    return this.#portalHere() !== undefined;
  }

  /** CHANGE_MAP: moves it to another map. The unsent recording is dropped. */
  enter(map: MapleMap, at: Point, fieldKey: number): void {
    this.#map = map;
    this.#fieldKey = fieldKey;
    this.#body = createWalker(map, at, this.#constants);
    this.#recorder.restart(stateOfBody(this.#body, map));
    this.#wantsSeat = false;
    // Up may still be held from the last portal: this one would lead back.
    this.#wasInPortal = true;
    this.#touched = this.#portalTouched();
    this.#outMs = 0;
  }

  /** Moves it on its map without recording how, as a cheat does. */
  displace(at: Point): void {
    const { x, y, vx, vy, foothold } = createWalker(this.#map, at);
    Object.assign(this.#body, { x, y, vx, vy, foothold });
  }

  /** Moves it on its map at once, with an instant as through a portal of the map. */
  leapTo(at: Point): void {
    this.#leapsTo = at;
  }

  /** Moves it on its map at once: its next path begins there. The unsent recording is dropped. */
  startAt(at: Point): void {
    this.enter(this.#map, at, this.#fieldKey);
  }

  /** Sits down with the next step, if it stands. `documented` has no fragment for it. */
  sit(): void {
    this.#wantsSeat = this.#dialect.placesAt === "end";
  }

  /** Plays one step with these keys held. Returns a packet when one is due, or when a portal requires it. */
  step(keys: Keys): MapleClientMessage | undefined {
    const before = stateOfBody(this.#body, this.#map);
    const moves: Move[] = [];
    if (this.#wantsSeat) {
      this.#wantsSeat = false;
      const sat = sitDown(this.#body, this.#map);
      if (sat !== undefined) moves.push(sat);
    }
    if (this.#leapsTo !== undefined) {
      moves.push(leap(this.#body, this.#map, PORTAL_TYPE, this.#leapsTo));
      this.#leapsTo = undefined;
    }
    moves.push(...stepWalker(this.#body, keys, this.#map, this.stepMs));
    if (this.#dialect.placesAt === "start") {
      const back = this.#passInside(undefined);
      if (back !== undefined) moves.push(back);
      const fragments = this.#documentRecorder.record(moves);
      return fragments === undefined ? undefined : this.#documentedMessage(fragments);
    }
    const portal = this.#portalUsed(keys);
    const inner = this.#passInside(portal);
    if (inner !== undefined) moves.push(inner);
    // A server that reads keys must not take the place of arrival for another portal in which up is pressed.
    const nibble = keyNibble(inner === undefined ? keys : { ...keys, up: false });
    const due = this.#recorder.record(moves, nibble);
    if (due !== undefined) return this.#message(due);
    if (portal === undefined && inner === undefined) return undefined;
    // The server opens a portal for a path that ends there with up held: one is sent even when nothing has changed.
    return this.#message(this.#recorder.flush() ?? stillPath(before, nibble, this.stepMs));
  }

  /** The portal that takes it in this step: one in which up is pressed, or that it comes to touch. */
  #portalUsed(keys: Keys): Portal | undefined {
    const here = keys.up === true ? this.#portalHere() : undefined;
    const pressed = this.#wasInPortal ? undefined : here;
    this.#wasInPortal = here !== undefined;
    const touched = this.#portalTouched();
    const isNew = touched !== undefined && touched !== this.#touched;
    this.#touched = touched;
    return pressed ?? (isNew ? touched : undefined);
  }

  /** A client passes through a portal of its own map by itself, and goes back to where it came in when it has fallen out of the map. */
  #passInside(portal: Portal | undefined): Move | undefined {
    const map = this.#map;
    const { target } = portal ?? {};
    const there =
      target?.mapId === map.mapId ? map.portals.find(({ name }) => name === target.portal) : this.#wayBack();
    if (there === undefined) return undefined;
    const { x, y } = there;
    const move = leap(this.#body, map, PORTAL_TYPE, { x, y });
    this.#wasInPortal = true;
    this.#touched = this.#portalTouched();
    return move;
  }

  /** Where it goes once it has fallen out of the map. */
  #wayBack(): Portal | undefined {
    this.#outMs = isOut(this.#body, this.#map) ? this.#outMs + this.stepMs : 0;
    if (this.#outMs < OUT_MS) return undefined;
    this.#outMs = 0;
    const { portals } = this.#map;
    return portals.find(({ kind }) => kind === portalKinds.start) ?? portals[0];
  }

  #portalHere(): Portal | undefined {
    const { x, y, foothold } = this.#body;
    if (foothold <= 0) return undefined;
    return this.#map.portals.find(
      (portal) =>
        portal.target !== undefined && isUsedByKey(portal) && Math.hypot(portal.x - x, portal.y - y) <= PORTAL_PX,
    );
  }

  #portalTouched(): Portal | undefined {
    return touchedPortals(this.#map).touched.find(
      (portal) => portal.target !== undefined && touches(portal, this.#body),
    );
  }

  #message(path: Path & Tail): MapleClientMessage {
    return movePlayer(this.#dialect, this.#fieldKey, path);
  }

  #documentedMessage(fragments: readonly Fragment[]): MapleClientMessage {
    const opaque =
      this.#pattern === undefined
        ? { head: new Uint8Array(HEAD_BYTES), tail: new Uint8Array(TAIL_BYTES) }
        : makeVerification(this.#pattern, sectionOf(fragments, this.#dialect), this.#sent);
    this.#sent += 1;
    return { message: "movePlayer", value: { ...opaque, fragments } };
  }
}

/** Count and fragments, as they are written. */
function sectionOf(fragments: readonly Fragment[], { fragments: table }: DialectRules): Uint8Array {
  const section = new Uint8Array(1 + sizeOfFragments(fragments, table));
  section[0] = fragments.length;
  writeFragments(section, 1, fragments, table);
  return section;
}

/** One step in which nothing happens. */
function stillPath({ x, y, foothold, state }: Move, keys: number, durationMs: number): Path & Tail {
  const start = { x: round(x), y: round(y) };
  const fragments = [Fragment.of("absolute", { type: 0, ...start, foothold, state, durationMs })];
  return { start, fragments, keypad: [keys], box: boxOf(start, fragments) };
}
