/**
 * **Ban notices**: why the last session of an address was ended or refused, for tools over TCP, where no close frame says it.
 * An address is answered about itself alone (`/ban?protocol=NAME`).
 */
import type { Clock } from "wirewalk/net";
import { type BanKey, banKind } from "./ban-key.ts";

/** A tool asks as soon as it is disconnected. */
const KEPT_MS = 60_000;
/** Addresses with a notice: the oldest give way. */
const MAX_NOTICES = 1_000;

/** What an address is sent. */
export interface BanNotice {
  /** `banned until … by rule teleport; applies to address:192.0.2.7`. */
  readonly text: string;
  /** What can be lifted; null for a ban of one session. */
  readonly key: BanKey | null;
}

export class BanNotices {
  readonly #clock: Clock;
  /** By address and protocol, the oldest first. */
  readonly #notices = new Map<string, BanNotice & { readonly atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(address: string, protocol: string, key: BanKey, text: string): void {
    const id = `${address} ${protocol}`;
    this.#notices.delete(id);
    this.#notices.set(id, { text, key: banKind(key) === "session" ? null : key, atMs: this.#clock.now() });
    const [oldest] = this.#notices.keys();
    if (this.#notices.size > MAX_NOTICES && oldest !== undefined) this.#notices.delete(oldest);
  }

  find(address: string, protocol: string): BanNotice | undefined {
    const notice = this.#notices.get(`${address} ${protocol}`);
    if (notice === undefined || this.#clock.now() - notice.atMs > KEPT_MS) return undefined;
    return { text: notice.text, key: notice.key };
  }
}
