/**
 * Measures how MapleStory's map is drawn: `npm run measure:frames`. Bots play on one map on a virtual clock and are recorded; then Chromium,
 * without a graphics card, plays the recording in the page by itself. Each view is reported: frames a second, processor time of the page's main
 * thread for a frame and for a second of play, by what it was for, and how long the drawing itself takes. Without `--maps` it is a map that is
 * made here, with as many footholds as the largest of a real client. `--keep FOLDER` keeps the recording with its map, and plays the one that is
 * there. `--trace FOLDER` keeps a trace and a profile of each view.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pageFolder, startServer } from "@wirewalk/server";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { mapleStory } from "wirewalk/maplestory";
import { loadMaps, type MapParts, portalKinds } from "wirewalk/maplestory/maps";
import { memoryFiles, type PlayableProtocol } from "wirewalk/protocol";
import { recordPlay } from "../../packages/recording/src/testing/record-play.ts";
import { mapFiles } from "../../packages/wirewalk/src/protocols/maplestory/maps/testing/written-map.ts";
import { checkWhole, mapsOption, parseOptions } from "../../tools/options.ts";
import { buildPage } from "./build-page.ts";
import { launchChromium, missingChromium } from "./test/chromium.ts";

const usage =
  "npm run measure:frames [-- --maps PATH --map 925020003 --dialect v83 --players 100 --seconds 10 --width 1440 --height 900 --warm-up 10 --keep FOLDER --trace FOLDER]";
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
    keep: { type: "string" },
    trace: { type: "string" },
    help: { type: "boolean" },
  },
});
checkWhole(values, ["players", "seconds", "warm-up", "width", "height"]);
const [players, seconds, warmUp] = [Number(values.players), Number(values.seconds), Number(values["warm-up"])];

/** Of the largest map of a real client. */
const FOOTHOLDS = 1_833;
const FLOOR_PARTS = 47;
/** From one bot that is recorded to the next. */
const ENTER_MS = 50;

/** Floors over each other, ropes between them, and a hole in each. */
function madeMap(): MapParts {
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
  return { mapId: 1, footholds, ladders, portals };
}

/** The map that was asked for. Its portals lead nowhere: the bots stay. */
function chosenMap(): MapParts {
  if (values.maps === undefined) return madeMap();
  const { maps } = mapsOption(values.maps, mapleStory.name, { [mapleStory.name]: mapleStory });
  const parts = maps.parts?.(values.map ?? "") as MapParts | undefined;
  if (parts === undefined) throw new Error(`--maps ${values.maps} has no map ${values.map}`);
  const portals = (parts.portals ?? []).map(({ target, script, ...portal }) => portal);
  return { ...parts, portals };
}

const RECORDING = "play.mcap";

/** Writes a recording of the play, and beside it the files of its map. */
async function record(to: string): Promise<void> {
  const parts = chosenMap();
  const files = mapFiles(parts);
  const maps = loadMaps(memoryFiles("measured", files));
  const protocol = mapleStory as unknown as PlayableProtocol;
  const room = String(parts.mapId);
  // Long enough on a slow machine: the play is timed, and two views are watched.
  const durationMs = players * ENTER_MS + (warmUp + 2 * (seconds + 12) + 10) * 1000;
  const { sink } = await recordPlay({ protocol, dialect, bots: players, durationMs, maps, honestIn: room });
  mkdirSync(to, { recursive: true });
  for (const [name, bytes] of [...files, [RECORDING, sink.bytes()] as const]) {
    writeFileSync(join(to, basename(name)), bytes);
  }
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

/** The lists that a trace is summed up in, by the names of its events. Each counts without what it calls that has a list of its own. */
const works: Readonly<Record<string, readonly string[]>> = {
  scripts: ["FunctionCall", "EvaluateScript", "FireAnimationFrame", "TimerFire", "RunMicrotasks", "v8.callFunction"],
  messages: ["HandlePostMessage"],
  styles: ["UpdateLayoutTree"],
  layout: ["Layout", "IntersectionObserverController::computeIntersections"],
  "pre-paint": ["PrePaint"],
  paint: ["Paint"],
  layerize: ["Layerize"],
  commit: ["Commit"],
  garbage: ["MinorGC", "MajorGC", "BlinkGC.AtomicPhase", "V8.GC_MC_BACKGROUND_MARKING"],
};

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Records what happens in the browser, until the returned function is called. */
async function startTrace(client: CDPSession): Promise<() => Promise<readonly TraceEvent[]>> {
  const events: TraceEvent[] = [];
  client.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await client.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      includedCategories: [
        "devtools.timeline",
        "disabled-by-default-devtools.timeline.stack",
        "v8",
        "toplevel",
        "blink",
        "cc",
      ],
    },
  });
  return async () => {
    const complete = new Promise((resolve) => client.once("Tracing.tracingComplete", resolve));
    await client.send("Tracing.end");
    await complete;
    return events;
  };
}

/** Milliseconds of the page's main thread by what they were for: the one that drew most. */
function workOf(events: readonly TraceEvent[]): ReadonlyMap<string, number> {
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const drew = new Map<string, number>();
  for (const event of events) {
    if (event.name === "FireAnimationFrame") drew.set(threadOf(event), (drew.get(threadOf(event)) ?? 0) + 1);
  }
  const [main] = [...drew].sort(([, a], [, b]) => b - a)[0] ?? [""];
  const listOf = new Map(Object.entries(works).flatMap(([list, names]) => names.map((name) => [name, list])));
  const sums = new Map<string, number>();
  const open: { readonly list: string; readonly endUs: number; readonly ms: number; inner: number }[] = [];
  const close = (untilUs: number): void => {
    for (let last = open.at(-1); last !== undefined && last.endUs <= untilUs; last = open.at(-1)) {
      open.pop();
      sums.set(last.list, (sums.get(last.list) ?? 0) + last.ms - last.inner);
      const outer = open.at(-1);
      if (outer !== undefined) outer.inner += last.ms;
    }
  };
  const own = events.filter((event) => event.ph === "X" && event.tdur !== undefined && threadOf(event) === main);
  for (const event of own.sort((a, b) => a.ts - b.ts)) {
    const { dur = 0 } = event as { readonly dur?: number };
    const list = listOf.get(event.name);
    close(event.ts);
    if (list !== undefined) open.push({ list, endUs: event.ts + dur, ms: (event.tdur ?? 0) / 1000, inner: 0 });
  }
  close(Number.POSITIVE_INFINITY);
  return sums;
}

/** Drops files on the page, as a person does. */
async function dropFiles(page: Page, files: readonly string[]): Promise<void> {
  await page.evaluate(() => {
    const input = document.createElement("input");
    Object.assign(input, { type: "file", multiple: true, id: "dropped" });
    document.body.append(input);
  });
  await page.setInputFiles("#dropped", [...files]);
  await page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>("#dropped");
    const data = new DataTransfer();
    for (const file of input?.files ?? []) data.items.add(file);
    input?.remove();
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
}

const missing = missingChromium();
if (missing !== undefined) throw new Error(missing);
await buildPage();
const { dialect, trace, keep } = values;
const folder = keep ?? mkdtempSync(join(tmpdir(), "measure-frames-"));
if (!existsSync(join(folder, RECORDING))) await record(folder);
const server = await startServer({ http: 0, listeners: [], studioFolder: pageFolder() });
const launched = await launchChromium();
const lines: string[] = [];
try {
  const browser = await chromium.connect(launched.wsEndpoint());
  const viewport = { width: Number(values.width), height: Number(values.height) };
  const page = await browser.newPage({ viewport });
  await page.addInitScript(timeFrames);
  await page.goto(`http://127.0.0.1:${server.httpAddress?.port}/`);
  await dropFiles(
    page,
    readdirSync(folder).map((name) => join(folder, name)),
  );
  await page.locator(".maple-map").waitFor({ timeout: 120_000 });
  // All are there.
  await page.waitForTimeout(players * ENTER_MS + warmUp * 1000);
  const client = await page.context().newCDPSession(page);
  // Processor time of the thread: what other processes take of the machine does not count.
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const work = async (): Promise<Readonly<Record<string, number>>> => {
    const { metrics } = await client.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  const [here, elements, facts] = await page.evaluate(() => [
    document.querySelectorAll(".maple-lanes li").length,
    document.querySelectorAll("*").length,
    document.querySelector("[aria-label=Recording] p")?.textContent ?? "",
  ]);
  lines.push(`${facts} ${here} lanes, ${elements} elements; ${viewport.width} x ${viewport.height}`);
  const modes = page.getByRole("group", { name: "Part of the map" });
  // A map that fits has one view.
  const [whole, near] = ["Whole map", "Near"] as const;
  for (const name of (await modes.count()) === 0 ? [whole] : [whole, near]) {
    const mode = modes.getByRole("button", { name });
    if ((await mode.count()) > 0) await mode.click();
    // Somebody to be near to.
    if (name === near) await page.locator(".maple-lane").first().click();
    await page.waitForTimeout(1_000);
    const before = await work();
    const { gapsMs, drawnMs } = await watchFrames(page, seconds * 1000);
    const after = await work();
    const frames = gapsMs.length;
    const passedMs = gapsMs.reduce((sum, gap) => sum + gap, 0);
    const usedMs = (metric: string): number => ((after[metric] ?? 0) - (before[metric] ?? 0)) * 1000;
    const each = (metric: string): string => (usedMs(metric) / frames).toFixed(2);
    lines.push(
      `${name}: ${((frames * 1000) / passedMs).toFixed(1)} frames a second`,
      `  between frames: ${quantiles(gapsMs)}`,
      `  drawing:        ${quantiles(drawnMs)}`,
      `  processor time of the main thread for a frame: ${each("TaskDuration")} ms, of that scripts ${each("ScriptDuration")}, ` +
        `layout ${each("LayoutDuration")}, styles ${each("RecalcStyleDuration")}; ` +
        `for a second of play: ${((usedMs("TaskDuration") * 1000) / passedMs).toFixed(0)} ms`,
    );
    if (trace === undefined) continue;
    mkdirSync(trace, { recursive: true });
    const kept = (ending: string): string => join(trace, `${name.toLowerCase().replaceAll(" ", "-")}.${ending}`);
    const stopTrace = await startTrace(client);
    const traced = await watchFrames(page, 2_000);
    const events = await stopTrace();
    writeFileSync(kept("trace.json"), JSON.stringify({ traceEvents: events }));
    const sums = [...workOf(events)].sort(([, a], [, b]) => b - a);
    const words = sums.map(([list, ms]) => `${list} ${(ms / traced.gapsMs.length).toFixed(2)}`);
    lines.push(`  traced, processor time for a frame in ms: ${words.join(", ")}`);
    await client.send("Profiler.enable");
    await client.send("Profiler.setSamplingInterval", { interval: 200 });
    await client.send("Profiler.start");
    await watchFrames(page, 2_000);
    const { profile } = await client.send("Profiler.stop");
    writeFileSync(kept("cpuprofile"), JSON.stringify(profile));
  }
  await browser.close();
  // biome-ignore lint/suspicious/noConsole: the report of a command.
  console.log(lines.join("\n"));
} finally {
  await launched.close();
  await server.close({ graceMs: 0 });
  if (keep === undefined) rmSync(folder, { recursive: true, force: true });
}
