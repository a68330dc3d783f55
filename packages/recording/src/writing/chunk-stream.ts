/** The chunks of one file after the other, and the channels that they use: the part of a recording that works within the host's calls. */
import type { RecordingSchema } from "../profile.ts";
import { type ChunkBuilder, FileChannel, type WordTime, wordTime } from "./chunk-builder.ts";
import type { FileQueue } from "./file-queue.ts";
import type { RecordingLimits } from "./recording-options.ts";

/** Ids of channels are u16. A file that has used so many ends. */
const MAX_CHANNELS = 60_000;

export class ChunkStream {
  readonly #queue: FileQueue;
  readonly #limits: Pick<RecordingLimits, "chunkBytes" | "chunkMs">;
  #chunk: ChunkBuilder | undefined;
  #chunkMs = 0;
  #channels = new Map<string, FileChannel>();
  #lastChannel = 0;
  readonly #time: WordTime = { high: 0, low: 0 };
  /** Microseconds since 1970 at time 0 of the host's clock. */
  #epochUs = 0;

  constructor(queue: FileQueue, limits: Pick<RecordingLimits, "chunkBytes" | "chunkMs">) {
    this.#queue = queue;
    this.#limits = limits;
  }

  /** Of the chunk that has not ended. */
  get bytes(): number {
    return this.#chunk?.byteLength ?? 0;
  }

  get hasMostChannels(): boolean {
    return this.#lastChannel >= MAX_CHANNELS;
  }

  /** Microseconds since 1970. */
  epochUs(nowMs: number): number {
    return this.#epochUs + Math.round(nowMs * 1000);
  }

  /** A file begins: its channels are new, and so is the difference between the host's clock and the time of day. */
  beginFile(epochMsAtZero: number): void {
    this.#channels = new Map();
    this.#lastChannel = 0;
    this.#epochUs = Math.round(epochMsAtZero * 1000);
  }

  /** The channel of a topic. */
  channel(topic: string, schema: RecordingSchema, encoding: string): FileChannel {
    let channel = this.#channels.get(topic);
    if (channel === undefined) {
      channel = this.newChannel(topic, schema, encoding, new Map());
      this.#channels.set(topic, channel);
    }
    return channel;
  }

  newChannel(
    topic: string,
    schema: RecordingSchema,
    encoding: string,
    metadata: ReadonlyMap<string, string>,
  ): FileChannel {
    this.#lastChannel += 1;
    return new FileChannel({ id: this.#lastChannel, schema, topic, encoding, metadata });
  }

  /** Copies `data`. */
  add(channel: FileChannel, sequence: number, nowMs: number, data: Uint8Array): void {
    let chunk = this.#chunk;
    if (chunk === undefined) {
      chunk = this.#queue.chunk();
      this.#chunk = chunk;
      this.#chunkMs = nowMs;
    }
    chunk.add(channel, sequence >>> 0, wordTime(this.epochUs(nowMs), this.#time), data);
    const { chunkBytes, chunkMs } = this.#limits;
    if (chunk.byteLength >= chunkBytes || nowMs - this.#chunkMs >= chunkMs) this.endChunk();
  }

  endChunk(): void {
    const chunk = this.#chunk;
    if (chunk === undefined) return;
    this.#chunk = undefined;
    this.#queue.addChunk(chunk);
  }

  /** Forgets the chunk that has not ended: its number of messages. */
  drop(): number {
    const messages = this.#chunk?.messages ?? 0;
    this.#chunk = undefined;
    return messages;
  }
}
