/** Plain clients for tests: what a socket received, and a way to wait for it. */
import { TrackReader } from "wirewalk/motion";
import { RawClient } from "wirewalk/node";
import { WebSocket } from "ws";

const WAIT_MS = 60_000;

/** Waits until something is so, looking again at every turn of the event loop or so. Throws when it never is. */
export async function until(what: string, isSo: () => boolean, waitMs = WAIT_MS): Promise<void> {
  const start = performance.now();
  while (!isSo()) {
    if (performance.now() - start > waitMs) throw new Error(`Timed out before ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const TURN_MS = 8;

/** Time for what should not happen to happen, and turns of the event loop: one that comes after a stall has read no socket yet. */
export async function aMoment(ms = 60): Promise<void> {
  const untilMs = performance.now() + ms;
  let turns = Math.max(1, Math.floor(ms / TURN_MS));
  for (let leftMs = ms; turns > 0 || leftMs > 0; leftMs = untilMs - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(leftMs, TURN_MS))));
    turns -= 1;
  }
}

/** A TCP client of the tests' own protocol: payloads with their length before them. */
export class PlainClient extends RawClient {
  /** `localAddress`: one of this machine, as 127.0.0.2 is on Linux. */
  static to(port: number, localAddress?: string): Promise<PlainClient> {
    return PlainClient.connect({ host: "127.0.0.1", port, localAddress });
  }

  get hex(): string {
    return this.received.toString("hex");
  }

  /** Bytes alone: a string could be meant as hex. */
  override send(bytes: Uint8Array): void {
    super.send(bytes);
  }

  sendHex(hex: string): void {
    this.send(Buffer.from(hex.replaceAll(" ", ""), "hex"));
  }

  /** A payload with its length before it. */
  sendText(text: string): void {
    this.send(framed(text));
  }

  /** The payloads so far, as Latin text. */
  get texts(): readonly string[] {
    const texts: string[] = [];
    for (let at = 0; at + 2 <= this.received.length; ) {
      const length = this.received.readUInt16LE(at);
      if (at + 2 + length > this.received.length) break;
      texts.push(this.received.toString("latin1", at + 2, at + 2 + length));
      at += 2 + length;
    }
    return texts;
  }

  async receives(text: string): Promise<void> {
    await until(`a client received ${text}; last payloads: ${this.texts.slice(-3).join(" ")}`, () =>
      this.texts.includes(text),
    );
  }

  async closes(): Promise<void> {
    await until("a connection was closed", () => this.isClosed);
  }
}

export function framed(text: string): Buffer {
  const frame = Buffer.alloc(2 + text.length);
  frame.writeUInt16LE(text.length);
  frame.write(text, 2, "latin1");
  return frame;
}

/** A WebSocket client that keeps all messages that it receives. */
export class WebClient {
  readonly socket: WebSocket;
  readonly messages: Buffer[] = [];
  /** Text messages as JSON; on the feed also track snapshots, as events `tracks`. */
  readonly events: Record<string, unknown>[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;

  private constructor(socket: WebSocket, tracks: TrackReader | undefined) {
    this.socket = socket;
    socket.on("message", (data, isBinary) => {
      const snapshot = isBinary ? tracks?.read(data as Buffer) : undefined;
      if (snapshot !== undefined)
        this.events.push({ type: "tracks", ...snapshot, tracks: [...snapshot.tracks.values()] });
      else if (isBinary) this.messages.push(data as Buffer);
      else this.events.push(JSON.parse(String(data)) as Record<string, unknown>);
    });
    socket.on("error", () => {});
    socket.on("close", (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
  }

  /** Rejects with the status when the handshake is refused. */
  static async to(
    address: { readonly host: string; readonly port: number } | undefined,
    path: string,
    headers: Record<string, string> = {},
    localAddress?: string,
  ): Promise<WebClient> {
    const from = localAddress === undefined ? {} : { localAddress };
    const socket = new WebSocket(`ws://${address?.host}:${address?.port}${path}`, { headers, ...from });
    const client = new WebClient(socket, path === "/ws/studio" ? new TrackReader() : undefined);
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("unexpected-response", (_request, response) => {
        response.resume();
        socket.terminate();
        reject(new Error(`refused with ${response.statusCode}`));
      });
      socket.once("error", reject);
    });
    return client;
  }

  get texts(): readonly string[] {
    return this.messages.map((message) => message.toString("latin1"));
  }

  sendText(text: string): void {
    this.socket.send(Buffer.from(text, "latin1"));
  }

  /** The first matching event of this type. Waits for it. */
  async receivesEvent(type: string, matches: (event: Record<string, unknown>) => boolean = () => true) {
    const find = () => this.events.find((event) => event.type === type && matches(event));
    await until(`a page received ${type}`, () => find() !== undefined);
    return find() as Record<string, unknown>;
  }

  async receives(text: string): Promise<void> {
    await until(`a client received ${text}`, () => this.texts.includes(text));
  }

  async closes(): Promise<{ readonly code: number; readonly reason: string }> {
    await until("a WebSocket was closed", () => this.closed !== undefined);
    return this.closed as { readonly code: number; readonly reason: string };
  }
}
