/** What a visitor loads first: sizes of the built page, and what the page shows until a game's chunk is here, or when it never comes. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Page, Route } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { buildPage, hashOf } from "../build-page.ts";
import { describeInBrowser, openStudio, picture, type Studio, WAIT } from "./page-tools.ts";

const dist = fileURLToPath(new URL("../../../packages/server/page", import.meta.url));

/** The first load, compressed, whatever the encoding. */
const MOST_BYTES = 57_000;

/** A file with all that a browser loads for it without being asked by the page: what a page links, what a script imports. */
function loadedWith(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  const text = readFileSync(join(dist, path), "utf8");
  const links = path.endsWith(".html")
    ? text.matchAll(/(?:src|href)="\/(.+?)"/g)
    : text.matchAll(/(?:^|[;}\n])import(?:[^"'();]*?from)?["']\.\/(.+?)["']/g);
  for (const [, link = ""] of links) loadedWith(path.endsWith(".html") ? link : `assets/${link}`, found);
  return found;
}

describe.skipIf(!existsSync(dist))("the built page", () => {
  const first = existsSync(dist) ? [...loadedWith("index.html")] : [];

  test.each([".br", ".gz"])("loads at most 57 kB first, as %s", (suffix) => {
    const sizes = first.map((path) => readFileSync(join(dist, `${path}${suffix}`)).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MOST_BYTES);
  });

  test("loads a script and a style sheet first, and no game", () => {
    const kinds = first.map((path) => extname(path));
    expect(kinds).toContain(".js");
    expect(kinds).toContain(".css");
    const chunks = readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".js"));
    for (const game of ["slime-online-2", "osrs", "maplestory", "scrap-mechanic"]) {
      expect(chunks.filter((name) => name.startsWith(`${game}-`)).length, game).toBe(1);
      expect(
        first.some((path) => path.includes(game)),
        game,
      ).toBe(false);
    }
  });

  test("has each game once: the workers load the page's own chunks, and never the page", () => {
    const chunks = readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".js"));
    const holding = (text: string): readonly string[] =>
      chunks.filter((name) => readFileSync(join(dist, "assets", name), "utf8").includes(text));
    for (const { title, summary } of Object.values(protocols)) expect(holding(summary), title).toHaveLength(1);
    const workers = chunks.filter((name) => name.includes("-worker-"));
    expect(workers.map((name) => name.split("-")[0]).sort()).toEqual(["inspect", "maps", "recorded"]);
    const [page] = first.filter((path) => /^assets\/index-.+\.js$/.test(path));
    for (const worker of workers) {
      const loaded = loadedWith(`assets/${worker}`);
      expect(loaded.has(page ?? ""), worker).toBe(false);
      // What loads a chunk for a page asks for its document.
      for (const path of loaded) expect(readFileSync(join(dist, path), "utf8"), path).not.toContain("modulepreload");
      // A worker of maps has readers alone.
      const hasGames = [...loaded].some((path) => path.includes("library-osrs"));
      expect(hasGames, worker).toBe(!worker.startsWith("maps-"));
    }
  });

  test("is not built again while its sources stay", async () => {
    const before = statSync(join(dist, "index.html")).mtimeMs;
    expect(await buildPage()).toBe(false);
    expect(statSync(join(dist, "index.html")).mtimeMs).toBe(before);
  });

  test("is built from names and contents, tests left out", () => {
    const folder = mkdtempSync(join(tmpdir(), "wirewalk-sources-"));
    try {
      const hashes: string[] = [];
      const write = (name: string, text: string): void => {
        writeFileSync(join(folder, name), text);
        hashes.push(hashOf([folder]));
      };
      write("a.ts", "1");
      write("a.test.ts", "1");
      expect(hashes[1]).toBe(hashes[0]);
      write("a.ts", "2");
      write("b.ts", "");
      write("a.ts", "1");
      rmSync(join(folder, "b.ts"));
      expect(new Set(hashes).size).toBe(4);
      expect(hashOf([folder])).toBe(hashes[0]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("has every text in both encodings, equal to the file, but where that is no smaller", () => {
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
    const texts = files.filter((file) => /\.(js|css|html|svg)$/.test(file));
    expect(texts.length).toBeGreaterThan(7);
    for (const file of texts) {
      const bytes = readFileSync(join(dist, file));
      for (const [suffix, decode] of [
        [".br", brotliDecompressSync],
        [".gz", gunzipSync],
      ] as const) {
        const encoded = join(dist, `${file}${suffix}`);
        if (existsSync(encoded)) expect(decode(readFileSync(encoded)).equals(bytes), file).toBe(true);
        else expect(bytes.length, file).toBeLessThan(200);
      }
    }
  });
});

describeInBrowser("the page while a game's chunk", () => {
  let studio: Studio;
  let page: Page;
  const chunk = /\/assets\/slime-online-2-.+\.js$/;
  /** Of everything that the server has sent. */
  const encodings: (string | undefined)[] = [];

  beforeAll(async () => {
    studio = await openStudio([{ protocol: slimeOnline2, port: 0 }]);
    page = studio.page;
    page.on("response", (response) => {
      const isSent = response.url().startsWith(studio.origin) && response.status() === 200;
      if (isSent) encodings.push(response.headers()["content-encoding"]);
    });
    return studio.close;
  });
  afterEach(() => page.unrouteAll());

  test("is on its way, shows what it loads, then the room", async () => {
    let held: Route | undefined;
    await page.goto("about:blank");
    await page.route(chunk, (route) => {
      held = route;
    });
    await page.goto(`${studio.origin}/#slime-online-2/2`);
    await page.getByText("Loading the drawing of Slime Online 2.").waitFor(WAIT);
    expect(await page.getByRole("tab", { name: /^Verdicts/ }).isVisible()).toBe(true);
    await picture(page, "page-loading");
    await expect.poll(() => held !== undefined, WAIT).toBe(true);
    await held?.continue();
    await page.getByRole("region", { name: "Room 2" }).waitFor(WAIT);
    expect(await page.locator(".scene canvas").count()).toBe(1);
    expect(studio.complaints).toEqual([]);
  });

  test("cannot be loaded, says so and offers to reload, which helps", async () => {
    await page.goto("about:blank");
    await page.route(chunk, (route) => route.fulfill({ status: 404, body: "Not found" }));
    await page.goto(`${studio.origin}/#slime-online-2/2`);
    await page.getByText("The drawing of Slime Online 2 could not be loaded.").waitFor(WAIT);
    await picture(page, "page-not-loaded");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload the page" }).click();
    await page.getByRole("region", { name: "Room 2" }).waitFor(WAIT);
  });

  test("and its feed are of an older server, asks for a reload", async () => {
    await page.goto("about:blank");
    let version = 1;
    await page.routeWebSocket(/\/ws\/studio/, (socket) => {
      const feed = socket.connectToServer();
      feed.onMessage((message) => {
        const isHello = typeof message === "string" && message.includes('"type":"hello"');
        socket.send(isHello ? JSON.stringify({ ...JSON.parse(message), version }) : message);
      });
    });
    await page.goto(`${studio.origin}/#slime-online-2/2`);
    await page.getByText("The server was updated after this page was loaded.").first().waitFor(WAIT);
    await picture(page, "page-outdated");
    version = 3;
    await page.getByRole("button", { name: "Reload", exact: true }).click();
    await page.getByRole("region", { name: "Room 2" }).waitFor(WAIT);
  });

  test("and all the rest are sent compressed", async () => {
    // The loads of the tests before, unless this one runs alone.
    if (encodings.length === 0) {
      await page.goto(`${studio.origin}/#slime-online-2/2`);
      await page.getByRole("region", { name: "Room 2" }).waitFor(WAIT);
    }
    expect(encodings.length).toBeGreaterThan(3);
    // Chromium takes brotli from this machine's own addresses too.
    expect(new Set(encodings)).toEqual(new Set(["br"]));
  });
});
