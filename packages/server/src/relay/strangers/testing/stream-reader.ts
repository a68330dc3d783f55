import type { Socket } from "node:net";

/** More waiting bytes than any message here has. */
const LIMIT = 1 << 20;

/** Bytes of a socket, taken by count. One read at a time. */
export class StreamReader {
  #waiting: Buffer = Buffer.alloc(0);
  #wanted: { readonly bytes: number; resolve(taken: Buffer): void; reject(reason: Error): void } | undefined;
  #end: Error | undefined;

  constructor(socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      if (this.#waiting.length + chunk.length > LIMIT) {
        socket.destroy(new Error(`More than ${LIMIT} bytes wait to be read`));
        return;
      }
      this.#waiting = Buffer.concat([this.#waiting, chunk]);
      this.#serve();
    });
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("The connection was closed")));
  }

  /** Rejects when the connection ends before. */
  take(bytes: number): Promise<Buffer> {
    if (this.#wanted !== undefined) throw new Error("A read is under way");
    return new Promise((resolve, reject) => {
      this.#wanted = { bytes, resolve, reject };
      this.#serve();
      if (this.#end !== undefined) this.#fail(this.#end);
    });
  }

  async u8(): Promise<number> {
    return (await this.take(1)).readUInt8();
  }

  async u16be(): Promise<number> {
    return (await this.take(2)).readUInt16BE();
  }

  #serve(): void {
    const wanted = this.#wanted;
    if (wanted === undefined || this.#waiting.length < wanted.bytes) return;
    this.#wanted = undefined;
    const taken = this.#waiting.subarray(0, wanted.bytes);
    this.#waiting = this.#waiting.subarray(wanted.bytes);
    wanted.resolve(taken);
  }

  #fail(reason: Error): void {
    this.#end ??= reason;
    this.#wanted?.reject(this.#end);
    this.#wanted = undefined;
  }
}
