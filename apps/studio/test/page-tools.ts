/**
 * What every test of the page in a browser needs: a tab of the shared browser at a server of its own, bots in its rooms,
 * and pictures. With `WIREWALK_PICTURES=1` the tests photograph what they show into `screenshots/`; `npm test` leaves no files. The pictures
 * of every state of the page, at four widths, are those of `npm run pictures`.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pageFolder, type RunningServer, type ServerOptions, startServer } from "@wirewalk/server";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { describe, expect, inject } from "vitest";
import type { BotRun } from "wirewalk/client";
import type { WireMessage } from "wirewalk/protocol";
import { quietPort } from "../../../packages/wirewalk/src/testing/quiet-port.ts";
import { missingChromium } from "./chromium.ts";
import { type BotOf, startBot } from "./clients.ts";

const missing = missingChromium();
if (missing !== undefined) {
  if (process.env.CI !== undefined && process.env.CI !== "") throw new Error(`Cannot test the page: ${missing}`);
  // biome-ignore lint/suspicious/noConsole: a skipped test says why.
  console.log(`The page is not tested: ${missing}`);
}

/** `describe` if a browser is installed; otherwise skipped with the reason printed. On CI a missing browser is an error. */
export const describeInBrowser: ReturnType<typeof describe.skipIf> = describe.skipIf(missing !== undefined);

/** How long anything on the page may take to appear. */
export const WAIT = { timeout: 60_000 };

/** Where pictures go; undefined when none are taken. */
const pictures = process.env.WIREWALK_PICTURES
  ? fileURLToPath(new URL("../../../screenshots/", import.meta.url))
  : undefined;

/** Whether this run takes pictures: scenes that no rule needs are set up for it alone. */
export const takesPictures: boolean = pictures !== undefined;

export interface PictureOptions {
  readonly fullPage?: boolean;
  /** How long the scene goes on first, so that there is something to see. */
  readonly afterMs?: number;
}

/** Photographs a page or a part of it. Does nothing in a run that takes no pictures. */
export async function picture(of: Page | Locator, name: string, options: PictureOptions = {}): Promise<void> {
  if (pictures === undefined) return;
  const { fullPage = false, afterMs = 0 } = options;
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  mkdirSync(pictures, { recursive: true });
  const path = `${pictures}${name}.png`;
  // A locator has no full page.
  await ("goto" in of ? of.screenshot({ path, fullPage }) : of.screenshot({ path }));
}

/** Shows the page in light, wide and on a phone, never wider than the screen; then again as it was. */
export async function checkReadable(page: Page, name: string, settleMs = 300): Promise<void> {
  const afterMs = settleMs;
  await page.emulateMedia({ colorScheme: "light" });
  await picture(page, `${name}-light`, { afterMs });
  const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await frames(page, 2);
  expect(await width()).toBeLessThanOrEqual(1920);
  await picture(page, `${name}-wide-light`, { afterMs });
  await page.setViewportSize({ width: 400, height: 800 });
  await frames(page, 3);
  expect(await width()).toBeLessThanOrEqual(400);
  await picture(page, `${name}-narrow-light`, { fullPage: true, afterMs });
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, `${name}-narrow-dark`, { fullPage: true, afterMs });
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Opens one of the lists under the drawing. */
export async function openList(page: Page, name: "Wire" | "Players" | "Verdicts" | "Bans" | "Traffic"): Promise<void> {
  const tab = page.getByRole("tab", { name: new RegExp(`^${name}`) });
  if ((await tab.getAttribute("aria-selected")) !== "true") await tab.click();
}

/** Plays in the watched room, unless the page does already. */
export async function join(page: Page): Promise<void> {
  const leaving = page.getByRole("button", { name: "Leave" });
  if (!(await leaving.isVisible())) await page.getByRole("button", { name: "Play", exact: true }).click(WAIT);
  await leaving.waitFor(WAIT);
}

/** Leaves the game, unless the page has already. */
export async function leave(page: Page): Promise<void> {
  const leaving = page.getByRole("button", { name: "Leave" });
  if (await leaving.isVisible()) await leaving.click();
}

/** Waits until the page has drawn so many frames: what a change leads to may be measured in one and drawn in the next ones. */
export async function frames(page: Page, count: number): Promise<void> {
  await page.evaluate(async (all) => {
    for (let frame = 0; frame < all; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, count);
}

/**
 * Drawing is most of what the tests of the page cost: a page that draws 15 times a second takes 0.23 s of processor time a second, one
 * that draws 8 times takes 0.19.
 */
const FRAMES_PER_SECOND = 8;

/** A tab of a browser, which draws less in tests. */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  if (!takesPictures) await page.addInitScript(drawLess, FRAMES_PER_SECOND);
  return page;
}

/**
 * Runs in a page before its own scripts: draws at most so many times a second. Frames in between are not asked for: the browser makes
 * 60 a second for a page that asks, which takes a fifth of the processor time of a page that draws 8.
 */
function drawLess(framesPerSecond: number): void {
  const { requestAnimationFrame, cancelAnimationFrame, setTimeout } = window;
  /** The frame comes up to 17 ms after the timer. */
  const leastMs = 1000 / framesPerSecond - 10;
  const held = new Map<number, FrameRequestCallback>();
  const requests = new Map<number, number>();
  let last = 0;
  let drawnMs = Number.NEGATIVE_INFINITY;
  const ask = (): void => {
    for (const [request, call] of held) {
      const frame = (atMs: number): void => {
        requests.delete(request);
        drawnMs = atMs;
        call(atMs);
      };
      requests.set(request, requestAnimationFrame(frame));
    }
    held.clear();
  };
  window.requestAnimationFrame = (call) => {
    last += 1;
    held.set(last, call);
    if (held.size === 1) {
      const waitMs = drawnMs + leastMs - performance.now();
      if (waitMs > 0) setTimeout(ask, waitMs);
      else ask();
    }
    return last;
  };
  window.cancelAnimationFrame = (request) => {
    held.delete(request);
    cancelAnimationFrame(requests.get(request) ?? 0);
    requests.delete(request);
  };
}

/** A tab at a server of its own. */
export interface Studio {
  readonly page: Page;
  readonly context: BrowserContext;
  /** A new one after {@link restart}. */
  readonly server: RunningServer;
  readonly origin: string;
  /** Errors and warnings of the page, as they come. */
  readonly complaints: readonly string[];
  /** Another context of the same browser. It closes with the tab. */
  openContext(options: BrowserContextOptions): Promise<BrowserContext>;
  /** Lets a bot play at the server. */
  startBot<C extends WireMessage, S extends WireMessage>(bot: Omit<BotOf<C, S>, "origin">): Promise<BotRun>;
  /** Lets so many play, whose numbers count from the given one, by default 0. */
  startBots<C extends WireMessage, S extends WireMessage>(
    count: number,
    bot: Omit<BotOf<C, S>, "origin" | "number"> & { readonly number?: number },
  ): Promise<void>;
  /** How many bots play. */
  readonly botCount: number;
  /** Ends all bots. */
  stopBots(): void;
  /** Closes with the tab, whatever happens in the tests. */
  closeLater<T extends { close(): void }>(client: T): T;
  /** Closes the server. */
  stop(): Promise<void>;
  /** Starts another at its address, unless it runs. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface StudioOptions extends Pick<ServerOptions, "adminToken" | "banLoopback" | "evidence"> {
  /** How often the page draws, default {@link FRAMES_PER_SECOND}. More where a test compares what is drawn with what arrives. */
  readonly framesPerSecond?: number;
}

async function startAtQuietPort(start: (http: number) => Promise<RunningServer>): Promise<RunningServer> {
  for (;;) {
    try {
      return await start(quietPort());
    } catch (error) {
      if (!(error instanceof Error && error.message.endsWith("the port is in use"))) throw error;
    }
  }
}

/** Opens an empty dark tab, and starts a server with demo rooms. Made in `beforeAll`, which returns its `close`. */
export async function openStudio(
  listeners: ServerOptions["listeners"],
  { framesPerSecond = FRAMES_PER_SECOND, ...options }: StudioOptions = {},
): Promise<Studio> {
  const studioFolder = pageFolder();
  const start = (http: number): Promise<RunningServer> =>
    startServer({ http, listeners, studioFolder, demo: true, ...options });
  let server = await startAtQuietPort(start);
  let isStopped = false;
  const { port = 0 } = server.httpAddress ?? {};
  const origin = `http://127.0.0.1:${port}`;
  const browser = await chromium.connect(inject("browser"));
  const openContext = async (of: BrowserContextOptions): Promise<BrowserContext> => {
    const opened = await browser.newContext(of);
    if (!takesPictures) await opened.addInitScript(drawLess, framesPerSecond);
    return opened;
  };
  const context = await openContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  const bots: BotRun[] = [];
  const clients: { close(): void }[] = [];
  const stopBots = (): void => {
    for (const bot of bots.splice(0)) bot.stop();
  };
  const play: Studio["startBot"] = async (bot) => {
    const run = await startBot({ ...bot, origin });
    bots.push(run);
    return run;
  };
  return {
    page,
    context,
    get server() {
      return server;
    },
    origin,
    complaints,
    openContext,
    startBot: play,
    async startBots(count, { number: first = 0, ...bot }) {
      await Promise.all(Array.from({ length: count }, (_, index) => play({ ...bot, number: first + index })));
    },
    get botCount() {
      return bots.length;
    },
    stopBots,
    closeLater(client) {
      clients.push(client);
      return client;
    },
    async stop() {
      isStopped = true;
      await server.close({ graceMs: 0 });
    },
    async restart() {
      if (!isStopped) return;
      server = await start(port);
      isStopped = false;
    },
    async close() {
      stopBots();
      for (const client of clients) client.close();
      // The connection takes its contexts with it; the browser stays for other files.
      await browser.close();
      await server.close({ graceMs: 0 });
    },
  };
}
