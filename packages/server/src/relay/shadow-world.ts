/**
 * The **shadow world** of a relay: the game's own world is given what clients send, and judges it. It sends nothing: its
 * messages, corrections and bans are dropped, and only verdicts, rooms and tracks are shown.
 */
import type { HostRecorder } from "wirewalk/host";
import type { PlayerId, Track, Verdict } from "wirewalk/motion";
import type { Clock } from "wirewalk/net";
import type {
  Admission,
  Effect,
  Gap,
  Joining,
  PayloadCodec,
  Protocol,
  ProtocolWith,
  Shadowing,
  Side,
  Sight,
  WireMessage,
  World,
  WorldOptions,
} from "wirewalk/protocol";
import type { FeedCounts, FeedWorld } from "../feed/feed-world.ts";
import { RoomIndex } from "../feed/room-index.ts";
import { accountOf, type JoinRequest } from "../session/session.ts";

export interface ShadowWorldOptions {
  readonly protocol: ProtocolWith<"createWorld">;
  readonly dialect: string;
  readonly seed: number;
  /** The server has the demo places of this game: those of `wirewalk serve --bots`. */
  readonly demo: boolean;
  readonly clock: Clock;
  readonly events: ShadowEvents;
  /** Gives the account that the world knows, of the client's address and perhaps its name. Default: the same. */
  readonly pseudonym?: (account: string) => string;
}

/** What shadow worlds are made with. */
export function shadowOptions({
  dialect,
  seed,
  demo,
}: Pick<ShadowWorldOptions, "dialect" | "seed" | "demo">): Omit<WorldOptions, "threads"> {
  // It makes no corrections: what a client does next does not depend on this world.
  return { dialect, seed, demo, enforcement: "log" };
}

export interface ShadowEvents {
  verdict(verdict: Verdict): void;
  moved(world: FeedWorld, player: PlayerId, from: string | undefined, to: string | undefined): void;
  observed(world: FeedWorld, observation: Extract<Effect, { effect: "observe" }>): void;
  /** What the world has not seen of a player, when it would judge it: once for each reason. */
  unseen(player: PlayerId, gap: Gap): void;
  /** The world threw: a bug in it. */
  failed(error: unknown): void;
}

/** Also receives what the other server sent. */
export interface ShadowRecorder extends HostRecorder {
  observed(player: PlayerId, payload: Uint8Array, nowMs: number): void;
}

const noLogin: Gap = { reason: "no login has been seen that could be read, so that the shadow world does not have it" };

export class ShadowWorld implements FeedWorld {
  readonly name: string;
  readonly protocol: Protocol;
  readonly world: World;
  /** In the world, by connection. */
  readonly players = new Map<PlayerId, Joining>();
  /** Records the calls and effects of the world from here on; undefined ends it. */
  recorder: ShadowRecorder | undefined;
  /** What passed, both directions of all connections. */
  readonly passed = { sessions: 0, bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0 };
  readonly admission: Admission | undefined;
  readonly #events: ShadowEvents;
  readonly #index = new RoomIndex();
  readonly #addresses = new Map<PlayerId, string>();
  /** Requested by WebSockets. */
  readonly #rooms = new Map<PlayerId, string>();
  readonly #clock: Clock;
  readonly #shadowing: Shadowing | undefined;
  readonly #dialect: string;
  /** Of connections, where the game says what a world beside another server must have seen. */
  readonly #sights = new Map<PlayerId, Sight>();
  /** Gaps that were reported, by connection: their reasons. */
  readonly #reported = new Map<PlayerId, Set<string>>();
  /** Connections whose server is not read any further. */
  readonly #deaf = new Map<PlayerId, Gap>();
  readonly #codec: PayloadCodec;
  readonly #pseudonym: (account: string) => string;
  #verdicts = 0;

  constructor(options: ShadowWorldOptions) {
    const { protocol, dialect, clock, events, pseudonym = (account) => account } = options;
    this.name = protocol.name;
    this.protocol = protocol;
    this.#clock = clock;
    this.#shadowing = protocol.capabilities?.shadow;
    this.#dialect = dialect;
    this.#pseudonym = pseudonym;
    this.#codec = protocol.codec(dialect);
    this.world = protocol.createWorld(shadowOptions(options)) as World;
    this.admission = protocol.capabilities?.login?.admission(dialect);
    this.#events = events;
  }

  get feedCounts(): FeedCounts {
    return { ...this.passed, verdicts: this.#verdicts };
  }

  nameOf(player: PlayerId): string | undefined {
    return this.players.get(player)?.name;
  }

  roomOf(player: PlayerId): string | undefined {
    return this.#index.of(player);
  }

  playersIn(room: string): readonly PlayerId[] {
    return this.#index.playersIn(room);
  }

  isIn(player: PlayerId, room: string): boolean {
    return this.#index.isIn(player, room);
  }

  rooms(): ReadonlyMap<string, number> {
    return this.#read<ReadonlyMap<string, number>>(new Map(), () => this.world.rooms());
  }

  tracksVersion(room: string): number | undefined {
    return this.#read(undefined, () => this.world.tracksVersion?.(room));
  }

  follow(player: PlayerId): void {
    const nowMs = this.#clock.now();
    this.recorder?.follow(player, nowMs);
    this.#run(() => this.world.following?.follow(player, nowMs));
  }

  unfollow(player: PlayerId): void {
    this.recorder?.unfollow(player);
    this.#run(() => this.world.following?.unfollow(player));
  }

  /** A client has connected. In a dialect with a login it joins when that arrives. */
  connected(player: PlayerId, address: string, nowMs: number): void {
    this.#addresses.set(player, address);
    if (this.#shadowing !== undefined) this.#sights.set(player, this.#shadowing.openSight(this.#dialect));
    if (this.admission !== undefined) return;
    this.#join(player, { account: `${address} ${player}`, name: `connection ${player}` }, nowMs);
  }

  /** The client's WebSocket names a room or an account: it joins there, as one that has just connected. */
  requested(player: PlayerId, { account, room }: JoinRequest, nowMs: number): void {
    if (room !== undefined) this.#rooms.set(player, room);
    if (this.admission !== undefined || (room === undefined && account === undefined)) return;
    const address = this.#addresses.get(player) ?? "";
    this.#leave(player, nowMs);
    const joining =
      account === undefined
        ? { account: `${address} ${player}`, name: `connection ${player}` }
        : { account: accountOf(address, account), name: account };
    this.#join(player, joining, nowMs);
  }

  left(player: PlayerId, nowMs: number): void {
    this.#addresses.delete(player);
    this.#rooms.delete(player);
    this.#sights.delete(player);
    this.#reported.delete(player);
    this.#deaf.delete(player);
    this.#leave(player, nowMs);
  }

  /** A message of either side could not be read. */
  missed(player: PlayerId, sender: Side, payload: Uint8Array): void {
    this.#sights.get(player)?.missed(sender, payload);
  }

  /** What the server sends to the player is not read any further. */
  lost(player: PlayerId, reason: string): void {
    if (this.#shadowing === undefined || !this.#addresses.has(player)) return;
    this.#deaf.set(player, { reason: `what the server sends is not read any further: ${reason}` });
  }

  #leave(player: PlayerId, nowMs: number): void {
    if (!this.players.delete(player)) return;
    this.recorder?.leave(player, nowMs);
    this.#run(() => this.world.leave(player, nowMs));
  }

  receive(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    const sight = this.#sights.get(player);
    const isIn = this.players.has(player);
    if (!isIn || sight?.isAdmitted === false) {
      const login = this.admission?.credentials(message);
      if (login !== undefined) {
        // The server has not taken the one before.
        this.#leave(player, nowMs);
        this.#join(player, { account: login.name, name: login.name }, nowMs);
        return;
      }
      if (!isIn) {
        if (this.admission !== undefined) this.#report(player, noLogin);
        return;
      }
    }
    sight?.saw("client", message);
    const deaf = this.#deaf.get(player);
    for (const gap of deaf === undefined ? (sight?.gaps(message) ?? []) : [deaf]) this.#report(player, gap);
    this.recorder?.receive(player, payload, nowMs);
    this.#run(() => this.world.receive(player, message, payload, nowMs));
  }

  /** The server sent the player's client a message. */
  observe(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    this.#sights.get(player)?.saw("server", message);
    if (!this.players.has(player)) return;
    this.recorder?.observed(player, payload, nowMs);
    if (this.#shadowing === undefined) return;
    const { observe } = this.#shadowing;
    this.#run(() => observe(this.world, player, message, nowMs));
  }

  tick(nowMs: number): void {
    this.recorder?.tick(nowMs);
    this.#run(() => this.world.tick(nowMs));
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    return this.#read([], () => this.world.tracks(nowMs, room));
  }

  #join(player: PlayerId, named: Pick<Joining, "account" | "name">, nowMs: number): void {
    const room = this.#rooms.get(player);
    const account = this.#pseudonym(named.account);
    const joining: Joining = room === undefined ? { ...named, account } : { ...named, account, room };
    this.#run(() => {
      // A player that this world refuses, such as one that is online already, is not judged.
      const refusal = this.world.refuses(joining);
      if (refusal !== undefined) {
        this.#report(player, { reason: `the shadow world has no place for it: ${refusal}` });
        return;
      }
      this.recorder?.join(player, joining, nowMs);
      this.world.join(player, joining, nowMs);
      this.players.set(player, joining);
    });
  }

  #report(player: PlayerId, gap: Gap): void {
    const reported = this.#reported.get(player) ?? new Set();
    this.#reported.set(player, reported);
    if (reported.has(gap.reason)) return;
    reported.add(gap.reason);
    this.#events.unseen(player, gap);
  }

  #isSilent(verdict: Verdict): boolean {
    const { player, rule } = verdict;
    if (this.#shadowing?.unknownRules.includes(rule) === true || this.#deaf.has(player)) return true;
    return this.#sights.get(player)?.silences(verdict) === true;
  }

  /** What the page shows; nothing when the world throws. */
  #read<T>(otherwise: T, call: () => T): T {
    try {
      return call();
    } catch (error) {
      this.#events.failed(error);
      return otherwise;
    }
  }

  #run(call: () => void): void {
    try {
      call();
      for (const effect of this.world.takeEffects()) {
        if (this.recorder !== undefined) this.#record(this.recorder, effect);
        this.#show(effect);
      }
    } catch (error) {
      this.#events.failed(error);
    }
  }

  #record(recorder: ShadowRecorder, effect: Effect): void {
    const isMessage = effect.effect === "send" || effect.effect === "broadcast";
    recorder.effect(effect, isMessage ? this.#codec.write("server", effect.message) : undefined);
  }

  #show(effect: Effect): void {
    switch (effect.effect) {
      case "verdict":
        if (this.#isSilent(effect.verdict)) break;
        if (effect.verdict.kind !== "accept") this.#verdicts += 1;
        this.#events.verdict(effect.verdict);
        break;
      case "enter":
      case "exit": {
        const to = effect.effect === "enter" ? effect.room : undefined;
        const from = this.#index.move(effect.player, to);
        if (from !== to) this.#events.moved(this, effect.player, from, to);
        break;
      }
      case "show":
      case "hide": {
        const isShown = effect.effect === "show";
        this.#index.show(effect.player, effect.room, isShown);
        this.#events.moved(this, effect.player, isShown ? undefined : effect.room, isShown ? effect.room : undefined);
        break;
      }
      case "observe":
        this.#events.observed(this, effect);
        break;
      default:
      // Sends, broadcasts, bans and closes are for a server.
    }
  }
}
