/** A session of another tool as a recording in memory, which plays like one of ours. */
import { MemoryOutput, openRecording, plainMeans, type Recording, SessionRecording } from "@wirewalk/recording";
import { PrivateSession, type SessionFormat } from "wirewalk/capture";
import type { Protocol } from "wirewalk/protocol";
import type { NamedBlob } from "./file-kind.ts";
import { readSession } from "./read-session.ts";

export interface PlaySessionOptions {
  readonly format: SessionFormat;
  readonly protocols: Readonly<Record<string, Protocol>>;
  /** The share of the file that was read, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** A session that plays as far as it could be read. */
export interface PlayedSession {
  readonly recording: Recording;
  /** What could not be read, in a sentence; undefined when there is nothing. */
  readonly damage: string | undefined;
}

/** The recording takes twelve times the bytes of its session. */
const MAX_SESSION_BYTES = 32 * 1024 * 1024;
/** Memory of a chunk is not used again while the file is read: with chunks of one second that took a third of the time. */
const CHUNK_MS = 10_000;
/** A jump replays up to so much. 48 minutes with 120 players in view are replayed in a second. */
const KEY_FRAME_MS = 60_000;

/** Throws `RangeError` for a file of which nothing can be read, and for one of a game that is not known. */
export async function playSession(file: NamedBlob, options: PlaySessionOptions): Promise<PlayedSession> {
  const { format, protocols, onProgress } = options;
  if (file.size > MAX_SESSION_BYTES) {
    throw new RangeError(
      `Cannot play the session: it has more than ${MAX_SESSION_BYTES / 2 ** 20} MiB. The inspector lists its messages`,
    );
  }
  const output = new MemoryOutput(file.name ?? format.name);
  let firstProblem: string | undefined;
  let fault: string | undefined;
  const session = new SessionRecording({
    protocols,
    sink: { open: async () => output },
    means: plainMeans,
    keyFrameMs: KEY_FRAME_MS,
    chunkMs: CHUNK_MS,
    // For viewers of files: this recording is played by its world.
    tracksMs: 0,
    onProblem: ({ message }, record) => {
      if (record === undefined) fault = message;
      else firstProblem ??= `record ${record.number}: ${message}`;
    },
  });
  // What is played can be copied and linked, and everybody in it is a stranger: also the one whose client it was.
  const sink = new PrivateSession({ protocols, whose: "all" }, session);
  for await (const bytes of readSession(file, { format, protocols, sink })) {
    await session.settled();
    onProgress(bytes / file.size);
  }
  const { refused } = await session.close();
  const { bytes } = output;
  // Of a file without a whole head there is nothing.
  if (bytes.length === 0) throw new RangeError(fault ?? `Cannot read the ${format.title}: it has no session`);
  const messages = refused === 1 ? "1 message cannot" : `${refused} messages cannot`;
  const damage = [
    ...(fault === undefined ? [] : [`${fault}. What stands before it is played.`]),
    ...(firstProblem === undefined ? [] : [`${messages} be read: ${refused === 1 ? "" : "first "}${firstProblem}.`]),
  ];
  return {
    recording: openRecording(bytes, { decompress: {} }),
    damage: damage.length === 0 ? undefined : damage.join(" "),
  };
}
