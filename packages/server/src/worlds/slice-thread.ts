/** Cuts one slice out of the last seconds of a world, in a thread of its own: chunks are opened and written anew, which takes up to a second. */
import { parentPort, workerData } from "node:worker_threads";
import { clockOffsetNs, findVerdict, openRecording, sliceRecording } from "@wirewalk/recording";
import { nodeDecompress, nodeMeans } from "@wirewalk/recording/node";
import type { FromSliceThread, SliceTask } from "./slice-messages.ts";

const NS_PER_MS = 1_000_000;

async function slice({ recent, player, fromMs, toMs, about, verdict }: SliceTask): Promise<Uint8Array<ArrayBuffer>> {
  const files = recent.map((bytes) => openRecording(bytes, { decompress: nodeDecompress }));
  const [last] = files.slice(-1);
  const offsetNs = last === undefined ? undefined : clockOffsetNs(last);
  if (offsetNs === undefined) throw new RangeError("nothing is recorded");
  const at = (ms: number): bigint => offsetNs + BigInt(Math.round(ms * NS_PER_MS));
  const [fromNs, toNs] = [at(fromMs), at(toMs)];
  const bytes = await sliceRecording(files, { fromNs, toNs, player, about, means: nodeMeans });
  if (verdict === undefined) return bytes;
  const { id } = findVerdict(openRecording(bytes, { decompress: nodeDecompress }), verdict);
  if (id !== verdict) throw new RangeError(`there is no verdict ${verdict}`);
  return bytes;
}

slice(workerData as SliceTask).then(
  (bytes) => parentPort?.postMessage({ bytes } satisfies FromSliceThread, [bytes.buffer]),
  (error: unknown) => {
    if (!(error instanceof RangeError)) throw error;
    parentPort?.postMessage({ missing: error.message } satisfies FromSliceThread);
  },
);
