/** Recordings of RSProx: files of any bytes. */
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

/** Pieces into which the first byte of an input cuts its file. */
const PIECE_BYTES = 40;
const RECORDS = 12;
/** A head that is made here is shorter. */
const HEAD_BYTES = 200;

/** Any bytes as a recording: the same whole and in pieces, and what is read is written back as it was. */
export const rsproxFiles: Target = {
  name: "rsprox files",
  summary:
    "a recording of RSProx, the size of its pieces in the first byte: the same whole and in pieces, written back byte for byte, a fault with its place",
  cover: new RegExp(`${src}capture/session/rsprox/[^/]*(?<!\\.test)\\.ts$`),
  maxBytes: 700,
  async open() {
    const { createRandom } = await import("wirewalk/motion");
    const { checkDamage, checkFile } = await import(
      "../../../packages/wirewalk/src/capture/session/rsprox/testing/check-rsprox.ts"
    );
    const { madeFile, madeHeader, madeRecords, madeSizes } = await import(
      "../../../packages/wirewalk/src/capture/session/rsprox/testing/made-rsprox.ts"
    );
    const { isRsprox } = await import("../../../packages/wirewalk/src/capture/session/rsprox/recognize.ts");
    const run: Run = (input) => {
      const file = input.subarray(1);
      const isOne = isRsprox(file);
      for (let length = 0; length < file.length && length < HEAD_BYTES; length++) {
        const early = isRsprox(file.subarray(0, length));
        if (early !== undefined && early !== isOne) throw new Error(`${length} bytes say ${early}, all say ${isOne}`);
      }
      checkFile(input.subarray(1), madeSizes, 1 + ((input[0] ?? 0) % PIECE_BYTES));
    };
    const check: Run = (input) => {
      const file = input.subarray(1);
      if (checkFile(file, madeSizes, 1).fault === undefined) checkDamage(file, madeSizes, createRandom(file.length), 1);
    };
    const files = [...madeSizes].map(([revision, sizes]) =>
      madeFile(madeHeader(revision), madeRecords(createRandom(revision), sizes, RECORDS)),
    );
    return { run, check, seeds: files.map((file) => Uint8Array.of(3, ...file)) };
  },
};
