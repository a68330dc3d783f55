/** Recordings of simulated play, for tests. */
import type { Host } from "wirewalk/host";
import { createRandom, type Verdict } from "wirewalk/motion";
import { defaultDialect, type PlayableProtocol, type WorldMaps } from "wirewalk/protocol";
import { simulateInSteps } from "../../../wirewalk/src/testing/simulation.ts";
import { nodeDecompress } from "../node/read-file.ts";
import { recordHost } from "../node/record-host.ts";
import { openRecording, type Recording } from "../reading/read-recording.ts";
import type { RecordingSink } from "../writing/file-queue.ts";
import type { HostRecording } from "../writing/host-recording.ts";
import { MemoryOutput } from "../writing/memory-output.ts";
import type { RecordHostOptions } from "../writing/recording-options.ts";

/** 2026-01-01. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** A sink that keeps its files in memory. */
export class MemorySink implements RecordingSink {
  readonly files: MemoryOutput[] = [];

  async open(): Promise<MemoryOutput> {
    const file = new MemoryOutput(`file ${this.files.length + 1}`);
    this.files.push(file);
    return file;
  }

  bytes(index = 0): Uint8Array<ArrayBuffer> {
    return this.files[index]?.bytes ?? new Uint8Array(0);
  }

  recording(index = 0): Recording {
    return openRecording(this.bytes(index), { decompress: nodeDecompress });
  }
}

export interface PlayToRecord {
  readonly protocol: PlayableProtocol;
  readonly dialect?: string;
  readonly bots: number;
  readonly durationMs: number;
  readonly seed?: number;
  /** Of the world. Default: none. */
  readonly maps?: WorldMaps;
  /** The room of all bots, which are honest and know the maps. Default: each begins where it likes, every other one has a cheat, and none knows maps. */
  readonly honestIn?: string;
  readonly options?: Partial<RecordHostOptions>;
  /** Default: in memory. */
  readonly to?: RecordingSink;
}

/** Virtual time between two waits for what is recorded. */
const STEP_MS = 5_000;

/** Bots play, and the host is recorded. */
export async function recordPlay(
  play: PlayToRecord,
): Promise<{ readonly sink: MemorySink; readonly recording: HostRecording; readonly verdicts: number }> {
  const { protocol, bots, durationMs, seed = 7, maps, honestIn } = play;
  const dialect = play.dialect ?? defaultDialect(protocol);
  const random = createRandom(seed);
  const sink = new MemorySink();
  const world = { dialect, seed, demo: true, ...(maps === undefined ? {} : { maps }) } as const;
  const { cheats } = honestIn === undefined ? protocol.bots : { cheats: [] };
  let recording: HostRecording | undefined;
  let verdicts = 0;
  const simulation = {
    protocol,
    world,
    seed,
    durationMs,
    conditions: { latencyMs: { low: 20, high: 60 }, jitterMs: 10 },
    bots: Array.from({ length: bots }, (_, number) => ({
      bot: protocol.bots.create({
        dialect,
        random: random.fork(),
        number,
        cheat: number % 2 === 1 && cheats.length > 0 ? (cheats[(number >> 1) % cheats.length] as string) : "none",
        ...(honestIn === undefined ? {} : { room: Number(honestIn), ...(maps === undefined ? {} : { maps }) }),
      }),
      joining: {
        account: `bot-${number}`,
        name: `bot-${number}`,
        ...(honestIn === undefined ? {} : { room: honestIn }),
      },
      startMs: number * 50,
      listens: true,
    })),
    onVerdict: ({ kind }: Verdict) => {
      if (kind !== "accept") verdicts += 1;
    },
    onHost: (host: Host) => {
      const to = play.to ?? sink;
      recording = recordHost({ host, protocol, world, sink: to, nowMs: 0, epochNow: () => EPOCH_MS, ...play.options });
    },
  };
  await simulateInSteps(simulation, { stepMs: STEP_MS, between: async () => recording?.settled() });
  if (recording === undefined) throw new Error("nothing was recorded");
  await recording.close();
  return { sink, recording, verdicts };
}
