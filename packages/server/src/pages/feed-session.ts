/** One page's connection to the feed: its budgets, its deadlines, and what it watches. */
import { randomBytes } from "node:crypto";
import type { Clock } from "wirewalk/net";
import type { Place } from "../admission/places.ts";
import type { FeedPage, PageSelf, Watched } from "../feed/feed-page.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { Stalls } from "../runtime/stalls.ts";
import type { Budgets } from "../session/budgets.ts";
import type { DisconnectReason } from "../session/disconnect.ts";
import type { WebSocketLink } from "../session/links.ts";
import { Silence } from "../session/silence.ts";
import { TokenBucket } from "../session/token-bucket.ts";

const TOKEN_BYTES = 16;
/** A page that is closed has this long to read the reason. */
const CLOSE_WITHIN_MS = 2_000;

export interface FeedContext {
  readonly budgets: Budgets;
  readonly stalls: Stalls;
  readonly clock: Clock;
  /** The page has sent its first valid request. */
  proved(session: FeedSession): void;
  ended(session: FeedSession, reason: DisconnectReason, detail: string | undefined): void;
  gone(session: FeedSession): void;
}

/** A page's connection. */
export interface FeedConnection {
  readonly link: WebSocketLink;
  readonly place: Place;
  readonly log: LogBudget;
  /** Default: a new one. A worker thread has that of the main thread's page. */
  readonly token?: string | undefined;
}

/** One page. */
export class FeedSession implements FeedPage<Buffer> {
  readonly token: string;
  readonly link: WebSocketLink;
  readonly place: Place;
  readonly log: LogBudget;
  readonly #silence: Silence;
  readonly #context: FeedContext;
  readonly #requests: TokenBucket;
  readonly #bytes: TokenBucket;
  #unfinishedMs: number | undefined;
  #finishedMessages = 0;
  #isOver = false;
  #answers = false;
  watched: Watched | undefined;
  stream: number | undefined;
  self: PageSelf | undefined;

  constructor(
    { link, place, log, token }: FeedConnection,
    context: FeedContext,
    request: (session: FeedSession, text: string) => void,
  ) {
    this.token = token ?? randomBytes(TOKEN_BYTES).toString("hex");
    this.link = link;
    this.place = place;
    this.log = log;
    this.#silence = new Silence(context.stalls);
    this.#context = context;
    const { feedRequestsPerSecond, bytesPerSecond, bytesBurst } = context.budgets;
    this.#requests = new TokenBucket(
      { perSecond: feedRequestsPerSecond, burst: feedRequestsPerSecond },
      context.stalls,
    );
    this.#bytes = new TokenBucket({ perSecond: bytesPerSecond, burst: bytesBurst }, context.stalls);
    link.listen({
      carried: (bytes) => this.#carried(bytes),
      content: () => this.end("bad-request", "text messages only"),
      text: (text) => {
        if (!this.#requests.take(1)) this.end("message-rate");
        else request(this, text);
      },
      control: () => {
        this.#answers = true;
        if (!this.#requests.take(1)) this.end("message-rate", "control frames");
      },
      misused: (reason, detail) => this.end(reason, detail),
      drained: () => {},
      closed: (reason) => {
        this.end(reason);
        context.gone(this);
      },
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** True when the page reads too slowly for tracks. */
  get isBehind(): boolean {
    return this.link.queuedBytes > this.#context.budgets.feedQueuedBytesSoft;
  }

  send(text: Buffer): void {
    if (!this.#isOver) this.link.writeText(text);
  }

  /** Tracks as one frame, which other pages are sent too. */
  sendTracks(frame: Uint8Array): void {
    if (!this.#isOver) this.link.write(frame);
  }

  checkDeadlines(): void {
    const { budgets, stalls } = this.#context;
    if (this.link.queuedBytes > budgets.feedQueuedBytesHard) this.end("slow-reader");
    else if (this.#unfinishedMs !== undefined && stalls.fairNow() - this.#unfinishedMs > budgets.unfinishedFrameMs) {
      this.end("unfinished-frame");
    } else if (this.place.isSilent && !this.#answers && this.#silence.exceeds(budgets.silentMs)) {
      this.end("silent");
    }
  }

  end(reason: DisconnectReason, detail?: string, withinMs = CLOSE_WITHIN_MS): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.link.close(reason, withinMs);
    this.#context.ended(this, reason, detail);
  }

  watch(watched: Watched): void {
    this.watched = watched;
    this.stream = undefined;
    if (this.place.isSilent) this.#context.proved(this);
  }

  #carried(bytes: number): void {
    if (!this.#bytes.take(bytes)) {
      this.end("byte-rate");
      return;
    }
    const { unfinished, messages, mostFragments } = this.link.meter;
    if (mostFragments > this.#context.budgets.websocketFragments) {
      this.end("fragments", `a message of ${mostFragments} frames`);
      return;
    }
    if (!unfinished) this.#unfinishedMs = undefined;
    else if (messages !== this.#finishedMessages || this.#unfinishedMs === undefined) {
      this.#unfinishedMs = this.#context.stalls.fairNow();
    }
    this.#finishedMessages = messages;
  }
}
