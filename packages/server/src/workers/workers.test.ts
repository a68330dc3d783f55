/** What threads of a server share, without threads. */
import { expect, test } from "vitest";
import { Places } from "../admission/places.ts";
import { mergeMetrics } from "./merged-metrics.ts";
import { SharedCounts, sharedCountsMemory } from "./shared-counts.ts";

const names = ["one", "two", "studio"];

/** The places of two threads, with one world each, and of the main thread. */
function threads(sessions: number, sessionsPerAddress: number): readonly [Places, Places, Places] {
  const memory = sharedCountsMemory(names.length);
  const [one, two, main] = [["one", "studio"], ["two", "studio"], ["studio"]].map((listeners, thread) => {
    const counts = new SharedCounts(memory, names, thread < 2 ? "studio" : undefined);
    return new Places({ sessions, sessionsPerAddress, reservedShare: 0.5, listeners, counts });
  });
  return [one as Places, two as Places, main as Places];
}

test("connections of one address are counted in all threads together", () => {
  const [one, two, main] = threads(100, 3);
  const first = one.take("one", "192.0.2.1", () => {});
  two.take("two", "192.0.2.1", () => {});
  main.take("studio", "192.0.2.1", () => {});
  if (typeof first === "string") throw new Error(first);
  one.prove(first);
  // The only place of this thread that could be given up has proved itself.
  expect(one.take("one", "192.0.2.1", () => {})).toBe("sessions-per-address");
  expect(one.take("one", "192.0.2.2", () => {})).toMatchObject({ address: "192.0.2.2" });
  one.release(first);
  one.release(first);
  expect(two.take("two", "192.0.2.1", () => {})).toMatchObject({ listener: "two" });
  // Pages of the main thread are counted there alone.
  expect(two.take("studio", "192.0.2.1", () => {})).toMatchObject({ listener: "studio" });
});

test("listeners of all threads share the places that no listener has for itself", () => {
  // Two of twelve are kept for each of three listeners, six are for all.
  const [one, two] = threads(12, 100);
  const prove = (places: Places, listener: string, address: number): string | undefined => {
    const place = places.take(listener, `192.0.2.${address}`, () => {});
    if (typeof place === "string") return place;
    places.prove(place);
    return undefined;
  };
  for (let at = 0; at < 8; at += 1) expect(prove(one, "one", at)).toBeUndefined();
  expect(prove(one, "one", 8)).toBe("sessions-per-listener");
  expect([prove(two, "two", 9), prove(two, "two", 10)]).toEqual([undefined, undefined]);
  expect(prove(two, "two", 11)).toBe("sessions-per-listener");
});

test("an address leaves no trace when its connections are gone: any number of them are counted one after the other", () => {
  const memory = sharedCountsMemory(1);
  const counts = new SharedCounts(memory, ["one"]);
  for (let at = 0; at < 70_000; at += 1) {
    counts.add("one", `address ${at}`, 1);
    if (counts.ofAddress(`address ${at}`) !== 1) throw new Error(`address ${at} is not counted`);
    counts.add("one", `address ${at}`, -1);
  }
  expect(counts.ofListener("one")).toBe(0);
  expect(new Int32Array(memory).every((word) => word === 0)).toBe(true);
});

test("metrics of threads are one text: each name once, and what belongs to no world says its thread", () => {
  const text = (world: string, lag: number): string =>
    [
      "# HELP players Players in a world.",
      "# TYPE players gauge",
      ...(world === "" ? [] : [`players{protocol="p",world="${world}"} 1`]),
      "# HELP lag The lag.",
      "# TYPE lag gauge",
      `lag ${lag}`,
      "# HELP ended Ends.",
      "# TYPE ended counter",
      'ended{protocol="studio",world="studio",reason="idle"} 1',
      "# HELP process_resident_memory_bytes Memory.",
      "# TYPE process_resident_memory_bytes gauge",
      "process_resident_memory_bytes 7",
      "",
    ].join("\n");
  expect(mergeMetrics([text("", 1), text("a", 2), ""])).toBe(
    [
      "# HELP players Players in a world.",
      "# TYPE players gauge",
      'players{protocol="p",world="a"} 1',
      "# HELP lag The lag.",
      "# TYPE lag gauge",
      'lag{thread="0"} 1',
      'lag{thread="1"} 2',
      "# HELP ended Ends.",
      "# TYPE ended counter",
      'ended{thread="0",protocol="studio",world="studio",reason="idle"} 1',
      'ended{thread="1",protocol="studio",world="studio",reason="idle"} 1',
      "# HELP process_resident_memory_bytes Memory.",
      "# TYPE process_resident_memory_bytes gauge",
      "process_resident_memory_bytes 7",
      "",
    ].join("\n"),
  );
});
