/**
 * Measures how MapleStory's map is drawn: `npm run measure:frames`. Bots play on one map of a server of this process, Chromium watches it
 * without a graphics card, and each view is reported: frames a second, the work of the page's main thread for a frame, and how long the
 * drawing itself takes. Without `--maps` it is a map that is made here, with as many footholds as the largest of a real client.
 */
import { pageFolder, startServer } from "@wirewalk/server";
import { chromium, type Page } from "playwright-core";
import type { BotRun } from "wirewalk/client";
import { mapleStory } from "wirewalk/maplestory";
import { type MapleMap, type MapParts, makeMap, mapleMapsOf, portalKinds } from "wirewalk/maplestory/maps";
import type { PlayableProtocol } from "wirewalk/protocol";
import { checkWhole, mapsOption, parseOptions } from "../../tools/options.ts";
import { buildPage } from "./build-page.ts";
import { launchChromium, missingChromium } from "./test/chromium.ts";
import { startBot } from "./test/clients.ts";

const usage =
  "npm run measure:frames [-- --maps PATH --map 925020003 --dialect v83 --players 100 --seconds 10 --width 1440 --height 900 --warm-up 10]";
const { values } = parseOptions(usage, {
  options: {
    maps: { type: "string" },
    map: { type: "string" },
    dialect: { type: "string", default: "v83" },
    players: { type: "string", default: "100" },
    seconds: { type: "string", default: "10" },
    "warm-up": { type: "string", default: "10" },
    width: { type: "string", default: "1440" },
    height: { type: "string", default: "900" },
    help: { type: "boolean" },
  },
});
checkWhole(values, ["players", "seconds", "warm-up", "width", "height"]);
const [players, seconds, warmUp] = [Number(values.players), Number(values.seconds), Number(values["warm-up"])];

/** Of the largest map of a real client. */
const FOOTHOLDS = 1_833;
const FLOOR_PARTS = 47;

/** Floors over each other, ropes between them, and a hole in each. */
function madeMap(): MapleMap {
  const footholds = Array.from({ length: FOOTHOLDS }, (_, index) => {
    const [floor, part] = [Math.floor(index / FLOOR_PARTS), index % FLOOR_PARTS];
    const [x1, y] = [part * 90 + (part > FLOOR_PARTS / 2 ? 200 : 0), floor * -110];
    return { id: index + 1, x1, y1: y, x2: x1 + 90, y2: y, previous: 0, next: 0 };
  });
  const ladders = Array.from({ length: Math.floor(FOOTHOLDS / FLOOR_PARTS) }, (_, floor) => ({
    id: floor + 1,
    x: 300 + (floor % 5) * 700,
    top: (floor + 1) * -110,
    bottom: floor * -110 - 5,
    ...(floor % 2 === 0 ? { rope: true as const } : {}),
  }));
  const portals = [1_000, 2_000, 3_000, 4_000].map((x, id) => ({ id, name: "sp", kind: portalKinds.start, x, y: -20 }));
  return makeMap({ mapId: 1, footholds, ladders, portals });
}

/** The map that was asked for. Its portals lead nowhere: the bots stay. */
function chosenMap(): MapleMap {
  if (values.maps === undefined) return madeMap();
  const { maps } = mapsOption(values.maps, mapleStory.name, { [mapleStory.name]: mapleStory });
  const parts = maps.parts?.(values.map ?? "") as MapParts | undefined;
  if (parts === undefined) throw new Error(`--maps ${values.maps} has no map ${values.map}`);
  const portals = (parts.portals ?? []).map(({ target, script, ...portal }) => portal);
  return makeMap({ ...parts, portals });
}

/** What the page does in a view. */
interface Measured {
  /** Between two frames. */
  readonly gapsMs: readonly number[];
  /** In the callbacks of a frame. */
  readonly drawnMs: readonly number[];
}

/** Counts frames for so long, and what their callbacks take, which {@link timeFrames} has wrapped. */
function watchFrames(page: Page, forMs: number): Promise<Measured> {
  return page.evaluate(async (ms) => {
    const { frameTimes } = window as unknown as { frameTimes: number[] };
    frameTimes.length = 0;
    const gapsMs: number[] = [];
    let before = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (const endMs = before + ms; before < endMs; ) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      gapsMs.push(now - before);
      before = now;
    }
    return { gapsMs, drawnMs: [...frameTimes] };
  }, forMs);
}

/** Runs in a page before its own scripts. */
function timeFrames(): void {
  const { requestAnimationFrame } = window;
  const frameTimes: number[] = [];
  Object.assign(window, { frameTimes });
  window.requestAnimationFrame = (call) =>
    requestAnimationFrame((atMs) => {
      const startMs = performance.now();
      call(atMs);
      const passedMs = performance.now() - startMs;
      // The frame counter's own callback, and others that draw nothing.
      if (passedMs >= 0.1) frameTimes.push(passedMs);
    });
}

function quantiles(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms`;
}

const missing = missingChromium();
if (missing !== undefined) throw new Error(missing);
await buildPage();
const map = chosenMap();
const maps = mapleMapsOf("measured", [map]);
const { dialect } = values;
const protocol = mapleStory as unknown as PlayableProtocol;
const listeners = [{ protocol, dialect, maps }];
const budgets = { sessionsPerAddress: players + 8 };
const server = await startServer({ http: 0, listeners, studioFolder: pageFolder(), budgets });
const origin = `http://127.0.0.1:${server.httpAddress?.port}`;
const launched = await launchChromium();
const bots: BotRun[] = [];
const lines: string[] = [];
try {
  const room = String(map.mapId);
  for (let number = 0; number < players; number++) {
    bots.push(await startBot({ protocol, dialect, origin, room, number, maps }));
  }
  const browser = await chromium.connect(launched.wsEndpoint());
  const viewport = { width: Number(values.width), height: Number(values.height) };
  const page = await browser.newPage({ viewport });
  await page.addInitScript(timeFrames);
  await page.goto(`${origin}/#${protocol.name}/${room}`);
  await page.locator(".maple-map").waitFor({ timeout: 120_000 });
  await page.waitForTimeout(warmUp * 1000);
  const client = await page.context().newCDPSession(page);
  // Processor time of the thread: what other processes take of the machine does not count.
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const work = async (): Promise<Readonly<Record<string, number>>> => {
    const { metrics } = await client.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  const here = await page.evaluate(() => document.querySelectorAll(".maple-lanes li").length);
  lines.push(
    `map ${room}, ${map.footholds.length} footholds; ${players} bots of ${dialect}, ${here} lanes; ${viewport.width} x ${viewport.height}`,
  );
  const modes = page.getByRole("group", { name: "Part of the map" });
  for (const name of ["Whole map", "Near"]) {
    const mode = modes.getByRole("button", { name });
    if ((await mode.count()) === 0) continue;
    await mode.click();
    await page.waitForTimeout(1_000);
    const before = await work();
    const { gapsMs, drawnMs } = await watchFrames(page, seconds * 1000);
    const after = await work();
    const frames = gapsMs.length;
    const each = (metric: string): string =>
      ((((after[metric] ?? 0) - (before[metric] ?? 0)) * 1000) / frames).toFixed(2);
    const passedMs = gapsMs.reduce((sum, gap) => sum + gap, 0);
    lines.push(
      `${name}: ${((frames * 1000) / passedMs).toFixed(1)} frames a second`,
      `  between frames: ${quantiles(gapsMs)}`,
      `  drawing:        ${quantiles(drawnMs)}`,
      `  processor time of the main thread for a frame: ${each("TaskDuration")} ms, of that scripts ${each("ScriptDuration")}, ` +
        `layout ${each("LayoutDuration")}, styles ${each("RecalcStyleDuration")}`,
    );
  }
  await browser.close();
  // biome-ignore lint/suspicious/noConsole: the report of a command.
  console.log(lines.join("\n"));
} finally {
  for (const bot of bots) bot.stop();
  await launched.close();
  await server.close({ graceMs: 0 });
}
