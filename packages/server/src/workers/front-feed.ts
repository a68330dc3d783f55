/** A page's feed on the main thread: a connection to the feed of each worker, and the requests to the one that has the world. */
import { WebSocket } from "ws";
import type { ServedWorld } from "../feed/feed.ts";
import { parseRequest } from "../feed/feed-messages.ts";
import { frameBinary } from "../http/websocket-frames.ts";
import { encode } from "../pages/encode.ts";
import type { FeedSession } from "../pages/feed-session.ts";

/** A worker as its feed is reached. */
export interface FeedWorker {
  readonly socketPath: string;
  readonly served: readonly ServedWorld[];
}

/** Whether a page that reads slowly has caught up is checked this often. */
const RESUME_MS = 50;

/** Messages about worlds that the page does not watch: all others of a worker without the watched world are dropped. */
const OF_ALL_WORLDS = ["rooms", "rates", "self"].map((type) => Buffer.from(`{"type":"${type}"`));

/** That of the main thread names the worlds of all workers. */
const HELLO = Buffer.from('{"type":"hello"');

function startsWith(data: Buffer, start: Buffer): boolean {
  return data.subarray(0, start.length).equals(start);
}

export class FrontFeed {
  readonly #session: FeedSession;
  readonly #upstreams: readonly { readonly worker: FeedWorker; readonly socket: WebSocket }[];
  #watched: string | undefined;

  constructor(session: FeedSession, workers: readonly FeedWorker[]) {
    this.#session = session;
    session.send(
      encode({ type: "hello", version: 3, token: session.token, worlds: workers.flatMap(({ served }) => served) }),
    );
    this.#upstreams = workers.map((worker) => {
      const url = `ws+unix://${worker.socketPath}:/ws/studio?viewer=${session.token}`;
      // Its place is counted on the main thread alone.
      const headers = { host: "localhost", "x-forwarded-for": `page ${session.token}` };
      const socket = new WebSocket(url, { perMessageDeflate: false, headers });
      socket.on("message", (data, isBinary) => this.#received(worker, socket, data as Buffer, isBinary));
      socket.on("error", () => session.end("world-error", "a worker does not answer"));
      socket.on("close", () => session.end("world-error", "a worker has ended the feed"));
      return { worker, socket };
    });
  }

  request(text: string): void {
    const request = parseRequest(text);
    const owner =
      request?.type === "watch"
        ? this.#upstreams.find(({ worker }) => worker.served.some(({ name }) => name === request.world))
        : undefined;
    if (request?.type !== "watch" || owner === undefined) {
      this.#session.end("bad-request", request?.type === "watch" ? "no such world" : "not a request");
      return;
    }
    this.#watched = request.world;
    this.#session.watch({ world: request.world, room: request.room });
    for (const { worker, socket } of this.#upstreams) {
      // A feed watches one room: elsewhere that of the page's last request is no longer wanted.
      const [first] = worker.served;
      const rest = first === undefined ? undefined : JSON.stringify({ type: "watch", world: first.name, room: null });
      const asked = socket === owner.socket ? text : rest;
      if (asked === undefined) continue;
      if (socket.readyState === WebSocket.CONNECTING) socket.once("open", () => socket.send(asked));
      else socket.send(asked);
    }
  }

  close(): void {
    for (const { socket } of this.#upstreams) {
      socket.removeAllListeners();
      socket.on("error", () => {});
      socket.terminate();
    }
  }

  #received(worker: FeedWorker, socket: WebSocket, data: Buffer, isBinary: boolean): void {
    const session = this.#session;
    const isWatched = worker.served.some(({ name }) => name === this.#watched);
    if (isBinary) {
      if (isWatched) session.sendTracks(frameBinary(data));
    } else if (isWatched ? !startsWith(data, HELLO) : OF_ALL_WORLDS.some((start) => startsWith(data, start))) {
      session.send(data);
    }
    // The worker then counts what waits, and sends a full snapshot when the page has caught up.
    if (!session.isBehind || socket.isPaused) return;
    socket.pause();
    const resume = (): void => {
      if (session.isOver) return;
      if (session.isBehind) setTimeout(resume, RESUME_MS);
      else socket.resume();
    };
    setTimeout(resume, RESUME_MS);
  }
}
