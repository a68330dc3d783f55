import { describe, expect, it } from "vitest";
import type { SavedWorld } from "../world.ts";
import { checkSaved, type Kinds, savedOptions } from "./saved-world.ts";

interface State {
  readonly players: readonly number[];
  readonly draws: number;
  readonly motd: string | undefined;
  readonly rooms: ReadonlyMap<string, number>;
  readonly seen: Uint8Array;
  readonly options: object;
}

const members: Kinds<State> = {
  players: "array",
  draws: "number",
  motd: "string?",
  rooms: "map",
  seen: "typedArray",
  options: "object",
};
const options = { landing: "assumed", strict: false };
const expected = { world: "game/dialect", schema: 3, options, members };
const state = { players: [1], draws: 2, motd: undefined, rooms: new Map(), seen: Uint8Array.of(1), options: {} };
const saved: SavedWorld = { world: "game/dialect", schema: 3, options, state };

describe("checkSaved", () => {
  it("gives the state of the same protocol, dialect and schema", () => {
    expect(checkSaved(structuredClone(saved), expected)).toEqual(state);
    expect(checkSaved({ ...saved, state: { ...state, motd: "hello" } }, expected).motd).toBe("hello");
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
    [{ ...saved, state: { ...state, more: 1 } }, new TypeError("Cannot restore: state.more is unknown")],
    [{ ...saved, state: { ...state, players: {} } }, new TypeError("Cannot restore: state.players must be array")],
    [{ ...saved, state: { ...state, draws: "2" } }, new TypeError("Cannot restore: state.draws must be number")],
    [{ ...saved, state: { ...state, draws: undefined } }, new TypeError("Cannot restore: state.draws must be number")],
    [{ ...saved, state: { ...state, motd: 1 } }, new TypeError("Cannot restore: state.motd must be string?")],
    [{ ...saved, state: { ...state, rooms: [] } }, new TypeError("Cannot restore: state.rooms must be map")],
    [{ ...saved, state: { ...state, seen: [1] } }, new TypeError("Cannot restore: state.seen must be typedArray")],
    [{ ...saved, state: { ...state, options: [] } }, new TypeError("Cannot restore: state.options must be object")],
  ])("refuses %j", (wrong, error) => {
    expect(() => checkSaved(wrong as SavedWorld, expected)).toThrow(error);
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
