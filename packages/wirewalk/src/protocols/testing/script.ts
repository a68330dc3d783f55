/**
 * A **script**: calls of a world, recorded once while bots, honest and cheating, play in it and damaged payloads arrive,
 * together with what the world answered. Rules play a script again, each with a difference that must not matter.
 */
import { createRandom, type PlayerId, type Random } from "../../motion/index.ts";
import type { PayloadCodec } from "../codec.ts";
import type { ProtocolWith } from "../protocol.ts";
import type { Effect, Joining, World, WorldOptions } from "../world.ts";
import { digestOf } from "../world-kit/index.ts";
import { mustEqual, show } from "./rule.ts";

/** One call of a world. */
export type WorldCall =
  | { readonly call: "join"; readonly player: PlayerId; readonly joining: Joining; readonly nowMs: number }
  | { readonly call: "receive"; readonly player: PlayerId; readonly payload: Uint8Array; readonly nowMs: number }
  | { readonly call: "leave" | "refresh" | "follow" | "unfollow"; readonly player: PlayerId; readonly nowMs: number }
  | { readonly call: "game"; readonly player: PlayerId; readonly seed: number; readonly nowMs: number }
  | { readonly call: "tick"; readonly nowMs: number };

/** What a world says of itself after a call, where the script asked it. */
export interface Checkpoint {
  readonly digest: bigint;
  readonly tracks: bigint;
}

export interface Script {
  readonly options: WorldOptions;
  readonly calls: readonly WorldCall[];
  /** What each call gave, and its digest at that time. */
  readonly effects: readonly (readonly Effect[])[];
  readonly digests: readonly bigint[];
  /** By index of the call that came before. */
  readonly checkpoints: ReadonlyMap<number, Checkpoint>;
}

/** What a test says of its protocol, where that is not the same for all. */
export interface PlayOptions {
  /** Rooms that players ask for; undefined leaves it to the world. Default: that alone. */
  readonly rooms?: readonly (string | undefined)[];
  /** Does to a player in a room what only game code does, such as hiding it or giving it a pet. */
  readonly gameCode?: (world: World, player: PlayerId, random: Random, nowMs: number) => void;
  /** How long bots play. Default 12 s. */
  readonly durationMs?: number;
}

/** Makes one call. The payload of a `receive` is read from `payload`, which the world is given too. */
export function perform(
  world: World,
  codec: PayloadCodec,
  call: WorldCall,
  gameCode: PlayOptions["gameCode"],
  payload = call.call === "receive" ? call.payload.slice() : undefined,
): void {
  const { nowMs } = call;
  switch (call.call) {
    case "join":
      world.join(call.player, call.joining, nowMs);
      break;
    case "receive":
      if (payload !== undefined) world.receive(call.player, codec.read("client", payload), payload, nowMs);
      break;
    case "leave":
      world.leave(call.player, nowMs);
      break;
    case "refresh":
      world.refresh(call.player, nowMs);
      break;
    case "follow":
      world.following?.follow(call.player, nowMs);
      break;
    case "unfollow":
      world.following?.unfollow(call.player);
      break;
    case "game":
      gameCode?.(world, call.player, createRandom(call.seed), nowMs);
      break;
    case "tick":
      world.tick(nowMs);
  }
}

export function checkpointOf(world: World, nowMs: number): Checkpoint {
  return { digest: world.digest(), tracks: digestOf(world.tracks(nowMs)) };
}

/** What may be done beside the calls of a script while it is played. */
export interface ReplayHooks {
  /** Before a call: another world may take over. */
  before?(world: World, index: number): World;
  /** Makes the call; default {@link perform}. */
  perform?(world: World, call: WorldCall, index: number): void;
  /** After the call, before its effects are taken. */
  after?(world: World, index: number): World;
  /** The call at which the play begins, in a world in which those before it were made. Default: the first, in a new world. */
  readonly from?: { readonly index: number; readonly world: World };
  /** Where the play differs, for errors. */
  readonly what?: string;
  /** With the effects that were taken. */
  taken?(world: World, effects: readonly Effect[], index: number): void;
}

/** Plays a script in a world. Throws where its effects, digests or tracks are not those of the script. */
export function replay(
  protocol: ProtocolWith<"createWorld">,
  script: Script,
  options: PlayOptions,
  hooks: ReplayHooks = {},
): World {
  const codec = protocol.codec(script.options.dialect);
  const { index: first, world: begun } = hooks.from ?? { index: 0, world: protocol.createWorld(script.options) };
  let world = begun;
  const what = hooks.what === undefined ? "" : ` ${hooks.what}`;
  script.calls.slice(first).forEach((call, at) => {
    const index = first + at;
    world = hooks.before?.(world, index) ?? world;
    if (hooks.perform === undefined) perform(world, codec, call, options.gameCode);
    else hooks.perform(world, call, index);
    world = hooks.after?.(world, index) ?? world;
    const effects = world.takeEffects();
    hooks.taken?.(world, effects, index);
    if (digestOf(effects) !== script.digests[index]) {
      mustEqual(effects, script.effects[index], () => `Effects of call ${index} (${show(call)})${what}`);
    }
    const checkpoint = script.checkpoints.get(index);
    if (checkpoint === undefined) return;
    const found = checkpointOf(world, call.nowMs);
    const place = `after call ${index} (${show(call)})${what}`;
    mustEqual(found.digest, checkpoint.digest, () => `The digest ${place}`);
    mustEqual(found.tracks, checkpoint.tracks, () => `The digest of the tracks ${place}`);
  });
  return world;
}
