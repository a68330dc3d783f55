/**
 * A protocol as this server runs it: its world in a `Host`, the players' sessions, the clock that ticks it, and the
 * flush after every turn of the event loop in which something was sent. What a world throws is caught here.
 */
import { type Framing, Host, type Recipient } from "wirewalk/host";
import type { PlayerId, Track, Verdict } from "wirewalk/motion";
import type { Cancel, Clock } from "wirewalk/net";
import type {
  Admission,
  Effect,
  Joining,
  PayloadCodec,
  Protocol,
  Refusal,
  WireMessage,
  World,
} from "wirewalk/protocol";
import type { BanKey } from "./ban-key.ts";
import type { DisconnectReason } from "./disconnect.ts";
import type { LinkKind } from "./links.ts";
import type { LogBudget } from "./log-budget.ts";
import { nodeRuntime, type Runtime } from "./runtime.ts";
import { frameBinary } from "./websocket-frames.ts";

/** A session as its world sees it. */
export interface Member extends Recipient {
  readonly account: string;
  /** What a ban of the player holds on to. */
  readonly banKey: BanKey;
  /** Logs a verdict. */
  note(verdict: Verdict): void;
  end(reason: DisconnectReason, detail?: string): void;
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

export type Observation = Extract<Effect, { effect: "observe" }>;
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
}

export interface HostedWorldOptions {
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly clock: Clock;
  /** Default: Node's own. */
  readonly runtime?: Runtime;
  readonly seed: number;
  readonly enforcement: "enforce" | "log";
  readonly demo: boolean;
  /** Default: the game's own. */
  readonly tickMs?: number | undefined;
  /** 0: at the end of the event loop's turn, or after a rest of a quarter of the time that the last flush took. */
  readonly flushMs: number;
  readonly log: LogBudget;
  readonly observer: WorldObserver;
  /** Bans a player and ends its sessions. `member` is undefined when the player has left. */
  readonly banned: (world: HostedWorld, ban: BanEffect, member: Member | undefined) => void;
}

/** How long a world rests after a flush, for each millisecond that the flush took. */
const REST_SHARE = 0.25;
/** The longest rest: after a stall in the middle of a flush a longer one would only delay messages. */
const MAX_REST_MS = 4;

/** Writes before the event loop reads again. A write to a socket takes about 10 µs: this is half a millisecond. */
const WRITES_PER_TURN = 50;

const newTraffic = (): LinkTraffic => ({
  sessions: 0,
  opened: 0,
  messagesIn: 0,
  bytesIn: 0,
  bytesOut: 0,
  refusedPayloads: 0,
});

export class HostedWorld {
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly codec: PayloadCodec;
  readonly admission: Admission | undefined;
  readonly host: Host;
  readonly traffic: Readonly<Record<LinkKind, LinkTraffic>> = { tcp: newTraffic(), websocket: newTraffic() };
  /** Verdicts other than accept. */
  verdicts = 0;
  readonly #clock: Clock;
  readonly #runtime: Runtime;
  readonly #flushMs: number;
  readonly #log: LogBudget;
  readonly #observer: WorldObserver;
  readonly #banned: HostedWorldOptions["banned"];
  readonly #enforcement: "enforce" | "log";
  readonly #members = new Map<PlayerId, Member>();
  readonly #rooms = new Map<PlayerId, string>();
  /** By room: players that are shown in it without receiving its broadcasts. */
  readonly #shown = new Map<string, Set<PlayerId>>();
  readonly #framings: Readonly<Record<LinkKind, Framing | undefined>>;
  readonly #stopTicks: Cancel;
  #toClose: { readonly player: PlayerId; readonly reason: string }[] = [];
  #toBan: BanEffect[] = [];
  #flushPlanned = false;
  /** Milliseconds that the parts of the current flush have taken so far. */
  #flushedMs = 0;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: HostedWorldOptions) {
    const { protocol, dialect, seed, enforcement, demo, tickMs } = options;
    this.protocol = protocol;
    this.dialect = dialect;
    this.codec = protocol.codec(dialect);
    this.admission = protocol.capabilities.login?.admission(dialect);
    this.#clock = options.clock;
    this.#runtime = options.runtime ?? nodeRuntime;
    this.#flushMs = options.flushMs;
    this.#log = options.log;
    this.#observer = options.observer;
    this.#banned = options.banned;
    this.#enforcement = enforcement;
    const tick = tickMs === undefined ? {} : { tickMs };
    const world = protocol.createWorld({ dialect, seed, enforcement, demo, ...tick });
    this.host = new Host<WireMessage, WireMessage>({
      world,
      codec: this.codec,
      events: {
        verdict: (verdict) => {
          if (verdict.kind !== "accept") this.verdicts += 1;
          if (verdict.kind !== "accept" && verdict.kind !== "benign") this.#members.get(verdict.player)?.note(verdict);
          this.#observer.verdict(this, verdict);
        },
        observe: (observation) => this.#observer.observed(this, observation),
        ban: (ban) => void this.#toBan.push(ban),
        close: (player, reason) => void this.#toClose.push({ player, reason }),
        moved: (player, room) => this.#moved(player, room),
        shown: (player, room, isShown) => this.#show(player, room, isShown),
      },
    });
    this.#framings = { tcp: this.#sharedFraming("tcp"), websocket: this.#sharedFraming("websocket") };
    this.#stopTicks = options.clock.every(world.tickMs, () => {
      this.#run("tick", undefined, () => this.host.tick(this.#clock.now()));
    });
  }

  get world(): World {
    return this.host.world;
  }

  /** Ends the sessions of a banned player. */
  endBanned(key: BanKey, detail: string): void {
    for (const member of [...this.#members.values()]) if (member.banKey === key) member.end("banned", detail);
  }

  /** The room whose broadcasts the player receives. */
  roomOf(player: PlayerId): string | undefined {
    return this.#rooms.get(player);
  }

  /** Players that receive the room's broadcasts or are shown in it. */
  playersIn(room: string): readonly PlayerId[] {
    const shown = this.#shown.get(room) ?? new Set<PlayerId>();
    const entered = [...this.#rooms].flatMap(([player, theirs]) => (theirs === room ? [player] : []));
    return [...entered, ...shown];
  }

  /** Whether a player receives the room's broadcasts or is shown in it. */
  isIn(player: PlayerId, room: string): boolean {
    return this.#rooms.get(player) === room || this.#shown.get(room)?.has(player) === true;
  }

  /** True while a player of this account is in the world. */
  isOnline(account: string): boolean {
    for (const member of this.#members.values()) if (member.account === account) return true;
    return false;
  }

  /** The framing that all sessions of a carrier share, if they do. */
  sharedFraming(kind: LinkKind): Framing | undefined {
    return this.#framings[kind];
  }

  /** Joins a session to the world; a refusal when the world refuses it, undefined when the world threw. */
  join(member: Member, joining: Joining): { readonly player: PlayerId } | { readonly refusal: Refusal } | undefined {
    let outcome: { readonly player: PlayerId } | { readonly refusal: Refusal } | undefined;
    this.#run("join", undefined, () => {
      const refusal = this.host.refuses(joining);
      if (refusal !== undefined) {
        outcome = { refusal };
        return;
      }
      const player = this.host.join(member, joining, this.#clock.now());
      this.#members.set(player, member);
      outcome = { player };
    });
    return outcome;
  }

  leave(player: PlayerId): void {
    if (!this.#members.delete(player)) return;
    this.#run("leave", undefined, () => this.host.leave(player, this.#clock.now()));
  }

  receive(player: PlayerId, message: WireMessage, payload: Uint8Array): void {
    this.#run("receive", player, () => this.host.receive(player, message, payload, this.#clock.now()));
  }

  /** The player has read all that was queued: sends it the current state. */
  refresh(player: PlayerId): void {
    this.#run("refresh", player, () => this.host.refresh(player, this.#clock.now()));
  }

  /** A spectator starts to follow the player. */
  follow(player: PlayerId): void {
    this.#run("follow", undefined, () => this.host.follow(player, this.#clock.now()));
  }

  /** No spectator follows the player any more. */
  unfollow(player: PlayerId): void {
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

  /** Names of the rooms with players, and how many. */
  rooms(): ReadonlyMap<string, number> {
    let rooms: ReadonlyMap<string, number> = new Map();
    this.#run("rooms", undefined, () => {
      rooms = this.world.rooms();
    });
    return rooms;
  }

  /** A flush in parts: what arrives between its parts is read, and still reaches the recipients of the later parts. */
  flush(): void {
    const startMs = this.#clock.now();
    let done = true;
    this.#run("flush", undefined, () => {
      done = this.host.flush(WRITES_PER_TURN);
    });
    const endMs = this.#clock.now();
    this.#flushedMs += endMs - startMs;
    if (!done) {
      this.#runtime.afterReads(() => this.flush());
      return;
    }
    // A flush is followed by a rest of a quarter of the time that it took: a quiet world flushes every turn, a busy one
    // merges more. Every delivery costs a share of a write, and only fewer writes cost less (`npm run bench -- broadcast`);
    // a longer rest would break the promised delay on machines with other work.
    this.#restUntilMs = endMs + Math.min(MAX_REST_MS, this.#flushedMs * REST_SHARE);
    this.#flushedMs = 0;
    this.#flushPlanned = false;
    this.#settle();
  }

  /** No more ticks. */
  stop(): void {
    this.#stopTicks();
  }

  /** Calls into the world, catches what it throws, and carries out the effects. */
  #run(what: string, player: PlayerId | undefined, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error({ protocol: this.protocol.name, during: what, player, err: error }, "the world failed");
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
          this.#log.error({ protocol: this.protocol.name, account: ban.account, err: error }, "a ban was not made");
        }
      }
    }
    while (this.#toClose.length > 0) {
      const closing = this.#toClose;
      this.#toClose = [];
      for (const { player, reason } of closing) this.#members.get(player)?.end("world-close", reason);
    }
    if (this.#flushPlanned || !this.host.pending) return;
    this.#flushPlanned = true;
    const waitMs = this.#flushMs > 0 ? this.#flushMs : Math.round(this.#restUntilMs - this.#clock.now());
    if (waitMs >= 1) this.#clock.after(waitMs, () => this.flush());
    // After everything that this turn of the event loop reads: one write per recipient for all of it.
    else this.#runtime.afterReads(() => this.flush());
  }

  #moved(player: PlayerId, to: string | undefined): void {
    const from = this.#rooms.get(player);
    if (to === undefined) this.#rooms.delete(player);
    else this.#rooms.set(player, to);
    if (from !== to) this.#observer.moved(this, player, from, to);
  }

  #show(player: PlayerId, room: string, isShown: boolean): void {
    const shown = this.#shown.get(room) ?? new Set<PlayerId>();
    if (isShown) this.#shown.set(room, shown.add(player));
    else if (shown.delete(player) && shown.size === 0) this.#shown.delete(room);
    this.#observer.moved(this, player, isShown ? undefined : room, isShown ? room : undefined);
  }

  #sharedFraming(kind: LinkKind): Framing | undefined {
    const carrier = kind === "tcp" ? "stream" : "message";
    const channel = this.protocol.openChannel({ side: "server", dialect: this.dialect, carrier });
    if (!channel.sharesFrames) return undefined;
    if (kind === "tcp") return { shared: true, frame: (payload) => channel.frame(payload) };
    return { shared: true, frame: (payload) => frameBinary(channel.frame(payload)) };
  }
}
