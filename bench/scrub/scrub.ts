/**
 * How long a jump to any time of a recording takes: the key frame before it is read, the world restored, and up to five seconds
 * replayed. Bots play in virtual time, every other one with a cheat, and a playback goes to seconds at random.
 */
import { Playback, type Recording } from "@wirewalk/recording";
import { createRandom } from "wirewalk/motion";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../packages/recording/src/testing/record-play.ts";
import type { Benchmark } from "../harness.ts";
import type { Report, Row } from "../report.ts";

const BOTS = 100;
/** An hour has the same jumps: their work lies between two key frames. */
const MINUTES = 10;
const JUMPS = 200;
/** A game's code is compiled by then. */
const WARMUP_JUMPS = 10;
const PROMISED_MS = 200;

interface Jumps {
  readonly cpuMs: readonly number[];
  readonly wallMs: readonly number[];
}

async function record(protocol: PlayableProtocol, minutes: number): Promise<Recording> {
  const options = { rotateMs: Number.POSITIVE_INFINITY, rotateBytes: Number.POSITIVE_INFINITY };
  return (await recordPlay({ protocol, bots: BOTS, durationMs: minutes * 60_000, options })).sink.recording();
}

function jump(recording: Recording, jumps: number): Jumps {
  const random = createRandom(1);
  const playback = new Playback(recording, { protocols });
  const cpuMs: number[] = [];
  const wallMs: number[] = [];
  for (let count = 0; count < jumps + WARMUP_JUMPS; count += 1) {
    const startMs = performance.now();
    const before = process.cpuUsage();
    playback.seek(1000 * random.integer(0, Math.floor(playback.durationMs / 1000)));
    playback.continueSeek();
    const { user, system } = process.cpuUsage(before);
    if (count < WARMUP_JUMPS) continue;
    wallMs.push(performance.now() - startMs);
    cpuMs.push((user + system) / 1000);
  }
  return { cpuMs: cpuMs.sort((a, b) => a - b), wallMs: wallMs.sort((a, b) => a - b) };
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(part * (sorted.length - 1))] ?? 0;

async function run(quick: boolean): Promise<Report> {
  const minutes = quick ? 1 : MINUTES;
  const rows: Row[] = [];
  let longestMs = 0;
  for (const protocol of Object.values(protocols)) {
    const { cpuMs, wallMs } = jump(await record(protocol, minutes), quick ? 20 : JUMPS);
    longestMs = Math.max(longestMs, quantile(wallMs, 0.99));
    const cells = {
      cpu: [quantile(cpuMs, 0.5)],
      p50: [quantile(wallMs, 0.5)],
      p99: [quantile(wallMs, 0.99)],
      most: [quantile(wallMs, 1)],
    };
    rows.push({ name: protocol.title, isOurs: true, cells });
  }
  return {
    method: `${BOTS} bots, ${minutes} minutes of virtual time, key frames every 5 s; ${quick ? 20 : JUMPS} jumps to seconds at random.`,
    tables: [
      {
        id: "jumps",
        title: "A jump to any second",
        rowTitle: "game",
        columns: [
          { key: "cpu", title: "CPU ms, median", better: "less" },
          { key: "p50", title: "p50 ms" },
          { key: "p99", title: "p99 ms", better: "less" },
          { key: "most", title: "most ms" },
        ],
        rows,
      },
    ],
    promises: [
      {
        promise: `a jump takes <= ${PROMISED_MS} ms (p99)`,
        measured: `${longestMs.toFixed(0)} ms`,
        held: longestMs <= PROMISED_MS,
      },
    ],
    charts: [],
    contenders: [],
    notes: [],
  };
}

export const scrub: Benchmark = {
  summary: "jumps to any time of a recording",
  run,
};
