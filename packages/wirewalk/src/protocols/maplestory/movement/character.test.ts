import { describe, expect, it } from "vitest";
import { portalKinds } from "../maps/map.ts";
import { footholdsAlong, writtenMap } from "../maps/testing/written-map.ts";
import type { V62MovePlayer } from "../wire/codec.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import { Character, keyNibble } from "./character.ts";
import { durationOf } from "./nodes.ts";
import type { Keys } from "./walker.ts";

const plain = writtenMap({
  mapId: 9,
  title: "Plain",
  footholds: footholdsAlong([
    [0, 100],
    [900, 100],
  ]),
  portals: [{ id: 0, name: "door", kind: portalKinds.visible, x: 400, y: 100, target: { mapId: 1, portal: "start" } }],
});

function character(at: Point, dialect = "v62"): Character {
  return new Character({ dialect, map: plain, at, fieldKey: 5 });
}

function play(who: Character, keys: Keys, steps: number): readonly V62MovePlayer[] {
  const sent: V62MovePlayer[] = [];
  for (let step = 0; step < steps; step++) {
    const message = who.step(keys);
    if (message !== undefined) sent.push(message.value as V62MovePlayer);
  }
  return sent;
}

describe("a character", () => {
  it("sends every 510 ms where it went, with the keys of each step, and nothing while it stands", () => {
    const who = character({ x: 10, y: 100 });
    expect(play(who, {}, 100)).toEqual([]);
    const sent = play(who, { right: true }, 34);
    expect(sent.map(({ fragments }) => durationOf(fragments))).toEqual([510, 510]);
    expect(sent.at(-1)?.keypad).toEqual(new Array(17).fill(keyNibble({ right: true })));
    expect(sent[1]?.start).toEqual({ x: sent[0]?.fragments.at(-1)?.x, y: 100 });
    expect(sent[0]?.fieldKey).toBe(5);
  });

  it("sends every 500 ms in documented, with zeros around the fragments", () => {
    const who = character({ x: 10, y: 100 }, "documented");
    const sent = Array.from({ length: 10 }, () => who.step({ right: true }));
    expect(sent.findIndex((message) => message !== undefined)).toBe(9);
    expect(sent[9]?.value).toMatchObject({ head: new Uint8Array(5), tail: new Uint8Array(18) });
  });

  it("asks a portal to open once for each time that up is pressed there, even when nothing else has changed", () => {
    const who = character({ x: 395, y: 100 });
    const sent = play(who, { up: true }, 5);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ start: { x: 395, y: 100 }, keypad: [keyNibble({ up: true })] });
    expect(durationOf(sent[0]?.fragments ?? [])).toBe(30);
    play(who, {}, 1);
    expect(play(who, { up: true }, 5)).toHaveLength(1);
    expect(play(character({ x: 300, y: 100 }), { up: true }, 5)).toEqual([]);
  });

  it("sits down where it stands until a key moves it", () => {
    const who = character({ x: 10, y: 100 });
    who.sit();
    const sent = play(who, {}, 17);
    expect(sent[0]?.fragments[0]).toMatchObject({ type: 11, state: stances.sit << 1 });
    who.step({ left: true });
    expect(who.state >> 1).toBe(stances.walk);
  });
});
