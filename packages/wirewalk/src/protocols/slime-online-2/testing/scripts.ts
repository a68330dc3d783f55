/** Random scripts for a world: messages, time, players who come and go, and what game code may do. */
import fc from "fast-check";
import type { PlayerId } from "../../../motion/index.ts";
import type { SlimeClientMessage } from "../wire/codec.ts";
import type { SlimeDialect } from "../wire/dialect.ts";
import { directions } from "../wire/direction.ts";
import { moveMessage } from "../wire/move-player.ts";
import type { Stage } from "./stage.ts";

/** One thing that happens in a world. */
export type Step =
  | { readonly do: "send"; readonly id: PlayerId; readonly message: SlimeClientMessage }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "join" | "leave" | "refresh" | "allow"; readonly id: PlayerId }
  | { readonly do: "soda"; readonly id: PlayerId; readonly speed: number }
  | { readonly do: "warp"; readonly id: PlayerId; readonly room: number; readonly command: boolean };

const ids = fc.integer({ min: 1, max: 4 });
const anyU16 = fc.integer({ min: 0, max: 0xffff });
const nearby = fc.integer({ min: 400, max: 500 });

/** Any sequence of things that may happen in a world of the dialect, with up to four players. */
export function steps(dialect: SlimeDialect): fc.Arbitrary<Step[]> {
  const signed = dialect === "v0106";
  const coordinate = fc.oneof({ weight: 3, arbitrary: nearby }, { weight: 1, arbitrary: anyU16 });
  const jumpX = signed ? fc.oneof(nearby, fc.integer({ min: -0x8000, max: 0x7fff })) : coordinate;
  const move = fc.constantFrom(...directions).chain(({ name, position }): fc.Arbitrary<SlimeClientMessage> => {
    if (position === "none") return fc.constant(moveMessage(name));
    if (position === "x") return jumpX.map((x) => moveMessage(name, x));
    return fc.tuple(coordinate, coordinate).map(([x, y]) => moveMessage(name, x, y));
  });
  const text = fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: 20 }).map((all) => String.fromCharCode(...all));
  const at = { x: coordinate, y: coordinate };
  const other: fc.Arbitrary<SlimeClientMessage> = fc.oneof(
    fc.record({
      message: fc.constant("warp" as const),
      value: fc.record({ room: fc.integer({ min: 0, max: 3 }), ...at }),
    }),
    fc.record({ message: fc.constant("playerStop" as const), value: fc.record(at) }),
    fc.record({ message: fc.constant("newPlayer" as const), value: fc.record({ playerId: ids, ...at }) }),
    fc.record({ message: fc.constant("chat" as const), value: fc.record({ text }) }),
    fc.constantFrom({ message: "ping", value: {} } as const, { message: "logout", value: {} } as const),
    fc.record({
      message: fc.constant("login" as const),
      value: fc.record({ version: text, user: text, password: text, mac: text }),
    }),
  );
  const message = signed ? fc.oneof({ weight: 4, arbitrary: move }, { weight: 1, arbitrary: other }) : move;
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 12, arbitrary: fc.record({ do: fc.constant("send" as const), id: ids, message }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.oneof(fc.nat(200), fc.nat(90_000)) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom("join" as const, "leave" as const, "refresh" as const, "allow" as const),
        id: ids,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("soda" as const),
        id: ids,
        speed: fc.double({ min: 0.01, max: 1000, noNaN: true }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("warp" as const), id: ids, room: anyU16, command: fc.boolean() }),
    },
  );
  return fc.array(step, { maxLength: 120 });
}

/** Plays a script, and checks after every step that all tracks are finite. */
export function play(stage: Stage, script: readonly Step[]): Stage {
  const present = new Set<PlayerId>();
  for (const step of script) {
    if (step.do === "wait") stage.to(stage.now + step.ms);
    else if (step.do === "send") stage.send(step.id, step.message);
    else if (step.do === "join" && !present.has(step.id)) stage.join(step.id);
    else if (step.do === "leave") stage.leave(step.id);
    else if (step.do === "refresh") stage.refresh(step.id);
    else if (present.has(step.id)) {
      if (step.do === "allow") stage.world.allowAnywhere(step.id, stage.now);
      if (step.do === "soda") stage.world.setFactors(step.id, { speed: step.speed, jump: 1 }, stage.now);
      if (step.do === "warp") stage.world.warp(step.id, step.room, 60_000, 10, stage.now, step.command);
      stage.settle();
    }
    if (step.do === "join") present.add(step.id);
    if (step.do === "leave") present.delete(step.id);
    for (const track of stage.world.tracks(stage.now)) {
      const { position, velocity } = track;
      for (const value of [position.x, position.y, velocity.x, velocity.y]) {
        if (!Number.isFinite(value)) throw new Error(`player ${track.player} is at ${value}`);
      }
    }
  }
  return stage;
}
