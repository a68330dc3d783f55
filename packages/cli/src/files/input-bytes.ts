/** The bytes of a file or of the standard input, also of one that gzip has compressed. */
import { createReadStream, type ReadStream, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { START_BYTES } from "wirewalk/capture";
import { FailedError } from "../context.ts";
import { isGzip, kindOf, startOf } from "./file-kind.ts";
import { fileReason } from "./file-reason.ts";
import type { InputBytes, PeekedInput } from "./peeked-input.ts";
import { inputSize } from "./standard-input.ts";

/** Bytes that are read at once. */
const CHUNK_BYTES = 65_536;

/** Throws {@link FailedError} for a file that cannot be read. */
export function fileBytes(path: string): InputBytes {
  const orFail = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new FailedError(`Cannot read ${path}: ${fileReason(error)}`);
    }
  };
  const status = orFail(() => statSync(path));
  if (status.isDirectory()) throw new FailedError(`Cannot read ${path}: it is a folder`);
  const isPacked = status.isFile() && isGzip(orFail(() => startOf(path)));
  let file: ReadStream | undefined;
  return {
    name: path,
    size: status.size,
    get bytesRead() {
      return file?.bytesRead ?? 0;
    },
    chunks: (damaged) => {
      file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
      return unpackedChunks(path, file, isPacked, damaged);
    },
    whole: () =>
      readFile(path).catch((error: unknown) => {
        throw new FailedError(`Cannot read ${path}: ${fileReason(error)}`);
      }),
  };
}

/** Looks at the first bytes of the standard input: as few as tell what it is. */
export async function peekInput(stdin: Readable): Promise<PeekedInput> {
  const name = "standard input";
  const size = inputSize(stdin);
  const chunks = chunksOf(stdin);
  const start: Buffer[] = [];
  let length = 0;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    start.push(next.value);
    length += next.value.length;
    const kind = kindOf(Buffer.concat(start))?.kind;
    if (length >= START_BYTES || kind === "capture" || kind === "recording") break;
  }
  const held = Buffer.concat(start);
  let bytesRead = 0;
  const all = async function* (): AsyncGenerator<Buffer> {
    bytesRead += held.length;
    if (held.length > 0) yield held;
    for await (const chunk of chunks) {
      bytesRead += chunk.length;
      yield chunk;
    }
  };
  return {
    kind: kindOf(held),
    stdin: Readable.from(all(), { objectMode: false }),
    bytes: {
      name,
      size,
      get bytesRead() {
        return bytesRead;
      },
      chunks: (damaged) => unpackedChunks(name, Readable.from(all()), isGzip(held), damaged),
      async whole() {
        const parts: Buffer[] = [];
        for await (const chunk of all()) parts.push(chunk);
        return Buffer.concat(parts);
      },
    },
  };
}

async function* chunksOf(stdin: Readable): AsyncGenerator<Buffer, undefined, undefined> {
  for await (const chunk of stdin) yield Buffer.from(chunk as Uint8Array);
}

async function* unpackedChunks(
  name: string,
  bytes: Readable,
  isPacked: boolean,
  damaged: (why: string) => void,
): AsyncGenerator<Uint8Array> {
  const source = isPacked ? pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) : bytes;
  try {
    for await (const chunk of source) yield chunk as Uint8Array;
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!code.startsWith("Z_")) throw new FailedError(`Cannot read ${name}: ${code === "" ? message : code}`);
    damaged(
      code === "Z_BUF_ERROR"
        ? "the compressed file is cut; nothing follows"
        : `the compression is damaged (${message}); nothing follows`,
    );
  }
}
