/** The **occupants** of a world's rooms with their names: those that receive the room's broadcasts, and those shown there. */
import type { PlayerId } from "wirewalk/motion";
import type { Effect } from "wirewalk/protocol";
import { isObject } from "./batch.ts";

interface Occupant {
  readonly name: string;
  /** The room whose broadcasts it receives. */
  room: string | undefined;
  readonly shown: Set<string>;
}

/** A player came into a room (`from` undefined), left one (`to` undefined), or went from one to another. */
export type Moved = (player: PlayerId, from: string | undefined, to: string | undefined) => void;

export class Occupants {
  moved: Moved = () => {};
  readonly #players = new Map<PlayerId, Occupant>();
  readonly #rooms = new Map<string, Set<PlayerId>>();

  nameOf(player: PlayerId): string | undefined {
    return this.#players.get(player)?.name;
  }

  /** The room whose broadcasts a player receives. */
  roomOf(player: PlayerId): string | undefined {
    return this.#players.get(player)?.room;
  }

  in(room: string): Iterable<PlayerId> {
    return this.#rooms.get(room) ?? [];
  }

  countIn(room: string): number {
    return this.#rooms.get(room)?.size ?? 0;
  }

  get count(): number {
    return this.#players.size;
  }

  joined(player: PlayerId, name: string): void {
    this.#players.set(player, { name, room: undefined, shown: new Set() });
  }

  left(player: PlayerId): void {
    const occupant = this.#players.get(player);
    if (occupant === undefined) return;
    this.#players.delete(player);
    for (const room of new Set([occupant.room, ...occupant.shown])) {
      if (room === undefined) continue;
      this.#remove(player, room);
      this.moved(player, room, undefined);
    }
  }

  take(effect: Extract<Effect, { effect: "enter" | "exit" | "show" | "hide" }>): void {
    const { player, room } = effect;
    const occupant = this.#players.get(player);
    if (occupant === undefined) return;
    if (effect.effect === "show") {
      occupant.shown.add(room);
      this.#add(player, room);
      this.moved(player, undefined, room);
    } else if (effect.effect === "hide") {
      if (!occupant.shown.delete(room)) return;
      this.#remove(player, room);
      this.moved(player, room, undefined);
    } else {
      const from = occupant.room;
      const to = effect.effect === "enter" ? room : undefined;
      if (from === to) return;
      occupant.room = to;
      if (from !== undefined) this.#remove(player, from);
      if (to !== undefined) this.#add(player, to);
      this.moved(player, from, to);
    }
  }

  /** As data of a snapshot. */
  save(): readonly (readonly unknown[])[] {
    return Array.from(this.#players, ([player, { name, room = null, shown }]) => [player, name, room, [...shown]]);
  }

  /** Takes data of a snapshot; entries that are damaged, and all of an older version's, are left out. */
  restore(data: unknown): void {
    this.#players.clear();
    this.#rooms.clear();
    for (const each of Array.isArray(data) ? (data as unknown[]) : []) {
      if (!Array.isArray(each)) continue;
      const [player, name, room, shown] = each as unknown[];
      if (!Number.isInteger(player) || typeof name !== "string" || isObject(shown)) continue;
      const id = player as PlayerId;
      this.joined(id, name);
      if (typeof room === "string") this.take({ effect: "enter", player: id, room });
      for (const other of Array.isArray(shown) ? (shown as unknown[]) : []) {
        if (typeof other === "string") this.take({ effect: "show", player: id, room: other });
      }
    }
  }

  #add(player: PlayerId, room: string): void {
    const players = this.#rooms.get(room);
    if (players === undefined) this.#rooms.set(room, new Set([player]));
    else players.add(player);
  }

  /** A player may be shown in the room whose broadcasts it receives. */
  #remove(player: PlayerId, room: string): void {
    const occupant = this.#players.get(player);
    if (occupant?.room === room || occupant?.shown.has(room)) return;
    const players = this.#rooms.get(room);
    if (players?.delete(player) && players.size === 0) this.#rooms.delete(room);
  }
}
