/** The names that the nodes of a cluster use for one world. */
import { createHash } from "node:crypto";
import type { PlayerId } from "wirewalk/motion";

export interface WorldSubjects {
  /** Calls of gateways, to the owner. */
  readonly input: string;
  /** Batches of the owner, to gateways. */
  readonly output: string;
  /** Requests to the owner: whether it is there, and for batches again. */
  readonly owner: string;
  /** A new owner asks gateways for what they have. */
  readonly taken: string;
  /** What they have. */
  readonly history: string;
  /** The owner has given the world back: another may claim it at once. */
  readonly free: string;
  /** Spectator relays name the rooms that their pages watch, to the owner. */
  readonly watched: string;
  /** What the owner sends to spectator relays about all rooms. */
  readonly shown: string;
  readonly lease: string;
}

export function worldSubjects(world: string): WorldSubjects {
  return {
    input: `in.${world}`,
    output: `out.${world}`,
    owner: `owner.${world}`,
    taken: `taken.${world}`,
    history: `history.${world}`,
    free: `free.${world}`,
    watched: `watched.${world}`,
    shown: `shown.${world}`,
    lease: `world.${world}`,
  };
}

/** Requests to one node. */
export function drainSubject(node: string): string {
  return `drain.${node}`;
}

/** The owner of a world asks this node to go on with it. */
export function nextSubject(node: string): string {
  return `next.${node}`;
}

/** Asks whether a gateway is there. */
export function gatewaySubject(node: string): string {
  return `gateway.${node}`;
}

/** What the owner sends to spectator relays about one player that their pages follow. */
export function playerSubject(world: string, player: PlayerId): string {
  return `player.${world}.${player}`;
}

/** What the owner sends to spectator relays about one room, whose name may have any letters. */
export function roomSubject(world: string, room: string): string {
  return `room.${world}.${createHash("sha256").update(room).digest("hex").slice(0, 24)}`;
}
