/** A stage for tests of the world: it lets time pass, sends messages and records what each player receives. */

import type { PlayerId, Verdict } from "../../../motion/index.ts";
import { expectEqual } from "../../../testing/inner-loops.ts";
import type { Effect, Joining } from "../../world.ts";
import { type SlimeClientMessage, type SlimeServerMessage, slimeCodec } from "../wire/codec.ts";
import type { SlimeDialect } from "../wire/dialect.ts";
import type { Direction } from "../wire/direction.ts";
import { moveMessage } from "../wire/move-player.ts";
import { SlimeWorld, type SlimeWorldOptions } from "../world/world.ts";

/** A world's options; the dialect is `documented` unless named. */
export type Options = Partial<SlimeWorldOptions> & { dialect?: SlimeDialect };

/** The members of a world, for worlds that are made of worlds. */
export type AnyWorld = Pick<SlimeWorld, keyof SlimeWorld>;

/** A world with a client for every player: messages go in, and what each player is sent is recorded. */
export class Stage {
  readonly world: AnyWorld;
  readonly dialect: SlimeDialect;
  now = 0;
  /** Everything since the start, in order. */
  readonly effects: Effect<SlimeServerMessage>[] = [];
  readonly #received = new Map<PlayerId, SlimeServerMessage[]>();
  readonly #rooms = new Map<PlayerId, string>();

  constructor(options: Options = {}, create = (all: SlimeWorldOptions): AnyWorld => new SlimeWorld(all)) {
    this.dialect = options.dialect ?? "documented";
    this.world = create({ seed: 1, ...options, dialect: this.dialect });
  }

  /** Lets time pass, with the ticks that a server would make. */
  to(ms: number): this {
    while (this.now + this.world.tickMs <= ms) {
      this.now += this.world.tickMs;
      this.world.tick(this.now);
      this.settle();
    }
    this.now = ms;
    return this;
  }

  join(id: PlayerId, joining: Partial<Joining> = {}): this {
    this.world.join(id, { account: `account${id}`, name: `player${id}`, ...joining }, this.now);
    this.settle();
    return this;
  }

  leave(id: PlayerId): this {
    this.world.leave(id, this.now);
    this.settle();
    return this;
  }

  /** A move. Gives the verdicts on it, in short. */
  move(id: PlayerId, direction: Direction, x?: number, y?: number): string[] {
    return this.send(id, moveMessage(direction, x, y));
  }

  send(id: PlayerId, message: SlimeClientMessage): string[] {
    const before = this.effects.length;
    this.world.receive(id, message, slimeCodec(this.dialect).write("client", message), this.now);
    this.settle();
    return this.effects
      .slice(before)
      .flatMap((effect) => (effect.effect === "verdict" ? [`${effect.verdict.kind} ${effect.verdict.rule}`] : []));
  }

  refresh(id: PlayerId): this {
    this.world.refresh(id, this.now);
    this.settle();
    return this;
  }

  settle(): void {
    for (const effect of this.world.takeEffects()) {
      this.effects.push(effect);
      if (effect.effect === "enter") this.#rooms.set(effect.player, effect.room);
      if (effect.effect === "exit") this.#rooms.delete(effect.player);
      if (effect.effect === "send") this.#record(effect.to, effect.message);
      if (effect.effect === "broadcast") {
        for (const [id, room] of this.#rooms) {
          if (room === effect.room && id !== effect.except) this.#record(id, effect.message);
        }
      }
    }
  }

  #record(id: PlayerId, message: SlimeServerMessage): void {
    // Whatever a world sends must have bytes.
    const bytes = slimeCodec(this.dialect).write("server", message);
    expectEqual(slimeCodec(this.dialect).read("server", bytes), message);
    const received = this.#received.get(id) ?? [];
    this.#received.set(id, received);
    received.push(message);
  }

  /** What a player was sent since the last call, moves in short. */
  received(id: PlayerId): (string | SlimeServerMessage)[] {
    const received = this.#received.get(id) ?? [];
    this.#received.delete(id);
    return received.map((message) => {
      if (message.message !== "movePlayer") return message;
      const { playerId, direction, x, y } = message.value;
      return [playerId, direction, x, y].filter((part) => part !== undefined).join(" ");
    });
  }

  get verdicts(): Verdict[] {
    return this.effects.flatMap((effect) => (effect.effect === "verdict" ? [effect.verdict] : []));
  }

  of<E extends Effect["effect"]>(kind: E): Extract<Effect<SlimeServerMessage>, { effect: E }>[] {
    return this.effects.filter((effect) => effect.effect === kind) as never;
  }

  /** All of a world that can be seen: tracks, rooms, and what each player would be sent to bring it up to date. */
  picture(): unknown {
    const { world, now } = this;
    const tracks = world.tracks(now);
    world.takeEffects();
    for (const { player } of tracks) world.refresh(player, now);
    return { tracks, rooms: [...world.rooms()], sent: world.takeEffects() };
  }
}

/** Player 1 stands at (448, 160), player 2 receives. Both have been in the room for a second. */
export function pair(options: Options = {}): Stage {
  const stage = new Stage(options).join(1).join(2);
  stage.move(1, "landing", 448, 160);
  stage.to(1000).received(1);
  stage.received(2);
  return stage;
}
