/** A world on a stage: a test says what players send and reads what they are sent. */
import type { Verdict } from "../../../motion/index.ts";
import type { Effect } from "../../world.ts";
import { createCharacter, movementModel, stepCharacter, TICK_MS } from "../movement/model.ts";
import { type ScrapClientMessage, type ScrapServerMessage, scrapCodec } from "../wire/codec.ts";
import { keySets, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";
import type { Playing } from "../wire/session.ts";
import type { CharacterUpdate, UnreliableUpdate } from "../wire/unreliable-update.ts";
import { ScrapWorld, type ScrapWorldOptions } from "../world/world.ts";

export const codec = scrapCodec("documented");
export const keys = (byte: number): MovementKeys => keySets[byte] as MovementKeys;
export const WALK = 4;
export const SPRINT = 12;

/** A world, its clock, and what it says. */
export class Stage {
  readonly world: ScrapWorld;
  nowMs = 1000;
  readonly effects: Effect<ScrapServerMessage>[] = [];

  constructor(options: Partial<ScrapWorldOptions> = {}) {
    this.world = new ScrapWorld({ dialect: "documented", seed: 1, ...options });
  }

  join(player: number, room?: string, account = `account ${player}`): void {
    const joining = { account, name: `player ${player}` };
    this.world.join(player, room === undefined ? joining : { ...joining, room }, this.nowMs);
    this.#take();
  }

  say(player: number, message: ScrapClientMessage): readonly Effect<ScrapServerMessage>[] {
    this.world.receive(player, message, codec.write("client", message), this.nowMs);
    return this.#take();
  }

  /** Joins, says hello, and gives what the server answers. */
  enter(player: number, room?: string, account?: string): Playing {
    this.join(player, room, account);
    const [, answer] = this.say(player, { message: "hello", value: { version: 1 } });
    if (answer?.effect !== "send" || answer.message.message !== "playing") throw new Error("not playing");
    return answer.message.value;
  }

  leave(player: number): void {
    this.world.leave(player, this.nowMs);
    this.#take();
  }

  move(player: number, tick: number, more: Partial<PlayerMovement> = {}): void {
    const value = { tick: tick >>> 0, keys: keys(WALK), direction: 64, yaw: 0, pitch: 64, ...more };
    this.say(player, { message: "playerMovement", value });
  }

  /** Lets ticks pass. */
  pass(ticks: number): readonly Effect<ScrapServerMessage>[] {
    const before = this.effects.length;
    for (let count = 0; count < ticks; count++) {
      this.nowMs += TICK_MS;
      this.world.tick(this.nowMs);
      this.#take();
    }
    return this.effects.slice(before);
  }

  get verdicts(): readonly Verdict[] {
    return this.effects.flatMap((effect) => (effect.effect === "verdict" ? [effect.verdict] : []));
  }

  /** The last update that the player was sent. */
  lastUpdate(player: number): UnreliableUpdate {
    const sends = this.effects.flatMap((effect) =>
      effect.effect === "send" && effect.to === player && effect.message.message === "unreliableUpdate"
        ? [effect.message.value]
        : [],
    );
    const last = sends.at(-1);
    if (last === undefined) throw new Error(`player ${player} was sent no update`);
    return last;
  }

  own(player: number): CharacterUpdate {
    const own = this.lastUpdate(player).updates.find((update) => update.kind === "character" && update.id === player);
    if (own?.kind !== "character") throw new Error(`player ${player} is nowhere`);
    return own;
  }

  #take(): readonly Effect<ScrapServerMessage>[] {
    const effects = this.world.takeEffects();
    this.effects.push(...effects);
    return effects;
  }
}

/** Where a character ends that plays these keys, a tick each. */
export function walked(from: Playing, inputs: readonly Partial<PlayerMovement>[]): { x: number; y: number; z: number } {
  const state = createCharacter(movementModel, from.position);
  for (const each of inputs) stepCharacter(state, { keys: keys(WALK), direction: 64, yaw: 0, ...each }, movementModel);
  return { x: state.x, y: state.y, z: state.z };
}
