import { describe, expect, test } from "vitest";
import { createRandom } from "wirewalk/motion";
import { type Place, Places, type PlacesOptions } from "./places.ts";

/** Places, and the connections that lost theirs. */
function arrange(options: Partial<PlacesOptions> = {}) {
  const evicted: string[] = [];
  const places = new Places({
    sessions: 100,
    sessionsPerAddress: 100,
    reservedShare: 0.2,
    listeners: ["a", "b"],
    ...options,
  });
  const take = (name: string, listener = "a", address = name): Place => {
    const place = places.take(listener, address, () => evicted.push(name));
    if (typeof place === "string") throw new Error(place);
    return place;
  };
  return { places, evicted, take };
}

test("while there is room nobody loses a place", () => {
  const { places, evicted, take } = arrange({ sessions: 4 });
  const first = take("1");
  for (const name of ["2", "3"]) take(name);
  expect([places.count, places.countOf("a"), places.silentOf("a"), evicted]).toEqual([3, 3, 3, []]);
  places.release(first);
  places.release(first);
  expect([places.count, places.countOf("a"), places.silentOf("a")]).toEqual([2, 2, 2]);
});

describe("when all places are taken", () => {
  test("the longest silent goes first, whoever has sent a valid message stays", () => {
    const { places, evicted, take } = arrange({ sessions: 4 });
    const [first, , third] = ["1", "2", "3", "4"].map((name) => take(name));
    places.prove(first as Place);
    places.prove(third as Place);
    take("5");
    take("6");
    expect(evicted).toEqual(["2", "4"]);
    expect(places.count).toBe(4);
  });

  test("a newcomer is refused when all have proved themselves", () => {
    const { places, take } = arrange({ sessions: 2 });
    for (const name of ["1", "2"]) places.prove(take(name));
    expect(places.take("a", "3", () => {})).toBe("sessions-total");
  });

  test("of one address, its own longest silent goes", () => {
    const { places, evicted, take } = arrange({ sessionsPerAddress: 2 });
    take("other");
    take("old", "a", "192.0.2.1");
    take("new", "b", "192.0.2.1");
    take("newest", "a", "192.0.2.1");
    expect(evicted).toEqual(["old"]);
    places.prove(take("last", "a", "192.0.2.1"));
    expect(evicted).toEqual(["old", "new"]);
    places.prove(take("proved", "a", "192.0.2.1"));
    expect(places.take("a", "192.0.2.1", () => {})).toBe("sessions-per-address");
    expect(evicted).toEqual(["old", "new", "newest"]);
  });
});

describe("listeners", () => {
  test("one game cannot take the places of another, however many connect to it", () => {
    const { places, evicted, take } = arrange();
    const flood = Array.from({ length: 90 }, (_, index) => take(`flood ${index}`));
    for (const place of flood) places.prove(place);
    expect(places.take("a", "x", () => {})).toBe("sessions-per-listener");
    for (let index = 0; index < 10; index += 1) places.prove(take(`honest ${index}`, "b"));
    expect(evicted).toEqual([]);
    expect(places.take("b", "x", () => {})).toBe("sessions-total");
  });

  test("silent connections of a flooded game give way to any other, those in another's own part do not", () => {
    const { places, evicted, take } = arrange();
    for (let index = 0; index < 10; index += 1) take(`quiet ${index}`, "b");
    for (let index = 0; index < 90; index += 1) take(`flood ${index}`);
    take("more", "b");
    expect(evicted).toEqual(["flood 0"]);
    take("flood 90");
    // Now "b" has one of the shared places, whose longest silent is older than any of the flood.
    expect(evicted).toEqual(["flood 0", "quiet 0"]);
    take("flood 91");
    expect(evicted).toEqual(["flood 0", "quiet 0", "flood 1"]);
    expect([places.count, places.countOf("b")]).toEqual([100, 10]);
  });
});

describe("a full world", () => {
  test("gives the place of its longest silent player, of the same room if it is the room that is full", () => {
    const { places, evicted, take } = arrange();
    take("no player");
    for (const [name, room] of [
      ["1", "hall"],
      ["2", undefined],
      ["3", "hall"],
    ] as const) {
      places.join(take(name), room);
    }
    expect(places.evictPlayer("a", { room: "cellar" })).toBe(false);
    expect(places.evictPlayer("a", { room: undefined })).toBe(true);
    expect(places.evictPlayer("a")).toBe(true);
    expect(evicted).toEqual(["2", "1"]);
    places.prove(take("4"));
    expect([places.evictPlayer("a"), places.evictPlayer("a"), evicted]).toEqual([true, false, ["2", "1", "3"]]);
  });
});

test("whatever happens, the counts are those of the places, and within all limits", () => {
  const random = createRandom(1);
  const listeners = ["a", "b", "c"];
  const options = { sessions: 30, sessionsPerAddress: 6, reservedShare: 0.3, listeners };
  const { places, take } = arrange(options);
  const held = new Map<string, Place>();
  let proved = new Set<string>();
  for (let step = 0; step < 1_000; step += 1) {
    const name = String(step);
    const [some] = random.chance(0.5) ? [random.pick([...held.keys(), name])] : [name];
    const place = held.get(some);
    if (place === undefined) {
      try {
        held.set(name, take(name, random.pick(listeners), `address ${random.integer(1, 8)}`));
      } catch {
        // Nothing was taken.
      }
    } else if (random.chance(0.4)) {
      places.prove(place);
      proved.add(some);
    } else {
      places.release(place);
      held.delete(some);
    }
    // Those that lost their place: by their own account.
    const alive = [...held].filter(([, each]) => (each as unknown as { isTaken: boolean }).isTaken);
    expect([...held.keys()].filter((each) => proved.has(each)).every((each) => alive.some(([id]) => id === each))).toBe(
      true,
    );
    held.clear();
    for (const [id, each] of alive) held.set(id, each);
    proved = new Set([...proved].filter((each) => held.has(each)));
    expect(places.count).toBe(held.size);
    for (const listener of listeners) {
      const own = [...held].filter(([, each]) => each.listener === listener);
      expect(places.countOf(listener)).toBe(own.length);
      expect(places.silentOf(listener)).toBe(own.filter(([id]) => !proved.has(id)).length);
    }
    expect(held.size).toBeLessThanOrEqual(30);
    for (let address = 1; address <= 8; address += 1) {
      expect([...held.values()].filter((each) => each.address === `address ${address}`).length).toBeLessThanOrEqual(6);
    }
  }
});
