/** The page of a world without sessions, for spectators alone: the shadow world of a relay, or a recording that is played. */
import { pino } from "pino";
import type { Clock } from "wirewalk/net";
import type { WorldMaps } from "wirewalk/protocol";
import { type Place, Places } from "../admission/places.ts";
import { TrustedProxies } from "../admission/trusted-proxies.ts";
import { peerOf } from "../bans/ban-key.ts";
import { type CaseAnswer, caseAnswer } from "../cases/case-answers.ts";
import { CaseMaker, type CaseMakerOptions } from "../cases/case-maker.ts";
import type { ServedWorld } from "../feed/feed.ts";
import type { FeedWorld } from "../feed/feed-world.ts";
import { Metrics } from "../health/metrics.ts";
import { addProcessMetrics } from "../health/server-metrics.ts";
import { DocsFiles } from "../http/docs-files.ts";
import { mapAnswer } from "../http/map-answers.ts";
import { StaticFiles } from "../http/static-files.ts";
import { WebListeners } from "../http/web-listeners.ts";
import { STUDIO } from "../http/web-upgrade.ts";
import { LogBudget } from "../runtime/log-budget.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { Stalls } from "../runtime/stalls.ts";
import { type Budgets, defaultBudgets } from "../session/budgets.ts";
import type { WebSocketLink } from "../session/links.ts";
import { type VerdictSource, verdictAnswer } from "../verdicts/verdict-requests.ts";
import type { FeedContext, FeedSession } from "./feed-session.ts";
import { StudioFeed } from "./studio-feed.ts";

export interface WorldPageOptions {
  /** Port of the page on 127.0.0.1; 0 for any. */
  readonly http: number;
  /** The built page. */
  readonly studioFolder: string | undefined;
  /** See `ServerOptions`. */
  readonly docsFolder?: string | undefined;
  /** Requests of a page in a second. Default: those of a server's feed. */
  readonly requestsPerSecond?: number;
  /** The maps of the world, which the page draws. Default: none. */
  readonly maps?: WorldMaps | undefined;
  /** What was found in the world, for `/verdicts`. */
  readonly verdicts: VerdictSource;
  /** Where a verdict's seconds are taken from, for `/cases`. Default: the page has them itself, or nobody has. */
  readonly cases?: Pick<CaseMakerOptions, "recent" | "filesOf"> | undefined;
}

interface PageContext {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly worldNow?: () => number;
}

export class WorldPage implements FeedContext {
  readonly feed: StudioFeed;
  readonly budgets: Budgets;
  readonly stalls: Stalls;
  readonly clock: Clock;
  /** The metrics of the process, at `/metrics`. The caller, which has the world, adds its own. */
  readonly metrics = new Metrics();
  readonly #options: WorldPageOptions;
  readonly #log = pino({ level: "silent" });
  readonly #places: Places;
  readonly #web: WebListeners;
  readonly #cases: CaseMaker | undefined;
  readonly #sessions = new Set<FeedSession>();

  /** `worldNow` is the time of the world, where it is not that of the clock. */
  constructor(options: WorldPageOptions, { clock, runtime, worldNow = () => clock.now() }: PageContext) {
    const { requestsPerSecond: feedRequestsPerSecond = defaultBudgets.feedRequestsPerSecond } = options;
    this.#options = options;
    this.budgets = { ...defaultBudgets, feedRequestsPerSecond };
    this.clock = clock;
    this.stalls = new Stalls(clock);
    addProcessMetrics(this.metrics, this.stalls);
    this.feed = new StudioFeed(
      {
        now: worldNow,
        after: (delayMs, call) => clock.after(delayMs, call),
        every: (periodMs, call) => clock.every(periodMs, call),
      },
      () => [],
    );
    const { cases, maps } = options;
    this.#cases = cases && new CaseMaker({ ...cases, clock, mapsOf: () => maps });
    this.#places = new Places({ ...defaultBudgets, listeners: [STUDIO] });
    this.#web = new WebListeners(
      { http: options.http },
      {
        runtime,
        budgets: defaultBudgets,
        clock,
        proxies: new TrustedProxies([]),
        isDraining: () => false,
        keepUp: () => {},
        // No client of the game connects here.
        isWorld: () => false,
        take: (listener, address, evict) => this.#places.take(listener, peerOf(address), evict),
        leave: (place) => this.#places.release(place),
        open: (_listener, link, place) => this.#open(link, place),
      },
    );
  }

  get address(): { readonly host: string; readonly port: number } | undefined {
    return this.#web.httpAddress;
  }

  /** Throws `Error` when the port cannot be listened on. */
  async listen(world: FeedWorld, served: ServedWorld): Promise<void> {
    const { studioFolder, docsFolder } = this.#options;
    try {
      await this.#listen(studioFolder, docsFolder, served.name);
    } catch (error) {
      // Its timers would keep the process alive.
      await this.close();
      throw error;
    }
    this.feed.start([world], [served]);
  }

  #listen(studioFolder: string | undefined, docsFolder: string | undefined, world: string): Promise<void> {
    const { maps, verdicts } = this.#options;
    return this.#web.listen(
      {
        banOf: () => undefined,
        files: studioFolder === undefined ? undefined : new StaticFiles(studioFolder),
        docs: new DocsFiles(docsFolder),
        metrics: this.metrics,
        isDraining: () => false,
        failing: () => undefined,
        degraded: () => undefined,
        lagMs: () => 0,
        maps: mapAnswer((name) => (name === world ? maps : undefined)),
        verdicts: verdictAnswer(verdicts),
        ...(this.#cases === undefined ? {} : { cases: this.#answerCases(this.#cases, world) }),
      },
      this.#log,
    );
  }

  #answerCases(maker: CaseMaker, world: string): CaseAnswer {
    return caseAnswer({ maker, isWorld: (name) => name === world, clientOf: (request) => this.#web.clientOf(request) });
  }

  async close(): Promise<void> {
    this.feed.stop();
    for (const session of [...this.#sessions]) session.end("shutdown", undefined, 1);
    await this.#cases?.close();
    await this.#web.close();
    this.stalls.stop();
  }

  proved(session: FeedSession): void {
    this.#places.prove(session.place);
  }

  ended(session: FeedSession): void {
    this.feed.close(session);
  }

  gone(session: FeedSession): void {
    this.#sessions.delete(session);
    this.#places.release(session.place);
  }

  #open(link: WebSocketLink, place: Place): FeedSession {
    const log = new LogBudget(this.#log, { clock: this.clock, linesPerMinute: this.budgets.logLinesPerMinute });
    const session = this.feed.open({ link, place, log }, this);
    this.#sessions.add(session);
    return session;
  }
}
