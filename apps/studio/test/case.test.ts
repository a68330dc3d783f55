/** A verdict as a file, in a browser without network: it is read, drawn, judged again and, where it was edited, says so. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { judgeCase, listVerdicts, makeCase, readCase } from "@wirewalk/recording";
import { nodeDecompress, nodeMeans } from "@wirewalk/recording/node";
import { type Browser, chromium, type Page } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../packages/recording/src/testing/record-play.ts";
import { casesFolder } from "../build-cases.ts";
import { axe } from "./axe.ts";
import { describeInBrowser, WAIT } from "./page-tools.ts";

describeInBrowser("a verdict as a file", () => {
  let folder: string;
  let browser: Browser;
  const cases = new Map<string, string>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "wirewalk-case-"));
    browser = await chromium.connect(inject("browser"));
    for (const [game, protocol] of Object.entries(protocols)) {
      const { sink } = await recordPlay({ protocol: protocol as PlayableProtocol, bots: 8, durationMs: 22_000 });
      const verdict = [...listVerdicts(sink.recording())].findLast(({ verdict: { kind } }) => kind !== "benign");
      if (verdict === undefined) throw new Error(`nothing was found in ${game}`);
      const out = join(folder, `${game}.html`);
      const viewer = readFileSync(join(casesFolder, `${game}.js`), "utf8");
      const options = { protocols, decompress: nodeDecompress, means: nodeMeans, viewer };
      writeFileSync(out, (await makeCase(sink.recording(), verdict.id, options)).html);
      cases.set(game, out);
    }
    return async () => {
      await browser.close();
      rmSync(folder, { recursive: true });
    };
  });

  /** Opens a file in a browser that is offline; everything that it complains of, and each request, ends in `complaints`. */
  async function opened(file: string): Promise<{ readonly page: Page; readonly complaints: string[] }> {
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:") && !request.url().startsWith("data:")) complaints.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    await page.getByRole("heading", { level: 1 }).waitFor(WAIT);
    return { page, complaints };
  }

  test.each(Object.keys(protocols))("of %s is judged again with the same digest", async (game) => {
    const file = cases.get(game) as string;
    const { page, complaints } = await opened(file);
    const read = await readCase(readFileSync(file, "utf8"));
    const { digest } = judgeCase(read, { protocols, decompress: nodeDecompress });
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toMatch(/^Rule .+, player .+: /);
    await page.getByText("This file is not signed: anybody could have made it.").waitFor(WAIT);
    await page.getByRole("button", { name: "Judge again" }).click(WAIT);
    await page.getByText("The same verdict, with the same numbers, at the same time.").waitFor(WAIT);
    const cells = await page.getByRole("table", { name: "Digests" }).getByRole("cell").allInnerTexts();
    expect(cells).toEqual(["in the file", read.facts.digest, "judged now", digest]);
    const drawn = await page.locator("img").evaluate((image) => (image as HTMLImageElement).naturalWidth);
    expect(drawn).toBeGreaterThan(500);
    expect(await axe(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("that was edited says so, and a script that was put into it does not run", async () => {
    const html = readFileSync(cases.get("slime-online-2") as string, "utf8");
    const file = join(folder, "edited.html");
    writeFileSync(
      file,
      html
        .replace('"story":["', '"story":["He is honest. ')
        .replace("<main", "<script>document.title = 'owned'</script><main"),
    );
    const { page } = await opened(file);
    await page.getByText("This file was changed after it was made: the facts of the case were changed.").waitFor(WAIT);
    expect(await page.title()).not.toBe("owned");
    await page.context().close();
  });

  test("a name with markup is text", async () => {
    const html = readFileSync(cases.get("scrap-mechanic") as string, "utf8");
    const file = join(folder, "markup.html");
    const name = '<img src=x onerror=\\"document.title=1\\">'.replaceAll("<", "\\u003c");
    writeFileSync(
      file,
      html.replace(/"player":\{"number":(\d+),"name":"[^"]*"/, `"player":{"number":$1,"name":"${name}"`),
    );
    const { page, complaints } = await opened(file);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain(
      '<img src=x onerror="document.title=1">',
    );
    expect(await page.locator("img").count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
