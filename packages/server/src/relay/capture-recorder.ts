/** Keeps what passes through a relay in a pcapng file, beside the path and with a limit on what waits for the disk. */
import { pcapngHeader } from "wirewalk/capture";
import type { Clock } from "wirewalk/net";
import type { Side } from "wirewalk/protocol";
import { CaptureFile } from "../capture/capture-file.ts";
import { CaptureWriter } from "../capture/capture-writer.ts";
import { nodeRuntime, type Runtime } from "../runtime/runtime.ts";
import type { RelayCapture } from "./relay.ts";
import type { RelayEnds } from "./relay-events.ts";

/** Bytes that wait to be packed and written, each. More are left out of the file, and counted. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

export interface CaptureRecorderOptions {
  /** Only its owner can read it. */
  readonly file: string;
  readonly clock: Clock;
  /** Called once, when the file cannot be written any further. */
  readonly onFailed: (error: Error) => void;
  /** Default: Node's own. */
  readonly runtime?: Runtime;
}

export class CaptureRecorder implements RelayCapture {
  readonly #file: CaptureFile;
  readonly #writer: CaptureWriter;

  /** Throws `Error` when the file cannot be opened for writing. What was in it is lost. */
  constructor({ file, clock, onFailed, runtime = nodeRuntime }: CaptureRecorderOptions) {
    const head = pcapngHeader({ application: "wirewalk relay", interfaceName: "relay" });
    this.#file = new CaptureFile({ file, head, onFailed });
    const maxWaitingBytes = MAX_WAITING_BYTES;
    this.#writer = new CaptureWriter({ sink: this.#file, clock, runtime, maxWaitingBytes, onError: onFailed });
  }

  /** Bytes that are not in the file because the disk was too slow. */
  get missedBytes(): number {
    return this.#writer.missedBytes;
  }

  open(connection: number, ends: RelayEnds, timeMs: number): void {
    this.#writer.open(connection, ends, timeMs);
  }

  bytes(connection: number, sender: Side, bytes: Uint8Array, timeMs: number): void {
    this.#writer.bytes(connection, sender, bytes, timeMs);
  }

  end(connection: number, sender: Side, timeMs: number): void {
    this.#writer.end(connection, sender, timeMs);
  }

  reset(connection: number, sender: Side, timeMs: number): void {
    this.#writer.reset(connection, sender, timeMs);
  }

  closed(connection: number): void {
    this.#writer.closed(connection);
  }

  /** Resolves when all is in the file. */
  async close(): Promise<void> {
    await this.#writer.idle();
    await this.#file.close();
  }
}
