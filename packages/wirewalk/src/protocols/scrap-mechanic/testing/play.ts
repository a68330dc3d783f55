/**
 * Bots and a world with a bad network between them, on one virtual clock. Unlike the simulation that all protocols share
 * it can lose packets for good, and looks into both ends: what the client predicted, what the server made of it.
 *
 * @module
 */
import { createRandom, type PlayerId, type Verdict } from "../../../motion/index.ts";
import { type Delivery, type NetworkConditions, NetworkLink, VirtualClock } from "../../../net/index.ts";
import { ScrapBot, type ScrapBotOptions } from "../bots/bot.ts";
import { type ScrapServerMessage, scrapCodec } from "../wire/codec.ts";
import type { UnreliableUpdate } from "../wire/unreliable-update.ts";
import { ScrapWorld, type ScrapWorldOptions } from "../world/world.ts";

export interface PlayOptions {
  readonly count: number;
  /** Players per room: each receives updates of all others in it 40 times a second. */
  readonly perRoom: number;
  readonly durationMs: number;
  readonly seed: number;
  readonly delivery: Delivery;
  readonly conditions: NetworkConditions;
  /** From then on the network is the best there is, and the bots say nothing more from `silentMs` on. */
  readonly calmMs?: number;
  readonly silentMs?: number;
  readonly bot?: (number: number) => Partial<ScrapBotOptions>;
  readonly world?: Partial<ScrapWorldOptions>;
  /** After a bot has taken in what the server said. */
  readonly onTold?: (bot: ScrapBot, update: UnreliableUpdate) => void;
}

export interface Played {
  readonly world: ScrapWorld;
  /** By number; the player's id is one more. */
  readonly bots: readonly ScrapBot[];
  readonly verdicts: readonly Verdict[];
  readonly closed: readonly PlayerId[];
  /** Packets sent and taken in. */
  readonly sent: number;
  readonly received: number;
}

const calm: NetworkConditions = { latencyMs: { low: 5, high: 5 }, jitterMs: 0 };

/** Plays it all. Equal options give equal results. */
export function play(options: PlayOptions): Played {
  const { count, perRoom, durationMs, seed, delivery, conditions } = options;
  const { calmMs = Number.POSITIVE_INFINITY, silentMs = Number.POSITIVE_INFINITY } = options;
  const codec = scrapCodec("documented");
  const clock = new VirtualClock();
  const random = createRandom(seed);
  const world = new ScrapWorld({ dialect: "documented", seed, ...options.world });
  const verdicts: Verdict[] = [];
  const closed: PlayerId[] = [];
  const rooms = new Map<string, Set<PlayerId>>();
  let sent = 0;
  let received = 0;

  /** One direction of one connection: bad first, calm later. */
  const lineOf = (): ((bytes: Uint8Array, take: (bytes: Uint8Array) => void) => void) => {
    const bad = new NetworkLink({ conditions, delivery, random });
    const good = new NetworkLink({ conditions: calm, delivery, random });
    return (bytes, take) => {
      const nowMs = clock.now();
      const link = nowMs < calmMs ? bad : good;
      for (const atMs of link.send(nowMs)) clock.after(atMs - nowMs, () => take(bytes));
    };
  };

  const listeners = new Map<PlayerId, (packet: Uint8Array) => void>();
  const tell = (player: PlayerId, message: ScrapServerMessage): void => {
    listeners.get(player)?.(codec.write("server", message));
  };
  const settle = (): void => {
    for (const effect of world.takeEffects()) {
      if (effect.effect === "send") tell(effect.to, effect.message);
      else if (effect.effect === "verdict") verdicts.push(effect.verdict);
      else if (effect.effect === "close") closed.push(effect.player);
      else if (effect.effect === "enter") {
        rooms.set(effect.room, (rooms.get(effect.room) ?? new Set()).add(effect.player));
      } else if (effect.effect === "broadcast") {
        for (const player of rooms.get(effect.room) ?? []) if (player !== effect.except) tell(player, effect.message);
      }
    }
  };

  const bots = Array.from({ length: count }, (_, number) => {
    const bot = new ScrapBot({
      dialect: "documented",
      random: random.fork(),
      number,
      cheat: "none",
      ...options.bot?.(number),
    });
    const player = number + 1;
    const up = lineOf();
    const down = lineOf();
    const say = (messages: ReturnType<ScrapBot["step"]>): void => {
      for (const message of messages) {
        sent += 1;
        up(codec.write("client", message), (packet) => {
          received += 1;
          world.receive(player, codec.read("client", packet), packet, clock.now());
          settle();
        });
      }
    };
    listeners.set(player, (packet) =>
      down(packet, (arrived) => {
        const message = codec.read("server", arrived);
        bot.receive(message, clock.now());
        if (message.message === "unreliableUpdate") options.onTold?.(bot, message.value);
      }),
    );
    clock.after(number * 7, () => {
      world.join(
        player,
        { account: `bot ${number}`, name: `bot ${number}`, room: `${1 + Math.floor(number / perRoom)}` },
        clock.now(),
      );
      // The session's two messages go by a way that loses nothing: only movement may be lost.
      world.receive(player, { message: "hello", value: { version: 1 } }, new Uint8Array([0xf0, 1]), clock.now());
      bot.start(clock.now());
      for (const effect of world.takeEffects()) {
        if (effect.effect === "send") bot.receive(effect.message, clock.now());
        else if (effect.effect === "enter") rooms.set(effect.room, (rooms.get(effect.room) ?? new Set()).add(player));
      }
      clock.every(bot.stepMs, () => {
        if (clock.now() < silentMs) say(bot.step(clock.now()));
      });
    });
    return bot;
  });
  clock.every(world.tickMs, () => {
    world.tick(clock.now());
    settle();
  });
  clock.advanceTo(durationMs);
  return { world, bots, verdicts, closed, sent, received };
}
