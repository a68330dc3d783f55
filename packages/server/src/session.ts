/**
 * A **session**: carried bytes at one end, a player of a world at the other. Between them are the budgets, the channel that
 * turns bytes into messages, and the login where the dialect has one.
 *
 * While a login is being checked the connection is not read: what the client sent after it waits in the channel and in
 * the kernel, and is read when the player has joined. So a client may send its login and its first moves in one segment,
 * and a client without an account cannot make the server hold more than one read.
 */
import type { Framing } from "wirewalk/host";
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Cancel, Clock } from "wirewalk/net";
import type { Channel, Refusal, WireMessage } from "wirewalk/protocol";
import type { Accounts, LoginOutcome } from "./accounts.ts";
import { addressKey, type BanKey, banKind, loginKey, sessionKey } from "./ban-key.ts";
import { type Bans, banText } from "./bans.ts";
import type { Budgets } from "./budgets.ts";
import { type Carriage, carried } from "./carriage.ts";
import type { DisconnectReason } from "./disconnect.ts";
import type { HostedWorld, LinkTraffic, Member } from "./hosted-world.ts";
import type { Link } from "./links.ts";
import type { LogBudget } from "./log-budget.ts";
import type { Place } from "./places.ts";
import type { Runtime } from "./runtime.ts";
import type { SessionRates } from "./session-rates.ts";
import { Silence } from "./silence.ts";
import type { Stalls } from "./stalls.ts";
import { TokenBucket } from "./token-bucket.ts";

/** A peer has this long to read the reason of its disconnect. */
const CLOSE_WITHIN_MS = 5_000;

/** What a WebSocket asks for in its address. */
export interface JoinRequest {
  /** A name that nobody proved. */
  readonly account?: string;
  readonly room?: string;
  /** A feed's token: that feed receives the player's id. */
  readonly viewer?: string;
}

/** What sessions share. */
export interface SessionContext {
  readonly runtime: Runtime;
  readonly budgets: Budgets;
  readonly rates: SessionRates;
  readonly stalls: Stalls;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly bans: Bans;
  /** What a ban of the player holds on to; `login` is a name whose password was checked. */
  banKeyOf(session: Session, login: string | undefined): BanKey;
  /** The session has sent its first valid message. */
  proved(session: Session): void;
  /** Ends the longest silent session with a player in the way of this one; false without such a session. */
  makeRoom(session: Session): boolean;
  /** Bytes have been read: runs what is overdue in any world. */
  keepUp(): void;
  /** The session's player has joined. */
  joined(session: Session, player: PlayerId): void;
  /** The session is over; its connection may stay open for a moment. */
  ended(session: Session, reason: DisconnectReason, detail: string | undefined): void;
  /** The connection is closed. */
  gone(session: Session): void;
}

export interface SessionOptions {
  /** No other session of the server has it. */
  readonly id: number;
  readonly link: Link;
  readonly place: Place;
  readonly world: HostedWorld;
  readonly context: SessionContext;
  readonly joinRequest: JoinRequest;
  readonly log: LogBudget;
}

type State = "greeting" | "checking" | "playing" | "over";

export class Session implements Member {
  readonly id: number;
  readonly link: Link;
  readonly place: Place;
  readonly world: HostedWorld;
  readonly joinRequest: JoinRequest;
  readonly log: LogBudget;
  readonly framing: Framing;
  readonly traffic: LinkTraffic;
  readonly #context: SessionContext;
  readonly #channel: Channel;
  readonly #carriage: Carriage;
  #bytes: TokenBucket;
  #messages: TokenBucket;
  readonly #refused: TokenBucket;
  /**
   * WebSocket messages that came in the same read of the socket as the login: at most 64 KiB, since nothing more is read
   * until the login is checked.
   */
  #held: Uint8Array[] = [];
  #state: State = "greeting";
  /** The peer's WebSocket has answered: a live client, which may have nothing to send. */
  #answers = false;
  #player: PlayerId | undefined;
  #account = "";
  #banKey: BanKey;
  /** Ends the wait of a player from a banned address. */
  #cancelWait: Cancel | undefined;
  readonly #silence: Silence;
  /** Fair times: see `Stalls`. */
  readonly #sinceMs: number;
  #receivedMs: number;
  #unfinishedMs: number | undefined;
  #finishedMessages = 0;
  #laggingMs: number | undefined;
  /** Bytes queued at the last check of deadlines, and since when it has been that many. */
  #queuedBytes = 0;
  #queuedSinceMs = 0;

  constructor(options: SessionOptions) {
    const { id, link, world, context } = options;
    this.id = id;
    this.#banKey = sessionKey(id);
    this.link = link;
    this.place = options.place;
    this.world = world;
    this.joinRequest = options.joinRequest;
    this.log = options.log;
    this.#context = context;
    this.traffic = world.traffic[link.kind];
    this.traffic.sessions += 1;
    this.traffic.opened += 1;
    this.#bytes = new TokenBucket(context.rates.bytes, context.stalls);
    this.#messages = new TokenBucket(context.rates.messages, context.stalls);
    this.#refused = new TokenBucket(context.rates.refused, context.stalls);
    this.#silence = new Silence(context.stalls);
    const nowMs = context.stalls.fairNow();
    this.#sinceMs = nowMs;
    this.#receivedMs = nowMs;
    const channel = world.protocol.openChannel({ side: "server", dialect: world.dialect, carrier: link.carrier });
    this.#channel = channel;
    this.#carriage = world.carriage(link.kind);
    this.framing = this.#carriage.framing;
    link.listen({
      carried: (bytes) => this.#carried(bytes),
      content: (bytes) => this.#guard(() => this.#content(bytes)),
      control: () => this.#control(),
      misused: (reason, detail) => this.end(reason, detail),
      drained: () => this.#drained(),
      closed: (reason) => {
        this.end(reason);
        this.traffic.sessions -= 1;
        context.gone(this);
      },
    });
    const greeting = channel.handshake?.greeting;
    if (greeting !== undefined) this.#write(carried(link.kind, greeting));
    if (world.admission === undefined) {
      const name = options.joinRequest.account;
      this.#guard(() => this.#enter(accountOf(link.address, name), name ?? "player", undefined));
    }
  }

  /**
   * The player as its world knows it across sessions: a login, or the address with the name that it claims. No player can
   * take the account of another one by claiming its name.
   */
  get account(): string {
    return this.#account;
  }

  get banKey(): BanKey {
    return this.#banKey;
  }

  get player(): PlayerId | undefined {
    return this.#player;
  }

  get isOver(): boolean {
    return this.#state === "over";
  }

  get isBehind(): boolean {
    return this.link.queuedBytes > 0;
  }

  get queuedBytes(): number {
    return this.link.queuedBytes;
  }

  /** What the kernel does not take at once is queued here: so much, and no more in a world that has too much queued. */
  admits(bytes: number): boolean {
    const { queuedBytes } = this.link;
    if (this.#state === "over" || queuedBytes === 0) return true;
    if (queuedBytes + bytes <= this.#context.budgets.queuedBytesSoft && !this.world.isQueueFull) return true;
    this.#laggingMs ??= this.#context.stalls.fairNow();
    return false;
  }

  /** Sends whole frames to the player; false when it reads too slowly for broadcasts. */
  deliver(bytes: Uint8Array): boolean {
    if (this.#state === "over") return true;
    const before = this.link.queuedBytes;
    this.#write(this.#carriage.finish(this.#channel, bytes, before > 0));
    const queued = this.link.queuedBytes;
    if (queued > 0) this.#carriage.keep();
    if (queued > before) this.world.noteQueued(queued - before);
    const { queuedBytesSoft, queuedBytesHard } = this.#context.budgets;
    if (queued > queuedBytesHard) {
      // The delivery is running and must not be re-entered: the session ends after it.
      this.#context.runtime.soon(() => this.end("slow-reader", `${queued} bytes queued`));
    }
    if (queued <= queuedBytesSoft) return true;
    this.#laggingMs ??= this.#context.stalls.fairNow();
    return false;
  }

  note(verdict: Verdict): void {
    const { kind, rule, reason, measured, allowed, unit } = verdict;
    this.log.info({ player: this.#player, kind, rule, measured, allowed, unit }, reason);
  }

  /** Ends the session when a deadline has passed. Call it several times a second. */
  checkDeadlines(): void {
    if (this.#state === "over") return;
    const { budgets, stalls } = this.#context;
    const nowMs = stalls.fairNow();
    if (this.#laggingMs !== undefined && this.link.queuedBytes === 0) this.#drained();
    if (this.#unfinishedMs !== undefined && nowMs - this.#unfinishedMs > budgets.unfinishedFrameMs) {
      this.end("unfinished-frame");
    } else if (this.#laggingMs !== undefined && nowMs - this.#laggingMs > budgets.slowReaderMs) {
      this.end("slow-reader", `behind for ${budgets.slowReaderMs} ms`);
    } else if (this.#hasReadNothingFor(budgets.slowReaderMs, nowMs)) {
      this.end("slow-reader", `read nothing for ${budgets.slowReaderMs} ms`);
    } else if (this.link.queuedBytes > budgets.queuedBytesHard) {
      this.end("slow-reader", `${this.link.queuedBytes} bytes queued`);
    } else if (this.#isLoggingIn && nowMs - this.#sinceMs > budgets.loginMs) {
      this.end("login-time");
    } else if (this.place.isSilent && !this.#answers && this.#silence.exceeds(budgets.silentMs)) {
      this.end("silent");
    } else if (nowMs - this.#receivedMs > budgets.idleMs) {
      this.end("idle");
    }
  }

  /**
   * A player that is sent only unreliable messages never has much queued: that it reads nothing shows in a queue that does
   * not shrink.
   */
  #hasReadNothingFor(limitMs: number, nowMs: number): boolean {
    const { queuedBytes } = this.link;
    if (queuedBytes === 0 || queuedBytes !== this.#queuedBytes) {
      this.#queuedBytes = queuedBytes;
      this.#queuedSinceMs = nowMs;
    }
    return nowMs - this.#queuedSinceMs > limitMs;
  }

  end(reason: DisconnectReason, detail?: string, withinMs = CLOSE_WITHIN_MS): void {
    if (this.#state === "over") return;
    // What is queued for the player leaves before the close frame, unless the reason ends the session at once.
    if (this.#player !== undefined) this.world.leave(this.#player);
    this.#state = "over";
    this.#held = [];
    this.#cancelWait?.();
    const text = isBanned(reason) && detail !== undefined ? `${reason}: ${detail}` : reason;
    this.link.close(reason, withinMs, text);
    this.#context.ended(this, reason, detail);
  }

  #write(frames: Uint8Array): void {
    this.traffic.bytesOut += frames.length;
    this.link.write(frames);
  }

  #carried(bytes: number): void {
    if (this.#state === "over") return;
    this.traffic.bytesIn += bytes;
    this.#context.keepUp();
    this.#receivedMs = this.#context.stalls.fairNow();
    if (!this.#bytes.take(bytes)) {
      this.end("byte-rate");
      return;
    }
    const { meter } = this.link;
    if (meter === undefined) return;
    if (meter.mostFragments > this.#context.budgets.websocketFragments) {
      this.end("fragments", `a message of ${meter.mostFragments} frames`);
      return;
    }
    this.#noteUnfinished(meter.unfinished, meter.messages !== this.#finishedMessages);
    this.#finishedMessages = meter.messages;
  }

  #control(): void {
    if (this.#state === "over") return;
    this.#answers = true;
    if (!this.#messages.take(1)) this.end("message-rate", "control frames");
  }

  #content(bytes: Uint8Array): void {
    if (this.#state === "over") return;
    if (this.#state === "checking" && this.link.kind === "websocket") {
      this.#held.push(bytes);
      return;
    }
    let broken: unknown;
    try {
      this.#channel.push(bytes);
    } catch (error) {
      broken = error;
    }
    // Frames that were complete before the stream broke are read.
    this.#readOn();
    if (broken !== undefined) this.end("broken-stream", errorText(broken));
  }

  #readOn(): void {
    let read = 0;
    while (this.#state === "greeting" || this.#state === "playing") {
      let received: ReturnType<Channel["next"]>;
      try {
        received = this.#channel.next();
      } catch (error) {
        this.end("broken-stream", errorText(error));
        return;
      }
      if (received === undefined) break;
      read += 1;
      if (!this.#messages.take(1)) {
        this.end("message-rate");
        return;
      }
      this.traffic.messagesIn += 1;
      if (received.error !== undefined) {
        this.traffic.refusedPayloads += 1;
        this.log.info({ error: received.error.toJSON() }, "payload refused");
        if (!this.#refused.take(1)) {
          this.end("bad-payloads", received.error.message);
          return;
        }
      } else if (this.#state === "playing" && this.#player !== undefined) {
        if (this.place.isSilent) this.#context.proved(this);
        this.world.receive(this.#player, received.message, received.payload);
      } else {
        this.#checkLogin(received.message);
      }
    }
    if (this.link.carrier === "stream") this.#noteUnfinished(this.#channel.pendingBytes > 0, read > 0);
  }

  /** The age of an unfinished frame counts from its first byte; a finished frame starts the count anew. */
  #noteUnfinished(unfinished: boolean, finishedOne: boolean): void {
    if (!unfinished || this.#state === "checking") this.#unfinishedMs = undefined;
    else if (finishedOne || this.#unfinishedMs === undefined) this.#unfinishedMs = this.#context.stalls.fairNow();
  }

  #checkLogin(message: WireMessage): void {
    const credentials = this.world.admission?.credentials(message);
    if (credentials === undefined) {
      this.end("login-expected", message.message);
      return;
    }
    this.#state = "checking";
    this.link.pause();
    const { name, password } = credentials;
    const { address } = this.link;
    const isWanted = (): boolean => this.#state === "checking";
    this.#context.accounts.check({ protocol: this.world.protocol.name, name, password, address, isWanted }).then(
      (outcome) => this.#guard(() => this.#loginChecked(name, outcome)),
      (error: unknown) => this.#fail(error),
    );
  }

  #loginChecked(name: string, outcome: LoginOutcome): void {
    if (this.#state !== "checking") return;
    this.#state = "greeting";
    if (outcome === "busy") this.end("login-queue");
    // No dialect has another word for these.
    else if (outcome === "locked") this.#refuse("wrong-password", "too many wrong passwords", "login-locked");
    else if (outcome === "registrations") this.#refuse("full", "too many new accounts", "registrations-per-address");
    else if (outcome !== "ok") this.#refuse(outcome);
    else if (this.world.isOnline(loginKey(name))) this.#refuse("already-online");
    else this.#enter(loginKey(name), name, name);
    this.#readWhatWaited();
  }

  #readWhatWaited(): void {
    if (!this.#isPlaying) return;
    this.#readOn();
    for (const bytes of this.#held.splice(0)) this.#content(bytes);
    if (this.#isPlaying) this.link.resume();
  }

  get #isPlaying(): boolean {
    return this.#state === "playing";
  }

  /** Before its login, or while that waits for its password check. */
  get #isLoggingIn(): boolean {
    return this.world.admission !== undefined && this.#player === undefined;
  }

  /** What a protocol or a store throws ends this session alone. */
  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.log.error({ err: error }, "the session failed");
    this.end("world-error");
  }

  #enter(account: string, name: string, login: string | undefined): void {
    this.#account = account;
    this.#banKey = this.#context.banKeyOf(this, login);
    const ban = this.#context.bans.find(this.world.protocol.name, this.#banKey);
    if (ban !== undefined && banKind(ban.key) === "address" && this.world.banAddress !== "on") {
      this.#waitAndJoin(account, name);
      return;
    }
    if (ban !== undefined) {
      this.#refuse("banned", banText(ban));
      return;
    }
    this.#join(account, name);
  }

  /** A player from a banned address, who may be another: it waits, and may send less. */
  #waitAndJoin(account: string, name: string): void {
    const { rates, stalls, budgets, clock } = this.#context;
    this.#bytes = new TokenBucket(rates.strictBytes, stalls);
    this.#messages = new TokenBucket(rates.strictMessages, stalls);
    this.#state = "checking";
    this.link.pause();
    this.#cancelWait = clock.after(budgets.softBanDelayMs, () =>
      this.#guard(() => {
        if (this.#state !== "checking") return;
        this.#state = "greeting";
        this.#silence.restart();
        this.#receivedMs = stalls.fairNow();
        this.#join(account, name);
        this.#readWhatWaited();
      }),
    );
  }

  #join(account: string, name: string): void {
    const { room } = this.joinRequest;
    // Without a name that says otherwise an address may be several people.
    const isShared = this.world.admission === undefined && this.joinRequest.account === undefined;
    const joining = { account, name, isShared, ...(room === undefined ? {} : { room }) };
    let outcome = this.world.join(this, joining);
    if (outcome !== undefined && "refusal" in outcome && outcome.refusal === "full" && this.#context.makeRoom(this)) {
      outcome = this.world.join(this, joining);
    }
    if (outcome === undefined) {
      this.end("world-error");
    } else if ("refusal" in outcome) {
      this.#refuse(outcome.refusal);
    } else if (this.isOver) {
      // The world closed the session while it joined.
      this.world.leave(outcome.player);
    } else {
      this.#player = outcome.player;
      this.#state = "playing";
      // A login is a proof.
      if (this.world.admission !== undefined) this.#context.proved(this);
      this.#context.joined(this, outcome.player);
    }
  }

  #refuse(reason: Refusal, detail?: string, ends: DisconnectReason = `refused-${reason}`): void {
    const message = this.world.admission?.refusal(reason);
    if (message !== undefined)
      this.#write(carried(this.link.kind, this.#channel.frame(this.world.codec.write("server", message))));
    this.end(ends, detail);
  }

  #drained(): void {
    if (this.#laggingMs === undefined || this.#state === "over") return;
    this.#laggingMs = undefined;
    if (this.#player !== undefined) this.world.refresh(this.#player);
  }
}

/** Only these tell the peer more than their name: what it is banned by, and until when. */
function isBanned(reason: DisconnectReason): boolean {
  return reason === "banned" || reason === "refused-banned";
}

/** An address never contains a blank, so no claimed name makes the account of another address. */
function accountOf(address: string, claimedName: string | undefined): string {
  const key = addressKey(address) ?? "address:unknown";
  return claimedName === undefined ? key : `${key} ${claimedName}`;
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
