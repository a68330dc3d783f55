import { expect, test } from "vitest";
import { ResumableSessions } from "./resumable-sessions.ts";

test("a session is taken once, by a connection from the same host", () => {
  const sessions = new ResumableSessions();
  sessions.ended(1, "192.0.2.1", 499, 0);
  expect(sessions.take("192.0.2.2", 1)).toBeUndefined();
  expect(sessions.take("192.0.2.1", 1)).toBe(499);
  expect(sessions.take("192.0.2.1", 1)).toBeUndefined();
  // Its other direction ends.
  sessions.ended(1, "192.0.2.1", 499, 2);
  expect(sessions.take("192.0.2.1", 3)).toBeUndefined();
  // Another connection has the number.
  sessions.opened(1);
  sessions.ended(1, "192.0.2.1", 7, 4);
  expect(sessions.take("192.0.2.1", 5)).toBe(7);
});

test("no session is taken while the host has two, and none that cannot be continued", () => {
  const sessions = new ResumableSessions();
  sessions.ended(1, "192.0.2.1", 5, 0);
  sessions.ended(2, "192.0.2.1", 6, 0);
  sessions.ended(3, "192.0.2.1", undefined, 0);
  expect(sessions.take("192.0.2.1", 1)).toBeUndefined();
  sessions.ended(2, "192.0.2.1", undefined, 1);
  expect(sessions.take("192.0.2.1", 2)).toBe(5);
});

test("a session is kept for two minutes, and at most 1,024 are kept", () => {
  const sessions = new ResumableSessions();
  sessions.ended(1, "192.0.2.1", 5, 0);
  expect(sessions.take("192.0.2.1", 120_001)).toBeUndefined();
  for (let host = 1; host <= 1_030; host++) sessions.ended(host, String(host), host, 200_000);
  expect([sessions.take("1", 200_001), sessions.take("1030", 200_001)]).toEqual([undefined, 1030]);
});
