/** The server: listeners, HTTP, and the sessions of all worlds. */
import { type Logger, pino } from "pino";
import { type Clock, memoryStore, systemClock } from "wirewalk/net";
import type { Refusal, WorldMaps } from "wirewalk/protocol";
import { Accounts } from "./admission/accounts.ts";
import { type Place, Places } from "./admission/places.ts";
import { TrustedProxies } from "./admission/trusted-proxies.ts";
import { BanEvidence } from "./bans/ban-evidence.ts";
import { type BanKey, peerOf } from "./bans/ban-key.ts";
import { Bans } from "./bans/bans.ts";
import type { Ledger } from "./bans/ledger.ts";
import { Penalties } from "./bans/penalties.ts";
import { PlayerBans } from "./bans/player-bans.ts";
import { responsesOf } from "./bans/policies.ts";
import { captureAnswer } from "./capture/capture-requests.ts";
import { captured, serverCaptures } from "./capture/server-captures.ts";
import type { CaptureRequest, RunningCapture, SessionCaptures } from "./capture/session-captures.ts";
import { caseAnswer } from "./cases/case-answers.ts";
import { CaseMaker } from "./cases/case-maker.ts";
import { addClusterMetrics } from "./cluster/cluster-metrics.ts";
import { type Clustered, remoteHosting } from "./cluster/clustered.ts";
import { SpectatorRelay } from "./cluster/spectator-relay.ts";
import type { ServedWorld } from "./feed/feed.ts";
import type { MemoryBudget } from "./health/memory-budget.ts";
import { type Health, Readiness } from "./health/readiness.ts";
import { ServerCounts } from "./health/server-counts.ts";
import { serverMetrics } from "./health/server-metrics.ts";
import { DocsFiles } from "./http/docs-files.ts";
import type { HttpSources } from "./http/http-answers.ts";
import { mapAnswer } from "./http/map-answers.ts";
import { StaticFiles } from "./http/static-files.ts";
import { isLoopbackName } from "./http/web-access.ts";
import { LOOPBACK, WebListeners } from "./http/web-listeners.ts";
import { STUDIO } from "./http/web-upgrade.ts";
import { type FeedContext, FeedSession } from "./pages/feed-session.ts";
import { servedWorld } from "./pages/served-world.ts";
import { StudioFeed } from "./pages/studio-feed.ts";
import { LogBudget } from "./runtime/log-budget.ts";
import { nodeRuntime, type Runtime } from "./runtime/runtime.ts";
import { Stalls } from "./runtime/stalls.ts";
import {
  checkListeners,
  hasLogins,
  type NamedListener,
  nameListeners,
  type RunningListener,
  type RunningServer,
  type RunningWorld,
  type ServerOptions,
  type ServerStats,
  type WorldPlayer,
} from "./server-options.ts";
import { type Budgets, budgetsWith } from "./session/budgets.ts";
import type { DisconnectReason } from "./session/disconnect.ts";
import type { Link, LinkKind, WebSocketLink } from "./session/links.ts";
import { type JoinRequest, Session, type SessionContext } from "./session/session.ts";
import { type SessionRates, sessionRates } from "./session/session-rates.ts";
import { Sweep } from "./session/sweep.ts";
import { TcpListeners } from "./session/tcp-listeners.ts";
import type { ThreadParts } from "./thread-parts.ts";
import { keepDismissed } from "./verdicts/dismissed-recordings.ts";
import { caseActions } from "./verdicts/shown-verdict.ts";
import { type ActionHands, actionsOf, type VerdictActions } from "./verdicts/verdict-actions.ts";
import { VerdictDesk } from "./verdicts/verdict-desk.ts";
import { verdictAnswer } from "./verdicts/verdict-requests.ts";
import { HostedWorld, type WorldObserver } from "./worlds/hosted-world.ts";
import type { OwnedWorldRecords, UnrecordedWorlds } from "./worlds/owned-records.ts";
import { Recordings } from "./worlds/recordings.ts";
import { findMove, move, ServerWorlds } from "./worlds/server-worlds.ts";
import { WorldMapSets } from "./worlds/world-maps.ts";

/** How often deadlines of sessions are checked: of all of them, or with thousands of a tenth. */
const SWEEP_MS = 100;
/** How often the store is asked for bans made by another server, and the system for a file descriptor. */
const POLL_MS = 1_000;
const DEFAULT_GRACE_MS = 10_000;
/** When memory is used up, sessions end within this time. */
const LAST_GRACE_MS = 1_000;
/** Log lines about sessions that open and close, as a multiple of the lines about one session. */
const SHARED_LOG_FACTOR = 30;
/** Log lines about what happens in all sessions, as such a multiple: a hostile peer may open thousands of sessions. */
const SESSIONS_LOG_FACTOR = 100;

/** Anything that counts as a connection: a player's session or a page. */
type AnySession = Session | FeedSession;

/** The options of a server, and what its process has of memory: undefined where nothing measures it. */
export interface ServedOptions extends ServerOptions {
  readonly memory?: MemoryBudget | undefined;
}

/** A server before it listens. A simulation gives a runtime of its own and connects its links with `connect`. */
export class Server implements RunningServer, SessionContext, FeedContext {
  readonly runtime: Runtime;
  readonly budgets: Budgets;
  readonly rates: SessionRates;
  readonly stalls: Stalls;
  readonly accounts: Accounts;
  readonly logins: Pick<Accounts, "check" | "problem" | "waiting">;
  readonly bans: Bans;
  readonly clock: Clock;
  readonly #options: ServedOptions;
  readonly #host: string;
  readonly #log: Logger;
  /** For sessions that open and close, and for worlds. */
  readonly #sharedLog: LogBudget;
  /** For what happens in all sessions together. */
  readonly #sessionsLog: LogBudget;
  readonly #feed: StudioFeed;
  /** Its worlds as pages see them, once it listens. */
  readonly served: ServedWorld[] = [];
  readonly #listeners: readonly NamedListener[];
  /** Those of all threads. */
  readonly #named: readonly NamedListener[];
  readonly #worlds = new ServerWorlds();
  readonly #sessions = new Set<AnySession>();
  readonly #places: Places;
  readonly #proxies: TrustedProxies;
  readonly #playerBans: PlayerBans;
  readonly #counts = new ServerCounts();
  readonly #maps: WorldMapSets;
  readonly #tcp: TcpListeners;
  readonly #web: WebListeners;
  readonly #httpSources: HttpSources;
  readonly #readiness: Readiness;
  readonly #captures: SessionCaptures;
  readonly #recordings: Recordings | undefined;
  readonly #cases: CaseMaker | undefined;
  readonly #evidence: BanEvidence | undefined;
  readonly #penalties: Penalties;
  readonly #desk: VerdictDesk;
  readonly #clustered: Clustered | undefined;
  readonly #relay: SpectatorRelay | undefined;
  readonly #stopSweep;
  readonly #stopPolls;
  #stopMemory: (() => void) | undefined;
  #draining = false;
  /** A server that could not start says why, and nothing of its end. */
  #isListening = false;
  #empty: (() => void) | undefined;
  #closed: Promise<void> | undefined;
  #endNow: (() => void) | undefined;
  readonly #thread: ThreadParts | undefined;
  #lastSession: number;

  constructor(options: ServedOptions, runtime: Runtime = nodeRuntime, clustered?: Clustered, thread?: ThreadParts) {
    this.runtime = runtime;
    this.#clustered = clustered;
    this.#options = options;
    this.#host = options.host ?? LOOPBACK;
    this.budgets = budgetsWith(options.budgets);
    this.rates = sessionRates(this.budgets);
    this.clock = options.clock ?? systemClock;
    this.#log = options.logger ?? pino({ level: "silent" });
    const { clock } = this;
    const { logLinesPerMinute } = this.budgets;
    this.#sharedLog = new LogBudget(this.#log, { clock, linesPerMinute: logLinesPerMinute * SHARED_LOG_FACTOR });
    this.#maps = new WorldMapSets(this.#sharedLog);
    this.#sessionsLog = new LogBudget(this.#log, { clock, linesPerMinute: logLinesPerMinute * SESSIONS_LOG_FACTOR });
    // Invalid options throw here, before anything runs that would have to be stopped.
    const named = nameListeners(options);
    checkListeners(named);
    this.#listeners = thread === undefined ? named : named.filter(({ name }) => thread.worlds.includes(name));
    this.#named = named;
    this.#thread = thread;
    this.#lastSession = thread?.firstSession ?? 0;
    const names = [...this.#listeners.map(({ name }) => name), STUDIO];
    this.#proxies = new TrustedProxies(options.trustedProxies ?? []);
    this.#places = new Places({ ...this.budgets, listeners: names, counts: thread?.counts });
    this.#tcp = new TcpListeners({
      clock: this.clock,
      proxies: this.#proxies,
      keepUp: () => this.keepUp(),
      connect: (world, link, room) => void this.connect(world, link, room === undefined ? {} : { room }),
      refused: (world, proxy, why) => {
        this.#countDisconnect(world, "tcp", "proxy-header");
        this.#sharedLog.warn({ world, proxy }, why);
      },
    });
    this.#web = new WebListeners(
      { ...options, socketPath: thread?.socketPath },
      {
        runtime,
        budgets: this.budgets,
        clock: this.clock,
        proxies: this.#proxies,
        isDraining: () => this.#draining,
        keepUp: () => this.keepUp(),
        isWorld: (name) => this.#worlds.byName.has(name),
        take: (listener, address, evict) => this.#take(listener, "websocket", address, evict),
        leave: (place) => this.#leave(place),
        open: (listener, link, place, joinRequest) => {
          const world = this.#worlds.byName.get(listener);
          return world === undefined
            ? this.#openFeed(link, place, joinRequest.viewer)
            : this.#open(world, link, place, joinRequest);
        },
      },
    );
    const files = options.studioFolder === undefined ? undefined : new StaticFiles(options.studioFolder);
    const store = options.store ?? memoryStore();
    // Without a public address nobody can flood the accounts, and a first try needs no second command. A proxy is public.
    const isPrivate = options.demo === true || (isLoopbackName(this.#host) && !options.trustedProxies?.length);
    const registration = options.registration ?? (isPrivate ? "open" : "closed");
    const epochNow = options.epochNow ?? Date.now;
    if (options.recordings !== undefined || options.evidence === true) {
      this.#recordings = new Recordings(
        options.recordings,
        { clock, runtime, epochNow, log: this.#sharedLog },
        { secret: thread?.secret, isLocked: thread !== undefined },
      );
    }
    this.accounts = new Accounts(store, this.budgets, { clock: this.clock, runtime, registration });
    this.logins = thread?.logins ?? this.accounts;
    this.stalls = new Stalls(this.clock);
    this.#playerBans = new PlayerBans({ ...options, clock: this.clock, log: this.#sharedLog });
    this.bans = new Bans(store, {
      clock: this.clock,
      epochNow,
      onBan: (ban) => {
        this.#playerBans.inForce(ban, this.#worlds.of(ban.protocol));
        this.#feed.bansChanged();
      },
    });
    const recordings = this.#recordings;
    this.#cases =
      recordings &&
      new CaseMaker({
        clock,
        recent: (world) => recordings.recent(world),
        filesOf: (world) => recordings.filesOf(world),
        mapsOf: this.#mapsOf(),
        actionsOf: (world, id) => {
          const protocol = this.#worlds.byName.get(world)?.protocol.name;
          return protocol === undefined ? [] : caseActions(actionsOf(store, protocol, id));
        },
      });
    if (clustered !== undefined && recordings !== undefined) {
      clustered.node.ownUnrecorded = () => recordings.unrecorded;
    }
    const evidence = recordings && new BanEvidence({ clock, bans: this.bans, recordings, log: this.#sharedLog });
    this.#evidence = evidence;
    this.#desk = new VerdictDesk({
      store,
      bans: this.bans,
      listeners: this.#named,
      hands: this.hands,
      outputs: thread === undefined ? options.outputs : undefined,
      epochNow,
      log: this.#sharedLog,
    });
    this.#penalties = new Penalties({
      desk: this.#desk,
      evidence: clustered === undefined ? evidence : clustered.evidenceFrom(this.#sharedLog),
      log: this.#sharedLog,
      thread,
    });
    this.#feed = new StudioFeed(this.clock, () => this.bans.list(), thread);
    if (clustered?.membership.roles.includes("spectator") === true) {
      this.#relay = new SpectatorRelay({ cluster: clustered.node.cluster, clock, feed: this.#feed });
    }
    const shown: WorldObserver = this.#relay ?? this.#feed;
    const { enforcement = "enforce", demo = false } = options;
    for (const listener of this.#listeners) {
      const { name, number, protocol, dialect, tickMs, threads, banAddress, room, seed } = listener;
      const maps = this.#maps.of(listener);
      const tick = tickMs === undefined ? {} : { tickMs };
      const responses = responsesOf(listener.policies);
      const given = { ...tick, ...(responses && { responses }), ...(maps && { maps }) };
      const worldOptions = { dialect, seed, enforcement, demo, ...given };
      const createWorld = () => protocol.createWorld(worldOptions);
      const named = { name, protocol };
      const records: OwnedWorldRecords | undefined = recordings &&
        evidence && {
          record: (from) => recordings.recordOwned(named, worldOptions, from),
          keepEvidence: (request, nowMs) => evidence.keep(named, request, nowMs),
        };
      const world = new HostedWorld({
        remote: remoteHosting(clustered, { name, protocol, dialect, createWorld, records, maps }),
        name,
        number,
        room,
        protocol,
        dialect,
        tickMs,
        threads,
        clock: this.clock,
        runtime,
        seed,
        enforcement,
        demo,
        maps,
        responses,
        banAddress,
        isClosed: () => this.#unrecorded.closed.includes(name),
        // In a cluster its owner gives a world pseudonyms, and records it.
        pseudonym: clustered === undefined ? recordings?.pseudonym : undefined,
        flushMs: options.flushMs ?? 0,
        pendingBytesLimit: this.budgets.queuedBytesSoft,
        queuedBytesLimit: this.budgets.queuedBytesPerWorld,
        log: this.#sharedLog,
        observer: {
          verdict: (of, verdict) => {
            this.#counts.verdict(of, verdict);
            shown.verdict(of, verdict);
            this.#penalties.verdict(of, verdict);
          },
          observed: (of, observation) => shown.observed(of, observation),
          moved: (of, player, from, to) => shown.moved(of, player, from, to),
          carried: (of, player, sender, payload) => shown.carried(of, player, sender, payload),
        },
        banned: (of, effect, member) => {
          const ban = this.#playerBans.ban(this.bans, of, effect, member);
          if (ban !== undefined) this.#penalties.banned(of, ban, effect);
        },
      });
      this.#worlds.add(world);
      this.#relay?.add(world);
      if (clustered === undefined) recordings?.record(world, worldOptions);
    }
    this.#captures = serverCaptures({
      clock,
      epochNow,
      runtime,
      sessions: this.#sessions,
      worlds: this.#worlds.byName,
      tcp: this.#tcp,
      web: this.#web,
      log: this.#log,
    });
    const worlds = this.#worlds.all;
    const metrics = serverMetrics({
      worlds,
      stalls: this.stalls,
      disconnects: this.#counts.disconnects,
      verdicts: this.#counts.verdicts,
      mapProblems: this.#maps.problems,
      places: this.#places,
      accounts: this.logins,
      listeners: names,
      memory: options.memory,
      isStoreFailing: () => this.bans.problem !== undefined,
      areLoginsFailing: () => thread === undefined && this.accounts.problem !== undefined,
      captures: this.#captures,
      recordings: this.#recordings?.running ?? new Map(),
    });
    if (thread === undefined) this.#desk.addTo(metrics);
    if (clustered !== undefined) addClusterMetrics(metrics, clustered.node, clock, this.#relay);
    this.#readiness = new Readiness({
      worlds,
      stalls: this.stalls,
      bans: this.bans,
      // The main thread has those of all threads.
      accounts: thread === undefined && hasLogins(this.#listeners) ? this.accounts : undefined,
      unrecorded: () => this.#unrecorded,
      memory: options.memory,
      log: this.#log,
    });
    this.#httpSources = {
      files,
      docs: new DocsFiles(options.docsFolder),
      metrics,
      isDraining: () => this.#draining,
      lagMs: () => this.#readiness.lagMs,
      banOf: (request, protocol) => this.#playerBans.noticeFor(this.#web.clientOf(request), protocol),
      failing: () => this.#readiness.failing,
      degraded: () => this.#readiness.degraded,
      capture: captureAnswer({
        captures: this.#captures,
        clock,
        isGame: (name) => this.#worlds.of(name).length > 0,
        isWorld: (name) => this.#worlds.byName.has(name),
        log: this.#log,
      }),
      maps: mapAnswer(this.#mapsOf()),
      cases: caseAnswer({
        maker: this.#cases,
        isWorld: (name) => this.#worlds.byName.has(name),
        clientOf: (request) => this.#web.clientOf(request),
      }),
      verdicts: verdictAnswer(this.verdicts),
    };
    this.#stopPolls = this.clock.every(POLL_MS, () => {
      this.bans.poll();
      this.#readiness.lookAtStores();
      this.#desk.poll();
      if (this.#tcp.running.length > 0 || options.http !== undefined) this.#readiness.lookForDescriptor();
    });
    const sweep = new Sweep(this.#sessions, (session) => {
      if (session instanceof Session) session.checkDeadlines();
    });
    this.#stopSweep = this.clock.every(SWEEP_MS, () => sweep.step());
  }

  /** Gives the maps of a world by its name. */
  #mapsOf(): (world: string) => WorldMaps | undefined {
    const byName = new Map(this.#named.map((listener) => [listener.name, listener]));
    return (world) => {
      const listener = byName.get(world);
      return listener && this.#maps.of(listener);
    };
  }

  get listeners(): readonly RunningListener[] {
    return this.#tcp.running;
  }

  get ledger(): Ledger {
    return this.#desk.ledger;
  }

  get verdicts(): VerdictActions {
    return this.#desk.actions;
  }

  get httpAddress(): { readonly host: string; readonly port: number } | undefined {
    return this.#web.httpAddress;
  }

  get adminAddress(): { readonly host: string; readonly port: number } | undefined {
    return this.#web.adminAddress;
  }

  get worlds(): readonly RunningWorld[] {
    return this.#worlds.all.map(({ name, protocol, dialect, host }) => ({
      name,
      protocol: protocol.name,
      dialect,
      host,
    }));
  }

  async listen(): Promise<void> {
    for (const listener of this.#listeners) {
      const { name, protocol, dialect, port, roomPorts = [] } = listener;
      const address = { world: name, protocol: protocol.name, dialect, host: this.#host };
      let listen: string | null = null;
      if (port !== undefined) {
        const running = await this.#tcp.listen({ ...address, port }, this.#log);
        listen = `${running.host}:${running.port}`;
      }
      for (const each of roomPorts) await this.#tcp.listen({ ...address, ...each }, this.#log);
      const hasOthers = this.#named.filter((each) => each.protocol.name === protocol.name).length > 1;
      this.served.push(
        servedWorld(listener, {
          listen,
          hasDemo: this.#options.demo === true && listener.maps === undefined,
          hasOthers,
        }),
      );
    }
    this.#feed.start([...(this.#relay?.worlds.values() ?? this.#worlds.all)], this.served);
    await this.#web.listen(this.#httpSources, this.#log);
    this.#clustered?.node.start(this.#clustered.membership.onDrain);
    this.#isListening = true;
    this.#log.info({ http: this.httpAddress, admin: this.adminAddress, listeners: this.listeners }, "listening");
  }

  get owned(): RunningServer["owned"] {
    return this.#clustered?.node.owners ?? new Map();
  }

  stats(): ServerStats {
    return this.#counts.stats(this.#places.count, this.#worlds.all);
  }

  move({ world, player }: WorldPlayer, to: string, room?: string): Refusal | undefined {
    const found = findMove(this.#sessions, this.#worlds.called(world), player, this.#worlds.called(to));
    const refusal = move(found, room);
    if (refusal !== undefined) return refusal;
    const { session, from } = found;
    this.#places.move(session.place, to);
    const { viewer } = session.joinRequest;
    if (viewer !== undefined) this.#feed.forgetSelf(viewer, from, player);
    return undefined;
  }

  capture(request: CaptureRequest): RunningCapture | undefined {
    return this.#captures.start(request);
  }

  reload(changes: Pick<ServerOptions, "certificate" | "adminToken">): void {
    this.#web.reload(changes);
  }

  close({ graceMs = DEFAULT_GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> {
    if (this.#closed === undefined) this.#closed = this.#close(graceMs);
    else this.#endNow?.();
    return this.#closed;
  }

  banKeyOf(session: Session, login: string | undefined): BanKey {
    return this.#playerBans.keyOf(session, login);
  }

  proved(session: AnySession): void {
    this.#places.prove(session.place);
  }

  takeOver({ protocol }: HostedWorld, account: string): void {
    this.takeOverHere(protocol.name, account);
    this.#thread?.takeOver(protocol.name, account);
  }

  /** Ends the sessions of an account that has logged in, in this thread. */
  takeOverHere(protocol: string, account: string): void {
    for (const world of this.#worlds.of(protocol)) world.takeOver(account);
  }

  /** What actions of operators do in the worlds of this thread. */
  get hands(): ActionHands {
    const { dismissedFolder: folder } = this.#options;
    return {
      warn: async ({ world, player, key }, text) => {
        const of = this.#worlds.byName.get(world);
        return of === undefined ? "the world is not here" : of.warn(player, key, text);
      },
      end: async ({ world, player, key }, how, detail) =>
        this.#worlds.byName.get(world)?.endPlayer(player, key, how === "ban" ? "banned" : "world-close", detail) ===
        true,
      dismiss: (play) => keepDismissed({ folder, recordings: this.#recordings }, play),
    };
  }

  /** What `/readyz` follows. */
  get health(): Health {
    const { lagMs, failing, degraded } = this.#readiness;
    return { lagMs, failing, degraded };
  }

  /** The worlds that should be recorded and are not, here or where their owners are. */
  get #unrecorded(): UnrecordedWorlds {
    return this.#clustered?.node.unrecorded ?? this.#recordings?.unrecorded ?? { worlds: [], closed: [] };
  }

  makeRoom({ world, joinRequest }: Session): boolean {
    const isFull = world.host.players.size >= world.world.capacity;
    // A room may be full in a world that is not.
    return this.#places.evictPlayer(world.name, isFull ? undefined : { room: joinRequest.room });
  }

  /** While bytes are read and connections come in: runs what is overdue in any world. */
  keepUp(): void {
    this.#worlds.keepUp();
  }

  joined(session: Session, player: number): void {
    this.#places.join(session.place, session.joinRequest.room);
    this.#captures.joined(captured(session, player));
    session.log.info({ player, account: session.account, banKey: session.banKey }, "joined");
    const { viewer } = session.joinRequest;
    if (viewer !== undefined) this.#feed.self(viewer, session.world, player);
  }

  ended(session: AnySession, reason: DisconnectReason, detail: string | undefined): void {
    const world = session instanceof Session ? session.world.name : STUDIO;
    const player = session instanceof Session ? session.player : undefined;
    this.#countDisconnect(world, session.link.kind, reason);
    session.log.finish();
    this.#sharedLog.info({ world, address: session.link.address, player, reason, detail }, "session ended");
    if (session instanceof FeedSession) {
      this.#feed.close(session);
      return;
    }
    this.#captures.ended(session, reason);
    this.#playerBans.ended(session, reason, detail);
    this.#penalties.ended(session);
    if (player !== undefined && session.joinRequest.viewer !== undefined) {
      this.#feed.forgetSelf(session.joinRequest.viewer, session.world, player);
    }
  }

  gone(session: AnySession): void {
    this.#sessions.delete(session);
    if (session instanceof Session) this.#captures.gone(session);
    this.#leave(session.place);
  }

  async #close(graceMs: number): Promise<void> {
    this.#draining = true;
    if (this.#isListening) this.#log.info({ sessions: this.#places.count, graceMs }, "draining");
    const tcpClosed = this.#tcp.close();
    // Other nodes go on with the worlds while the sessions end.
    await this.#clustered?.node.drain();
    this.#proxies.close();
    this.#feed.stop();
    this.#relay?.close();
    this.#worlds.stop();
    const emptied = new Promise<void>((resolve) => {
      this.#empty = resolve;
      this.#endNow = () => {
        for (const session of this.#sessions) session.link.destroy();
      };
    });
    for (const session of [...this.#sessions]) session.end("shutdown", undefined, Math.max(1, graceMs));
    const cancel = this.clock.after(graceMs, () => this.#endNow?.());
    if (this.#places.count === 0) this.#empty?.();
    await emptied;
    cancel();
    this.#stopSweep();
    this.#stopPolls();
    this.#stopMemory?.();
    await this.#penalties.close();
    await this.#desk.close();
    await this.#evidence?.close();
    this.bans.close();
    this.stalls.stop();
    await Promise.all([this.#captures.close(), this.#cases?.close(), this.#recordings?.close()]);
    await this.#clustered?.node.close();
    // Up to here probes could read that the server is draining.
    await Promise.all([tcpClosed, this.#web.close()]);
    this.#sessionsLog.finish();
    this.#sharedLog.finish();
    if (this.#isListening) this.#log.info("closed");
  }

  /**
   * Makes a link to the world a session, if a place is left for it; otherwise destroys the link and gives the reason.
   * Throws `RangeError` for an unknown world.
   */
  connect(name: string, link: Link, joinRequest: JoinRequest = {}): DisconnectReason | undefined {
    const world = this.#worlds.called(name);
    let session: Session | undefined;
    const place = this.#take(name, link.kind, link.address, () => session?.end("evicted", undefined, 0));
    if (typeof place === "string") {
      link.destroy();
      return place;
    }
    session = this.#open(world, link, place, joinRequest);
    return undefined;
  }

  #countDisconnect(world: string, carrier: LinkKind, reason: DisconnectReason): void {
    this.#counts.disconnect(world, this.#worlds.gameOf(world), carrier, reason);
  }

  /** Why no connection is accepted at all. */
  get #closedBy(): DisconnectReason | undefined {
    if (this.#draining) return "shutdown";
    return this.#options.memory?.problem === undefined ? undefined : "memory";
  }

  /** From now on it frees what it can when memory is short, and ends when it is used up. */
  watchMemory(memory: MemoryBudget, onUsedUp: (problem: string) => void = () => {}): void {
    this.#stopMemory = memory.start({
      free: () => void this.#recordings?.flush(),
      usedUp: (problem) => {
        void this.close({ graceMs: LAST_GRACE_MS });
        onUsedUp(problem);
      },
    });
  }

  /** A place for a connection, or the reason of a refusal, which is counted. */
  #take(listener: string, carrier: LinkKind, address: string, evict: () => void): Place | DisconnectReason {
    const place = this.#closedBy ?? this.#places.take(listener, peerOf(address), evict);
    if (typeof place === "string") {
      this.#countDisconnect(listener, carrier, place);
      this.#sharedLog.info({ world: listener, carrier, address, reason: place }, "rejected");
    }
    return place;
  }

  #open(world: HostedWorld, link: Link, place: Place, asked: JoinRequest): Session {
    const joinRequest = asked.room === undefined && world.room !== undefined ? { ...asked, room: world.room } : asked;
    this.#lastSession += 1;
    const id = this.#lastSession;
    // Before the session: it may write a greeting at once.
    this.#captures.opened(captured({ id, link, world, joinRequest, account: "" }, undefined));
    const session = new Session({
      id,
      link,
      place,
      world,
      joinRequest,
      context: this,
      log: this.#sessionLog(world.name, link),
    });
    this.#sessions.add(session);
    return session;
  }

  #openFeed(link: WebSocketLink, place: Place, viewer: string | undefined): FeedSession {
    const token = this.#thread === undefined ? undefined : viewer;
    const session = this.#feed.open({ link, place, token, log: this.#sessionLog(STUDIO, link) }, this);
    this.#sessions.add(session);
    return session;
  }

  #sessionLog(world: string, link: Link): LogBudget {
    const fields = { world, carrier: link.kind, address: link.address };
    return new LogBudget(this.#sessionsLog, {
      clock: this.clock,
      linesPerMinute: this.budgets.logLinesPerMinute,
      fields,
    });
  }

  #leave(place: Place): void {
    this.#places.release(place);
    if (this.#places.count === 0) this.#empty?.();
  }
}
