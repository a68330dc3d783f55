/**
 * What the page knows of the places of worlds: from the server that judges by them, else from files that were dropped here. A place is
 * asked for when a drawing needs it.
 */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ServedWorld } from "@wirewalk/server/feed";
import type { JsonObject } from "wirewalk/wire";
import type { PlaceState } from "./place-state.ts";

/** Places of a game that were dropped on the page. */
export interface DroppedPlaces {
  /** The protocol's name. */
  readonly game: string;
  /** Undefined for a place that they do not have. Rejects with the reason where it cannot be read. */
  parts(place: string): Promise<JsonObject | undefined>;
}

export interface PlacesOptions {
  /** Asks the server. Resolves with undefined for a place that it does not have. Default: nobody is asked. */
  readonly load?: (world: string, place: string) => Promise<JsonObject | undefined>;
}

interface Entry {
  readonly world: ServedWorld;
  readonly place: string;
  readonly state: Signal<PlaceState>;
  /** Counts loads: of two only the last is shown. */
  load: number;
}

/** Places that are kept: a session walks from map to map. */
const MAX_KEPT = 64;

const loading: PlaceState = { state: "loading" };

export class Places {
  readonly #load: PlacesOptions["load"];
  readonly #entries = new Map<string, Entry>();
  readonly #dropped = signal<DroppedPlaces | undefined>(undefined);

  constructor({ load }: PlacesOptions = {}) {
    this.#load = load;
  }

  /** What was dropped last. */
  get dropped(): ReadonlySignal<DroppedPlaces | undefined> {
    return this.#dropped;
  }

  /** Whether a place was asked for last that nobody has. */
  get isUnknown(): boolean {
    return [...this.#entries.values()].at(-1)?.state.peek().state === "unknown";
  }

  /** A place of a world. It is asked for again when the world is another one: of a server that was started anew. */
  of(world: ServedWorld, place: string): ReadonlySignal<PlaceState> {
    const key = `${world.name} ${place}`;
    const known = this.#entries.get(key);
    if (known?.world === world) return known.state;
    this.#entries.delete(key);
    const entry: Entry = { world, place, state: signal(loading), load: 0 };
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_KEPT && oldest !== undefined) this.#entries.delete(oldest);
    void this.#read(entry);
    return entry.state;
  }

  /** Takes dropped places: what is unknown so far may be in them. */
  drop(places: DroppedPlaces | undefined): void {
    this.#dropped.value = places;
    for (const entry of this.#entries.values()) {
      if (entry.state.peek().state === "unknown") void this.#read(entry);
    }
  }

  /** Never rejects. */
  async #read(entry: Entry): Promise<void> {
    entry.load += 1;
    const { load, world, place } = entry;
    entry.state.value = loading;
    const state = await this.#find(world, place);
    if (entry.load === load) entry.state.value = state;
  }

  async #find({ name, protocol }: ServedWorld, place: string): Promise<PlaceState> {
    const dropped = this.#dropped.peek();
    const sources = [
      () => this.#load?.(name, place),
      () => (dropped?.game === protocol ? dropped.parts(place) : undefined),
    ];
    let reason: string | undefined;
    for (const source of sources) {
      try {
        const parts = await source();
        if (parts !== undefined) return { state: "known", parts };
      } catch (error) {
        reason ??= error instanceof Error ? error.message : String(error);
      }
    }
    return reason === undefined ? { state: "unknown" } : { state: "unknown", reason };
  }
}

/** Asks the server for a place. */
export async function fetchPlace(world: string, place: string): Promise<JsonObject | undefined> {
  const answer = await fetch(`/maps/${encodeURIComponent(world)}/${encodeURIComponent(place)}`);
  // A server of an older version has no maps at all.
  if (answer.status === 204 || answer.status === 404) return undefined;
  if (!answer.ok) throw new Error((await answer.text()).trim() || `The server answers with status ${answer.status}`);
  return (await answer.json()) as JsonObject;
}
