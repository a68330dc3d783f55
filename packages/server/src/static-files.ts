/**
 * The files of the built page over HTTP, as they were when the server started: held in memory, so that a new build does
 * not change the page of a running server.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/**
 * The page has one script and one style sheet, connects to this server alone, and may not be framed. Inline styles are
 * allowed: the charts use them.
 */
const PAGE_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface PageFile {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly type: string;
  /** Its name changes with its content. */
  readonly isHashed: boolean;
}

/**
 * Answers GET and HEAD for the files of a folder; false for an unknown path. A path is looked up in the list made at the
 * start and never joined to the folder, so no path leads out of it.
 */
export class StaticFiles {
  readonly #files = new Map<string, PageFile>();

  /** Throws when the folder cannot be read or has no `index.html`. */
  constructor(folder: string) {
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile() || entry.name.startsWith(".")) continue;
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(folder.length).replaceAll("\\", "/").replace(/^\/*/, "/");
      const bytes = readFileSync(file);
      const changed = Math.trunc(statSync(file).mtimeMs);
      this.#files.set(path, {
        bytes,
        etag: `"${bytes.length.toString(36)}-${changed.toString(36)}"`,
        type: CONTENT_TYPES[extname(entry.name)] ?? "application/octet-stream",
        isHashed: path.startsWith("/assets/"),
      });
    }
    const index = this.#files.get("/index.html");
    if (index === undefined) throw new Error(`Cannot serve the page: ${folder} has no index.html`);
    this.#files.set("/", index);
  }

  answer(path: string, request: IncomingMessage, response: ServerResponse): boolean {
    const found = this.#files.get(path);
    if (found === undefined) return false;
    response.setHeader("cache-control", found.isHashed ? "public, max-age=31536000, immutable" : "no-cache");
    response.setHeader("etag", found.etag);
    response.setHeader("content-security-policy", PAGE_POLICY);
    if (request.headers["if-none-match"] === found.etag) {
      response.writeHead(304).end();
      return true;
    }
    response.writeHead(200, { "content-type": found.type, "content-length": found.bytes.length });
    response.end(request.method === "HEAD" ? undefined : found.bytes);
    return true;
  }
}
