/**
 * Takes pictures of verdicts in their seconds, of all games: `npm run pictures:verdicts` writes them to `screenshots/`, at four widths, light and
 * dark, each with the text that the page has beside the drawing. Verdicts come from seeded play, as files that are dropped on the page.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listVerdicts, makeCase } from "@wirewalk/recording";
import { nodeDecompress, nodeMeans } from "@wirewalk/recording/node";
import { pageFolder, startServer } from "@wirewalk/server";
import { type Browser, chromium, type Page } from "playwright-core";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../packages/recording/src/testing/record-play.ts";
import { parseOptions } from "../../../tools/options.ts";
import { casesFolder } from "../build-cases.ts";
import { buildPage } from "../build-page.ts";
import { launchChromium, missingChromium } from "../test/chromium.ts";
import { drop } from "../test/drop.ts";

const usage =
  "Usage: npm run pictures:verdicts [-- --game maplestory --rule gain --width 1440 --scheme dark --to FOLDER]\n" +
  "Each option but --to may be repeated.";

/** What is photographed, of which game and dialect. */
const verdicts: readonly { readonly game: string; readonly rule: string; readonly dialect?: string }[] = [
  { game: "slime-online-2", rule: "teleport" },
  { game: "slime-online-2", rule: "unreachable" },
  { game: "slime-online-2", rule: "no-door", dialect: "v0106" },
  { game: "slime-online-2", rule: "rate-limit" },
  { game: "osrs", rule: "straight-lines" },
  { game: "osrs", rule: "smooth-speed" },
  { game: "maplestory", rule: "teleport" },
  { game: "maplestory", rule: "flight" },
  { game: "maplestory", rule: "foothold" },
  { game: "maplestory", rule: "monster-ground" },
  { game: "maplestory", rule: "monster-control" },
  { game: "maplestory", rule: "speed" },
  { game: "scrap-mechanic", rule: "fast-clock" },
  { game: "scrap-mechanic", rule: "sprint-standing" },
];

const sizes: Readonly<Record<number, number>> = { 390: 844, 820: 1180, 1440: 900, 2560: 1440 };
const schemes = ["light", "dark"] as const;
const DURATION_MS = 24_000;
/** The clock of the page stands at the message: so near to it, of a thousand. */
const AFTER = [-0.05, 2] as const;
/** Verdicts that have their seconds around them are chosen first. */
const [EARLIEST_MS, LATEST_MS] = [5_500, DURATION_MS - 2_500];

interface Case {
  readonly name: string;
  readonly file: string;
  readonly html: string;
}

async function casesOf(wanted: typeof verdicts): Promise<readonly Case[]> {
  const cases: Case[] = [];
  const plays = new Map<string, Awaited<ReturnType<typeof recordPlay>>>();
  for (const { game, rule, dialect } of wanted) {
    const protocol = protocols[game] as PlayableProtocol;
    const key = `${game} ${dialect}`;
    const bots = protocol.bots.cheats.length * 2;
    const play =
      plays.get(key) ??
      (await recordPlay({ protocol, bots, durationMs: DURATION_MS, ...(dialect === undefined ? {} : { dialect }) }));
    plays.set(key, play);
    const recording = play.sink.recording();
    const found = [...listVerdicts(recording)].filter(({ verdict }) => verdict.rule === rule);
    const isWhole = ({ verdict: { atMs } }: (typeof found)[number]): boolean => atMs > EARLIEST_MS && atMs < LATEST_MS;
    // One with a figure says more.
    const verdict =
      found.find((each) => each.verdict.measured !== undefined && isWhole(each)) ??
      found.find((each) => each.verdict.measured !== undefined) ??
      found[0];
    if (verdict === undefined) throw new Error(`nothing was found by ${rule} of ${game}`);
    const viewer = readFileSync(join(casesFolder, `${game}.js`), "utf8");
    const { html } = await makeCase(recording, verdict.id, {
      protocols,
      decompress: nodeDecompress,
      means: nodeMeans,
      viewer,
    });
    cases.push({ name: `${game}-${rule}`, file: `${game}-${verdict.id}.html`, html });
  }
  return cases;
}

/** Opens the verdict, and stops its seconds where they stand at the message. */
async function open(page: Page, origin: string, { file, html }: Case): Promise<void> {
  await page.goto(origin);
  await page.locator(".scene canvas, .blank").first().waitFor({ timeout: 30_000 });
  await drop(page, file, new TextEncoder().encode(html));
  await page.locator(".moment-overlay, .moment-story").first().waitFor({ timeout: 60_000 });
  // In the page itself: a slow machine would press it too late.
  await page.waitForFunction(
    ([from, to]) => {
      const place = (selector: string, name: string): number =>
        Number(document.querySelector(`.moment-clock ${selector}`)?.getAttribute(name) ?? Number.NaN);
      const after = place(".moment-now", "x1") - place('rect[y="0"]', "x");
      const isThere = after > from && after < to && document.querySelector(".moment-legend span") !== null;
      if (isThere) document.querySelector<HTMLElement>(".work:not([hidden]) .playback-main")?.click();
      return isThere;
    },
    AFTER,
    { timeout: 60_000, polling: "raf" },
  );
}

async function photograph(browser: Browser, origin: string, of: Case, shots: Shots): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" });
  try {
    await open(page, origin, of);
    for (const width of shots.widths) {
      await page.setViewportSize({ width, height: sizes[width] ?? 900 });
      for (const scheme of shots.schemes) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.waitForTimeout(500);
        await page.screenshot({ path: join(shots.into, `moment-${of.name}-${width}-${scheme}.png`) });
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) console.log(`${of.name} at ${width}: ${wide} px wide`);
    }
    const shown = page.locator(".work:not([hidden])");
    const texts = [
      await shown.locator(".moment-bar").innerText(),
      await shown.locator(".insp-title").innerText(),
      await shown.locator(".moment-story").innerText(),
      await shown.getByRole("region", { name: "What the server knew" }).innerText(),
    ];
    writeFileSync(join(shots.into, `moment-${of.name}.txt`), `${texts.join("\n\n")}\n`);
    console.log(of.name);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${of.name}: ${error instanceof Error ? error.message : error}`);
  } finally {
    await page.close();
  }
}

interface Shots {
  readonly widths: readonly number[];
  readonly schemes: readonly ("light" | "dark")[];
  readonly into: string;
}

async function main(): Promise<void> {
  const { values } = parseOptions(usage, {
    options: {
      game: { type: "string", multiple: true, default: [] },
      rule: { type: "string", multiple: true, default: [] },
      width: { type: "string", multiple: true, default: [] },
      scheme: { type: "string", multiple: true, default: [] },
      to: { type: "string", default: fileURLToPath(new URL("../../../screenshots/", import.meta.url)) },
      help: { type: "boolean", default: false },
    },
  });
  const missing = missingChromium();
  if (missing !== undefined) throw new Error(missing);
  const isAsked = (asked: readonly string[], value: string): boolean => asked.length === 0 || asked.includes(value);
  const wanted = verdicts.filter(({ game, rule }) => isAsked(values.game, game) && isAsked(values.rule, rule));
  const shots = {
    widths: Object.keys(sizes)
      .filter((width) => isAsked(values.width, width))
      .map(Number),
    schemes: schemes.filter((scheme) => isAsked(values.scheme, scheme)),
    into: values.to,
  };
  mkdirSync(shots.into, { recursive: true });
  await buildPage();
  const cases = await casesOf(wanted);
  const server = await startServer({
    http: 0,
    listeners: Object.values(protocols).map((protocol) => ({ protocol, port: 0 })),
    studioFolder: pageFolder(),
    demo: true,
  });
  const browserServer = await launchChromium();
  const browser = await chromium.connect(browserServer.wsEndpoint());
  try {
    const { port = 0 } = server.httpAddress ?? {};
    for (const each of cases) await photograph(browser, `http://127.0.0.1:${port}`, each, shots);
  } finally {
    await browser.close();
    await browserServer.close();
    await server.close({ graceMs: 0 });
  }
}

await main();
