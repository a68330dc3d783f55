/**
 * Whether the decoder has what the server has. A snapshot of the server comes within 50 ms of every tick; the first one after
 * a packet is compared with the client as that packet left it.
 */
import type { Track } from "wirewalk/motion";
import type { PlayerInfoDecoder } from "wirewalk/osrs/player-info";

/** A tile, by its world coordinates. */
export interface Tile {
  readonly level: number;
  readonly x: number;
  readonly z: number;
}

/** A local player that client and server have on different tiles. */
export interface Difference {
  readonly index: number;
  readonly client: Tile;
  /** Undefined: the server has no such player. */
  readonly server: Tile | undefined;
}

/** The result of the last comparison, and counts since the start. */
export interface Agreement {
  /** Packets compared since the start. */
  readonly compared: number;
  /** Locals in the last one. */
  readonly locals: number;
  /** Players out of view whose map quarters were compared. */
  readonly quarters: number;
  /** Those of them that the client has in another quarter than the server. */
  readonly wrongQuarters: number;
  readonly differences: readonly Difference[];
  /** Players within the observer's view that its client does not have: they waited for a packet that was full. */
  readonly unseen: number;
  /** Packets after which anything differed. */
  readonly wrongPackets: number;
}

const none: Agreement = {
  compared: 0,
  locals: 0,
  quarters: 0,
  differences: [],
  unseen: 0,
  wrongQuarters: 0,
  wrongPackets: 0,
};

/** A player's index in player info. */
export function indexOf({ details }: Track): number | undefined {
  const index = details?.index;
  return typeof index === "number" ? index : undefined;
}

/** Where the server has a player. */
export function tileOf({ position: { x, y, level = 0 } }: Track): Tile {
  return { level, x, z: y };
}

/** Compares after every packet. */
export class AgreementCheck {
  #agreement = none;
  /** Time of the packet that was not compared yet. */
  #packetAtMs: number | undefined;
  /** Of the last snapshot, by index. */
  #known: ReadonlyMap<number, Track> = new Map();

  get agreement(): Agreement {
    return this.#agreement;
  }

  forget(): void {
    this.#agreement = none;
    this.#packetAtMs = undefined;
  }

  /** A packet was read. `atMs` is the server's time. */
  packet(atMs: number): void {
    this.#packetAtMs = atMs;
  }

  /** Takes a newer snapshot of the server's tracks. True when it was compared. */
  snapshot(atMs: number, tracks: ReadonlyMap<number, Track>, decoder: PlayerInfoDecoder | undefined): boolean {
    const before = this.#known;
    this.#known = tracks;
    if (decoder === undefined || this.#packetAtMs === undefined || atMs <= this.#packetAtMs) return false;
    this.#packetAtMs = undefined;
    // A player who joined or left since the last snapshot may have done so after the packet: the next one compares it.
    const isSettled = (index: number): boolean => before.get(index)?.player === tracks.get(index)?.player;
    const differences: Difference[] = [];
    for (const index of decoder.locals) {
      const track = tracks.get(index);
      const server = track === undefined ? undefined : tileOf(track);
      const client = clientTile(decoder, index);
      if (isSettled(index) && !isSame(client, server)) differences.push({ index, client, server });
    }
    const { compared, wrongPackets } = this.#agreement;
    const elsewhere = [...tracks].filter(([index]) => decoder.local[index] !== 1 && isSettled(index));
    const wrongQuarters = elsewhere.filter(([index, track]) => decoder.quarters[index] !== quarterOf(tileOf(track)));
    const isWrong = differences.length > 0 || wrongQuarters.length > 0;
    this.#agreement = {
      compared: compared + 1,
      locals: decoder.locals.length,
      quarters: elsewhere.length,
      differences,
      unseen: countUnseen(tracks.get(decoder.localIndex), elsewhere),
      wrongQuarters: wrongQuarters.length,
      wrongPackets: wrongPackets + (isWrong ? 1 : 0),
    };
    return true;
  }
}

function clientTile({ level, x, z }: PlayerInfoDecoder, index: number): Tile {
  return { level: level[index] ?? 0, x: x[index] ?? 0, z: z[index] ?? 0 };
}

function isSame(a: Tile, b: Tile | undefined): boolean {
  return b !== undefined && a.level === b.level && a.x === b.x && a.z === b.z;
}

/** A map quarter as the client packs it. */
function quarterOf({ level, x, z }: Tile): number {
  return (level << 28) | ((x >> 13) << 14) | (z >> 13);
}

/** How many players out of view stand within the observer's view. */
function countUnseen(observer: Track | undefined, elsewhere: readonly (readonly [number, Track])[]): number {
  const distance = observer?.details?.viewDistance;
  if (observer === undefined || typeof distance !== "number") return 0;
  const eye = tileOf(observer);
  return elsewhere.filter(([, track]) => {
    const { level, x, z } = tileOf(track);
    return level === eye.level && Math.abs(x - eye.x) <= distance && Math.abs(z - eye.z) <= distance;
  }).length;
}
