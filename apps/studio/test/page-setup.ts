/** Once for all tests of the page: builds it and starts the browser that their files share. Vitest calls it before the first of them. */
import type { TestProject } from "vitest/node";
import { buildPage } from "../build-page.ts";
import { launchChromium, missingChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the shared browser is connected to. */
    browser: string;
  }
}

/** Without a browser it does nothing: the files say so themselves. Gives what ends it all. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (missingChromium() !== undefined) return undefined;
  await buildPage();
  // For `vitest.setup.ts`, in the workers that are started later.
  process.env.WIREWALK_BESIDE_PAGES = "1";
  const browser = await launchChromium();
  project.provide("browser", browser.wsEndpoint());
  return () => browser.close();
}
