import { h, type VNode } from "preact";
import { expect, test } from "vitest";
import type { NamedFile } from "../files/file-kind.ts";
import type { FedStudio } from "./fed-studio.ts";
import { type RecordingPlayer, Recordings } from "./opened-recording.ts";

function setUp(load?: () => Promise<RecordingPlayer>) {
  const inspected: string[] = [];
  const closed: number[] = [];
  /** Answers what a file is, when the test says so. */
  const asked: { readonly name: string; answer(canPlay: boolean): void }[] = [];
  let opened = 0;
  const player: RecordingPlayer = {
    canPlay: ({ name }) => new Promise((answer) => asked.push({ name, answer })),
    open: () => ({
      openSocket: () => {
        throw new Error("no socket is opened here");
      },
      head: () => h("p", {}) as VNode,
    }),
  };
  const recordings = new Recordings({
    load: load ?? (async () => player),
    openStudio: () => {
      opened += 1;
      const number = opened;
      return { studio: {}, feed: {}, close: () => closed.push(number) } as unknown as FedStudio;
    },
    inspect: ({ name }) => inspected.push(name),
  });
  const file = (name: string): NamedFile => Object.assign(new Blob(), { name });
  return { recordings, inspected, closed, asked, file };
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
