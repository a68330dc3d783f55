/** The memory of a delivery: the broadcasts of a room, and the frames of one recipient among them. */

const START_BYTES = 256;

/** The broadcasts of one room in one framing since the last flush. */
export class RoomLog {
  bytes = new Uint8Array(START_BYTES);
  length = 0;
  messages = 0;
  /** Bytes and messages of the log when the current flush began. */
  roundLength = 0;
  roundMessages = 0;
  /** Members that read this log; it is dropped without any. */
  listeners = 0;
  /** True when a recipient may still use a part of `bytes`. */
  isGiven = false;

  append(frame: Uint8Array): void {
    const end = this.length + frame.length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
      this.isGiven = false;
    }
    this.bytes.set(frame, this.length);
    this.length = end;
    this.messages += 1;
  }

  /** Marks what is in the log now: the current flush writes it to all. */
  beginRound(): void {
    this.roundLength = this.length;
    this.roundMessages = this.messages;
  }

  /** All have it: keeps what was added since the mark, in new memory when the old belongs to a socket now. */
  endRound(): void {
    if (this.roundLength > 0) {
      const left = this.bytes.subarray(this.roundLength, this.length);
      // Memory that a flood left behind is not kept.
      if (this.isGiven || this.bytes.length > 4 * Math.max(START_BYTES, this.length)) {
        this.bytes = new Uint8Array(Math.max(START_BYTES, this.length + (this.length >> 1)));
      }
      this.bytes.set(left);
      this.length = left.length;
      this.messages -= this.roundMessages;
      this.isGiven = false;
    }
    this.roundLength = 0;
    this.roundMessages = 0;
  }
}

/** Whole frames for one recipient alone, with their place in the room's log: 0 for those from before it entered. */
export interface OwnFrames {
  at: number;
  readonly bytes: Uint8Array;
  readonly messages: number;
}

/** A part of a log for one recipient: less the omitted ranges, with the recipient's own frames at their places. */
export interface LogPart {
  readonly log: RoomLog | undefined;
  readonly from: number;
  readonly to: number;
  readonly own: readonly OwnFrames[];
  /** Starts and ends. */
  readonly omitted: readonly number[];
}

export function partLength({ from, to, own, omitted }: LogPart): number {
  let length = to - from;
  for (let index = 0; index < omitted.length; index += 2) length -= (omitted[index + 1] ?? 0) - (omitted[index] ?? 0);
  for (const each of own) length += each.bytes.length;
  return length;
}

/** Writes the part to `bytes`, which is as long as `partLength` says. */
export function assemble({ log, from, to, own, omitted }: LogPart, bytes: Uint8Array): void {
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
}
