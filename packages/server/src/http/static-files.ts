/**
 * The files of the built page over HTTP, as they were when the server started: held in memory, so that a new build does
 * not change the page of a running server.
 */
import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { acceptedEncoding, type Encoding } from "./accepted-encoding.ts";

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
 * The page has scripts and a style sheet of this server, connects to it alone, and may not be framed. Inline styles are
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

/** One file, in the forms that it was built in. */
interface PageFile {
  readonly type: string;
  /** Its name changes with its content. */
  readonly isHashed: boolean;
  readonly forms: ReadonlyMap<Encoding, PageForm>;
  readonly encodings: ReadonlySet<Encoding>;
}

interface PageForm {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** A form in brotli alone, read for those who do not know brotli: when the first of them asks. */
class UnpackedForm implements PageForm {
  readonly #packed: Buffer;
  #bytes: Buffer | undefined;
  readonly etag: string;

  constructor(packed: Buffer) {
    this.#packed = packed;
    this.etag = etagOf(packed).replace(/"$/, '-plain"');
  }

  get bytes(): Buffer {
    this.#bytes ??= brotliDecompressSync(this.#packed, { maxOutputLength: MAX_UNPACKED_BYTES });
    return this.#bytes;
  }
}

/** No file of a page or of the documentation is as large. */
const MAX_UNPACKED_BYTES = 1 << 26;

/** A file beside a file, with this suffix, is the same file in this encoding. */
const SUFFIXES: ReadonlyMap<Encoding, string> = new Map([
  ["br", ".br"],
  ["gzip", ".gz"],
]);

/**
 * Answers GET and HEAD for the files of a folder; false for an unknown path. A path is looked up in the list made at the
 * start and never joined to the folder, so no path leads out of it. Files are compressed when the page is built
 * (`a.js.br` and `a.js.gz` beside `a.js`), never for a request. A packed folder has `a.js.br` without `a.js`.
 */
export class StaticFiles {
  readonly #files = new Map<string, PageFile>();

  /** Throws when the folder cannot be read or has no `index.html`. */
  constructor(folder: string, found: ReadonlyMap<string, Buffer> = readNow(folder)) {
    for (const [path, bytes] of found) {
      const suffix = [...SUFFIXES.values()].find((each) => path.endsWith(each)) ?? "";
      const plain = path.slice(0, path.length - suffix.length);
      if (suffix !== "" && found.has(plain)) continue;
      if (suffix === ".br") this.#files.set(plain, fileOf(plain, new UnpackedForm(bytes), found));
      else this.#files.set(path, fileOf(path, { bytes, etag: etagOf(bytes) }, found));
    }
    const index = this.#files.get("/index.html");
    if (index === undefined) throw new Error(`Cannot serve the page: ${folder} has no index.html`);
    for (const [path, file] of [...this.#files]) {
      if (path.endsWith("/index.html")) this.#files.set(path.slice(0, -"index.html".length), file);
    }
  }

  /** The same without holding up the event loop. */
  static async read(folder: string): Promise<StaticFiles> {
    const found = new Map<string, Buffer>();
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
      if (isServed(entry)) found.set(pathOf(folder, entry), await readFile(join(entry.parentPath, entry.name)));
    }
    return new StaticFiles(folder, found);
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** `status` is that of an answer with the file. */
  answer(path: string, request: IncomingMessage, response: ServerResponse, status = 200): boolean {
    const file = this.#files.get(path);
    if (file === undefined) return false;
    const encoding = acceptedEncoding(String(request.headers["accept-encoding"] ?? ""), file.encodings);
    const form = file.forms.get(encoding);
    if (form === undefined) return false;
    response.setHeader("cache-control", file.isHashed ? "public, max-age=31536000, immutable" : "no-cache");
    response.setHeader("etag", form.etag);
    response.setHeader("content-security-policy", PAGE_POLICY);
    if (file.forms.size > 1) response.setHeader("vary", "accept-encoding");
    if (status === 200 && isKnown(request.headers["if-none-match"], form.etag)) {
      response.writeHead(304).end();
      return true;
    }
    if (encoding !== "identity") response.setHeader("content-encoding", encoding);
    response.writeHead(status, { "content-type": file.type, "content-length": form.bytes.length });
    response.end(request.method === "HEAD" ? undefined : form.bytes);
    return true;
  }
}

function readNow(folder: string): ReadonlyMap<string, Buffer> {
  return new Map(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter(isServed)
      .map((entry) => [pathOf(folder, entry), readFileSync(join(entry.parentPath, entry.name))]),
  );
}

function isServed(entry: Dirent): boolean {
  return entry.isFile() && !entry.name.startsWith(".");
}

/** `/assets/main.js` */
function pathOf(folder: string, entry: Dirent): string {
  const file = join(entry.parentPath, entry.name);
  return file.slice(folder.length).replaceAll("\\", "/").replace(/^\/*/, "/");
}

function fileOf(path: string, plain: PageForm, found: ReadonlyMap<string, Buffer>): PageFile {
  const forms = new Map<Encoding, PageForm>([["identity", plain]]);
  for (const [encoding, suffix] of SUFFIXES) {
    const encoded = found.get(`${path}${suffix}`);
    if (encoded !== undefined) forms.set(encoding, { bytes: encoded, etag: etagOf(encoded) });
  }
  return {
    type: CONTENT_TYPES[extname(path)] ?? "application/octet-stream",
    isHashed: path.startsWith("/assets/"),
    forms,
    encodings: new Set(forms.keys()),
  };
}

/** By the content: a page that is built again from the same sources is not sent again. */
function etagOf(bytes: Buffer): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}

/** Whether `If-None-Match` names the form that would be sent. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((each) => ["*", etag].includes(each.trim().replace(/^W\//, "")));
}
