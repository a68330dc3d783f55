/**
 * Hours of many bots, recorded, replayed and damaged: `npm run recorded-hours`. What a damaged file still holds is compared with
 * what the plain MCAP reader finds in the whole one.
 */
import { createHash, type Hash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McapStreamReader, type McapTypes } from "@mcap/core";
import { openRecording, type Recording, replayRecording } from "@wirewalk/recording";
import { nodeDecompress, RecordingFolder, type RecordingSink } from "@wirewalk/recording/node";
import { createRandom, type Random } from "wirewalk/motion";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../packages/recording/src/testing/record-play.ts";
import { checkKnown, checkWhole, parseOptions } from "./options.ts";

const usage = `npm run recorded-hours -- [--game G] [--bots N] [--minutes M] [--cuts N] [--flips N] [--seed N] [--json]

Bots play, every other one with a cheat of its game, and are recorded into a folder that is removed afterwards. Every file is
replayed and must give the same effects, verdicts and states. Then files are cut at random places and get random bit flips: all
whole chunks must be read, with the messages that @mcap/core reads from the whole file, every flipped byte must be named, and no cut
file be taken for whole.

  --game G     only this game: ${Object.keys(protocols).join(", ")}
  --bots N     default 100
  --minutes M  of play, on a virtual clock, default 60
  --cuts N     default 1,000
  --flips N    default 1,000
  --seed N     default 1
  --json       prints rows as JSON lines
  --help       prints this

The exit code is 1 when a replay differs or a damaged file is read wrongly, 2 for wrong usage.`;

const { values } = parseOptions(usage, {
  options: {
    game: { type: "string" },
    bots: { type: "string", default: "100" },
    minutes: { type: "string", default: "60" },
    cuts: { type: "string", default: "1000" },
    flips: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

/** Small files, so that reading 2,000 damaged ones takes minutes. */
const FILE_BYTES = 1 << 19;
const MCAP_MAGIC_BYTES = 8;
const CHUNK_OPCODE = 0x06;

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

checkWhole(values, ["bots", "cuts", "flips", "seed"]);
const [bots, minutes, cuts, flips, seed] = [values.bots, values.minutes, values.cuts, values.flips, values.seed].map(
  Number,
) as [number, number, number, number, number];
if (!(bots > 0 && minutes > 0)) fail("--bots and --minutes take numbers over 0");
if (values.game !== undefined) checkKnown("game", values.game, Object.keys(protocols));

/** A chunk of a whole file: where it is, and a digest of its messages. Empty when it has none. */
interface Chunk {
  readonly start: number;
  readonly end: number;
  readonly digest: string;
}

interface WholeFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly chunks: readonly Chunk[];
}

type Message = Pick<McapTypes.TypedMcapRecords["Message"], "sequence" | "data"> & { readonly logTime: bigint };

function add(hash: Hash, topic: string, { sequence, logTime, data }: Message): void {
  hash.update(`${topic} ${sequence} ${logTime} ${data.length}\n`).update(data);
}

/** The chunks by the lengths of the records, their messages by the plain reader. */
function readWhole(bytes: Uint8Array<ArrayBuffer>): WholeFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places: { start: number; end: number }[] = [];
  for (let at = MCAP_MAGIC_BYTES; at + 9 <= bytes.length - MCAP_MAGIC_BYTES; ) {
    const end = at + 9 + Number(view.getBigUint64(at + 1, true));
    if (bytes[at] === CHUNK_OPCODE) places.push({ start: at, end });
    at = end;
  }
  const reader = new McapStreamReader({
    includeChunks: true,
    validateCrcs: true,
    decompressHandlers: { zstd: (compressed, size) => nodeDecompress.zstd(compressed, Number(size)) },
  });
  reader.append(bytes);
  const topics = new Map<number, string>();
  const digests: string[] = [];
  let [hash, count] = [createHash("sha256"), 0];
  const endChunk = (): void => {
    digests.push(count === 0 ? "" : hash.digest("hex"));
    [hash, count] = [createHash("sha256"), 0];
  };
  let isFirst = true;
  for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
    if (record.type === "Chunk") {
      if (!isFirst) endChunk();
      isFirst = false;
    } else if (record.type === "Channel") topics.set(record.id, record.topic);
    else if (record.type === "Message") {
      add(hash, topics.get(record.channelId) as string, record);
      count += 1;
    }
  }
  if (!isFirst) endChunk();
  if (!reader.done() || digests.length !== places.length) throw new Error("the plain reader finds other chunks");
  return { bytes, chunks: places.map((place, index) => ({ ...place, digest: digests[index] as string })) };
}

const open = (bytes: Uint8Array): Recording => openRecording(bytes, { decompress: nodeDecompress });

/** The digests of the chunks that our reader reads, without those that have no messages or are damaged. */
function readDamaged(recording: Recording): readonly string[] {
  const digests: string[] = [];
  for (const chunk of recording.chunks) {
    const messages = recording.messagesOf(chunk);
    if (messages.length === 0) continue;
    const hash = createHash("sha256");
    for (const { topic, sequence, timeNs, data } of messages) add(hash, topic, { sequence, logTime: timeNs, data });
    digests.push(hash.digest("hex"));
  }
  return digests;
}

const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index]);
const digestsOf = (chunks: readonly Chunk[]): readonly string[] =>
  chunks.map(({ digest }) => digest).filter((digest) => digest !== "");

/** What is wrong with what is read of a file cut after `length` bytes. */
function cutProblem({ bytes, chunks }: WholeFile, length: number): string | undefined {
  const recording = open(bytes.subarray(0, length));
  if (!equal(readDamaged(recording), digestsOf(chunks.filter(({ end }) => end <= length)))) return "other messages";
  recording.check();
  if (recording.isEnded && recording.damage.length === 0) return "said to be whole";
  const torn = chunks.find(({ start, end }) => start < length && length < end);
  if (torn === undefined) return undefined;
  if (recording.isEnded) return "said to be ended";
  const isNamed = recording.damage.some(({ start, end }) => start === torn.start && end === length);
  return isNamed ? undefined : "the torn chunk is not named";
}

/** What is wrong with what is read of a file with one bit flipped. The bytes are as before afterwards. */
function flipProblem({ bytes, chunks }: WholeFile, at: number, bit: number): string | undefined {
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  try {
    const recording = open(bytes);
    const got = readDamaged(recording);
    const hit = chunks.findIndex(({ start, end }) => start <= at && at < end);
    const isRead = equal(got, digestsOf(chunks)) || equal(got, digestsOf(chunks.filter((_, index) => index !== hit)));
    if (!isRead) return "other messages";
    recording.check();
    return recording.damage.some(({ start, end }) => start <= at && at < end) ? undefined : "the damage is not named";
  } finally {
    bytes[at] = (bytes[at] as number) ^ (1 << bit);
  }
}

/** Damages files, each as often as its share of all bytes. */
function damage(
  files: readonly string[],
  cases: number,
  random: Random,
  problemOf: (file: WholeFile, at: number) => string | undefined,
): readonly string[] {
  const sizes = files.map((file) => statSync(file).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const places = Array.from({ length: cases }, () => random.integer(0, total - 1)).sort((a, b) => a - b);
  const problems: string[] = [];
  let [before, next] = [0, 0];
  for (const [index, size] of sizes.entries()) {
    const end = before + size;
    let whole: WholeFile | undefined;
    for (; next < places.length && (places[next] as number) < end; next += 1) {
      whole ??= readWhole(new Uint8Array(readFileSync(files[index] as string)));
      // A file of fewer than 8 bytes is refused, as it should be: nothing in it could be read.
      const at = Math.max(MCAP_MAGIC_BYTES, (places[next] as number) - before);
      const problem = problemOf(whole, at);
      if (problem !== undefined) problems.push(`file ${index} at byte ${at}: ${problem}`);
    }
    before = end;
  }
  return problems;
}

async function run(protocol: PlayableProtocol): Promise<boolean> {
  const { name } = protocol;
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-hours-"));
  const cpu = (): number => {
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1e6);
  };
  try {
    const inFolder = new RecordingFolder({ folder }).sink(name);
    // The clock of the play's wall stands still: each file has a second of its own in its name.
    let opened = 0;
    const sink: RecordingSink = { open: (epochMs) => inFolder.open(epochMs + 1000 * opened++) };
    const options = { rotateBytes: FILE_BYTES };
    const play = { protocol, bots, durationMs: minutes * 60_000, seed, to: sink, options };
    const startS = cpu();
    const { recording, verdicts } = await recordPlay(play);
    const playedS = cpu();
    const files = readdirSync(folder)
      .sort()
      .map((file) => join(folder, file));
    const problems: string[] = [];
    let [ticks, keyFrames, effects, replayedVerdicts, bytes] = [0, 0, 0, 0, 0];
    for (const file of files) {
      const content = new Uint8Array(readFileSync(file));
      bytes += content.length;
      const report = replayRecording(open(content), { protocols });
      for (const difference of report.differences) problems.push(`replay of ${file}: ${JSON.stringify(difference)}`);
      if (report.gaps.length > 0) problems.push(`replay of ${file}: ${report.gaps.length} gaps`);
      ticks += report.ticks;
      keyFrames += report.keyFrames;
      effects += report.effects;
      replayedVerdicts += report.verdicts;
    }
    const { lostRecords, records } = recording.counts;
    if (replayedVerdicts !== verdicts) problems.push(`${replayedVerdicts} verdicts replayed, ${verdicts} given`);
    if (files.length !== recording.counts.files || lostRecords > 0) problems.push(`${lostRecords} records are lost`);
    const replayedS = cpu();
    const random = createRandom(seed);
    problems.push(...damage(files, cuts, random, cutProblem).map((each) => `cut: ${each}`));
    problems.push(
      ...damage(files, flips, random, (file, at) => flipProblem(file, at, random.integer(0, 7))).map(
        (each) => `flip: ${each}`,
      ),
    );
    const row = {
      ...{ game: name, bots, minutes, seed, files: files.length, bytes, records, ticks, keyFrames, effects, verdicts },
      ...{ cuts, flips, problems: problems.length },
      processorS: { play: playedS - startS, replay: replayedS - playedS, damage: cpu() - replayedS },
    };
    console.log(values.json ? JSON.stringify({ ...row, problems }) : lineOf(row));
    if (!values.json) for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
    return problems.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lineOf(row: Readonly<Record<string, unknown>>): string {
  return Object.entries(row)
    .map(
      ([key, value]) =>
        `${key} ${typeof value === "number" ? value.toLocaleString("en") : typeof value === "string" ? value : JSON.stringify(value)}`,
    )
    .join(", ");
}

let isRight = true;
for (const protocol of Object.values(protocols)) {
  if (values.game === undefined || values.game === protocol.name) isRight = (await run(protocol)) && isRight;
}
process.exitCode = isRight ? 0 : 1;
