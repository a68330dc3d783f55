/**
 * A **bad network** from a seed: when a packet that is sent now arrives. Pure: time and randomness are arguments, and equal
 * sends give equal arrivals on every machine.
 *
 * ```ts
 * import { createRandom } from "wirewalk/motion";
 * import { NetworkLink } from "wirewalk/net";
 *
 * const conditions = { latencyMs: { low: 50, high: 50 }, jitterMs: 0, loss: { rate: 0.25 } };
 * const stream = new NetworkLink({ conditions, delivery: "ordered", random: createRandom(3) });
 * [0, 20, 40, 60].map((ms) => stream.send(ms)); // => [[50], [270], [270], [270]]
 * const datagrams = new NetworkLink({ conditions, delivery: "datagram", random: createRandom(3) });
 * [0, 20, 40, 60].map((ms) => datagrams.send(ms)); // => [[50], [], [90], [110]]
 * ```
 *
 * @module
 */

/** A random generator; every `Random` of `wirewalk/motion` is one. */
export interface RandomSource {
  /** A number, 0 <= x < 1. */
  next(): number;
  /** An independent generator. */
  fork(): RandomSource;
}

/** Times in which nothing leaves, as with a lost radio link: everything that was sent leaves at their end, at once. */
export interface StallConditions {
  /** From the end of one stall to the start of the next on average (exponentially distributed), in milliseconds. */
  readonly everyMs: number;
  readonly durationMs: number;
  /** Every distance is within 10 % of `everyMs`, instead of exponentially distributed: no two stalls stand side by side. */
  readonly regular?: boolean;
}

/**
 * Packet loss after Gilbert: a link is good and loses nothing, or bad and loses everything, and may change with each
 * packet. `{ rate: 0.05, burst: 4 }` loses one packet in twenty, four in a row on average.
 */
export interface LossConditions {
  /** Share of packets that get lost, 0 <= rate < 1. */
  readonly rate: number;
  /** Packets lost in a row on average, at least 1. Default: the loss of each packet is independent. */
  readonly burst?: number;
  /**
   * How long a link that nobody uses remembers whether it is bad, in milliseconds: a packet that follows later, and one that
   * is sent again later, is lost with chance `rate`. Default: for ever. Then what is sent again belongs to the same burst,
   * and an ordered stream may wait for up to 51 s.
   */
  readonly memoryMs?: number;
}

/** How bad a network is. Both directions have the same conditions and draw independently. */
export interface NetworkConditions {
  /** One way, drawn once per link, in milliseconds. */
  readonly latencyMs: { readonly low: number; readonly high: number };
  /** Each packet takes up to this much longer, in milliseconds. */
  readonly jitterMs: number;
  readonly stall?: StallConditions;
  readonly loss?: LossConditions;
  /** Chance that a datagram arrives twice. */
  readonly duplicate?: number;
  /** Chance that a datagram is held back by up to another latency, so that later ones overtake it. */
  readonly reorder?: number;
  /** What the line carries each second, packet headers included. Default: any number of bytes at once. */
  readonly bytesPerSecond?: number;
}

/**
 * The carrier's guarantee. `ordered`: everything once and in order, as TCP and WebSocket do; loss becomes delay, and
 * `duplicate` and `reorder` have no effect. `datagram`: lost packets stay lost.
 */
export type Delivery = "ordered" | "datagram";

/** Options of a link. */
export interface LinkOptions {
  readonly conditions: NetworkConditions;
  readonly delivery: Delivery;
  /** The link draws from forks of it alone. */
  readonly random: RandomSource;
}

/** The shortest time that Linux waits for an acknowledgement before it sends again; each further wait is twice as long. */
const MIN_RETRANSMIT_MS = 200;

/** Bytes of a packet beside what it carries: the headers of IP and TCP. */
const HEADER_BYTES = 40;

/** Regular stalls are this much early or late, as a share of their distance. */
const STALL_SPREAD = 0.1;

/** After this many losses of one packet (at least 51 s) it arrives: a stream that waits longer counts as closed. */
const MAX_RETRANSMITS = 8;

/** One direction of one connection. */
export class NetworkLink {
  /** The latency of this link. */
  readonly latencyMs: number;
  readonly #conditions: NetworkConditions;
  readonly #ordered: boolean;
  // One generator per kind of event: the stalls of a seed do not depend on what is sent and lost.
  readonly #jitter: RandomSource;
  readonly #stalls: RandomSource;
  readonly #losses: RandomSource;
  readonly #chances: RandomSource;
  #stallStartMs = 0;
  /** Undefined before the first send. */
  #stallEndMs: number | undefined;
  #bad = false;
  /** When the last packet was sent: what is known of `#bad` is as old. */
  #lossMs = Number.NEGATIVE_INFINITY;
  /** The line is busy until then. */
  #busyUntilMs = Number.NEGATIVE_INFINITY;
  /** No ordered packet arrives before this. */
  #floorMs = Number.NEGATIVE_INFINITY;

  /** Throws `RangeError` for impossible conditions. */
  constructor({ conditions, delivery, random }: LinkOptions) {
    check(conditions);
    this.#conditions = conditions;
    this.#ordered = delivery === "ordered";
    const { low, high } = conditions.latencyMs;
    this.latencyMs = low + random.fork().next() * (high - low);
    this.#jitter = random.fork();
    this.#stalls = random.fork();
    this.#losses = random.fork();
    this.#chances = random.fork();
  }

  /**
   * When a packet sent now arrives: never, once or twice, earliest first. Times must not decrease from call to call.
   * Stalls are counted from the first send. `bytes` counts on a line with `bytesPerSecond`.
   */
  send(nowMs: number, bytes = 0): readonly number[] {
    const leavesMs = this.#afterLine(this.#afterStall(nowMs), bytes);
    if (this.#ordered) return [this.#inOrder(this.#withRetransmits(leavesMs) + this.#travelMs())];
    if (this.#isLost(leavesMs)) return [];
    const { duplicate = 0, reorder = 0 } = this.#conditions;
    const travelledMs = leavesMs + this.#travelMs();
    const isHeld = this.#chances.next() < reorder;
    // Packets that are not reordered keep their order in spite of jitter: they wait in the same queues.
    const arrivesMs = isHeld ? travelledMs + this.#extraMs() : this.#inOrder(travelledMs);
    return this.#chances.next() < duplicate ? [arrivesMs, arrivesMs + this.#extraMs()] : [arrivesMs];
  }

  /** Bytes that a line with `bytesPerSecond` has not carried yet; 0 on any other. */
  queuedBytes(nowMs: number): number {
    const { bytesPerSecond } = this.#conditions;
    if (bytesPerSecond === undefined) return 0;
    return Math.max(0, ((this.#busyUntilMs - nowMs) / 1000) * bytesPerSecond);
  }

  #extraMs(): number {
    return this.#chances.next() * this.latencyMs;
  }

  #travelMs(): number {
    return this.latencyMs + this.#jitter.next() * this.#conditions.jitterMs;
  }

  #inOrder(arrivesMs: number): number {
    this.#floorMs = Math.max(this.#floorMs, arrivesMs);
    return this.#floorMs;
  }

  #afterStall(nowMs: number): number {
    const stall = this.#conditions.stall;
    if (stall === undefined) return nowMs;
    // The first of regular stalls may come at any time within their distance.
    let endMs = this.#stallEndMs ?? nowMs - (stall.regular ? this.#stalls.next() * stall.everyMs : 0);
    while (nowMs >= endMs) {
      this.#stallStartMs = endMs + this.#untilStallMs(stall);
      endMs = this.#stallStartMs + stall.durationMs;
    }
    this.#stallEndMs = endMs;
    return nowMs >= this.#stallStartMs ? endMs : nowMs;
  }

  #untilStallMs({ everyMs, regular = false }: StallConditions): number {
    const drawn = this.#stalls.next();
    return regular ? everyMs * (1 + STALL_SPREAD * (2 * drawn - 1)) : -Math.log(1 - drawn) * everyMs;
  }

  /** When the line has carried the packet, which waits for those before it. */
  #afterLine(leavesMs: number, bytes: number): number {
    const { bytesPerSecond } = this.#conditions;
    if (bytesPerSecond === undefined) return leavesMs;
    const startMs = Math.max(leavesMs, this.#busyUntilMs);
    this.#busyUntilMs = startMs + ((bytes + HEADER_BYTES) / bytesPerSecond) * 1000;
    return this.#busyUntilMs;
  }

  #withRetransmits(leavesMs: number): number {
    const memoryMs = this.#conditions.loss?.memoryMs ?? Number.POSITIVE_INFINITY;
    let waitMs = Math.max(MIN_RETRANSMIT_MS, 2 * this.latencyMs);
    let atMs = leavesMs;
    let isLost = this.#isLost(leavesMs);
    for (let losses = 0; losses < MAX_RETRANSMITS && isLost; losses++) {
      atMs += waitMs;
      isLost = waitMs > memoryMs ? this.#isLostAnew() : this.#isLost(leavesMs);
      waitMs *= 2;
    }
    return atMs;
  }

  /** A loss on a link that has forgotten whether it is bad. */
  #isLostAnew(): boolean {
    return this.#losses.next() < (this.#conditions.loss?.rate ?? 0);
  }

  #isLost(nowMs: number): boolean {
    const { loss } = this.#conditions;
    if (loss === undefined) return false;
    const isForgotten = nowMs - this.#lossMs > (loss.memoryMs ?? Number.POSITIVE_INFINITY);
    this.#lossMs = nowMs;
    if (isForgotten) this.#bad = this.#isLostAnew();
    else this.#bad = this.#losses.next() < (this.#bad ? 1 - 1 / burstOf(loss) : toBad(loss));
    return this.#bad;
  }
}

function burstOf({ rate, burst = 1 / (1 - rate) }: LossConditions): number {
  return burst;
}

/** Chance that a good link turns bad, so that the share of bad ones in the long run is the rate. */
function toBad(loss: LossConditions): number {
  return loss.rate / (burstOf(loss) * (1 - loss.rate));
}

function check(conditions: NetworkConditions): void {
  const { latencyMs, jitterMs, stall, loss, duplicate = 0, reorder = 0, bytesPerSecond = 1 } = conditions;
  const must = (holds: boolean, rule: string): void => {
    if (!holds) throw new RangeError(`Network conditions: ${rule}`);
  };
  must(latencyMs.low >= 0 && latencyMs.high >= latencyMs.low, "latencyMs must have 0 <= low <= high");
  must(jitterMs >= 0, "jitterMs must not be negative");
  must(bytesPerSecond > 0, "bytesPerSecond must be above 0");
  for (const [name, chance] of Object.entries({ duplicate, reorder })) {
    must(chance >= 0 && chance <= 1, `${name} must be within 0..1`);
  }
  if (stall !== undefined) {
    // Stalls without length and distance would never end the search.
    must(stall.everyMs > 0 && stall.durationMs > 0, "stall must have everyMs and durationMs above 0");
  }
  if (loss !== undefined) {
    must(loss.rate >= 0 && loss.rate < 1, "loss.rate must have 0 <= rate < 1");
    must(burstOf(loss) >= 1, "loss.burst must be at least 1");
    must((loss.memoryMs ?? 0) >= 0, "loss.memoryMs must not be negative");
    must(toBad(loss) <= 1, "loss.rate is more than bursts of this length can lose");
  }
}
