/**
 * Holds what players receive to what the world sent: every message of the world for a player arrives at its client at most
 * once, unchanged and in order; it may be left out only for a player that reads too slowly.
 */
import type { PlayerId } from "wirewalk/motion";
import type { Effect, PayloadCodec, WireMessage } from "wirewalk/protocol";
import type { LinkKind } from "../../session/links.ts";
import { copyOf } from "./copies.ts";

/** Messages ahead that are searched for one that arrived out of turn. */
const SEARCH = 100_000;
/** Entries that were read are dropped when there are so many. */
const COMPACT = 1_024;

/** A message of the world as it was written: one for all who receive it. */
export class SentMessage {
  readonly message: WireMessage;
  readonly payload: Uint8Array;
  readonly sum: number;
  /** By carrier: what `frame` gave for it. */
  #frames: Partial<Record<LinkKind, Uint8Array>> | undefined;

  constructor(message: WireMessage, payload: Uint8Array) {
    this.message = message;
    // Its own: whatever the server does to the bytes later, these are what the world sent.
    this.payload = copyOf(payload);
    this.sum = sumOf(this.payload);
  }

  /** The payload as a carrier's frames begin, made once. */
  frame(kind: LinkKind, frame: (payload: Uint8Array) => Uint8Array): Uint8Array {
    const frames = this.#frames ?? {};
    this.#frames = frames;
    const made = frames[kind] ?? frame(this.payload);
    frames[kind] = made;
    return made;
  }
}

/** What one player is still to receive. */
export class Expected {
  #sent: SentMessage[] = [];
  #head = 0;
  /** Up to here messages may be left out. */
  #droppable = 0;
  /**
   * The next message by another reading of what arrived: a message that could be left out may be equal to the first one that
   * could not, and only the next messages show which of the two it was.
   */
  #other: number | undefined;
  readonly #isLagging: () => boolean;
  received = 0;
  /** 32 bits of everything that was received. */
  digest = 0;
  leftOut = 0;

  /** `isLagging` says whether the host leaves out messages for the player now. */
  constructor(isLagging: () => boolean) {
    this.#isLagging = isLagging;
  }

  add(sent: SentMessage): void {
    this.#sent.push(sent);
  }

  /** The player was behind: what waits may be left out. */
  behind(): void {
    this.#droppable = this.#sent.length;
    // All that the other reading allows, the first one allows now.
    this.#other = undefined;
  }

  /** The message that is to arrive `ahead` messages after the next one; undefined when none waits there. */
  at(ahead: number): SentMessage | undefined {
    return this.#sent[this.#head + ahead];
  }

  /** How many messages may be left out before the one that arrives next, in ascending order. */
  *omissible(most: number): Generator<number, void, void> {
    // A flush that finds its player behind leaves out what was logged before, and no message of the world says so.
    if (this.#isLagging()) this.behind();
    const last = Math.min(Math.max(0, this.#droppable - this.#head), most);
    for (let omitted = 0; omitted <= last; omitted += 1) yield omitted;
    if (this.#other !== undefined) yield this.#other - this.#head;
  }

  /** Whether the next message must be the one that arrives next. */
  get isNextCertain(): boolean {
    return this.#droppable <= this.#head && this.#other === undefined && !this.#isLagging();
  }

  /** So many messages will not arrive. */
  omit(count: number): void {
    this.leftOut += count;
    this.#head += count;
  }

  /** The next message has arrived. */
  arrived(): void {
    const sent = this.#sent[this.#head] as SentMessage;
    this.#readOtherwise(sent);
    this.received += 1;
    this.digest = Math.imul(this.digest ^ sent.sum, 0x01000193) >>> 0;
    this.#head += 1;
    if (this.#head <= COMPACT) return;
    this.#sent.splice(0, this.#head);
    this.#droppable = Math.max(0, this.#droppable - this.#head);
    if (this.#other !== undefined) this.#other -= this.#head;
    this.#head = 0;
  }

  #readOtherwise({ payload }: SentMessage): void {
    if (this.#other === undefined && this.#head >= this.#droppable) return;
    const isAt = (index: number): boolean => {
      const sent = this.#sent[index];
      return sent !== undefined && isSame(sent.payload, payload);
    };
    if (this.#other !== undefined) this.#other = isAt(this.#other) ? this.#other + 1 : undefined;
    if (this.#head < this.#droppable && isAt(this.#droppable)) this.#other ??= this.#droppable + 1;
    if (this.#other === this.#head + 1) this.#other = undefined;
  }

  /** Takes a payload that has arrived; a sentence when it should not have. */
  take(payload: Uint8Array): string | undefined {
    // Nearly always: nothing may be left out.
    const next = this.isNextCertain ? this.at(0) : undefined;
    if (next !== undefined && isSame(next.payload, payload)) {
      this.arrived();
      return undefined;
    }
    for (const omitted of this.omissible(SEARCH)) {
      const sent = this.at(omitted);
      if (sent === undefined || !isSame(sent.payload, payload)) continue;
      this.omit(omitted);
      this.arrived();
      return undefined;
    }
    for (let missing = 1; missing < SEARCH; missing += 1) {
      const sent = this.at(missing);
      if (sent === undefined) break;
      if (isSame(sent.payload, payload)) return `${missing} messages are missing before ${hex(payload)}`;
    }
    return `a message that was not sent, or was sent before what has arrived (${hex(payload)})`;
  }
}

/** 32 bits of the bytes: FNV-1a of words of four bytes, the rest one by one. */
function sumOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let hash = 0x811c9dc5;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) hash = Math.imul(hash ^ view.getInt32(at, true), 0x01000193);
  for (; at < bytes.length; at += 1) hash = Math.imul(hash ^ view.getUint8(at), 0x01000193);
  return hash >>> 0;
}

/** From this length on Node compares faster than a loop, its call included. */
const LONG_BYTES = 96;

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  if (a.length >= LONG_BYTES) return Buffer.compare(a, b) === 0;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

export function hex(payload: Uint8Array): string {
  return Buffer.from(payload.subarray(0, 24)).toString("hex");
}

export class DeliveryCheck {
  readonly #expected = new Map<PlayerId, Expected>();
  readonly #rooms = new Map<string, Map<PlayerId, Expected>>();
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
      expected = new Expected(() => this.#isLagging(player));
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
      const sent = new SentMessage(message, payload);
      if (effect.effect === "send") {
        this.of(effect.to).add(sent);
        return;
      }
      for (const [player, expected] of this.#rooms.get(effect.room) ?? []) {
        if (player === effect.except) continue;
        expected.add(sent);
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
      const room = this.#rooms.get(effect.room) ?? new Map<PlayerId, Expected>();
      this.#rooms.set(effect.room, room.set(effect.player, this.of(effect.player)));
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
