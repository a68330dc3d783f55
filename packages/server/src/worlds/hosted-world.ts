/**
 * A world as this server runs it: in a `Host`, the players' sessions, the clock that ticks it, and the
 * flush after every turn of the event loop in which something was sent. What a world throws is caught here.
 */
import { Host, type HostTap, type Recipient } from "wirewalk/host";
import type { PlayerId, Track, Verdict } from "wirewalk/motion";
import type { Cancel, Clock } from "wirewalk/net";
import { packetThreads } from "wirewalk/node";
import type {
  Admission,
  Effect,
  Joining,
  PayloadCodec,
  PlayerBudget,
  Refusal,
  Responses,
  SavedChannel,
  ServedProtocol,
  Side,
  WireMessage,
  World,
  WorldMaps,
} from "wirewalk/protocol";
import type { BanKey } from "../bans/ban-key.ts";
import type { Penalty } from "../bans/ledger.ts";
import { ALL_RULES } from "../bans/policies.ts";
import type { FeedCounts, FeedWorld, Observation } from "../feed/feed-world.ts";
import { RoomIndex } from "../feed/room-index.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import { nodeRuntime, type Runtime } from "../runtime/runtime.ts";
import { type Carriage, carriageOf } from "../session/carriage.ts";
import type { DisconnectReason } from "../session/disconnect.ts";
import { FlushPace } from "../session/flush-pace.ts";
import type { LinkKind } from "../session/links.ts";

/** A session as its world sees it. */
export interface Member extends Recipient {
  readonly account: string;
  /** What a ban of the player applies to. */
  readonly banKey: BanKey;
  /** Bytes that were delivered and have not left. */
  readonly queuedBytes: number;
  /** Logs a verdict. */
  note(verdict: Verdict): void;
  saveChannel(): SavedChannel;
  end(reason: DisconnectReason, detail?: string): void;
}

/** Records what clients send as their carriers bring it. */
export interface CarriedRecorder {
  /** From here on `bytes` of the player follow. */
  begin(player: PlayerId, member: Pick<Member, "saveChannel">): void;
  /** Before the channel takes them. */
  bytes(player: PlayerId, bytes: Uint8Array): void;
}

/** Counts of one carrier's sessions of a world, since the start. */
export interface LinkTraffic {
  sessions: number;
  opened: number;
  messagesIn: number;
  bytesIn: number;
  bytesOut: number;
  refusedPayloads: number;
}

export type BanEffect = Extract<Effect, { effect: "ban" }>;

/** Receives what happens in a world. Must not call back into it. */
export interface WorldObserver {
  verdict(world: HostedWorld, verdict: Verdict): void;
  observed(world: HostedWorld, observation: Observation): void;
  /**
   * A player entered a room (`from` undefined), left one (`to` undefined), or went from one to another. It may be shown in
   * rooms beside the one whose broadcasts it receives.
   */
  moved(world: HostedWorld, player: PlayerId, from: string | undefined, to: string | undefined): void;
  /** A followed player sent a payload, or is sent one. The bytes are valid during the call. */
  carried(world: HostedWorld, player: PlayerId, sender: Side, payload: Uint8Array): void;
}

/**
 * What a ban of a player without a login does to its address, behind which may be other people. `off`: only its session ends.
 * `soft`: its session ends, and a new player from that address waits before joining and may send half as much. `on`: no
 * player joins from that address.
 */
export type BanAddress = "off" | "soft" | "on";

/** A world that another node owns: see `cluster/remote-world.ts`. */
export interface RemoteHosting {
  readonly world: World;
  readonly codec: PayloadCodec;
  /** Of this server's players. */
  readonly ids: { readonly first: number; readonly last: number };
  /** Effects have come. */
  onEffects(call: () => void): void;
}

export interface HostedWorldOptions {
  /** No other world of the server has it. Default: the name of the game. */
  readonly name?: string;
  /** Its place among the worlds of its game. Default 1. */
  readonly number?: number;
  readonly protocol: ServedProtocol;
  readonly dialect: string;
  readonly clock: Clock;
  /** Default: Node's own. */
  readonly runtime?: Runtime;
  readonly seed: number;
  readonly enforcement: "enforce" | "log";
  readonly demo: boolean;
  /** The places of the world, instead of demo places. Default: none. */
  readonly maps?: WorldMaps | undefined;
  readonly responses?: Responses | undefined;
  /** Default `soft`. */
  readonly banAddress?: BanAddress | undefined;
  /** Default: the game's own. */
  readonly tickMs?: number | undefined;
  /** Threads that make packets together, for protocols with capability `threads`. Default 1. */
  readonly threads?: number | undefined;
  /** The room for which players ask that name none. Default: the world decides. */
  readonly room?: string | undefined;
  /** 0: at the end of the event loop's turn, or after a rest that the last flush asks for. */
  readonly flushMs: number;
  /** Bytes that wait for a flush, of which one room may have all, before one runs at once. Default: no limit. */
  readonly pendingBytesLimit?: number;
  /** Bytes that may be queued for all players together. Default: no limit. */
  readonly queuedBytesLimit?: number;
  /** While it is true new players are refused as `unavailable`. Default: never. */
  readonly isClosed?: () => boolean;
  /** What the world is given instead of an account: see `Recordings`. Default: the account. */
  readonly pseudonym?: ((account: string) => string) | undefined;
  /** Default: a world of this process. */
  readonly remote?: RemoteHosting | undefined;
  readonly log: LogBudget;
  readonly observer: WorldObserver;
  /** Bans a player and ends its sessions. `member` is undefined when the player has left. */
  readonly banned: (world: HostedWorld, ban: BanEffect, member: Member | undefined) => void;
}

/** A tick that is later runs between two messages that are read. */
const MAX_TICK_OVERDUE_MS = 20;

const newTraffic = (): LinkTraffic => ({
  sessions: 0,
  opened: 0,
  messagesIn: 0,
  bytesIn: 0,
  bytesOut: 0,
  refusedPayloads: 0,
});

export class HostedWorld implements FeedWorld {
  readonly name: string;
  readonly protocol: ServedProtocol;
  readonly dialect: string;
  /** Its place among the worlds of its game, from 1. */
  readonly number: number;
  /** The room for which players ask that name none. */
  readonly room: string | undefined;
  readonly codec: PayloadCodec;
  readonly admission: Admission | undefined;
  readonly banAddress: BanAddress;
  readonly host: Host;
  carried: CarriedRecorder | undefined;
  readonly traffic: Readonly<Record<LinkKind, LinkTraffic>> = { tcp: newTraffic(), websocket: newTraffic() };
  /** Verdicts other than accept. */
  verdicts = 0;
  readonly #clock: Clock;
  readonly #runtime: Runtime;
  readonly #pace: FlushPace;
  readonly #pendingBytesLimit: number;
  readonly #queuedBytesLimit: number;
  /** At least what is queued for all players: queues that became shorter since it was counted are not known. */
  #queuedAtMost = 0;
  #tickedMs: number;
  #tickedEarly = false;
  #isStopped = false;
  readonly #log: LogBudget;
  readonly #observer: WorldObserver;
  readonly #banned: HostedWorldOptions["banned"];
  readonly #enforcement: "enforce" | "log";
  readonly #members = new Map<PlayerId, Member>();
  readonly #pseudonym: (account: string) => string;
  readonly #isClosed: () => boolean;
  /** Accounts of players whom the world knows by a pseudonym. */
  readonly #accounts = new Map<PlayerId, string>();
  readonly #index = new RoomIndex();
  readonly #followed = new Set<PlayerId>();
  readonly #tap: HostTap = {
    received: (player, payload) => {
      if (this.#followed.has(player)) this.#observer.carried(this, player, "client", payload);
    },
    sent: (player, payload) => {
      if (this.#followed.has(player)) this.#observer.carried(this, player, "server", payload);
    },
    broadcast: (room, except, payload) => {
      for (const player of this.#followed) {
        if (player === except || this.#index.of(player) !== room || this.host.isLagging(player)) continue;
        this.#observer.carried(this, player, "server", payload);
      }
    },
  };
  readonly #carriages: Readonly<Record<LinkKind, Carriage>>;
  readonly #stopTicks: Cancel;
  #toClose: { readonly player: PlayerId; readonly reason: string }[] = [];
  #toBan: BanEffect[] = [];

  constructor(options: HostedWorldOptions) {
    const { protocol, dialect, seed, enforcement, demo, maps, tickMs, threads = 1 } = options;
    this.name = options.name ?? protocol.name;
    this.protocol = protocol;
    this.dialect = dialect;
    this.number = options.number ?? 1;
    this.room = options.room;
    this.banAddress = options.banAddress ?? "soft";
    const { remote } = options;
    this.codec = remote?.codec ?? protocol.codec(dialect);
    this.admission = protocol.capabilities?.login?.admission(dialect);
    this.#clock = options.clock;
    this.#runtime = options.runtime ?? nodeRuntime;
    this.#pendingBytesLimit = options.pendingBytesLimit ?? Number.POSITIVE_INFINITY;
    this.#queuedBytesLimit = options.queuedBytesLimit ?? Number.POSITIVE_INFINITY;
    this.#tickedMs = options.clock.now();
    this.#log = options.log;
    this.#observer = options.observer;
    this.#banned = options.banned;
    this.#enforcement = enforcement;
    this.#pseudonym = options.pseudonym ?? ((account) => account);
    this.#isClosed = options.isClosed ?? (() => false);
    const tick = tickMs === undefined ? {} : { tickMs };
    const world =
      remote?.world ??
      protocol.createWorld({
        dialect,
        seed,
        enforcement,
        demo,
        ...tick,
        ...(maps && { maps }),
        ...(options.responses && { responses: options.responses }),
        ...(threads > 1 ? { threads: packetThreads(threads) } : {}),
      });
    this.host = new Host<WireMessage, WireMessage>({
      world,
      codec: this.codec,
      ...(remote === undefined ? {} : { ids: remote.ids }),
      events: {
        verdict: (verdict) => {
          if (verdict.kind !== "accept") this.verdicts += 1;
          if (verdict.kind !== "accept" && verdict.kind !== "benign") this.#members.get(verdict.player)?.note(verdict);
          this.#observer.verdict(this, verdict);
        },
        observe: (observation) => this.#observer.observed(this, observation),
        ban: (ban) => void this.#toBan.push({ ...ban, account: this.#accounts.get(ban.player) ?? ban.account }),
        close: (player, reason) => void this.#toClose.push({ player, reason }),
        moved: (player, room) => this.#moved(player, room),
        shown: (player, room, isShown) => this.#show(player, room, isShown),
      },
    });
    this.#pace = new FlushPace({
      clock: this.#clock,
      runtime: this.#runtime,
      flushMs: options.flushMs,
      hasPending: () => this.host.pending,
      flush: (writes) => this.#flush(writes),
    });
    this.#carriages = {
      tcp: carriageOf(protocol, dialect, "tcp"),
      websocket: carriageOf(protocol, dialect, "websocket"),
    };
    remote?.onEffects(() => this.#tick());
    this.#stopTicks = options.clock.every(world.tickMs, () => {
      // One that was overdue has run between two messages.
      const isRepeated = this.#tickedEarly && this.#clock.now() - this.#tickedMs < world.tickMs / 2;
      this.#tickedEarly = false;
      if (!isRepeated) this.#tick();
    });
  }

  get world(): World {
    return this.host.world;
  }

  get feedCounts(): FeedCounts {
    const { tcp, websocket } = this.traffic;
    return {
      sessions: tcp.sessions + websocket.sessions,
      bytesIn: tcp.bytesIn + websocket.bytesIn,
      bytesOut: tcp.bytesOut + websocket.bytesOut,
      messagesIn: tcp.messagesIn + websocket.messagesIn,
      messagesOut: this.host.counts.deliveries,
      verdicts: this.verdicts,
    };
  }

  nameOf(player: PlayerId): string | undefined {
    return this.host.players.get(player)?.name;
  }

  /** What a ban of the player applies to; undefined for an unknown player. */
  banKeyOf(player: PlayerId): BanKey | undefined {
    return this.#members.get(player)?.banKey;
  }

  /** Ends the player's session, or bans it, when the present call of the world is complete. */
  penalize(player: PlayerId, { rule, policy, score, verdicts }: Penalty): void {
    const reason = `Verdicts add up: ${rule === ALL_RULES ? "all rules" : rule} at ${Math.round(score)} points of ${policy.limit}`;
    if (this.#enforcement === "log" || policy.action === "log" || policy.action === "tell") return;
    if (policy.action === "kick") this.#toClose.push({ player, reason });
    else {
      const account = this.#accounts.get(player) ?? this.host.players.get(player)?.account ?? "";
      const { banMs: durationMs } = policy;
      this.#toBan.push({ effect: "ban", player, account, reason, durationMs, evidence: verdicts });
    }
  }

  /** An operator ends the player's session; false when it is another player by now, or has left. */
  endPlayer(player: PlayerId, key: BanKey, reason: DisconnectReason, detail: string): boolean {
    const member = this.#members.get(player);
    if (member === undefined || member.banKey !== key) return false;
    member.end(reason, detail);
    return true;
  }

  /** An operator warns the player. Why it cannot read it; undefined when it was sent. */
  warn(player: PlayerId, key: BanKey, text: string): string | undefined {
    const member = this.#members.get(player);
    if (member === undefined || member.banKey !== key) return "the player has left";
    const message = this.protocol.capabilities?.warnings?.message(this.dialect, player, text);
    if (message === undefined) return `${this.protocol.title} has no message for it in dialect ${this.dialect}`;
    this.#run("warn", undefined, () => this.host.tell(player, message));
    return undefined;
  }

  /** The states of all players' channels. */
  saveChannels(): ReadonlyMap<PlayerId, SavedChannel> {
    return new Map(Array.from(this.#members, ([player, member]) => [player, member.saveChannel()]));
  }

  /** Ends the sessions of a banned player. */
  endBanned(key: BanKey, detail: string): void {
    for (const member of [...this.#members.values()]) if (member.banKey === key) member.end("banned", detail);
  }

  /** The room whose broadcasts the player receives. */
  roomOf(player: PlayerId): string | undefined {
    return this.#index.of(player);
  }

  /** Players that receive the room's broadcasts or are shown in it. */
  playersIn(room: string): readonly PlayerId[] {
    return this.#index.playersIn(room);
  }

  /** Whether a player receives the room's broadcasts or is shown in it. */
  isIn(player: PlayerId, room: string): boolean {
    return this.#index.isIn(player, room);
  }

  /** Ends the sessions of an account whose owner has logged in again. */
  takeOver(account: string): void {
    for (const member of [...this.#members.values()]) if (member.account === account) member.end("taken-over");
  }

  /** How the sessions of a carrier are sent what the world says. */
  carriage(kind: LinkKind): Carriage {
    return this.#carriages[kind];
  }

  /** Bytes held for players: those that wait for a flush, once for all of a room, and those that sockets have queued. */
  get heldBytes(): number {
    return this.host.heldBytes + this.queuedBytes;
  }

  /** Bytes that were delivered and have not left. */
  get queuedBytes(): number {
    let bytes = 0;
    for (const member of this.#members.values()) bytes += member.queuedBytes;
    return bytes;
  }

  /** From the oldest message of a flush to the end of it, in milliseconds: the longest of the last 15 to 30 s. */
  get worstLagMs(): number {
    return this.#pace.worstLagMs;
  }

  /** True while more is queued for all players together than may be: a player with anything queued receives no broadcasts. */
  get isQueueFull(): boolean {
    return this.#queuedAtMost > this.#queuedBytesLimit;
  }

  /** A player's queue has grown. */
  noteQueued(bytes: number): void {
    this.#queuedAtMost += bytes;
    if (this.isQueueFull) this.#queuedAtMost = this.queuedBytes;
  }

  /**
   * Call it while bytes are read, between two messages: runs the tick and the flush that are overdue. Node runs neither
   * timers nor planned calls as long as there is something to read.
   */
  keepUp(): void {
    if (this.#clock.now() - this.#tickedMs > this.world.tickMs + MAX_TICK_OVERDUE_MS && !this.#isStopped) {
      this.#tickedEarly = true;
      this.#tick();
    }
    this.#pace.keepUp();
  }

  /** Why the world refuses a player; undefined when it may join, `full` also when the world threw. */
  refuses(request: Joining): Refusal | undefined {
    if (this.#isClosed()) return "unavailable";
    let refusal: Refusal | undefined = "full";
    this.#run("refuses", undefined, () => {
      refusal = this.host.refuses({ ...request, account: this.#pseudonym(request.account) });
    });
    return refusal;
  }

  /** Joins a session to the world; a refusal when the world refuses it, undefined when the world threw. */
  join(member: Member, request: Joining): { readonly player: PlayerId } | { readonly refusal: Refusal } | undefined {
    if (this.#isClosed()) return { refusal: "unavailable" };
    const joining = { ...request, account: this.#pseudonym(request.account) };
    let outcome: { readonly player: PlayerId } | { readonly refusal: Refusal } | undefined;
    this.#run("join", undefined, () => {
      const refusal = this.host.refuses(joining);
      if (refusal !== undefined) {
        outcome = { refusal };
        return;
      }
      const player = this.host.join(member, joining, this.#clock.now());
      this.#members.set(player, member);
      if (joining.account !== request.account) this.#accounts.set(player, request.account);
      outcome = { player };
    });
    return outcome;
  }

  leave(player: PlayerId): void {
    if (!this.#members.delete(player)) return;
    this.#run("leave", undefined, () => this.host.leave(player, this.#clock.now()));
    this.#accounts.delete(player);
  }

  receive(player: PlayerId, message: WireMessage, payload: Uint8Array): void {
    this.#run("receive", player, () => this.host.receive(player, message, payload, this.#clock.now()));
    this.keepUp();
  }

  /** The player has read all that was queued: sends it the current state. */
  refresh(player: PlayerId): void {
    this.#run("refresh", player, () => this.host.refresh(player, this.#clock.now()));
  }

  budgets(player: PlayerId): readonly PlayerBudget[] | undefined {
    let budgets: readonly PlayerBudget[] | undefined;
    this.#run("budgets", undefined, () => {
      budgets = this.world.budgets?.(player, this.#clock.now());
    });
    return budgets;
  }

  /** A spectator starts to follow the player: the observer receives its payloads from here on. */
  follow(player: PlayerId): void {
    this.#followed.add(player);
    this.host.tap = this.#tap;
    this.#run("follow", undefined, () => this.host.follow(player, this.#clock.now()));
  }

  /** No spectator follows the player any more. */
  unfollow(player: PlayerId): void {
    this.#followed.delete(player);
    if (this.#followed.size === 0) this.host.tap = undefined;
    this.#run("unfollow", undefined, () => this.host.unfollow(player));
  }

  /** One point per player of the room; none when the world threw. */
  tracks(nowMs: number, room: string): readonly Track[] {
    let tracks: readonly Track[] = [];
    this.#run("tracks", undefined, () => {
      tracks = this.host.tracks(nowMs, room);
    });
    return tracks;
  }

  /** While this number stays, the room's tracks stay. Undefined: they may change at any time, or the world threw. */
  tracksVersion(room: string): number | undefined {
    let version: number | undefined;
    this.#run("tracksVersion", undefined, () => {
      version = this.host.tracksVersion(room);
    });
    return version;
  }

  /** Names of the rooms with players, and how many. */
  rooms(): ReadonlyMap<string, number> {
    let rooms: ReadonlyMap<string, number> = new Map();
    this.#run("rooms", undefined, () => {
      rooms = this.world.rooms();
    });
    return rooms;
  }

  /** No more ticks. */
  stop(): void {
    this.#isStopped = true;
    this.#stopTicks();
    this.world.close?.();
  }

  #tick(): void {
    this.#tickedMs = this.#clock.now();
    this.#run("tick", undefined, () => this.host.tick(this.#tickedMs));
  }

  #flush(writes: number): boolean {
    let done = true;
    try {
      done = this.host.flush(writes);
    } catch (error) {
      this.#log.error({ world: this.name, during: "flush", err: error }, "the world failed");
    }
    if (this.isQueueFull) this.#shortenQueues();
    return done;
  }

  /** Disconnects those with the longest queues while all together are over the limit. */
  #shortenQueues(): void {
    const longestFirst = [...this.#members.values()].sort((a, b) => b.queuedBytes - a.queuedBytes);
    for (const member of longestFirst) {
      if (!this.isQueueFull) return;
      this.#queuedAtMost -= member.queuedBytes;
      member.end("slow-reader", `${member.queuedBytes} bytes queued, the most of a world that has too many`);
    }
  }

  /** Calls into the world, catches what it throws, and carries out the effects. */
  #run(what: string, player: PlayerId | undefined, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error({ world: this.name, during: what, player, err: error }, "the world failed");
      if (player !== undefined) this.#members.get(player)?.end("world-error");
    }
    this.#settle();
  }

  #settle(): void {
    while (this.#toBan.length > 0) {
      const bans = this.#toBan;
      this.#toBan = [];
      // A world that only logs bans nobody; a bug in it must not ban an account.
      if (this.#enforcement === "log") continue;
      for (const ban of bans) {
        try {
          this.#banned(this, ban, this.#members.get(ban.player));
        } catch (error) {
          this.#log.error({ world: this.name, account: ban.account, err: error }, "a ban was not made");
        }
      }
    }
    while (this.#toClose.length > 0) {
      const closing = this.#toClose;
      this.#toClose = [];
      for (const { player, reason } of closing) this.#members.get(player)?.end("world-close", reason);
    }
    this.#pace.plan();
    if (this.host.heldBytes > this.#pendingBytesLimit) this.#pace.flushNow();
  }

  #moved(player: PlayerId, to: string | undefined): void {
    const from = this.#index.move(player, to);
    if (from !== to) this.#observer.moved(this, player, from, to);
  }

  #show(player: PlayerId, room: string, isShown: boolean): void {
    this.#index.show(player, room, isShown);
    this.#observer.moved(this, player, isShown ? undefined : room, isShown ? room : undefined);
  }
}
