/**
 * The ticks of a character: a packet waits in its player's buffer until its tick is due by the player's time budget. Each tick is
 * played once, in order, and no faster than time passes (docs/protocols/scrap-mechanic.md, standard 8).
 */
import type { Verdict } from "../../../motion/index.ts";
import { type Responses, respond } from "../../responses.ts";
import type { InputStep } from "../movement/input-buffer.ts";
import { type MovementModel, stepCharacter, TICK_MS } from "../movement/model.ts";
import type { Place } from "../movement/place.ts";
import type { PlayerMovement } from "../wire/player-movement.ts";
import { type Character, noKeys } from "./character.ts";
import type { ScrapLimits } from "./limits.ts";
import { evidenceOf } from "./observations.ts";
import {
  changedTick,
  type Finding,
  isFarAhead,
  judgeClock,
  judgeReplays,
  judgeTickAhead,
  savedTicks,
} from "./rules.ts";

/** Ticks of one player that are played in one tick of ours: after a stall of two seconds it is level again in 0.7 s. */
const MAX_STEPS = 4;
/** The longest wait for a tick that is due when later ones have arrived. */
const MAX_GRACE_MS = 100;
/** Use keys of one player that wait for its ticks; further ones are ignored. */
const MAX_USES = 64;
const TICKS_PER_SECOND = 1000 / TICK_MS;

export interface CharacterTicksOptions {
  readonly model: MovementModel;
  /** Of a room. */
  readonly place: (room: string) => Place;
  readonly limits: ScrapLimits;
  readonly responses: Responses;
  readonly verdict: (verdict: Verdict) => void;
  /** Sits down or stands up. */
  readonly use: (character: Character, nowMs: number) => void;
}

/** `stalledMs` are all stalls of our own process until now. */
export class CharacterTicks {
  readonly #options: CharacterTicksOptions;

  constructor(options: CharacterTicksOptions) {
    this.#options = options;
  }

  /** A packet has come: it waits in the buffer until its tick is due, or is refused. */
  receive(character: Character, movement: PlayerMovement, payload: Uint8Array, nowMs: number, stalledMs: number): void {
    const { buffer, budget } = character;
    // The buffer keeps it until its tick is played, and verdicts about the clock show the last one.
    const packet = payload.slice();
    if (this.#refusesAhead(character, buffer.unwrap(movement.tick), packet, nowMs)) return;
    character.packet = packet;
    const { outcome, tick } = buffer.push(movement, nowMs, packet);
    if (outcome === "new") {
      budget.arrived(tick, nowMs, stalledMs);
      return;
    }
    const behind = (buffer.played ?? tick) - tick;
    if (outcome === "late" && behind < this.#options.limits.lateTicks) budget.arrived(tick, nowMs, stalledMs);
    this.#countReplay(character, tick, nowMs);
    if (outcome === "changed") this.#report(character, packet, nowMs, changedTick(behind));
  }

  /**
   * The use key has come: it has its effect where the player was when it pressed it, so it waits until the ticks that arrived before it
   * are played.
   */
  use(character: Character, nowMs: number): void {
    const { buffer, uses } = character;
    if (!buffer.waits(Number.POSITIVE_INFINITY)) this.#options.use(character, nowMs);
    else if (uses.length < MAX_USES) uses.push(buffer.newest as number);
  }

  #refusesAhead(character: Character, tick: number, packet: Uint8Array, nowMs: number): boolean {
    const { buffer, budget } = character;
    const aheadMs = budget.earliestMs(tick) - nowMs;
    const { limits } = this.#options;
    if (!isFarAhead(aheadMs, limits)) {
      character.refusedSinceMs = undefined;
      return false;
    }
    character.refusedSinceMs ??= nowMs;
    const finding = judgeTickAhead(aheadMs, nowMs - character.refusedSinceMs, limits);
    this.#report(character, packet, nowMs, finding);
    if (finding.kind === "reject") return true;
    character.refusedSinceMs = undefined;
    budget.restart(tick, nowMs);
    buffer.restart(tick);
    return false;
  }

  #countReplay(character: Character, tick: number, nowMs: number): void {
    // A second of ticks may arrive at once, after a stall: it is a second all the same.
    if (nowMs - character.replaysSinceMs >= 1000 || tick - character.replaysSinceTick >= TICKS_PER_SECOND) {
      character.replays = 0;
      character.replaysSinceMs = nowMs;
      character.replaysSinceTick = tick;
    }
    character.replays += 1;
    this.#report(character, character.packet, nowMs, judgeReplays(character.replays, this.#options.limits));
  }

  /** Plays the ticks that are due. */
  play(character: Character, nowMs: number, stalledMs: number): void {
    const { budget, buffer, saved, packet } = character;
    const due = budget.dueTick(nowMs, stalledMs);
    // Where packets wait for each other anyway, one that was overtaken may still come; elsewhere it is lost.
    const graceMs = Math.min(budget.delayMs, MAX_GRACE_MS);
    const limit = Math.min(MAX_STEPS, saved.pass(nowMs));
    const count = buffer.play({ due, limit, nowMs, graceMs }, (step) => this.#step(character, step, nowMs));
    if (saved.played(count, buffer.waits(due))) {
      this.#report(character, packet, nowMs, savedTicks(saved.heldMs, this.#options.limits));
    }
    this.#report(character, packet, nowMs, judgeClock(budget, this.#options.limits));
  }

  #step(character: Character, { tick, movement: sent, received, packet }: InputStep, nowMs: number): void {
    const { seatedTick, state } = character;
    let movement = sent;
    if (received && packet !== undefined) {
      // By the tick, not by the time of arrival: what a stall held back was sent before the client knew.
      const isSeated = seatedTick !== undefined && tick >= seatedTick + this.#options.limits.seatedGraceTicks;
      for (const found of character.rules.judge(sent, tick, isSeated)) {
        const kind = respond("flag", this.#options.responses[found.rule]);
        if (kind === "reject") movement = { ...character.movement, tick: sent.tick, keys: noKeys };
        this.#report(character, packet, nowMs, { ...found, kind });
      }
    }
    character.movement = movement;
    const { model, place } = this.#options;
    const { ground, ceiling } = place(character.room);
    const input = seatedTick === undefined ? movement : { ...movement, keys: noKeys };
    stepCharacter(state, input, model, ground, ceiling);
    for (const { uses } = character; (uses[0] ?? tick + 1) <= tick; uses.shift()) this.#options.use(character, nowMs);
  }

  /** A verdict on what was found, unless the same rule has just given one about the same player. */
  #report(character: Character, message: Uint8Array, nowMs: number, finding: Finding | undefined): void {
    if (finding === undefined) return;
    const { player, room, foundMs } = character;
    const lastMs = foundMs.get(finding.rule);
    if (lastMs !== undefined && nowMs - lastMs < this.#options.limits.repeatMs) return;
    foundMs.set(finding.rule, nowMs);
    this.#options.verdict({ ...finding, player, room, atMs: nowMs, message, stateBefore: evidenceOf(character) });
  }
}
