/** Which **gateways** of a world are gone, with their players. */
import { type Clock, type Cluster, ClusterError } from "wirewalk/net";
import { gatewaySubject } from "./subjects.ts";

/** How often to look. */
export const CHECK_GATEWAYS_MS = 500;
/** A gateway that is not heard for so long is gone: one that stands still. */
const GONE_MS = 4_000;
/** One that is not heard for so long is asked whether it is there. Gateways without calls send something twice as often. */
const SILENT_MS = 1_000;
/** Time between two looks that counts as silence. This process stood still in the rest, and has heard no gateway. */
const MOST_BETWEEN_MS = 2 * CHECK_GATEWAYS_MS;
/** A process that has ended does not answer so often in turn. Once: its connection may be lost for a moment. */
const ABSENCES = 2;

export interface GatewayWatchOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** `isAbsent`: the broker knew that nobody was subscribed for it. */
  readonly gone: (gateway: string, isAbsent: boolean) => void;
}

export class GatewayWatch {
  readonly #options: GatewayWatchOptions;
  /** By {@link #awakeMs}. */
  readonly #seenMs = new Map<string, number>();
  /** How often in turn nobody was subscribed for a gateway. */
  readonly #absences = new Map<string, number>();
  #lookedMs: number;
  /** Milliseconds until the last look in which this process ran, and could receive from gateways. */
  #heardMs = 0;

  constructor(options: GatewayWatchOptions) {
    this.#options = options;
    this.#lookedMs = options.clock.now();
  }

  get #awakeMs(): number {
    return this.#heardMs + Math.min(this.#options.clock.now() - this.#lookedMs, MOST_BETWEEN_MS);
  }

  /** Something of it has come, or it is taken to be there. */
  seen(gateway: string): void {
    this.#seenMs.set(gateway, this.#awakeMs);
    this.#absences.delete(gateway);
  }

  /** Looks at gateways with players. Call it every {@link CHECK_GATEWAYS_MS}. */
  check(gateways: Iterable<string>): void {
    const { cluster, clock } = this.#options;
    const nowMs = this.#awakeMs;
    this.#heardMs = nowMs;
    this.#lookedMs = clock.now();
    for (const gateway of gateways) {
      // Without a broker no other gateway is heard, and its players are still there.
      if (!cluster.isConnected) this.seen(gateway);
      const silentMs = nowMs - (this.#seenMs.get(gateway) ?? nowMs);
      if (silentMs > GONE_MS) this.#options.gone(gateway, false);
      else if (silentMs > SILENT_MS) void this.#ask(gateway);
    }
  }

  async #ask(gateway: string): Promise<void> {
    const { cluster, gone } = this.#options;
    try {
      await cluster.request(gatewaySubject(gateway), new Uint8Array(0), CHECK_GATEWAYS_MS);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.problem !== "no-responders") return;
      const absences = (this.#absences.get(gateway) ?? 0) + 1;
      this.#absences.set(gateway, absences % ABSENCES);
      if (absences === ABSENCES) gone(gateway, true);
    }
  }
}
