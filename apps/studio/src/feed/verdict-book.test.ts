import type { FeedVerdict } from "@wirewalk/server/feed";
import { expect, test } from "vitest";
import { VerdictBook } from "./verdict-book.ts";

const verdict = (player: number, rule: string, atMs = 0): FeedVerdict => ({
  kind: "reject",
  rule,
  reason: "",
  player,
  name: null,
  room: "1",
  atMs,
  measured: null,
  allowed: null,
  unit: null,
  message: "",
  stateBefore: {},
});

test("what a rule keeps saying of a player is one line that counts", () => {
  const book = new VerdictBook();
  for (let time = 0; time < 1_000; time++) book.add(verdict(1, "rate-limit", time));
  const [group] = book.groups;
  expect(book.groups.length).toBe(1);
  expect(group?.total).toBe(1_000);
  expect(group?.verdicts.length).toBe(20);
  expect(group?.verdicts[0].atMs).toBe(999);
});

test("the line with the newest verdict is first", () => {
  const book = new VerdictBook();
  book.add(verdict(1, "a"));
  book.add(verdict(2, "a"));
  book.add(verdict(1, "a"));
  expect(book.groups.map(({ verdicts }) => verdicts[0].player)).toEqual([1, 2]);
});

test("lines and recent verdicts have an end", () => {
  const book = new VerdictBook();
  for (let player = 0; player < 500; player++) book.add(verdict(player, "a"));
  expect(book.groups.length).toBe(60);
  expect(book.groups[0]?.verdicts[0].player).toBe(499);
  expect(book.recent.length).toBe(200);
  expect(book.recent[0]?.player).toBe(499);
});
