/** A recording that is played to one page in the same browser: the feed of a page without a server. */
import type { Clock } from "wirewalk/net";
import type { FeedPage, PageSelf, Watched } from "../feed/feed-page.ts";
import { SpectatorFeed } from "../feed/spectator-feed.ts";
import { PlaybackRun, type PlaybackRunOptions } from "./playback-run.ts";

export { damageOf } from "./damage.ts";

export interface PagePlaybackOptions extends PlaybackRunOptions {
  readonly clock: Clock;
  /** Takes a message of the feed: a text, or the bytes of tracks, which the receiver may keep. */
  readonly send: (message: string | Uint8Array) => void;
  /** The page has sent an invalid request, and is sent nothing more. */
  readonly refused?: (reason: string) => void;
}

/**
 * Plays to one page what a server's `/ws/studio` sends.
 *
 * ```ts
 * const playback = new PagePlayback({ recording, protocols, file: "play.mcap", clock: systemClock, send });
 * playback.request('{"type":"pause"}');
 * playback.close();
 * ```
 */
export class PagePlayback {
  readonly #feed: SpectatorFeed<OnlyPage, string>;
  readonly #run: PlaybackRun<string>;
  readonly #page: OnlyPage;

  /** Throws `RangeError` for a recording that cannot be played. */
  constructor({ clock, send, refused = () => {}, ...options }: PagePlaybackOptions) {
    this.#feed = new SpectatorFeed({
      clock: {
        // What is sent is of the recorded time.
        now: () => this.#run.world.playback.nowMs,
        after: (delayMs, call) => clock.after(delayMs, call),
        every: (periodMs, call) => clock.every(periodMs, call),
      },
      bans: () => () => ({ version: "", bans: [] }),
      text: (message) => JSON.stringify(message),
      carry: (snapshot) => snapshot,
    });
    this.#run = new PlaybackRun(options, this.#feed, clock);
    this.#page = new OnlyPage(send, (reason) => {
      this.close();
      refused(reason);
    });
    this.#feed.start([this.#run.world], [this.#run.served]);
    this.#feed.add(this.#page);
    this.#run.start();
  }

  /** A request of the page, as JSON. */
  request(text: string): void {
    if (!this.#page.isOver) this.#feed.request(this.#page, text);
  }

  close(): void {
    this.#page.isOver = true;
    this.#feed.stop();
    this.#run.stop();
  }
}

/** It reads as fast as it is sent: nothing waits, and there are no deadlines. */
class OnlyPage implements FeedPage<string> {
  readonly token = "page";
  readonly isBehind = false;
  isOver = false;
  watched: Watched | undefined;
  self: PageSelf | undefined;
  stream: number | undefined;
  readonly #send: (message: string | Uint8Array) => void;
  readonly #ended: (reason: string) => void;

  constructor(send: (message: string | Uint8Array) => void, ended: (reason: string) => void) {
    this.#send = send;
    this.#ended = ended;
  }

  send(text: string): void {
    if (!this.isOver) this.#send(text);
  }

  sendTracks(bytes: Uint8Array): void {
    if (!this.isOver) this.#send(bytes);
  }

  checkDeadlines(): void {}

  watch(watched: Watched): void {
    this.watched = watched;
    this.stream = undefined;
  }

  end(_reason: string, detail: string): void {
    this.#ended(detail);
  }
}
