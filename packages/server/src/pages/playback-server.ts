/** Plays a recording to the page, on this machine alone. There is one playback: all pages see the same, and any of them controls it. */
import { recordedWorld } from "@wirewalk/recording";
import { type Clock, systemClock } from "wirewalk/net";
import type { FeedPlayback, PlaybackRequest } from "../feed/feed.ts";
import { PlaybackRun, type PlaybackRunOptions } from "../playback/playback-run.ts";
import { nodeRuntime, type Runtime } from "../runtime/runtime.ts";
import { recordedVerdicts } from "../verdicts/verdict-sources.ts";
import { WorldPage, type WorldPageOptions } from "./world-page.ts";

export interface PlaybackServerOptions extends PlaybackRunOptions {
  /** Port on 127.0.0.1; 0 for any. */
  readonly http: number;
  /** The built page; undefined: the feed alone. */
  readonly studioFolder: string | undefined;
  /** See `ServerOptions`. */
  readonly docsFolder?: string | undefined;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: Node's own. */
  readonly runtime?: Runtime;
}

export interface RunningPlayback {
  readonly address: { readonly host: string; readonly port: number };
  readonly state: FeedPlayback;
  control(request: PlaybackRequest): void;
  close(): Promise<void>;
}

/** A page that is scrubbed sends a request for each place of the pointer. */
const REQUESTS_PER_SECOND = 60;

/** Throws `RangeError` for a recording that cannot be played, and `Error` when the port cannot be listened on. */
export async function startPlayback(options: PlaybackServerOptions): Promise<RunningPlayback> {
  const playback = new PlaybackServer(options);
  try {
    await playback.listen();
  } catch (error) {
    await playback.close();
    throw error;
  }
  return playback;
}

class PlaybackServer implements RunningPlayback {
  readonly #http: number;
  readonly #page: WorldPage;
  readonly #run: PlaybackRun<Buffer>;

  constructor(options: PlaybackServerOptions) {
    const { recording, http, studioFolder, docsFolder, maps, clock = systemClock, runtime = nodeRuntime } = options;
    this.#http = http;
    const { protocol: world } = recordedWorld(recording);
    const page: WorldPageOptions = {
      http,
      studioFolder,
      docsFolder,
      maps,
      requestsPerSecond: REQUESTS_PER_SECOND,
      verdicts: recordedVerdicts(recording, { world, clock }),
    };
    this.#page = new WorldPage(page, { clock, runtime, worldNow: () => this.#run.world.playback.nowMs });
    try {
      this.#run = new PlaybackRun(options, this.#page.feed, clock);
    } catch (error) {
      // A recording of another version cannot be played: what the page has begun would keep the process alive.
      void this.#page.close();
      throw error;
    }
  }

  get address(): { readonly host: string; readonly port: number } {
    return this.#page.address ?? { host: "127.0.0.1", port: this.#http };
  }

  get state(): FeedPlayback {
    return this.#run.state;
  }

  control(request: PlaybackRequest): void {
    this.#run.control(request);
  }

  async listen(): Promise<void> {
    await this.#page.listen(this.#run.world, this.#run.served);
    this.#run.start();
  }

  async close(): Promise<void> {
    await this.#page.close();
    this.#run.stop();
  }
}
