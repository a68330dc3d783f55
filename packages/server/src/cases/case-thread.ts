/** Makes one case, in a thread of its own: seconds are sliced, replayed twice and judged, which takes up to a second. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import {
  clockOffsetNs,
  makeCase,
  openRecording,
  type RecordedVerdict,
  type Recording,
  recordedMaps,
  recordedWorld,
  sliceRecording,
  verdictsAt,
} from "@wirewalk/recording";
import { nodeDecompress, nodeMeans, readMoment } from "@wirewalk/recording/node";
import type { Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import type { CaseTask, FromCaseThread, ToCaseThread } from "./case-messages.ts";

/** More than a case has: it begins at a key frame before. */
const BEFORE_MS = 10_000;
const AFTER_MS = 3_000;
const NS_PER_MS = 1_000_000;

const gravity = ["accept", "benign", "flag", "correct", "reject"];

const GONE =
  "The seconds of this verdict are no longer in the server's memory: it keeps those of the last 40 s. A server that records (--record) has them in its files.";
const NOT_IN_FILES =
  "The files of this server's recordings do not have this verdict: they were removed since, or not written at that time.";

/** Why no case is made. */
class Refusal extends Error {
  readonly status: 404 | 422;

  constructor(status: 404 | 422, reason: string) {
    super(reason);
    this.status = status;
  }
}

function post(message: FromCaseThread): void {
  parentPort?.postMessage(message);
}

/** The seconds around a verdict, and it in them. */
interface FoundSlice {
  readonly slice: Recording;
  readonly found: RecordedVerdict;
}

/** Undefined where the recordings do not have the verdict. They are the files of one recording, in order, or parts of them. */
async function sliceOf(
  recordings: readonly Recording[],
  { player, atMs, rule }: Pick<CaseTask, "player" | "atMs" | "rule">,
): Promise<FoundSlice | undefined> {
  const [last] = recordings.slice(-1);
  const offsetNs = last === undefined ? undefined : clockOffsetNs(last);
  if (offsetNs === undefined) return undefined;
  const at = (ms: number): bigint => offsetNs + BigInt(Math.round(ms * NS_PER_MS));
  const [fromNs, toNs] = [at(atMs - BEFORE_MS), at(atMs + AFTER_MS)];
  const bytes = await sliceRecording(recordings, { fromNs, toNs, player, means: nodeMeans }).catch((error: unknown) => {
    // There is no key frame of that time.
    if (error instanceof RangeError) return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  const slice = openRecording(bytes, { decompress: nodeDecompress });
  const found = verdictIn(slice, { player, atMs, rule });
  return found && { slice, found };
}

/** From memory, and what it has no more from the files. */
async function find({ recent, files, ...wanted }: CaseTask): Promise<FoundSlice> {
  const opened = recent.map((bytes) => openRecording(bytes, { decompress: nodeDecompress }));
  const inMemory = await sliceOf(opened, wanted);
  if (inMemory !== undefined) return inMemory;
  if (files === undefined) throw new Refusal(404, GONE);
  const { atMs } = wanted;
  const parts = readMoment(files, { fromMs: Math.max(0, atMs - BEFORE_MS), toMs: atMs + AFTER_MS });
  const inFiles = await sliceOf(parts, wanted);
  if (inFiles === undefined) throw new Refusal(404, NOT_IN_FILES);
  return inFiles;
}

async function make(task: CaseTask): Promise<FromCaseThread> {
  const { isForPage, casesFolder } = task;
  const { slice, found } = await find(task);
  const { protocol: name } = recordedWorld(slice);
  const game = (protocols as Readonly<Record<string, Protocol>>)[name];
  if (game === undefined) throw new Refusal(422, "Only games that this build knows can be judged again.");
  const viewer = isForPage ? "" : await viewerOf(name, casesFolder);
  const { places } = recordedMaps(slice) ?? { places: new Map() };
  const { excerpt, actions } = await asked([...places.keys()], found.id);
  const { html } = await makeCase(slice, found.id, {
    protocols,
    maps: excerpt === undefined ? undefined : game.capabilities?.maps?.ofExcerpt?.(excerpt),
    // The page asks for them itself, and shows all.
    actions: isForPage ? undefined : actions,
    decompress: nodeDecompress,
    means: nodeMeans,
    viewer,
    others: isForPage ? "names" : "pseudonyms",
  });
  return { type: "made", html, id: found.id };
}

function verdictIn(
  slice: Recording,
  { player, atMs, rule }: Pick<CaseTask, "player" | "atMs" | "rule">,
): RecordedVerdict | undefined {
  const of = ({ verdict }: RecordedVerdict): number => gravity.indexOf(verdict.kind);
  return verdictsAt(slice, player, atMs)
    .filter(({ verdict }) => rule === undefined || verdict.rule === rule)
    .toSorted((a, b) => of(b) - of(a))[0];
}

/** What the server has: the places that the world used, and what was done about the verdict. */
function asked(places: readonly string[], id: string): Promise<ToCaseThread> {
  const answer = new Promise<ToCaseThread>((resolve) => parentPort?.once("message", resolve));
  post({ type: "asks", places, id });
  return answer;
}

async function viewerOf(game: string, folder: string | undefined): Promise<string> {
  try {
    if (folder !== undefined) return await readFile(join(folder, `${game}.js`), "utf8");
  } catch {
    // As without a folder.
  }
  throw new Refusal(422, "The scripts of cases are not built: npm run build:studio");
}

make(workerData as CaseTask).then(post, (error: unknown) => {
  if (error instanceof Refusal) post({ type: "refused", status: error.status, reason: error.message });
  // The recording has no key frame of that time, or its seconds do not replay.
  else if (error instanceof RangeError) post({ type: "refused", status: 422, reason: `${error.message}.` });
  else throw error;
});
