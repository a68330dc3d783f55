/**
 * The built documentation under `/docs/`. Its files are read when the first of them is asked for, without holding up the game, and
 * held in memory from then on. A site that is built while the server runs is found.
 */
import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { StaticFiles } from "./static-files.ts";

const BASE = "/docs";
/** A browser asks again by itself. */
const RELOAD_SECONDS = 5;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="${RELOAD_SECONDS}">
<meta name="viewport" content="width=device-width">
<title>Documentation: not built yet</title>
<h1>The documentation is not built yet</h1>
<p><code>npm start</code> builds it in the background, in about a minute: this page asks again every ${RELOAD_SECONDS} seconds.</p>
<p>Without <code>npm start</code>, build it with <code>npm run build:docs</code>. Its text is in the folder <code>docs/</code>.</p>
</html>
`;

const NOT_HERE = `The documentation is not part of this installation. Read it at

    https://github.com/wirewalk/wirewalk/tree/main/docs
`;

/** What the site shows for an unknown page, with its side bar and its search. */
const NOT_FOUND = "/404.html";

/** In the package `@wirewalk/docs` its files are there compressed alone. */
function isBuilt(folder: string): boolean {
  return ["index.html", "index.html.br"].some((name) => existsSync(join(folder, name)));
}

/** Whether a path is one of a page, and not of a picture or a script. */
function isPage(path: string): boolean {
  const ending = extname(path);
  return ending === "" || ending === ".html";
}

export class DocsFiles {
  readonly #folder: string | undefined;
  #files: Promise<StaticFiles> | undefined;

  /** Where the site is, or will be, built. Undefined where no site belongs to this installation. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Whether the path belongs to the documentation. */
  static has(path: string): boolean {
    return path === BASE || path.startsWith(`${BASE}/`);
  }

  /** Answers GET and HEAD for a path of the documentation. */
  answer(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (path === BASE) {
      response.writeHead(308, { location: `${BASE}/`, "content-length": 0 }).end();
      return;
    }
    const folder = this.#folder;
    if (folder === undefined) send(request, response, 404, NOT_HERE, "text/plain; charset=utf-8");
    else if (this.#files === undefined && !isBuilt(folder)) {
      response.setHeader("retry-after", RELOAD_SECONDS);
      response.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
      send(request, response, 503, NOT_BUILT, "text/html; charset=utf-8");
    } else void this.#answerFrom(folder, path.slice(BASE.length), request, response);
  }

  async #answerFrom(folder: string, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.#files ??= StaticFiles.read(folder);
      const files = await this.#files;
      if (files.answer(path, request, response)) return;
      // As people type addresses: `/docs/rules`, `/docs/guides`.
      const meant = [`${path}.html`, `${path}/`].find((each) => files.has(each));
      if (meant !== undefined) response.writeHead(308, { location: `${BASE}${meant}`, "content-length": 0 }).end();
      else if (!isPage(path) || !files.answer(NOT_FOUND, request, response, 404))
        send(request, response, 404, "Not found\n", "text/plain; charset=utf-8");
    } catch {
      // It was removed, or is being replaced: the next request tries again.
      this.#files = undefined;
      send(request, response, 503, "The documentation cannot be read at the moment\n", "text/plain; charset=utf-8");
    }
  }
}

function send(request: IncomingMessage, response: ServerResponse, status: number, text: string, type: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, { "content-type": type, "content-length": body.length, "cache-control": "no-store" });
  response.end(request.method === "HEAD" ? undefined : body);
}
