/** The client of one session beside another server, as far as what that server sends it can be read. */
import type { PlayerId, Track } from "../../../../motion/index.ts";
import { i32le, u32le, WireError } from "../../../../wire/index.ts";
import { choice, copyState, list, maybe, number, type StateOf, state, text } from "../../../world-kit/index.ts";
import { TICK_MS } from "../wire/constants.ts";
import { PlayerInfoDecoder, type PlayerInfoDecoderOptions, savedDecoder } from "../wire/decoder.ts";
import type { PlayerMove } from "../wire/player-info-update.ts";
import { type ClickedWalk, savedClickedWalk } from "./clicked-walk.ts";
import { PLAYER_INFO_ROOM, turnsOf } from "./observations.ts";

const TICKS_PER_SECOND = 1000 / TICK_MS;

/** What a player did in the last packet: tiles along each axis, and how. */
const savedStep = state({ index: u32le, dx: i32le, dz: i32le, stance: choice("walk", "run", "teleport") });
export type Step = StateOf<typeof savedStep>;

export const savedShadowClient = state({
  id: number,
  name: text,
  index: maybe(u32le),
  fault: maybe(text),
  readMs: number,
  packetBytes: u32le,
  packets: u32le,
  steps: list(savedStep),
  walk: maybe(savedClickedWalk),
  decoder: maybe(savedDecoder),
});
type SavedShadowClient = StateOf<typeof savedShadowClient>;

export class ShadowClient {
  readonly id: PlayerId;
  readonly name: string;
  /** The index of its own player, which is not in the initialisation; undefined until the server sends it. */
  index: number | undefined;
  /** Why nothing is read until the next initialisation. */
  fault: string | undefined;
  /** When the last packet came. */
  readMs = 0;
  /** Bytes of the last packet; 0 before the first after an initialisation. */
  packetBytes = 0;
  /** Packets that were read since the initialisation. */
  packets = 0;
  /** What its own player goes after a click; undefined where a walk of any length is explained. */
  walk: ClickedWalk | undefined;
  readonly #options: PlayerInfoDecoderOptions;
  #decoder: PlayerInfoDecoder | undefined;
  /** By index, of those that moved in the last packet. */
  #steps = new Map<number, Step>();

  constructor(id: PlayerId, name: string, options: PlayerInfoDecoderOptions) {
    this.id = id;
    this.name = name;
    this.#options = options;
  }

  /** What the client knows now; undefined before an initialisation, and after a fault. */
  get decoder(): PlayerInfoDecoder | undefined {
    return this.fault === undefined ? this.#decoder : undefined;
  }

  /** The server begins anew. Where that cannot be read, `fault` says why. */
  initialise(bytes: Uint8Array, nowMs: number): void {
    const { index } = this;
    this.#steps.clear();
    this.packetBytes = 0;
    this.packets = 0;
    this.walk = undefined;
    if (index === undefined) {
      this.fault = "the server has not sent the client's own index";
      return;
    }
    // The client keeps appearances, so the decoder is kept too.
    this.#decoder ??= new PlayerInfoDecoder(this.#options);
    const decoder = this.#decoder;
    this.#guard(nowMs, () => decoder.init(bytes, index));
  }

  /**
   * Takes a packet; false after one that could not be read. Nothing is guessed then: `fault` says why, and the client waits for an
   * initialisation.
   */
  read(packet: Uint8Array, nowMs: number): boolean {
    if (this.fault !== undefined) return false;
    const { decoder } = this;
    if (decoder === undefined) {
      this.fault = "no initialisation came before the first packet that was seen";
      return true;
    }
    const [x, z] = [decoder.x.slice(), decoder.z.slice()];
    this.#guard(nowMs, () => {
      const { moves } = decoder.decode(packet);
      this.#steps = new Map(moves.map((move) => [move.index, stepOf(move, x, z)]));
      this.packetBytes = packet.length;
      this.packets += 1;
    });
    return true;
  }

  /** Who moved in the last packet, and how; none after one that could not be read. */
  get steps(): Iterable<Step> {
    return this.#steps.values();
  }

  /** Nothing is read until the next initialisation. */
  lose(why: string): void {
    this.fault = why;
    this.#steps.clear();
  }

  #guard(nowMs: number, read: () => void): void {
    try {
      read();
      this.fault = undefined;
      this.readMs = nowMs;
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.fault = error.message;
      this.#steps.clear();
    }
  }

  /** A player in view, its own too, as `player` of the world; undefined for others. */
  trackOf(index: number, player: PlayerId, nowMs: number): Track | undefined {
    const { decoder, name, packetBytes } = this;
    const seen = decoder?.player(index);
    if (decoder === undefined || seen === undefined) return undefined;
    const { level, x, z, orientation } = seen;
    const { dx = 0, dz = 0, stance = "stand" } = this.#steps.get(index) ?? {};
    const isJump = stance === "teleport";
    return {
      player,
      room: PLAYER_INFO_ROOM,
      atMs: nowMs,
      position: { x, y: z, level },
      velocity: isJump ? { x: 0, y: 0 } : { x: dx * TICKS_PER_SECOND, y: dz * TICKS_PER_SECOND },
      facingTurns: turnsOf(orientation),
      stance,
      source: "observed",
      details: { index, ...(index === decoder.localIndex ? { name, local: decoder.locals.length, packetBytes } : {}) },
    };
  }

  save(): SavedShadowClient {
    const { id, name, index, fault, readMs, packetBytes, packets, walk } = this;
    const plain = { id, name, index, fault, readMs, packetBytes, packets, walk };
    return copyState(savedShadowClient, { ...plain, steps: this.#steps.values(), decoder: this.#decoder });
  }

  /** Throws `TypeError` or `RangeError` for malformed data. */
  static restore(saved: SavedShadowClient, options: PlayerInfoDecoderOptions): ShadowClient {
    const { id, name, steps, decoder, walk, ...plain } = saved;
    const client = Object.assign(new ShadowClient(id, name, options), plain, { walk: walk && { ...walk } });
    client.#steps = new Map(steps.map((step) => [step.index, { ...step }]));
    if (decoder !== undefined) {
      client.#decoder = new PlayerInfoDecoder(options);
      client.#decoder.restore(decoder);
    }
    if (client.decoder?.localIndex === 0) throw new RangeError(`Cannot restore: client ${id} has no initialisation`);
    return client;
  }
}

function stepOf({ index, type, x, z }: PlayerMove, beforeX: Int32Array, beforeZ: Int32Array): Step {
  const stance = type === "walk" || type === "run" ? type : "teleport";
  return { index, dx: x - (beforeX[index] as number), dz: z - (beforeZ[index] as number), stance };
}
