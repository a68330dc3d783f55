/**
 * The load client: many sockets in one process that send at a steady pace and count what they are sent. Plain `net`
 * with one reused read buffer and a handwritten WebSocket: a library here would measure itself.
 */
import { connect, type Socket } from "node:net";
import { contestantTask, endWhenAsked, tell } from "../harness.ts";
import { CLIENT_PAYLOAD, type LoadTask, MESSAGES_PER_SECOND, RELAY_TYPE, runOn, tellLoad } from "./workload.ts";

endWhenAsked();
const task = contestantTask<LoadTask>();
runOn(task.core);
const webSocket = task.carrier === "websocket";

/** Every 47th recipient reads the times: 10 of 500, 50,000 readings a second; not the same place of every room. */
const SAMPLE_EVERY = 47;
/** Longest frame that is expected: payloads are under 126 bytes, headers 2. */
const MAX_FRAME = 128;

/** Until a server has accepted all connections. */
const ACCEPT_MS = task.sockets > 500 ? 4_000 : 1_000;

let measuring = false;
let sent = 0;
let delivered = 0;
let closed = 0;
const latenciesUs: number[] = [];

const nowUs = (): number => Math.floor(performance.now() * 1000) >>> 0;

/** Takes whole frames off a stream: counts messages, and reads the times of sampled recipients. */
class Counter {
  readonly #sampled: boolean;
  readonly #held = new Uint8Array(MAX_FRAME);
  #heldLength = 0;

  constructor(sampled: boolean) {
    this.#sampled = sampled;
  }

  push(buffer: Uint8Array, length: number): void {
    let at = 0;
    // A frame that began in the read before is completed byte by byte: rare, and short.
    while (this.#heldLength > 0 && at < length) {
      this.#held[this.#heldLength] = buffer[at] ?? 0;
      this.#heldLength += 1;
      at += 1;
      if (this.#heldLength >= 2 && this.#heldLength === frameLength(this.#held, 0)) {
        this.#frame(this.#held, 0);
        this.#heldLength = 0;
      }
    }
    while (at + 2 <= length) {
      const end = at + frameLength(buffer, at);
      if (end > length) break;
      this.#frame(buffer, at);
      at = end;
    }
    if (at < length) {
      this.#held.set(buffer.subarray(at, length));
      this.#heldLength = length - at;
    }
  }

  #frame(bytes: Uint8Array, at: number): void {
    // Only binary messages count; a ping or close of the server does not.
    if (!measuring || (webSocket && bytes[at] !== 0x82)) return;
    delivered += 1;
    if (!this.#sampled || task.messages !== "relay") return;
    const sentUs =
      (bytes[at + 7] ?? 0) | ((bytes[at + 8] ?? 0) << 8) | ((bytes[at + 9] ?? 0) << 16) | ((bytes[at + 10] ?? 0) << 24);
    latenciesUs.push((nowUs() - sentUs) >>> 0);
  }
}

/** Length of the frame at a place with two bytes left at least, header included. */
function frameLength(bytes: Uint8Array, at: number): number {
  const length = webSocket ? (bytes[at + 1] ?? 0) : (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  if (length + 2 > MAX_FRAME) throw new RangeError(`A frame of ${length} bytes is none of this benchmark's`);
  return 2 + length;
}

const MASK = [0x37, 0xfa, 0x21, 0x3d] as const;

/** A payload as this carrier's client sends it. */
function framed(payload: Uint8Array): Uint8Array {
  if (!webSocket) return Uint8Array.of(payload.length & 0xff, payload.length >> 8, ...payload);
  return Uint8Array.of(
    0x82,
    0x80 | payload.length,
    ...MASK,
    ...payload.map((byte, index) => byte ^ (MASK[index & 3] ?? 0)),
  );
}

const readBuffer = Buffer.alloc(1 << 16);

/** Opens one socket, up to the end of the WebSocket's handshake. */
async function open(index: number): Promise<Socket> {
  const counter = new Counter(index % SAMPLE_EVERY === 0);
  return await new Promise((resolve, reject) => {
    let shaken = !webSocket;
    let answer = "";
    const socket = connect({
      host: "127.0.0.1",
      port: task.port,
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          if (shaken) {
            counter.push(readBuffer, length);
            return true;
          }
          answer += readBuffer.toString("latin1", 0, length);
          const end = answer.indexOf("\r\n\r\n");
          if (end === -1) return true;
          if (!answer.startsWith("HTTP/1.1 101")) reject(new Error(`No WebSocket: ${answer.split("\r\n")[0]}`));
          shaken = true;
          const rest = Buffer.from(answer.slice(end + 4), "latin1");
          counter.push(rest, rest.length);
          resolve(socket);
          return true;
        },
      },
    });
    socket.on("error", reject);
    socket.on("close", () => {
      closed += 1;
      reject(new Error(`Socket ${index} was closed`));
    });
    socket.on("connect", () => {
      if (!webSocket) resolve(socket);
      else {
        const key = Buffer.from(`wirewalk bench ${index}`.padEnd(16).slice(0, 16)).toString("base64");
        socket.write(
          `GET ${task.path} HTTP/1.1\r\nHost: 127.0.0.1:${task.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
        );
      }
    });
  });
}

const sockets: Socket[] = [];
while (sockets.length < task.sockets) {
  const count = Math.min(25, task.sockets - sockets.length);
  const first = sockets.length;
  sockets.push(...(await Promise.all(Array.from({ length: count }, (_, index) => open(first + index)))));
}

// A TCP connection is made before the server has accepted it: what is measured begins when all are accepted.
await new Promise((resolve) => setTimeout(resolve, ACCEPT_MS));
tell("connected");

const relay = new Uint8Array(CLIENT_PAYLOAD);
relay[1] = RELAY_TYPE;
const rightPress = framed(Uint8Array.of(0, 8, 2, 0xc0, 1, 0xa0, 0));
const rightRelease = framed(Uint8Array.of(0, 8, 6, 0xc0, 1, 0xa0, 0));

let turn = 0;
function sendNext(): void {
  const socket = sockets[turn % sockets.length];
  const round = Math.floor(turn / sockets.length);
  turn += 1;
  if (measuring) sent += 1;
  if (task.messages === "slime") {
    socket?.write(round % 2 === 0 ? rightPress : rightRelease);
    return;
  }
  const at = nowUs();
  relay[3] = at & 0xff;
  relay[4] = (at >>> 8) & 0xff;
  relay[5] = (at >>> 16) & 0xff;
  relay[6] = at >>> 24;
  socket?.write(framed(relay));
}

/** Sends what is due by now: late timers are made up for, so that the pace holds. */
const startMs = performance.now();
const pace = setInterval(() => {
  const due = ((performance.now() - startMs) / 1000) * MESSAGES_PER_SECOND * sockets.length;
  while (turn < due) sendNext();
}, 1);

await tellLoad(task, {
  begin() {
    measuring = true;
  },
  end() {
    measuring = false;
    const counts = { sent, delivered, closed, latenciesMs: latenciesUs.map((us) => us / 1000) };
    sent = 0;
    delivered = 0;
    latenciesUs.length = 0;
    return counts;
  },
  stop: () => clearInterval(pace),
});
