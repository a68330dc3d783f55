/** Time by the game's ticks: judging the speed of players needs it. */
import type { SessionRecord } from "../session.ts";
import type { MessageSizes } from "./message-sizes.ts";

const TICK_END = "SERVER_TICK_END";
const TICK_MS = 600;

/**
 * Time by the game's ticks of 600 ms. The milliseconds of a file run slow, as the part of a millisecond is lost with every record: 598.7 ms for a tick in a
 * recording of 48 minutes. The server ends each tick with `SERVER_TICK_END`, so their number is the better clock.
 *
 * ```ts
 * const sizes = { client: new Map(), server: new Map([[83, { name: "SERVER_TICK_END", size: 0 }]]) };
 * const clock = new TickClock(sizes);
 * const end = { number: 1, byteOffset: 56, timeMs: 1_700_000_000_598, sender: "server", payload: new Uint8Array([83]) };
 * clock.timeMs(end); // => 0
 * clock.timeMs({ ...end, number: 2 }); // => 600
 * clock.ticks; // => 2
 * ```
 */
export class TickClock {
  readonly #opcode: number;
  readonly tickMs = TICK_MS;
  /** Ticks that have ended. */
  ticks = 0;

  /** Throws `RangeError` for a table without `SERVER_TICK_END`. */
  constructor(sizes: MessageSizes) {
    const opcode = tickEndOf(sizes);
    if (opcode === undefined) throw new RangeError(`The table has no ${TICK_END}`);
    this.#opcode = opcode;
  }

  /** Whether a table has `SERVER_TICK_END`. */
  static fits(sizes: MessageSizes): boolean {
    return tickEndOf(sizes) !== undefined;
  }

  /** The start of the tick that a record is in, in milliseconds from the file's first tick. Takes every record, in the order of the file. */
  timeMs({ sender, payload }: SessionRecord): number {
    const timeMs = this.ticks * TICK_MS;
    if (sender === "server" && payload[0] === this.#opcode) this.ticks += 1;
    return timeMs;
  }
}

function tickEndOf({ server }: MessageSizes): number | undefined {
  return [...server].find(([, { name }]) => name === TICK_END)?.[0];
}
