/** Records of EVENT_MOUSE_MOVE, after `EventMouseMoveDecoder.kt` of blurite/rsprox (revision 239). */
import { ByteWriter } from "./osrs-bytes.ts";

/** A position of the mouse, -1 and -1 outside the window, and the 20 ms cycles since the record before. */
export interface MouseRecord {
  readonly x: number;
  readonly y: number;
  readonly cycles: number;
}

export interface MouseSample {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
}

const CYCLE_MS = 20;

/** Also what the first record of a client says. */
const MOST_CYCLES = 8191;
const OUTSIDE = 0x80000000;

/** More than the largest record fits below 255 bytes from here. */
const FULL_BYTES = 246;

export class MouseWriter {
  #last: MouseSample | undefined;

  /** One body, the records in it, and the samples that it has no room for. Undefined when the mouse did not move. */
  write(
    samples: readonly MouseSample[],
  ):
    | { readonly body: Buffer; readonly records: readonly MouseRecord[]; readonly left: readonly MouseSample[] }
    | undefined {
    const bytes = new ByteWriter();
    const records: MouseRecord[] = [];
    let residueMs = 0;
    let taken = 0;
    for (const sample of samples) {
      if (bytes.length + 2 >= FULL_BYTES) break;
      taken += 1;
      const last = this.#last;
      if (last?.x === sample.x && last.y === sample.y) continue;
      const ms = last === undefined ? MOST_CYCLES * CYCLE_MS : sample.atMs - last.atMs;
      const cycles = Math.min(MOST_CYCLES, Math.floor(ms / CYCLE_MS));
      residueMs += ms % CYCLE_MS;
      writeRecord(bytes, sample, last, cycles);
      records.push({ x: sample.x, y: sample.y, cycles });
      this.#last = sample;
    }
    if (records.length === 0) return undefined;
    const head = [Math.floor(residueMs / records.length), residueMs % records.length];
    return { body: Buffer.concat([Buffer.from(head), bytes.done()]), records, left: samples.slice(taken) };
  }
}

function writeRecord(bytes: ByteWriter, sample: MouseSample, last: MouseSample | undefined, cycles: number): void {
  const [dx, dy] = [sample.x - (last?.x ?? -1), sample.y - (last?.y ?? -1)];
  const isWithin = (least: number, most: number): boolean => Math.min(dx, dy) >= least && Math.max(dx, dy) <= most;
  const packed = sample.x < 0 ? OUTSIDE : (sample.y << 16) | sample.x;
  if (cycles < 8 && isWithin(-32, 31)) bytes.u16((cycles << 12) | ((dx + 32) << 6) | (dy + 32));
  else if (cycles < 32 && isWithin(-128, 127))
    bytes
      .u8(0x80 | cycles)
      .u8(dx + 128)
      .u8(dy + 128);
  else if (cycles < 32) bytes.u8(0xc0 | cycles).u32(packed);
  else bytes.u16(0xe000 | cycles).u32(packed);
}

/** The records of bodies in their order. */
export class MouseReader {
  #x = -1;
  #y = -1;

  read(body: Buffer): MouseRecord[] {
    const records: MouseRecord[] = [];
    for (let at = 2; at < body.length; ) {
      const first = body.readUInt8(at);
      let cycles: number;
      if (first >= 0xc0) {
        const isFull = first >= 0xe0;
        cycles = isFull ? body.readUInt16BE(at) & 0x1fff : first & 0x3f;
        at += isFull ? 2 : 1;
        const isOutside = body.readUInt32BE(at) === OUTSIDE;
        this.#x = isOutside ? -1 : body.readUInt16BE(at + 2);
        this.#y = isOutside ? -1 : body.readUInt16BE(at);
        at += 4;
      } else if (first >= 0x80) {
        cycles = first & 0x7f;
        this.#x += body.readUInt8(at + 1) - 128;
        this.#y += body.readUInt8(at + 2) - 128;
        at += 3;
      } else {
        const packed = body.readUInt16BE(at);
        cycles = packed >> 12;
        this.#x += ((packed >> 6) & 63) - 32;
        this.#y += (packed & 63) - 32;
        at += 2;
      }
      records.push({ x: this.#x, y: this.#y, cycles });
    }
    return records;
  }
}
