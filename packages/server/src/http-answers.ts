/** HTTP: probes, metrics, the page's files, and an error text for everything else. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Metrics } from "./metrics.ts";
import type { StaticFiles } from "./static-files.ts";

const TEXT = "text/plain; charset=utf-8";
const METRICS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

const NO_PAGE = `The page is not built. Build it with

    npm run build:studio

and start the server again. Everything else is served: /livez, /readyz, /metrics, and the WebSockets under /ws/.
`;

export interface HttpSources {
  /** The built page, if there is one. */
  readonly files: StaticFiles | undefined;
  readonly metrics: Metrics;
  readonly isDraining: () => boolean;
  /** What works only in part, in a sentence; the server is ready all the same. */
  readonly degraded: () => string | undefined;
  /** The longest that a message waited in the last 15 to 30 s, in milliseconds. */
  readonly lagMs: () => number;
}

/** Later than this a server is not ready for more players: what overload may cost those that are there. */
const MAX_READY_LAG_MS = 1_000;

/** Answers GET and HEAD; anything else is 405. */
export function httpAnswers({ files, metrics, isDraining, degraded, lagMs }: HttpSources): RequestListener {
  return (request, response) => {
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("referrer-policy", "no-referrer");
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      // The request's body is not read.
      response.setHeader("connection", "close");
      plain(request, response, 405, "Only GET and HEAD are answered here\n");
      return;
    }
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (path === "/livez") plain(request, response, 200, "ok\n");
    else if (path === "/readyz" && isDraining()) plain(request, response, 503, "draining\n");
    else if (path === "/readyz" && lagMs() > MAX_READY_LAG_MS)
      plain(request, response, 503, `overloaded: messages were up to ${Math.round(lagMs())} ms late\n`);
    else if (path === "/readyz") plain(request, response, 200, readiness(degraded()));
    else if (path === "/metrics") plain(request, response, 200, metrics.text(), METRICS_TEXT);
    else if (path === "/" && files === undefined) plain(request, response, 404, NO_PAGE);
    else if (files?.answer(path, request, response) !== true) plain(request, response, 404, "Not found\n");
  };
}

/** Players can join and play on a degraded server: the status stays 200, so that no balancer takes it away. */
function readiness(degraded: string | undefined): string {
  return degraded === undefined ? "ok\n" : `degraded: ${degraded}\n`;
}

function plain(request: IncomingMessage, response: ServerResponse, status: number, text: string, type = TEXT): void {
  const body = Buffer.from(text);
  response.writeHead(status, { "content-type": type, "content-length": body.length, "cache-control": "no-store" });
  response.end(request.method === "HEAD" ? undefined : body);
}

const STATUS_TEXTS = { 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 503: "Service Unavailable" } as const;

/** Answers a WebSocket handshake with a status and a sentence, and closes. */
export function refuseUpgrade(socket: Socket, status: keyof typeof STATUS_TEXTS, why: string): void {
  const body = `${why}\n`;
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_TEXTS[status]}\r\nConnection: close\r\nContent-Type: ${TEXT}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
