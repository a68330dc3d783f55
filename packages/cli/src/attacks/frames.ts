/** WebSocket frames and requests (RFC 6455) as an attacker makes them: valid ones and others. */
import type { Transport, TransportEvents } from "wirewalk/net";
import type { RawClient } from "wirewalk/node";

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameOptions {
  readonly opcode: number;
  readonly payload?: Uint8Array;
  /** Default true. */
  readonly isFinal?: boolean;
  /** Default true, as a client has to. */
  readonly isMasked?: boolean;
  /** The three reserved bits, 0 to 7. Default 0. */
  readonly reserved?: number;
  /** The length that the frame names. Default: the payload's. */
  readonly length?: bigint;
}

/** One frame. */
export function frame(options: FrameOptions): Uint8Array {
  const { opcode, payload = new Uint8Array(0), isFinal = true, isMasked = true, reserved = 0 } = options;
  const length = options.length ?? BigInt(payload.length);
  const mask = isMasked ? 0x80 : 0;
  const head = [(isFinal ? 0x80 : 0) | (reserved << 4) | opcode];
  if (length < 126n) head.push(mask | Number(length));
  else if (length < 65_536n) head.push(mask | 126, Number(length >> 8n), Number(length & 0xffn));
  else {
    head.push(mask | 127);
    for (let shift = 56n; shift >= 0n; shift -= 8n) head.push(Number((length >> shift) & 0xffn));
  }
  // A mask of zeroes leaves the payload as it is.
  if (isMasked) head.push(0, 0, 0, 0);
  return Buffer.concat([Uint8Array.from(head), payload]);
}

/** The request that opens a WebSocket. */
export function upgradeRequest(path: string, host: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = {
    Host: host,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** The code of a close frame among these frames of a server; undefined without one. */
export function closeCodeIn(bytes: Uint8Array): number | undefined {
  for (const { opcode, payload } of new FrameReader().read(bytes)) {
    if (opcode === Opcode.close) return payload.length < 2 ? 1005 : ((payload[0] ?? 0) << 8) | (payload[1] ?? 0);
  }
  return undefined;
}

interface ServerFrame {
  readonly opcode: number;
  readonly payload: Uint8Array;
}

/** Reads the unmasked frames of a server, split anywhere. */
export class FrameReader {
  #held: Buffer = Buffer.alloc(0);

  read(bytes: Uint8Array): ServerFrame[] {
    this.#held = Buffer.concat([this.#held, bytes]);
    const frames: ServerFrame[] = [];
    while (this.#held.length >= 2) {
      const short = (this.#held[1] ?? 0) & 0x7f;
      const head = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (this.#held.length < head) break;
      const length =
        head === 2 ? short : head === 4 ? this.#held.readUInt16BE(2) : Number(this.#held.readBigUInt64BE(2));
      if (this.#held.length < head + length) break;
      frames.push({ opcode: (this.#held[0] ?? 0) & 0x0f, payload: this.#held.subarray(head, head + length) });
      this.#held = this.#held.subarray(head + length);
    }
    return frames;
  }
}

/** An upgraded connection as a transport: unlike the standard `WebSocket` it may have a local address of its choice. */
export function frameTransport(client: RawClient, early: Uint8Array): Transport {
  const { socket } = client;
  const reader = new FrameReader();
  let reason: string | undefined;
  let isOver = false;
  const end = (events: TransportEvents): void => {
    if (isOver) return;
    isOver = true;
    events.closed(reason ?? "connection lost");
  };
  const read = (events: TransportEvents, bytes: Uint8Array): void => {
    for (const { opcode, payload } of reader.read(bytes)) {
      if (opcode === Opcode.binary && !isOver) events.bytes(new Uint8Array(payload));
      if (opcode === Opcode.ping) client.send(frame({ opcode: Opcode.pong, payload }));
      if (opcode === Opcode.close) {
        reason ??= payload.length > 2 ? Buffer.from(payload.subarray(2)).toString() : "closed by peer";
        socket.end();
      }
    }
  };
  return {
    carrier: "message",
    get queuedBytes() {
      return socket.destroyed ? 0 : socket.writableLength;
    },
    listen(events) {
      queueMicrotask(() => read(events, early));
      socket.on("data", (bytes) => read(events, bytes));
      socket.on("close", () => end(events));
      if (socket.closed) queueMicrotask(() => end(events));
    },
    send: (bytes) => client.send(frame({ opcode: Opcode.binary, payload: bytes })),
    close(why = "closed") {
      reason ??= why;
      socket.destroy();
    },
  };
}
