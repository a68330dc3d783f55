/**
 * Holds what players receive to what the world sent: every message of the world for a player arrives at its client at most
 * once, unchanged and in order; it may be left out only for a player that reads too slowly.
 */
import type { PlayerId } from "wirewalk/motion";
import type { Effect, PayloadCodec, WireMessage } from "wirewalk/protocol";
import { checksum } from "./disk.ts";

/** Messages ahead that are searched for one that arrived out of turn. */
const SEARCH = 100_000;
/** Entries that were read are dropped when there are so many. */
const COMPACT = 1_024;

/** What one player is still to receive, as checksums of payloads. */
export class Expected {
  #sums: number[] = [];
  #head = 0;
  /** Up to here messages may be left out. */
  #droppable = 0;
  received = 0;
  /** 32 bits of everything that was received. */
  digest = 0;
  leftOut = 0;

  get open(): number {
    return this.#sums.length - this.#head;
  }

  add(sum: number): void {
    this.#sums.push(sum);
  }

  /** The player was behind: what waits may be left out. */
  behind(): void {
    this.#droppable = this.#sums.length;
  }

  /** Takes a payload that has arrived; a sentence when it should not have. */
  take(payload: Uint8Array): string | undefined {
    const sum = checksum(payload);
    this.received += 1;
    this.digest = Math.imul(this.digest ^ sum, 0x01000193) >>> 0;
    const sums = this.#sums;
    let at = this.#head;
    const end = Math.min(sums.length, at + SEARCH);
    while (at < end && sums[at] !== sum) at += 1;
    const skipped = at - this.#head;
    if (at === end) return `a message that was not sent, or was sent before what has arrived (${hex(payload)})`;
    if (skipped > 0 && at > this.#droppable) return `${skipped} messages are missing before ${hex(payload)}`;
    this.leftOut += skipped;
    this.#head = at + 1;
    if (this.#head > COMPACT) {
      sums.splice(0, this.#head);
      this.#droppable = Math.max(0, this.#droppable - this.#head);
      this.#head = 0;
    }
    return undefined;
  }
}

function hex(payload: Uint8Array): string {
  return Buffer.from(payload.subarray(0, 24)).toString("hex");
}

export class DeliveryCheck {
  readonly #expected = new Map<PlayerId, Expected>();
  readonly #rooms = new Map<string, Set<PlayerId>>();
  readonly #roomOf = new Map<PlayerId, string>();
  /** Whether the host leaves out messages for a player now. */
  readonly #isLagging: (player: PlayerId) => boolean;
  #effects: readonly Effect[] = [];
  #next = 0;

  constructor(isLagging: (player: PlayerId) => boolean) {
    this.#isLagging = isLagging;
  }

  of(player: PlayerId): Expected {
    let expected = this.#expected.get(player);
    if (expected === undefined) {
      expected = new Expected();
      this.#expected.set(player, expected);
    }
    return expected;
  }

  /** The host has taken these effects and carries them out in order. */
  taken(effects: readonly Effect[]): void {
    this.#finish();
    this.#effects = effects;
    this.#next = 0;
  }

  refreshed(player: PlayerId): void {
    this.of(player).behind();
  }

  left(player: PlayerId): void {
    this.#finish();
    this.#expected.delete(player);
    this.#exit(player);
  }

  /** A codec that notes for whom each message is. `alter` changes what it writes, behind the back of the check. */
  watch(codec: PayloadCodec, alter?: (payload: Uint8Array, count: number) => Uint8Array): PayloadCodec {
    let count = 0;
    const write = (sender: "client" | "server", message: WireMessage): Uint8Array => {
      const payload = codec.write(sender, message);
      this.#written(message, payload);
      count += 1;
      return alter === undefined ? payload : alter(payload, count);
    };
    return {
      id: codec.id,
      layouts: codec.layouts,
      messages: codec.messages,
      read: (sender: "client" | "server", payload: Uint8Array) => codec.read(sender, payload),
      write,
      trace: (sender, payload) => codec.trace(sender, payload),
      fromJson: (sender, json) => codec.fromJson(sender, json),
      toJson: (sender, message) => codec.toJson(sender, message),
    };
  }

  #written(message: WireMessage, payload: Uint8Array): void {
    for (let index = this.#next; index < this.#effects.length; index += 1) {
      const effect = this.#effects[index] as Effect;
      if (!("message" in effect) || effect.message !== message) continue;
      while (this.#next < index) this.#pass(this.#effects[this.#next++] as Effect);
      this.#next = index + 1;
      const sum = checksum(payload);
      if (effect.effect === "send") {
        this.of(effect.to).add(sum);
        return;
      }
      for (const player of this.#rooms.get(effect.room) ?? []) {
        if (player === effect.except) continue;
        const expected = this.of(player);
        expected.add(sum);
        if (this.#isLagging(player)) expected.behind();
      }
      return;
    }
  }

  #finish(): void {
    while (this.#next < this.#effects.length) this.#pass(this.#effects[this.#next++] as Effect);
  }

  #pass(effect: Effect): void {
    if (effect.effect === "enter") {
      this.#exit(effect.player);
      const room = this.#rooms.get(effect.room) ?? new Set();
      this.#rooms.set(effect.room, room.add(effect.player));
      this.#roomOf.set(effect.player, effect.room);
    } else if (effect.effect === "exit") {
      this.#exit(effect.player);
    }
  }

  #exit(player: PlayerId): void {
    const name = this.#roomOf.get(player);
    if (name === undefined) return;
    this.#roomOf.delete(player);
    const room = this.#rooms.get(name);
    room?.delete(player);
    if (room?.size === 0) this.#rooms.delete(name);
  }
}
