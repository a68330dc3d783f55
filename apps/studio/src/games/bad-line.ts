/**
 * Makes the own line worse, as one asks for it, while one plays: what the page sends and receives takes a simulated network out of a
 * seed. A game over a stream receives everything in order, and loss is delay, as over TCP.
 */
import { signal } from "@preact/signals";
import { createRandom } from "wirewalk/motion";
import {
  type Cancel,
  type Clock,
  type NetworkConditions,
  NetworkLink,
  type Transport,
  type TransportEvents,
} from "wirewalk/net";

/** Of each direction. */
export interface BadLineSettings {
  readonly latencyMs: number;
  readonly jitterMs: number;
  /** Share of packets that get lost, 0 to 1, three in a row on average. */
  readonly loss: number;
  /** Every ten seconds on average nothing leaves for so long. */
  readonly stallMs: number;
  /** 0: no limit. */
  readonly bytesPerSecond: number;
  readonly seed: number;
}

/** Nothing is added. */
export const goodLine: BadLineSettings = { latencyMs: 0, jitterMs: 0, loss: 0, stallMs: 0, bytesPerSecond: 0, seed: 1 };

const LOSS_BURST = 3;
const STALL_EVERY_MS = 10_000;

/** Messages on their way at most: of more, those that come are let through at once. */
const MAX_ON_WAY = 4_000;

export class BadLine {
  readonly settings = signal<BadLineSettings>(goodLine);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A transport whose messages take the line of the settings, which may change at any time: what is on its way arrives as it was sent. */
  wrap(transport: Transport): Transport {
    const onWay = new Set<Cancel>();
    let isOver = false;
    let made: { readonly of: BadLineSettings; readonly links: readonly [NetworkLink, NetworkLink] } | undefined;
    /** No message arrives before those that were sent before it, on whatever line. */
    const floors: [number, number] = [0, 0];
    const carry = (way: 0 | 1, bytes: Uint8Array, arrive: () => void): void => {
      const nowMs = this.#clock.now();
      const settings = this.settings.peek();
      if (made?.of !== settings) made = { of: settings, links: linksOf(settings) };
      const sentMs = isGood(settings) ? nowMs : (made.links[way].send(nowMs, bytes.length)[0] ?? nowMs);
      const atMs = Math.max(floors[way], sentMs);
      floors[way] = atMs;
      if (atMs <= nowMs || onWay.size >= MAX_ON_WAY) {
        arrive();
        return;
      }
      const cancel = this.#clock.after(atMs - nowMs, () => {
        onWay.delete(cancel);
        if (!isOver) arrive();
      });
      onWay.add(cancel);
    };
    const end = (): void => {
      isOver = true;
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
          bytes: (bytes) => carry(1, bytes, () => events.bytes(bytes)),
          closed(reason) {
            end();
            events.closed(reason);
          },
        }),
      send: (bytes) => carry(0, bytes, () => transport.send(bytes)),
      close(reason) {
        end();
        transport.close(reason);
      },
    };
  }
}

export function isGood({ latencyMs, jitterMs, loss, stallMs, bytesPerSecond }: BadLineSettings): boolean {
  return latencyMs === 0 && jitterMs === 0 && loss === 0 && stallMs === 0 && bytesPerSecond === 0;
}

function linksOf(settings: BadLineSettings): readonly [NetworkLink, NetworkLink] {
  const { latencyMs, jitterMs, loss, stallMs, bytesPerSecond, seed } = settings;
  const random = createRandom(seed);
  const conditions: NetworkConditions = {
    latencyMs: { low: latencyMs, high: latencyMs },
    jitterMs,
    ...(loss > 0 ? { loss: { rate: loss, burst: LOSS_BURST, memoryMs: 1_000 } } : {}),
    ...(stallMs > 0 ? { stall: { everyMs: STALL_EVERY_MS, durationMs: stallMs } } : {}),
    ...(bytesPerSecond > 0 ? { bytesPerSecond } : {}),
  };
  const link = (): NetworkLink => new NetworkLink({ conditions, delivery: "ordered", random: random.fork() });
  return [link(), link()];
}
