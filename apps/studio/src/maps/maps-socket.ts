/** The feed of a world without players, whose rooms are the places of dropped maps: the page looks at them as at rooms of a server. */
import type { FeedMessage, FeedRequest, ServedWorld } from "@wirewalk/server/feed";
import type { FeedSocket } from "../feed/feed-client.ts";

export interface MapsSocketOptions {
  readonly world: ServedWorld;
  /** Which place is shown first. */
  readonly first: string;
}

/** Places that were looked at, in the list of rooms, at most. */
const MAX_ROOMS = 12;

export class MapsSocket implements FeedSocket {
  binaryType: FeedSocket["binaryType"] = "arraybuffer";
  onopen: FeedSocket["onopen"] = null;
  onmessage: FeedSocket["onmessage"] = null;
  onclose: FeedSocket["onclose"] = null;
  readonly #world: ServedWorld;
  readonly #rooms: string[];

  constructor({ world, first }: MapsSocketOptions) {
    this.#world = world;
    this.#rooms = [first];
    queueMicrotask(() => {
      this.onopen?.();
      this.#say({ type: "hello", version: 3, token: "", worlds: [world] });
    });
  }

  send(text: string): void {
    const request = JSON.parse(text) as FeedRequest;
    if (request.type !== "watch") return;
    const { room } = request;
    const { name: world } = this.#world;
    if (room !== null && !this.#rooms.includes(room)) this.#rooms.unshift(room);
    this.#rooms.length = Math.min(this.#rooms.length, MAX_ROOMS);
    this.#say({ type: "rooms", world, rooms: this.#rooms.map((each) => ({ room: each, players: 0 })) });
    if (room !== null) this.#say({ type: "players", world, room, players: [] });
  }

  close(): void {
    this.onmessage = null;
  }

  #say(message: FeedMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}
