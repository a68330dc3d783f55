/**
 * The voice of the dialect that the shipped client speaks: login, introductions, pings, and messages for rooms and
 * positions (docs/protocols/slime-online-2.md, standard 4.3, 9.2, 9.4 to 9.7).
 */
import type { PlayerId } from "../../../motion/index.ts";
import type { SlimeServerMessage } from "../wire/codec.ts";
import { MAX_TEXT_LENGTH } from "../wire/messages.ts";
import type { Place } from "./ghost.ts";
import { answered, asked, noPings } from "./pings.ts";
import { keyFlags, type Player, wireText } from "./player.ts";
import type { Voice, VoiceContext } from "./voice.ts";

/** How long a client has to introduce itself before the server does it. */
const ANSWER_MS = 1000;

const plainAppearance = { body: 1, accessory1: 0, accessory2: 0 };

export class SessionVoice implements Voice {
  readonly hasLogin = true;
  readonly #context: VoiceContext;
  readonly #motd: string;

  /** @param motd the message of the day, which LOGIN carries. */
  constructor(context: VoiceContext, motd: string) {
    this.#context = context;
    this.#motd = wireText(motd, MAX_TEXT_LENGTH);
  }

  joined(player: Player, nowMs: number): void {
    const at = this.#context.placeOf(player, nowMs);
    this.#send(player.id, loginSuccess(player, at, this.#motd, nowMs));
    const { id: playerId, room, wireName: name } = player;
    for (const other of this.#context.players()) {
      if (other === player) continue;
      this.#send(other.id, {
        message: "newPlayer",
        value: { kind: "announce", ...at, playerId, room, name, ...plainAppearance },
      });
      other.newcomers.set(playerId, nowMs + ANSWER_MS);
    }
  }

  started(): void {}

  leaving(): void {}

  left(id: PlayerId): void {
    for (const other of this.#context.players()) {
      other.newcomers.delete(id);
      this.#send(other.id, { message: "logout", value: { playerId: id } });
    }
  }

  leavingRoom(player: Player): void {
    this.#context.effects.broadcast(String(player.room), player.id, warpLeft(player.id));
  }

  enteredRoom(player: Player, at: Place, nowMs: number): void {
    this.#context.effects.broadcast(String(player.room), player.id, warpArrived(player.id, at));
    this.#showRoom(player, nowMs);
  }

  commandWarp(id: PlayerId, room: number, { x, y }: Place): void {
    this.#send(id, { message: "warp", value: { kind: "command", x, y, room } });
  }

  correct(player: Player, at: Place): void {
    this.#send(player.id, position(player, at));
  }

  refresh(player: Player, nowMs: number): void {
    for (const other of this.#context.players()) {
      // A player that went elsewhere meanwhile would stand there for ever.
      if (other.room !== player.room) this.#send(player.id, warpLeft(other.id));
    }
    this.#showRoom(player, nowMs);
  }

  introduced(player: Player, newcomer: PlayerId, at: Place): void {
    if (player.newcomers.delete(newcomer)) this.#introduce(player, newcomer, at);
  }

  pinged(player: Player, nowMs: number): void {
    // An answer is not answered, or both ends would echo for ever; a ping of the client's own is.
    const pings = answered(player.pings, nowMs);
    if (pings !== undefined) {
      player.pings = pings;
      return;
    }
    player.pings = noPings(nowMs, true);
    this.#ping(player, nowMs);
  }

  tick(nowMs: number): void {
    for (const player of this.#context.players()) {
      if (nowMs >= player.pings.dueMs) this.#ping(player, nowMs);
      for (const [newcomer, dueMs] of player.newcomers) {
        if (dueMs > nowMs) break;
        player.newcomers.delete(newcomer);
        this.#introduce(player, newcomer, this.#context.placeOf(player, nowMs));
      }
    }
  }

  #introduce(player: Player, newcomer: PlayerId, at: Place): void {
    const { id: playerId, room, wireName: name } = player;
    const value = {
      kind: "present",
      ...at,
      playerId,
      ...keyFlags(player.known),
      room,
      name,
      ...plainAppearance,
    } as const;
    this.#send(newcomer, { message: "newPlayer", value });
  }

  /** Sends a player the place and the keys of each other player in its room. */
  #showRoom(player: Player, nowMs: number): void {
    for (const other of this.#context.playersIn(player.room)) {
      if (other === player) continue;
      const at = this.#context.placeOf(other, nowMs);
      this.#send(player.id, warpArrived(other.id, at));
      this.#send(player.id, position(other, at));
    }
  }

  #ping(player: Player, nowMs: number): void {
    player.pings = asked(player.pings, nowMs);
    this.#send(player.id, { message: "ping", value: {} });
  }

  #send(to: PlayerId, message: SlimeServerMessage): void {
    this.#context.effects.send(to, message);
  }
}

/** The account's state in a world that keeps none: nothing earned, nothing owned. */
function loginSuccess(player: Player, { x, y }: Place, motd: string, nowMs: number): SlimeServerMessage {
  const seconds = Math.floor(nowMs / 1000);
  const zeros = (count: number): number[] => new Array<number>(count).fill(0);
  return {
    message: "login",
    value: {
      result: "success",
      playerId: player.id,
      time: seconds >>> 0,
      motd,
      day: (Math.floor(seconds / 86_400) % 7) + 1,
      hour: Math.floor(seconds / 3600) % 24,
      minute: Math.floor(seconds / 60) % 60,
      name: player.wireName,
      x,
      y,
      room: player.room,
      ...plainAppearance,
      points: 0,
      signature: 0,
      quest: 0,
      questStep: 0,
      trees: 0,
      built: 0,
      emotes: zeros(5),
      outfits: zeros(9),
      accessories: zeros(9),
      items: zeros(9),
      tools: zeros(9),
    },
  };
}

function position(player: Player, at: Place): SlimeServerMessage {
  return {
    message: "position",
    value: { kind: "correction", playerId: player.id, ...at, ...keyFlags(player.known) },
  };
}

function warpLeft(playerId: PlayerId): SlimeServerMessage {
  return { message: "warp", value: { playerId, kind: "left" } };
}

function warpArrived(playerId: PlayerId, { x, y }: Place): SlimeServerMessage {
  return { message: "warp", value: { playerId, kind: "arrived", x, y } };
}
