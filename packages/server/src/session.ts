/**
 * A **session**: carried bytes in at one end, a player of a world at the other. Between them stand the budgets, the
 * channel that turns bytes into messages, and the login where the dialect has one.
 *
 * While a login is being checked the connection is not read: what the client said after it waits in the channel and
 * in the kernel, and is read on when the player is in. An honest client may send its login and its first steps in one
 * segment, and this way none is lost, and no memory is at a stranger's disposal.
 */
import type { Framing } from "wirewalk/host";
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Channel, Refusal, WireMessage } from "wirewalk/protocol";
import type { Accounts, LoginOutcome } from "./accounts.ts";
import type { Bans } from "./bans.ts";
import type { Budgets } from "./budgets.ts";
import type { DisconnectReason } from "./disconnect.ts";
import type { HostedWorld, LinkTraffic, Member } from "./hosted-world.ts";
import type { Link } from "./links.ts";
import type { LogBudget } from "./log-budget.ts";
import type { Stalls } from "./stalls.ts";
import { type Rate, TokenBucket } from "./token-bucket.ts";
import { frameBinary } from "./websocket-frames.ts";

/** A session that ends has this long to read why. */
const CLOSE_WITHIN_MS = 5_000;

/** What a session asks for in its address, beside being let in. */
export interface SessionWishes {
  readonly account?: string;
  readonly room?: string;
  /** A feed's token: that feed is told the player's id. */
  readonly viewer?: string;
}

/** The rates of a server's sessions, made once of its budgets. */
export interface SessionRates {
  readonly bytes: Rate;
  readonly messages: Rate;
  readonly refused: Rate;
}

/** What sessions share. */
export interface SessionHouse {
  readonly budgets: Budgets;
  readonly rates: SessionRates;
  readonly stalls: Stalls;
  readonly accounts: Accounts;
  readonly bans: Bans;
  /** The session's player is in. */
  joined(session: Session, player: PlayerId): void;
  /** The session is over; its connection may still be there for a moment. */
  ended(session: Session, reason: DisconnectReason, detail: string | undefined): void;
  /** The connection is gone too. */
  gone(session: Session): void;
}

export interface SessionOptions {
  readonly link: Link;
  readonly world: HostedWorld;
  readonly house: SessionHouse;
  readonly wishes: SessionWishes;
  readonly log: LogBudget;
}

type State = "greeting" | "checking" | "playing" | "over";

export class Session implements Member {
  readonly link: Link;
  readonly world: HostedWorld;
  readonly wishes: SessionWishes;
  readonly log: LogBudget;
  readonly framing: Framing;
  readonly traffic: LinkTraffic;
  readonly #house: SessionHouse;
  readonly #channel: Channel;
  readonly #bytes: TokenBucket;
  readonly #messages: TokenBucket;
  readonly #refused: TokenBucket;
  /**
   * WebSocket messages of the same read of the socket as the login: at most 64 KiB, since nothing is read after it
   * until the login is checked.
   */
  #held: Uint8Array[] = [];
  #state: State = "greeting";
  #player: PlayerId | undefined;
  #account: string;
  /** Fair times: see `Stalls`. */
  readonly #sinceMs: number;
  #heardMs: number;
  #unfinishedMs: number | undefined;
  #finishedMessages = 0;
  #laggingMs: number | undefined;
  /** What was queued when deadlines were last looked at, and since when it has been as much. */
  #queuedBytes = 0;
  #queuedSinceMs = 0;

  constructor(options: SessionOptions) {
    const { link, world, house } = options;
    this.link = link;
    this.world = world;
    this.wishes = options.wishes;
    this.log = options.log;
    this.#house = house;
    this.traffic = world.traffic[link.kind];
    this.traffic.sessions += 1;
    this.traffic.opened += 1;
    this.#account = options.wishes.account ?? link.address;
    this.#bytes = new TokenBucket(house.rates.bytes, house.stalls);
    this.#messages = new TokenBucket(house.rates.messages, house.stalls);
    this.#refused = new TokenBucket(house.rates.refused, house.stalls);
    const nowMs = house.stalls.fairNow();
    this.#sinceMs = nowMs;
    this.#heardMs = nowMs;
    const channel = world.protocol.openChannel({ side: "server", dialect: world.dialect, carrier: link.carrier });
    this.#channel = channel;
    const carry = (frame: Uint8Array): Uint8Array => (link.kind === "websocket" ? frameBinary(frame) : frame);
    this.framing = world.sharedFraming(link.kind) ?? {
      shared: false,
      frame: (payload) => carry(channel.frame(payload)),
    };
    link.listen({
      carried: (bytes) => this.#carried(bytes),
      content: (bytes) => this.#guard(() => this.#content(bytes)),
      control: () => this.#control(),
      misused: (reason, detail) => this.end(reason, detail),
      drained: () => this.#drained(),
      closed: (reason) => {
        this.end(reason);
        this.traffic.sessions -= 1;
        house.gone(this);
      },
    });
    const greeting = channel.handshake?.greeting;
    if (greeting !== undefined) this.#write(carry(greeting));
    if (world.admission === undefined) {
      this.#guard(() => this.#enter(this.#account, options.wishes.account ?? "player"));
    }
  }

  /** What bans hold on to: a login name, the name asked for, or the address. */
  get account(): string {
    return this.#account;
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

  /** Takes whole frames for the player; false when it reads too slowly to be given broadcasts. */
  deliver(bytes: Uint8Array): boolean {
    if (this.#state === "over") return true;
    this.#write(bytes);
    const queued = this.link.queuedBytes;
    const { queuedBytesSoft, queuedBytesHard } = this.#house.budgets;
    if (queued > queuedBytesHard) {
      // The delivery is at work and must not be called into: the end comes when it is done.
      queueMicrotask(() => this.end("slow-reader", `${queued} bytes queued`));
    }
    if (queued <= queuedBytesSoft) return true;
    this.#laggingMs ??= this.#house.stalls.fairNow();
    return false;
  }

  note(verdict: Verdict): void {
    const { kind, rule, reason, measured, allowed, unit } = verdict;
    this.log.info({ player: this.#player, kind, rule, measured, allowed, unit }, reason);
  }

  /** Looks at what only time brings: to be called several times a second. */
  checkDeadlines(): void {
    if (this.#state === "over") return;
    const { budgets, stalls } = this.#house;
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
    } else if (this.#state === "greeting" && nowMs - this.#sinceMs > budgets.loginMs) {
      this.end("login-time");
    } else if (nowMs - this.#heardMs > budgets.idleMs) {
      this.end("idle");
    }
  }

  /** Who is sent only what a newer message replaces never has much queued: then it shows in that nothing leaves. */
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
    // What the player still has coming goes before the last word, unless nobody waits for it.
    if (this.#player !== undefined) this.world.leave(this.#player);
    this.#state = "over";
    this.#held = [];
    this.link.close(reason, withinMs);
    this.#house.ended(this, reason, detail);
  }

  #write(frames: Uint8Array): void {
    this.traffic.bytesOut += frames.length;
    this.link.write(frames);
  }

  #carried(bytes: number): void {
    if (this.#state === "over") return;
    this.traffic.bytesIn += bytes;
    this.#heardMs = this.#house.stalls.fairNow();
    if (!this.#bytes.take(bytes)) {
      this.end("byte-rate");
      return;
    }
    const { meter } = this.link;
    if (meter === undefined) return;
    this.#noteUnfinished(meter.unfinished, meter.messages !== this.#finishedMessages);
    this.#finishedMessages = meter.messages;
  }

  #control(): void {
    if (this.#state !== "over" && !this.#messages.take(1)) this.end("message-rate", "control frames");
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
    // What was whole before the stream broke still counts.
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
        this.world.receive(this.#player, received.message, received.payload);
      } else {
        this.#logIn(received.message);
      }
    }
    if (this.link.carrier === "stream") this.#noteUnfinished(this.#channel.pendingBytes > 0, read > 0);
  }

  /** An unfinished frame is as old as its first byte; one that follows a finished frame begins its age anew. */
  #noteUnfinished(unfinished: boolean, finishedOne: boolean): void {
    if (!unfinished || this.#state === "checking") this.#unfinishedMs = undefined;
    else if (finishedOne || this.#unfinishedMs === undefined) this.#unfinishedMs = this.#house.stalls.fairNow();
  }

  #logIn(message: WireMessage): void {
    const credentials = this.world.admission?.credentials(message);
    if (credentials === undefined) {
      this.end("login-expected", message.message);
      return;
    }
    this.#state = "checking";
    this.link.pause();
    const { name, password } = credentials;
    this.#house.accounts.check(this.world.protocol.name, name, password).then(
      (outcome) => this.#guard(() => this.#loginChecked(name, outcome)),
      (error: unknown) => this.#fail(error),
    );
  }

  #loginChecked(name: string, outcome: LoginOutcome): void {
    if (this.#state !== "checking") return;
    this.#state = "greeting";
    if (outcome === "busy") this.end("login-queue");
    else if (outcome !== "ok") this.#refuse(outcome);
    else if (this.world.isOnline(name)) this.#refuse("already-online");
    else this.#enter(name, name);
    if (!this.#isPlaying) return;
    this.#readOn();
    for (const bytes of this.#held.splice(0)) this.#content(bytes);
    if (this.#isPlaying) this.link.resume();
  }

  get #isPlaying(): boolean {
    return this.#state === "playing";
  }

  /** Whatever a protocol or a store throws ends this session and nothing else. */
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

  #enter(account: string, name: string): void {
    this.#account = account;
    const { room } = this.wishes;
    if (this.#house.bans.find(this.world.protocol.name, account) !== undefined) {
      this.#refuse("banned");
      return;
    }
    const outcome = this.world.join(this, { account, name, ...(room === undefined ? {} : { room }) });
    if (outcome === undefined) {
      this.end("world-error");
    } else if ("refusal" in outcome) {
      this.#refuse(outcome.refusal);
    } else if (this.isOver) {
      // The world sent the player away while it joined.
      this.world.leave(outcome.player);
    } else {
      this.#player = outcome.player;
      this.#state = "playing";
      this.#house.joined(this, outcome.player);
    }
  }

  #refuse(reason: Refusal): void {
    const word = this.world.admission?.refusal(reason);
    if (word !== undefined) this.#write(this.framing.frame(this.world.codec.write("server", word)));
    this.end(`refused-${reason}`);
  }

  #drained(): void {
    if (this.#laggingMs === undefined || this.#state === "over") return;
    this.#laggingMs = undefined;
    if (this.#player !== undefined) this.world.refresh(this.#player);
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
