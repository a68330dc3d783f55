/** Recordings of one world by the nodes of a cluster that owned it in turn. */
import type { FoundChunk, KeyFrame, RecordedMessage, Recording } from "@wirewalk/recording";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, FailedError } from "../context.ts";
import { ofFile, readRecording } from "./recording-input.ts";

/** How a recording goes on from that of the world's owner before. */
export interface OwnerBefore {
  readonly file: string;
  readonly node: string;
  readonly epoch: number;
  /** Milliseconds of the world that are in neither file; below 0 those that are in both. Undefined: the world began anew. */
  readonly missingMs: number | undefined;
}

/** An owner plays less than this again: it begins with a snapshot, and the last one is a second old at most. */
const MAX_BOTH_MS = 10_000;

/** Throws {@link FailedError} for recordings of other worlds, of no cluster, or in another order. */
export async function ownerBefore(
  context: CommandContext,
  before: string,
  file: string,
  recording: Recording,
): Promise<OwnerBefore> {
  const { recordedWorld } = await import("@wirewalk/recording");
  const earlier = await readRecording(context, before);
  const [of, now] = [
    await ofFile(before, () => recordedWorld(earlier)),
    await ofFile(file, () => recordedWorld(recording)),
  ];
  if (of.protocol !== now.protocol || of.owner === undefined || now.owner === undefined) {
    throw new FailedError(`${before} and ${file} are not of one world of a cluster`);
  }
  // An owner whose file has become too long goes on in another one.
  if (of.owner.epoch > now.owner.epoch) throw new FailedError(`${before} is later than ${file}`);
  // On the clock of the world, which goes on from one owner to the next: those of their machines may differ.
  const missingMs = (await worldMs(recording, "first")) - (await worldMs(earlier, "last"));
  return { file: before, ...of.owner, missingMs: missingMs < -MAX_BOTH_MS ? undefined : missingMs };
}

/** Milliseconds of the world's clock at the first or last record that can be read. */
async function worldMs(recording: Recording, which: "first" | "last"): Promise<number> {
  const { decodeCbor, readWorldRecord } = await import("@wirewalk/recording");
  const timeOf = ({ topic, schema, data }: RecordedMessage): number | undefined => {
    if (topic.endsWith("/key-frames")) return (decodeCbor(data) as KeyFrame).nowMs;
    return schema === "wirewalk.Record" ? readWorldRecord(data)?.nowMs : undefined;
  };
  const inOrder = <T>(all: readonly T[]): readonly T[] => (which === "first" ? all : all.toReversed());
  const timeIn = (chunk: FoundChunk): number | undefined => {
    for (const message of inOrder(recording.messagesOf(chunk))) {
      const time = timeOf(message);
      if (time !== undefined) return time;
    }
    return undefined;
  };
  for (const chunk of inOrder(recording.chunks)) {
    const time = timeIn(chunk);
    if (time !== undefined) return time;
  }
  throw new FailedError("the recording has no record of its world");
}

export function ownerLine({ node, epoch, missingMs }: OwnerBefore): string {
  const owner = `node ${node}, epoch ${epoch}`;
  return escapeControls(lineOf(owner, missingMs));
}

function lineOf(owner: string, missingMs: number | undefined): string {
  if (missingMs === undefined) return `Begins anew: the world does not go on from the recording of ${owner}.`;
  const seconds = (Math.abs(missingMs) / 1000).toFixed(3);
  return missingMs > 0
    ? `Missing: ${seconds} s between the recording of ${owner}, and this one.`
    : `Goes on from the recording of ${owner}: nothing is missing, ${seconds} s are in both.`;
}
