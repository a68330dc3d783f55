/**
 * `/verdicts` of the admin listener, and of the page of a relay or a recording: the last verdicts, and on a server actions about them.
 *
 * - `GET /verdicts?world=&player=&rule=&limit=`: `{ "verdicts": [...], "mayAct": true }`, the newest first, each with what was done about it.
 *   `mayAct`: whether who asks may do something about them.
 * - `GET /verdicts/ID?world=`: one of them. The beginning of an id is enough where only one begins so.
 * - `POST /verdicts/ID/actions?world=`: `{ "action": "ban", "by": "ann", "reason": "...", "forMs": 3600000 }` does something about it, for an admin
 *   token alone.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { ActionRefusal, type ShownVerdict, verdictActions } from "./shown-verdict.ts";
import type { ActionRequest } from "./verdict-actions.ts";
import type { VerdictFilter } from "./verdict-book.ts";

/** Answers for a path under `/verdicts`. Who may ask is checked before; `mayAct`: with a token, and for a page of this server. */
export type VerdictAnswer = (
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  asked: { readonly search: URLSearchParams; readonly mayAct: boolean },
) => void;

const PATH = /^\/verdicts(?:\/(\d{1,16}(?:-[0-9a-f]{1,8}(?:\.\d{1,6})?)?)(\/actions)?)?$/;
const ACT_PATH = /^\/verdicts\/[^/]+\/actions$/;
const MAX_BODY_BYTES = 4_096;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 2_000;
const STATUSES: Readonly<Record<ActionRefusal["why"], number>> = {
  unknown: 404,
  ambiguous: 409,
  invalid: 400,
  full: 409,
};
const NO_TOKEN = "Actions are for an admin token alone, see wirewalk serve --admin-token-file";

/** Where verdicts are looked up: a running server, a relay, or a recording that is played. */
export interface VerdictSource {
  /** The newest first. */
  list(filter: VerdictFilter, limit: number): readonly ShownVerdict[] | Promise<readonly ShownVerdict[]>;
  /** Throws `ActionRefusal` when there is none or several. */
  find(filter: VerdictFilter & { readonly id: string }): ShownVerdict | Promise<ShownVerdict>;
  /** Undefined where nothing can be done about them: `noActions` says why. */
  act?(filter: VerdictFilter & { readonly id: string }, request: ActionRequest): Promise<ShownVerdict>;
  readonly noActions?: string;
}

/** Whether a path is of verdicts. */
export function isVerdictPath(path: string): boolean {
  return path === "/verdicts" || path.startsWith("/verdicts/");
}

/** Whether a path is one that takes a POST. */
export function isActionPath(path: string): boolean {
  return ACT_PATH.test(path);
}

export function verdictAnswer(source: VerdictSource): VerdictAnswer {
  return (path, request, response, { search, mayAct }) => {
    const [matched, id, act] = PATH.exec(path) ?? [];
    const isPost = request.method === "POST";
    const guarded = (work: () => object | Promise<object>, status: number): void => {
      Promise.resolve()
        .then(work)
        .then(
          (answer) => send(request, response, status, answer),
          (error: unknown) => fail(request, response, error),
        );
    };
    if (matched === undefined || (act !== undefined && !isPost)) {
      send(request, response, 404, {
        error: "Verdicts are at /verdicts, /verdicts/ID and, to act, POST /verdicts/ID/actions",
      });
      return;
    }
    const world = search.get("world") ?? undefined;
    if (id === undefined) {
      const player = numberOf(search.get("player"));
      const limit = numberOf(search.get("limit")) ?? DEFAULT_LIMIT;
      const filter = { world, rule: search.get("rule") ?? undefined, player };
      if (Number.isNaN(player) || Number.isNaN(limit))
        send(request, response, 400, { error: "player and limit are whole numbers" });
      else {
        const isActing = source.act !== undefined && mayAct;
        guarded(
          async () => ({ verdicts: await source.list(filter, Math.min(limit, MAX_LIMIT)), mayAct: isActing }),
          200,
        );
      }
      return;
    }
    if (!isPost) {
      guarded(() => source.find({ world, id }), 200);
      return;
    }
    if (source.act === undefined || !mayAct) {
      response.setHeader("connection", "close");
      send(request, response, 403, { error: source.noActions ?? NO_TOKEN });
      return;
    }
    guarded(async () => source.act?.({ world, id }, await readRequest(request)), 201);
  };
}

/** Undefined without one, NaN for what is no whole number. */
function numberOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

async function readRequest(request: IncomingMessage): Promise<ActionRequest> {
  const invalid = (why: string): ActionRefusal => new ActionRefusal("invalid", why);
  // A form of another site can send other types without asking.
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    throw invalid("The body must be application/json");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw invalid(`The body must have at most ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  let json: unknown;
  try {
    json = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw invalid("The body is no JSON");
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw invalid("The body must be an object");
  const { action, by = "admin", reason = "", forMs, ...others } = json as Readonly<Record<string, unknown>>;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw invalid(`unknown member ${JSON.stringify(other)}: known are action, by, reason, forMs`);
  const name = verdictActions.find((each) => each === action);
  if (name === undefined) throw invalid(`action must be one of ${verdictActions.join(", ")}`);
  if (typeof by !== "string" || typeof reason !== "string") throw invalid("by and reason are texts");
  if (forMs !== undefined && typeof forMs !== "number") throw invalid("forMs is a number of milliseconds");
  return { action: name, by: by.trim(), reason: reason.trim(), durationMs: forMs };
}

function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  // The rest of a body is not read.
  response.setHeader("connection", "close");
  if (error instanceof ActionRefusal) send(request, response, STATUSES[error.why], { error: error.message });
  else send(request, response, 503, { error: error instanceof Error ? error.message : String(error) });
}

function send(request: IncomingMessage, response: ServerResponse, status: number, answer: object): void {
  const body = Buffer.from(`${JSON.stringify(answer)}\n`);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": body.length,
    "cache-control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
