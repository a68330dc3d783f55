/**
 * The page: how long `npm start` takes until it is served, and how long a browser takes until it shows something. On loopback,
 * with an empty cache each time.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { launchChromium, missingChromium } from "../../apps/studio/test/chromium.ts";
import type { Benchmark } from "../harness.ts";
import { median, type Report } from "../report.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const built = fileURLToPath(new URL("../../packages/server/page", import.meta.url));
const games = ["slime-online-2/1", "osrs/world", "maplestory/1", "scrap-mechanic/1"] as const;
const START_WITHIN_MS = 60_000;
/** Each with a visit of every game. */
const STARTS = 5;

/** What one visit took. */
interface Visit {
  readonly paintMs: number;
  /** The game's room is drawn. */
  readonly roomMs: number;
  /** As carried, heads not counted: all, and what was loaded before the game's own files. */
  readonly bytes: number;
  readonly firstBytes: number;
  readonly requests: number;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** `npm start` with ports of its own. */
class Started {
  readonly origin: string;
  readonly #process: ChildProcess;

  private constructor(origin: string, process: ChildProcess) {
    this.origin = origin;
    this.#process = process;
  }

  /** Gives it once the page is served, and how long that took. */
  static async now(): Promise<{ readonly started: Started; readonly ms: number }> {
    const port = await freePort();
    const listeners = games.flatMap((room) => ["--listen", `${room.split("/")[0]}=0`]);
    const startMs = performance.now();
    const process = spawn("npm", ["start", "--silent", "--", "--http", `${port}`, ...listeners], {
      cwd: root,
      // A group of its own: npm, its shell and the server end together.
      detached: true,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const started = new Started(`http://127.0.0.1:${port}`, process);
    while (!(await isServed(started.origin))) {
      if (process.exitCode !== null || performance.now() - startMs > START_WITHIN_MS) {
        await started.end();
        throw new Error("npm start did not serve the page");
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return { started, ms: performance.now() - startMs };
  }

  async end(): Promise<void> {
    const { pid } = this.#process;
    if (pid === undefined || this.#process.exitCode !== null) return;
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    process.kill(-pid, "SIGKILL");
    await gone;
  }
}

function isServed(origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(origin, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on("error", () => resolve(false));
  });
}

async function visit(browser: Browser, origin: string, room: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(`${origin}/#${room}`);
    await page.locator(".scene canvas").first().waitFor();
    return await page.evaluate((game) => {
      const roomMs = performance.now();
      const files = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const documents = performance.getEntriesByType("navigation") as PerformanceResourceTiming[];
      const chunk = files.find(({ name }) => name.includes(`/${game}-`));
      const bytesOf = (of: readonly PerformanceResourceTiming[]): number =>
        of.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
      const all = [...documents, ...files].filter(({ name }) => !name.startsWith("ws"));
      const first = all.filter(({ startTime }) => chunk === undefined || startTime < chunk.startTime - 1);
      return {
        paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
        roomMs,
        bytes: bytesOf(all),
        firstBytes: bytesOf(first),
        requests: all.length,
      };
    }, room.split("/")[0] ?? "");
  } finally {
    await context.close();
  }
}

async function run(quick: boolean): Promise<Report> {
  const missing = missingChromium();
  if (missing !== undefined) throw new Error(missing);
  const rounds = quick ? 1 : STARTS;
  const startMs: number[] = [];
  const bareMs: number[] = [];
  const visits = new Map<string, Visit[]>(games.map((room) => [room, []]));
  // As after `npm ci`: it builds the page first.
  for (let round = 0; round < rounds; round += 1) {
    rmSync(built, { recursive: true, force: true });
    const { started, ms } = await Started.now();
    bareMs.push(ms);
    await started.end();
  }
  const launched = await launchChromium();
  const browser = await chromium.connect(launched.wsEndpoint());
  try {
    for (let round = 0; round < rounds; round += 1) {
      const { started, ms } = await Started.now();
      startMs.push(ms);
      try {
        // The first visit of a process pays for the browser's own start.
        if (round === 0) await visit(browser, started.origin, games[0]);
        for (const room of games) visits.get(room)?.push(await visit(browser, started.origin, room));
      } finally {
        await started.end();
      }
    }
  } finally {
    await browser.close();
    await launched.close();
  }
  const all = [...visits.values()].flat();
  const paintMs = median(all.map((each) => each.paintMs));
  const mostFirst = Math.max(...all.map(({ firstBytes }) => firstBytes));
  return {
    method: `${rounds} starts of the server, and as many without a built page; after each of the first, one visit of each game with an empty cache, at 1280 x 800, while 24 bots of each game play. Wall time: a busy machine lengthens it.`,
    tables: [
      {
        id: "start",
        title: "npm start until the page is served",
        rowTitle: "",
        columns: [{ key: "ms", title: "ms", digits: 0, better: "less" }],
        rows: [
          { name: "npm start", isOurs: true, cells: { ms: startMs } },
          { name: "npm start, which builds the page first", isOurs: true, cells: { ms: bareMs } },
        ],
      },
      {
        id: "visit",
        title: "a visit",
        rowTitle: "room",
        columns: [
          { key: "paint", title: "first contentful paint, ms", digits: 0, better: "less" },
          { key: "room", title: "room drawn, ms", digits: 0, better: "less" },
          { key: "first", title: "kB before the game", digits: 1, better: "less" },
          { key: "all", title: "kB in all", digits: 1, better: "less" },
          { key: "requests", title: "requests", digits: 0 },
        ],
        rows: Array.from(visits, ([room, each]) => ({
          name: room,
          isOurs: true,
          cells: {
            paint: each.map((one) => one.paintMs),
            room: each.map(({ roomMs }) => roomMs),
            first: each.map(({ firstBytes }) => firstBytes / 1e3),
            all: each.map(({ bytes }) => bytes / 1e3),
            requests: each.map(({ requests }) => requests),
          },
        })),
      },
    ],
    promises: [
      {
        promise: "npm start to the first page <= 3 s",
        measured: `${(median(startMs) / 1e3).toFixed(1)} s`,
        held: median(startMs) <= 3_000,
      },
      {
        promise: "npm start to the first page <= 3 s, which it builds first",
        measured: `${(median(bareMs) / 1e3).toFixed(1)} s`,
        held: median(bareMs) <= 3_000,
      },
      {
        promise: "first paint <= 200 ms on loopback",
        measured: `${paintMs.toFixed(0)} ms`,
        held: paintMs <= 200,
      },
      {
        promise: "first load <= 60 kB compressed",
        measured: `${(mostFirst / 1e3).toFixed(1)} kB`,
        held: mostFirst <= 60_000,
      },
    ],
    charts: [],
    contenders: [],
    notes: [],
  };
}

export const builtPage: Benchmark = {
  summary: "the page: npm start until it is served, first paint and bytes of a visit, in Chromium",
  run,
};
