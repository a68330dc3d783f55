/**
 * Honest players of every kind: rooms and keys from a seed, played by the exact physics. What a bot does is what people do most often;
 * these players do the rest, such as tapping for minutes, both directions at once, jumps without a landing, and doors on the run.
 */
import type { Position, Random } from "../../../motion/index.ts";
import type { Bot } from "../../bot.ts";
import type { Rectangle, RoomGeometry } from "../maps/geometry.ts";
import { makeRoom, type RoomDoor, type SlimeRoom } from "../maps/room.ts";
import { MovementDebouncer } from "../movement/debouncer.ts";
import { KeyHandler, type Outgoing, outgoing, toWireCoordinate } from "../movement/keys.ts";
import { createMovementState, type MovementState, updateMovementState } from "../movement/movement-state.ts";
import { stepPhysics } from "../movement/physics.ts";
import { physicsConstants } from "../movement/physics-constants.ts";
import type { SlimeClientMessage, SlimeServerMessage } from "../wire/codec.ts";
import { dialectRules, type SlimeDialect } from "../wire/dialect.ts";
import type { Key } from "../wire/direction.ts";
import { movePlayer } from "../wire/move-player.ts";

const WIDTH = 1600;
const HEIGHT = 900;
const FLOOR_Y = 820;
const FRAME_MS = 1000 / physicsConstants.framesPerSecond;
const allKeys: readonly Key[] = ["left", "right", "up", "down"];
/** Frames between two changes of mood, at most: ten seconds. */
const MOOD_FRAMES = 600;
/** The most presses or releases of a key in a frame: fifteen a second of all four. */
const QUICKEST = 0.06;
/** Where players come in, and where doors lead: clear of everything. */
const entrances = [200, 500, 800];
const CLEAR_PX = 60;

/** Rooms 1 to `count`: platforms, ice, ponds, walls, and doors from each to the next. */
export function randomRooms(random: Random, count: number): readonly SlimeRoom[] {
  return Array.from({ length: count }, (_, index) => randomRoom(random, index + 1, count));
}

function randomRoom(random: Random, room: number, count: number): SlimeRoom {
  const some = (most: number, one: () => Rectangle): Rectangle[] =>
    Array.from({ length: random.integer(0, most) }, () => one());
  const between = (low: number, high: number): number => random.integer(low, high);
  const platforms = some(14, () => ({ x: between(0, WIDTH), y: between(380, 790), w: between(8, 300), h: 10 }));
  const steps = some(8, () => {
    const h = between(4, 60);
    return { x: between(0, WIDTH), y: FLOOR_Y - h, w: between(16, 200), h };
  });
  const ground = { x: 0, y: FLOOR_Y, w: WIDTH, h: HEIGHT - FLOOR_Y };
  const isClear = ({ x, w }: Rectangle): boolean => entrances.every((at) => at < x - CLEAR_PX || at > x + w + CLEAR_PX);
  const solids = [ground, ...platforms, ...steps.filter(isClear)];
  const ice = solids.filter(() => random.chance(0.25)).map(({ x, y, w }) => ({ x, y, w, h: 0 }));
  const water = some(2, () => ({ x: between(0, WIDTH), y: between(500, 780), w: between(60, 300), h: 320 }));
  const to = { room: (room % count) + 1, x: 500, y: FLOOR_Y };
  const doors: RoomDoor[] = [{ x: between(0, WIDTH - 40), y: FLOOR_Y - 60, w: 40, h: 60, to }];
  const spawns = entrances.map((x) => ({ x, y: FLOOR_Y }));
  return makeRoom({ room, title: `Room ${room}`, width: WIDTH, height: HEIGHT, solids, ice, water, doors, spawns });
}

/** A floor that goes up and down by up to a pixel a pixel: what no room of rectangles has. */
export function rampGeometry(random: Random): RoomGeometry {
  const [long, short] = [random.integer(100, 600), random.integer(20, 100)];
  const [high, low] = [0.7 * long, 0.25 * short].map((most) => (most * random.next()) / Math.PI);
  const floorAt = (x: number): number =>
    Math.fround(
      FLOOR_Y - (high ?? 0) * (1 - Math.cos((x - 200) / long)) - (low ?? 0) * (1 - Math.cos((x - 200) / short)),
    );
  return {
    stopX: (_fromX, toX) => Math.min(WIDTH, Math.max(0, toX)),
    stopY: (x, _fromY, toY) => Math.min(toY, floorAt(x)),
    groundAt: (x, y) => y >= floorAt(x),
    iceAt: () => false,
    waterAt: () => false,
  };
}

export interface RandomPlayerOptions {
  readonly dialect: SlimeDialect;
  readonly random: Random;
  readonly number: number;
  /** What it plays in: the rooms of the server, or a shape that the server does not know. */
  readonly rooms: readonly SlimeRoom[];
  readonly unknown?: RoomGeometry;
  /** Frames that its client plays at once: 1, or more on a slow machine. */
  readonly framesAtOnce: number;
}

/** Plays one slime by random keys. It obeys corrections, and does nothing that a client cannot. */
export class RandomPlayer implements Bot<SlimeClientMessage, SlimeServerMessage> {
  readonly stepMs: number;
  readonly state: MovementState;
  wantsReconnect = false;
  /** Corrections that reached it. */
  corrected = 0;
  readonly #options: RandomPlayerOptions;
  readonly #login: boolean;
  readonly #keys: KeyHandler;
  readonly #debouncer = new MovementDebouncer();
  /** The chance of each key to go down and to go up, in each frame. */
  readonly #chances = new Map<Key, readonly [number, number]>();
  #moodFrames = 0;
  #room: number;
  #playerId: number | undefined;
  #inWorld: boolean;
  #lastMs = 0;
  #frame = 0;
  #starts = 0;

  constructor(options: RandomPlayerOptions) {
    this.#options = options;
    this.stepMs = FRAME_MS * options.framesAtOnce;
    this.#login = !dialectRules(options.dialect).movementOnly;
    this.#inWorld = !this.#login;
    this.#keys = new KeyHandler({ sendLanding: options.number % 3 === 0 && options.unknown === undefined });
    this.#room = 1;
    this.state = createMovementState({ x: options.number % 2 === 0 ? 200 : 800, y: FLOOR_Y });
    if (options.unknown !== undefined) this.state.y = options.unknown.stopY(this.state.x, 0, HEIGHT);
  }

  get place(): Position | undefined {
    return this.#inWorld ? { x: this.state.x, y: this.state.y } : undefined;
  }

  start(nowMs: number): readonly SlimeClientMessage[] {
    this.#lastMs = nowMs;
    this.#starts += 1;
    this.wantsReconnect = false;
    if (this.#starts > 1) {
      this.#keys.reset();
      this.#debouncer.reset();
      const { x, y, sprDir } = this.state;
      Object.assign(this.state, createMovementState({ x, y, sprDir }));
    }
    if (!this.#login) return [this.#say(outgoing("landing", this.state.x, this.state.y))];
    this.#inWorld = false;
    const name = `player${this.#options.number}`;
    return [{ message: "login", value: { version: "0.106", user: name, password: name, mac: "" } }];
  }

  receive(message: SlimeServerMessage, nowMs: number): readonly SlimeClientMessage[] {
    if (message.message === "login" && message.value.result === "success") {
      this.#playerId = message.value.playerId;
      this.#inWorld = true;
      this.#lastMs = nowMs;
      this.#goTo(message.value.room, message.value.x, message.value.y);
      return [this.#say(outgoing("landing", this.state.x, this.state.y))];
    }
    if (message.message === "newPlayer" && message.value.kind === "announce") {
      const { playerId } = message.value;
      const [x, y] = [toWireCoordinate(this.state.x), toWireCoordinate(this.state.y)];
      return [{ message: "newPlayer", value: { playerId, x, y } }];
    }
    if (message.message === "ping") return [{ message: "ping", value: {} }];
    if (message.message === "position" && message.value.playerId === this.#playerId) {
      this.corrected += 1;
      const { x, y } = message.value;
      Object.assign(this.state, { x, y, hsp: 0, vsp: 0 });
    }
    if (message.message === "warp" && message.value.kind === "command") {
      this.corrected += 1;
      this.#goTo(message.value.room, message.value.x, message.value.y);
    }
    return [];
  }

  step(nowMs: number): readonly SlimeClientMessage[] {
    const out: SlimeClientMessage[] = [];
    if (!this.#inWorld) return out;
    const frames = Math.floor((nowMs - this.#lastMs) / FRAME_MS);
    this.#lastMs += frames * FRAME_MS;
    for (let frame = 0; frame < frames; frame++) this.#play(out);
    if (this.#options.random.chance(0.00005)) this.wantsReconnect = true;
    return out;
  }

  #play(out: SlimeClientMessage[]): void {
    const { random } = this.#options;
    this.#frame += 1;
    for (const message of this.#debouncer.flush(this.#frameMs)) out.push(this.#say(message));
    if (--this.#moodFrames <= 0) this.#changeMood();
    for (const key of allKeys) {
      const [press, release] = this.#chances.get(key) ?? [0, 0];
      const isDown = this.#keys.isDown(key);
      if (random.chance(isDown ? release : press)) this.#set(key, !isDown, out);
    }
    stepPhysics(this.state, physicsConstants, "documented", this.#geometry);
    const landing = this.#keys.afterStep(this.state);
    if (landing !== undefined) this.#send(landing, out);
    this.#useDoor(out);
  }

  #changeMood(): void {
    const { random } = this.#options;
    this.#moodFrames = random.integer(30, MOOD_FRAMES);
    // From a key in fifteen seconds to four in one.
    const chance = (): number => QUICKEST * 0.02 ** random.next();
    for (const key of allKeys) {
      const isSeldom = random.chance(key === "down" ? 0.8 : 0.25);
      this.#chances.set(key, [isSeldom ? 0 : chance(), chance()]);
    }
  }

  #set(key: Key, down: boolean, out: SlimeClientMessage[]): void {
    const message = this.#keys.set(key, down, this.state);
    if (message === undefined) return;
    updateMovementState(this.state, message.direction);
    this.#send(message, out);
  }

  #useDoor(out: SlimeClientMessage[]): void {
    const { random, rooms } = this.#options;
    if (!this.#login || this.state.free) return;
    const { x, y } = this.state;
    const doors = rooms[this.#room - 1]?.doors ?? [];
    const door = doors.find(
      ({ x: left, y: top, w = 0, h = 0 }) => x >= left && x <= left + w && y >= top && y <= top + h,
    );
    if (door === undefined || !random.chance(0.05)) return;
    const { room = this.#room, x: toX = x, y: toY = y } = door.to;
    this.#debouncer.reset();
    this.#keys.reset();
    out.push({ message: "warp", value: { room, x: toX, y: toY } });
    this.#goTo(room, toX, toY);
  }

  #goTo(room: number, x: number, y: number): void {
    this.#room = room;
    this.#keys.reset();
    this.#debouncer.reset();
    const { unknown } = this.#options;
    Object.assign(this.state, createMovementState({ x, y: unknown === undefined ? y : unknown.stopY(x, y, y) }));
  }

  #send(message: Outgoing, out: SlimeClientMessage[]): void {
    for (const each of this.#debouncer.push(message, this.#frameMs)) out.push(this.#say(each));
  }

  #say({ direction, x, y }: Outgoing): SlimeClientMessage {
    return { message: "movePlayer", value: movePlayer(direction, x, y) };
  }

  get #frameMs(): number {
    return this.#frame * FRAME_MS;
  }

  get #geometry(): RoomGeometry | undefined {
    return this.#options.unknown ?? this.#options.rooms[this.#room - 1]?.geometry;
  }
}
