/** Accessibility of the page, checked by axe-core in the page itself. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** What axe finds wrong in a part of the page, by default all; undefined where it is not installed. */
export async function axe(page: Page, part = "html"): Promise<readonly string[] | undefined> {
  let path: string;
  try {
    path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  } catch {
    if (process.env.CI !== undefined && process.env.CI !== "") throw new Error("axe-core is not installed");
    // biome-ignore lint/suspicious/noConsole: a check that is left out says why.
    console.log("accessibility is not checked: axe-core is not installed (npm install)");
    return undefined;
  }
  // It has half a megabyte: a page gets it once.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(readFileSync(path, "utf8"));
  return page.evaluate(async (selector) => {
    const { axe: engine } = window as unknown as {
      axe: {
        run(
          selector: string,
          options: { resultTypes: readonly string[] },
        ): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
      };
    };
    // Of what is right it says nothing, which costs it the selector of every element.
    const { violations } = await engine.run(selector, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  }, part);
}
