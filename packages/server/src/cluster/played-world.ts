/**
 * A **played world**: a world with the position of its gateways. Logged calls in, effects out; the same calls give the same
 * effects on every node. It is what a snapshot holds.
 */
import { decodeCbor, encodeCbor } from "@wirewalk/recording";
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Effect, PayloadCodec, SavedWorld, WireMessage, World } from "wirewalk/protocol";
import { banKind, parseBanKey } from "../ban-key.ts";
import {
  type CallSource,
  isCount,
  isObject,
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
}

export class PlayedWorld {
  readonly world: World;
  readonly #codec: PayloadCodec;
  readonly occupants = new Occupants();
  /** Since this node has the world. */
  readonly traffic: PlayedTraffic = { messagesIn: 0, bytesIn: 0, messagesOut: 0, bytesOut: 0, verdicts: 0 };
  /** Receives what spectators are shown. */
  observer: PlayedObserver | undefined;
  readonly #gateways = new Map<string, Gateway>();
  #nowMs = 0;

  constructor(world: World, codec: PayloadCodec) {
    this.world = world;
    this.#codec = codec;
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
      this.#call(call, nowMs, gateway, effects);
      this.#take(effects);
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
    return encodeCbor({ version: 1, ...place, gateways, occupants: this.occupants.save(), world: this.world.save() });
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
  ): void {
    try {
      switch (call.call) {
        case "tick":
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
          this.world.join(player, joining, nowMs);
          this.occupants.joined(player, joining.name);
          gateway?.players.set(player, joining.account);
          break;
        }
        case "leave":
          for (const each of this.#gateways.values()) each.players.delete(call.player);
          // The world may throw.
          this.occupants.left(call.player);
          this.world.leave(call.player, nowMs);
          break;
        case "receive":
          this.traffic.messagesIn += 1;
          this.traffic.bytesIn += call.payload.length;
          this.world.receive(call.player, this.#codec.read("client", call.payload), call.payload, nowMs);
          break;
        case "refresh":
          this.world.refresh(call.player, nowMs);
          break;
        case "follow":
          this.world.following?.follow(call.player, nowMs);
          break;
        case "unfollow":
          this.world.following?.unfollow(call.player);
          break;
        case "nothing":
          break;
      }
    } catch {
      // The same on every node that plays this call.
      if ("player" in call) effects.push({ effect: "close", player: call.player, reason: "world-error" });
    }
  }

  /** The owner of an account has logged in again, at any gateway: its earlier player leaves. */
  #takeOver(account: string, nowMs: number, effects: SentEffect[]): void {
    for (const { players } of this.#gateways.values()) {
      for (const [player, of] of players) {
        if (of !== account) continue;
        players.delete(player);
        this.occupants.left(player);
        this.world.leave(player, nowMs);
        effects.push({ effect: "close", player, reason: "taken over by a later login" });
      }
    }
  }

  #take(effects: SentEffect[]): void {
    for (const effect of this.world.takeEffects()) {
      if (effect.effect !== "send" && effect.effect !== "broadcast") {
        this.#show(effect);
        effects.push(effect);
        continue;
      }
      const { message, ...rest } = effect;
      // Its bytes may be used again by the codec's next message.
      const payload = this.#codec.write("server", message as WireMessage).slice();
      const recipients = effect.effect === "send" ? 1 : this.occupants.countIn(effect.room);
      this.traffic.messagesOut += recipients;
      this.traffic.bytesOut += recipients * payload.length;
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
