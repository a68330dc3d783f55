/** Phrases that do not belong into README and docs, because a shorter or clearer word exists: `npm run check:words`. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What is found, and what to write in its place. */
const phrases: readonly (readonly [found: RegExp, instead: string])[] = [
  [
    /\b(?:simply|obviously|of course|easily|trivially)\b/i,
    "leave it out: a reader for whom it is not simple learns nothing from it",
  ],
  [/\b(?:utili[sz]e|leverage)s?\b/i, "use"],
  [/\bin order to\b/i, "to"],
  [/\b(?:blazing|lightning)(?:ly)?[- ]fast\b/i, "the number"],
  [/\b(?:seamless|robust|powerful|cutting-edge|state-of-the-art)(?:ly)?\b/i, "what it does"],
  [/\b(?:there is|there are|that is) none of\b/i, "unknown, or no"],
  [/\bwho(?:ever)? looks on\b/i, "a spectator"],
  [/\bhas a word for\b/i, "supports the message"],
  [/\bthrown out\b/i, "disconnected"],
  [/\b(?:whilst|amongst|thereof|hereby|wherein)\b/i, "while, among, of it"],
  [/\bTODO\b|\bFIXME\b/, "do it, or say what is missing"],
];

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = globSync(["*.md", "docs/**/*.md", "examples/**/*.md", "{packages,apps}/*/{,src/**/}README.md"], {
  cwd: root,
  exclude: (path) => path.includes("node_modules"),
});

let found = 0;
for (const page of pages) {
  const lines = readFileSync(root + page, "utf8")
    .replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ""))
    .replace(/`[^`\n]*`/g, "")
    .split("\n");
  for (const [at, line] of lines.entries()) {
    for (const [phrase, instead] of phrases) {
      const [match] = phrase.exec(line) ?? [];
      if (match === undefined) continue;
      console.error(`${page}:${at + 1}: "${match}": ${instead}`);
      found += 1;
    }
  }
}
if (found > 0) process.exitCode = 1;
