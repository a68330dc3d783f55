/**
 * Takes scripts out of pages into files of their own: the server's content policy allows no inline script. VitePress writes two of them
 * in the head of each page, for the colour scheme and for the name of a key, and one with the hashes of its chunks.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const INLINE = /<script(?![^>]*\bsrc=)((?:\s+[^>]*)?)>([\s\S]*?)<\/script>/g;

/** Changes all pages of a built site. `base` is where the site is served. */
export function scriptsToFiles(folder: string, base = "/docs/"): void {
  mkdirSync(join(folder, "assets"), { recursive: true });
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".html")) continue;
    const file = join(entry.parentPath, entry.name);
    const page = readFileSync(file, "utf8").replace(INLINE, (_, attributes: string, script: string) => {
      const name = `inline.${createHash("sha256").update(script).digest("hex").slice(0, 8)}.js`;
      writeFileSync(join(folder, "assets", name), script);
      return `<script${attributes} src="${base}assets/${name}"></script>`;
    });
    writeFileSync(file, page);
  }
}
