/**
 * The voice of dialects whose only message is MOVE_PLAYER: moves bring newcomers up to date, releases stand for leaving,
 * and a landing stands for arriving (docs/protocols/slime-online-2.md, standard 9.1, 9.4, 9.5, 9.6).
 */
import type { PlayerId } from "../../../motion/index.ts";
import type { SlimeServerMessage } from "../wire/codec.ts";
import { type Direction, directionRow } from "../wire/direction.ts";
import { movePlayer } from "../wire/move-player.ts";
import { type Place, wirePlace } from "./ghost.ts";
import type { Player } from "./player.ts";
import type { Voice, VoiceContext } from "./voice.ts";

export class MovementVoice implements Voice {
  readonly hasLogin = false;
  readonly #context: VoiceContext;

  constructor(context: VoiceContext) {
    this.#context = context;
  }

  joined(): void {}

  started(player: Player, nowMs: number): void {
    this.#showRoom(player, nowMs);
  }

  leaving(player: Player, nowMs: number): void {
    this.#releaseKeys(player, nowMs);
  }

  left(): void {}

  leavingRoom(player: Player, nowMs: number): void {
    this.#releaseKeys(player, nowMs);
  }

  enteredRoom(player: Player, at: Place, nowMs: number): void {
    // To the player itself too: the landing also sends its client the new place.
    this.#context.effects.broadcast(String(player.room), undefined, moveNotice(player.id, "landing", at));
    this.#showRoom(player, nowMs);
  }

  commandWarp(): void {}

  correct(player: Player, at: Place): void {
    this.#context.effects.send(player.id, moveNotice(player.id, "landing", at));
  }

  refresh(player: Player, nowMs: number): void {
    this.#showRoom(player, nowMs);
  }

  introduced(): void {}

  pinged(): void {}

  tick(): void {}

  /** Held keys are released for the room: they would make a ghost walk into a wall for ever. */
  #releaseKeys(player: Player, nowMs: number): void {
    const { ileft, iright, iup, idown } = player.known;
    const at = this.#context.placeOf(player, nowMs);
    const release = (direction: Direction): void =>
      this.#context.effects.broadcast(String(player.room), player.id, moveNotice(player.id, direction, at));
    if (ileft) release(player.placed ? "leftRelease" : "leftReleaseAir");
    if (iright) release(player.placed ? "rightRelease" : "rightReleaseAir");
    if (iup) release("upRelease");
    if (idown) release("downRelease");
  }

  /** Sends a player the moves that reproduce each other player in its room. */
  #showRoom(player: Player, nowMs: number): void {
    for (const other of this.#context.playersIn(player.room)) {
      if (other === player || !other.mayBeShown) continue;
      for (const { direction, at } of movesThatReproduce(other, this.#context.placeOf(other, nowMs))) {
        this.#context.effects.send(player.id, moveNotice(other.id, direction, at));
      }
    }
  }
}

interface PlacedMove {
  readonly direction: Direction;
  readonly at: Place;
}

/**
 * The moves after which a receiver has a player as it is: keys at the place that the player reported last, then, if it
 * has moved on since, a landing where it is `now`.
 */
function movesThatReproduce(player: Player, now: Place): readonly PlacedMove[] {
  const { ileft, iright, iup, idown } = player.known;
  const moves: PlacedMove[] = [];
  const add = (direction: Direction, at: Place): void => {
    moves.push({ direction, at });
  };
  if (player.placed && player.ghost.state.free) {
    // A landing sets the place and a press of up takes off again: no single message means "in the air at this place".
    add("landing", now);
    add("upPress", now);
    if (!iup) add("upRelease", now);
  }
  if (!player.placed || player.ghost.state.free) {
    // These codes carry no place. Without a reported one the server would have to make it up.
    if (ileft) add("leftPressAir", now);
    if (iright) add("rightPressAir", now);
    if (idown) add("downPress", now);
    return moves;
  }
  const last = wirePlace(player.known);
  if (iup) add("upPress", last);
  if (ileft) add("leftPress", last);
  if (iright) add("rightPress", last);
  if (idown) add("downPress", last);
  const isThere = (ileft || iright) && last.x === now.x && last.y === now.y;
  // After a press of up only a landing puts the player on the ground again.
  if (iup || !isThere) add("landing", now);
  return moves;
}

/** A move of a player, with as much of the place as its code carries. */
function moveNotice(playerId: PlayerId, direction: Direction, { x, y }: Place): SlimeServerMessage {
  const { position } = directionRow(direction);
  const move = movePlayer(direction, position === "none" ? undefined : x, position === "xy" ? y : undefined);
  return { message: "movePlayer", value: { playerId, ...move } };
}
