/**
 * Opens the documentation site in Chromium, as `wirewalk serve` serves it: `npm run check:site`. Builds it first where it is not up to
 * date, which takes a minute. Checks kinds of pages at two widths: no violation that axe finds, no error in the console, no request
 * to another host, no sideways scrolling; and that the search finds a rule while the browser has no network.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { docsFolder, startServer } from "@wirewalk/server";
import type { AxeResults } from "axe-core";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { launchChromium, missingChromium } from "../studio/test/chromium.ts";
import { buildSite } from "./build-site.ts";

/** One page of each kind. */
const PAGES: Readonly<Record<string, string>> = {
  contents: "",
  guide: "start.html",
  "standard with diagrams": "protocols/slime-online-2.html",
  "long tables": "rules.html",
  "API reference": "reference/wirewalk/wire.html",
  unknown: "nothing.html",
};
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let failed = 0;
function report(what: string, problems: readonly string[]): void {
  console.log(`${problems.length === 0 ? "ok    " : "FAILED"} ${what}`);
  for (const problem of problems) console.log(`         ${problem}`);
  if (problems.length > 0) failed += 1;
}

/** Collects what a page says is wrong, and its requests to other hosts. */
function watch(page: Page, origin: string, expected: RegExp | undefined): readonly string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && expected?.test(message.text()) !== true) problems.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) problems.push(`asks ${url}`);
  });
  return problems;
}

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
  return found.violations.map(
    ({ id, help, nodes }) => `axe: ${id}: ${help}: ${nodes.map((each) => each.target).join(", ")}`,
  );
}

async function checkPages(context: BrowserContext, origin: string, what: string): Promise<void> {
  for (const [kind, path] of Object.entries(PAGES)) {
    const page = await context.newPage();
    const problems = watch(page, origin, kind === "unknown" ? /status of 404/ : undefined);
    await page.goto(`${origin}/docs/${path}`, { waitUntil: "networkidle" });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const heading = await page.locator("h1").count();
    report(`${what}: ${kind}`, [
      ...problems,
      ...(await violations(page)),
      ...(over > 0 ? [`scrolls sideways by ${over} px`] : []),
      ...(heading === 0 ? ["has no heading"] : []),
    ]);
    await page.close();
  }
}

/** The index is loaded with the search: after that it needs no network. */
async function checkSearch(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  const problems = watch(page, origin, undefined);
  await page.goto(`${origin}/docs/`, { waitUntil: "networkidle" });
  await page.locator(".DocSearch-Button").click();
  const box = page.locator("#localsearch-input");
  await box.fill("verdict");
  await page.locator(".result").first().waitFor();
  await context.setOffline(true);
  await box.fill("teleport");
  await page
    .locator(".result", { hasText: /teleport/i })
    .first()
    .waitFor();
  report("search without a network", problems);
  // Words of guides, and of the names of many methods.
  for (const word of ["verdict", "teleport"]) {
    await box.fill(word);
    const link = page.locator(".result").first();
    await page.locator(`.result:has-text("${word}")`).first().waitFor();
    const first = (await link.getAttribute("href")) ?? "";
    report(
      `the first result for "${word}"`,
      first.includes("/reference/") ? [`is a page of the reference: ${first}`] : [],
    );
  }
  await context.setOffline(false);
  await page.close();
}

async function checkLinkToPage(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/docs/guides/1-your-own-server.html`, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "The page", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/docs/guides/1-your-own-server.html");
  const { pathname } = new URL(page.url());
  report("its link to the page", pathname === "/" ? [] : [`leads to ${pathname}`]);
  await page.close();
}

const missing = missingChromium();
if (missing !== undefined) {
  console.log(`The site is not checked: ${missing}`);
} else {
  await buildSite();
  const server = await startServer({ http: 0, listeners: [], docsFolder: docsFolder() });
  const { host, port } = server.httpAddress ?? { host: "", port: 0 };
  const origin = `http://${host}:${port}`;
  const browserServer = await launchChromium();
  const browser = await chromium.connect(browserServer.wsEndpoint());
  try {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const viewport of SIZES) {
        const context = await browser.newContext({ viewport, colorScheme });
        await checkPages(context, origin, `${viewport.width} px, ${colorScheme}`);
        await context.close();
      }
    }
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await checkSearch(context, origin);
    await checkLinkToPage(context, origin);
    await context.close();
  } finally {
    await browser.close();
    await browserServer.close();
    await server.close({ graceMs: 0 });
  }
  if (failed > 0) console.error(`${failed} checks failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
