/** Recordings of one world by the nodes of a cluster that owned it in turn. */
import type { Recording } from "@wirewalk/recording";
import { escapeControls } from "wirewalk/wire";
import { FailedError } from "./context.ts";
import { ofFile, readRecording } from "./recording-input.ts";

/** How a recording goes on from that of the world's owner before. */
export interface OwnerBefore {
  readonly file: string;
  readonly node: string;
  readonly epoch: number;
  /** Milliseconds of the world that are in neither file; below 0 those that are in both. */
  readonly missingMs: number;
}

/** Throws {@link FailedError} for recordings of other worlds, of no cluster, or in another order. */
export async function ownerBefore(before: string, file: string, recording: Recording): Promise<OwnerBefore> {
  const { recordedWorld } = await import("@wirewalk/recording");
  const earlier = await readRecording(before);
  const [of, now] = [
    await ofFile(before, () => recordedWorld(earlier)),
    await ofFile(file, () => recordedWorld(recording)),
  ];
  if (of.protocol !== now.protocol || of.owner === undefined || now.owner === undefined) {
    throw new FailedError(`${before} and ${file} are not of one world of a cluster`);
  }
  // An owner whose file has become too long goes on in another one.
  if (of.owner.epoch > now.owner.epoch) throw new FailedError(`${before} is later than ${file}`);
  const [endNs, startNs] = [earlier.chunks.at(-1)?.endTime ?? 0n, recording.chunks[0]?.startTime ?? 0n];
  return { file: before, ...of.owner, missingMs: Number(startNs - endNs) / 1_000_000 };
}

export function ownerLine({ node, epoch, missingMs }: OwnerBefore): string {
  const seconds = (Math.abs(missingMs) / 1000).toFixed(3);
  const owner = `node ${node}, epoch ${epoch}`;
  return escapeControls(
    missingMs > 0
      ? `Missing: ${seconds} s between the recording of ${owner}, and this one.`
      : `Goes on from the recording of ${owner}: nothing is missing, ${seconds} s are in both.`,
  );
}
