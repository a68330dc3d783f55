import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, type ServerOptions, startServer } from "../index.ts";
import { PlainClient, until, WebClient } from "../testing/clients.ts";

const folder = mkdtempSync(join(tmpdir(), "wirewalk-page-"));
mkdirSync(join(folder, "page", "assets"), { recursive: true });
writeFileSync(join(folder, "secret.txt"), "secret");
writeFileSync(join(folder, "page", "index.html"), "<!doctype html><title>Page</title>");
writeFileSync(join(folder, "page", ".hidden"), "hidden");
writeFileSync(join(folder, "page", "assets", "main-abc123.js"), "export {};");
symlinkSync(join(folder, "secret.txt"), join(folder, "page", "link.txt"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let server: RunningServer;
afterEach(() => server.close({ graceMs: 0 }));
const start = async (options: Partial<ServerOptions> = {}): Promise<number> => {
  server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol, port: 0 }], ...options });
  return server.listeners[0]?.port ?? 0;
};

/** The path goes out as it is: no client tidies it up. */
function get(path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const { host, port } = server.httpAddress ?? { host: "", port: 0 };
    const sent = request({ host, port, path, agent: false, ...options }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("over HTTP", () => {
  test("probes are answered; other requests get a plain-text error", async () => {
    await start();
    expect(await get("/livez")).toMatchObject({ status: 200, body: "ok\n" });
    expect(await get("/readyz")).toMatchObject({ status: 200, body: "ok\n" });
    expect(await get("/nothing")).toMatchObject({ status: 404, body: "Not found\n" });
    expect(await get("/ws/fake")).toMatchObject({ status: 404 });
    const post = await get("/livez", { method: "POST" });
    expect(post).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
    expect(String(post.headers["content-type"])).toContain("text/plain");
    expect(await get("/livez", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });

  test("nobody is asked for a body that is not read", async () => {
    await start();
    const client = await PlainClient.to(server.httpAddress?.port ?? 0);
    const headers = "Host: localhost\r\nExpect: 100-continue\r\nContent-Length: 1099511627776\r\n";
    client.send(Buffer.from(`POST /livez HTTP/1.1\r\n${headers}\r\n`));
    await client.closes();
    expect(client.received.toString().split("\r\n", 1)).toEqual(["HTTP/1.1 405 Method Not Allowed"]);
  });

  test("a connection is answered 100 requests, and closed when it sends more", async () => {
    await start();
    const ask = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const answers = (client: PlainClient): number => client.received.toString().split("HTTP/1.1 200 OK").length - 1;
    const patient = await PlainClient.to(server.httpAddress?.port ?? 0);
    patient.send(Buffer.from(ask.repeat(99)));
    await until("99 answers", () => answers(patient) === 99);
    const flooding = await PlainClient.to(server.httpAddress?.port ?? 0);
    flooding.send(Buffer.from(ask.repeat(5_000)));
    await flooding.closes();
    expect(answers(flooding)).toBeLessThanOrEqual(100);
    expect(patient.received.toString()).not.toContain("Connection: close");
    patient.send(Buffer.from(ask));
    await until("the hundredth answer", () => answers(patient) === 100);
    expect(patient.received.toString().match(/Connection: close/g)).toHaveLength(1);
  });

  test("without a built page `/` says how to build it", async () => {
    await start();
    const { status, body } = await get("/");
    expect(status).toBe(404);
    expect(body).toContain("npm run build:studio");
  });

  test("the page's files come with their type, caching and policy", async () => {
    await start({ studioFolder: join(folder, "page") });
    const page = await get("/");
    expect(page).toMatchObject({
      status: 200,
      body: "<!doctype html><title>Page</title>",
      headers: {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
      },
    });
    expect(String(page.headers["content-security-policy"])).toContain("default-src 'self'");
    expect(await get("/?room=3")).toMatchObject({ status: 200 });
    const script = await get("/assets/main-abc123.js");
    expect(script).toMatchObject({
      status: 200,
      headers: {
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "public, max-age=31536000, immutable",
      },
    });
    const headers = { "if-none-match": String(page.headers.etag) };
    expect(await get("/", { headers })).toMatchObject({ status: 304, body: "" });
    expect(await get("/", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  });

  test("a page that is built anew leaves a running server the one that it started with", async () => {
    const built = join(folder, "rebuilt");
    mkdirSync(built);
    writeFileSync(join(built, "index.html"), "first");
    await start({ studioFolder: built });
    writeFileSync(join(built, "index.html"), "second, longer");
    expect(await get("/")).toMatchObject({ status: 200, body: "first" });
    rmSync(join(built, "index.html"));
    expect(await get("/")).toMatchObject({ status: 200, body: "first" });
  });

  test.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/..\\secret.txt",
    "//secret.txt",
    "/link.txt",
    "/.hidden",
    "/assets",
    "/%",
    "/index.html%00",
    "/__proto__",
  ])("no path leads out of the page's folder: %s", async (path) => {
    await start({ studioFolder: join(folder, "page") });
    expect(await get(path)).toMatchObject({ status: 404 });
  });

  test("a folder without a page is refused at the start", async () => {
    await start();
    await expect(startServer({ listeners: [], studioFolder: folder })).rejects.toThrow("has no index.html");
  });

  test("headers have a limit", async () => {
    await start();
    expect(await get("/livez", { headers: { long: "x".repeat(10_000) } })).toMatchObject({ status: 431 });
  });
});

describe("the WebSocket's handshake", () => {
  const open = (headers: Record<string, string>, path = "/ws/fake") => WebClient.to(server.httpAddress, path, headers);

  test("takes no origin, its own, and those that are allowed", async () => {
    await start({ allowedOrigins: ["https://example.org"] });
    const { host, port } = server.httpAddress ?? { host: "", port: 0 };
    await open({});
    await open({ origin: `http://${host}:${port}` });
    await open({ origin: "https://example.org" });
    await open({ origin: `http://${host}:${port}` }, "/ws/studio");
    for (const origin of [
      "https://evil.example",
      `http://${host}:${port + 1}`,
      `http://${host}`,
      "https://example.org:444",
      "http://example.org",
      "null",
      "",
    ]) {
      await expect(open({ origin }), origin).rejects.toThrow("403");
      await expect(open({ origin }, "/ws/studio"), origin).rejects.toThrow("403");
    }
    expect(server.stats().players).toBe(3);
  });

  test("refuses unknown paths and names that are too long", async () => {
    await start();
    await expect(open({}, "/ws/other")).rejects.toThrow("404");
    await expect(open({}, "/ws/")).rejects.toThrow("404");
    await expect(open({}, "/")).rejects.toThrow("404");
    await expect(open({}, `/ws/fake?account=${"a".repeat(65)}`)).rejects.toThrow("400");
    await expect(open({}, "/ws/fake?room=")).rejects.toThrow("400");
  });

  test("that is invalid frees its session's place", async () => {
    await start();
    expect(await get("/ws/fake", { headers: { connection: "upgrade", upgrade: "websocket" } })).toMatchObject({
      status: 400,
    });
    await until("the place is free", () => server.stats().sessions === 0);
    expect(await get("http://[/ws/fake", { headers: { connection: "upgrade", upgrade: "websocket" } })).toMatchObject({
      status: 404,
    });
  });
});

describe("the metrics", () => {
  test("are text that Prometheus can read, and count what happened", async () => {
    const port = await start();
    const a = await PlainClient.to(port);
    await a.receives("W1");
    const b = await WebClient.to(server.httpAddress, "/ws/fake");
    await b.receives("W2");
    a.sendText("shello");
    a.sendText("?");
    a.sendText("s/verdict");
    await b.receives("S1:hello");
    b.sendText("s/kick");
    await b.closes();
    const { headers, body } = await get("/metrics");
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    const values = parseMetrics(body);
    expect(values.get('wirewalk_sessions{protocol="fake",world="fake",carrier="tcp"}')).toBe(1);
    expect(values.get('wirewalk_messages_in_total{protocol="fake",world="fake",carrier="tcp"}')).toBe(3);
    expect(values.get('wirewalk_bytes_in_total{protocol="fake",world="fake",carrier="tcp"}')).toBe(8 + 3 + 11);
    expect(values.get('wirewalk_bytes_out_total{protocol="fake",world="fake",carrier="websocket"}')).toBe(
      2 + 2 + 2 + 8,
    );
    expect(values.get('wirewalk_refused_payloads_total{protocol="fake",world="fake",carrier="tcp"}')).toBe(1);
    expect(values.get('wirewalk_verdicts_total{protocol="fake",world="fake",rule="manners",kind="reject"}')).toBe(1);
    expect(
      values.get('wirewalk_disconnects_total{protocol="fake",world="fake",carrier="websocket",reason="world-close"}'),
    ).toBe(1);
    expect(values.get('wirewalk_deliveries_total{protocol="fake",world="fake"}')).toBe(3);
    expect(values.get('wirewalk_writes_total{protocol="fake",world="fake"}')).toBe(3);
    for (const name of ["wirewalk_event_loop_lag_seconds", "process_resident_memory_bytes"])
      expect(values.has(name)).toBe(true);
  });
});

/** Reads the text format as strictly as its description: HELP, TYPE, then samples of that name alone. */
function parseMetrics(text: string): Map<string, number> {
  const values = new Map<string, number>();
  let name = "";
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.trimEnd().split("\n")) {
    const help = /^# HELP ([a-z_]+) .+$/.exec(line);
    if (help !== null) {
      name = help[1] ?? "";
      continue;
    }
    if (line.startsWith("#")) {
      expect(line).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge)$`));
      continue;
    }
    const sample = /^([a-z_]+)(\{(?:[a-z]+="(?:[^"\\\n]|\\[\\n"])*"(?:,(?!\}))?)+\})? (-?[0-9.e+-]+)$/.exec(line);
    expect(sample?.[1], line).toBe(name);
    const key = `${sample?.[1]}${sample?.[2] ?? ""}`;
    expect(values.has(key), line).toBe(false);
    values.set(key, Number(sample?.[3]));
  }
  return values;
}
