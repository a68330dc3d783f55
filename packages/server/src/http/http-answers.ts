/** HTTP: probes, metrics, the page's files, and an error text for everything else. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { BanNotice } from "../bans/ban-notices.ts";
import type { CaptureAnswer } from "../capture/capture-requests.ts";
import { type CaseAnswer, isCasePath } from "../cases/case-answers.ts";
import { isActionPath, isVerdictPath, type VerdictAnswer } from "../verdicts/verdict-requests.ts";
import { type AdminToken, LOGIN_FORM, LOGIN_POLICY } from "./admin-token.ts";
import { DocsFiles } from "./docs-files.ts";
import { isMapPath, type MapAnswer } from "./map-answers.ts";
import type { StaticFiles } from "./static-files.ts";
import { isAllowedOrigin, isOwnHost, type WebNames } from "./web-access.ts";

const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";
const METRICS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

const NO_PAGE = `The page is not built. Build it with

    npm run build:studio

and start the server again. Everything else is served: /livez, /readyz, /metrics, and the WebSockets under /ws/.
`;

const FOREIGN_HOST = `This server is not known by this name. If it should be, start it with --public-host NAME.
`;
const NO_ADMIN = `The page, its feed and the metrics are not served at this address, see wirewalk serve --admin.
`;
const NO_CAPTURE = `A capture holds what players sent, also passwords: it is given for an admin token alone, see wirewalk serve --admin-token-file.
`;

export interface HttpSources {
  /** Why the last session of the asking address was ended or refused, if by a ban. */
  readonly banOf: (
    request: IncomingMessage,
    protocol: string,
  ) => BanNotice | undefined | Promise<BanNotice | undefined>;
  /** The built page, if there is one. */
  readonly files: StaticFiles | undefined;
  /** The documentation. */
  readonly docs: DocsFiles;
  readonly metrics: { text(): string | Promise<string> };
  readonly isDraining: () => boolean;
  /** Why players cannot join, as a sentence: the server is not ready for them. */
  readonly failing: () => string | undefined;
  /** What works only in part, as a sentence; the server still counts as ready. */
  readonly degraded: () => string | undefined;
  /** The longest that a message waited in the last 15 to 30 s, in milliseconds. */
  readonly lagMs: () => number;
  /** Gives a capture of the sessions to clients with the token. Undefined where there are no sessions to capture. */
  readonly capture?: CaptureAnswer;
  /** Gives the last verdicts, and does something about one for clients with the token. Undefined where no server keeps them. */
  readonly verdicts?: VerdictAnswer;
  /** Gives pages the maps of worlds. Undefined when no world has maps. */
  readonly maps?: MapAnswer;
  /** Gives verdicts as files. Undefined where no world is recorded by this process. */
  readonly cases?: CaseAnswer;
}

/** Later than this a server is not ready for more players: what overload may cost those that are there. */
const MAX_READY_LAG_MS = 1_000;

/** Which requests a listener answers. */
export interface HttpAccess {
  readonly names: WebNames;
  /** Whether the page, its feed and the metrics are here; probes are everywhere. */
  readonly hasPage: boolean;
  /** What they ask for, if anything. */
  readonly token: AdminToken | undefined;
  readonly isSecure: boolean;
}

/** Answers GET and HEAD, and the POST of a token or of an action; anything else is 405, and 421 what names another server. */
export function httpAnswers(sources: HttpSources, access: HttpAccess): RequestListener {
  const { banOf, files, docs, metrics, isDraining, capture, maps, cases, verdicts } = sources;
  const { names, hasPage, token, isSecure } = access;
  return (request, response) => {
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("referrer-policy", "no-referrer");
    if (!isOwnHost(request, names)) {
      response.setHeader("connection", "close");
      plain(request, response, 421, FOREIGN_HOST);
      return;
    }
    if (request.method === "POST" && request.url === "/login" && hasPage && token !== undefined) {
      void logIn(request, response, { names, token, isSecure });
      return;
    }
    const [path = "/", search] = (request.url ?? "/").split("?", 2);
    const isAction = request.method === "POST" && verdicts !== undefined && isActionPath(path);
    if (request.method !== "GET" && request.method !== "HEAD" && !isAction) {
      response.setHeader("allow", "GET, HEAD");
      // The request's body is not read.
      response.setHeader("connection", "close");
      plain(request, response, 405, "Only GET and HEAD are answered here\n");
      return;
    }
    if (path === "/livez") plain(request, response, 200, "ok\n");
    else if (path === "/readyz" && isDraining()) plain(request, response, 503, "draining\n");
    else if (path === "/readyz") readiness(request, response, sources);
    else if (path === "/ban") {
      const found = banOf(request, new URLSearchParams(search).get("protocol") ?? "");
      const answer = (ban: BanNotice | undefined): void =>
        plain(request, response, 200, `${JSON.stringify({ ban: ban ?? null })}\n`, JSON_TYPE);
      later(found, answer, response);
    } else if (!hasPage) plain(request, response, 404, NO_ADMIN);
    else if (token?.isIn(request.headers) === false) askForToken(path, request, response);
    else if (path === "/capture" && request.method === "GET" && capture !== undefined) {
      if (token === undefined) plain(request, response, 403, NO_CAPTURE);
      else capture(request, response, new URLSearchParams(search));
    } else if (verdicts !== undefined && isVerdictPath(path)) {
      // What is refused is not read.
      if (isAction) response.setHeader("connection", "close");
      // A page of another site sends its origin; programs send none, and a token instead.
      const mayAct = token !== undefined && isAllowedOrigin(request, names);
      verdicts(path, request, response, { search: new URLSearchParams(search), mayAct });
    } else if (path === "/metrics")
      later(metrics.text(), (text) => plain(request, response, 200, text, METRICS_TEXT), response);
    else if (isMapPath(path) && maps !== undefined) maps(path, request, response);
    else if (isCasePath(path) && cases !== undefined) cases(path, request, response, new URLSearchParams(search));
    else if (DocsFiles.has(path)) docs.answer(path, request, response);
    else if (path === "/" && files === undefined) plain(request, response, 404, NO_PAGE);
    else if (files?.answer(path, request, response) !== true) plain(request, response, 404, "Not found\n");
  };
}

/** Answers at once, or when the answer is there. */
function later<T>(value: T | Promise<T>, answer: (value: T) => void, response: ServerResponse): void {
  if (value instanceof Promise) value.then(answer, () => response.destroy());
  else answer(value);
}

/** A browser that opens the page receives a form, everything else a sentence. */
function askForToken(path: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("www-authenticate", "Bearer");
  if (path !== "/") {
    plain(request, response, 401, "This needs the admin token\n");
    return;
  }
  response.setHeader("content-security-policy", LOGIN_POLICY);
  // Under `no-referrer` a browser hides the origin of the form, which is checked.
  response.setHeader("referrer-policy", "same-origin");
  plain(request, response, 401, LOGIN_FORM, "text/html; charset=utf-8");
}

async function logIn(
  request: IncomingMessage,
  response: ServerResponse,
  { names, token, isSecure }: Pick<HttpAccess, "names" | "isSecure"> & { readonly token: AdminToken },
): Promise<void> {
  let cookie: string | undefined;
  try {
    if (isAllowedOrigin(request, names)) cookie = await token.logIn(request, isSecure);
  } catch {
    // The peer is gone.
  }
  // The rest of a form that is too long is not read.
  response.setHeader("connection", "close");
  if (cookie === undefined) {
    plain(request, response, 403, "This is not the admin token\n");
    return;
  }
  response.writeHead(303, { location: "/", "set-cookie": cookie, "cache-control": "no-store" }).end();
}

/** Players can join and play on a degraded server: the status stays 200, so that no balancer takes it away. */
function readiness(
  request: IncomingMessage,
  response: ServerResponse,
  sources: Pick<HttpSources, "lagMs" | "failing" | "degraded">,
): void {
  const [lagMs, failing, degraded] = [sources.lagMs(), sources.failing(), sources.degraded()];
  if (failing !== undefined) plain(request, response, 503, `failing: ${failing}\n`);
  else if (lagMs > MAX_READY_LAG_MS)
    plain(request, response, 503, `overloaded: messages were up to ${Math.round(lagMs)} ms late\n`);
  else plain(request, response, 200, degraded === undefined ? "ok\n" : `degraded: ${degraded}\n`);
}

function plain(request: IncomingMessage, response: ServerResponse, status: number, text: string, type = TEXT): void {
  const body = Buffer.from(text);
  response.writeHead(status, { "content-type": type, "content-length": body.length, "cache-control": "no-store" });
  response.end(request.method === "HEAD" ? undefined : body);
}

const STATUS_TEXTS = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  421: "Misdirected Request",
  503: "Service Unavailable",
} as const;

/** Answers a WebSocket handshake with a status and a sentence, and closes. */
export function refuseUpgrade(socket: Socket, status: keyof typeof STATUS_TEXTS, why: string): void {
  const body = `${why}\n`;
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_TEXTS[status]}\r\nConnection: close\r\nContent-Type: ${TEXT}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
