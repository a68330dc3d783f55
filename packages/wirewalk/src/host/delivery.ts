/**
 * Delivery: what a room says reaches everybody in it in **one write per recipient and flush**, however many messages
 * it was. Only the number of writes matters to a server that broadcasts (measured with 500 sockets at 10 messages a
 * second each: 6,350 ns of CPU per delivery one by one, 249-397 merged), so a message is framed once, what a room
 * said since the last flush is one buffer, and each recipient gets that buffer less its own messages.
 *
 * Order is kept per recipient: messages to it alone and broadcasts arrive as they were given.
 */
import type { PlayerId } from "../motion/index.ts";

/**
 * How payloads become carried bytes. Recipients with the same `Framing` object share what was framed once; a channel
 * whose cipher has memory has a framing of its own with `shared` false.
 */
export interface Framing {
  readonly shared: boolean;
  frame(payload: Uint8Array): Uint8Array;
}

/** Somebody to deliver to. */
export interface Recipient {
  readonly framing: Framing;
  /** True while something that was delivered has not left for it: it has fallen behind. Without it, never. */
  readonly isBehind?: boolean;
  /**
   * Takes whole frames in one write. The bytes may go to others too and must not be changed.
   * `false` asks that the recipient be left out of broadcasts until it `resume`s: it reads too slowly.
   * Must not call back into the delivery.
   */
  deliver(bytes: Uint8Array, messages: number): boolean;
}

/** What one room has said in one framing since the last flush. */
class RoomLog {
  bytes = new Uint8Array(256);
  length = 0;
  messages = 0;
  /** What had been said when the flush under way began. */
  roundLength = 0;
  roundMessages = 0;
  /** Members who listen: a log that nobody listens to is dropped. */
  listeners = 0;

  append(frame: Uint8Array): void {
    const end = this.length + frame.length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(frame, this.length);
    this.length = end;
    this.messages += 1;
  }

  /** Everything said so far is about to be written to all. */
  beginRound(): void {
    this.roundLength = this.length;
    this.roundMessages = this.messages;
  }

  /** All have it: only what was said since the round began is kept, in memory of its own. What was handed out is the sockets'. */
  endRound(): void {
    if (this.roundLength > 0) {
      const left = this.bytes.subarray(this.roundLength, this.length);
      this.bytes = new Uint8Array(Math.max(256, this.length + (this.length >> 1)));
      this.bytes.set(left);
      this.length = left.length;
      this.messages -= this.roundMessages;
    }
    this.roundLength = 0;
    this.roundMessages = 0;
  }
}

/** Whole frames for one recipient alone, and how much of the room's log goes before them: 0 from before it entered. */
interface OwnFrames {
  at: number;
  readonly bytes: Uint8Array;
  readonly messages: number;
}

interface Member {
  readonly player: PlayerId;
  readonly recipient: Recipient;
  room: Room | undefined;
  log: RoomLog | undefined;
  /** From where on in the room's log this member listens, as a byte place and as a number of messages. */
  from: number;
  fromMessage: number;
  readonly own: OwnFrames[];
  /** Ranges of the log that are this member's own words. */
  readonly omitted: number[];
  /** Reads too slowly: hears no broadcasts until refreshed. */
  lagging: boolean;
}

interface Room {
  readonly name: string;
  readonly members: Set<Member>;
  readonly logs: Map<Framing, RoomLog>;
  dirty: boolean;
}

/** Counts of what a delivery has done since it was made; one recipient of one message is one delivery. */
export interface DeliveryCounts {
  broadcasts: number;
  deliveries: number;
  bytes: number;
  writes: number;
  dropped: number;
}

/** The rooms of one world, who listens to which, and what they have not been given yet. */
export class Delivery {
  readonly counts: DeliveryCounts = { broadcasts: 0, deliveries: 0, bytes: 0, writes: 0, dropped: 0 };
  readonly #members = new Map<PlayerId, Member>();
  readonly #rooms = new Map<string, Room>();
  readonly #dirtyRooms = new Set<Room>();
  readonly #dirtyMembers = new Set<Member>();
  /** A flush that was begun and is not done. */
  #round: Generator<void, void, void> | undefined;

  /** False when `flush` would write nothing. */
  get pending(): boolean {
    return this.#round !== undefined || this.#dirtyRooms.size > 0 || this.#dirtyMembers.size > 0;
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
      omitted: [],
      lagging: false,
    });
  }

  /** Gives the player what is waiting for it, then forgets it. */
  remove(player: PlayerId): void {
    const member = this.#members.get(player);
    if (member === undefined) return;
    this.exit(player);
    this.#write(member);
    this.#dirtyMembers.delete(member);
    this.#members.delete(player);
  }

  /** From here on the player hears the room. */
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
    // A private cipher turns a shared log into nothing but copies: such members take their frames one by one.
    if (framing.shared) {
      let log = room.logs.get(framing);
      if (log === undefined) {
        log = new RoomLog();
        room.logs.set(framing, log);
      }
      log.listeners += 1;
      member.log = log;
      member.from = log.length;
      member.fromMessage = log.messages;
    }
    member.room = room;
    room.members.add(member);
  }

  /** The player hears no room from here on; what it has heard is kept for the next flush. */
  exit(player: PlayerId): void {
    const member = this.#members.get(player);
    if (member?.room === undefined) return;
    const { room, log } = member;
    const heard = this.#take(member);
    if (heard !== undefined) this.#own(member, { at: 0, ...heard });
    member.room = undefined;
    member.log = undefined;
    if (log !== undefined) {
      log.listeners -= 1;
      if (log.listeners === 0) room.logs.delete(member.recipient.framing);
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

  /** Counts a payload to one player that was left out because it reads too slowly. */
  drop(): void {
    this.counts.dropped += 1;
  }

  /** One payload to all who hear the room, less one. */
  broadcast(roomName: string, except: PlayerId | undefined, payload: Uint8Array): void {
    const room = this.#rooms.get(roomName);
    if (room === undefined) return;
    this.counts.broadcasts += 1;
    for (const [framing, log] of room.logs) {
      const start = log.length;
      log.append(framing.frame(payload));
      if (except === undefined) continue;
      const sender = this.#members.get(except);
      if (sender !== undefined && sender.log === log) sender.omitted.push(start, log.length);
    }
    if (room.logs.size > 0) this.#touch(room);
    for (const member of room.members) {
      if (member.log !== undefined || member.player === except) continue;
      if (member.lagging) this.counts.dropped += 1;
      else this.#ownFrame(member, payload);
    }
  }

  /** The player reads again: it hears broadcasts from here on. */
  resume(player: PlayerId): void {
    const member = this.#members.get(player);
    if (member === undefined || !member.lagging) return;
    this.#skip(member);
    member.lagging = false;
  }

  isLagging(player: PlayerId): boolean {
    return this.#members.get(player)?.lagging ?? false;
  }

  /** True while something that the player was given has not left for it. */
  isBehind(player: PlayerId): boolean {
    return this.#members.get(player)?.recipient.isBehind ?? false;
  }

  /**
   * Writes all that waits, once per recipient; with a number of `writes`, that many at most, and the next call goes on from
   * there. A recipient is given all that was said until its turn. True when everybody who had something waiting when the
   * flush began has been given it.
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
    // What is said from here on makes the room dirty again: for some of its members it will be too late.
    this.#dirtyRooms.delete(room);
    room.dirty = false;
    let reachedAll = false;
    try {
      for (const member of members) if (member.log !== undefined && this.#write(member)) yield;
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
    for (const log of logs.values()) log.endRound();
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
    this.#dirtyMembers.add(member);
  }

  /** One write of all that waits for the member; false when nothing does. */
  #write(member: Member): boolean {
    const taken = this.#take(member);
    if (taken === undefined) return false;
    this.counts.deliveries += taken.messages;
    this.counts.bytes += taken.bytes.length;
    this.counts.writes += 1;
    if (!member.recipient.deliver(taken.bytes, taken.messages)) member.lagging = true;
    return true;
  }

  /** All that waits for the member in its order, which from here on waits no more. */
  #take(member: Member): { readonly bytes: Uint8Array; readonly messages: number } | undefined {
    const { log, own, omitted } = member;
    if (member.lagging) this.#skip(member);
    const from = member.from;
    const to = log?.length ?? from;
    let messages = log === undefined ? 0 : log.messages - member.fromMessage - omitted.length / 2;
    for (const each of own) messages += each.messages;
    let bytes: Uint8Array | undefined;
    if (messages > 0) {
      bytes =
        log !== undefined && own.length === 0 && omitted.length === 0
          ? log.bytes.subarray(from, to)
          : assemble(log, from, to, own, omitted);
    }
    own.length = 0;
    this.#forget(member);
    return bytes === undefined ? undefined : { bytes, messages };
  }

  /** Drops what a member that lags behind would have heard. */
  #skip(member: Member): void {
    if (member.log === undefined) return;
    this.counts.dropped += member.log.messages - member.fromMessage - member.omitted.length / 2;
    this.#forget(member);
  }

  /** What the room has said so far is done with for this member. */
  #forget(member: Member): void {
    member.omitted.length = 0;
    if (member.log === undefined) return;
    member.from = member.log.length;
    member.fromMessage = member.log.messages;
  }
}

/** The log from `from` to `to` less the omitted ranges, with the recipient's own frames at their places. */
function assemble(
  log: RoomLog | undefined,
  from: number,
  to: number,
  own: readonly OwnFrames[],
  omitted: readonly number[],
): Uint8Array {
  let size = to - from;
  for (let index = 0; index < omitted.length; index += 2) size -= (omitted[index + 1] ?? 0) - (omitted[index] ?? 0);
  for (const each of own) size += each.bytes.length;
  const bytes = new Uint8Array(size);
  let length = 0;
  const copy = (part: Uint8Array): void => {
    bytes.set(part, length);
    length += part.length;
  };
  let place = from;
  let next = 0;
  const copyLog = (end: number): void => {
    if (log === undefined) return;
    for (let start = omitted[next]; start !== undefined && start < end; start = omitted[next]) {
      copy(log.bytes.subarray(place, start));
      place = omitted[next + 1] ?? end;
      next += 2;
    }
    if (place < end) copy(log.bytes.subarray(place, end));
    place = Math.max(place, end);
  };
  for (const each of own) {
    copyLog(each.at);
    copy(each.bytes);
  }
  copyLog(to);
  return bytes;
}
