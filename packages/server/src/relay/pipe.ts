/**
 * The **path** of a relay: two sockets, and the bytes of each written to the other in the same turn of the event loop in which
 * they arrive. It knows no game. What a side does to its connection happens to the other: it ends its direction, resets, or
 * stops reading, and then the sender's socket is not read either, so that nothing piles up between them.
 */
import type { Socket } from "node:net";
import type { Side } from "wirewalk/protocol";

/** One direction on its way to the receiver. */
export interface Line {
  /** Takes bytes and keeps them. False: it holds enough for now, and calls the `drained` of the line before it later. */
  push(bytes: Uint8Array): boolean;
  /** The rest of the line takes more again. */
  drained(): void;
  /** The sender has ended its direction: so does the line, after all bytes. */
  end(): void;
  /** The sender has reset the connection: so does the line, at the time at which bytes sent now would arrive. */
  reset(): void;
  /** Bytes that it holds. */
  readonly heldBytes: number;
  /** The connection is over: forget everything. */
  close(): void;
}

/**
 * Puts something into the line of a sender, such as a delay. `next` is the rest of the line. The stage calls `drained` when it
 * takes more again.
 */
export type LineStage = (sender: Side, next: Line, drained: () => void) => Line;

export interface PipeEvents {
  /** Bytes that a sender sent: they are on their way. They must not be changed. */
  bytes(sender: Side, bytes: Uint8Array): void;
  ended(sender: Side): void;
  /** A side has reset the connection, or it was lost. `code` is the system's, such as `ECONNRESET`. */
  reset(sender: Side, code: string): void;
  /** Both sockets are closed. */
  closed(): void;
}

export interface PipeOptions {
  /** Connected, made with `allowHalfOpen`, and not read yet. */
  readonly sockets: Readonly<Record<Side, Socket>>;
  readonly events: PipeEvents;
  /** In the order in which bytes pass them. Default: none, and then bytes are never held. */
  readonly stages?: readonly LineStage[];
}

/** A connection that is closed has this long to send what is queued. */
const CLOSE_WITHIN_MS = 1_000;

const otherSide = (side: Side): Side => (side === "client" ? "server" : "client");

export class Pipe {
  readonly #sockets: Readonly<Record<Side, Socket>>;
  readonly #events: PipeEvents;
  readonly #lines: Readonly<Record<Side, Line>>;
  #open = 2;
  #wasReset = false;

  constructor({ sockets, events, stages = [] }: PipeOptions) {
    this.#sockets = sockets;
    this.#events = events;
    this.#lines = { client: lineOf("client", sockets, stages), server: lineOf("server", sockets, stages) };
    this.#read("client");
    this.#read("server");
  }

  /** Bytes on their way: taken from one socket and not yet given to the system for the other. */
  get heldBytes(): number {
    return this.#lines.client.heldBytes + this.#lines.server.heldBytes;
  }

  /** Ends both directions. */
  close(): void {
    for (const socket of Object.values(this.#sockets)) {
      socket.end();
      socket.resume();
      const timer = setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS);
      socket.once("close", () => clearTimeout(timer));
    }
  }

  /** Resets both ends: the connection cannot go on. */
  abort(): void {
    this.#wasReset = true;
    for (const socket of Object.values(this.#sockets)) socket.resetAndDestroy();
  }

  #read(sender: Side): void {
    const socket = this.#sockets[sender];
    const line = this.#lines[sender];
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => {
      if (!line.push(bytes)) socket.pause();
      this.#events.bytes(sender, bytes);
    });
    socket.on("end", () => {
      line.end();
      this.#events.ended(sender);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (this.#wasReset) return;
      this.#wasReset = true;
      line.reset();
      this.#events.reset(sender, error.code ?? error.message);
    });
    socket.on("close", () => {
      this.#open -= 1;
      if (this.#open > 0) return;
      for (const each of Object.values(this.#lines)) each.close();
      this.#events.closed();
    });
    socket.resume();
  }
}

/** The line of a sender: all stages, then the receiver's socket. */
function lineOf(sender: Side, sockets: PipeOptions["sockets"], stages: readonly LineStage[]): Line {
  const lines: Line[] = [];
  const drainedAfter = (index: number) => (): void => {
    if (index === 0) sockets[sender].resume();
    else lines[index - 1]?.drained();
  };
  let line = socketLine(sockets[otherSide(sender)], drainedAfter(stages.length));
  lines[stages.length] = line;
  for (const [index, stage] of [...stages.entries()].reverse()) {
    line = stage(sender, line, drainedAfter(index));
    lines[index] = line;
  }
  return line;
}

/** The end of every line: the receiver's socket. */
function socketLine(socket: Socket, drained: () => void): Line {
  socket.on("drain", drained);
  return {
    get heldBytes() {
      return socket.destroyed ? 0 : socket.writableLength;
    },
    push: (bytes) => socket.writable && socket.write(bytes),
    drained: () => {},
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    close: () => {},
  };
}
