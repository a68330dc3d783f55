/** What every test of the page in a browser needs. Pictures go to `screenshots/` in the root of the workspace. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { describe } from "vitest";
import { setup } from "./build-page.ts";
import { launchChromium, missingChromium } from "./chromium.ts";

const missing = missingChromium();
// biome-ignore lint/suspicious/noConsole: a skipped test says why.
if (missing !== undefined) console.log(`The page is not tested: ${missing}`);

/** `describe` where there is a browser; skipped, with the reason printed, where there is none. */
export const describeInBrowser: ReturnType<typeof describe.skipIf> = describe.skipIf(missing !== undefined);

/** How long anything on the page may take to appear. */
export const WAIT = { timeout: 15_000 };

const pictures = fileURLToPath(new URL("../../../screenshots/", import.meta.url));

/** Photographs a page or a part of it. */
export async function picture(of: Page | Locator, name: string, fullPage = false): Promise<void> {
  const path = join(pictures, `${name}.png`);
  // A locator has no full page.
  await ("goto" in of ? of.screenshot({ path, fullPage }) : of.screenshot({ path }));
}

/** A browser with one page. */
export interface OpenBrowser {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors and warnings of the page, as they come. */
  readonly complaints: readonly string[];
}

/** Builds the page, starts a browser, and opens an empty tab in dark. */
export async function openBrowser(): Promise<OpenBrowser> {
  mkdirSync(pictures, { recursive: true });
  await setup();
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  return { browser, context, page, complaints };
}
