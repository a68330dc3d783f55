/** The documentation under `/docs/`: before the build, after a build while the server runs, and in an installation without it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { type RunningServer, startServer } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "wirewalk-docs-"));
const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close({ graceMs: 0 });
  rmSync(folder, { recursive: true, force: true });
});

async function open(docsFolder: string | undefined, host?: string): Promise<(path: string) => Promise<Response>> {
  const publicHosts = host === undefined ? {} : { publicHosts: [host] };
  const server = await startServer({ http: 0, listeners: [], docsFolder, ...publicHosts });
  running.push(server);
  const { host: name, port } = server.httpAddress ?? { host: "", port: 0 };
  return (path) => fetch(`http://${name}:${port}${path}`, { redirect: "manual" });
}

test("a site that is built while the server runs is found, and its pages have the page's headers", async () => {
  const site = join(folder, "dist");
  const get = await open(site);
  const before = await get("/docs/");
  expect(before.status).toBe(503);
  expect(before.headers.get("retry-after")).toBe("5");
  expect(await before.text()).toContain("npm run build:docs");

  mkdirSync(join(site, "assets"), { recursive: true });
  mkdirSync(join(site, "guides"));
  writeFileSync(join(site, "index.html"), "<!doctype html><title>contents</title>");
  writeFileSync(join(site, "guides/index.html"), "guides");
  writeFileSync(join(site, "rules.html"), "rules ".repeat(100));
  writeFileSync(join(site, "rules.html.gz"), gzipSync("rules ".repeat(100)));
  writeFileSync(join(site, "assets/app.abc.js"), "0");
  writeFileSync(join(site, ".sources"), "hash");

  const index = await get("/docs/");
  expect(index.status).toBe(200);
  expect(index.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(index.headers.get("cache-control")).toBe("no-cache");
  expect(index.headers.get("content-security-policy")).toMatch(/^default-src 'self'; style-src/);
  expect(await (await get("/docs/guides/")).text()).toBe("guides");
  const rules = await get("/docs/rules.html");
  expect(rules.headers.get("content-encoding")).toBe("gzip");
  expect(await rules.text()).toMatch(/^rules /);
  expect((await get("/docs/assets/app.abc.js")).headers.get("cache-control")).toMatch(/immutable/);
  for (const path of ["/docs/.sources", "/docs/rules.html.gz", "/docs/nothing.html", "/docs/../rules.html", "/docsx"]) {
    expect((await get(path)).status, path).toBe(404);
  }
  for (const [typed, meant] of [
    ["/docs/rules", "/docs/rules.html"],
    ["/docs/guides", "/docs/guides/"],
  ]) {
    const moved = await get(typed as string);
    expect([moved.status, moved.headers.get("location")]).toEqual([308, meant]);
  }
  const moved = await get("/docs");
  expect([moved.status, moved.headers.get("location")]).toEqual([308, "/docs/"]);
});

test("an unknown page is answered with that of the site, an unknown file with a line", async () => {
  const site = join(folder, "dist");
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, "index.html"), "contents");
  writeFileSync(join(site, "404.html"), "the site's own");
  const get = await open(site);
  for (const path of ["/docs/nothing.html", "/docs/nothing", "/docs/no/thing/"]) {
    const answer = await get(path);
    expect([answer.status, answer.headers.get("content-type"), await answer.text()], path).toEqual([
      404,
      "text/html; charset=utf-8",
      "the site's own",
    ]);
  }
  expect(await (await get("/docs/nothing.png")).text()).toBe("Not found\n");
});

test("an installation without the site says where to read it", async () => {
  const get = await open(undefined);
  const answer = await get("/docs/rules.html");
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain("https://github.com/wirewalk/wirewalk/tree/main/docs");
});

test("an address for others has neither the page nor the documentation", async () => {
  const get = await open(join(folder, "dist"), "play.example.org");
  expect((await get("/docs/")).status).toBe(404);
});
