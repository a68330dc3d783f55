/** HTTPS and secure WebSockets, with certificates that openssl makes. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:https";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type RunningServer, startServer } from "../index.ts";
import { until } from "../testing/clients.ts";
import { HttpConnections } from "./http-connections.ts";
import { type Certificate, WebListener } from "./web-listener.ts";

const folder = mkdtempSync(join(tmpdir(), "wirewalk-tls-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function newCertificate(name: string): Certificate {
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", keyFile, "-out", certFile], {
    stdio: "ignore",
  });
  return { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
}

// Node makes keys, but no certificates.
describe.skipIf(spawnSync("openssl", ["version"]).status !== 0)("with a certificate", () => {
  let [first, second]: Certificate[] = [];
  beforeAll(() => {
    [first, second] = [newCertificate("first"), newCertificate("second")];
  });
  let server: RunningServer;
  afterEach(() => server?.close({ graceMs: 0 }));
  const start = async (certificate = first, sessions = 10_000): Promise<void> => {
    server = await startServer({
      http: 0,
      listeners: [{ protocol: fakeProtocol }],
      certificate,
      budgets: { sessions },
    });
  };
  const port = (): number => server.httpAddress?.port ?? 0;

  const read = (path: string, ca: string | undefined): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port: port(), path, ca, agent: false } as const;
      const sent = get(options, (response) => {
        let body = "";
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      });
      sent.on("error", reject);
    });

  /** The common name of the certificate that a new connection is shown. */
  const shown = async (): Promise<string | undefined> => {
    const socket: TLSSocket = connect({ host: "127.0.0.1", port: port(), rejectUnauthorized: false });
    await new Promise((resolve) => socket.once("secureConnect", resolve));
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return Array.isArray(CN) ? CN[0] : CN;
  };

  test("HTTP and WebSockets are secure, and plain HTTP is not answered", async () => {
    await start();
    expect(await read("/livez", first?.cert)).toEqual({ status: 200, body: "ok\n" });
    await expect(read("/livez", second?.cert)).rejects.toThrow();
    const game = new WebSocket(`wss://127.0.0.1:${port()}/ws/fake`, { ca: first?.cert });
    const messages: string[] = [];
    game.on("message", (data) => messages.push(String(data)));
    await until("the player is in", () => messages.includes("W1"));
    game.close();
    await expect(fetch(`http://127.0.0.1:${port()}/livez`)).rejects.toThrow();
    await until("no session is left", () => server.stats().sessions === 0);
  });

  test("another one is taken while sessions go on; an unusable one changes nothing", async () => {
    await start();
    const game = new WebSocket(`wss://127.0.0.1:${port()}/ws/fake`, { ca: first?.cert });
    await new Promise((resolve) => game.once("open", resolve));
    expect(await shown()).toBe("first");
    server.reload({ certificate: second });
    expect(await shown()).toBe("second");
    expect(() => server.reload({ certificate: { cert: first?.cert ?? "", key: second?.key ?? "" } })).toThrow(
      "Cannot use the certificate or its key: ",
    );
    expect(() => server.reload({ certificate: { cert: "none", key: "none" } })).toThrow("Cannot use the certificate");
    expect(await shown()).toBe("second");
    expect(game.readyState).toBe(game.OPEN);
    game.close();
  });

  test("a server does not start with an unusable one", async () => {
    await expect(start({ cert: first?.cert ?? "", key: second?.key ?? "" })).rejects.toThrow(
      "Cannot use the certificate or its key: ",
    );
  });

  test("a connection counts once, before its handshake and after it, and not when it is over", async () => {
    const connections = new HttpConnections(100);
    const listener = new WebListener({
      certificate: first,
      connections,
      connected: (socket) => connections.add(socket, "127.0.0.1"),
      request: (_request, response) => void response.end(),
      upgrade: (_request, socket) => socket.destroy(),
    });
    await listener.listen("127.0.0.1", 0, pino({ level: "silent" }));
    const to = { host: "127.0.0.1", port: listener.address?.port ?? 0 } as const;
    const silent = connectTcp(to.port, to.host);
    await until("a silent connection counts", () => connections.size === 1);
    const secure = connect({ ...to, ca: first?.cert ?? "" });
    await new Promise((resolve) => secure.once("secureConnect", resolve));
    await until("a secure one counts once", () => connections.size === 2);
    silent.destroy();
    secure.destroy();
    await until("none is left", () => connections.size === 0);
    await listener.close();
  });

  test("peers that speak no TLS are disconnected", async () => {
    await start();
    const socket = connectTcp(port(), "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
    expect(await read("/livez", first?.cert)).toMatchObject({ status: 200 });
  });
});
