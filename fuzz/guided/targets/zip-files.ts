/** Zip archives with maps, beside another implementation. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

const LIMIT_BYTES = 1 << 16;

/** Any bytes as an archive, and as a block of DEFLATE. */
export const zipArchives: Target = {
  name: "zip files",
  summary:
    "an archive: refused by a MapFileError, or entries of their size; the same bytes as a block: read as zlib reads it",
  cover: new RegExp(`${src}(?:protocols/zip-files|wire/inflate)\\.ts$`),
  maxBytes: 500,
  async open() {
    const { MapFileError, memoryFile, zipFiles } = await import("wirewalk/protocol");
    const { inflateRaw, WireError } = await import("wirewalk/wire");
    const { makeZip } = await import("../../../packages/wirewalk/src/protocols/testing/make-zip.ts");
    const readAll = (input: Uint8Array): void => {
      try {
        const files = zipFiles(memoryFile("a.zip", input));
        for (const path of files.paths()) {
          if (/^\/|(?:^|\/)\.\.?(?:\/|$)|\/\//.test(path)) throw new Error(`a path that leads out: ${path}`);
          const file = files.open(path);
          if (file !== undefined && file.size < LIMIT_BYTES && file.read(0, file.size).length !== file.size) {
            throw new Error("an entry that is shorter");
          }
        }
      } catch (error) {
        if (!(error instanceof MapFileError)) throw error;
      }
    };
    const inflate = (read: () => Uint8Array): Uint8Array | string => {
      try {
        return read();
      } catch (error) {
        return error instanceof WireError ? error.code : String(error);
      }
    };
    const run: Run = (input) => {
      readAll(input);
      const ours = inflate(() => inflateRaw(input, { limit: LIMIT_BYTES }));
      const theirs = inflate(() => inflateRawSync(input, { maxOutputLength: LIMIT_BYTES }));
      // zlib does not look at bytes after the end.
      if (ours === "trailing") return;
      if (typeof ours === "string" ? typeof theirs !== "string" : Buffer.compare(ours, theirs as Uint8Array) !== 0) {
        throw new Error("zlib reads it otherwise");
      }
    };
    const bytes = new TextEncoder().encode("foothold ladderRope foothold portal ");
    const archives = [{}, { zip64: true }, { localExtra: 4, comment: "c" }].map((options) =>
      makeZip(
        [
          { path: "a/b", bytes },
          { path: "c", bytes, stored: true },
        ],
        options,
      ),
    );
    const blocks = [0, 1, 9].map((level) => Uint8Array.from(deflateRawSync(bytes, { level })));
    return { run, seeds: [...archives, ...blocks] };
  },
};
