/**
 * The **shadow world** of a relay: who is in it follows from the connections that pass, and its verdicts, rooms and tracks are shown.
 */
import { ShadowHost, type ShadowHostOptions, type ShadowRecorder } from "wirewalk/host";
import type { PlayerId, Track, Verdict } from "wirewalk/motion";
import type { Clock } from "wirewalk/net";
import type {
  Admission,
  Effect,
  Gap,
  Joining,
  Protocol,
  ServerNotice,
  Side,
  WireMessage,
  World,
} from "wirewalk/protocol";
import type { FeedCounts, FeedWorld, Observation } from "../feed/feed-world.ts";
import { RoomIndex } from "../feed/room-index.ts";
import { accountOf, type JoinRequest } from "../session/session.ts";

export interface ShadowWorldOptions extends Omit<ShadowHostOptions, "onEffect" | "onFailed"> {
  readonly clock: Clock;
  readonly events: ShadowEvents;
  /** Gives the account that the world knows, of the client's address and perhaps its name. Default: the same. */
  readonly pseudonym?: (account: string) => string;
}

export interface ShadowEvents {
  verdict(verdict: Verdict): void;
  moved(world: FeedWorld, player: PlayerId, from: string | undefined, to: string | undefined): void;
  observed(world: FeedWorld, observation: Observation): void;
  /** What the world has not seen of a player, so that it finds nothing that follows from it. Once for each reason. */
  unseen(player: PlayerId, gap: Gap): void;
  /** What the server itself has sent this player that the maps do not allow. In a bounded number. */
  noticed(player: PlayerId, notice: ServerNotice): void;
  /** The world threw: a bug in it. */
  failed(error: unknown): void;
}

const noLogin: Gap = { reason: "no login has been seen that could be read, so that the shadow world does not have it" };

export class ShadowWorld implements FeedWorld {
  readonly name: string;
  readonly protocol: Protocol;
  /** What passed, both directions of all connections. */
  readonly passed = { sessions: 0, bytesIn: 0, bytesOut: 0, messagesIn: 0, messagesOut: 0 };
  readonly admission: Admission | undefined;
  readonly #host: ShadowHost;
  readonly #events: ShadowEvents;
  readonly #index = new RoomIndex();
  readonly #addresses = new Map<PlayerId, string>();
  /** Requested by WebSockets. */
  readonly #rooms = new Map<PlayerId, string>();
  /** Connections of which it was said that no login was seen. */
  readonly #withoutLogin = new Set<PlayerId>();
  readonly #clock: Clock;
  readonly #pseudonym: (account: string) => string;
  #verdicts = 0;

  constructor(options: ShadowWorldOptions) {
    const { protocol, dialect, clock, events, pseudonym = (account) => account } = options;
    this.name = protocol.name;
    this.protocol = protocol;
    this.#clock = clock;
    this.#pseudonym = pseudonym;
    this.#host = new ShadowHost({
      ...options,
      onEffect: (effect) => this.#show(effect),
      onFailed: (error) => events.failed(error),
      onRefused: (player, refusal) =>
        events.unseen(player, { reason: `the shadow world has no place for it: ${refusal}` }),
    });
    this.admission = protocol.capabilities?.login?.admission(dialect);
    this.#events = events;
  }

  get world(): World {
    return this.#host.world;
  }

  /** The name with which a player has logged in, once the server has taken it; undefined in dialects without logins. */
  loginOf(player: PlayerId): string | undefined {
    if (this.admission === undefined || !this.#host.isAdmitted(player)) return undefined;
    return this.players.get(player)?.name;
  }

  /** In the world, by connection. */
  get players(): ReadonlyMap<PlayerId, Joining> {
    return this.#host.players;
  }

  get recorder(): ShadowRecorder | undefined {
    return this.#host.recorder;
  }

  /** Records the calls and effects of the world from here on; undefined ends it. */
  set recorder(recorder: ShadowRecorder | undefined) {
    this.#host.recorder = recorder;
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
    return this.#host.read<ReadonlyMap<string, number>>(new Map(), () => this.world.rooms());
  }

  tracksVersion(room: string): number | undefined {
    return this.#host.read(undefined, () => this.world.tracksVersion?.(room));
  }

  follow(player: PlayerId): void {
    this.#host.follow(player, this.#clock.now());
  }

  unfollow(player: PlayerId): void {
    this.#host.unfollow(player);
  }

  /** A client has connected. In a dialect with a login it joins when that arrives. */
  connected(player: PlayerId, address: string, nowMs: number): void {
    this.#addresses.set(player, address);
    if (this.admission !== undefined) return;
    this.#join(player, { account: `${address} ${player}`, name: `connection ${player}` }, nowMs);
  }

  /** The client's WebSocket names a room or an account: it joins there, as one that has just connected. */
  requested(player: PlayerId, { account, room }: JoinRequest, nowMs: number): void {
    if (room !== undefined) this.#rooms.set(player, room);
    if (this.admission !== undefined || (room === undefined && account === undefined)) return;
    const address = this.#addresses.get(player) ?? "";
    this.#host.leave(player, nowMs);
    const joining =
      account === undefined
        ? { account: `${address} ${player}`, name: `connection ${player}` }
        : { account: accountOf(address, account), name: account };
    this.#join(player, joining, nowMs);
  }

  left(player: PlayerId, nowMs: number): void {
    this.#addresses.delete(player);
    this.#rooms.delete(player);
    this.#withoutLogin.delete(player);
    this.#host.leave(player, nowMs);
  }

  /** A message of either side could not be read. */
  missed(player: PlayerId, sender: Side, payload: Uint8Array, nowMs: number): void {
    this.#host.missed(player, sender, payload, nowMs);
  }

  /** What the server sends to the player is not read any further. */
  lost(player: PlayerId, nowMs: number): void {
    this.#host.lost(player, nowMs);
  }

  receive(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    const isIn = this.players.has(player);
    if (!isIn || !this.#host.isAdmitted(player)) {
      const login = this.admission?.credentials(message);
      if (login !== undefined) {
        // The server has not taken the one before.
        this.#host.leave(player, nowMs);
        this.#join(player, { account: login.name, name: login.name }, nowMs);
        return;
      }
    }
    if (isIn) this.#host.receive(player, message, payload, nowMs);
    else if (this.admission !== undefined && !this.#withoutLogin.has(player)) {
      this.#withoutLogin.add(player);
      this.#events.unseen(player, noLogin);
    }
  }

  /** The server sent the player's client a message. */
  observe(player: PlayerId, message: WireMessage, payload: Uint8Array, nowMs: number): void {
    this.#host.observe(player, message, payload, nowMs);
  }

  tick(nowMs: number): void {
    this.#host.tick(nowMs);
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    return this.#host.tracks(nowMs, room);
  }

  #join(player: PlayerId, named: Pick<Joining, "account" | "name">, nowMs: number): void {
    const room = this.#rooms.get(player);
    const account = this.#pseudonym(named.account);
    this.#host.join(player, room === undefined ? { ...named, account } : { ...named, account, room }, nowMs);
  }

  #show(effect: Effect): void {
    switch (effect.effect) {
      case "verdict":
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
        if (effect.what === "unseen") this.#events.unseen(effect.player, effect.data as unknown as Gap);
        else if (effect.what === "server-notice") {
          this.#events.noticed(effect.player, effect.data as unknown as ServerNotice);
        } else this.#events.observed(this, effect);
        break;
      default:
      // Sends, broadcasts, bans and closes are for a server.
    }
  }
}
