/**
 * A **slice** of a recording: a recording of its own that begins at the last key frame before a time, so that it replays and its
 * verdicts open. It holds what the world was given in that time, since other players decide what it did; bytes as they were
 * carried are those of one player alone.
 */
import type { PlayerId } from "wirewalk/motion";
import { decodeCbor } from "../cbor-reader.ts";
import { encodeCbor } from "../cbor-writer.ts";
import { type KeyFrame, type RecordingSchema, RecordKind, readWorldRecord, schemas } from "../profile.ts";
import type { RecordedMessage, Recording } from "../reading/read-recording.ts";
import { ChunkBuilder, FileChannel, type WordTime } from "./chunk-builder.ts";
import { type FileMeans, plainMeans } from "./file-means.ts";
import { MemoryOutput } from "./memory-output.ts";
import { RecordingFile } from "./recording-file.ts";

export interface SliceOptions {
  /** Nanoseconds since 1970. */
  readonly fromNs: bigint;
  readonly toNs: bigint;
  /** Whose bytes as they were carried are kept, if they are recorded. */
  readonly player: PlayerId;
  /** Of the file, in the metadata record `wirewalk.slice`: why it was made. */
  readonly about?: Readonly<Record<string, string>>;
  /** Default: those of a browser, without compression. */
  readonly means?: FileMeans;
}

const CHUNK_BYTES = 1 << 20;
const byName: ReadonlyMap<string, RecordingSchema> = new Map(
  Object.values(schemas).map((schema) => [schema.name, schema]),
);

/**
 * The bytes of the slice. `files` are those of one recording, in order. Throws `RangeError` when they have no key frame in the
 * time or before it.
 */
export async function sliceRecording(
  files: readonly Recording[],
  { fromNs, toNs, player, about = {}, means = plainMeans }: SliceOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const startNs = keyFrameBefore(files, fromNs);
  if (startNs === undefined || startNs > toNs) {
    throw new RangeError("Cannot slice: the recording has no key frame of that time");
  }
  const output = new MemoryOutput("slice");
  const file = new RecordingFile(output, means);
  const slice = new Slice(file, player);
  const metadata = new Map(Object.entries(about).map(([key, value]) => [`slice.${key}`, value]));
  await file.start(metadata);
  for (const recording of files) {
    for (const message of recording.messages({ fromNs: startNs, toNs })) {
      if (message.timeNs >= startNs && message.timeNs <= toNs) await slice.add(message);
    }
  }
  await slice.end();
  return output.bytes;
}

/** The last key frame before a time, or the first one after it. */
function keyFrameBefore(files: readonly Recording[], fromNs: bigint): bigint | undefined {
  let found: bigint | undefined;
  for (const recording of files) {
    for (const chunk of recording.chunks) {
      if (found !== undefined && chunk.startTime > fromNs) return found;
      const [frame] = recording.messagesOf(chunk, (topic) => topic.endsWith("/key-frames"));
      if (frame !== undefined) found = frame.timeNs;
    }
  }
  return found;
}

class Slice {
  readonly #file: RecordingFile;
  readonly #player: PlayerId;
  readonly #channels = new Map<string, FileChannel>();
  #chunk = new ChunkBuilder();
  /** Records of this slice, and the next number of the recording. */
  #number = 0;
  #next: number | undefined;
  #hasKeyFrame = false;

  constructor(file: RecordingFile, player: PlayerId) {
    this.#file = file;
    this.#player = player;
  }

  async add(message: RecordedMessage): Promise<void> {
    const { topic, schema, data, sequence } = message;
    const isKeyFrame = topic.endsWith("/key-frames");
    // What stands before the first key frame in its chunk or at its time needs another one.
    if (!this.#hasKeyFrame && !isKeyFrame) return;
    this.#hasKeyFrame = true;
    if (isKeyFrame) {
      await this.#endChunk();
      this.#copy(message, this.#numberOf(sequence), this.#frameOf(data));
      // Found by a reader of chunks: a chunk of its own.
      await this.#endChunk();
      return;
    }
    if (schema === "wirewalk.Record") {
      const record = readWorldRecord(data);
      const isCarried = record?.kind === RecordKind.carried || record?.kind === RecordKind.channel;
      const number = this.#numberOf(sequence);
      if (isCarried && record?.player !== this.#player) {
        this.#number -= 1;
        return;
      }
      this.#copy(message, number, data);
    } else if (schema !== "foxglove.SceneUpdate") {
      this.#copy(message, sequence, data);
    }
    if (this.#chunk.byteLength >= CHUNK_BYTES) await this.#endChunk();
  }

  async end(): Promise<void> {
    await this.#endChunk();
    await this.#file.end();
  }

  /** A number of this slice; a gap in the recording stays one. */
  #numberOf(sequence: number): number {
    if (this.#next !== undefined && sequence !== this.#next) this.#number += 1;
    this.#next = (sequence + 1) >>> 0;
    this.#number += 1;
    return this.#number - 1;
  }

  /** The states of other players' channels are not part of it. */
  #frameOf(data: Uint8Array): Uint8Array {
    const frame = decodeCbor(data) as KeyFrame;
    if (frame.channels.size === 0) return data;
    const own = frame.channels.get(this.#player);
    return encodeCbor({ ...frame, channels: new Map(own === undefined ? [] : [[this.#player, own]]) });
  }

  #copy({ topic, schema, encoding, metadata, timeNs }: RecordedMessage, sequence: number, data: Uint8Array): void {
    // A player's number is used again after it left, with another session's topic.
    let channel = this.#channels.get(topic);
    if (channel === undefined) {
      const known = schema === undefined ? undefined : byName.get(schema);
      channel = new FileChannel({ id: this.#channels.size + 1, schema: known, topic, encoding, metadata });
      this.#channels.set(topic, channel);
    }
    const time: WordTime = { high: Number(timeNs >> 32n), low: Number(timeNs & 0xffff_ffffn) };
    this.#chunk.add(channel, sequence >>> 0, time, data);
  }

  async #endChunk(): Promise<void> {
    if (this.#chunk.messages === 0) return;
    await this.#file.chunk(this.#chunk);
    this.#chunk = new ChunkBuilder();
  }
}
