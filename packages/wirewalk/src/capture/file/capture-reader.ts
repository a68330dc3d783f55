/**
 * The packets of a capture file, pcap or pcapng, out of pieces of any size. It holds one packet or block at most, so a file may have
 * any size. What is damaged or missing is a fault, and reading goes on where it can.
 *
 * ```ts
 * import { CaptureReader } from "wirewalk/capture";
 * import { parseHex } from "wirewalk/wire";
 *
 * const lengths = [];
 * const reader = new CaptureReader({ packet: ({ data }) => lengths.push(data.length), fault: () => {} });
 * reader.push(parseHex("d4c3b2a1 0200 0400 00000000 00000000 00000400 65000000"));
 * reader.push(parseHex("00f15365 01000000 02000000 02000000 4500"));
 * reader.end();
 * lengths; // => [2]
 * ```
 *
 * @module
 */
import { formatHex, WireError } from "../../wire/index.ts";
import { ByteWindow } from "./byte-window.ts";
import type { CaptureSink } from "./packet.ts";
import { PcapReader, pcapKind } from "./pcap-reader.ts";
import { isPcapng, PcapngReader } from "./pcapng-reader.ts";

const MAGIC_BYTES = 4;

/** True for the first bytes of a capture, of which four are enough. */
export function isCapture(bytes: Uint8Array): boolean {
  return bytes.length >= MAGIC_BYTES && (isPcapng(bytes) || pcapKind(bytes) !== undefined);
}

export class CaptureReader {
  readonly #window = new ByteWindow();
  readonly #sink: CaptureSink;
  #format: PcapReader | PcapngReader | undefined;

  constructor(sink: CaptureSink) {
    this.#sink = sink;
  }

  /** Bytes of the file that were read. */
  get offset(): number {
    return this.#window.offset;
  }

  /**
   * Takes the next bytes of the file, and gives the sink the packets that they complete. The bytes may be reused afterwards. Throws
   * `WireError` for a file that is no capture.
   */
  push(bytes: Uint8Array): void {
    this.#window.push(bytes);
    this.#read(false);
    this.#window.detach();
  }

  /** The file ends here. Throws like `push`. */
  end(): void {
    this.#read(true);
  }

  #read(isEnd: boolean): void {
    const window = this.#window;
    if (this.#format === undefined) {
      if (window.length < MAGIC_BYTES && !isEnd) return;
      const magic = window.bytes.subarray(window.at, window.at + MAGIC_BYTES);
      if (!isCapture(magic)) {
        const why = `its first bytes are ${magic.length === 0 ? "missing" : formatHex(magic)}, which neither pcap nor pcapng begins with`;
        throw new WireError("bad-value", `Cannot read capture: ${why}`, 0);
      }
      this.#format = isPcapng(magic) ? new PcapngReader(window, this.#sink) : new PcapReader(window, this.#sink);
    }
    this.#format.read(isEnd);
  }
}
