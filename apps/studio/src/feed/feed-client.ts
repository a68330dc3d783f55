/**
 * The page's end of the **feed**: one socket that is opened again, with growing pauses, for as long as the page is. It is a WebSocket of
 * the server, or a worker that plays a recording.
 */
import type { FeedMessage, FeedRequest } from "@wirewalk/server/feed";
import { TrackReader, type TrackSnapshot } from "wirewalk/motion";
import type { Cancel, Clock } from "wirewalk/net";
import { WireError } from "wirewalk/wire";

/** How the feed stands. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "open" }
  /** Gone; the next try is at `retryAtMs` of the clock. */
  | { readonly state: "lost"; readonly retryAtMs: number; readonly reason: string }
  /** The server refused this page, or sends a feed that this page cannot read: another try would end the same way. */
  | { readonly state: "refused"; readonly reason: string };

/** What of a WebSocket is used. */
export interface FeedSocket {
  binaryType: "arraybuffer" | "blob";
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface FeedClientOptions {
  readonly openSocket: () => FeedSocket;
  readonly clock: Clock;
  readonly onConnection: (connection: Connection) => void;
  readonly onMessage: (message: FeedMessage) => void;
  readonly onTracks: (snapshot: TrackSnapshot) => void;
}

/** The version of the feed that this page reads. */
const FEED_VERSION: Extract<FeedMessage, { type: "hello" }>["version"] = 3;

const OTHER_VERSION = "The server was updated after this page was loaded. Reload the page.";

/** The first pause: a server that restarts is back within a second or two. */
const FIRST_PAUSE_MS = 500;

/** The longest: somebody looks at the page and waits. */
const LONGEST_PAUSE_MS = 8_000;

/** Close code of a peer that broke the protocol (RFC 6455, 7.4.1). */
export const POLICY_VIOLATION = 1008;

/** The pause before try number `attempt` (0 is the first after a loss), doubling. */
export function pauseBefore(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
}

function lossReason(wasFed: boolean, reason: string): string {
  if (!wasFed) return "The server does not answer.";
  return reason === "" ? "The connection to the server broke." : `The server ended the connection (${reason}).`;
}

/** Keeps one feed open. */
export class FeedClient {
  readonly #options: FeedClientOptions;
  #socket: FeedSocket | undefined;
  #cancelRetry: Cancel | undefined;
  #attempt = 0;
  #open = false;

  constructor(options: FeedClientOptions) {
    this.#options = options;
    this.#connect();
  }

  /** Says it when the feed is open; otherwise nothing: what to watch is said anew after every `hello`. */
  send(request: FeedRequest): void {
    if (this.#open) this.#socket?.send(JSON.stringify(request));
  }

  /** Tries at once instead of waiting. */
  retryNow(): void {
    if (this.#socket !== undefined) return;
    this.#cancelRetry?.();
    this.#connect();
  }

  /** Ends the feed for good. */
  close(): void {
    this.#cancelRetry?.();
    const socket = this.#socket;
    this.#forget();
    if (socket === undefined) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  #connect(): void {
    this.#options.onConnection({ state: "connecting" });
    const socket = this.#options.openSocket();
    const tracks = new TrackReader();
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#open = true;
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.#receive(JSON.parse(data) as FeedMessage, socket);
      else if (data instanceof ArrayBuffer) this.#readTracks(tracks, data, socket);
    };
    socket.onclose = ({ code, reason }) => {
      const wasFed = this.#attempt === -1;
      this.#forget();
      if (code === POLICY_VIOLATION) {
        this.#options.onConnection({ state: "refused", reason: reason || "The server refused what the page said." });
        return;
      }
      this.#attempt = wasFed ? 0 : this.#attempt + 1;
      const pauseMs = pauseBefore(wasFed ? 0 : this.#attempt - 1);
      this.#options.onConnection({
        state: "lost",
        retryAtMs: this.#options.clock.now() + pauseMs,
        reason: lossReason(wasFed, reason),
      });
      this.#cancelRetry = this.#options.clock.after(pauseMs, () => this.#connect());
    };
  }
  #receive(message: FeedMessage, socket: FeedSocket): void {
    if (message.type === "hello" && message.version !== FEED_VERSION) {
      socket.onclose = null;
      socket.close();
      this.#forget();
      this.#options.onConnection({ state: "refused", reason: OTHER_VERSION });
      return;
    }
    // The first message, not the open socket, shows that a feed and not some other server answers.
    if (this.#attempt !== -1) {
      this.#attempt = -1;
      this.#options.onConnection({ state: "open" });
    }
    this.#options.onMessage(message);
  }

  /** A feed whose tracks cannot be read is closed, and begins anew with a full snapshot. */
  #readTracks(tracks: TrackReader, data: ArrayBuffer, socket: FeedSocket): void {
    try {
      const snapshot = tracks.read(new Uint8Array(data));
      if (snapshot !== undefined) this.#options.onTracks(snapshot);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      socket.close();
    }
  }

  #forget(): void {
    this.#socket = undefined;
    this.#open = false;
  }
}
