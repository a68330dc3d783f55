/**
 * The **owner** of a world: it has the lease, the world and its tick. Calls of gateways come in, batches go out, and snapshots are
 * kept, so that another node goes on where this one stops.
 *
 * An owner that cannot renew its lease for 0.75 of its time stops before another can begin. Without a broker nobody else can
 * begin: then it goes on for the gateway of its own process, as long as the store says that nobody has. One that is cut off alone learns
 * from there that another has claimed the world, and gives it up. When the store does not answer either, the world stands still.
 */
import type { Logger } from "pino";
import type { Cancel, Clock, Cluster, ClusterMessage, Lease } from "wirewalk/net";
import type { OwnedWorldRecords } from "../worlds/owned-records.ts";
import {
  type BatchHead,
  decodeInput,
  encodeBatch,
  type InputMessage,
  isCount,
  isObject,
  type LoggedCalls,
  parseOrNothing,
  type SentEffect,
  type SessionCall,
  stampBatch,
} from "./batch.ts";
import { CHECK_GATEWAYS_MS, GatewayWatch } from "./gateway-watch.ts";
import { gatherHistory } from "./gather-history.ts";
import { AT_ONCE, type InTurn, NextOwner } from "./hand-over.ts";
import { evidenceRequestOf } from "./owner-evidence.ts";
import type { PlayedWorld } from "./played-world.ts";
import { RoomPublisher } from "./room-publisher.ts";
import { SentBatches } from "./sent-batches.ts";
import { type WorldSubjects, worldSubjects } from "./subjects.ts";
import type { Followed } from "./world-follower.ts";

/** Of the time of a lease: an owner that was not able to renew it for so long stops. */
const STOP_AFTER = 0.75;
const RENEWALS = 5;
/** Between two snapshots. */
const SNAPSHOT_MS = 500;
/**
 * A snapshot waits so long until all before it is in the recording: so the recording of an owner that is killed goes up to the snapshot
 * with which that of the next one begins. A slow disk costs a gap between both, and no time.
 */
const RECORDING_MS = 100;
/** Time without an owner counts in the world, up to this: a clock that was set wrong counts no more. */
const MAX_PAUSE_MS = 10_000;

export interface WorldOwnerOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** Epoch milliseconds. */
  readonly epochNow: () => number;
  readonly name: string;
  /** Nobody else uses it. */
  readonly played: PlayedWorld;
  readonly log: Logger;
  /** Default: the world is not recorded. */
  readonly records?: OwnedWorldRecords | undefined;
  /** The greatest epoch that the store has of the world; undefined when it does not answer. Default: there is no store. */
  readonly storedEpoch?: (() => Promise<number | undefined>) | undefined;
  /** The greatest epoch of which this node has seen a batch. */
  readonly seenEpoch: () => number;
  /** It owns the world no more; `isCutOff`: another node does, and this one has lost the broker. */
  readonly ended: (isCutOff: boolean) => void;
}

/** `live`: the next owner has followed it, `saved`: any node restores it. */
export type HandOverWay = "live" | "saved";

/** Counts and measures for metrics. */
export interface OwnerMeasures {
  batches: number;
  /** Of the last snapshot. */
  snapshotBytes: number;
  snapshotAtMs: number;
  /** The processor's time to save it. */
  snapshotSaveMs: number;
  replayedCalls: number;
  /** Time for which the world and its batches had the processor, in all. */
  busyMs: number;
  /** Messages that no gateway would send. */
  refused: number;
  /** Gateways that were gone: the broker knew that nobody was subscribed for them. */
  absentGateways: number;
}

export class WorldOwner {
  readonly measures: OwnerMeasures = {
    batches: 0,
    snapshotBytes: 0,
    snapshotAtMs: 0,
    snapshotSaveMs: 0,
    replayedCalls: 0,
    busyMs: 0,
    refused: 0,
    absentGateways: 0,
  };
  readonly lease: Lease;
  readonly #options: WorldOwnerOptions;
  readonly #subjects: WorldSubjects;
  readonly #played: PlayedWorld;
  readonly #cancels: Cancel[] = [];
  readonly #gateways: GatewayWatch;
  #shown: RoomPublisher | undefined;
  #recording: ReturnType<OwnedWorldRecords["record"]> | undefined;
  /** Calls that came while the world was restored. */
  #early: InputMessage[] | undefined = [];
  #log: LoggedCalls[] = [];
  #effects: SentEffect[] = [];
  #isPlanned = false;
  #isOver = false;
  /** A snapshot that is on its way. */
  #saving: Promise<void> | undefined;
  #handingOver: Promise<HandOverWay | undefined> | undefined;
  /** No snapshot is begun any more: the last one is about to be made. */
  #isEnding = false;
  /** Nothing is played any more: the world goes on at another node. */
  #isStopped = false;
  #isRenewing = false;
  #isAsking = false;
  /** Neither broker nor store says whether the world is still this node's: nothing is played. */
  #isWaiting = false;
  #renewedMs: number;
  #nextBatch = 1;
  /** The first batch that the last snapshot does not hold. */
  #snapshotBatch = 1;
  #base = 0;
  #offsetMs = 0;
  readonly #sent = new SentBatches();

  private constructor(lease: Lease, options: WorldOwnerOptions) {
    const { cluster, clock, name, played } = options;
    this.lease = lease;
    this.#options = options;
    this.#subjects = worldSubjects(name);
    this.#played = played;
    this.#gateways = new GatewayWatch({
      cluster,
      clock,
      gone: (gateway, isAbsent) => this.#gatewayGone(gateway, isAbsent),
    });
    this.#renewedMs = clock.now();
    this.#cancels.push(
      cluster.subscribe(this.#subjects.owner, (message) => this.#asked(message)),
      cluster.subscribe(this.#subjects.input, ({ bytes }) => this.#input(bytes)),
      clock.every(cluster.leaseMs / RENEWALS, () => void this.#renew()),
    );
  }

  /**
   * Begins with a lease that was just claimed: restores the last snapshot, plays what gateways have seen since, and goes on.
   * `gone` is the node that had it before, if it is known to be gone. Rejects when the world cannot be restored.
   */
  static async begin(lease: Lease, options: WorldOwnerOptions, gone?: string): Promise<WorldOwner> {
    const owner = new WorldOwner(lease, options);
    try {
      await owner.#restore(gone);
    } catch (error) {
      owner.#stop();
      throw error;
    }
    return owner;
  }

  /** Begins with a lease that the last owner has given, in the world that this node has followed up to there. */
  static goOn(lease: Lease, options: WorldOwnerOptions, followed: Followed): WorldOwner {
    const owner = new WorldOwner(lease, options);
    owner.#goOn(followed);
    return owner;
  }

  get played(): PlayedWorld {
    return this.#played;
  }

  /** What is sent to spectator relays; undefined until the world is restored. */
  get shown(): RoomPublisher | undefined {
    return this.#shown;
  }

  get isHandingOver(): boolean {
    return this.#handingOver !== undefined;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get nextBatch(): number {
    return this.#nextBatch;
  }

  /**
   * Hands the world over to the node `to`, which follows it first and goes on within a tick. When it cannot, and without a name, the
   * world is saved and the lease given back: another node goes on at once, `to` where it is named.
   */
  handOver(to = "", inTurn = AT_ONCE): Promise<HandOverWay | undefined> {
    this.#handingOver ??= this.#handOver(to, inTurn);
    return this.#handingOver;
  }

  /** Undefined when the world is this node's no more. */
  async #handOver(to: string, inTurn: InTurn): Promise<HandOverWay | undefined> {
    const { log, name } = this.#options;
    const { epoch } = this.lease;
    const next = new NextOwner({ cluster: this.#options.cluster, to, world: name, epoch });
    const isFollowed = to !== "" && !this.#isOver && (await next.follows(this.#nextBatch));
    const isGiven = await inTurn(async () => {
      if (!isFollowed || !this.#mayGoOn()) return false;
      // Compiled before it is needed: the first time takes three times as long.
      this.#played.world.digest();
      await this.#turn();
      return this.#mayGoOn() && this.#give(next, to);
    });
    if (isGiven) return "live";
    if (this.#isOver) return undefined;
    if (to !== "") log.warn({ world: name, epoch, to, why: next.problem }, "hands over a saved world");
    return this.#release(next.isGone ? "" : to);
  }

  /** The world is played here up to a batch, and from the next one on there. False when it is still this node's. */
  async #give(next: NextOwner, to: string): Promise<boolean> {
    const { cluster, clock, log, name } = this.#options;
    const beganMs = clock.now();
    this.#isStopped = true;
    this.#flush();
    const asked = next.digest(this.#nextBatch, this.#now());
    // The question leaves first: both nodes are at work then.
    await this.#turn();
    const own = this.#played.world.digest().toString(16);
    const digest = await asked;
    if (this.#isOver) return false;
    if (digest !== own) {
      if (digest !== undefined) {
        log.error({ world: name, batch: this.#nextBatch, digest, own }, "the next owner has come to another state");
        next.problem = "its world is another one";
      }
      return false;
    }
    const { epoch } = this.lease;
    try {
      const given = await cluster.transfer(this.lease, to);
      if (given !== undefined) next.take(given.epoch);
      const tookMs = Math.round(clock.now() - beganMs);
      if (given === undefined) log.error({ world: name, epoch }, "the lease is another node's: gives the world up");
      else log.info({ world: name, epoch, to, given: given.epoch, tookMs }, "handed over, followed");
      await this.#turn();
      this.#stop();
      return given !== undefined;
    } catch (error) {
      // It may be the next owner's already, which then finds it.
      log.warn({ world: name, epoch, to, err: error }, "not known whether the lease was given: gives the world up");
      this.#stop();
      return false;
    }
  }

  /** What was published has left when it resolves. */
  #turn(): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(0, resolve));
  }

  /** Saves the world and gives the lease back. */
  async #release(to: string): Promise<HandOverWay> {
    const { cluster, clock, log, name } = this.#options;
    this.#isEnding = true;
    // An older snapshot that arrives after the last one would take its place.
    await this.#saving;
    if (this.#isOver) return "saved";
    const beganMs = clock.now();
    this.#flush();
    const bytes = this.#save(true);
    this.#stop();
    try {
      await cluster.putSnapshot(name, { epoch: this.lease.epoch, bytes });
      await cluster.release(this.lease);
      cluster.publish(this.#subjects.free, new TextEncoder().encode(to));
      const tookMs = Math.round(clock.now() - beganMs);
      log.info({ world: name, epoch: this.lease.epoch, ...(to === "" ? {} : { to }), tookMs }, "handed over, saved");
    } catch (error) {
      log.warn({ world: name, err: error }, "not handed over: its lease lapses");
    }
    return "saved";
  }

  async #restore(gone: string | undefined): Promise<void> {
    const { cluster, clock, epochNow, name, log, records, seenEpoch } = this.#options;
    const beganMs = clock.now();
    const snapshot = await cluster.getSnapshot(name);
    let wallMs = epochNow();
    let isFinal = false;
    if (snapshot !== undefined) {
      const place = this.#played.restore(snapshot.bytes);
      this.#nextBatch = place.nextBatch;
      this.#snapshotBatch = place.nextBatch;
      wallMs = place.wallMs;
      // An owner after it may have ended before its first snapshot.
      isFinal = place.isFinal && seenEpoch() <= snapshot.epoch;
    }
    const { owner: node, epoch } = this.lease;
    const snapshotMs = this.#played.nowMs;
    this.#recording = records?.record({ host: this.#played, nowMs: snapshotMs, wallMs, node, epoch });
    const from = this.#nextBatch;
    const subjects = this.#subjects;
    // No gateway has more than a world that was handed over: nothing waits for their answers.
    const histories = isFinal
      ? { logs: [], first: from, leastNext: from }
      : await gatherHistory({ cluster, clock, subjects, epoch, from, gone });
    const isLost = histories.first > from;
    // What lies between is known to nobody: gateways that have seen it disconnect their players.
    const logs = isLost ? [] : histories.logs.filter(({ batch }, index) => batch === from + index);
    this.#base = from - 1 + logs.length;
    for (const { batch, log: calls } of logs) {
      for (const each of calls) {
        this.#played.play(each, this.#effects);
        this.measures.replayedCalls += each.calls.length;
      }
      this.#log.push(...calls);
      // Sent again from the first that any gateway has missed.
      this.#emit(batch >= histories.leastNext);
    }
    // From here on batches are of this epoch. Without one, gateways would not learn of it.
    const pauseMs = snapshot === undefined && this.#nextBatch === 1 ? 0 : clamp(epochNow() - wallMs, 0, MAX_PAUSE_MS);
    // What was played again is part of the time since the snapshot.
    this.#offsetMs = Math.max(snapshotMs + pauseMs, this.#played.nowMs) - clock.now();
    this.#begin([], 0);
    await this.#keepSnapshot();
    const tookMs = Math.round(clock.now() - beganMs);
    log.info(
      { world: name, epoch, batch: this.#nextBatch, replayed: this.measures.replayedCalls, tookMs, isLost },
      "owns the world",
    );
  }

  /** Nothing of what took time is left to do: the world has been restored and played up to here. */
  #goOn({ nextBatch, batches, early, offsetMs, tickMs, comparedMs }: Followed): void {
    const { epochNow, log, name, records } = this.#options;
    const { owner: node, epoch } = this.lease;
    this.#nextBatch = nextBatch;
    this.#snapshotBatch = batches[0]?.batch ?? nextBatch;
    this.#base = nextBatch - 1;
    this.#offsetMs = offsetMs;
    for (const { batch, messages } of batches) {
      stampBatch(messages, { epoch, batch, base: this.#base, wallMs: epochNow() });
      this.#sent.add(batch, messages);
    }
    const { nowMs } = this.#played;
    this.#recording = records?.record({ host: this.#played, nowMs, wallMs: this.#wallMsOf(nowMs), node, epoch });
    // Gateways send what no batch has shown when they see the epoch: not only with the next tick.
    this.#emit(true);
    const tickEveryMs = this.#played.world.tickMs;
    const sinceMs = tickMs === undefined ? tickEveryMs : this.#now() - tickMs;
    this.#begin(early, clamp(tickEveryMs - sinceMs, 0, tickEveryMs));
    // Since the digests were compared nobody else can have claimed it.
    this.#renewedMs = comparedMs;
    // The last owner's is there. The next one is kept in its time: worlds that are handed over with this one would wait for it.
    this.measures.snapshotAtMs = comparedMs;
    void this.#renew();
    log.info({ world: name, epoch, batch: nextBatch, followed: batches.length }, "goes on with the world");
  }

  /** From here on calls are carried out. `early` came before it, `tickInMs` is the time until its first tick. */
  #begin(early: readonly InputMessage[], tickInMs: number): void {
    const { cluster, clock, name } = this.#options;
    for (const gateway of this.#played.gateways().keys()) this.#gateways.seen(gateway);
    // What is played again was shown by the owner before.
    const shown = { cluster, clock, name, epoch: this.lease.epoch, played: this.#played };
    if (!this.#isOver) {
      this.#shown = new RoomPublisher({
        ...shown,
        worldMs: () => this.#now(),
        follow: (call, player) => {
          if (this.#mayGoOn()) this.#play({ nowMs: this.#now(), calls: [{ call, player }] });
        },
      });
    }
    const late = this.#early ?? [];
    this.#early = undefined;
    for (const message of [...early, ...late]) this.#take(message);
    const startTicks = (): void => {
      this.#tick();
      this.#cancels.push(clock.every(this.#played.world.tickMs, () => this.#tick()));
    };
    if (tickInMs === 0) startTicks();
    else this.#cancels.push(clock.after(tickInMs, startTicks));
    this.#cancels.push(
      clock.every(SNAPSHOT_MS, () => void this.#keepSnapshot()),
      clock.every(CHECK_GATEWAYS_MS, () => this.#checkGateways()),
    );
  }

  /** The time of the world: never less than before. */
  #now(): number {
    return Math.max(this.#played.nowMs, this.#options.clock.now() + this.#offsetMs);
  }

  /** The wall clock at a time of the world: epoch milliseconds. */
  #wallMsOf(worldMs: number): number {
    return this.#options.epochNow() - (this.#now() - worldMs);
  }

  #tick(): void {
    if (this.#mayGoOn()) this.#play({ nowMs: this.#now(), calls: [{ call: "tick" }] });
  }

  #input(bytes: Uint8Array): void {
    if (this.#isOver) return;
    const message = decodeInput(bytes);
    if (message === undefined) {
      this.measures.refused += 1;
      return;
    }
    if (this.#early !== undefined) this.#early.push(message);
    else if (this.#mayGoOn()) this.#take(message);
  }

  #take({ gateway, run, first, calls }: InputMessage): void {
    this.#gateways.seen(gateway);
    const known = this.#played.gateway(gateway);
    // Its process was started again: the players of the one before are gone.
    if (known !== undefined && known.run !== run) this.#dropPlayers(known.players);
    const next = known?.run === run ? known.next : first;
    // Calls between are on their way: the gateway sends again what no batch shows.
    if (first > next || first + calls.length <= next) return;
    const fresh = calls.slice(next - first).map((call) => this.#hidden(call));
    this.#play({ nowMs: this.#now(), from: { gateway, run, first: next }, calls: fresh });
  }

  #hidden(call: SessionCall): SessionCall {
    if (call.call !== "join") return call;
    const { joining } = call;
    return { ...call, joining: { ...joining, account: this.#played.pseudonym(joining.account) } };
  }

  #play(calls: LoggedCalls): void {
    const beganMs = this.#options.clock.now();
    this.#played.play(calls, this.#effects);
    this.measures.busyMs += this.#options.clock.now() - beganMs;
    this.#log.push(calls);
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    // One batch for each turn of the event loop.
    setImmediate(() => {
      this.#isPlanned = false;
      if (!this.#isOver && this.#log.length > 0) this.#emit(true);
    });
  }

  #flush(): void {
    if (this.#log.length > 0) this.#emit(true);
  }

  /** What was logged since the last batch is the next one. */
  #emit(isSent: boolean): void {
    const { cluster, clock, epochNow } = this.#options;
    const beganMs = clock.now();
    const head: BatchHead = { epoch: this.lease.epoch, batch: this.#nextBatch, base: this.#base, wallMs: epochNow() };
    const messages = encodeBatch({ ...head, log: this.#log, effects: this.#effects });
    this.#log = [];
    this.#effects = [];
    this.#nextBatch += 1;
    this.measures.batches += 1;
    this.#sent.add(head.batch, messages);
    if (isSent) for (const message of messages) cluster.publish(this.#subjects.output, message);
    this.measures.busyMs += clock.now() - beganMs;
  }

  #asked(message: ClusterMessage): void {
    if (this.#isOver) return;
    const { cluster } = this.#options;
    const ask = parseOrNothing(message.bytes);
    if (isObject(ask) && ask.evidence !== undefined) {
      void this.#keepEvidence(ask.evidence, message);
      return;
    }
    // What is said here is of the moment after the last batch.
    if (this.#early === undefined) this.#flush();
    const { epoch, owner } = this.lease;
    const wanted = isObject(ask) ? ask.again : undefined;
    const from = wanted === 0 ? Math.max(this.#snapshotBatch, this.#sent.oldest ?? 1) : wanted;
    const digest = isObject(ask) && ask.digest === true ? { digest: this.#played.world.digest().toString(16) } : {};
    const answer = {
      epoch,
      node: owner,
      batch: this.#nextBatch,
      ...(isCount(from) ? { from, oldest: this.#sent.oldest ?? this.#nextBatch } : {}),
      ...digest,
    };
    message.reply(new TextEncoder().encode(JSON.stringify(answer)));
    if (!isCount(from)) return;
    // After the answer, which says what the first of them is.
    setImmediate(() => {
      if (this.#isOver) return;
      for (const each of this.#sent.again(from, this.#options.clock.now(), wanted === 0))
        cluster.publish(this.#subjects.output, each);
    });
  }

  /** A gateway has banned a player. */
  async #keepEvidence(asked: unknown, message: ClusterMessage): Promise<void> {
    const request = evidenceRequestOf(asked);
    if (request === undefined) {
      this.measures.refused += 1;
      return;
    }
    const evidence = (await this.#options.records?.keepEvidence(request, this.#played.nowMs)) ?? "not-recorded";
    message.reply(new TextEncoder().encode(JSON.stringify({ evidence })));
  }

  #dropPlayers(players: ReadonlyMap<number, string>): void {
    if (players.size === 0) return;
    this.#play({ nowMs: this.#now(), calls: [...players.keys()].map((player) => ({ call: "leave", player })) });
  }

  #checkGateways(): void {
    const gateways = [...this.#played.gateways()].flatMap(([gateway, { players }]) =>
      players.size > 0 ? [gateway] : [],
    );
    if (this.#mayGoOn()) this.#gateways.check(gateways);
  }

  #gatewayGone(gateway: string, isAbsent: boolean): void {
    const players = this.#played.gateway(gateway)?.players;
    if (players === undefined || !this.#mayGoOn()) return;
    if (isAbsent) this.measures.absentGateways += 1;
    const { log, name } = this.#options;
    log.warn({ world: name, gateway, players: players.size, isAbsent }, "a gateway is gone: its players leave");
    this.#dropPlayers(players);
  }

  /** False while another may have claimed the world, and when it was stopped. Call it before anything is played. */
  #mayGoOn(): boolean {
    if (this.#isOver || this.#isWaiting || this.#isStopped) return false;
    const { cluster, clock, log, name, storedEpoch } = this.#options;
    const sinceMs = clock.now() - this.#renewedMs;
    if (sinceMs <= cluster.leaseMs * STOP_AFTER) return true;
    const { epoch } = this.lease;
    if (cluster.isConnected) {
      log.error({ world: name, epoch, sinceMs }, "the lease was not renewed in time: gives the world up");
      this.#stop();
      return false;
    }
    if (storedEpoch === undefined) return true;
    log.error({ world: name, epoch, sinceMs }, "neither broker nor store answers: the world stands still");
    this.#isWaiting = true;
    return false;
  }

  async #renew(): Promise<void> {
    const { cluster, clock, log, name } = this.#options;
    if (!cluster.isConnected) {
      await this.#askStore();
      return;
    }
    if (this.#isRenewing || (!this.#isWaiting && !this.#mayGoOn())) return;
    this.#isRenewing = true;
    const askedMs = clock.now();
    try {
      if (await cluster.renew(this.lease)) {
        this.#renewed(askedMs);
        return;
      }
      // A lease that was just given is.
      if (this.#isOver || this.#isStopped) return;
      log.error({ world: name, epoch: this.lease.epoch }, "the lease is another node's: gives the world up");
      this.#stop();
    } catch (error) {
      log.warn({ world: name, err: error }, "a lease was not renewed");
    } finally {
      this.#isRenewing = false;
    }
  }

  /** The broker is lost, for this node alone or for all: then nobody can claim the lease. A claim is in the store before it has effect. */
  async #askStore(): Promise<void> {
    const { clock, log, name, storedEpoch } = this.#options;
    const askedMs = clock.now();
    if (storedEpoch === undefined) this.#renewed(askedMs);
    if (storedEpoch === undefined || this.#isAsking) return;
    this.#isAsking = true;
    const found = await storedEpoch();
    this.#isAsking = false;
    if (found === undefined || this.#isOver) return;
    const { epoch } = this.lease;
    if (found <= epoch) {
      this.#renewed(askedMs);
      return;
    }
    log.error({ world: name, epoch, found }, "cut off from the broker, and the world is another node's: gives it up");
    this.#stop(true);
  }

  /** At this time the world was still this node's. */
  #renewed(atMs: number): void {
    this.#renewedMs = Math.max(this.#renewedMs, atMs);
    this.#isWaiting = false;
  }

  #save(isFinal: boolean): Uint8Array {
    const { clock } = this.#options;
    const beganMs = clock.now();
    const { nowMs } = this.#played;
    const place = { nextBatch: this.#nextBatch, nowMs, wallMs: this.#wallMsOf(nowMs), isFinal };
    const bytes = this.#played.save(place);
    this.measures.snapshotSaveMs = clock.now() - beganMs;
    this.measures.snapshotBytes = bytes.length;
    return bytes;
  }

  async #keepSnapshot(): Promise<void> {
    if (this.#saving !== undefined || this.#isEnding || !this.#options.cluster.isConnected || !this.#mayGoOn()) return;
    this.#saving = this.#putSnapshot();
    await this.#saving;
    this.#saving = undefined;
  }

  /** Never rejects. */
  async #putSnapshot(): Promise<void> {
    const { cluster, clock, log, name } = this.#options;
    try {
      this.#flush();
      const next = this.#nextBatch;
      const bytes = this.#save(false);
      await this.#recorded();
      await cluster.putSnapshot(name, { epoch: this.lease.epoch, bytes });
      this.#snapshotBatch = next;
      this.measures.snapshotAtMs = clock.now();
    } catch (error) {
      log.warn({ world: name, err: error }, "a snapshot was not kept");
    }
  }

  /** Resolves when all that was played is in its recording, or too late. */
  async #recorded(): Promise<void> {
    if (this.#recording === undefined) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(RECORDING_MS, resolve);
    await Promise.race([this.#recording.flush(), late]);
    cancel();
  }

  #stop(isCutOff = false): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const cancel of this.#cancels) cancel();
    this.#shown?.close();
    // Its last key frame is of the world that is closed next.
    void this.#recording?.close();
    this.#played.world.close?.();
    this.#options.ended(isCutOff);
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
