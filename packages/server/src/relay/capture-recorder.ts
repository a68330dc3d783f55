/** Keeps what passes through a relay in a pcapng file, beside the path and with a limit on what waits for the disk. */
import { createWriteStream, openSync, type WriteStream } from "node:fs";
import { pcapngHeader, pcapngPacket, TcpPackets } from "wirewalk/capture";
import type { Clock } from "wirewalk/net";
import type { Side } from "wirewalk/protocol";
import { nodeRuntime, type Runtime } from "../runtime.ts";
import { ReadQueue } from "./read-queue.ts";
import type { RelayRecorder } from "./relay.ts";
import type { RelayEnds } from "./relay-events.ts";

/** Bytes that wait to be packed and written, each. More are left out of the file, and counted. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
const ENTRY_BYTES = 200;

export interface CaptureRecorderOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Called once, when the file cannot be written any further. */
  readonly onFailed: (error: Error) => void;
  /** Default: Node's own. */
  readonly runtime?: Runtime;
}

export class CaptureRecorder implements RelayRecorder {
  /** Bytes that are not in the file because the disk was too slow. */
  missedBytes = 0;
  readonly #stream: WriteStream;
  readonly #queue: ReadQueue;
  readonly #connections = new Map<number, TcpPackets>();
  readonly #onFailed: (error: Error) => void;
  #hasFailed = false;

  /** Throws `Error` when the file cannot be opened for writing. What was in it is lost. */
  constructor({ file, clock, onFailed, runtime = nodeRuntime }: CaptureRecorderOptions) {
    let fd: number;
    try {
      fd = openSync(file, "w");
    } catch (error) {
      const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
      throw new Error(`Cannot write ${file}: ${why}`, { cause: error });
    }
    this.#stream = createWriteStream(file, { fd });
    this.#onFailed = onFailed;
    this.#stream.on("error", (error) => this.#fail(error));
    this.#queue = new ReadQueue(runtime, clock, (error) => this.#fail(error as Error), MAX_WAITING_BYTES);
    this.#stream.write(pcapngHeader({ application: "wirewalk relay", interfaceName: "relay" }));
  }

  open(connection: number, ends: RelayEnds, timeMs: number): void {
    this.#add(0, () => {
      const packets = new TcpPackets(ends);
      this.#connections.set(connection, packets);
      this.#write(timeMs, packets.open());
    });
  }

  bytes(connection: number, sender: Side, bytes: Uint8Array, timeMs: number): void {
    const isTaken = this.#add(bytes.length + ENTRY_BYTES, () => {
      const packets = this.#connections.get(connection);
      if (packets === undefined) return;
      if (this.#stream.writableLength > MAX_WAITING_BYTES) this.#miss(connection, sender, bytes.length);
      else this.#write(timeMs, packets.data(sender, bytes));
    });
    if (!isTaken) this.#add(0, () => this.#miss(connection, sender, bytes.length));
  }

  end(connection: number, sender: Side, timeMs: number): void {
    this.#add(0, () => this.#write(timeMs, this.#connections.get(connection)?.end(sender) ?? []));
  }

  reset(connection: number, sender: Side, timeMs: number): void {
    this.#add(0, () => this.#write(timeMs, this.#connections.get(connection)?.reset(sender) ?? []));
  }

  closed(connection: number): void {
    this.#add(0, () => void this.#connections.delete(connection));
  }

  /** Resolves when all is in the file. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await new Promise<void>((resolve) => {
      if (this.#hasFailed || this.#stream.closed) resolve();
      else this.#stream.end(() => resolve());
      this.#stream.once("close", () => resolve());
    });
  }

  #fail(error: Error): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#onFailed(error);
  }

  #add(bytes: number, call: () => void): boolean {
    if (this.#hasFailed) return true;
    return this.#queue.push({
      bytes,
      read: () => {
        call();
        return true;
      },
    });
  }

  #miss(connection: number, sender: Side, bytes: number): void {
    this.missedBytes += bytes;
    this.#connections.get(connection)?.skip(sender, bytes);
  }

  #write(timeMs: number, packets: readonly Uint8Array[]): void {
    // In two steps: milliseconds since 1970 have no room for nanoseconds in a number.
    const wholeMs = Math.floor(timeMs);
    const timeNs = BigInt(wholeMs) * 1_000_000n + BigInt(Math.round((timeMs - wholeMs) * 1e6));
    for (const packet of packets) this.#stream.write(pcapngPacket(timeNs, packet));
  }
}
