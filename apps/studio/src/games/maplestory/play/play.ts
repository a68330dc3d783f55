/**
 * A session on the game's own socket: it plays its own character and some of the monsters, and knows all others from
 * messages alone. In `documented` a session is a player at once; in the others it names its character first.
 */

import {
  type MapleClientMessage,
  type MapleServerMessage,
  mapleDialectRules,
  mapleStory,
  type Point,
  stateOf,
} from "wirewalk/maplestory";
import { type MapleMap, portalKinds } from "wirewalk/maplestory/maps";
import { Character, type Keys, MonsterDriver, playerLoggedIn } from "wirewalk/maplestory/movement";
import { createRandom, type PlayerId } from "wirewalk/motion";
import type { JsonObject } from "wirewalk/wire";
import { FixedStep } from "../../../draw/fixed-step.ts";
import { GameSession } from "../../game-session.ts";
import type { PlaySession, PlayState, Stage } from "../../game-view.ts";
import { listenToKeys } from "../../keyboard.ts";
import { actorKey, type Standing } from "./actor.ts";
import type { Actors } from "./actors.ts";
import { applyMessage, standingJson } from "./apply-message.ts";
import { knownMap, mapIdOf, mapOf, plainMap } from "./maps.ts";
import { characterOf } from "./spectator-feed.ts";

/** How often due steps are played: a step takes 30 ms and is sent at most this much after its end. */
const TIMER_MS = 10;

/** How much of a pause a tab in the background plays afterwards: a server's duration budget allows no more. */
const LONGEST_CATCH_UP_MS = 4_000;

/** Steps that are kept until a packet reports them, at most: an honest packet has 17. */
const MAX_UNSENT = 64;

const codes = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Space: "jump",
  KeyX: "sit",
} as const;

type Effect = { readonly before?: JsonObject; readonly after?: JsonObject };

/** The parts of a session that the scene draws. */
export interface MaplePlay extends PlaySession {
  /** Undefined until the session is on a map. */
  readonly map: MapleMap | undefined;
  /** The own character's key among the actors. */
  readonly ownKey: string;
  /** Where the own character is drawn; undefined until it is on a map. */
  own(nowMs: number): Standing | undefined;
  /** Where it was in the steps that no packet has reported yet. */
  readonly unsent: readonly Point[];
  /** Where a monster is that this page drives. */
  driven(mobId: number): Standing | undefined;
}

/** Opens the socket and plays until it is over. */
export function playMaple(stage: Stage, actors: Actors, changed: (state: PlayState) => void): MaplePlay {
  return new MapleSession(stage, actors, changed);
}

class MapleSession implements MaplePlay {
  readonly #stage: Stage;
  readonly #actors: Actors;
  readonly #changed: (state: PlayState) => void;
  readonly #dialect: string;
  readonly #codec: ReturnType<typeof mapleStory.codec>;
  readonly #characterId: number;
  readonly #random = createRandom(Math.trunc(Math.random() * 2 ** 31));
  readonly #keys: { -readonly [K in keyof Keys]: Keys[K] } = {};
  readonly #session: GameSession<MapleClientMessage, MapleServerMessage>;
  #character: Character | undefined;
  #driver: MonsterDriver | undefined;
  #steps = new FixedStep(1, LONGEST_CATCH_UP_MS);
  /** Where the character was one step ago. */
  #before: Point = { x: 0, y: 0 };
  #monsterMs = 0;
  #unsent: Point[] = [];
  /** The state that was sent last. */
  #sentState: JsonObject = {};
  #stopPlaying: (() => void) | undefined;
  /** What the server has sent while a map is loaded; undefined while none is. */
  #waiting: { readonly message: MapleServerMessage; readonly payload: Uint8Array }[] | undefined;
  #stopWaiting: (() => void) | undefined;

  constructor(stage: Stage, actors: Actors, changed: (state: PlayState) => void) {
    this.#stage = stage;
    this.#actors = actors;
    this.#changed = changed;
    this.#dialect = stage.watched.world.dialect;
    this.#codec = mapleStory.codec(this.#dialect);
    // In `documented` no message contains the client's own id.
    this.#characterId = this.#hasLogin ? this.#random.integer(1, 0x7fff_ffff) : 0;
    this.#session = new GameSession<MapleClientMessage, MapleServerMessage>({
      stage,
      protocol: mapleStory,
      changed,
      onOpen: () => this.#joinMap(),
      onMessage: (message, payload) => this.#receive(message, payload),
      onOver: () => {
        this.#stopWaiting?.();
        this.#stopPlaying?.();
      },
    });
  }

  get map(): MapleMap | undefined {
    return this.#character?.map;
  }

  get ownKey(): string {
    return actorKey("player", this.#characterId);
  }

  get unsent(): readonly Point[] {
    return this.#unsent;
  }

  own(nowMs: number): Standing | undefined {
    if (this.#character === undefined) return undefined;
    const part = this.#steps.part(nowMs);
    const { body, state } = this.#character;
    const { x, y } = this.#before;
    return { x: x + (body.x - x) * part, y: y + (body.y - y) * part, state };
  }

  driven(mobId: number): Standing | undefined {
    const body = this.#driver?.bodyOf(mobId);
    if (body === undefined || this.map === undefined) return undefined;
    return { x: body.x, y: body.y, state: stateOf(body, this.map) };
  }

  leave(): void {
    this.#session.leave();
  }

  // --- The connection ------------------------------------------------------------------------------------------------------

  get #hasLogin(): boolean {
    return !mapleDialectRules(this.#dialect).movementOnly;
  }

  #joinMap(): void {
    if (this.#hasLogin) {
      this.#send(playerLoggedIn(mapleDialectRules(this.#dialect), this.#characterId));
      return;
    }
    this.#withMap(mapIdOf(this.#stage.watched.room), (map) => this.#enter(map, this.#entrance(map), 0));
  }

  /** A portal where players start, if the map says which these are. */
  #entrance({ portals }: MapleMap): Point {
    const starts = portals.filter(({ kind }) => kind === portalKinds.start);
    const [first] = starts.length > 0 ? starts : portals;
    return first === undefined ? { x: 0, y: 0 } : this.#random.pick(starts.length > 0 ? starts : portals);
  }

  /** Returns the length of the payload. */
  #send(message: MapleClientMessage, effect: Effect = {}): number {
    this.#session.send(message);
    const payload = this.#codec.write("client", message);
    const player = this.#stage.watched.self();
    this.#stage.log({ sender: "client", payload, ...effect, ...(player === undefined ? {} : { player }) });
    return payload.length;
  }

  #receive(message: MapleServerMessage, payload: Uint8Array): void {
    if (this.#waiting === undefined) this.#apply(message, payload);
    else if (message.message === "ping") this.#send({ message: "pong", value: {} });
    else this.#waiting.push({ message, payload });
  }

  #apply(message: MapleServerMessage, payload: Uint8Array): void {
    this.#driver?.receive(message);
    const { characterId, before, after } = applyMessage(this.#actors, message, performance.now());
    const ownBefore = this.#character === undefined ? undefined : stateJson(this.#character);
    const moved = message.message === "changeMap";
    if (moved) this.#changeMap(message.value);
    const player = this.#playerOf(characterId);
    this.#stage.log({
      sender: "server",
      payload,
      ...(player === undefined ? {} : { player }),
      ...(before === undefined ? {} : { before: standingJson(before) }),
      ...(after === undefined ? {} : { after: standingJson(after) }),
      ...(moved && ownBefore !== undefined ? { before: ownBefore } : {}),
      ...(moved ? { after: this.#sentState } : {}),
    });
    if (message.message === "ping") this.#send({ message: "pong", value: {} });
  }

  /** The feed's number of a character. */
  #playerOf(characterId: number | undefined): PlayerId | undefined {
    if (characterId === undefined) return undefined;
    const tracks = this.#stage.watched.tracks.latest.values();
    return [...tracks].find(({ details }) => characterOf(details) === characterId)?.player;
  }

  // --- The own character and its monsters ------------------------------------------------------------------------------------

  /** Calls with a map once it is known, or known to be unknown. Until then nothing moves and what the server sends waits. */
  #withMap(mapId: number, then: (map: MapleMap) => void): void {
    const state = mapOf(this.#stage.watched, mapId);
    const arrive = (): void => then(knownMap(state.peek()) ?? plainMap(mapId));
    if (state.peek().state !== "loading") {
      arrive();
      return;
    }
    this.#waiting = [];
    const stop = state.subscribe(({ state: now }) => {
      if (now === "loading" || this.#waiting === undefined) return;
      const waited = this.#waiting;
      this.#waiting = undefined;
      this.#stopWaiting?.();
      arrive();
      for (const { message, payload } of waited) this.#receive(message, payload);
    });
    this.#stopWaiting = stop;
  }

  #changeMap({ fieldKey, target }: Extract<MapleServerMessage, { message: "changeMap" }>["value"]): void {
    // The map of a whole character stands within its data, which is not read: it is taken for the one that is watched.
    const { mapId, spawnPoint } =
      target.content === "map" ? target : { mapId: mapIdOf(this.#stage.watched.room), spawnPoint: 0 };
    this.#withMap(mapId, (map) =>
      this.#enter(map, map.portal(spawnPoint) ?? map.portals[0] ?? { x: 0, y: 0 }, fieldKey),
    );
  }

  #enter(map: MapleMap, at: Point, fieldKey: number): void {
    const nowMs = performance.now();
    this.#actors.clear();
    this.#unsent = [];
    this.#driver?.enter(map);
    const isNew = this.#character === undefined;
    const character = this.#character ?? new Character({ dialect: this.#dialect, map, at, fieldKey });
    if (isNew) this.#start(character);
    else character.enter(map, at, fieldKey);
    // The first step there starts now: a path must not contain time before the map, and a busy page is late with its steps.
    this.#steps.restart(nowMs);
    const { x, y } = character.body;
    this.#before = { x, y };
    this.#sentState = stateJson(character);
    this.#actors.show("player", this.#characterId, { x, y, state: character.state }, nowMs).name = "you";
  }

  #start(character: Character): void {
    this.#character = character;
    if (this.#hasLogin)
      this.#driver = new MonsterDriver({ dialect: this.#dialect, map: character.map, random: this.#random });
    this.#steps = new FixedStep(1000 / character.stepMs, LONGEST_CATCH_UP_MS);
    const timer = setInterval(() => {
      for (let due = this.#steps.due(performance.now()); due > 0; due--) this.#step(character);
    }, TIMER_MS);
    const stopKeys = listenToKeys(
      {
        codes,
        onKey: (key, down) => {
          if (key !== "sit") this.#keys[key] = down;
          else if (down) character.sit();
        },
      },
      { window, document },
    );
    this.#stopPlaying = () => {
      clearInterval(timer);
      stopKeys();
    };
    this.#changed({ state: "playing" });
  }

  #step(character: Character): void {
    if (this.#waiting !== undefined) return;
    this.#before = { x: character.body.x, y: character.body.y };
    const message = character.step(this.#keys);
    this.#unsent.push({ x: character.body.x, y: character.body.y });
    if (this.#unsent.length > MAX_UNSENT) this.#unsent.shift();
    if (message !== undefined) this.#sendMove(character, message);
    const driver = this.#driver;
    this.#monsterMs += character.stepMs;
    if (driver === undefined || this.#monsterMs < driver.stepMs) return;
    this.#monsterMs -= driver.stepMs;
    for (const life of driver.step()) this.#sendPath(life, {});
  }

  #sendMove(character: Character, message: MapleClientMessage): void {
    const after = stateJson(character);
    this.#sendPath(message, { before: this.#sentState, after });
    this.#sentState = after;
    this.#unsent = [];
  }

  /** The server does not relay a path to its sender: the page's own ghosts receive it here. */
  #sendPath(message: MapleClientMessage, effect: Effect): void {
    const packetBytes = this.#send(message, effect);
    if (!("fragments" in message.value)) return;
    const { value } = message;
    const received = { start: "start" in value ? value.start : undefined, fragments: message.value.fragments };
    const packet = { received, packetBytes, atMs: performance.now() };
    if (message.message === "moveLife") this.#actors.receive("monster", message.value.mobId, packet);
    else this.#actors.receive("player", this.#characterId, packet);
  }
}

/** The state in the document's words, for the wire log. */
function stateJson({ body, state, map }: Character): JsonObject {
  const { x, y, vx, vy, foothold } = body;
  return { map: map.mapId, x: rounded(x), y: rounded(y), vx: rounded(vx), vy: rounded(vy), foothold, state };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
