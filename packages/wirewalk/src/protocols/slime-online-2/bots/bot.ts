/**
 * A player made of code: it walks, jumps, crouches and swims with the client's own physics, key handling and debounce,
 * so it sends what a client would. Some cheat, on purpose.
 *
 * ```ts
 * const bot = createSlimeBot({ dialect: "documented", random: createRandom(1), number: 0, cheat: "none" });
 * bot.start(0);
 * bot.step(16); // messages to send, now and then
 * ```
 */
import type { Position, Random } from "../../../motion/index.ts";
import type { Bot, BotOptions } from "../../bot.ts";
import { type DemoRoom, demoRoom, demoRooms } from "../maps/demo-rooms.ts";
import { flatGeometry, type RoomGeometry } from "../maps/geometry.ts";
import type { RoomDoor } from "../maps/room.ts";
import { MovementDebouncer } from "../movement/debouncer.ts";
import { KeyHandler, type Outgoing, outgoing, toWireCoordinate } from "../movement/keys.ts";
import { createMovementState, type MovementState, updateMovementState } from "../movement/movement-state.ts";
import { stepPhysics } from "../movement/physics.ts";
import { type PhysicsConstants, physicsConstants, withFactors } from "../movement/physics-constants.ts";
import type { SlimeClientMessage, SlimeServerMessage } from "../wire/codec.ts";
import { dialectRules } from "../wire/dialect.ts";
import type { Direction, Key } from "../wire/direction.ts";
import { movePlayer } from "../wire/move-player.ts";
import { type FalseMover, falseMoves } from "./false-moves.ts";

/**
 * The values of `--cheat`. `teleport` claims places far away, `jump-teleport` does so with a jump, which carries x alone,
 * `speed` runs eight times too fast and `speed-1.05` to `speed-5` by that factor, `key-spam` presses keys faster than a frame.
 * `slow-teleport` leaps every 13 seconds, `idle-jump` rests half a minute before each leap across the room, `climb` rises
 * 400 px in 0.6 s with one press of up, `warp` claims doors within its room (in dialects without doors, landings) five times
 * a second, `reconnect` comes back elsewhere every ten seconds. `air-stairs` jumps from the highest point of its jumps, `wall` runs on
 * through the wall of a room, `glide` moves at running speed without a key, `rest-burst` rests for 6.2 s and then claims to have run for 5.
 * `door-hop` goes out of its room and back to any place 1.3 times a second (in dialects without doors it claims the places alone),
 * `room-hop` does the same in rooms that the server does not know, `anywhere` begins far from where players come in (in dialects with a
 * login the server says where). `zigzag` rises 100 px for each 50 px aside, `air-landing` lands in the air every 200 ms and jumps from there,
 * `jump-cancel` does so at the top of its jumps, `swim-rise` rises as in water without a key, `hover` jumps and gets on without a key,
 * `rest-sprint` rests for 12 s and then runs 600 px within a frame, `held-silence` runs 12 % too fast while it is silent.
 * `crouch-run` runs with the down key held, `chat-flood` says 1,000 letters 50 times a second (in dialects without chat it plays on).
 */
export const slimeCheats = [
  "teleport",
  "jump-teleport",
  "slow-teleport",
  "idle-jump",
  "climb",
  "warp",
  "door-hop",
  "room-hop",
  "anywhere",
  "zigzag",
  "air-landing",
  "jump-cancel",
  "swim-rise",
  "hover",
  "rest-sprint",
  "held-silence",
  "reconnect",
  "air-stairs",
  "wall",
  "glide",
  "rest-burst",
  "crouch-run",
  "chat-flood",
  "speed",
  "speed-5",
  "speed-1.5",
  "speed-1.1",
  "speed-1.05",
  "key-spam",
] as const;

const FRAME_MS = 1000 / physicsConstants.framesPerSecond;
/** The most frames of one step, after a stall of the bot's own process: half a minute. */
const MAX_FRAMES = 1800;
const CHEAT_SPEED = 8;
/** Far enough that no saved second of travel explains it. */
const TELEPORT_PX = 4000;
/** Frames between two teleports: two seconds, so the sixth one leads to the ban after eleven seconds. */
const TELEPORT_EVERY_FRAMES = 120;
/** Where a bot that runs through walls turns: short of the last position that a u16 holds. */
const OPEN_WIDTH = 65_000;
/** `slow-teleport`: every 13 seconds, so that no six of them lie within a minute. */
const SLOW_EVERY_FRAMES = 780;
const IDLE_EVERY_FRAMES = 1800;
const IDLE_JUMP_PX = 50_000;
const CLIMB_FRAMES = 36;
const CLIMB_PX = 400;
const WARP_EVERY_FRAMES = 12;
const HOP_EVERY_FRAMES = 46;
const RECONNECT_EVERY_FRAMES = 600;
/** `air-stairs`: a jump rises for 20 frames, by 44.9 px. */
const STAIR_FRAMES = 21;
const STAIR_PX = 44;
const GLIDE_FRAMES = 3;
const CROUCH_FRAMES = 12;
/** `crouch-run`: the share of its way that its own physics does not go. */
const CROUCH_SHARE = 0.8;
const REST_FRAMES = 372;
const REST_PX = 750;
/** `chat-flood`: sent in five of six frames. */
const FLOOD_TEXT = "a".repeat(1000);
/** Messages that `key-spam` sends in a frame: 120 a second. */
const SPAM_PER_FRAME = 2;
/** In each frame in which it stands before a door. */
const DOOR_CHANCE = 0.25;

/** The options of a Slime bot beyond those of every bot. */
export interface SlimeBotOptions extends BotOptions {
  /** The demo room whose shape the bot plays in. Default 1, where the server puts a player that asks for no room. */
  readonly room?: number;
  /** Whether landings are sent; honest clients may leave them out. Default: every second bot sends them. */
  readonly sendLanding?: boolean;
  /** Multiplies the running speed; above 1 without a soda is a cheat. Default 1, or 8 for `speed`. */
  readonly speed?: number;
}

type Plan = "idle" | "left" | "right";

/** Plays one slime. Pure: state and clock in, messages out. */
export class SlimeBot implements Bot<SlimeClientMessage, SlimeServerMessage> {
  readonly stepMs = FRAME_MS;
  readonly state: MovementState;
  readonly #random: Random;
  readonly #options: SlimeBotOptions;
  readonly #login: boolean;
  readonly #constants: PhysicsConstants;
  readonly #keys: KeyHandler;
  /** Undefined for cheats, whose clients send when they want. */
  readonly #debouncer: MovementDebouncer | undefined;
  #room: DemoRoom;
  #roomNumber = 1;
  #geometry: RoomGeometry;
  /** The login, the same in every session. */
  #name: string | undefined;
  #playerId: number | undefined;
  #inWorld: boolean;
  #lastFrameMs: number | undefined;
  #frame = 0;
  #plan: Plan = "idle";
  #planFrames = 0;
  #jumpFrames = 0;
  #crouchFrames = 0;
  #starts = 0;
  #wantsReconnect = false;
  /** The way that `glide` goes: 1 to the right, -1 to the left. */
  #glides = 1;

  constructor(options: SlimeBotOptions) {
    this.#options = options;
    this.#random = options.random;
    this.#login = !dialectRules(options.dialect).movementOnly;
    this.#inWorld = !this.#login;
    this.#keys = new KeyHandler({ sendLanding: options.sendLanding ?? options.number % 2 === 0 });
    const speed = options.speed ?? speedOf(options.cheat);
    this.#constants = {
      ...withFactors(physicsConstants, { speed, jump: 1 }),
      // At the game's acceleration a cheat would take seconds to reach its speed.
      accelGround: Math.fround(physicsConstants.accelGround * speed),
    };
    this.#debouncer = options.cheat === "none" && !this.#runs ? new MovementDebouncer() : undefined;
    this.#room = this.#demo(options.room ?? 1);
    const { spawns } = this.#room;
    this.state = createMovementState(spawns[options.number % spawns.length] ?? {});
    this.#geometry = this.#runs ? flatGeometry(this.state.y) : this.#room.geometry;
  }

  get place(): Position | undefined {
    return this.#inWorld ? { x: this.state.x, y: this.state.y } : undefined;
  }

  get wantsReconnect(): boolean {
    return this.#wantsReconnect;
  }

  start(nowMs: number): readonly SlimeClientMessage[] {
    this.#lastFrameMs = nowMs;
    this.#starts += 1;
    this.#wantsReconnect = false;
    if (this.#starts > 1) {
      // To lose the connection releases all keys (docs/protocols/slime-online-2.md, standard 5.4).
      this.#keys.reset();
      this.#debouncer?.reset();
      const { x, y, sprDir } = this.state;
      Object.assign(this.state, createMovementState({ x, y, sprDir }));
    }
    if (this.#login) {
      // Where it is comes with the answer.
      this.#inWorld = false;
      // Two groups of bots with one seed on one server would share accounts without a random part.
      this.#name ??= `bot${this.#options.number}-${this.#random.integer(0, 0xfff).toString(16)}`;
      const name = this.#name;
      return [{ message: "login", value: { version: "0.106", user: name, password: name, mac: "" } }];
    }
    if (this.#leapsNow || this.#options.cheat === "anywhere") this.#leap();
    // Later positions are measured from this one.
    return [this.#move(outgoing("landing", this.state.x, this.state.y))];
  }

  receive(message: SlimeServerMessage, nowMs: number): readonly SlimeClientMessage[] {
    switch (message.message) {
      case "login":
        if (message.value.result !== "success") return [];
        this.#playerId = message.value.playerId;
        this.#inWorld = true;
        // Its play begins now: the time of the login, which may be seconds on a busy server, is not played.
        this.#lastFrameMs = nowMs;
        this.#place(message.value.room, message.value.x, message.value.y);
        if (this.#leapsNow || this.#options.cheat === "anywhere") this.#leap();
        return [this.#move(outgoing("landing", this.state.x, this.state.y))];
      case "newPlayer":
        if (message.value.kind !== "announce") return [];
        return [
          {
            message: "newPlayer",
            value: {
              playerId: message.value.playerId,
              x: toWireCoordinate(this.state.x),
              y: toWireCoordinate(this.state.y),
            },
          },
        ];
      case "ping":
        return [{ message: "ping", value: {} }];
      case "position":
        if (message.value.playerId === this.#playerId) this.#corrected(message.value.x, message.value.y);
        return [];
      case "warp":
        if (message.value.kind === "command") {
          this.#place(message.value.room, message.value.x, message.value.y);
          this.#keys.reset();
          this.#debouncer?.reset();
        }
        return [];
      default:
        return [];
    }
  }

  step(nowMs: number): readonly SlimeClientMessage[] {
    if (!this.#inWorld || this.#lastFrameMs === undefined) return [];
    const frames = Math.floor((nowMs - this.#lastFrameMs) / FRAME_MS);
    if (frames <= 0) return [];
    this.#lastFrameMs += frames * FRAME_MS;
    const out: SlimeClientMessage[] = [];
    for (let frame = Math.min(frames, MAX_FRAMES); frame > 0; frame--) this.#playFrame(out);
    return out;
  }

  #playFrame(out: SlimeClientMessage[]): void {
    this.#frame += 1;
    for (const message of this.#debouncer?.flush(this.#frameMs) ?? []) out.push(this.#move(message));
    this.#decide(out);
    // Who claims where it is stands there, whatever is below.
    if (!Object.hasOwn(falseMoves, this.#options.cheat))
      stepPhysics(this.state, this.#constants, "documented", this.#geometry);
    const landing = this.#keys.afterStep(this.state);
    if (landing !== undefined) this.#send(landing, out);
    this.#useDoor(out);
    this.#misbehave(out);
  }

  /** Walks one way for a while, then another, and jumps and crouches on the way. */
  #decide(out: SlimeClientMessage[]): void {
    const random = this.#random;
    if (standing.has(this.#options.cheat) || Object.hasOwn(falseMoves, this.#options.cheat)) return;
    this.#planFrames -= 1;
    const { x } = this.state;
    const width = this.#runs ? OPEN_WIDTH : this.#room.width;
    const wall = (this.#plan === "left" && x < 30) || (this.#plan === "right" && x > width - 30);
    if (this.#planFrames <= 0 || wall) {
      this.#plan = wall ? (this.#plan === "left" ? "right" : "left") : this.#runs ? "right" : random.pick(plans);
      this.#planFrames = this.#runs ? random.integer(8, 14) : random.integer(20, 150);
      // A runner taps its key: each press and release reports a position while it runs.
      if (this.#runs) this.#press("right", false, out);
      this.#press("left", this.#plan === "left", out);
      this.#press("right", this.#plan === "right", out);
    }
    this.#jumpFrames -= 1;
    if (this.#keys.isDown("up")) {
      if (this.#jumpFrames <= 0) this.#press("up", false, out);
    } else if (this.state.inWater ? random.chance(0.1) : !this.#runs && !this.state.free && random.chance(0.012)) {
      this.#jumpFrames = random.integer(4, 30);
      this.#press("up", true, out);
    }
    this.#crouchFrames -= 1;
    if (this.#keys.isDown("down")) {
      if (this.#crouchFrames <= 0) this.#press("down", false, out);
    } else if (!this.#runs && !this.state.free && random.chance(0.003)) {
      this.#crouchFrames = random.integer(10, 60);
      this.#press("down", true, out);
    }
  }

  /** Now and then an honest bot goes through a door that it stands before, in dialects with doors. */
  #useDoor(out: SlimeClientMessage[]): void {
    if (!this.#login || this.#options.cheat !== "none" || this.#runs || this.state.free) return;
    // In rooms that are not the demo's it does not know the doors.
    const doors = demoRoom(this.#roomNumber)?.doors ?? [];
    const { x, y } = this.state;
    const door = doors.find((each) => isAt(each, x, y));
    if (door === undefined || !this.#random.chance(DOOR_CHANCE)) return;
    const { room = this.#roomNumber, x: toX = x, y: toY = y } = door.to;
    // A change of room drops what waits and releases all keys (standard 5.4, 7.4).
    this.#debouncer?.reset();
    this.#keys.reset();
    this.#plan = "idle";
    this.#planFrames = 0;
    out.push({ message: "warp", value: { room, x: toX, y: toY } });
    this.#place(room, toX, toY);
  }

  /** A bot that is too fast runs straight on, through walls. */
  get #runs(): boolean {
    return this.#constants.hspMax > physicsConstants.hspMax;
  }

  #misbehave(out: SlimeClientMessage[]): void {
    const { cheat } = this.#options;
    const every = cheat === "slow-teleport" ? SLOW_EVERY_FRAMES : TELEPORT_EVERY_FRAMES;
    const due = this.#frame % every === 60;
    if (Object.hasOwn(falseMoves, cheat)) falseMoves[cheat]?.(this.#mover(out));
    if (cheat === "key-spam") {
      for (let index = 0; index < SPAM_PER_FRAME; index++) {
        out.push(this.#move({ direction: index % 2 === 0 ? "downPress" : "downRelease" }));
      }
    } else if ((cheat === "teleport" || cheat === "slow-teleport") && due) {
      // The true position first: it uses up the saved time that could allow the leap.
      out.push(this.#move(outgoing("landing", this.state.x, this.state.y)));
      out.push(this.#move(outgoing("landing", this.state.x + TELEPORT_PX, this.state.y)));
    } else if (cheat === "jump-teleport" && due) {
      out.push(this.#move(outgoing("landing", this.state.x, this.state.y)));
      if (this.#keys.isDown("up")) this.#press("up", false, out);
      out.push(this.#move(outgoing("upPress", this.state.x + TELEPORT_PX, this.state.y)));
    } else if (cheat === "idle-jump" && this.#frame % IDLE_EVERY_FRAMES === IDLE_EVERY_FRAMES - 1) {
      out.push(this.#move(outgoing("landing", this.state.x + IDLE_JUMP_PX, this.state.y)));
    } else if (cheat === "climb") {
      this.#climb(out);
    } else if (cheat === "air-stairs" && this.#frame % STAIR_FRAMES === 0) {
      this.#stair(out);
    } else if (cheat === "wall" || cheat === "glide" || cheat === "crouch-run") {
      this.#goOn(out);
    } else if (cheat === "rest-burst" && this.#frame % REST_FRAMES === 0) {
      this.#burst(out);
    } else if (cheat === "warp" && this.#frame % WARP_EVERY_FRAMES === 0) {
      out.push(this.#door());
    } else if ((cheat === "door-hop" || cheat === "room-hop") && this.#frame % HOP_EVERY_FRAMES === 0) {
      out.push(this.#hop());
    } else if (cheat === "chat-flood" && this.#login) {
      if (this.#frame % 6 !== 0) out.push({ message: "chat", value: { text: FLOOD_TEXT } });
    } else if (cheat === "reconnect" && this.#frame % RECONNECT_EVERY_FRAMES === 0) {
      this.#wantsReconnect = true;
    }
  }

  #mover(out: SlimeClientMessage[]): FalseMover {
    const move = (direction: Direction, dx: number, dy = 0): void => {
      this.state.x += dx;
      this.state.y += dy;
      this.state.free = false;
      out.push(this.#move(outgoing(direction, this.state.x, this.state.y)));
    };
    return {
      frame: this.#frame,
      x: this.state.x,
      y: this.state.y,
      land: (dx, dy) => move("landing", dx, dy),
      jump: (dx) => {
        move("upPress", dx);
        out.push(this.#move({ direction: "upRelease" }));
      },
      press: (key, down) => this.#press(key, down, out),
    };
  }

  #climb(out: SlimeClientMessage[]): void {
    const { x, y } = this.state;
    const phase = this.#frame % TELEPORT_EVERY_FRAMES;
    if (phase === 60) {
      out.push(this.#move(outgoing("landing", x, y)), this.#move(outgoing("upPress", x, y)));
      out.push(this.#move({ direction: "upRelease" }));
    } else if (phase === 60 + CLIMB_FRAMES) out.push(this.#move(outgoing("landing", x, y - CLIMB_PX)));
  }

  /** Lands where its jump is highest, and jumps from there. */
  #stair(out: SlimeClientMessage[]): void {
    const { x, y } = this.state;
    if (this.#keys.isDown("up")) {
      this.#keys.set("up", false, this.state);
      out.push(this.#move({ direction: "upRelease" }), this.#move(outgoing("landing", x, y - STAIR_PX)));
    }
    this.#keys.set("up", true, this.state);
    out.push(this.#move(outgoing("upPress", x, y)));
  }

  /** To the right at running speed: `wall` with the key held and through walls, `glide` with all keys up, to and fro; `crouch-run` with down held as well. */
  #goOn(out: SlimeClientMessage[]): void {
    const every = this.#options.cheat === "crouch-run" ? CROUCH_FRAMES : GLIDE_FRAMES;
    if (this.#frame % every !== 0) return;
    const way = physicsConstants.hspMax * every;
    if (this.#options.cheat === "wall") {
      if (!this.#keys.isDown("right")) this.#press("right", true, out);
      this.state.x = Math.min(OPEN_WIDTH, this.state.x + way);
    } else {
      if (this.state.x > this.#room.width - way) this.#glides = -1;
      if (this.state.x < way) this.#glides = 1;
      const isCrouching = this.#options.cheat === "crouch-run";
      if (isCrouching) {
        if (!this.#keys.isDown("down")) this.#press("down", true, out);
        this.#hold(this.#glides > 0 ? "right" : "left", out);
      }
      this.state.x += (isCrouching ? CROUCH_SHARE : 1) * way * this.#glides;
    }
    out.push(this.#move(outgoing("landing", this.state.x, this.state.y)));
  }

  /** Holds that one of left and right. */
  #hold(key: "left" | "right", out: SlimeClientMessage[]): void {
    const other = key === "left" ? "right" : "left";
    if (this.#keys.isDown(other)) this.#press(other, false, out);
    if (!this.#keys.isDown(key)) this.#press(key, true, out);
  }

  /** A press and a release at once, with what it could have run while it rested in between: to and fro. */
  #burst(out: SlimeClientMessage[]): void {
    const [key, way] =
      this.state.x < this.#room.width / 2 ? (["right", REST_PX] as const) : (["left", -REST_PX] as const);
    this.#press(key, true, out);
    this.state.x += way;
    this.#press(key, false, out);
  }

  /** A door that leads to the other end of its own room, or in dialects without doors just that place. */
  #door(): SlimeClientMessage {
    const { x, y } = outgoing(
      "landing",
      this.state.x + TELEPORT_PX * ((this.#frame / WARP_EVERY_FRAMES) % 2),
      this.state.y,
    );
    if (!this.#login || x === undefined || y === undefined) {
      return this.#move(outgoing("landing", x ?? 0, y ?? 0));
    }
    return { message: "warp", value: { room: this.#roomNumber, x, y } };
  }

  /** Out of its room, and back to another place in it. */
  #hop(): SlimeClientMessage {
    const x = this.#random.integer(0, OPEN_WIDTH);
    if (!this.#login) return this.#move(outgoing("landing", x, this.state.y));
    const isOut = (this.#frame / HOP_EVERY_FRAMES) % 2 === 1;
    const room = isOut ? (this.#roomNumber % demoRooms.length) + 1 : this.#roomNumber;
    return { message: "warp", value: { room, x, y: toWireCoordinate(this.state.y) } };
  }

  get #leapsNow(): boolean {
    return this.#starts > 1 && this.#options.cheat === "reconnect";
  }

  #leap(): void {
    this.state.x = (this.state.x + TELEPORT_PX) % OPEN_WIDTH;
  }

  #press(key: Key, down: boolean, out: SlimeClientMessage[]): void {
    const message = this.#keys.set(key, down, this.state);
    if (message === undefined) return;
    updateMovementState(this.state, message.direction, undefined, undefined, this.#constants.jumpSpeed);
    this.#send(message, out);
  }

  /** Sends a message now, or in the next frame if one was sent in this frame already. */
  #send(message: Outgoing, out: SlimeClientMessage[]): void {
    const due = this.#debouncer === undefined ? [message] : this.#debouncer.push(message, this.#frameMs);
    for (const each of due) out.push(this.#move(each));
  }

  /** The bot's own clock: a step that plays several frames sends as they would have been sent one by one. */
  get #frameMs(): number {
    return this.#frame * FRAME_MS;
  }

  #move(message: Outgoing): SlimeClientMessage {
    return { message: "movePlayer", value: movePlayer(message.direction, message.x, message.y) };
  }

  /**
   * Positions from the server override the client's. Only `v0106` tells a client its id; a `documented` bot cannot tell its
   * own correction from another player's landing, and plays on (docs/protocols/slime-online-2.md, standard 7.5).
   */
  #corrected(x: number, y: number): void {
    this.state.x = x;
    this.state.y = y;
    this.state.hsp = 0;
    this.state.vsp = 0;
  }

  #place(room: number, x: number, y: number): void {
    this.#roomNumber = room;
    this.#room = this.#demo(room);
    this.#geometry = this.#runs ? flatGeometry(y) : this.#room.geometry;
    Object.assign(this.state, createMovementState({ x, y }));
  }

  /** The demo room with that number; the first one for any other room of the server. */
  #demo(room: number): DemoRoom {
    const found = demoRoom(room) ?? demoRoom(1);
    if (found === undefined) throw new RangeError("There are no demo rooms");
    return found;
  }
}

/** Cheats that stand still but for what they claim. */
const standing: ReadonlySet<string> = new Set([
  "idle-jump",
  "climb",
  "warp",
  "door-hop",
  "room-hop",
  "air-stairs",
  "wall",
  "glide",
  "rest-burst",
  "crouch-run",
]);

function speedOf(cheat: string): number {
  if (cheat === "speed") return CHEAT_SPEED;
  return cheat.startsWith("speed-") ? Number(cheat.slice("speed-".length)) : 1;
}

/** Whether feet are in a door. */
function isAt({ x, y, w = 0, h = 0 }: RoomDoor, atX: number, atY: number): boolean {
  return atX >= x && atX <= x + w && atY >= y && atY <= y + h;
}

const plans: readonly Plan[] = ["idle", "left", "right"];
