/** The **worlds** of a server, by name: each listener is one, and a game may have several. */
import type { PlayerId } from "wirewalk/motion";
import type { Refusal } from "wirewalk/protocol";
import { Session } from "../session/session.ts";
import type { HostedWorld } from "./hosted-world.ts";

export class ServerWorlds {
  readonly #worlds = new Map<string, HostedWorld>();

  add(world: HostedWorld): void {
    this.#worlds.set(world.name, world);
  }

  get byName(): ReadonlyMap<string, HostedWorld> {
    return this.#worlds;
  }

  get all(): readonly HostedWorld[] {
    return [...this.#worlds.values()];
  }

  /** Throws `RangeError` for an unknown world. */
  called(name: string): HostedWorld {
    const world = this.#worlds.get(name);
    if (world === undefined) throw new RangeError(`There is no world ${name}`);
    return world;
  }

  /** The worlds of a game. */
  of(protocol: string): readonly HostedWorld[] {
    return this.all.filter((world) => world.protocol.name === protocol);
  }

  /** The game of a world; of anything else, such as the page, its own name. */
  gameOf(name: string): string {
    return this.#worlds.get(name)?.protocol.name ?? name;
  }

  /** Runs what is overdue in any world. */
  keepUp(): void {
    for (const world of this.#worlds.values()) world.keepUp();
  }

  stop(): void {
    for (const world of this.#worlds.values()) world.stop();
  }
}

/** A session that moves, the world that it leaves, and the other one. */
export interface Move {
  readonly session: Session;
  readonly from: HostedWorld;
  readonly to: HostedWorld;
}

/** The move of a player between two worlds. Throws `RangeError`: see `RunningServer.move`. */
export function findMove(sessions: Iterable<object>, from: HostedWorld, player: PlayerId, to: HostedWorld): Move {
  if (from === to || from.protocol.name !== to.protocol.name || from.dialect !== to.dialect) {
    throw new RangeError(
      `Cannot move from ${from.name} to ${to.name}: they must be two worlds of one game and dialect`,
    );
  }
  for (const session of sessions) {
    if (session instanceof Session && session.world === from && session.player === player) return { session, from, to };
  }
  throw new RangeError(`Cannot move player ${player}: it is not in ${from.name}`);
}

/** Moves a player to that room, or to where it is in a game whose worlds are channels. The reason when the other world refuses it. */
export function move({ session, from, to }: Move, room: string | undefined): Refusal | undefined {
  const channels = from.protocol.capabilities?.channels;
  const before = session.player === undefined ? undefined : from.roomOf(session.player);
  const same = before === undefined ? undefined : channels?.sameRoom(before, to.number);
  return session.moveTo(to, room ?? same ?? to.room);
}
