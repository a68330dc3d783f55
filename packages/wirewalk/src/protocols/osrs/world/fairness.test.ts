/** What a client can do to the walking of bodies, and to others: nothing. */
import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import type { Effect } from "../../world.ts";
import { MouseSampler, mouseButtons } from "../mouse/movement/sampler.ts";
import { defaultOpcodes, osrs } from "../osrs.ts";
import { revision206 } from "../player-info/wire/masks/revision-206.ts";
import type { PlayerInfoServerMessage } from "../player-info/wire/message.ts";
import { OsrsWorld } from "./world.ts";

const dialect = "client";
const codec = osrs.codec(dialect);
const TICK_MS = 600;
const TICKS = 50;

/** Payloads of a hand that leaps and clicks, in the window and far beyond the map. */
function wildPackets(count: number): readonly Uint8Array[] {
  const random = createRandom(5);
  const sampler = new MouseSampler({ dialect, startMs: 0 });
  const bodies: Uint8Array[] = [];
  for (let ms = 0; bodies.length < count; ms += 20) {
    sampler.move(random.integer(-5000, 40_000), random.integer(-5000, 40_000), ms);
    if (random.chance(0.5)) sampler.press(mouseButtons.left);
    bodies.push(...sampler.step(ms));
  }
  return bodies.map((body) => Uint8Array.of(defaultOpcodes.mouseOpcode, ...body));
}

interface Played {
  /** What each player was sent, and where bodies were, tick by tick. */
  readonly sent: readonly PlayerInfoServerMessage[];
  readonly tracks: unknown;
  readonly pathPoints: number;
}

/** Two players walk for a while; the first one sends `flood` payloads in each tick. */
function play(flood: readonly Uint8Array[], perTick: number): Played {
  const world = new OsrsWorld({ dialect, seed: 3, demo: true, revision: revision206 });
  const effects: Effect<PlayerInfoServerMessage>[] = [];
  const tracks: unknown[] = [];
  for (const player of [1, 2]) world.join(player, { account: `p${player}`, name: `p${player}` }, 0);
  let next = 0;
  for (let tick = 1; tick <= TICKS; tick++) {
    const nowMs = tick * TICK_MS;
    for (let count = 0; count < perTick; count++) {
      const payload = flood[next++ % flood.length] as Uint8Array;
      world.receive(1, codec.read("client", payload), payload, nowMs);
    }
    world.tick(nowMs);
    effects.push(...world.takeEffects());
    tracks.push(world.bodies.tracks(nowMs));
  }
  return {
    sent: effects.flatMap((effect) => (effect.effect === "send" ? [effect.message] : [])),
    tracks,
    pathPoints: world.mice.session(1)?.path.length ?? 0,
  };
}

describe("walking is the server's", () => {
  it("there is no message by which a client could walk", () => {
    const client = osrs.openChannel({ side: "server", dialect, carrier: "message" });
    const opcodes = Array.from({ length: 256 }, (_, opcode) => {
      client.push(Uint8Array.of(opcode, 0, 0, 0xff, 0xff, 1, 0x2c, 1, 0x90));
      const { message } = client.next() ?? {};
      return message?.message;
    });
    expect(opcodes.filter((name) => name !== undefined)).toEqual(["mouseMove"]);
  });

  it("a flood of moves and clicks, within the map and beyond it, moves no body and changes nothing for anyone", () => {
    const quiet = play([], 0);
    const flooded = play(wildPackets(400), 100);
    expect(quiet.sent.length).toBeGreaterThan(2 * TICKS);
    expect(flooded.sent).toEqual(quiet.sent);
    expect(flooded.tracks).toEqual(quiet.tracks);
    expect(flooded.pathPoints).toBeGreaterThan(0);
    // What is kept for display is bounded, however much is sent.
    expect(flooded.pathPoints).toBeLessThanOrEqual(256);
  });
});
