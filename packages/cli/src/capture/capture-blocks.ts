/** The blocks of a pcapng stream, out of pieces of any size, with what a program that writes them to files has to know. */

const SECTION_HEADER = 0x0a0d0d0a;
const INTERFACE_DESCRIPTION = 1;
const INTERFACE_STATISTICS = 5;
const ENHANCED_PACKET = 6;
const OPTION_DROPPED = 5;
/** Of a block of statistics: head, interface, time. */
const STATISTICS_OPTIONS_AT = 20;
const LEAST_BYTES = 12;
/** Longer blocks are not written by a server. */
const MAX_BYTES = 1024 * 1024;

export class CaptureBlocks {
  /** Section and interfaces: every file begins with them. Whole as soon as another block came. */
  head = new Uint8Array(0);
  packets = 0;
  #rest = new Uint8Array(0);
  #isHead = true;
  readonly #dropped = new Map<number, number>();

  /** Packets that the server says are missing. */
  get dropped(): number {
    return [...this.#dropped.values()].reduce((sum, each) => sum + each, 0);
  }

  /** Whole blocks behind the head, in one piece. Throws `RangeError` for bytes that are no capture of a server. */
  push(bytes: Uint8Array): Uint8Array {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const view = new DataView(all.buffer, all.byteOffset, all.length);
    let headEnd = 0;
    let at = 0;
    while (at + LEAST_BYTES <= all.length) {
      const type = view.getUint32(at, true);
      const length = view.getUint32(at + 4, true);
      if (length < LEAST_BYTES || length > MAX_BYTES || length % 4 !== 0) throw new RangeError("it is no capture");
      if (at === 0 && this.#isHead && this.head.length === 0 && type !== SECTION_HEADER) {
        throw new RangeError("it is no capture");
      }
      if (at + length > all.length) break;
      this.#isHead &&= type === SECTION_HEADER || type === INTERFACE_DESCRIPTION;
      if (this.#isHead) headEnd = at + length;
      else if (type === ENHANCED_PACKET) this.packets += 1;
      else if (type === INTERFACE_STATISTICS) this.#readDropped(view, at, length);
      at += length;
    }
    if (headEnd > 0) this.head = Buffer.concat([this.head, all.subarray(0, headEnd)]);
    this.#rest = new Uint8Array(all.subarray(at));
    return all.subarray(headEnd, at);
  }

  #readDropped(view: DataView, at: number, length: number): void {
    for (let option = at + STATISTICS_OPTIONS_AT; option + 12 <= at + length - 4; ) {
      const code = view.getUint16(option, true);
      const bytes = view.getUint16(option + 2, true);
      if (code === OPTION_DROPPED && bytes === 8) {
        this.#dropped.set(view.getUint32(at + 8, true), Number(view.getBigUint64(option + 4, true)));
      }
      option += 4 + Math.ceil(bytes / 4) * 4;
    }
  }
}
