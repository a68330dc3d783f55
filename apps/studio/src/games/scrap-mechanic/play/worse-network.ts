/**
 * Makes the own line worse, as one asks for it: packets of movement and of places are held back and lost as on a bad
 * network out of a seed, while the session's own messages go through. The carrier below keeps order and loses nothing;
 * the game's own does neither.
 */
import { createRandom } from "wirewalk/motion";
import { type Cancel, type Clock, NetworkLink, type Transport, type TransportEvents } from "wirewalk/net";
import { PLAYER_MOVEMENT_ID, UNRELIABLE_UPDATE_ID } from "wirewalk/scrap-mechanic";

/** Of each direction. */
export interface LineSettings {
  readonly delayMs: number;
  readonly jitterMs: number;
  /** Share of packets that get lost, 0 to 1, several in a row. */
  readonly loss: number;
  readonly seed: number;
}

/** Nothing is added to the line as it is. */
export const perfectLine: LineSettings = { delayMs: 0, jitterMs: 0, loss: 0, seed: 1 };

/** Packets lost in a row on average. */
const LOSS_BURST = 3;

/** What is on its way at most: at 40 packets a second more than the longest delay holds. */
const MAX_ON_WAY = 1_000;

/** What of the packets of one direction became. */
export interface LineCounts {
  sent: number;
  lost: number;
}

/** The settings, and the lines that follow them while they run. */
export class WorseNetwork {
  readonly counts: Readonly<Record<"up" | "down", LineCounts>> = {
    up: { sent: 0, lost: 0 },
    down: { sent: 0, lost: 0 },
  };
  readonly #clock: Clock;
  #settings: LineSettings = perfectLine;
  #links: Record<"up" | "down", NetworkLink> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get settings(): LineSettings {
    return this.#settings;
  }

  /** What is on its way arrives as it was sent; the counts begin anew. Throws `RangeError` for what no network is. */
  change(settings: LineSettings): void {
    this.#links = linksOf(settings);
    this.#settings = settings;
    for (const counts of Object.values(this.counts)) Object.assign(counts, { sent: 0, lost: 0 });
  }

  /** A transport whose packets take the worse way. */
  wrap(transport: Transport): Transport {
    const onWay = new Set<Cancel>();
    let over = false;
    const carry = (way: "up" | "down", bytes: Uint8Array, arrive: (bytes: Uint8Array) => void): void => {
      if (!isPacket(bytes)) {
        arrive(bytes);
        return;
      }
      for (const delayMs of this.#delays(way)) {
        if (delayMs <= 0) arrive(bytes);
        else if (onWay.size < MAX_ON_WAY) {
          const cancel = this.#clock.after(delayMs, () => {
            onWay.delete(cancel);
            if (!over) arrive(bytes);
          });
          onWay.add(cancel);
        }
      }
    };
    const end = (): void => {
      over = true;
      for (const cancel of onWay) cancel();
      onWay.clear();
    };
    return {
      carrier: transport.carrier,
      get queuedBytes() {
        return transport.queuedBytes;
      },
      listen: (events: TransportEvents) =>
        transport.listen({
          bytes: (bytes) => carry("down", bytes, (arrived) => events.bytes(arrived)),
          closed(reason) {
            end();
            events.closed(reason);
          },
        }),
      send: (bytes) => carry("up", bytes, (arrived) => transport.send(arrived)),
      close(reason) {
        end();
        transport.close(reason);
      },
    };
  }

  /** When a packet that is sent now arrives, from now: never, or once. */
  #delays(way: "up" | "down"): readonly number[] {
    const counts = this.counts[way];
    counts.sent += 1;
    if (this.#links === undefined) return [0];
    const nowMs = this.#clock.now();
    const arrivals = this.#links[way].send(nowMs);
    if (arrivals.length === 0) counts.lost += 1;
    return arrivals.map((atMs) => atMs - nowMs);
  }
}

/** Undefined where there is nothing to be made worse. */
function linksOf({ delayMs, jitterMs, loss, seed }: LineSettings): Record<"up" | "down", NetworkLink> | undefined {
  if (delayMs === 0 && jitterMs === 0 && loss === 0) return undefined;
  const random = createRandom(seed);
  const conditions = {
    latencyMs: { low: delayMs, high: delayMs },
    jitterMs,
    ...(loss > 0 ? { loss: { rate: loss, burst: LOSS_BURST } } : {}),
  };
  const link = (): NetworkLink => new NetworkLink({ conditions, delivery: "datagram", random: random.fork() });
  return { up: link(), down: link() };
}

/** Movement and places; the rest is the session's, and must arrive. */
function isPacket(bytes: Uint8Array): boolean {
  return bytes[0] === PLAYER_MOVEMENT_ID || bytes[0] === UNRELIABLE_UPDATE_ID;
}
