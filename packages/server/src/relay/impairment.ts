/** A bad line between the two ends of a relay, from a seed: `seed=1,delay=80ms,jitter=20ms,stall=2s@30s`. */
import { createRandom } from "wirewalk/motion";
import { type Cancel, type Clock, type NetworkConditions, NetworkLink } from "wirewalk/net";
import type { Side } from "wirewalk/protocol";
import type { Line, LineStage } from "./pipe.ts";

export interface Impairment {
  readonly seed: number;
  readonly conditions: NetworkConditions;
}

/** Bytes that a direction holds: then its sender is not read. */
const MAX_HELD_BYTES = 256 * 1024;
/** No delay, jitter or stall is longer. */
const MAX_MS = 60_000;

/** Reads the text of `--impair`. Throws `RangeError` that names what is wrong. */
export function parseImpairment(text: string): Impairment {
  const given = new Map<string, string>();
  for (const part of text.split(",")) {
    const [name = "", value = ""] = part.split("=", 2);
    if (!["seed", "delay", "jitter", "stall"].includes(name)) {
      throw new RangeError(`'${part}' is not seed=NUMBER, delay=TIME, jitter=TIME or stall=TIME@EVERY`);
    }
    if (given.has(name)) throw new RangeError(`${name} is given twice`);
    given.set(name, value);
  }
  const stall = given.get("stall");
  const seed = given.get("seed") ?? "1";
  if (!/^\d{1,10}$/.test(seed) || Number(seed) > 0xffff_ffff) {
    throw new RangeError(`seed must be a whole number from 0 to ${0xffff_ffff}, got '${seed}'`);
  }
  if (given.size === 0 || (given.size === 1 && given.has("seed"))) {
    throw new RangeError("nothing is impaired: give delay, jitter or stall");
  }
  const latencyMs = milliseconds("delay", given.get("delay") ?? "0ms");
  return {
    seed: Number(seed),
    conditions: {
      latencyMs: { low: latencyMs, high: latencyMs },
      jitterMs: milliseconds("jitter", given.get("jitter") ?? "0ms"),
      ...(stall === undefined ? {} : { stall: stallOf(stall) }),
    },
  };
}

function stallOf(text: string): NonNullable<NetworkConditions["stall"]> {
  const [length = "", every, ...rest] = text.split("@");
  if (every === undefined || rest.length > 0) throw new RangeError(`stall must be as 2s@30s, got '${text}'`);
  const durationMs = milliseconds("stall", length);
  const everyMs = milliseconds("stall", every);
  if (durationMs === 0 || everyMs === 0) throw new RangeError(`stall needs times above 0, got '${text}'`);
  return { durationMs, everyMs, regular: true };
}

function milliseconds(name: string, text: string): number {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/.exec(text);
  const value = Number(match?.[1]) * (match?.[2] === "s" ? 1000 : 1);
  if (match !== null && value <= MAX_MS) return value;
  throw new RangeError(`${name} must be a time up to ${MAX_MS / 1000}s, as 80ms or 2s, got '${text}'`);
}

type Sent = { readonly atMs: number; readonly bytes?: Uint8Array; readonly last?: "end" | "reset" };

/** The stage of one connection. Connections of one number have the same line in every run with the same seed. */
export function impairedLine({ seed, conditions }: Impairment, connection: number, clock: Clock): LineStage {
  const random = createRandom((seed + connection) >>> 0);
  const links = {
    client: new NetworkLink({ conditions, delivery: "ordered", random: random.fork() }),
    server: new NetworkLink({ conditions, delivery: "ordered", random: random.fork() }),
  } satisfies Record<Side, NetworkLink>;
  return (sender, next, drained) => new ImpairedLine(links[sender], clock, next, drained);
}

class ImpairedLine implements Line {
  readonly #link: NetworkLink;
  readonly #clock: Clock;
  readonly #next: Line;
  readonly #drained: () => void;
  readonly #sent: Sent[] = [];
  #bytes = 0;
  #isFull = false;
  /** The rest of the line takes nothing for now. */
  #isBlocked = false;
  #cancel: Cancel | undefined;

  constructor(link: NetworkLink, clock: Clock, next: Line, drained: () => void) {
    this.#link = link;
    this.#clock = clock;
    this.#next = next;
    this.#drained = drained;
  }

  get heldBytes(): number {
    return this.#bytes + this.#next.heldBytes;
  }

  push(bytes: Uint8Array): boolean {
    this.#bytes += bytes.length;
    this.#send({ bytes });
    this.#isFull = this.#bytes >= MAX_HELD_BYTES;
    return !this.#isFull;
  }

  end(): void {
    this.#send({ last: "end" });
  }

  reset(): void {
    this.#send({ last: "reset" });
  }

  drained(): void {
    this.#isBlocked = false;
    this.#deliver();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#sent.length = 0;
    this.#bytes = 0;
    this.#isBlocked = true;
    this.#next.close();
  }

  #send(sent: Omit<Sent, "atMs">): void {
    const nowMs = this.#clock.now();
    const [atMs = nowMs] = this.#link.send(nowMs, sent.bytes?.length ?? 0);
    this.#sent.push({ ...sent, atMs });
    this.#plan();
  }

  #plan(): void {
    const [first] = this.#sent;
    if (first === undefined || this.#isBlocked || this.#cancel !== undefined) return;
    this.#cancel = this.#clock.after(Math.max(0, first.atMs - this.#clock.now()), () => {
      this.#cancel = undefined;
      this.#deliver();
    });
  }

  #deliver(): void {
    const nowMs = this.#clock.now();
    while (!this.#isBlocked) {
      const [first] = this.#sent;
      if (first === undefined || first.atMs > nowMs) break;
      this.#sent.shift();
      if (first.bytes !== undefined) {
        this.#bytes -= first.bytes.length;
        this.#isBlocked = !this.#next.push(first.bytes);
      } else if (first.last === "end") this.#next.end();
      else this.#next.reset();
    }
    if (this.#isFull && this.#bytes < MAX_HELD_BYTES / 2) {
      this.#isFull = false;
      this.#drained();
    }
    this.#plan();
  }
}
