/**
 * Delivery: the broadcasts of a room reach each of its players in **one write per recipient and flush**, however many
 * messages they are. Only the number of writes matters to a server that broadcasts (measured with 500 sockets at 10
 * messages a second each: 6,350 ns of CPU per delivery one by one, 249-397 merged). So a message is framed once, the
 * broadcasts since the last flush are one buffer, and each recipient receives that buffer without its own messages.
 *
 * Order is kept per recipient: messages to it alone and broadcasts arrive in the order of the calls.
 */
import type { PlayerId } from "../motion/index.ts";
import { ReusedBuffer } from "./reused-buffer.ts";
import { assemble, type LogPart, type OwnFrames, partLength, RoomLog } from "./room-log.ts";

/**
 * How payloads become frames. Recipients with the same `Framing` object share them: they are made and held once for a room.
 * A recipient whose cipher has memory shares frames that it completes when it writes: see `Sealing` of a channel, and
 * `payloadFraming`.
 */
export interface Framing {
  frame(payload: Uint8Array): Uint8Array;
}

/** Where the messages of a player go. */
export interface Recipient {
  readonly framing: Framing;
  /**
   * True while delivered bytes are still queued for it. A recipient that says false after `deliver` has no more use for the
   * bytes that it received, and their memory is used again. Without it: nothing is queued, and bytes may be kept.
   */
  readonly isBehind?: boolean;
  /**
   * False when so many more bytes would exceed what may be queued for it: it then receives no broadcasts until `resume`. Must
   * not call back into the delivery.
   */
  admits?(bytes: number): boolean;
  /**
   * Sends whole frames in one write. The bytes may be shared with other recipients and must not be changed. Returns false
   * when the recipient reads too slowly: it then receives no broadcasts until `resume`. Must not call back into the delivery.
   */
  deliver(bytes: Uint8Array, messages: number): boolean;
}

interface Member {
  readonly player: PlayerId;
  readonly recipient: Recipient;
  room: Room | undefined;
  log: RoomLog | undefined;
  /** Where this member's unread part of the log begins, in bytes and in messages. */
  from: number;
  fromMessage: number;
  readonly own: OwnFrames[];
  ownBytes: number;
  /** Ranges of the log with this member's own broadcasts. */
  readonly omitted: number[];
  /** Reads too slowly: receives no broadcasts until refreshed. */
  lagging: boolean;
}

interface Room {
  readonly name: string;
  readonly members: Set<Member>;
  readonly logs: Map<Framing, RoomLog>;
  dirty: boolean;
}

/** Counts since the delivery was made. One recipient of one message is one delivery; bytes are those of frames. */
export interface DeliveryCounts {
  broadcasts: number;
  deliveries: number;
  bytes: number;
  writes: number;
  dropped: number;
}

/** The rooms of one world with their members, and what is pending for each. */
export class Delivery {
  readonly counts: DeliveryCounts = { broadcasts: 0, deliveries: 0, bytes: 0, writes: 0, dropped: 0 };
  readonly #members = new Map<PlayerId, Member>();
  readonly #rooms = new Map<string, Room>();
  readonly #dirtyRooms = new Set<Room>();
  readonly #dirtyMembers = new Set<Member>();
  readonly #memory = new ReusedBuffer();
  #heldBytes = 0;
  /** The flush that was begun and is not finished. */
  #round: Generator<void, void, void> | undefined;

  /** False when `flush` would write nothing. */
  get pending(): boolean {
    return this.#round !== undefined || this.#dirtyRooms.size > 0 || this.#dirtyMembers.size > 0;
  }

  /** Bytes that wait for a flush. What is logged for a room counts once, however many recipients it has. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  add(player: PlayerId, recipient: Recipient): void {
    this.#members.set(player, {
      player,
      recipient,
      room: undefined,
      log: undefined,
      from: 0,
      fromMessage: 0,
      own: [],
      ownBytes: 0,
      omitted: [],
      lagging: false,
    });
  }

  /** Writes what is pending for the player, then removes it. */
  remove(player: PlayerId): void {
    const member = this.#members.get(player);
    if (member === undefined) return;
    this.exit(player);
    this.#write(member);
    this.#dirtyMembers.delete(member);
    this.#members.delete(player);
  }

  /** From here on the player receives the room's broadcasts. */
  enter(player: PlayerId, roomName: string): void {
    const member = this.#members.get(player);
    if (member === undefined) return;
    this.exit(player);
    let room = this.#rooms.get(roomName);
    if (room === undefined) {
      room = { name: roomName, members: new Set(), logs: new Map(), dirty: false };
      this.#rooms.set(roomName, room);
    }
    const { framing } = member.recipient;
    let log = room.logs.get(framing);
    if (log === undefined) {
      log = new RoomLog();
      room.logs.set(framing, log);
    }
    log.listeners += 1;
    member.log = log;
    member.from = log.length;
    member.fromMessage = log.messages;
    member.room = room;
    room.members.add(member);
  }

  /** From here on the player receives no broadcasts; those before are kept for the next flush. */
  exit(player: PlayerId): void {
    const member = this.#members.get(player);
    if (member?.room === undefined) return;
    const { room, log } = member;
    const part = this.#part(member);
    if (part !== undefined) {
      const bytes = new Uint8Array(partLength(part.pending));
      assemble(part.pending, bytes);
      this.#taken(member);
      this.#own(member, { at: 0, bytes, messages: part.messages });
    }
    member.room = undefined;
    member.log = undefined;
    if (log !== undefined) {
      log.listeners -= 1;
      if (log.listeners === 0) {
        room.logs.delete(member.recipient.framing);
        this.#heldBytes -= log.length;
      }
    }
    room.members.delete(member);
    if (room.members.size === 0) {
      this.#rooms.delete(room.name);
      this.#dirtyRooms.delete(room);
    }
  }

  /** One payload to one player. */
  send(player: PlayerId, payload: Uint8Array): void {
    const member = this.#members.get(player);
    if (member === undefined) return;
    this.#ownFrame(member, payload);
  }

  /** Counts a payload that was not sent because its player reads too slowly. */
  drop(): void {
    this.counts.dropped += 1;
  }

  /** One payload to all members of the room except one. */
  broadcast(roomName: string, except: PlayerId | undefined, payload: Uint8Array): void {
    const room = this.#rooms.get(roomName);
    if (room === undefined) return;
    this.counts.broadcasts += 1;
    for (const [framing, log] of room.logs) {
      const start = log.length;
      log.append(framing.frame(payload));
      this.#heldBytes += log.length - start;
      if (except === undefined) continue;
      const sender = this.#members.get(except);
      if (sender !== undefined && sender.log === log) sender.omitted.push(start, log.length);
    }
    this.#touch(room);
  }

  /** The player has caught up: it receives broadcasts from here on. */
  resume(player: PlayerId): void {
    const member = this.#members.get(player);
    if (member === undefined || !member.lagging) return;
    this.#skip(member);
    member.lagging = false;
  }

  isLagging(player: PlayerId): boolean {
    return this.#members.get(player)?.lagging ?? false;
  }

  /** True while delivered bytes are still queued for the player. */
  isBehind(player: PlayerId): boolean {
    return this.#members.get(player)?.recipient.isBehind ?? false;
  }

  /**
   * Writes everything that is pending, once per recipient. With `writes` at most that many, and the next call continues. A
   * recipient receives all that was added before its turn. True when all that was pending at the start of the flush has
   * been written.
   */
  flush(writes = Number.POSITIVE_INFINITY): boolean {
    const round = this.#round ?? this.#flushRound();
    this.#round = round;
    try {
      for (let left = writes; left > 0; left -= 1) {
        if (round.next().done !== true) continue;
        this.#round = undefined;
        return true;
      }
      return false;
    } catch (error) {
      this.#round = undefined;
      throw error;
    }
  }

  /** Yields after every write. */
  *#flushRound(): Generator<void, void, void> {
    for (const room of [...this.#dirtyRooms]) yield* this.#flushRoom(room);
    for (const member of this.#dirtyMembers) {
      this.#dirtyMembers.delete(member);
      if (this.#write(member)) yield;
    }
  }

  *#flushRoom(room: Room): Generator<void, void, void> {
    const { members, logs } = room;
    for (const log of logs.values()) log.beginRound();
    // A broadcast from here on makes the room dirty again: some of its members have had their turn.
    this.#dirtyRooms.delete(room);
    room.dirty = false;
    let reachedAll = false;
    try {
      for (const member of members) if (this.#write(member)) yield;
      reachedAll = true;
    } finally {
      if (!reachedAll && members.size > 0) this.#touch(room);
    }
    for (const member of members) {
      const { log, own, omitted } = member;
      if (log === undefined || log.roundLength === 0) continue;
      member.from -= log.roundLength;
      member.fromMessage -= log.roundMessages;
      for (let index = 0; index < omitted.length; index += 1) omitted[index] = (omitted[index] ?? 0) - log.roundLength;
      for (const each of own) each.at = Math.max(0, each.at - log.roundLength);
    }
    for (const log of logs.values()) {
      this.#heldBytes -= log.roundLength;
      log.endRound();
    }
  }

  #touch(room: Room): void {
    if (room.dirty) return;
    room.dirty = true;
    this.#dirtyRooms.add(room);
  }

  #ownFrame(member: Member, payload: Uint8Array): void {
    this.#own(member, { at: member.log?.length ?? 0, bytes: member.recipient.framing.frame(payload), messages: 1 });
  }

  #own(member: Member, frames: OwnFrames): void {
    member.own.push(frames);
    member.ownBytes += frames.bytes.length;
    this.#heldBytes += frames.bytes.length;
    this.#dirtyMembers.add(member);
  }

  /** One write of everything that is pending for the member; false when nothing is. */
  #write(member: Member): boolean {
    const { recipient } = member;
    if (this.#exceeds(member)) member.lagging = true;
    const part = this.#part(member);
    if (part === undefined) return false;
    const { log, from, to, own, omitted } = part.pending;
    const isPlain = log !== undefined && own.length === 0 && omitted.length === 0;
    const [first] = own;
    // Frames for one recipient have memory of their own: alone they are written as they are.
    const isFirstAlone = first !== undefined && own.length === 1 && from === to;
    let bytes: Uint8Array;
    if (isPlain) {
      bytes = log.bytes.subarray(from, to);
    } else if (isFirstAlone) {
      bytes = first.bytes;
    } else {
      const length = partLength(part.pending);
      // A recipient that is behind keeps what it receives: memory of its own, of just that length.
      bytes = recipient.isBehind === false ? this.#memory.take(length) : new Uint8Array(length);
      assemble(part.pending, bytes);
    }
    this.#taken(member);
    this.counts.deliveries += part.messages;
    this.counts.bytes += bytes.length;
    this.counts.writes += 1;
    const wasBehind = recipient.isBehind !== false;
    // Before `deliver`, which may throw.
    if (isPlain && wasBehind) log.isGiven = true;
    if (!recipient.deliver(bytes, part.messages)) member.lagging = true;
    if (!wasBehind && recipient.isBehind !== false) {
      if (isPlain) log.isGiven = true;
      else if (!isFirstAlone) this.#memory.giveAway();
    }
    return true;
  }

  /** Whether the broadcasts that are pending for the member are more than it may have queued. */
  #exceeds({ recipient, lagging, log, from, ownBytes }: Member): boolean {
    if (lagging || log === undefined || log.length === from || recipient.admits === undefined) return false;
    return !recipient.admits(log.length - from + ownBytes);
  }

  /** Everything that is pending for the member, in order; undefined when nothing is. */
  #part(member: Member): { readonly pending: LogPart; readonly messages: number } | undefined {
    if (member.lagging) this.#skip(member);
    const { log, from, own, omitted } = member;
    let messages = log === undefined ? 0 : log.messages - member.fromMessage - omitted.length / 2;
    for (const each of own) messages += each.messages;
    if (messages > 0) return { pending: { log, from, to: log?.length ?? from, own, omitted }, messages };
    this.#taken(member);
    return undefined;
  }

  /** Nothing is pending for the member any more. */
  #taken(member: Member): void {
    this.#heldBytes -= member.ownBytes;
    member.ownBytes = 0;
    member.own.length = 0;
    this.#forget(member);
  }

  /** Drops the broadcasts that are pending for a lagging member. */
  #skip(member: Member): void {
    if (member.log === undefined) return;
    this.counts.dropped += member.log.messages - member.fromMessage - member.omitted.length / 2;
    this.#forget(member);
  }

  /** Marks the whole log as read by this member. */
  #forget(member: Member): void {
    member.omitted.length = 0;
    if (member.log === undefined) return;
    member.from = member.log.length;
    member.fromMessage = member.log.messages;
  }
}
