/** Pages that watch one room: real WebSockets that count what they receive and do nothing else with it. */
import { connect, type Socket } from "node:net";
import { contestantTask, tell } from "../harness.ts";
import type { PagesReading, PagesRequest, PagesTask } from "./workload.ts";

const { port, scene } = contestantTask<PagesTask>();
const MASK = [0x37, 0xfa, 0x21, 0x3d] as const;
const readBuffer = Buffer.alloc(1 << 18);
const sockets: Socket[] = [];
let bytes = 0;
let messages = 0;
let closed = 0;

/** Counts the frames of one stream by their headers. */
class FrameCounter {
  readonly #head: number[] = [];
  #left = 0;

  push(length: number): void {
    for (let at = 0; at < length; ) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      this.#head.push(readBuffer[at] ?? 0);
      at += 1;
      const [first = 0, second = 0] = this.#head;
      const wanted = this.#head.length < 2 ? 2 : second < 126 ? 2 : second === 126 ? 4 : 10;
      if (this.#head.length < wanted) continue;
      this.#left = second < 126 ? second : this.#head.slice(2).reduce((sum, byte) => sum * 256 + byte, 0);
      // Text and binary messages; no pings.
      if ((first & 0x0f) <= 2) messages += 1;
      this.#head.length = 0;
    }
  }
}

function framed(text: string): Uint8Array {
  const payload = Buffer.from(text);
  const masked = payload.map((byte, index) => byte ^ (MASK[index & 3] ?? 0));
  return Buffer.concat([Uint8Array.of(0x81, 0x80 | payload.length, ...MASK), masked]);
}

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const counter = new FrameCounter();
    let isOpen = false;
    let answer = "";
    const socket = connect({
      host: "127.0.0.1",
      port,
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          if (isOpen) {
            bytes += length;
            counter.push(length);
            return true;
          }
          answer += readBuffer.toString("latin1", 0, length);
          const end = answer.indexOf("\r\n\r\n");
          if (end === -1) return true;
          if (!answer.startsWith("HTTP/1.1 101")) reject(new Error(`No WebSocket: ${answer.split("\r\n")[0]}`));
          isOpen = true;
          const rest = Buffer.from(answer.slice(end + 4), "latin1");
          rest.copy(readBuffer);
          counter.push(rest.length);
          const { protocol, room } = scene;
          socket.write(framed(JSON.stringify({ type: "watch", world: protocol, room })));
          resolve(socket);
          return true;
        },
      },
    });
    socket.on("error", reject);
    socket.on("close", () => {
      closed += 1;
    });
    socket.on("connect", () => {
      const key = Buffer.from("wirewalk bench 1").toString("base64");
      socket.write(
        `GET /ws/studio HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      );
    });
  });
}

process.on("message", (message: "end" | "read" | PagesRequest) => {
  if (message === "end") process.exit(0);
  if (message === "read") {
    tell({ bytes, messages, closed } satisfies PagesReading);
    bytes = 0;
    messages = 0;
    return;
  }
  void keepOpen(message.pages);
});
process.on("disconnect", () => process.exit(0));

async function keepOpen(pages: number): Promise<void> {
  while (sockets.length < pages) sockets.push(await open());
  for (const socket of sockets.splice(pages)) {
    closed -= 1;
    socket.destroy();
  }
  tell("open");
}
