/** `GET /cases/WORLD/PLAYER/MS`: a verdict that was given lately, as one file. `?for=page` gives what the page plays. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CaseMaker, CaseRequest } from "./case-maker.ts";

const PREFIX = "/cases/";
const MAX_NAME_LENGTH = 64;

/** Answers for a path under `/cases/`. Who may ask is checked before. */
export type CaseAnswer = (
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  search: URLSearchParams,
) => void;

/** Whether a path is of a verdict. */
export function isCasePath(path: string): boolean {
  return path.startsWith(PREFIX);
}

export interface CaseAnswerOptions {
  /** Undefined where nothing is recorded. */
  readonly maker: Pick<CaseMaker, "make"> | undefined;
  readonly isWorld: (name: string) => boolean;
  /** Of the asking client: one request of each at a time. */
  readonly clientOf: (request: IncomingMessage) => string;
}

export function caseAnswer({ maker, isWorld, clientOf }: CaseAnswerOptions): CaseAnswer {
  const asking = new Set<string>();
  return (path, request, response, search) => {
    const wanted = readRequest(path, search);
    if (wanted === undefined) send(request, response, 404, "A verdict is at /cases/WORLD/PLAYER/MILLISECONDS");
    else if (!isWorld(wanted.world)) send(request, response, 404, `There is no world "${wanted.world}"`);
    else if (maker === undefined) {
      refuse(
        request,
        response,
        wanted,
        404,
        "This server keeps no seconds of its worlds: start it with --data or --record.",
      );
    } else {
      // Looking at one verdict and saving another do not wait for each other.
      const client = `${wanted.isForPage} ${clientOf(request)}`;
      if (asking.has(client)) {
        response.setHeader("retry-after", "2");
        refuse(request, response, wanted, 429, "Another verdict is being written for you. Try again.");
        return;
      }
      asking.add(client);
      void answer(maker, wanted, request, response).finally(() => asking.delete(client));
    }
  };
}

async function answer(
  maker: Pick<CaseMaker, "make">,
  wanted: CaseRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const result = await maker.make(wanted, gone.signal);
  if (response.destroyed) return;
  if ("reason" in result) {
    refuse(request, response, wanted, result.status, result.reason);
    return;
  }
  // Saved, not shown: it runs scripts of its own, which this page's policy does not allow.
  const headers = { "content-disposition": `attachment; filename="${wanted.world}-${result.id}.html"` };
  send(request, response, 200, result.html, "text/html; charset=utf-8", headers);
}

/** A page shows the reason, and a browser complains to its user of each answer with an error. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { isForPage }: CaseRequest,
  status: number,
  reason: string,
): void {
  send(request, response, isForPage ? 200 : status, reason);
}

function readRequest(path: string, search: URLSearchParams): CaseRequest | undefined {
  const parts = path.slice(PREFIX.length).split("/");
  const [world = "", player = "", atMs = ""] = parts.map(decoded);
  const rule = search.get("rule") ?? undefined;
  const isName = (name: string): boolean => name.length > 0 && name.length <= MAX_NAME_LENGTH;
  if (parts.length !== 3 || !isName(world) || !/^\d{1,5}$/.test(player) || !/^\d{1,15}$/.test(atMs)) return undefined;
  if (rule !== undefined && !isName(rule)) return undefined;
  return { world, player: Number(player), atMs: Number(atMs), rule, isForPage: search.get("for") === "page" };
}

/** Empty for what cannot be decoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  type = "text/plain; charset=utf-8",
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(text);
  response.writeHead(status, {
    "content-type": type,
    "content-length": body.length,
    "cache-control": "no-store",
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
