import { describe, expect, it } from "vitest";
import { PlayerTable } from "./player-table.ts";

describe("a table of players", () => {
  it("takes ids from 1 to 65535, each once, up to its capacity", () => {
    const players = new PlayerTable<string>(2);
    for (const id of [0, -1, 65_536, 70_000, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const error = new RangeError(`Cannot join: id must be 1..65535, got ${id}`);
      expect(() => players.checkJoin(id, undefined)).toThrow(error);
      expect(() => players.add(id, "nobody")).toThrow(error);
    }
    players.add(65_535, "last");
    expect(() => players.checkJoin(65_535, undefined)).toThrow(
      new RangeError("Cannot join: player 65535 is here already"),
    );
    expect(players.isFull).toBe(false);
    players.add(1, "first");
    expect(players.isFull).toBe(true);
    expect(() => players.add(2, "third")).toThrow(new RangeError("Cannot join: full"));
    expect([...players.entries()]).toEqual([
      [65_535, "last"],
      [1, "first"],
    ]);
    expect([...players.values()]).toEqual(["last", "first"]);
    expect(players.size).toBe(2);
  });

  it("names a world's refusal before anything else", () => {
    const players = new PlayerTable<string>(2);
    expect(() => players.checkJoin(0, "bad-room")).toThrow(new RangeError("Cannot join: bad-room"));
    expect(() => players.checkJoin(1, undefined)).not.toThrow();
    expect(players.size).toBe(0);
  });

  it("frees the id of a removed player", () => {
    const players = new PlayerTable<string>(1, [[7, "ann"]]);
    expect(players.need(7)).toBe("ann");
    expect(players.remove(7)).toBe("ann");
    expect(players.remove(7)).toBeUndefined();
    expect(players.has(7)).toBe(false);
    expect(() => players.need(7)).toThrow(new RangeError("There is no player 7"));
    players.add(7, "bob");
    expect(players.get(7)).toBe("bob");
  });

  it("refuses saved players that break a rule", () => {
    expect(() => new PlayerTable(5, [[0, "a"]])).toThrow(RangeError);
    expect(
      () =>
        new PlayerTable(5, [
          [1, "a"],
          [1, "b"],
        ]),
    ).toThrow(RangeError);
    expect(
      () =>
        new PlayerTable(1, [
          [1, "a"],
          [2, "b"],
        ]),
    ).toThrow(RangeError);
  });
});
