/** Who may look: foreign names, other origins, the admin listener and its token, over raw sockets. */
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, type ServerOptions, startServer } from "../index.ts";
import { WebClient } from "../testing/clients.ts";
import { hostName } from "./web-access.ts";

let server: RunningServer;
afterEach(() => server?.close({ graceMs: 0 }));
const start = async (options: Partial<ServerOptions> = {}): Promise<void> => {
  server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }], ...options });
};

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends these lines as they are, and reads until the server ends or a WebSocket is open. */
function ask(lines: readonly string[], to = server.httpAddress, body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: to?.port ?? 0, host: to?.host ?? "" });
    let text = "";
    const done = (): void => {
      socket.destroy();
      const [head = "", rest = ""] = text.split("\r\n\r\n", 2);
      resolve({ status: Number(head.split(" ")[1]), head, body: rest });
    };
    socket.setEncoding("latin1");
    socket.on("data", (more: string) => {
      text += more;
      if (/^HTTP\/1\.1 101 .*\r\n\r\n/s.test(text)) done();
    });
    socket.on("end", done);
    socket.on("error", reject);
    socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  });
}

const get = (path: string, host: string, ...more: string[]): readonly string[] => [
  `GET ${path} HTTP/1.1`,
  `Host: ${host}`,
  "Connection: close",
  ...more,
];
const upgrade = (path: string, host: string, ...more: string[]): readonly string[] => [
  `GET ${path} HTTP/1.1`,
  `Host: ${host}`,
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ...more,
];

describe("a name that an attacker points at this machine", () => {
  const FOREIGN = [
    "evil.example",
    "evil.example:7400",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "192.0.2.7",
  ];

  test.each(FOREIGN)("%s reads no page, no metrics and no probe, and opens no socket", async (host) => {
    await start();
    const port = server.httpAddress?.port;
    for (const path of ["/", "/metrics", "/livez", "/readyz", "/assets/main.js"]) {
      const { status, body } = await ask(get(path, host));
      expect([status, body]).toEqual([421, expect.stringContaining("--public-host NAME")]);
    }
    for (const path of ["/ws/fake", "/ws/studio"]) {
      expect((await ask(upgrade(path, host))).status).toBe(421);
      // The rebound page has the origin of its own name.
      expect((await ask(upgrade(path, `${host}:${port}`, `Origin: http://${host}:${port}`))).status).toBe(421);
    }
    expect(server.stats().sessions).toBe(0);
  });

  test.each(["localhost", "LocalHost", "127.0.0.1", "127.1.2.3", "[::1]", "page.localhost", "localhost."])(
    "%s is a name of loopback",
    async (host) => {
      await start();
      expect((await ask(get("/metrics", `${host}:7400`))).status).toBe(200);
      expect((await ask(upgrade("/ws/fake", host))).status).toBe(101);
    },
  );

  test("a public host is answered when it is named, with any port, and no other name under it", async () => {
    await start({ publicHosts: ["Play.example.org"] });
    expect((await ask(upgrade("/ws/fake", "play.example.org"))).status).toBe(101);
    expect(
      (await ask(upgrade("/ws/fake", "play.example.org:443", "Origin: https://play.example.org:443"))).status,
    ).toBe(403);
    expect((await ask(upgrade("/ws/fake", "play.example.org", "Origin: https://play.example.org"))).status).toBe(101);
    expect((await ask(upgrade("/ws/fake", "evil.play.example.org"))).status).toBe(421);
    expect((await ask(get("/livez", "play.example.org:8443"))).status).toBe(200);
  });

  test.each([
    ["a.b:80", "a.b"],
    ["A.B.", "a.b"],
    ["[::1]:80", "::1"],
    ["[::1", undefined],
    ["[a.b]", undefined],
    ["::1", undefined],
    ["a.b:x", undefined],
    ["a@b", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("the header %j names %j", (header, name) => {
    expect(hostName(header)).toBe(name);
  });

  const own = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === "IPv4" && !each.internal)?.address;

  // Without a network there is no address to ask at.
  test.skipIf(own === undefined)("the address of the connection itself is no such name", async () => {
    await start({ host: "0.0.0.0" });
    const to = { host: own ?? "", port: server.httpAddress?.port ?? 0 };
    expect((await ask(get("/livez", `${own}:${to.port}`), to)).status).toBe(200);
    expect((await ask(get("/livez", "192.0.2.7"), to)).status).toBe(421);
  });
});

describe("a page of another origin", () => {
  test.each(["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1.evil.example", "garbage"])(
    "%s opens no socket",
    async (origin) => {
      await start();
      const host = `127.0.0.1:${server.httpAddress?.port}`;
      for (const path of ["/ws/fake", "/ws/studio"]) {
        expect((await ask(upgrade(path, host, `Origin: ${origin}`))).status).toBe(403);
      }
      expect((await ask(upgrade("/ws/fake", host, `Origin: http://${host}`))).status).toBe(101);
    },
  );
});

describe("page, feed and metrics", () => {
  test("are on loopback with the games", async () => {
    await start();
    expect(server.adminAddress).toEqual(server.httpAddress);
    expect((await ask(get("/metrics", "localhost"))).status).toBe(200);
    expect((await ask(upgrade("/ws/studio", "localhost"))).status).toBe(101);
  });

  test.each([{ host: "0.0.0.0" }, { publicHosts: ["play.example.org"] }, { admin: { port: 0 } }])(
    "leave the games with %o",
    async (options) => {
      await start(options);
      const to = { host: "127.0.0.1", port: server.httpAddress?.port ?? 0 };
      for (const path of ["/", "/metrics", "/index.html", "/assets/main.js"]) {
        expect((await ask(get(path, "localhost"), to)).status).toBe(404);
      }
      expect((await ask(upgrade("/ws/studio", "localhost"), to)).status).toBe(404);
      for (const path of ["/livez", "/readyz"]) expect((await ask(get(path, "localhost"), to)).status).toBe(200);
      expect((await ask(upgrade("/ws/fake", "localhost"), to)).status).toBe(101);
    },
  );

  test("have a listener of their own, on loopback, with the games", async () => {
    await start({ host: "0.0.0.0", admin: { port: 0 } });
    const admin = server.adminAddress;
    expect(admin).toEqual({ host: "127.0.0.1", port: expect.any(Number) });
    expect(admin?.port).not.toBe(server.httpAddress?.port);
    expect((await ask(get("/metrics", "localhost"), admin)).status).toBe(200);
    expect((await ask(get("/metrics", "evil.example"), admin)).status).toBe(421);
    expect((await ask(upgrade("/ws/studio", "localhost"), admin)).status).toBe(101);
    expect((await ask(upgrade("/ws/fake", "localhost"), admin)).status).toBe(101);
  });

  test("are not opened to others without a token", async () => {
    await expect(start({ admin: { host: "0.0.0.0", port: 0 } })).rejects.toThrow(
      "Cannot open the admin listener at 0.0.0.0 to others without a token",
    );
  });
});

describe("an admin token", () => {
  const adminToken = "correct-horse-battery";
  const wrong = ["", "wrong", "correct-horse-batterx", `${adminToken}x`, adminToken.toUpperCase()];

  test("is asked for by page, feed and metrics, and by nothing else", async () => {
    await start({ adminToken });
    expect(await ask(get("/metrics", "localhost"))).toMatchObject({
      status: 401,
      body: "This needs the admin token\n",
    });
    const form = await ask(get("/", "localhost"));
    expect([form.status, form.body]).toEqual([401, expect.stringContaining('<form method="post" action="/login">')]);
    expect(form.head).toMatch(/default-src 'none'; script-src 'sha256-[^ ]+'; form-action 'self'; base-uri 'none'/);
    expect(form.head).toMatch(/^referrer-policy: same-origin\r?$/im);
    expect((await ask(upgrade("/ws/studio", "localhost"))).status).toBe(401);
    expect((await ask(get("/livez", "localhost"))).status).toBe(200);
    expect((await ask(upgrade("/ws/fake", "localhost"))).status).toBe(101);
    for (const token of wrong) {
      expect((await ask(get("/metrics", "localhost", `Authorization: Bearer ${token}`))).status).toBe(401);
      expect((await ask(get("/metrics", "localhost", `Cookie: wirewalk-admin=${token}`))).status).toBe(401);
    }
    const header = `Authorization: Bearer ${adminToken}`;
    expect((await ask(get("/metrics", "localhost", header))).status).toBe(200);
    expect((await ask(upgrade("/ws/studio", "localhost", header))).status).toBe(101);
    // The token itself is no cookie.
    expect((await ask(get("/metrics", "localhost", `Cookie: wirewalk-admin=${adminToken}`))).status).toBe(401);
  });

  const post = (token: string, ...more: string[]): Promise<Answer> => {
    const body = `token=${encodeURIComponent(token)}`;
    const type = "Content-Type: application/x-www-form-urlencoded";
    return ask(
      ["POST /login HTTP/1.1", "Host: localhost", type, `Content-Length: ${body.length}`, ...more],
      server.httpAddress,
      body,
    );
  };

  test("in the form gives a cookie that no script and no other site can use", async () => {
    await start({ adminToken });
    const { status, head } = await post(adminToken, "Origin: http://localhost");
    expect([status, /^location: \/$/im.test(head)]).toEqual([303, true]);
    const [, cookie] = /^set-cookie: ([^;]+); Path=\/; HttpOnly; SameSite=Strict\r?$/im.exec(head) ?? [];
    expect(cookie).toMatch(/^wirewalk-admin=[0-9a-f]{64}$/);
    expect((await ask(get("/metrics", "localhost", `Cookie: a=b; ${cookie}`))).status).toBe(200);
    const feed = await WebClient.to(server.httpAddress, "/ws/studio", { cookie: String(cookie) });
    await feed.receivesEvent("hello");
    server.reload({ adminToken: `${adminToken}-2` });
    expect((await ask(get("/metrics", "localhost", `Cookie: ${cookie}`))).status).toBe(401);
    expect((await ask(get("/metrics", "localhost", `Authorization: Bearer ${adminToken}-2`))).status).toBe(200);
  });

  test("in the form that is wrong, too long, or of another site gives none", async () => {
    await start({ adminToken });
    for (const token of [...wrong, "x".repeat(10_000)]) {
      const { status, head } = await post(token);
      expect([status, head.includes("set-cookie")]).toEqual([403, false]);
    }
    expect((await post(adminToken, "Origin: http://evil.example")).status).toBe(403);
    await server.close({ graceMs: 0 });
    await start();
    expect((await post(adminToken)).status).toBe(405);
  });

  test.each(["short", "with a blank in it", "ümlaut-ümlaut-ümlaut"])("%j cannot be one", async (token) => {
    await expect(start({ adminToken: token })).rejects.toThrow("Cannot use the admin token");
  });
});
