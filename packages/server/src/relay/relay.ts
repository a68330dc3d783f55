/**
 * A **relay**: a client connects to it, it connects to the server, and bytes pass unchanged and at once. Both directions are
 * read beside the path: what cannot be read is still passed on.
 */
import { connect, createServer, isIP, type Server, type Socket } from "node:net";
import { shadowOptions } from "wirewalk/host";
import type { Verdict } from "wirewalk/motion";
import type { Clock } from "wirewalk/net";
import { checkMaps, type Gap, requireMembers, type ServerNotice, type Side } from "wirewalk/protocol";
import type { Policies } from "../bans/policies.ts";
import { addOutputMetrics } from "../health/output-metrics.ts";
import { RelayCounts } from "../health/relay-metrics.ts";
import { penaltyEvent, verdictEvent } from "../outputs/events-of.ts";
import type { OutputTarget } from "../outputs/output-targets.ts";
import { type OutputCounts, Outputs } from "../outputs/outputs.ts";
import { WorldPage, type WorldPageOptions } from "../pages/world-page.ts";
import type { LogSink } from "../runtime/log-budget.ts";
import { nodeRuntime, type Runtime } from "../runtime/runtime.ts";
import { ReadQueue } from "../session/read-queue.ts";
import { keyOf, RelayPolicies } from "../verdicts/relay-policies.ts";
import { VerdictBook } from "../verdicts/verdict-book.ts";
import { relayVerdicts } from "../verdicts/verdict-sources.ts";
import type { RecordingOptions } from "../worlds/recordings.ts";
import { type Arrival, ConnectionReader } from "./connection-reader.ts";
import type { ReadGame } from "./connection-tap.ts";
import { type Impairment, impairedLine } from "./impairment.ts";
import { type LineStage, Pipe } from "./pipe.ts";
import { redirectStage } from "./redirects/redirect-line.ts";
import { type RedirectedEnds, RedirectListeners, type RedirectOptions } from "./redirects/redirect-listeners.ts";
import type { RelayEnds, RelayEvent } from "./relay-events.ts";
import { RelayRecording } from "./relay-recording.ts";
import { ResumableSessions } from "./resumable-sessions.ts";
import { type PathJudge, type RelayRule, type RuleEvents, ruleStage } from "./rules.ts";
import { type ShadowEvents, ShadowWorld, type ShadowWorldOptions } from "./shadow-world.ts";

export interface RelayAddress {
  readonly host: string;
  readonly port: number;
}

export interface RelayOptions extends ReadGame {
  /** Where clients connect to; port 0: any. */
  readonly listen: RelayAddress;
  /** The only server that the relay connects to; with `redirects` also the servers that this one sends clients to. */
  readonly to: RelayAddress;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly epochMs: () => number;
  /** Receives what happens, in order, beside the path. Must not throw. */
  readonly onEvent: (event: RelayEvent) => void;
  /** Receives errors beside the path, bugs all of them: the path goes on. Default: they are ignored. */
  readonly onError?: (error: unknown) => void;
  /** Called when records begin to be lost, because the disk failed or is too slow. Default: `onError`. */
  readonly onRecordingProblem?: (error: Error) => void;
  /** Receives bytes as they pass. Must not throw, and must not take long: the path waits for it. */
  readonly capture?: RelayCapture;
  /** Records the shadow world into MCAP files. Needs the shadow world. Default: none. */
  readonly recording?: RecordingOptions;
  /** The shadow world that judges what clients send. Default: messages are not judged. */
  readonly shadow?: Pick<ShadowWorldOptions, "seed" | "demo" | "maps">;
  readonly impairment?: Impairment;
  /**
   * What follows from verdicts, by rule: `relay` or `drop` the message, and `log`, `tell` or `kick` at a score. Needs the shadow world. With
   * `drop` the path waits until a message is judged. Default: nothing.
   */
  readonly policies?: Policies | undefined;
  /** Where verdicts and what policies do are told; rows need a store, which a relay has not. Default: nowhere. */
  readonly outputs?: readonly OutputTarget[] | undefined;
  /** Messages to drop or change. With rules a message is passed on when it is complete. Default: none. */
  readonly rules?: readonly RelayRule[];
  /**
   * Follows clients that the server sends to other servers: it writes addresses of listeners of its own into those messages. Has no
   * effect on games and dialects without such messages. Default: they pass unchanged, and the client leaves the relay.
   */
  readonly redirects?: RedirectOptions;
  /**
   * The page that shows what passes. Needs the shadow world, whose last 40 s are then kept in memory, so that verdicts open. Default: none.
   */
  readonly page?: Omit<WorldPageOptions, "verdicts" | "cases">;
  /** Default: Node's own. */
  readonly runtime?: Runtime;
  /** Connections at the same time; more are reset. Default 256. */
  readonly maxConnections?: number;
}

/** Keeps what passes, such as in a file. */
export interface RelayCapture {
  open(connection: number, ends: RelayEnds, timeMs: number): void;
  bytes(connection: number, sender: Side, bytes: Uint8Array, timeMs: number): void;
  end(connection: number, sender: Side, timeMs: number): void;
  reset(connection: number, sender: Side, timeMs: number): void;
  closed(connection: number): void;
}

export interface RunningRelay {
  readonly address: RelayAddress;
  /** Bytes on their way: taken from one side and not yet given to the system for the other. */
  readonly heldBytes: number;
  /** Bytes that wait to be read beside the path. */
  readonly waitingBytes: number;
  readonly connections: number;
  /** Listeners that are open for clients that the server has sent elsewhere. */
  readonly redirectListeners: number;
  /** Where the page is. */
  readonly pageAddress: RelayAddress | undefined;
  /** Records that are in no file of the recording: the disk failed or was too slow. */
  readonly lostRecords: number;
  /** What became of what outputs were told. */
  readonly outputCounts: readonly OutputCounts[];
  /** Ends all connections, and resolves when all that passed has been reported. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 256;
const NO_ADDRESS = "0.0.0.0";
/** Worlds have at most this many players at once. */
const MAX_PLAYER = 65_535;

/**
 * Throws `Error` when the address cannot be listened on or the folder cannot be recorded into, like `ConnectionReader` for options
 * that the game refuses, `RangeError` for an address to advertise that is not IPv4 and for maps of another game, and `MissingMemberError` for a game without channels,
 * or without worlds when a shadow world is wanted.
 */
export async function startRelay(options: RelayOptions): Promise<RunningRelay> {
  const relay = new Relay(options);
  try {
    await relay.listen();
    await relay.openPage();
  } catch (error) {
    await relay.close();
    throw error;
  }
  return relay;
}

class Relay implements RunningRelay {
  address: RelayAddress;
  readonly #options: RelayOptions;
  readonly #server: Server;
  readonly #queue: ReadQueue;
  #shadow: ShadowWorld | undefined;
  #page: WorldPage | undefined;
  /** For the page. */
  readonly #book = new VerdictBook();
  #recording: RelayRecording | undefined;
  readonly #pipes = new Map<number, Pipe>();
  #policies: RelayPolicies | undefined;
  #outputs: Outputs | undefined;
  /** What the message that is judged on the path has led to: it is reported behind the message. Undefined beside the path. */
  #behind: (() => void)[] | undefined;
  #isHeldBack = false;
  /** Accepted, while the server has not accepted yet. */
  readonly #connecting = new Set<Socket>();
  readonly #resumable = new ResumableSessions();
  readonly #redirects: RedirectListeners | undefined;
  readonly #counts: RelayCounts;
  #numbers = 0;
  #judged: { readonly connection: number; readonly timeMs: number } | undefined;
  #isTickWaiting = false;
  #stopTicks: () => void = () => {};

  constructor(options: RelayOptions) {
    const counts = new RelayCounts(options.protocol.name);
    this.#counts = counts;
    this.#options = {
      ...options,
      onEvent: (event) => {
        counts.count(event);
        options.onEvent(event);
      },
    };
    this.address = options.listen;
    requireMembers(options.protocol, ["openChannel"], "be relayed");
    this.#queue = new ReadQueue(options.runtime ?? nodeRuntime, options.clock, options.onError ?? (() => {}));
    // Says at once what the game refuses.
    this.#readerOf(0);
    if (options.policies !== undefined) {
      if (options.shadow === undefined) throw new RangeError("Policies need the world that judges");
      const { protocol, policies, clock, epochMs } = options;
      this.#policies = new RelayPolicies({ protocol, policies, clock, epochNow: epochMs });
      if (this.#isJudgedOnPath && options.recording?.carried === true) {
        throw new RangeError("Bytes as they were carried cannot be recorded where a policy drops messages");
      }
    }
    const responses = this.#policies?.responses;
    if (options.outputs !== undefined && options.outputs.length > 0) {
      this.#outputs = new Outputs({ targets: options.outputs, log: outputLog(options.onError) });
    }
    if (options.shadow !== undefined) {
      const { dialect, shadow, clock, epochMs, recording } = options;
      const protocol = requireMembers(options.protocol, ["createWorld"], "be judged");
      if (shadow.maps !== undefined) checkMaps(protocol, shadow.maps);
      const runtime = options.runtime ?? nodeRuntime;
      const onError = options.onError ?? (() => {});
      const events: ShadowEvents = {
        verdict: (verdict) => this.#verdict(verdict),
        moved: (world, player, from, to) => this.#page?.feed.moved(world, player, from, to),
        observed: (world, observation) => this.#page?.feed.observed(world, observation),
        unseen: (player, gap) => this.#unseen(player, gap),
        noticed: (player, notice) => this.#noticed(player, notice),
        failed: (error) => this.#worldFailed(error),
      };
      if (recording !== undefined || options.page !== undefined) {
        this.#recording = new RelayRecording({
          protocol,
          world: shadowOptions({ dialect, ...shadow, responses }),
          options: recording,
          runtime,
          epochNow: epochMs,
          onProblem: (error) => (options.onRecordingProblem ?? onError)(error),
        });
      }
      const pseudonym = this.#recording?.pseudonyms.of;
      const made = { protocol, dialect, clock, ...shadow, responses, events };
      this.#shadow = new ShadowWorld(pseudonym === undefined ? made : { ...made, pseudonym });
      if (options.page !== undefined) {
        const verdicts = relayVerdicts(this.#book);
        const cases = { recent: async () => this.#recording?.recent(), filesOf: () => this.#recording?.files };
        this.#page = new WorldPage({ ...options.page, maps: shadow.maps, verdicts, cases }, { clock, runtime });
        this.#counts.addTo(this.#page.metrics, {
          connections: () => this.connections,
          mapsUsed: () => this.#shadow?.world.usedMaps?.().size,
          lostRecords: () => this.#recording?.lostRecords,
        });
        addOutputMetrics(this.#page.metrics, () => this.#outputs?.counts ?? []);
      }
    }
    this.#redirects = this.#newRedirects();
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (client) => {
      this.#accept(client, options.to);
    });
  }

  get heldBytes(): number {
    let bytes = 0;
    for (const pipe of this.#pipes.values()) bytes += pipe.heldBytes;
    return bytes;
  }

  get waitingBytes(): number {
    return this.#queue.waitingBytes;
  }

  get pageAddress(): RelayAddress | undefined {
    return this.#page?.address;
  }

  get lostRecords(): number {
    return this.#recording?.lostRecords ?? 0;
  }

  get outputCounts(): readonly OutputCounts[] {
    return this.#outputs?.counts ?? [];
  }

  get connections(): number {
    return this.#pipes.size + this.#connecting.size;
  }

  get redirectListeners(): number {
    return this.#redirects?.count ?? 0;
  }

  listen(): Promise<void> {
    const { host, port } = this.#options.listen;
    return new Promise((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException): void => {
        const why = error.code === "EADDRINUSE" ? "the port is in use" : error.message;
        reject(new Error(`Cannot listen on ${host}:${port}: ${why}`, { cause: error }));
      };
      this.#server.once("error", fail);
      this.#server.listen(port, host, () => {
        this.#server.off("error", fail);
        // Such as too many open files: that connection is lost, the relay goes on.
        this.#server.on("error", () => {});
        const bound = this.#server.address() as { readonly address: string; readonly port: number };
        this.address = { host: bound.address, port: bound.port };
        this.#startTicks();
        resolve();
      });
    });
  }

  /** Throws `Error` when the page's address cannot be listened on. */
  async openPage(): Promise<void> {
    const { protocol, dialect, to, shadow } = this.#options;
    if (this.#shadow === undefined || this.#page === undefined) return;
    const settings = Object.entries(protocol.capabilities?.settings?.values ?? {});
    await this.#page.listen(this.#shadow, {
      name: protocol.name,
      protocol: protocol.name,
      title: protocol.title,
      dialect,
      path: "",
      listen: `${this.address.host}:${this.address.port}`,
      demo: shadow?.demo === true && shadow.maps === undefined ? { seed: shadow.seed } : null,
      settings: Object.fromEntries(settings.map(([name, setting]) => [name, setting.default])),
      relayTo: `${to.host}:${to.port}`,
    });
  }

  async close(): Promise<void> {
    this.#stopTicks();
    await this.#page?.close();
    this.#redirects?.close();
    const closed = new Promise<void>((resolve) => {
      if (this.#server.listening) this.#server.close(() => resolve());
      else resolve();
    });
    for (const pipe of this.#pipes.values()) pipe.close();
    for (const client of this.#connecting) client.resetAndDestroy();
    await closed;
    await this.#queue.idle();
    await this.#recording?.close();
    await this.#outputs?.close();
  }

  #startTicks(): void {
    if (this.#shadow === undefined) return;
    this.#recording?.begin(this.#shadow, this.#options.clock.now());
    this.#stopTicks = this.#options.clock.every(this.#shadow.world.tickMs, () => {
      // Behind everything that arrived before it: the times of a world never decrease.
      if (this.#isTickWaiting) return;
      this.#isTickWaiting = true;
      const { arrivedMs, timeMs } = this.#now();
      this.#judge(() => {
        this.#isTickWaiting = false;
        this.#judged = { connection: 0, timeMs };
        this.#shadow?.tick(arrivedMs);
      });
    });
  }

  #now(): Arrival {
    return { arrivedMs: this.#options.clock.now(), timeMs: this.#options.epochMs() };
  }

  #report(call: () => void): void {
    this.#queue.push({
      bytes: 0,
      read: () => {
        call();
        return true;
      },
    });
  }

  /** Whether messages are judged before they are passed on, since some may be held back. */
  get #isJudgedOnPath(): boolean {
    return this.#policies?.responses !== undefined;
  }

  /** A call of the shadow world: beside the path in its turn, or on the path at once. */
  #judge(call: () => void): void {
    if (this.#isJudgedOnPath) call();
    else this.#report(call);
  }

  /** What the shadow world says, behind the message that it says it of. */
  #tell(call: () => void): void {
    if (this.#behind !== undefined) this.#behind.push(call);
    else if (this.#isJudgedOnPath) this.#report(call);
    else call();
  }

  #verdict(verdict: Verdict): void {
    if (verdict.kind === "accept" || this.#judged === undefined) return;
    const { timeMs } = this.#judged;
    const { player: connection, rule } = verdict;
    const { onEvent } = this.#options;
    this.#tell(() => {
      if (this.#shadow !== undefined) this.#page?.feed.verdict(this.#shadow, verdict);
      onEvent({ event: "verdict", connection, timeMs, verdict });
    });
    const { name } = this.#options.protocol;
    const of = {
      world: { name, protocol: name },
      verdict,
      name: this.#shadow?.nameOf(connection) ?? "",
      epochMs: Math.round(timeMs),
    };
    if (verdict.kind !== "benign" && this.#page !== undefined) {
      this.#book.add({ ...of, key: keyOf(connection, this.#shadow?.loginOf(connection)) });
    }
    if (verdict.kind !== "benign" && this.#outputs?.takesVerdicts === true) this.#outputs.tell(verdictEvent(of));
    if (this.#policies === undefined) return;
    if (this.#behind !== undefined && this.#policies.holdsBack(verdict)) {
      this.#isHeldBack = true;
      this.#tell(() => onEvent({ event: "policy", connection, timeMs, action: "drop", rule }));
    }
    const penalty = this.#policies.add(connection, this.#shadow?.loginOf(connection), verdict);
    if (penalty === undefined) return;
    this.#outputs?.tell(penaltyEvent(of, penalty));
    const { policy, score } = penalty;
    const action = policy.action === "kick" ? "kick" : "tell";
    this.#tell(() => {
      onEvent({ event: "policy", connection, timeMs, action, rule: penalty.rule, score, limit: policy.limit });
      if (action === "kick") this.#pipes.get(connection)?.close();
    });
  }

  #unseen(connection: number, { reason, rules }: Gap): void {
    const timeMs = this.#judged?.timeMs ?? this.#options.epochMs();
    const why = { reason, ...(rules === undefined ? {} : { rules }) };
    this.#tell(() => this.#options.onEvent({ event: "unseen", connection, timeMs, ...why }));
  }

  #noticed(connection: number, notice: ServerNotice): void {
    const timeMs = this.#judged?.timeMs ?? this.#options.epochMs();
    this.#tell(() => this.#options.onEvent({ ...notice, event: "notice", connection, timeMs }));
  }

  #worldFailed(error: unknown): void {
    if (this.#shadow === undefined) return;
    this.#shadow = undefined;
    this.#stopTicks();
    // Its state is not one that a replay could have.
    void this.#recording?.close();
    const reason = error instanceof Error ? error.message : String(error);
    const { connection = 0, timeMs = this.#options.epochMs() } = this.#judged ?? {};
    this.#options.onEvent({ event: "unjudged", connection, timeMs, reason });
  }

  #readerOf(connection: number, host = ""): ConnectionReader {
    const { protocol, dialect, options, onEvent } = this.#options;
    // Judged on the path already.
    const shadow = (): ShadowWorld | undefined => (this.#isJudgedOnPath ? undefined : this.#shadow);
    return new ConnectionReader({
      protocol,
      dialect,
      options,
      connection,
      resumed: () => this.#resumable.take(host, this.#options.clock.now()),
      emit: (event) => {
        this.#showOnPage(event);
        onEvent(event);
      },
      requested: (request, arrivedMs) => {
        this.#judged = { connection, timeMs: this.#options.epochMs() };
        shadow()?.requested(connection, request, arrivedMs);
      },
      judge: (message, payload, arrivedMs) => {
        if (shadow() === undefined) return;
        this.#judged = { connection, timeMs: this.#options.epochMs() };
        this.#shadow?.receive(connection, message, payload, arrivedMs);
      },
      observe: (message, payload, arrivedMs) => shadow()?.observe(connection, message, payload, arrivedMs),
      missed: (sender, payload, arrivedMs) => shadow()?.missed(connection, sender, payload, arrivedMs),
      lost: (sender, arrivedMs) => {
        if (sender === "server") shadow()?.lost(connection, arrivedMs);
      },
      carried: (bytes, nowMs, save) => {
        // Not before it has joined: what comes before may be a password.
        if (this.#shadow?.players.has(connection)) this.#recording?.carried(connection, bytes, { nowMs, save });
      },
    });
  }

  #showOnPage(event: RelayEvent): void {
    const shadow = this.#shadow;
    if (shadow === undefined || (event.event !== "message" && event.event !== "unreadable")) return;
    const { direction: sender, connection: player, payload } = event;
    if (sender === "client") shadow.passed.messagesIn += 1;
    else shadow.passed.messagesOut += 1;
    if (this.#page === undefined) return;
    this.#page.feed.relayed(shadow, player, sender, payload);
  }

  #ruleStages(connection: number, applied: (() => void)[], abort: () => void): LineStage[] {
    const { rules = [], onEvent, protocol, dialect, options } = this.#options;
    if (rules.length === 0 && !this.#isJudgedOnPath) return [];
    const events: RuleEvents = {
      applied: (direction, rule, action, message, failed) => {
        const { timeMs } = this.#now();
        const why = failed === undefined ? {} : { failed };
        applied.push(() => onEvent({ event: "rule", connection, timeMs, direction, rule, action, message, ...why }));
      },
      lost: (direction, reason, isReset) => {
        const { timeMs } = this.#now();
        const why = `${isReset ? "rules have changed what came before, so the connection is reset" : "no rule applies from here on"}: ${reason}`;
        applied.push(() => onEvent({ event: "lost", connection, timeMs, direction, reason: why }));
      },
    };
    const judge = this.#isJudgedOnPath ? this.#pathJudge(connection, applied) : undefined;
    return [ruleStage({ protocol, dialect, options, rules, events, abort, judge })];
  }

  /** The shadow world judges a connection on its way; `behind` is reported behind the bytes that led to it. */
  #pathJudge(connection: number, behind: (() => void)[]): PathJudge {
    const judged = (work: (shadow: ShadowWorld, arrivedMs: number) => void): boolean => {
      const shadow = this.#shadow;
      if (shadow === undefined) return true;
      const { timeMs, arrivedMs } = this.#now();
      this.#judged = { connection, timeMs };
      this.#behind = behind;
      this.#isHeldBack = false;
      work(shadow, arrivedMs);
      this.#behind = undefined;
      return !this.#isHeldBack;
    };
    return {
      message: (sender, message, payload) =>
        judged((shadow, arrivedMs) => {
          if (sender === "client") shadow.receive(connection, message, payload, arrivedMs);
          else shadow.observe(connection, message, payload, arrivedMs);
        }),
      missed: (sender, payload) => {
        judged((shadow, arrivedMs) => shadow.missed(connection, sender, payload, arrivedMs));
      },
      lost: (sender) => {
        if (sender === "server") judged((shadow, arrivedMs) => shadow.lost(connection, arrivedMs));
      },
    };
  }

  /** Undefined where no message of the dialect sends a client elsewhere. */
  #newRedirects(): RedirectListeners | undefined {
    const { redirects, protocol, dialect, clock, onEvent } = this.#options;
    const names = protocol.capabilities?.redirects?.messages ?? [];
    if (redirects === undefined) return undefined;
    if (!protocol.codec(dialect).messages.some(({ message }) => names.includes(message))) return undefined;
    return new RedirectListeners({
      ...redirects,
      clock,
      own: () => this.address,
      accept: (client, to) => this.#accept(client, to),
      refused: ({ remoteAddress }, reason) => {
        const connection = this.#nextNumber();
        const { timeMs } = this.#now();
        const why = `${endOf(remoteAddress, 0).address}: ${reason}`;
        this.#report(() => onEvent({ event: "refused", connection, timeMs, reason: why }));
      },
    });
  }

  #redirectStages(connection: number, ends: RedirectedEnds): LineStage[] {
    const { protocol, dialect, options, onEvent } = this.#options;
    const redirecting = protocol.capabilities?.redirects;
    const redirects = this.#redirects;
    if (redirecting === undefined || redirects === undefined) return [];
    const stage = redirectStage({
      protocol,
      dialect,
      options,
      redirecting,
      open: (to) => redirects.open(to, ends),
      redirected: (message, from, result) => {
        const { timeMs } = this.#now();
        this.#report(() => onEvent({ event: "redirect", connection, timeMs, message, from, ...result }));
      },
    });
    return [stage];
  }

  #nextNumber(): number {
    this.#numbers = (this.#numbers % MAX_PLAYER) + 1;
    return this.#numbers;
  }

  #accept(client: Socket, to: RelayAddress): void {
    const { maxConnections = MAX_CONNECTIONS } = this.#options;
    client.on("error", () => {});
    if (this.connections >= maxConnections) {
      client.resetAndDestroy();
      return;
    }
    const connection = this.#nextNumber();
    const server = connect({ ...to, allowHalfOpen: true, noDelay: true });
    this.#connecting.add(client);
    const { timeMs } = this.#now();
    const ends: RelayEnds = {
      client: endOf(client.remoteAddress, client.remotePort),
      server: endOf(to.host, to.port),
    };
    const give = (reason: string): void => {
      this.#connecting.delete(client);
      client.resetAndDestroy();
      this.#report(() => this.#options.onEvent({ event: "refused", connection, timeMs, reason }));
    };
    const fail = (error: NodeJS.ErrnoException): void => give(error.code ?? error.message);
    const leave = (): void => {
      server.off("error", fail);
      server.on("error", () => {});
      server.destroy();
      if (this.#connecting.delete(client)) {
        this.#report(() => this.#options.onEvent({ event: "refused", connection, timeMs, reason: "the client left" }));
      }
    };
    server.once("error", fail);
    client.once("close", leave);
    server.once("connect", () => {
      server.off("error", fail);
      client.off("close", leave);
      this.#connecting.delete(client);
      this.#open(connection, { client, server }, { ...ends, server: endOf(server.remoteAddress, to.port) });
    });
  }

  #open(connection: number, sockets: Readonly<Record<Side, Socket>>, ends: RelayEnds): void {
    const { onEvent, capture, impairment, clock } = this.#options;
    const host = ends.client.address;
    const reader = this.#readerOf(connection, host);
    const leave = (nowMs: number): void => this.#resumable.ended(connection, host, reader.session, nowMs);
    const opened = this.#now();
    capture?.open(connection, ends, opened.timeMs);
    this.#report(() => {
      this.#resumable.opened(connection);
      onEvent({ event: "open", connection, timeMs: opened.timeMs, ...ends });
    });
    this.#judge(() => {
      this.#judged = { connection, timeMs: opened.timeMs };
      this.#shadow?.connected(connection, ends.client.address, opened.arrivedMs);
    });
    const applied: (() => void)[] = [];
    const { remoteAddress, localAddress } = sockets.client;
    const redirected = { client: remoteAddress, relay: localAddress, server: sockets.server.remoteAddress };
    const stages = [
      ...this.#ruleStages(connection, applied, () => pipe.abort()),
      ...this.#redirectStages(connection, redirected),
    ];
    if (impairment !== undefined) stages.push(impairedLine(impairment, connection, clock));
    const pipe: Pipe = new Pipe({
      sockets,
      stages,
      events: {
        bytes: (sender, bytes) => {
          const arrival = this.#now();
          capture?.bytes(connection, sender, bytes, arrival.timeMs);
          if (this.#shadow !== undefined)
            this.#shadow.passed[sender === "client" ? "bytesIn" : "bytesOut"] += bytes.length;
          const { length } = bytes;
          const isTaken = this.#queue.push(reader.bytes(sender, bytes, arrival));
          if (!isTaken) this.#report(() => reader.skip(sender, length, arrival));
          // What rules did follows the messages that they did it to.
          for (const report of applied.splice(0)) this.#report(report);
        },
        ended: (direction) => {
          const { timeMs, arrivedMs } = this.#now();
          capture?.end(connection, direction, timeMs);
          this.#report(() => {
            onEvent({ event: "end", connection, timeMs, direction });
            leave(arrivedMs);
          });
        },
        reset: (direction, code) => {
          const { timeMs } = this.#now();
          capture?.reset(connection, direction, timeMs);
          this.#report(() => onEvent({ event: "reset", connection, timeMs, direction, code }));
        },
        closed: () => {
          const { timeMs, arrivedMs } = this.#now();
          this.#pipes.delete(connection);
          if (this.#shadow !== undefined) this.#shadow.passed.sessions = this.#pipes.size;
          capture?.closed(connection);
          this.#report(() => {
            reader.close({ timeMs, arrivedMs });
            leave(arrivedMs);
            onEvent({ event: "close", connection, timeMs, counts: reader.counts });
          });
          this.#judge(() => {
            this.#policies?.left(connection);
            this.#judged = { connection, timeMs };
            this.#shadow?.left(connection, arrivedMs);
            this.#recording?.left(connection);
          });
        },
      },
    });
    this.#pipes.set(connection, pipe);
    if (this.#shadow !== undefined) this.#shadow.passed.sessions = this.#pipes.size;
  }
}

function outputLog(onError: RelayOptions["onError"]): LogSink {
  const failed = (fields: object, text: string): void => {
    onError?.(new Error(`${text}: ${JSON.stringify({ ...fields, err: undefined })}`));
  };
  return { isLevelEnabled: () => true, info: () => {}, warn: failed, error: failed };
}

/** An end that is already gone has no address. */
function endOf(address: string | undefined, port: number | undefined): { address: string; port: number } {
  return { address: address === undefined || isIP(address) === 0 ? NO_ADDRESS : address, port: port ?? 0 };
}
