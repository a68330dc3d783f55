/**
 * A **session**: a connection at one end, a player of a world at the other. This file is its life: the login where the dialect
 * has one, the join, the deadlines, the end. `session-input.ts` reads what the peer sends, `session-output.ts` writes.
 */
import type { Framing } from "wirewalk/host";
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Cancel, Clock } from "wirewalk/net";
import type { Channel, Refusal, SavedChannel, WireMessage } from "wirewalk/protocol";
import type { Accounts, LoginOutcome } from "../admission/accounts.ts";
import type { Place } from "../admission/places.ts";
import { addressKey, type BanKey, banKind, loginKey, sessionKey } from "../bans/ban-key.ts";
import { type Bans, banText } from "../bans/bans.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Stalls } from "../runtime/stalls.ts";
import type { HostedWorld, LinkTraffic, Member } from "../worlds/hosted-world.ts";
import type { Budgets } from "./budgets.ts";
import { carried } from "./carriage.ts";
import type { DisconnectReason } from "./disconnect.ts";
import type { Link } from "./links.ts";
import { type InputOwner, SessionInput } from "./session-input.ts";
import { type OutputOwner, SessionOutput } from "./session-output.ts";
import type { SessionRates } from "./session-rates.ts";
import { Silence } from "./silence.ts";

/** A peer has this long to read the reason of its disconnect. */
const CLOSE_WITHIN_MS = 5_000;

/** What a WebSocket asks for in its address. */
export interface JoinRequest {
  /** An unverified name. */
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
  readonly logins: Pick<Accounts, "check" | "problem">;
  readonly bans: Bans;
  /** What a ban of the player applies to; `login` is a name whose password was checked. */
  banKeyOf(session: Session, login: string | undefined): BanKey;
  /** The session has sent its first valid message. */
  proved(session: Session): void;
  /** Ends the sessions of an account in all worlds of the game: its owner has logged in again. */
  takeOver(world: HostedWorld, account: string): void;
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

export class Session implements Member, InputOwner, OutputOwner {
  readonly id: number;
  readonly link: Link;
  readonly place: Place;
  readonly log: LogBudget;
  framing: Framing;
  readonly #context: SessionContext;
  readonly #channel: Channel;
  readonly #input: SessionInput;
  #output: SessionOutput;
  #world: HostedWorld;
  #joinRequest: JoinRequest;
  #state: State = "greeting";
  #player: PlayerId | undefined;
  /** With which the player entered, in games that have such a message: a world that it moves to receives it too. */
  #entry: { readonly message: WireMessage; readonly payload: Uint8Array } | undefined;
  #account = "";
  #name = "";
  #banKey: BanKey;
  /** Ends the wait of a player from a banned address. */
  #cancelWait: Cancel | undefined;
  readonly #silence: Silence;
  /** In fair time: see `Stalls`. */
  readonly #sinceMs: number;

  constructor(options: SessionOptions) {
    const { id, link, world, context } = options;
    this.id = id;
    this.#banKey = sessionKey(id);
    this.link = link;
    this.place = options.place;
    this.#world = world;
    this.#joinRequest = options.joinRequest;
    this.log = options.log;
    this.#context = context;
    const traffic = world.traffic[link.kind];
    traffic.sessions += 1;
    traffic.opened += 1;
    const { budgets, rates, stalls } = context;
    this.#silence = new Silence(stalls);
    this.#sinceMs = stalls.fairNow();
    const channel = world.protocol.openChannel({ side: "server", dialect: world.dialect, carrier: link.carrier });
    this.#channel = channel;
    this.#output = this.#outputOf(world);
    this.framing = this.#output.framing;
    const keepUp = (): void => context.keepUp();
    const { log } = options;
    const taken = (bytes: Uint8Array): void => {
      // What comes before the player has joined may be a password.
      if (this.#player !== undefined) this.#world.carried?.bytes(this.#player, bytes);
    };
    this.#input = new SessionInput({ owner: this, link, channel, traffic, budgets, rates, stalls, log, keepUp, taken });
    link.listen({
      carried: (bytes) => this.#input.carried(bytes),
      content: (bytes) => this.#guard(() => this.#input.content(bytes)),
      control: () => this.#input.control(),
      misused: (reason, detail) => this.end(reason, detail),
      drained: () => this.#drained(),
      closed: (reason) => {
        this.end(reason);
        this.#traffic.sessions -= 1;
        context.gone(this);
      },
    });
    const greeting = channel.handshake?.greeting;
    if (greeting !== undefined) this.#output.write(carried(link.kind, greeting));
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

  /** Changes when the player moves to another world of its game. */
  get world(): HostedWorld {
    return this.#world;
  }

  get joinRequest(): JoinRequest {
    return this.#joinRequest;
  }

  get isOver(): boolean {
    return this.#state === "over";
  }

  get inputState(): InputOwner["inputState"] {
    if (this.#state === "over") return "over";
    return this.#state === "checking" ? "waiting" : "open";
  }

  saveChannel(): SavedChannel {
    return this.#channel.save();
  }

  get isBehind(): boolean {
    return this.link.queuedBytes > 0;
  }

  get queuedBytes(): number {
    return this.link.queuedBytes;
  }

  admits(bytes: number): boolean {
    return this.#state === "over" || this.#output.admits(bytes);
  }

  /** Sends whole frames to the player; false when it reads too slowly for broadcasts. */
  deliver(bytes: Uint8Array): boolean {
    return this.#state === "over" || this.#output.deliver(bytes);
  }

  note(verdict: Verdict): void {
    const { kind, rule, reason, measured, allowed, unit } = verdict;
    this.log.info({ player: this.#player, kind, rule, measured, allowed, unit }, reason);
  }

  /** Ends the session when a deadline has passed. Call it at least once a second. */
  checkDeadlines(): void {
    if (this.#state === "over") return;
    const { budgets, stalls } = this.#context;
    const nowMs = stalls.fairNow();
    if (this.link.queuedBytes === 0) this.#drained();
    const { unfinishedMs, receivedMs, answers } = this.#input;
    if (unfinishedMs !== undefined && nowMs - unfinishedMs > budgets.unfinishedFrameMs) {
      this.end("unfinished-frame");
      return;
    }
    const slowness = this.#output.slowness(nowMs);
    if (slowness !== undefined) {
      this.end("slow-reader", slowness);
    } else if (this.#isLoggingIn && nowMs - this.#sinceMs > budgets.loginMs) {
      this.end("login-time");
    } else if (this.place.isSilent && !answers && !this.#mayWatch && this.#silence.exceeds(budgets.silentMs)) {
      this.end("silent");
    } else if (nowMs - Math.max(receivedMs, this.#output.tookAtMs(nowMs)) > budgets.idleMs) {
      this.end("idle");
    }
  }

  end(reason: DisconnectReason, detail?: string, withinMs = CLOSE_WITHIN_MS): void {
    if (this.#state === "over") return;
    // What is queued for the player leaves before the close frame, unless the reason ends the session at once.
    if (this.#player !== undefined) this.world.leave(this.#player);
    this.#state = "over";
    this.#input.drop();
    this.#cancelWait?.();
    const text = isBanned(reason) && detail !== undefined ? `${reason}: ${detail}` : reason;
    this.link.close(reason, withinMs, text);
    this.#context.ended(this, reason, detail);
  }

  /**
   * The player leaves its world and joins another one of the same game and dialect, over the same connection. The reason when that
   * refuses it: then nothing has changed. Throws `RangeError` for a session without a player.
   */
  moveTo(world: HostedWorld, room: string | undefined): Refusal | undefined {
    const player = this.#player;
    if (player === undefined || this.#state !== "playing") throw new RangeError("Only a player can move");
    const [account, name] = [this.#account, this.#name];
    const refusal = world.refuses({ account, name, ...(room === undefined ? {} : { room }) });
    if (refusal !== undefined) return refusal;
    this.#player = undefined;
    this.#world.leave(player);
    this.#traffic.sessions -= 1;
    this.#world = world;
    this.#traffic.sessions += 1;
    this.#traffic.opened += 1;
    this.#input.traffic = this.#traffic;
    this.#output = this.#outputOf(world);
    this.framing = this.#output.framing;
    const { room: _before, ...others } = this.#joinRequest;
    this.#joinRequest = room === undefined ? others : { ...others, room };
    this.#guard(() => {
      this.#join(account, name);
      const entry = this.#entry;
      if (this.#player !== undefined && entry !== undefined) world.receive(this.#player, entry.message, entry.payload);
    });
    return undefined;
  }

  /** A message has come. */
  received(message: WireMessage, payload: Uint8Array): void {
    if (this.#state !== "playing" || this.#player === undefined) {
      this.#checkLogin(message);
      return;
    }
    if (this.place.isSilent) this.#context.proved(this);
    if (this.#entry === undefined && this.#world.protocol.capabilities?.channels?.isEntry(message) === true) {
      this.#entry = { message, payload: payload.slice() };
    }
    this.#world.receive(this.#player, message, payload);
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
    this.#context.logins.check({ protocol: this.world.protocol.name, name, password, address, isWanted }).then(
      (outcome) => this.#guard(() => this.#loginChecked(name, outcome)),
      (error: unknown) => this.#fail(error),
    );
  }

  #loginChecked(name: string, outcome: LoginOutcome): void {
    if (this.#state !== "checking") return;
    this.#state = "greeting";
    if (outcome === "busy") this.end("login-queue");
    // No dialect has another word for these: the password was not looked at, and the account does not exist.
    else if (outcome === "locked") this.#refuse("wrong-password", "too many wrong passwords", "login-locked");
    else if (outcome === "registrations")
      this.#refuse("no-account", "too many new accounts", "registrations-per-address");
    else if (outcome === "unavailable") {
      this.log.error({ problem: this.#context.logins.problem }, "accounts are unavailable: a login is refused");
      this.#refuse("unavailable", "accounts are unavailable", "accounts-unavailable");
    } else if (outcome !== "ok") this.#refuse(outcome);
    else {
      // The password proves that this is the same player, whose earlier connection may have died without a word.
      this.#context.takeOver(this.world, loginKey(name));
      this.#enter(loginKey(name), name, name);
    }
    this.#readWhatWaited();
  }

  #readWhatWaited(): void {
    if (!this.#isPlaying) return;
    this.#input.readHeld();
    if (this.#isPlaying) this.link.resume();
  }

  /**
   * A player over TCP may send nothing at all: there is no ping to answer, and a client that only watches has no message to send. It holds
   * its place until another connection needs it.
   */
  get #mayWatch(): boolean {
    return this.link.carrier === "stream" && this.#player !== undefined;
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

  get #traffic(): LinkTraffic {
    return this.#world.traffic[this.link.kind];
  }

  #outputOf(world: HostedWorld): SessionOutput {
    const { budgets, stalls, runtime } = this.#context;
    return new SessionOutput({ owner: this, link: this.link, channel: this.#channel, world, budgets, stalls, runtime });
  }

  #enter(account: string, name: string, login: string | undefined): void {
    this.#account = account;
    this.#name = name;
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
    const { budgets, clock } = this.#context;
    this.#input.restrict();
    this.#state = "checking";
    this.link.pause();
    this.#cancelWait = clock.after(budgets.softBanDelayMs, () =>
      this.#guard(() => {
        if (this.#state !== "checking") return;
        this.#state = "greeting";
        this.#silence.restart();
        this.#input.restart();
        this.#join(account, name);
        this.#readWhatWaited();
      }),
    );
  }

  #join(account: string, name: string): void {
    const { room } = this.joinRequest;
    const joining = { account, name, ...(room === undefined ? {} : { room }) };
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
      this.world.carried?.begin(outcome.player, this);
      this.#state = "playing";
      // A login is a proof.
      if (this.world.admission !== undefined) this.#context.proved(this);
      this.#context.joined(this, outcome.player);
    }
  }

  #refuse(reason: Refusal, detail?: string, ends: DisconnectReason = `refused-${reason}`): void {
    const message = this.world.admission?.refusal(reason);
    if (message !== undefined)
      this.#output.write(carried(this.link.kind, this.#channel.frame(this.world.codec.write("server", message))));
    this.end(ends, detail);
  }

  #drained(): void {
    if (this.#state === "over" || !this.#output.caughtUp()) return;
    if (this.#player !== undefined) this.world.refresh(this.#player);
  }
}

/** Only these tell the peer more than their name: what it is banned by, and until when. */
function isBanned(reason: DisconnectReason): boolean {
  return reason === "banned" || reason === "refused-banned";
}

/** An address never contains a blank, so no claimed name makes the account of another address. */
export function accountOf(address: string, claimedName: string | undefined): string {
  const key = addressKey(address) ?? "address:unknown";
  return claimedName === undefined ? key : `${key} ${claimedName}`;
}
