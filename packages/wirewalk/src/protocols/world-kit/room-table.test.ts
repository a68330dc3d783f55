import { describe, expect, it } from "vitest";
import { RoomTable } from "./room-table.ts";

interface Room {
  readonly players: Set<number>;
  readonly monsters: string[];
}

const emptyRoom = (): Room => ({ players: new Set(), monsters: [] });
const holds = ({ monsters }: Room): boolean => monsters.length > 0;

describe("a table of rooms", () => {
  it("makes a room when it is first needed and drops it after its last player", () => {
    const rooms = new RoomTable<number, Room>();
    expect(rooms.get(3)).toBeUndefined();
    const room = rooms.obtain(3, emptyRoom);
    expect(rooms.obtain(3, emptyRoom)).toBe(room);
    room.players.add(1).add(2);
    rooms.obtain(4, emptyRoom);
    expect([...rooms.entries()].map(([key]) => key)).toEqual([3, 4]);
    expect(rooms.counts()).toEqual(new Map([["3", 2]]));
    room.players.delete(1);
    expect(rooms.dropIfUnused(3)).toBe(false);
    room.players.delete(2);
    expect(rooms.dropIfUnused(3)).toBe(true);
    expect(rooms.dropIfUnused(3)).toBe(false);
    expect(rooms.get(3)).toBeUndefined();
    expect([...rooms.values()]).toHaveLength(1);
  });

  it("never drops a room that holds something, however many others come and go", () => {
    const rooms = new RoomTable<string, Room>({ holds });
    rooms.obtain("placed", emptyRoom).monsters.push("slime");
    for (let index = 0; index < 2000; index++) {
      const room = rooms.obtain(`asked for ${index}`, emptyRoom);
      room.players.add(1);
      room.players.delete(1);
      expect(rooms.dropIfUnused(`asked for ${index}`)).toBe(true);
    }
    expect(rooms.dropIfUnused("placed")).toBe(false);
    expect([...rooms.entries()].map(([name]) => name)).toEqual(["placed"]);
    rooms.get("placed")?.monsters.pop();
    expect(rooms.dropIfUnused("placed")).toBe(true);
  });

  it("takes over saved rooms in their order", () => {
    const rooms = new RoomTable<string, Room>({
      holds,
      rooms: [
        ["b", { players: new Set([2, 1]), monsters: [] }],
        ["a", { players: new Set(), monsters: ["slime"] }],
      ],
    });
    expect([...rooms.entries()].map(([name]) => name)).toEqual(["b", "a"]);
    expect(rooms.counts()).toEqual(new Map([["b", 2]]));
  });
});
