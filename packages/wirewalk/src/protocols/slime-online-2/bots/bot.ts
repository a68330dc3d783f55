/**
 * A player made of code: it walks, jumps, crouches and swims with the client's own physics and key handling, and so
 * sends just what a client would. Some do worse, on purpose.
 *
 * ```ts
 * const bot = createSlimeBot({ dialect: "documented", random: createRandom(1), number: 0, cheat: "none" });
 * bot.start(0);
 * bot.step(16); // messages to send, now and then
 * ```
 */
import type { Random } from "../../../motion/index.ts";
import type { Bot, BotOptions } from "../../bot.ts";
import { type DemoRoom, demoRoom } from "../movement/demo-rooms.ts";
import { flatGeometry, type RoomGeometry } from "../movement/geometry.ts";
import { KeyHandler, type Outgoing, outgoing, toWireCoordinate } from "../movement/keys.ts";
import { createMovementState, type MovementState, updateMovementState } from "../movement/movement-state.ts";
import { stepPhysics } from "../movement/physics.ts";
import { type PhysicsConstants, physicsConstants, withFactors } from "../movement/physics-constants.ts";
import type { SlimeClientMessage, SlimeServerMessage } from "../wire/codec.ts";
import { dialectRules } from "../wire/dialect.ts";
import type { Key } from "../wire/direction.ts";
import { movePlayer } from "../wire/move-player.ts";

/**
 * What `--cheat` takes. `teleport` claims places far away, `jump-teleport` does it in the jump, which carries x alone,
 * `speed` runs eight times too fast, `key-spam` presses keys faster than a frame.
 */
export const slimeCheats = ["teleport", "jump-teleport", "speed", "key-spam"] as const;

const FRAME_MS = 1000 / physicsConstants.framesPerSecond;
/** Frames that are played at most in one step, after a stall of our own process: half a minute. */
const MAX_FRAMES = 1800;
const CHEAT_SPEED = 8;
/** Far enough that no saved second of travel explains it. */
const TELEPORT_PX = 4000;
/** Frames between two teleports: two seconds, so that whoever tries it sees the ban after eleven. */
const TELEPORT_EVERY_FRAMES = 120;
/** Where a runner turns, for whom walls are none: short of the last position that a u16 holds. */
const OPEN_WIDTH = 65_000;
/** Messages that `key-spam` sends in a frame: 120 a second. */
const SPAM_PER_FRAME = 2;

/** The options of this game's bots beyond those of every bot. */
export interface SlimeBotOptions extends BotOptions {
  /** Demo room that the bot believes to be in. Default: the one that `number` falls on where the server decides, 1. */
  readonly room?: number;
  /** Whether landings are told; honest clients may leave it. Default: every second bot does. */
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
  #room: DemoRoom;
  #geometry: RoomGeometry;
  #playerId: number | undefined;
  #inWorld: boolean;
  #lastFrameMs: number | undefined;
  #frame = 0;
  #plan: Plan = "idle";
  #planFrames = 0;
  #jumpFrames = 0;
  #crouchFrames = 0;

  constructor(options: SlimeBotOptions) {
    this.#options = options;
    this.#random = options.random;
    this.#login = !dialectRules(options.dialect).movementOnly;
    this.#inWorld = !this.#login;
    this.#keys = new KeyHandler({ sendLanding: options.sendLanding ?? options.number % 2 === 0 });
    const speed = options.speed ?? (options.cheat === "speed" ? CHEAT_SPEED : 1);
    this.#constants = {
      ...withFactors(physicsConstants, { speed, jump: 1 }),
      // A cheat that had to gather speed for seconds would be no use to anybody.
      accelGround: Math.fround(physicsConstants.accelGround * speed),
    };
    this.#room = this.#demo(options.room ?? 1);
    const { spawns } = this.#room;
    this.state = createMovementState(spawns[options.number % spawns.length] ?? {});
    this.#geometry = this.#runs ? flatGeometry(this.state.y) : this.#room.geometry;
  }

  start(nowMs: number): readonly SlimeClientMessage[] {
    this.#lastFrameMs = nowMs;
    if (this.#login) {
      // Two flocks of one seed and server would take each other's accounts without a part of their own.
      const name = `bot${this.#options.number}-${this.#random.integer(0, 0xfff).toString(16)}`;
      return [{ message: "login", value: { version: "0.106", user: name, password: name, mac: "" } }];
    }
    // Where it comes in is what everything later is measured from.
    return [this.#say(outgoing("landing", this.state.x, this.state.y))];
  }

  receive(message: SlimeServerMessage, _nowMs: number): readonly SlimeClientMessage[] {
    switch (message.message) {
      case "login":
        if (message.value.result !== "success") return [];
        this.#playerId = message.value.playerId;
        this.#inWorld = true;
        this.#place(message.value.room, message.value.x, message.value.y);
        return [this.#say(outgoing("landing", this.state.x, this.state.y))];
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
    this.#decide(out);
    stepPhysics(this.state, this.#constants, "documented", this.#geometry);
    const landing = this.#keys.afterStep(this.state);
    if (landing !== undefined) out.push(this.#say(landing));
    this.#misbehave(out);
  }

  /** What a bored person does: walks one way for a while, then another, and jumps and crouches on the way. */
  #decide(out: SlimeClientMessage[]): void {
    const random = this.#random;
    this.#planFrames -= 1;
    const { x } = this.state;
    const width = this.#runs ? OPEN_WIDTH : this.#room.width;
    const wall = (this.#plan === "left" && x < 30) || (this.#plan === "right" && x > width - 30);
    if (this.#planFrames <= 0 || wall) {
      this.#plan = wall ? (this.#plan === "left" ? "right" : "left") : this.#runs ? "right" : random.pick(plans);
      this.#planFrames = this.#runs ? random.integer(8, 14) : random.integer(20, 150);
      // A runner taps its key, so that its places are heard of while it runs.
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

  /** Who is too fast is so to get somewhere: straight on, through walls. */
  get #runs(): boolean {
    return this.#constants.hspMax > physicsConstants.hspMax;
  }

  #misbehave(out: SlimeClientMessage[]): void {
    const { cheat } = this.#options;
    const due = this.#frame % TELEPORT_EVERY_FRAMES === 60;
    if (cheat === "key-spam") {
      for (let index = 0; index < SPAM_PER_FRAME; index++) {
        out.push(this.#say({ direction: index % 2 === 0 ? "downPress" : "downRelease" }));
      }
    } else if (cheat === "teleport" && due) {
      // True first, so that no time is saved up that would allow the leap.
      out.push(this.#say(outgoing("landing", this.state.x, this.state.y)));
      out.push(this.#say(outgoing("landing", this.state.x + TELEPORT_PX, this.state.y)));
    } else if (cheat === "jump-teleport" && due) {
      out.push(this.#say(outgoing("landing", this.state.x, this.state.y)));
      if (this.#keys.isDown("up")) this.#press("up", false, out);
      out.push(this.#say(outgoing("upPress", this.state.x + TELEPORT_PX, this.state.y)));
    }
  }

  #press(key: Key, down: boolean, out: SlimeClientMessage[]): void {
    const message = this.#keys.set(key, down, this.state);
    if (message === undefined) return;
    updateMovementState(this.state, message.direction, undefined, undefined, this.#constants.jumpSpeed);
    out.push(this.#say(message));
  }

  #say(message: Outgoing): SlimeClientMessage {
    return { message: "movePlayer", value: movePlayer(message.direction, message.x, message.y) };
  }

  /**
   * Positions from the server override the client's. Only `v0106` says who we are; a `documented` bot cannot tell its
   * own correction from another's landing, and plays on as a client does that was never told its id.
   */
  #corrected(x: number, y: number): void {
    this.state.x = x;
    this.state.y = y;
    this.state.hsp = 0;
    this.state.vsp = 0;
  }

  #place(room: number, x: number, y: number): void {
    this.#room = this.#demo(room);
    this.#geometry = this.#runs ? flatGeometry(y) : this.#room.geometry;
    Object.assign(this.state, createMovementState({ x, y }));
  }

  /** The demo room of that number, or the first where the server has rooms that we do not know. */
  #demo(room: number): DemoRoom {
    const found = demoRoom(room) ?? demoRoom(1);
    if (found === undefined) throw new RangeError("There are no demo rooms");
    return found;
  }
}

const plans: readonly Plan[] = ["idle", "left", "right"];
