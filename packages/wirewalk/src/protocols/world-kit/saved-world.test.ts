import { describe, expect, it } from "vitest";
import type { SavedWorld } from "../world.ts";
import { checkSaved, savedOptions } from "./saved-world.ts";
import { list, mapOf, maybe, number, state, text, typedArray } from "./state/describe.ts";

const described = state({
  players: list(number),
  draws: number,
  motd: maybe(text),
  rooms: mapOf(text, number),
  seen: typedArray("Uint8Array"),
  options: state({}),
});
const options = { landing: "assumed", strict: false };
const expected = { world: "game/dialect", schema: 3, options };
const plain = { players: [1], draws: 2, motd: undefined, rooms: new Map(), seen: Uint8Array.of(1), options: {} };
const saved: SavedWorld = { world: "game/dialect", schema: 3, options, state: plain };

describe("checkSaved", () => {
  it("gives the state of the same protocol, dialect and schema", () => {
    expect(checkSaved(structuredClone(saved), expected, described)).toEqual(plain);
    expect(checkSaved({ ...saved, state: { ...plain, motd: "hello" } }, expected, described).motd).toBe("hello");
  });

  it.each([
    [{ ...saved, world: "game/other" }, new RangeError('Cannot restore: saved by "game/other", not by game/dialect')],
    [{ ...saved, schema: 2 }, new RangeError("Cannot restore: schema 2, expected 3")],
    [
      { ...saved, options: { landing: "ballistic", strict: true } },
      new RangeError(
        'Cannot restore: other options: landing was "ballistic" and is "assumed", strict was true and is false',
      ),
    ],
    [
      { ...saved, options: { landing: "assumed", more: 1 } },
      new RangeError("Cannot restore: other options: strict was undefined and is false, more was 1 and is undefined"),
    ],
    [{ ...saved, options: undefined }, new TypeError("Cannot restore: options must be an object")],
    [null, new TypeError("Cannot restore: a saved world must be an object")],
    [{ ...saved, state: null }, new TypeError("Cannot restore: state must be an object")],
    [{ ...saved, state: [] }, new TypeError("Cannot restore: state must be an object")],
    [{ ...saved, state: { ...plain, more: 1 } }, new TypeError("Cannot restore: state.more is unknown")],
    [{ ...saved, state: { ...plain, players: {} } }, new TypeError("Cannot restore: state.players must be an array")],
    [{ ...saved, state: { ...plain, draws: "2" } }, new TypeError("Cannot restore: state.draws must be a number")],
    [
      { ...saved, state: { ...plain, draws: undefined } },
      new TypeError("Cannot restore: state.draws must be a number"),
    ],
    [
      { ...saved, state: { ...plain, motd: 1 } },
      new TypeError("Cannot restore: state.motd must be a text or undefined"),
    ],
    [{ ...saved, state: { ...plain, rooms: [] } }, new TypeError("Cannot restore: state.rooms must be a map")],
    [{ ...saved, state: { ...plain, seen: [1] } }, new TypeError("Cannot restore: state.seen must be a Uint8Array")],
    [{ ...saved, state: { ...plain, options: [] } }, new TypeError("Cannot restore: state.options must be an object")],
  ])("refuses %j", (wrong, error) => {
    expect(() => checkSaved(wrong as SavedWorld, expected, described)).toThrow(error);
  });
});

describe("savedOptions", () => {
  it("keeps plain options, and digests of data", () => {
    const of = savedOptions({ strict: true, motd: "hi", tickMs: 50, physics: { gravity: 0.5 } });
    expect(of).toMatchObject({ strict: true, motd: "hi", tickMs: 50 });
    expect(of.physics).toMatch(/^data [0-9a-f]{16}$/);
    expect(savedOptions({ physics: { gravity: 0.5 } }).physics).toBe(of.physics);
    expect(savedOptions({ physics: { gravity: 0.25 } }).physics).not.toBe(of.physics);
  });

  it("records that a function is given, and not what it answers", () => {
    expect(savedOptions({ maps: () => 1 })).toEqual({ maps: "function" });
  });
});
