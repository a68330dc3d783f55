/** The built page's files in the forms that they were built in. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "wirewalk-static-"));
const script = Buffer.from(`export const text = "${"to and fro ".repeat(200)}";`);
const forms = { br: brotliCompressSync(script), gzip: gzipSync(script), identity: script };
let server: RunningServer;

beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "index.html.gz"), gzipSync("<!doctype html>"));
  writeFileSync(join(folder, ".sources"), "hash");
  writeFileSync(join(folder, "assets", "main-abc123.js"), script);
  writeFileSync(join(folder, "assets", "main-abc123.js.br"), forms.br);
  writeFileSync(join(folder, "assets", "main-abc123.js.gz"), forms.gzip);
  writeFileSync(join(folder, "assets", "alone-abc123.js.gz"), forms.gzip);
  writeFileSync(join(folder, "assets", "packed-abc123.js.br"), forms.br);
  writeFileSync(join(folder, "assets", "dot-abc123.png"), "png");
  server = await startServer({ http: 0, listeners: [], studioFolder: folder });
});
afterAll(async () => {
  await server.close({ graceMs: 0 });
  rmSync(folder, { recursive: true, force: true });
});

function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const { host, port } = server.httpAddress ?? { host: "", port: 0 };
    const sent = request({ host, port, path, agent: false, headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

const path = "/assets/main-abc123.js";

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, br;q=0.1", "gzip"],
  ["deflate", "identity"],
  [undefined, "identity"],
] as const)("Accept-Encoding %j is answered in %s, as it was built", async (accepted, encoding) => {
  const answer = await get(path, accepted === undefined ? {} : { "accept-encoding": accepted });
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "content-length": String(forms[encoding].length),
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  });
  expect(answer.headers["content-encoding"]).toBe(encoding === "identity" ? undefined : encoding);
  expect(answer.body.equals(forms[encoding])).toBe(true);
  const head = await get(path, accepted === undefined ? {} : { "accept-encoding": accepted }, "HEAD");
  expect(head.body.length).toBe(0);
  expect(head.headers["content-length"]).toBe(answer.headers["content-length"]);
  expect(head.headers["content-encoding"]).toBe(answer.headers["content-encoding"]);
});

test("each form has an etag of its own, which follows from its content", async () => {
  const etags: string[] = [];
  for (const encoding of ["br", "gzip", "identity"]) {
    const { headers } = await get(path, { "accept-encoding": encoding });
    const etag = String(headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get(path, { "accept-encoding": encoding, "if-none-match": known });
      expect(again, known).toMatchObject({ status: 304, headers: { etag, vary: "accept-encoding" } });
      expect(again.body.length).toBe(0);
    }
    etags.push(etag);
  }
  expect(new Set(etags).size).toBe(3);
  const other = await get(path, { "accept-encoding": "br", "if-none-match": String(etags[1]) });
  expect(other.status).toBe(200);
  const second = await startServer({ http: 0, listeners: [], studioFolder: folder });
  try {
    const { host, port } = second.httpAddress ?? { host: "", port: 0 };
    const { headers } = await fetch(`http://${host}:${port}${path}`, { headers: { "accept-encoding": "br" } });
    expect(headers.get("etag")).toBe(etags[0]);
  } finally {
    await second.close({ graceMs: 0 });
  }
});

test("the page itself is asked for again each time", async () => {
  const { headers, body } = await get("/", { "accept-encoding": "gzip" });
  expect(headers).toMatchObject({ "cache-control": "no-cache", "content-encoding": "gzip", vary: "accept-encoding" });
  expect(body.equals(gzipSync("<!doctype html>"))).toBe(true);
});

test("a file with one form does not vary, and forms have no paths of their own", async () => {
  const { headers } = await get("/assets/dot-abc123.png", { "accept-encoding": "br" });
  expect(headers).toMatchObject({ "content-type": "image/png" });
  expect(headers.vary).toBeUndefined();
  expect(headers["content-encoding"]).toBeUndefined();
  for (const missing of [`${path}.br`, `${path}.gz`, "/index.html.gz", "/.sources"]) {
    expect((await get(missing)).status, missing).toBe(404);
  }
  // Beside no other file it is a file like others.
  expect((await get("/assets/alone-abc123.js.gz")).status).toBe(200);
});

test("a file that is there in brotli alone is sent so, and unpacked for those who do not know it", async () => {
  const packed = "/assets/packed-abc123.js";
  const answers = await Promise.all(["br", "gzip", ""].map((encoding) => get(packed, { "accept-encoding": encoding })));
  expect(answers.map(({ status, headers }) => [status, headers["content-type"], headers["content-encoding"]])).toEqual([
    [200, "text/javascript; charset=utf-8", "br"],
    [200, "text/javascript; charset=utf-8", undefined],
    [200, "text/javascript; charset=utf-8", undefined],
  ]);
  expect(answers.map(({ body }) => body)).toEqual([forms.br, script, script]);
  const [first, second] = answers.map(({ headers }) => headers.etag);
  expect(first).not.toBe(second);
  expect((await get(packed, { "accept-encoding": "gzip", "if-none-match": String(second) })).status).toBe(304);
  expect((await get(`${packed}.br`)).status).toBe(404);
});
