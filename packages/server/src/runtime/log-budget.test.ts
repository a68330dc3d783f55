import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { startServer } from "../index.ts";
import { PlainClient, until } from "../testing/clients.ts";
import { LogBudget } from "./log-budget.ts";

/** A logger that keeps its lines as objects. */
function keptLog() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  });
  return { lines, log: pino(stream) };
}

test("a limit of lines a minute, then one line with the number of omitted ones", () => {
  const { lines, log } = keptLog();
  const clock = new VirtualClock();
  const budget = new LogBudget(log, { clock, linesPerMinute: 3 });
  for (let index = 0; index < 10; index += 1) budget.info({ index }, "line");
  expect(lines.map(({ index }) => index)).toEqual([0, 1, 2]);
  clock.advanceBy(60_000);
  budget.warn({ index: 10 }, "line");
  expect(lines.slice(3)).toMatchObject([
    { msg: "suppressed 7", suppressed: 7 },
    { index: 10, level: 40 },
  ]);
  budget.finish();
  expect(lines).toHaveLength(5);
});

test("lines of a level that nobody logs are not left out", () => {
  const { lines, log } = keptLog();
  log.level = "warn";
  const budget = new LogBudget(log, { clock: new VirtualClock(), linesPerMinute: 3 });
  for (let index = 0; index < 10; index += 1) budget.info({ index }, "line");
  budget.warn({}, "warned");
  budget.finish();
  expect(lines.map(({ msg }) => msg)).toEqual(["warned"]);
});

test("many sessions that are refused cannot fill the log either", async () => {
  const { lines, log } = keptLog();
  const server = await startServer({
    listeners: [{ protocol: fakeProtocol, port: 0 }],
    budgets: { logLinesPerMinute: 2, sessionsPerAddress: 200 },
    logger: log,
  });
  const clients = await Promise.all(Array.from({ length: 150 }, () => PlainClient.to(server.listeners[0]?.port ?? 0)));
  for (const client of clients) for (let times = 0; times < 5; times += 1) client.sendText("?");
  await until("all were read", () => server.stats().refusedPayloads === 5 * clients.length);
  await server.close({ graceMs: 0 });
  for (const client of clients) client.socket.destroy();
  // Each session may write two lines, all of them together two hundred.
  const about = lines.filter(({ msg }) => msg === "joined" || msg === "payload refused");
  expect(about).toHaveLength(200);
  expect(lines.some(({ msg }) => /^suppressed \d+$/.test(String(msg)))).toBe(true);
});

test("a session that is refused all the time cannot fill the log", async () => {
  const { lines, log } = keptLog();
  const server = await startServer({
    listeners: [{ protocol: fakeProtocol, port: 0 }],
    budgets: { logLinesPerMinute: 5, refusedPayloadsBurst: 1_000 },
    logger: log,
  });
  const client = await PlainClient.to(server.listeners[0]?.port ?? 0);
  await client.receives("W1");
  for (let index = 0; index < 100; index += 1) client.sendText("?");
  client.socket.end();
  await client.closes();
  await server.close({ graceMs: 0 });
  const about = lines.filter(({ address }) => address === "127.0.0.1");
  expect(about.filter(({ msg }) => msg === "payload refused")).toHaveLength(4);
  expect(about).toContainEqual(expect.objectContaining({ msg: "suppressed 96", suppressed: 96, world: "fake" }));
  expect(about).toContainEqual(expect.objectContaining({ msg: "session ended", reason: "peer-closed", player: 1 }));
});
