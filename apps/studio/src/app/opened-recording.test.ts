import { signal } from "@preact/signals";
import { h, type VNode } from "preact";
import { expect, test } from "vitest";
import type { NamedFile } from "../files/file-kind.ts";
import type { FedStudio } from "./fed-studio.ts";
import { type MapsViewer, type OpenedMaps, type RecordingPlayer, Recordings } from "./opened-recording.ts";
import { Places } from "./places.ts";

function setUp(load?: () => Promise<RecordingPlayer>) {
  const inspected: string[] = [];
  const closed: number[] = [];
  /** Answers what a file is, when the test says so. */
  const watched = { protocol: "maplestory" };
  const asked: { readonly name: string; answer(canPlay: boolean): void }[] = [];
  let opened = 0;
  const player: RecordingPlayer = {
    canPlay: ({ name }) => new Promise((answer) => asked.push({ name, answer })),
    isMaps: async ({ name }) => name.endsWith(".nx"),
    open: () => ({
      openSocket: () => {
        throw new Error("no socket is opened here");
      },
      head: () => h("p", {}) as VNode,
    }),
  };
  const places = new Places();
  const sets: (OpenedMaps & { isClosed: boolean })[] = [];
  const viewer: MapsViewer = {
    openMaps: async ({ name, files }) => {
      if (files.some(({ path }) => path.endsWith(".txt"))) throw new Error("none of its files has a map");
      const set = { name, game: "maplestory", places: ["1"], isClosed: false, parts: async () => ({ mapId: 1 }) };
      const opened = Object.assign(set, {
        close: () => {
          opened.isClosed = true;
        },
      });
      sets.push(opened);
      return opened;
    },
    openSocket: () => {
      throw new Error("no socket is opened here");
    },
    headOf: () => h("p", {}) as VNode,
  };
  let waits = false;
  const notices: (string | undefined)[] = [];
  const recordings = new Recordings({
    loadMaps: async () => viewer,
    places,
    isWaiting: () => waits,
    load: load ?? (async () => player),
    openStudio: () => {
      opened += 1;
      const number = opened;
      return {
        studio: { places: new Places(), world: signal(watched) },
        feed: {},
        close: () => closed.push(number),
      } as unknown as FedStudio;
    },
    inspect: ({ name }) => inspected.push(name),
    fetchMoment: async ({ player }) => (player === 0 ? "They are gone." : file(`${player}.html`)),
    pause: () => Promise.resolve(),
    notify: (notice) => void notices.push(notice),
  });
  const file = (name: string): NamedFile => Object.assign(new Blob(), { name });
  const wait = (): void => {
    waits = true;
  };
  return { recordings, inspected, closed, asked, file, places, sets, wait, notices };
}

/** Answers that the first `playable` files can be played. */
async function answerAll(asked: ReturnType<typeof setUp>["asked"], playable: readonly string[], count: number) {
  for (let done = 0; done < count; done++) {
    await expect.poll(() => asked.length).toBe(1);
    const { name, answer } = asked.pop() ?? { name: "", answer: () => {} };
    answer(playable.includes(name));
  }
}

test("a recording is played in the place of the one before, until it is closed", async () => {
  const { recordings, closed, asked, file } = setUp();
  for (const name of ["a", "b"]) {
    const done = recordings.open(file(name));
    await expect.poll(() => asked.length).toBe(1);
    asked.pop()?.answer(true);
    await done;
    expect(recordings.opened.value?.file).toBe(name);
  }
  expect(closed).toEqual([1]);
  recordings.close();
  expect(closed).toEqual([1, 2]);
  expect(recordings.opened.value).toBeUndefined();
});

test("any other file goes to the inspector, and what is played plays on", async () => {
  const { recordings, inspected, asked, file } = setUp();
  const done = recordings.open(file("a.pcap"));
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.answer(false);
  await done;
  expect(inspected).toEqual(["a.pcap"]);
  expect(recordings.opened.value).toBeUndefined();
});

test("of two files that are dropped one after the other the last is played, whichever is read first", async () => {
  const { recordings, asked, file } = setUp();
  const both = [recordings.open(file("a")), recordings.open(file("b"))];
  await expect.poll(() => asked.length).toBe(2);
  for (const each of asked.toReversed()) each.answer(true);
  await Promise.all(both);
  expect(recordings.opened.value?.file).toBe("b");
});

test("a player that cannot be loaded is said, until the next file or until it is closed", async () => {
  const { recordings, file } = setUp(() => Promise.reject(new TypeError("Failed to fetch")));
  await recordings.open(file("a"));
  expect(recordings.fault.value).toMatch(/^The player could not be loaded/);
  recordings.close();
  expect(recordings.fault.value).toBeUndefined();
});

test("maps that are dropped alone are a place to look at", async () => {
  const { recordings, asked, file, places, sets, closed } = setUp();
  const done = recordings.open(file("Map.nx"));
  await answerAll(asked, [], 1);
  await done;
  expect(recordings.opened.value?.file).toBe("Map.nx");
  expect(recordings.opened.value?.studio.places.dropped.value).toBe(sets[0]);
  expect(places.dropped.value).toBe(sets[0]);
  recordings.close();
  expect(closed).toEqual([1]);
  expect(sets[0]?.isClosed).toBe(false);
});

test("maps for which the live view waits are shown there", async () => {
  const { recordings, asked, file, places, sets, wait } = setUp();
  wait();
  const done = recordings.open(file("Map.nx"));
  await answerAll(asked, [], 1);
  await done;
  expect(recordings.opened.value).toBeUndefined();
  expect(places.dropped.value).toBe(sets[0]);
});

test("a recording that is dropped with a folder of maps is played in them, and later maps take their place", async () => {
  const { recordings, asked, file, sets } = setUp();
  const files = [
    { path: "play.mcap", file: file("play.mcap") },
    { path: "wz/Map.wz/Map/Map0/000000001.img.xml", file: file("000000001.img.xml") },
  ];
  const done = recordings.openAll(Promise.resolve({ name: "2 files", files }));
  await answerAll(asked, ["play.mcap"], 1);
  await done;
  const opened = recordings.opened.value;
  expect(opened?.file).toBe("play.mcap");
  expect(opened?.studio.places.dropped.value).toBe(sets[0]);
  const later = recordings.open(file("Map.nx"));
  await answerAll(asked, [], 1);
  await later;
  // It is played again: its world is made in the other maps.
  expect(recordings.opened.value?.file).toBe("play.mcap");
  expect(recordings.opened.value).not.toBe(opened);
  expect(recordings.opened.value?.studio.places.dropped.value).toBe(sets[1]);
  expect(sets.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

test("a folder without maps, and one that is too large, are refused with the reason", async () => {
  const { recordings, asked, file } = setUp();
  const files = [{ path: "a/b.txt", file: file("b.txt") }];
  await recordings.openAll(Promise.resolve({ name: "a", files }));
  expect(asked).toEqual([]);
  expect(recordings.fault.value).toBe("none of its files has a map");
  await recordings.openAll(Promise.reject(new RangeError("Cannot read the folder: it has more than 200000 files")));
  expect(recordings.fault.value).toMatch(/more than 200000 files/);
});

test("of verdicts that follow each other the last one is played in its seconds, and one that is gone leads back to the live view", async () => {
  const { recordings, closed, notices } = setUp(async () => ({
    canPlay: async () => true,
    isMaps: async () => false,
    open: () => ({ openSocket: () => ({}) as never, head: () => h("p", {}) as VNode }),
  }));
  const of = (player: number) => ({ world: "slime", player, atMs: 5, rule: undefined });
  await Promise.all([recordings.openMoment(of(1)), recordings.openMoment(of(2))]);
  expect(recordings.opened.value).toMatchObject({ file: "2.html", momentOf: { player: 2 } });
  expect(notices.at(-1)).toBeUndefined();
  // It is open already.
  const count = notices.length;
  await recordings.openMoment(of(2));
  expect(notices.length).toBe(count);
  await recordings.openMoment(of(0));
  expect([recordings.opened.value, notices.at(-1), closed]).toEqual([undefined, "They are gone.", [1]]);
});
