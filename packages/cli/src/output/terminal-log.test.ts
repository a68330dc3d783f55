import { Writable } from "node:stream";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { terminalLog } from "./terminal-log.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 0, 2, 15, 4, 5) });
});
afterEach(() => {
  vi.useRealTimers();
});

function logged(env: Readonly<Record<string, string>> = {}) {
  let text = "";
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const log = terminalLog(output, env);
  return { log, logger: pino({ level: "info" }, log), text: () => text };
}

test("a record is a line: when, where, what, and what it says of it", () => {
  const { logger, text } = logged();
  logger.info({ world: "osrs", player: 5, limits: [1, 2] }, "payload refused");
  logger.warn({ bot: 3, reason: "silent" }, "a bot was disconnected");
  logger.info("reloaded");
  expect(text()).toBe(
    "15:04:05 osrs: payload refused, player 5, limits [1,2]\n" +
      "15:04:05 warning a bot was disconnected, bot 3, reason silent\n15:04:05 reloaded\n",
  );
});

test("an error says its message, and where it is a fault its stack", () => {
  const { logger, text } = logged();
  logger.warn({ err: new Error("no such file") }, "not reloaded");
  logger.error({ err: new TypeError("x is not a function") }, "the tick failed");
  expect(text()).toMatch(
    /^15:04:05 warning not reloaded: no such file\n15:04:05 error the tick failed: \nTypeError: x is not a function\n {4}at /,
  );
});

test("until the server is up nobody is said to come; then all of a second are one line, before what happens next", () => {
  const { log, logger, text } = logged();
  logger.info({ listeners: [] }, "listening");
  for (let player = 1; player <= 24; player += 1) logger.info({ world: "osrs", player }, "joined");
  vi.advanceTimersByTime(5000);
  expect(text()).toBe("");

  log.begin();
  for (let player = 25; player <= 30; player += 1) logger.info({ world: "osrs", player }, "joined");
  logger.info({ world: "osrs", player: 25 }, "session ended");
  logger.info({ world: "maplestory", player: 1 }, "session ended");
  expect(text()).toBe("");
  vi.advanceTimersByTime(1000);
  expect(text()).toBe("15:04:11 osrs: 6 came in, 1 left\n15:04:11 maplestory: 1 left\n");

  logger.info({ world: "osrs", player: 31 }, "joined");
  logger.info("reloaded");
  logger.info({ world: "osrs", player: 31 }, "session ended");
  log.end();
  expect(text().split("\n").slice(2)).toEqual([
    "15:04:11 osrs: 1 came in",
    "15:04:11 reloaded",
    "15:04:11 osrs: 1 left",
    "",
  ]);
});

test("what is no record is written as it is", () => {
  const { log, text } = logged();
  for (const line of ["not JSON\n", "[1]\n", "null\n"]) log.write(line);
  expect(text()).toBe("not JSON\n[1]\nnull\n");
});

test("colours follow the terminal: warnings stand out, times and details stand back", () => {
  const { logger, text } = logged({ FORCE_COLOR: "1" });
  logger.warn({ world: "osrs", bot: 3 }, "a bot was disconnected");
  expect(text()).toBe(
    "\u001b[2m15:04:05\u001b[0m \u001b[31mwarning\u001b[0m osrs: a bot was disconnected\u001b[2m, bot 3\u001b[0m\n",
  );
});
