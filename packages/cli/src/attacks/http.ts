/** Requests that an HTTP server must refuse, and connections that it must not wait for. */
import { type Arena, formatMs } from "./arena.ts";
import type { Attack } from "./attack.ts";

/** Headers and request have 5 s, and the check runs once a second. */
const UNFINISHED_MS = 15_000;
const AT_ONCE_MS = 5_000;

const MIB = 1024 * 1024;

interface RequestAttack {
  readonly name: string;
  readonly summary: string;
  /** The request as carried. `host` is the server's own. */
  readonly text: (host: string) => string;
  /** A connection that is closed without an answer is refused as well. */
  readonly statuses: readonly number[];
}

const get = (path: string, host: string, headers = ""): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;

const requestAttacks: readonly RequestAttack[] = [
  {
    name: "foreign-host",
    summary: "asks for the metrics under a foreign name (DNS rebinding)",
    text: () => get("/metrics", "evil.example"),
    statuses: [421],
  },
  {
    name: "foreign-host-in-target",
    summary: "names a foreign host in the request line and no own one in the header",
    text: () => "GET http://evil.example/metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    statuses: [400, 421],
  },
  {
    name: "no-host",
    summary: "leaves the Host header out",
    text: () => "GET /metrics HTTP/1.1\r\n\r\n",
    statuses: [400, 421],
  },
  {
    name: "host-with-user",
    summary: "hides a foreign name behind a user: localhost@evil.example",
    text: () => get("/metrics", "localhost@evil.example"),
    statuses: [400, 421],
  },
  {
    name: "host-like-loopback",
    summary: "uses a foreign name that begins like a loopback address",
    text: () => get("/metrics", "127.0.0.1.evil.example"),
    statuses: [421],
  },
  {
    name: "length-and-chunks",
    summary: "sends both Content-Length and Transfer-Encoding (request smuggling)",
    text: (host) =>
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG`,
    statuses: [400],
  },
  {
    name: "two-lengths",
    summary: "sends two different Content-Length headers",
    text: (host) => `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nhello`,
    statuses: [400],
  },
  {
    name: "blank-before-colon",
    summary: "writes a blank between a header's name and its colon",
    text: (host) => `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    statuses: [400],
  },
  {
    name: "folded-header",
    summary: "folds a Transfer-Encoding header over two lines",
    text: (host) =>
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 3\r\n\r\nabc`,
    statuses: [400],
  },
  {
    name: "bare-line-feeds",
    summary: "ends lines with a line feed alone",
    text: (host) => `GET /livez HTTP/1.1\nHost: ${host}\n\n`,
    statuses: [400],
  },
  {
    name: "huge-header",
    summary: "sends a header of 1 MiB",
    text: (host) => get("/livez", host, `X: ${"a".repeat(MIB)}\r\n`),
    statuses: [431],
  },
  {
    name: "many-headers",
    summary: "sends 10,000 headers",
    text: (host) => get("/livez", host, "a: b\r\n".repeat(10_000)),
    statuses: [431],
  },
  {
    name: "huge-target",
    summary: "asks for a path of 1 MiB",
    text: (host) => get(`/${"a".repeat(MIB)}`, host),
    statuses: [414, 431],
  },
  {
    name: "trace",
    summary: "asks for an echo of its request (TRACE)",
    text: (host) => `TRACE / HTTP/1.1\r\nHost: ${host}\r\nCookie: secret\r\n\r\n`,
    statuses: [405],
  },
  {
    name: "connect",
    summary: "asks for a tunnel to another port (CONNECT)",
    text: () => "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n",
    statuses: [400, 405, 421],
  },
  {
    name: "put",
    summary: "writes a file (PUT)",
    text: (host) => `PUT /x HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\n\r\nx`,
    statuses: [405],
  },
  {
    name: "large-body",
    summary: "names a body of 1 TiB and sends none of it",
    text: (host) => `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1099511627776\r\n\r\n`,
    statuses: [405, 413],
  },
  {
    name: "expect-continue",
    summary: "asks for permission to send a body of 1 TiB",
    text: (host) => `POST / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 1099511627776\r\n\r\n`,
    statuses: [405, 413, 417],
  },
  {
    name: "null-byte",
    summary: "asks for a path with a null byte",
    text: (host) => get("/index.html%00.js", host),
    statuses: [400, 404],
  },
  {
    name: "unknown-version",
    summary: "sends a request of HTTP/9.9",
    text: (host) => `GET / HTTP/9.9\r\nHost: ${host}\r\n\r\n`,
    statuses: [400, 505],
  },
  {
    name: "garbage",
    summary: "sends a TLS handshake to the port of plain HTTP",
    text: () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    statuses: [400],
  },
];

function ofRequest({ name, summary, text, statuses }: RequestAttack): Attack {
  return {
    name: `http-${name}`,
    family: "http",
    summary,
    expectation: `the request is answered with ${statuses.join(" or ")}, or its connection closed`,
    async run(arena) {
      const { status, isClosed } = await arena.request(text(arena.httpHost), AT_ONCE_MS);
      const held = status === 0 ? isClosed : statuses.includes(status);
      return { held, figure: status !== 0 ? `answered ${status}` : isClosed ? "closed" : "no answer" };
    },
  };
}

/** Files that are there, outside of the page's folder. */
const secrets = ["package.json", "etc/passwd"] as const;
const ups = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "%252e%252e%252f", ".%00./"] as const;

export const httpAttacks: readonly Attack[] = [
  ...requestAttacks.map(ofRequest),
  {
    name: "http-traversal",
    family: "http",
    summary:
      "asks for files outside of the page's folder, with eight spellings of the parent folder, from the root and from /assets",
    expectation: "no path is answered with 200",
    async run(arena) {
      const paths = ["/", "/assets/"].flatMap((from) =>
        ups.flatMap((up) => secrets.map((file) => `${from}${up.repeat(8)}${file}`)),
      );
      let read = 0;
      for (const path of paths) {
        const { status } = await arena.request(get(path, arena.httpHost, "Connection: close\r\n"), AT_ONCE_MS);
        if (status === 200) read += 1;
      }
      return { held: read === 0, figure: `${read} of ${paths.length} paths answered with 200` };
    },
  },
  {
    name: "http-slow-header",
    family: "http",
    summary: "sends a header one byte a second (slowloris)",
    expectation: "the connection is closed within 15 s",
    run: (arena) => slow(arena, (host) => `GET /livez HTTP/1.1\r\nHost: ${host}\r\nX: `),
  },
  {
    name: "http-slow-body",
    family: "http",
    summary: "sends a body one byte a second",
    expectation: "the connection is closed within 15 s",
    run: (arena) => slow(arena, (host) => `POST /login HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000\r\n\r\n`),
  },
  {
    name: "http-silent-connection",
    family: "http",
    summary: "opens a connection and sends nothing",
    expectation: "the connection is closed within 15 s",
    run: (arena) => slow(arena, () => "", ""),
  },
  {
    name: "http-idle-after-answer",
    family: "http",
    summary: "keeps a connection open after its answer",
    expectation: "the connection is closed within 15 s",
    run: (arena) => slow(arena, (host) => get("/livez", host), ""),
  },
  {
    name: "http-many-connections",
    family: "http",
    summary: "opens 2,000 connections and sends half of a request over each",
    expectation: "another address gets an answer within 5 s",
    async run(arena) {
      await Promise.all(
        Array.from({ length: arena.count(2_000) }, async () => {
          const client = await arena.http();
          client.send(`GET /livez HTTP/1.1\r\nHost: ${arena.httpHost}\r\n`);
        }),
      );
      const newcomer = await arena.http(arena.addressOf(2));
      newcomer.send(get("/livez", arena.httpHost, "Connection: close\r\n"));
      const tookMs = await arena.until(() => newcomer.text.endsWith("\r\n\r\nok\n"), AT_ONCE_MS);
      return { held: tookMs !== undefined, figure: `another address was answered after ${formatMs(tookMs)}` };
    },
  },
  {
    name: "http-unread-answers",
    family: "http",
    summary: "sends 20,000 requests over one connection and reads no answer",
    expectation: "the server's memory grows by at most 64 MiB, and another address gets an answer within 5 s",
    async run(arena) {
      const before = await arena.metric("process_resident_memory_bytes");
      const client = await arena.http();
      client.socket.pause();
      client.send(get("/metrics", arena.httpHost).repeat(arena.count(20_000)));
      await arena.sleep(3_000);
      const newcomer = await arena.http(arena.addressOf(2));
      newcomer.send(get("/livez", arena.httpHost, "Connection: close\r\n"));
      const tookMs = await arena.until(() => newcomer.text.endsWith("\r\n\r\nok\n"), AT_ONCE_MS);
      const grownMib = ((await arena.metric("process_resident_memory_bytes")) - before) / MIB;
      return {
        held: tookMs !== undefined && grownMib <= 64,
        figure: `grown by ${grownMib.toFixed(1)} MiB; another address was answered after ${formatMs(tookMs)}`,
      };
    },
  },
];

async function slow(arena: Arena, begin: (host: string) => string, everySecond = "a") {
  const client = await arena.http();
  client.send(begin(arena.httpHost));
  const timer = setInterval(() => client.send(everySecond), 1_000);
  const tookMs = await arena.until(() => client.isClosed, UNFINISHED_MS);
  clearInterval(timer);
  return { held: tookMs !== undefined, figure: `closed after ${formatMs(tookMs)}` };
}
