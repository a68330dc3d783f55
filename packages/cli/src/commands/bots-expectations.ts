/** `wirewalk bots --record-as`: what the rules must find, written beside the recordings of a server of this machine. */
import { writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Expectation, Expectations, Recording } from "@wirewalk/recording";
import { ofFile } from "../files/recording-input.ts";

export interface RecordedPlay {
  readonly protocol: string;
  readonly cheat: string;
  /** Milliseconds since 1970. */
  readonly startEpochMs: number;
  readonly endEpochMs: number;
}

/** The server writes a chunk each second, and its clock is this machine's. */
const LATE_SECONDS = 2;

/** Writes expectations for the seconds of the play beside each recording of the game that has some of them. Returns their files. */
export async function writeExpectations(
  folder: string,
  expected: Pick<Expectation, "expect" | "rule">,
  play: RecordedPlay,
): Promise<readonly string[]> {
  const { expectationsFile } = await import("@wirewalk/recording");
  const { readRecordingFile } = await import("@wirewalk/recording/node");
  const names = await ofFile(folder, () => readdir(folder));
  const written: string[] = [];
  for (const name of names.filter((each) => each.endsWith(".mcap")).sort()) {
    const file = join(folder, name);
    const window = await windowIn(await ofFile(file, () => readRecordingFile(file)), play);
    if (window === undefined) continue;
    const expectations: Expectations = { play: play.cheat, expectations: [{ ...expected, ...window }] };
    const path = expectationsFile(file);
    await ofFile(path, () => writeFileSync(path, `${JSON.stringify(expectations, undefined, 2)}\n`, { mode: 0o600 }));
    written.push(path);
  }
  return written;
}

/** The seconds of the recording in which the bots played; undefined for a recording of another game or time. */
async function windowIn(
  recording: Recording,
  { protocol, startEpochMs, endEpochMs }: RecordedPlay,
): Promise<{ readonly fromSeconds: number; readonly toSeconds: number } | undefined> {
  const { recordedWorld } = await import("@wirewalk/recording");
  const [first, last] = [recording.chunks[0], recording.chunks.at(-1)];
  if (first === undefined || last === undefined || recordedWorld(recording).protocol !== protocol) return undefined;
  const startMs = Number(first.startTime / 1_000_000n);
  const lastMs = Number(last.endTime / 1_000_000n);
  if (endEpochMs < startMs || startEpochMs > lastMs) return undefined;
  const seconds = (epochMs: number): number => Math.max(0, Math.round((epochMs - startMs) / 100) / 10);
  return { fromSeconds: seconds(startEpochMs), toSeconds: seconds(endEpochMs) + LATE_SECONDS };
}
