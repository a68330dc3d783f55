/**
 * A **remote world**: a world of a gateway whose owner is another node, or this one. Calls become messages to the owner; the
 * effects that come back are the world's. Sessions do not see the difference, except that effects come later.
 *
 * It keeps the calls that no batch has shown yet, for the next owner, and the logs of the last batches.
 */
import type { PlayerId, Track } from "wirewalk/motion";
import { type Cancel, type Clock, type Cluster, type ClusterMessage, MAX_CLUSTER_MESSAGE_BYTES } from "wirewalk/net";
import type {
  Admission,
  Effect,
  Following,
  Joining,
  PayloadCodec,
  Refusal,
  SavedWorld,
  WireMessage,
  World,
} from "wirewalk/protocol";
import {
  type Batch,
  BatchReader,
  decodeOrNothing,
  decodePart,
  encodeInput,
  type InputMessage,
  isCount,
  isEpoch,
  isObject,
  type LoggedCalls,
  parseOrNothing,
  type SentEffect,
  type SessionCall,
} from "./batch.ts";
import { encodeHistory, type LoggedBatch } from "./history.ts";
import { type WorldSubjects, worldSubjects } from "./subjects.ts";

/** Calls that no batch has shown are sent again after this time. */
const REPEAT_MS = 250;
/** An owner hears of a gateway without calls so often. */
const BEAT_MS = 500;
/** Calls that wait for an owner: of the messages of players older ones are dropped then, never joins and leaves. */
const MAX_UNSHOWN = 20_000;
/** A message of calls ends after so many bytes of payloads. */
const INPUT_BYTES = MAX_CLUSTER_MESSAGE_BYTES / 4;
/** Missed batches are asked for so often: more of them when the first have come, the same again when nothing comes. */
const ASK_EVERY_MS = 50;
const ASK_AGAIN_MS = 500;
/** An answer has more: the next are asked for before the last has come. */
const ASKED_BATCHES = 128;
/** A gateway without players does not ask for more than these. */
const SKIPPED_BATCHES = 256;
const SETTLE_EVERY_MS = 10;
/** Batches whose logs are kept: longer than a snapshot is old. */
const KEEP_MS = 5_000;
const MAX_KEPT_BATCHES = 20_000;

export interface RemoteWorldOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** Name of the world. */
  readonly name: string;
  readonly codec: PayloadCodec;
  readonly admission: Admission | undefined;
  readonly capacity: number;
  /** Of this process: another after every start. */
  readonly run: number;
  /** False on a node without the role of a gateway: it refuses players. */
  readonly hasSessions: boolean;
  /** False on a node that is neither gateway nor candidate: it takes no batches. */
  readonly takesBatches: boolean;
}

/** Counts for metrics. */
export interface RemoteWorldCounts {
  /** Messages of a lower epoch, which were dropped. */
  fenced: number;
  /** Messages that no owner would send: lengths, numbers or shapes are wrong. */
  refused: number;
  /** Epochs that this gateway has seen after its first. */
  takeovers: number;
  /** Players whose world went on without what they had seen: they were disconnected. */
  diverged: number;
  /** Calls of players that were dropped because no owner took them. */
  dropped: number;
}

/** A message of the owner, already encoded. */
interface EncodedMessage extends WireMessage {
  readonly payload: Uint8Array;
}

interface Unshown {
  readonly number: number;
  call: SessionCall;
}

export class RemoteWorld implements World {
  /** Only to send again what was lost: the owner has the game's tick. */
  readonly tickMs = 50;
  readonly capacity: number;
  readonly following: Following;
  /** Writes what the owner has encoded, and reads as the game's own. */
  readonly codec: PayloadCodec;
  readonly counts: RemoteWorldCounts = { fenced: 0, refused: 0, takeovers: 0, diverged: 0, dropped: 0 };
  readonly #options: RemoteWorldOptions;
  readonly #subjects: WorldSubjects;
  readonly #reader = new BatchReader();
  readonly #players = new Set<PlayerId>();
  readonly #rooms = new Map<PlayerId, string>();
  readonly #cancels: readonly Cancel[];
  readonly #followers = new Set<(batch: LoggedBatch) => void>();
  #effects: Effect[] = [];
  #onEffects: () => void = () => {};
  #unshown: Unshown[] = [];
  #unsent: Unshown[] = [];
  #lastNumber = 0;
  #epoch = 0;
  /** Lower epochs are dropped. */
  #floor = 0;
  /** The next batch; undefined before the first. */
  #next: number | undefined;
  /** The epoch of the owner that said which batch is the first. */
  #beganIn = 0;
  #kept: { readonly batch: number; readonly atMs: number; readonly log: readonly LoggedCalls[] }[] = [];
  #sentMs = 0;
  #shownMs = 0;
  #askedMs = Number.NEGATIVE_INFINITY;
  /** What was asked for last is before this batch. */
  #askedUntil = 0;
  #isPlanned = false;
  #isCutOff = false;
  #run: number;

  constructor(options: RemoteWorldOptions) {
    this.#run = options.run;
    const { cluster, name, codec, capacity, takesBatches } = options;
    this.#options = options;
    this.capacity = capacity;
    this.#subjects = worldSubjects(name);
    this.codec = {
      ...codecMembers(codec),
      write: (sender: "client" | "server", message: WireMessage) =>
        "payload" in message ? (message as EncodedMessage).payload : codec.write(sender, message),
    } as PayloadCodec;
    this.following = {
      follow: (player) => this.#add({ call: "follow", player }),
      unfollow: (player) => this.#add({ call: "unfollow", player }),
    };
    this.#cancels = !takesBatches
      ? []
      : [
          cluster.subscribe(this.#subjects.output, ({ bytes }) => this.#heard(bytes)),
          cluster.subscribe(this.#subjects.taken, (message) => this.#taken(message)),
        ];
  }

  /** The epoch of the last batch; 0 before the first. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Calls that no batch has shown. */
  get waiting(): number {
    return this.#unshown.length;
  }

  /** Drops everything of lower epochs from here on. */
  raiseFloor(epoch: number): void {
    this.#floor = Math.max(this.#floor, epoch);
  }

  /** The broker is lost, and another node owns the world: its players can go on at other gateways alone, until a batch comes. */
  cutOff(): void {
    this.#isCutOff = true;
    // Batches of the own node's owner may still be on their way.
    this.raiseFloor(this.#epoch + 1);
    this.#startAgain(undefined);
  }

  /**
   * Gives the batches from `from` on, in their order: those that are kept before it returns, later ones when they come. Undefined
   * when the first of them is not kept. The next node to own the world follows it so.
   */
  follow(from: number, take: (batch: LoggedBatch) => void): Cancel | undefined {
    const first = this.#kept[0]?.batch ?? this.#next;
    if (first === undefined || first > from) return undefined;
    for (const each of this.#kept) if (each.batch >= from) take(each);
    const follower = (batch: LoggedBatch): void => {
      if (batch.batch >= from) take(batch);
    };
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** Called after effects have come. */
  onEffects(call: () => void): void {
    this.#onEffects = call;
  }

  refuses(): Refusal | undefined {
    return !this.#options.hasSessions || this.#isCutOff || this.#unshown.length >= MAX_UNSHOWN ? "full" : undefined;
  }

  join(player: PlayerId, joining: Joining): void {
    this.#players.add(player);
    this.#add({ call: "join", player, joining });
  }

  leave(player: PlayerId): void {
    if (!this.#players.delete(player)) return;
    const room = this.#rooms.get(player);
    if (this.#rooms.delete(player) && room !== undefined) this.#effects.push({ effect: "exit", player, room });
    this.#add({ call: "leave", player });
  }

  receive(player: PlayerId, _message: WireMessage, payload: Uint8Array): void {
    // The caller owns the payload.
    this.#add({ call: "receive", player, payload: payload.slice() });
  }

  refresh(player: PlayerId): void {
    this.#add({ call: "refresh", player });
  }

  tick(): void {
    if (!this.#options.takesBatches) return;
    const nowMs = this.#options.clock.now();
    if (this.#next === undefined) this.#askAgain(0);
    const oldest = this.#unshown[0];
    if (oldest !== undefined && nowMs - this.#sentMs > REPEAT_MS && nowMs - this.#shownMs > REPEAT_MS) this.#sendAll();
    else if (nowMs - this.#sentMs > BEAT_MS) this.#send([]);
  }

  takeEffects(): readonly Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  tracks(): readonly Track[] {
    return [];
  }

  tracksVersion(): number {
    return 0;
  }

  rooms(): ReadonlyMap<string, number> {
    const rooms = new Map<string, number>();
    for (const room of this.#rooms.values()) rooms.set(room, (rooms.get(room) ?? 0) + 1);
    return rooms;
  }

  save(): SavedWorld {
    throw new Error("A remote world has no state: its owner saves it");
  }

  restore(): void {
    throw new Error("A remote world has no state: its owner restores it");
  }

  digest(): bigint {
    throw new Error("A remote world has no state: its owner has its digest");
  }

  /**
   * Resolves when batches have shown all calls, or after this time. An ended session's player leaves the world at once then; otherwise
   * it would stay until its gateway is known to be gone.
   */
  async settle(timeoutMs: number): Promise<void> {
    const { clock } = this.#options;
    const untilMs = clock.now() + timeoutMs;
    while (this.#unshown.length > 0 && clock.now() < untilMs) {
      // Nothing else calls it: the world of a server that ends has no ticks.
      this.tick();
      await new Promise<void>((resolve) => void clock.after(SETTLE_EVERY_MS, resolve));
    }
  }

  /** No more batches. A world that ends has no `close`: its sessions' last calls are still to be shown. */
  end(): void {
    for (const cancel of this.#cancels) cancel();
  }

  #add(call: SessionCall): void {
    this.#lastNumber += 1;
    const each = { number: this.#lastNumber, call };
    this.#unshown.push(each);
    this.#unsent.push(each);
    if (this.#unshown.length > MAX_UNSHOWN) this.#shorten();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    // All calls of one turn of the event loop are one message.
    setImmediate(() => {
      this.#isPlanned = false;
      const calls = this.#unsent;
      this.#unsent = [];
      this.#send(calls);
    });
  }

  /** The oldest messages of players become nothing: their numbers stay. */
  #shorten(): void {
    const { counts } = this;
    for (const each of this.#unshown.slice(0, MAX_UNSHOWN / 10)) {
      if (each.call.call !== "receive") continue;
      each.call = { call: "nothing" };
      counts.dropped += 1;
    }
  }

  #sendAll(): void {
    this.#unsent = [];
    this.#send(this.#unshown);
  }

  /** Without calls it tells the owner that this gateway is there, and how far it is. */
  #send(planned: readonly Unshown[]): void {
    const { cluster, clock } = this.#options;
    this.#sentMs = clock.now();
    // Calls of a gateway that does not know its first batch yet might be in an earlier one, which it would never be sent.
    const all = this.#next === undefined ? [] : planned;
    let at = 0;
    do {
      const calls: SessionCall[] = [];
      const first = all[at]?.number ?? this.#lastNumber + 1;
      for (let bytes = 0; at < all.length && bytes < INPUT_BYTES; at += 1) {
        const { call } = all[at] as Unshown;
        calls.push(call);
        bytes += 64 + (call.call === "receive" ? call.payload.length : 0);
      }
      const message: InputMessage = { gateway: cluster.name, run: this.#run, first, calls };
      cluster.publish(this.#subjects.input, encodeInput(message));
    } while (at < all.length);
  }

  #heard(bytes: Uint8Array): void {
    const part = decodePart(bytes);
    if (part === undefined) {
      this.counts.refused += 1;
      return;
    }
    if (part.head.epoch < Math.max(this.#epoch, this.#floor)) {
      this.counts.fenced += 1;
      return;
    }
    const batch = this.#reader.take(part);
    if (batch !== undefined) this.#take(batch);
    else if (!this.#reader.isWaiting) this.counts.refused += 1;
  }

  #take(batch: Batch): void {
    this.#isCutOff = false;
    const isNewEpoch = batch.epoch > this.#epoch;
    if (isNewEpoch) this.#enterEpoch(batch);
    const next = this.#next;
    if (next === undefined) {
      // What the world has received since its snapshot must be known here too: its owner may be the only one that knows it.
      this.#askAgain(0);
    } else if (batch.batch > next + SKIPPED_BATCHES && this.#players.size === 0) {
      // No player misses anything: it begins at the last snapshot, as a gateway that has just come.
      this.#next = undefined;
      this.#kept = [];
      this.#askAgain(0);
    } else if (batch.batch > next) {
      this.#askAgain(next);
    } else if (batch.batch === next) {
      this.#next = next + 1;
      this.#keep(batch);
      for (const follower of this.#followers) follower(batch);
      this.#shown(batch.log);
      for (const effect of batch.effects) this.#effect(effect);
      if (this.#effects.length > 0) this.#onEffects();
    }
    // Not before this batch is taken: it may show them.
    if (isNewEpoch && this.#unshown.length > 0) this.#sendAll();
  }

  /** Another owner: what this gateway has seen of the world must be a part of what the owner goes on from. */
  #enterEpoch({ epoch, base, batch }: Batch): void {
    const { cluster, name } = this.#options;
    if (this.#epoch !== 0) this.counts.takeovers += 1;
    this.#epoch = epoch;
    cluster.raiseFloor(worldSubjects(name).lease, epoch);
    // A gateway that begins with this owner has seen nothing of another world.
    if (this.#next === undefined || epoch === this.#beganIn) return;
    const last = this.#next - 1;
    if (last > base) this.#startAgain(Math.max(batch, base + 1));
  }

  /** The world went on without what this gateway has seen: its players are disconnected rather than sent what is not true. */
  #startAgain(next: number | undefined): void {
    this.#next = next;
    this.#kept = [];
    // An owner that never received the calls in between would wait for them: it takes those of another run from any number on.
    this.#run += 1;
    for (const player of this.#players) {
      this.counts.diverged += 1;
      this.#effects.push({ effect: "close", player, reason: "the world went on from another state" });
    }
    if (this.#effects.length > 0) this.#onEffects();
  }

  /** Batches were lost on the way, or with 0: asks for those since the last snapshot, which are sent after the answer. */
  #askAgain(from: number): void {
    const { cluster, clock } = this.#options;
    const nowMs = clock.now();
    // What was asked for is on its way, in its order.
    const isLate = nowMs - this.#askedMs >= ASK_AGAIN_MS;
    if (!isLate && (from < this.#askedUntil || nowMs - this.#askedMs < ASK_EVERY_MS)) return;
    this.#askedMs = nowMs;
    this.#askedUntil = from + ASKED_BATCHES;
    const ask = new TextEncoder().encode(JSON.stringify({ again: from }));
    cluster.request(this.#subjects.owner, ask, 1_000).then(
      (bytes) => {
        const answer = parseOrNothing(bytes);
        this.#missed(answer, from);
        if (this.#next !== undefined || !isObject(answer) || !isCount(answer.from) || answer.from === 0) return;
        this.#next = answer.from;
        this.#beganIn = isEpoch(answer.epoch) ? answer.epoch : 0;
        if (this.#unshown.length > 0) this.#sendAll();
      },
      () => {},
    );
  }

  /** Batches that the owner keeps no longer: the players of this gateway have not seen what came of them. */
  #missed(answer: unknown, from: number): void {
    if (this.#next !== from || from === 0 || !isObject(answer) || answer.epoch !== this.#epoch) return;
    if (isCount(answer.oldest) && answer.oldest > from) this.#startAgain(answer.oldest);
  }

  #keep({ batch, log }: Batch): void {
    const nowMs = this.#options.clock.now();
    this.#kept.push({ batch, atMs: nowMs, log });
    let old = 0;
    while (old < this.#kept.length - 1 && nowMs - (this.#kept[old]?.atMs ?? nowMs) > KEEP_MS) old += 1;
    old = Math.max(old, this.#kept.length - MAX_KEPT_BATCHES);
    // In steps: moving the rest costs as much for one as for hundreds.
    if (old > 256) this.#kept.splice(0, old);
  }

  /** Calls that the world has received are no longer kept. */
  #shown(log: readonly LoggedCalls[]): void {
    const { cluster } = this.#options;
    let last = 0;
    for (const { from, calls } of log) {
      if (from?.gateway === cluster.name && from.run === this.#run) last = from.first + calls.length - 1;
    }
    if (last === 0) return;
    this.#shownMs = this.#options.clock.now();
    const first = this.#unshown[0]?.number ?? 0;
    this.#unshown.splice(0, Math.max(0, last - first + 1));
  }

  #effect(effect: SentEffect): void {
    switch (effect.effect) {
      case "send":
        if (!this.#players.has(effect.to)) return;
        this.#effects.push({ ...effect, message: encoded(effect.payload) } as Effect);
        return;
      case "broadcast":
        this.#effects.push({ ...effect, except: effect.except, message: encoded(effect.payload) } as Effect);
        return;
      case "refuse":
        this.#refused(effect.player, effect.refusal);
        return;
      case "verdict":
        if (this.#players.has(effect.verdict.player)) this.#effects.push(effect);
        return;
      case "enter":
        if (!this.#players.has(effect.player)) return;
        this.#rooms.set(effect.player, effect.room);
        break;
      case "exit":
        if (!this.#players.has(effect.player)) return;
        this.#rooms.delete(effect.player);
        break;
      case "observe":
        // Of a room itself.
        if (effect.player === 0) this.#effects.push(effect);
        break;
      case "close":
        // Also a player that has left may be named here: its gateway has forgotten it.
        break;
      default:
        break;
    }
    if (this.#players.has(effect.player)) this.#effects.push(effect);
  }

  #refused(player: PlayerId, refusal: Refusal): void {
    if (!this.#players.has(player)) return;
    const message = this.#options.admission?.refusal(refusal);
    if (message !== undefined) this.#effects.push({ effect: "send", to: player, message });
    this.#effects.push({ effect: "close", player, reason: `refused: ${refusal}` });
  }

  /** Gives a new owner the logs from the batch on that it asks for. */
  #taken({ bytes }: ClusterMessage): void {
    const data = decodeOrNothing(bytes);
    if (!isObject(data) || !isEpoch(data.epoch) || !isCount(data.from)) {
      this.counts.refused += 1;
      return;
    }
    if (data.epoch < this.#epoch) return;
    const { cluster } = this.#options;
    const { from, epoch } = data;
    cluster.raiseFloor(this.#subjects.lease, epoch);
    const logs = this.#kept.flatMap(({ batch, log }) => (batch >= from ? [{ batch, log }] : []));
    for (const message of encodeHistory({ gateway: cluster.name, epoch, next: this.#next ?? 0, logs })) {
      cluster.publish(this.#subjects.history, message);
    }
  }
}

function encoded(payload: Uint8Array): EncodedMessage {
  return { message: "encoded", value: {}, payload };
}

/** A codec may be an instance of a class, whose members are not its own. */
function codecMembers(codec: PayloadCodec): Omit<PayloadCodec, "write"> {
  return {
    id: codec.id,
    layouts: codec.layouts,
    messages: codec.messages,
    read: codec.read.bind(codec),
    trace: codec.trace.bind(codec),
    fromJson: codec.fromJson.bind(codec),
    toJson: codec.toJson.bind(codec),
  };
}
