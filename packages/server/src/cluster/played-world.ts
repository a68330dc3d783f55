/**
 * A **played world**: a world with the position of its gateways. Logged calls in, effects out; the same calls give the same
 * effects on every node. It is what a snapshot holds.
 */
import { decodeCbor, encodeCbor } from "@wirewalk/recording";
import type { HostRecorder } from "wirewalk/host";
import type { PlayerId, Track, Verdict } from "wirewalk/motion";
import type { Effect, Joining, PayloadCodec, SavedWorld, WireMessage, World } from "wirewalk/protocol";
import { Pseudonyms } from "../admission/pseudonyms.ts";
import { banKind, parseBanKey } from "../bans/ban-key.ts";
import { nodeRuntime } from "../runtime/runtime.ts";
import {
  type CallSource,
  isCount,
  isObject,
  isPlayer,
  isTime,
  type LoggedCalls,
  type SentEffect,
  type SessionCall,
} from "./batch.ts";
import { Occupants } from "./occupants.ts";

/** How far the calls of a gateway have been carried out. */
export interface GatewayPosition {
  readonly run: number;
  /** The number of its next call. */
  readonly next: number;
  /** With their accounts. */
  readonly players: ReadonlyMap<PlayerId, string>;
}

interface Gateway {
  run: number;
  next: number;
  readonly players: Map<PlayerId, string>;
}

/** What a snapshot says beside the world. */
export interface SnapshotPlace {
  /** The number of the next batch. */
  readonly nextBatch: number;
  /** The time of the world at its last call, and the wall clock then: epoch milliseconds. */
  readonly nowMs: number;
  readonly wallMs: number;
  /** Its owner has carried out nothing after it: it gave the world back. */
  readonly isFinal: boolean;
}

/** Payloads that the world has received and sent, each recipient of a broadcast counted. */
export interface PlayedTraffic {
  messagesIn: number;
  bytesIn: number;
  messagesOut: number;
  bytesOut: number;
  /** Other than accept. */
  verdicts: number;
}

export interface PlayedObserver {
  observed(observation: Extract<Effect, { effect: "observe" }>): void;
  verdict(verdict: Verdict): void;
  /** A player sent a payload. The bytes are valid during the call. */
  received(player: PlayerId, payload: Uint8Array): void;
  /** It is sent to one player, or to a room. */
  sent(effect: Extract<Effect, { effect: "send" | "broadcast" }>, payload: Uint8Array): void;
}

export class PlayedWorld {
  readonly world: World;
  readonly #codec: PayloadCodec;
  readonly occupants = new Occupants();
  /** Since this node has the world. */
  readonly traffic: PlayedTraffic = { messagesIn: 0, bytesIn: 0, messagesOut: 0, bytesOut: 0, verdicts: 0 };
  /** Receives what spectators are shown. */
  observer: PlayedObserver | undefined;
  /** Records from here on. */
  recorder: HostRecorder | undefined;
  /** Players that spectator relays follow. Those that a gateway's own page follows are known to the world alone. */
  readonly followed = new Set<PlayerId>();
  #pseudonyms: Pseudonyms;
  readonly #gateways = new Map<string, Gateway>();
  #nowMs = 0;

  constructor(world: World, codec: PayloadCodec) {
    this.world = world;
    this.#codec = codec;
    this.#pseudonyms = new Pseudonyms(nodeRuntime);
  }

  /**
   * Given to the world instead of an account, so that recordings of any node hold no login and no address. The key goes with the
   * world, and so the next owner gives an account the same.
   */
  get pseudonym(): (account: string) => string {
    return this.#pseudonyms.of;
  }

  /** Of a recording that begins now. */
  get players(): ReadonlyMap<PlayerId, Joining> {
    const players = new Map<PlayerId, Joining>();
    for (const gateway of this.#gateways.values()) {
      for (const [player, account] of gateway.players) {
        players.set(player, { account, name: this.occupants.nameOf(player) ?? "" });
      }
    }
    return players;
  }

  roomOf(player: PlayerId): string | undefined {
    return this.occupants.roomOf(player);
  }

  tracks(nowMs: number): readonly Track[] {
    return this.world.tracks(nowMs);
  }

  /** The time of the last call. */
  get nowMs(): number {
    return this.#nowMs;
  }

  gateway(name: string): GatewayPosition | undefined {
    return this.#gateways.get(name);
  }

  gateways(): ReadonlyMap<string, GatewayPosition> {
    return this.#gateways;
  }

  /** Carries out calls. What they log is what they are, without those of `from` that were carried out before. */
  play(logged: LoggedCalls, effects: SentEffect[]): void {
    const { nowMs, from, calls } = logged;
    this.#nowMs = nowMs;
    const gateway = from === undefined ? undefined : this.#enter(from);
    for (const call of calls) {
      // What came of a call that threw is taken with that of the next one, as a `Host` and a replay do.
      if (this.#call(call, nowMs, gateway, effects)) this.#take(effects);
    }
    if (gateway !== undefined && from !== undefined) gateway.next = from.first + calls.length;
  }

  /** The world and its place as bytes. */
  save(place: SnapshotPlace): Uint8Array {
    const gateways = Array.from(this.#gateways, ([name, { run, next, players }]) => ({
      name,
      run,
      next,
      players: [...players.keys()],
      accounts: [...players.values()],
    }));
    const { secret } = this.#pseudonyms;
    const occupants = this.occupants.save();
    return encodeCbor({
      version: 1,
      ...place,
      gateways,
      secret,
      occupants,
      followed: [...this.followed],
      world: this.world.save(),
    });
  }

  /** Throws `Error` for bytes that are no snapshot of this world; then it must not be used. */
  restore(bytes: Uint8Array): SnapshotPlace {
    const data = decodeCbor(bytes);
    if (!isObject(data) || data.version !== 1) throw new RangeError("Cannot restore a snapshot of another version");
    const { nextBatch, nowMs, wallMs, gateways, world } = data;
    if (!isCount(nextBatch) || !isTime(nowMs) || !isTime(wallMs) || !Array.isArray(gateways) || !isObject(world)) {
      throw new TypeError("Cannot restore a snapshot: it is damaged");
    }
    this.world.restore(world as unknown as SavedWorld);
    this.occupants.restore(data.occupants);
    this.followed.clear();
    for (const player of Array.isArray(data.followed) ? (data.followed as unknown[]) : []) {
      if (isPlayer(player)) this.followed.add(player);
    }
    const { secret } = data;
    this.#pseudonyms = new Pseudonyms(nodeRuntime, secret instanceof Uint8Array ? Buffer.from(secret) : undefined);
    this.#gateways.clear();
    for (const each of gateways as unknown[]) {
      if (!isObject(each) || typeof each.name !== "string" || !isCount(each.run) || !isCount(each.next)) continue;
      const accounts: readonly unknown[] = Array.isArray(each.accounts) ? each.accounts : [];
      const players = (Array.isArray(each.players) ? each.players : []).flatMap((player: unknown, index) =>
        isCount(player) ? [[player, String(accounts[index] ?? "")] as const] : [],
      );
      this.#gateways.set(each.name, { run: each.run, next: each.next, players: new Map(players) });
    }
    this.#nowMs = nowMs;
    return { nextBatch, nowMs, wallMs, isFinal: data.isFinal === true };
  }

  /** A gateway's process that was started again has lost the players of the one before: the owner logs their leaving first. */
  #enter({ gateway: name, run, first }: CallSource): Gateway {
    const known = this.#gateways.get(name);
    if (known !== undefined && known.run === run) return known;
    const fresh: Gateway = { run, next: first, players: new Map() };
    this.#gateways.set(name, fresh);
    return fresh;
  }

  #call(
    call: SessionCall | { readonly call: "tick" },
    nowMs: number,
    gateway: Gateway | undefined,
    effects: SentEffect[],
  ): boolean {
    try {
      switch (call.call) {
        case "tick":
          this.recorder?.tick(nowMs);
          this.world.tick(nowMs);
          break;
        case "join": {
          const { player, joining } = call;
          if (isLogin(joining.account)) this.#takeOver(joining.account, nowMs, effects);
          const refusal = this.world.refuses(joining);
          if (refusal !== undefined) {
            effects.push({ effect: "refuse", player, refusal });
            break;
          }
          this.recorder?.join(player, joining, nowMs);
          this.world.join(player, joining, nowMs);
          this.occupants.joined(player, joining.name);
          gateway?.players.set(player, joining.account);
          break;
        }
        case "leave":
          for (const each of this.#gateways.values()) each.players.delete(call.player);
          // The world may throw.
          this.occupants.left(call.player);
          this.recorder?.leave(call.player, nowMs);
          this.world.leave(call.player, nowMs);
          break;
        case "receive": {
          const { player, payload } = call;
          this.traffic.messagesIn += 1;
          this.traffic.bytesIn += payload.length;
          const message = this.#codec.read("client", payload);
          this.observer?.received(player, payload);
          this.recorder?.receive(player, payload, nowMs);
          this.world.receive(player, message, payload, nowMs);
          break;
        }
        case "refresh":
          this.recorder?.refresh(call.player, nowMs);
          this.world.refresh(call.player, nowMs);
          break;
        case "follow":
          if (gateway === undefined) this.followed.add(call.player);
          this.recorder?.follow(call.player, nowMs);
          this.world.following?.follow(call.player, nowMs);
          break;
        case "unfollow":
          if (gateway === undefined) this.followed.delete(call.player);
          this.recorder?.unfollow(call.player);
          this.world.following?.unfollow(call.player);
          break;
        case "nothing":
          break;
      }
      return true;
    } catch {
      // The same on every node that plays this call.
      if ("player" in call) effects.push({ effect: "close", player: call.player, reason: "world-error" });
      return false;
    }
  }

  /** The owner of an account has logged in again, at any gateway: its earlier player leaves. */
  #takeOver(account: string, nowMs: number, effects: SentEffect[]): void {
    for (const { players } of this.#gateways.values()) {
      for (const [player, of] of players) {
        if (of !== account) continue;
        players.delete(player);
        this.occupants.left(player);
        this.recorder?.leave(player, nowMs);
        this.world.leave(player, nowMs);
        effects.push({ effect: "close", player, reason: "taken over by a later login" });
      }
    }
  }

  #take(effects: SentEffect[]): void {
    for (const effect of this.world.takeEffects()) {
      if (effect.effect !== "send" && effect.effect !== "broadcast") {
        this.#show(effect);
        this.recorder?.effect(effect, undefined);
        effects.push(effect);
        continue;
      }
      const { message, ...rest } = effect;
      // Its bytes may be used again by the codec's next message.
      const payload = this.#codec.write("server", message as WireMessage).slice();
      const recipients = effect.effect === "send" ? 1 : this.occupants.countIn(effect.room);
      this.traffic.messagesOut += recipients;
      this.traffic.bytesOut += recipients * payload.length;
      this.observer?.sent(effect, payload);
      this.recorder?.effect(effect, payload);
      effects.push({ ...rest, payload });
    }
  }

  #show(effect: Exclude<Effect, { effect: "send" | "broadcast" }>): void {
    switch (effect.effect) {
      case "enter":
      case "exit":
      case "show":
      case "hide":
        this.occupants.take(effect);
        return;
      case "observe":
        this.observer?.observed(effect);
        return;
      case "verdict":
        if (effect.verdict.kind !== "accept") this.traffic.verdicts += 1;
        this.observer?.verdict(effect.verdict);
        return;
      default:
    }
  }
}

/** Whether a password proved the account. */
function isLogin(account: string): boolean {
  const key = parseBanKey(account);
  return key !== undefined && banKind(key) === "login";
}
