/**
 * The **front** of a server with worker threads: the main thread. Worlds, their TCP sockets and sessions are in the workers; here are HTTP
 * with the page and its feed, accounts, the ledger and bans for operators. WebSockets of worlds are forwarded byte for byte.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { type Cancel, type Clock, type Store, systemClock } from "wirewalk/net";
import { processMemory } from "wirewalk/node";
import { Accounts } from "../admission/accounts.ts";
import { type Place, Places } from "../admission/places.ts";
import { TrustedProxies } from "../admission/trusted-proxies.ts";
import { peerOf } from "../bans/ban-key.ts";
import type { BanNotice } from "../bans/ban-notices.ts";
import { Bans } from "../bans/bans.ts";
import type { Ledger } from "../bans/ledger.ts";
import { captureAnswer } from "../capture/capture-requests.ts";
import { type CaptureRequest, MAX_CAPTURES, type RunningCapture } from "../capture/session-captures.ts";
import { fitToDescriptors, openFileLimit } from "../health/descriptors.ts";
import { MemoryBudget } from "../health/memory-budget.ts";
import { CounterSet } from "../health/metrics.ts";
import { Readiness } from "../health/readiness.ts";
import { serverMetrics } from "../health/server-metrics.ts";
import { DocsFiles } from "../http/docs-files.ts";
import { mapAnswer } from "../http/map-answers.ts";
import { StaticFiles } from "../http/static-files.ts";
import { isLoopbackName } from "../http/web-access.ts";
import { LOOPBACK, WebListeners } from "../http/web-listeners.ts";
import { STUDIO } from "../http/web-upgrade.ts";
import { type FeedContext, FeedSession } from "../pages/feed-session.ts";
import { LogBudget } from "../runtime/log-budget.ts";
import { nodeRuntime } from "../runtime/runtime.ts";
import { Stalls } from "../runtime/stalls.ts";
import {
  checkListeners,
  hasLogins,
  nameListeners,
  type RunningListener,
  type RunningServer,
  type ServerOptions,
  type ServerStats,
} from "../server-options.ts";
import { type Budgets, budgetsWith } from "../session/budgets.ts";
import type { DisconnectReason } from "../session/disconnect.ts";
import type { WebSocketLink } from "../session/links.ts";
import { lockFolder } from "../store/folder-lock.ts";
import { makeFolder } from "../store/make-folder.ts";
import type { ActionHands, VerdictActions } from "../verdicts/verdict-actions.ts";
import { VerdictDesk } from "../verdicts/verdict-desk.ts";
import { verdictAnswer } from "../verdicts/verdict-requests.ts";
import { WorldMapSets } from "../worlds/world-maps.ts";
import { ask, forwardRequest, forwardUpgrade } from "./forward.ts";
import { FrontFeed } from "./front-feed.ts";
import { MergedCapture } from "./merged-capture.ts";
import { mergeMetrics } from "./merged-metrics.ts";
import type { ActionAnswer, ActionCall, FromWorker, WorkerSetup } from "./messages.ts";
import { SharedCounts, sharedCountsMemory } from "./shared-counts.ts";
import { WorkerHandle } from "./worker-handle.ts";

const POLL_MS = 1_000;
const SECRET_BYTES = 32;
const DEFAULT_GRACE_MS = 10_000;
/** A worker has so much longer than its sessions to close its files. */
const CLOSE_FILES_MS = 2_000;

export interface WorkersOptions extends ServerOptions {
  /** Threads; no more are started than there are worlds. */
  readonly workers: number;
  /** The module that a thread runs: it calls `runWorker` with the setup in its `workerData`. */
  readonly module: URL;
  /** `workerData.data` of each thread. */
  readonly data: unknown;
  readonly execArgv?: readonly string[];
  /** The store of the main thread. The workers open it too, by their `data`. */
  readonly store: Store;
  /** Receives the lines that workers log. */
  readonly writeLog: (line: string) => void;
  /** A worker ended by itself: its worlds are gone, and the server should end. */
  readonly onFailed: (error: Error) => void;
}

/** A running server with workers. */
export type RunningWorkers = Pick<
  RunningServer,
  | "httpAddress"
  | "adminAddress"
  | "listeners"
  | "accounts"
  | "bans"
  | "ledger"
  | "verdicts"
  | "stats"
  | "capture"
  | "reload"
  | "close"
>;

/** Starts a server whose worlds are in worker threads. Throws like `startServer`. */
export async function startWorkers(options: WorkersOptions): Promise<RunningWorkers> {
  const budgets = budgetsWith(options.budgets);
  const limit = openFileLimit();
  const front = new Front({ ...options, budgets: limit === undefined ? budgets : fitToDescriptors(budgets, limit) });
  try {
    await front.listen();
  } catch (error) {
    await front.close({ graceMs: 0 });
    throw error;
  }
  return front;
}

class Front implements RunningWorkers, FeedContext {
  readonly budgets: Budgets;
  readonly clock: Clock;
  readonly stalls: Stalls;
  readonly accounts: Accounts;
  readonly bans: Bans;
  readonly #options: WorkersOptions;
  readonly #log: Logger;
  readonly #sharedLog: LogBudget;
  readonly #workers: readonly WorkerHandle[];
  readonly #folder: string;
  readonly #unlock: () => void;
  readonly #places: Places;
  readonly #web: WebListeners;
  readonly #proxies: TrustedProxies;
  readonly #readiness: Readiness;
  readonly #memory: MemoryBudget;
  readonly #disconnects = new CounterSet();
  readonly #pages = new Map<FeedSession, FrontFeed>();
  readonly #unwanted = new Map<WorkerHandle, Set<number>>();
  readonly #captures = new Map<number, MergedCapture>();
  readonly #desk: VerdictDesk;
  /** Calls of workers that have not been answered. */
  readonly #acting = new Map<number, (answer: ActionAnswer) => void>();
  #lastCall = 0;
  readonly #stopPolls;
  #stopMemory: Cancel = () => {};
  #missedBytes = 0;
  #lastCapture = 0;
  #draining = false;
  #closed: Promise<void> | undefined;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.budgets = budgetsWith(options.budgets);
    this.clock = options.clock ?? systemClock;
    this.#log = options.logger ?? pino({ level: "silent" });
    const { clock } = this;
    this.#sharedLog = new LogBudget(this.#log, { clock, linesPerMinute: this.budgets.logLinesPerMinute });
    const listeners = nameListeners(options);
    checkListeners(listeners);
    const names = listeners.map(({ name }) => name);
    const counted = [...names, STUDIO];
    const memory = sharedCountsMemory(counted.length);
    this.#places = new Places({
      ...this.budgets,
      listeners: [STUDIO],
      counts: new SharedCounts(memory, counted),
    });
    this.#proxies = new TrustedProxies(options.trustedProxies ?? []);
    this.#web = new WebListeners(options, {
      runtime: nodeRuntime,
      budgets: this.budgets,
      clock,
      proxies: this.#proxies,
      isDraining: () => this.#draining,
      keepUp: () => {},
      isWorld: (name) => names.includes(name),
      forward: (listener, upgrade) => {
        if (this.#memory.problem !== undefined) return false;
        const worker = this.#workers.find(({ setup }) => setup.worlds.includes(listener));
        if (worker !== undefined) forwardUpgrade(worker.setup.socketPath, upgrade);
        return worker !== undefined;
      },
      take: (listener, address, evict) => this.#take(listener, address, evict),
      leave: (place) => this.#places.release(place),
      open: (_listener, link, place) => this.#openPage(link, place),
    });
    this.#unlock = lockRecordings(options);
    const isPrivate =
      options.demo === true || (isLoopbackName(options.host ?? LOOPBACK) && !options.trustedProxies?.length);
    const registration = options.registration ?? (isPrivate ? "open" : "closed");
    this.accounts = new Accounts(options.store, this.budgets, { clock, runtime: nodeRuntime, registration });
    this.bans = new Bans(options.store, { clock, ...(options.epochNow === undefined ? {} : options) });
    this.#desk = new VerdictDesk({
      store: options.store,
      bans: this.bans,
      listeners,
      hands: this.#hands(),
      outputs: options.outputs,
      epochNow: options.epochNow ?? Date.now,
      log: this.#sharedLog,
    });
    this.stalls = new Stalls(clock);
    this.#memory = new MemoryBudget({ memory: processMemory(), clock, log: this.#log });
    this.#readiness = new Readiness({
      worlds: [],
      stalls: this.stalls,
      bans: this.bans,
      accounts: hasLogins(listeners) ? this.accounts : undefined,
      memory: this.#memory,
      log: this.#log,
    });
    this.#folder = mkdtempSync(join(tmpdir(), "wirewalk-workers-"));
    const secret = nodeRuntime.randomBytes(SECRET_BYTES);
    const count = Math.max(1, Math.min(options.workers, names.length));
    this.#workers = Array.from({ length: count }, (_, index): WorkerHandle => {
      const setup: WorkerSetup = {
        index: index + 1,
        threads: count,
        worlds: names.filter((_name, at) => at % count === index),
        socketPath: join(this.#folder, `${index + 1}.sock`),
        counts: memory,
        countedListeners: counted,
        secret,
      };
      const { module, data, execArgv = [] } = options;
      const received = (worker: WorkerHandle, message: FromWorker): void => this.#received(worker, message);
      return new WorkerHandle({ module, setup, data, execArgv, received, failed: (error) => this.#failed(error) });
    });
    this.#stopPolls = clock.every(POLL_MS, () => {
      this.bans.poll();
      this.#desk.poll();
      this.#readiness.lookAtStores();
      this.#readiness.lookForDescriptor();
    });
  }

  get listeners(): readonly RunningListener[] {
    return this.#workers.flatMap(({ listeners }) => listeners);
  }

  get ledger(): Ledger {
    return this.#desk.ledger;
  }

  get verdicts(): VerdictActions {
    return this.#desk.actions;
  }

  get httpAddress(): RunningServer["httpAddress"] {
    return this.#web.httpAddress;
  }

  get adminAddress(): RunningServer["adminAddress"] {
    return this.#web.adminAddress;
  }

  async listen(): Promise<void> {
    await Promise.all(this.#workers.map(({ ready }) => ready));
    this.#memory.checkStart();
    const { studioFolder, docsFolder } = this.#options;
    const own = serverMetrics({
      worlds: [],
      stalls: this.stalls,
      disconnects: this.#disconnects,
      verdicts: new CounterSet(),
      mapProblems: new CounterSet(),
      places: this.#places,
      accounts: this.accounts,
      listeners: [STUDIO],
      isStoreFailing: () => this.bans.problem !== undefined,
      areLoginsFailing: () => this.accounts.problem !== undefined,
      captures: this,
      recordings: new Map(),
    });
    this.#desk.addTo(own);
    const worlds = new Map(nameListeners(this.#options).map((listener) => [listener.name, listener]));
    // Those of the pages: each worker has its own.
    const maps = new WorldMapSets(this.#sharedLog);
    const protocols = new Set(this.#options.listeners.map(({ protocol }) => protocol.name));
    await this.#web.listen(
      {
        files: studioFolder === undefined ? undefined : new StaticFiles(studioFolder),
        docs: new DocsFiles(docsFolder),
        metrics: { text: async () => mergeMetrics([own.text(), ...(await this.#askAll("/metrics"))]) },
        isDraining: () => this.#draining,
        lagMs: () => Math.max(this.#readiness.lagMs, ...this.#workers.map(({ status }) => status?.lagMs ?? 0)),
        failing: () => this.#readiness.failing ?? this.#ofWorkers("failing"),
        degraded: () => this.#readiness.degraded ?? this.#ofWorkers("degraded"),
        banOf: (request, protocol) => this.#banOf(this.#web.clientOf(request), protocol),
        capture: captureAnswer({
          captures: { start: (request) => this.capture(request) },
          clock: this.clock,
          isGame: (name) => protocols.has(name),
          isWorld: (name) => this.#workers.some(({ setup }) => setup.worlds.includes(name)),
          log: this.#log,
        }),
        cases: (path, request, response) => {
          const [, , world = ""] = path.split("/");
          // The first one says that there is no such world.
          const worker = this.#workers.find(({ setup }) => setup.worlds.includes(world)) ?? this.#workers[0];
          if (worker === undefined) response.destroy();
          else forwardRequest(worker.setup.socketPath, { request, response, address: this.#web.clientOf(request) });
        },
        verdicts: verdictAnswer(this.verdicts),
        maps: mapAnswer((world) => {
          const listener = worlds.get(world);
          return listener && maps.of(listener);
        }),
      },
      this.#log,
    );
    this.#stopMemory = this.#memory.start({
      // What waits here for files and pages is little: the workers have the rest, and budgets of their own.
      free: () => {},
      usedUp: (problem) => {
        void this.close();
        this.#options.onMemoryUsedUp?.(problem);
      },
    });
    this.#log.info({ http: this.httpAddress, admin: this.adminAddress, listeners: this.listeners }, "listening");
  }

  /** A place for a connection, or why there is none: a world's comes here when it was not forwarded. */
  #take(listener: string, address: string, evict: () => void): Place | DisconnectReason {
    return this.#memory.problem === undefined ? this.#places.take(listener, peerOf(address), evict) : "memory";
  }

  /** What the workers say, each sentence once. */
  #ofWorkers(what: "failing" | "degraded"): string | undefined {
    const said = this.#workers.flatMap(({ status }) => status?.[what] ?? []);
    return said.length === 0 ? undefined : [...new Set(said)].join("; ");
  }

  stats(): ServerStats {
    const total: Record<string, number> = { sessions: this.#places.count };
    const disconnects: Partial<Record<DisconnectReason, number>> = {};
    for (const { status } of this.#workers) {
      for (const [name, value] of Object.entries(status?.stats ?? {})) {
        if (typeof value === "number") total[name] = (total[name] ?? 0) + value;
      }
      for (const [reason, times] of Object.entries(status?.stats.disconnects ?? {}) as [DisconnectReason, number][]) {
        disconnects[reason] = (disconnects[reason] ?? 0) + times;
      }
    }
    const none = { players: 0, messagesIn: 0, bytesIn: 0, bytesOut: 0, deliveries: 0, writes: 0, refusedPayloads: 0 };
    return { ...none, sessions: 0, ...total, disconnects };
  }

  /** Captures that are running. */
  get size(): number {
    return this.#captures.size;
  }

  get missedBytes(): number {
    return this.#missedBytes;
  }

  capture(request: CaptureRequest): RunningCapture | undefined {
    if (this.#captures.size >= MAX_CAPTURES) return undefined;
    this.#lastCapture += 1;
    const id = this.#lastCapture;
    const capture = new MergedCapture({
      id,
      request,
      post: (message) => {
        for (const worker of this.#workers) worker.post(message);
        return this.#workers.length;
      },
      ended: () => {
        this.#missedBytes += capture.missedBytes;
        this.#captures.delete(id);
      },
    });
    this.#captures.set(id, capture);
    return capture;
  }

  reload(changes: Pick<ServerOptions, "certificate" | "adminToken">): void {
    this.#web.reload(changes);
  }

  close({ graceMs = DEFAULT_GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  proved(session: FeedSession): void {
    this.#places.prove(session.place);
  }

  ended(session: FeedSession, reason: DisconnectReason): void {
    this.#disconnects.add({ protocol: STUDIO, world: STUDIO, carrier: "websocket", reason });
    this.#pages.get(session)?.close();
    this.#pages.delete(session);
  }

  gone(session: FeedSession): void {
    this.#places.release(session.place);
  }

  async #close(graceMs: number): Promise<void> {
    this.#draining = true;
    this.#log.info({ graceMs }, "draining");
    for (const page of [...this.#pages.keys()]) page.end("shutdown", undefined, Math.max(1, graceMs));
    await Promise.all([...this.#captures.values()].map((capture) => capture.stop()));
    await Promise.all(this.#workers.map((worker) => worker.close(graceMs, graceMs + CLOSE_FILES_MS)));
    this.#stopPolls();
    this.#stopMemory();
    this.#proxies.close();
    await this.#desk.close();
    this.bans.close();
    this.stalls.stop();
    await this.#web.close();
    this.#unlock();
    rmSync(this.#folder, { recursive: true, force: true });
    this.#sharedLog.finish();
    this.#log.info("closed");
  }

  #openPage(link: WebSocketLink, place: Place): FeedSession {
    const fields = { world: STUDIO, carrier: link.kind, address: link.address };
    const { clock } = this;
    const log = new LogBudget(this.#sharedLog, { clock, linesPerMinute: this.budgets.logLinesPerMinute, fields });
    const session = new FeedSession({ link, place, log }, this, (from, text) => this.#pages.get(from)?.request(text));
    const workers = this.#workers.map(({ setup, served }) => ({ socketPath: setup.socketPath, served }));
    this.#pages.set(session, new FrontFeed(session, workers));
    return session;
  }

  #received(worker: WorkerHandle, message: FromWorker): void {
    switch (message.type) {
      case "login":
        void this.#checkLogin(worker, message);
        return;
      case "login-unwanted":
        this.#unwanted.get(worker)?.add(message.id);
        return;
      case "verdict": {
        const { id, world, account, verdict } = message;
        worker.post({ type: "penalty", id, penalty: this.#desk.found(world, account, verdict) });
        return;
      }
      case "acted":
        this.#acting.get(message.id)?.(message.answer);
        this.#acting.delete(message.id);
        return;
      case "forget":
        this.ledger.forget(message.protocol, message.key);
        return;
      case "take-over":
        for (const other of this.#workers) if (other !== worker) other.post(message);
        return;
      case "capture": {
        const bytes = this.#captures.get(message.id)?.write(message) ?? 0;
        worker.post({ type: "capture-queued", id: message.id, bytes });
        return;
      }
      case "capture-ended":
        this.#captures.get(message.id)?.end(message);
        return;
      case "log":
        this.#options.writeLog(message.line);
        return;
      default:
    }
  }

  async #checkLogin(worker: WorkerHandle, { id, request }: Extract<FromWorker, { type: "login" }>): Promise<void> {
    const unwanted = this.#unwanted.get(worker) ?? new Set();
    this.#unwanted.set(worker, unwanted);
    const isWanted = (): boolean => !unwanted.has(id);
    const outcome = await this.accounts.check({ ...request, isWanted }).catch((error: unknown) => {
      this.#log.error({ err: error }, "a login could not be checked");
      return "unavailable" as const;
    });
    unwanted.delete(id);
    worker.post({ type: "login", id, outcome, problem: this.accounts.problem });
  }

  /** A worker does it in its worlds. */
  #hands(): ActionHands {
    const ask = (world: string, call: ActionCall): Promise<ActionAnswer> => {
      const worker = this.#workers.find(({ setup }) => setup.worlds.includes(world));
      if (worker === undefined) return Promise.resolve(undefined);
      this.#lastCall += 1;
      const id = this.#lastCall;
      return new Promise((resolve) => {
        this.#acting.set(id, resolve);
        worker.post({ type: "act", id, call });
      });
    };
    return {
      warn: async (target, text) => (await ask(target.world, { hand: "warn", target, text })) as string | undefined,
      end: async (target, how, detail) => (await ask(target.world, { hand: "end", target, how, detail })) === true,
      dismiss: async (play) => String(await ask(play.world, { hand: "dismiss", play })),
    };
  }

  #failed(error: Error): void {
    if (this.#draining) return;
    this.#log.fatal({ err: error }, "a worker has failed");
    this.#options.onFailed(error);
  }

  /** The answers of all workers; one that does not answer leaves its own out. */
  async #askAll(path: string, address = LOOPBACK): Promise<readonly string[]> {
    return Promise.all(this.#workers.map(({ setup }) => ask(setup.socketPath, path, address).catch(() => "")));
  }

  async #banOf(address: string, protocol: string): Promise<BanNotice | undefined> {
    for (const answer of await this.#askAll(`/ban?${new URLSearchParams({ protocol })}`, address)) {
      const { ban } = (answer === "" ? {} : JSON.parse(answer)) as { readonly ban?: BanNotice | null };
      if (ban !== undefined && ban !== null) return ban;
    }
    return undefined;
  }
}

/** Locks the folder of recordings for all threads. */
function lockRecordings({ recordings }: ServerOptions): () => void {
  if (recordings === undefined) return () => {};
  const { folder } = recordings;
  try {
    makeFolder(folder);
    return lockFolder(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot record in ${folder}: ${why}`, { cause: error });
  }
}
