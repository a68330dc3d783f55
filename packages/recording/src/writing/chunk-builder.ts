/**
 * One **chunk** that is being filled. Schemas and channels stand in each chunk in which they are used, so that a reader that
 * has lost other chunks reads it by itself.
 */
import { McapChunkBuilder } from "@mcap/core";
import type { RecordingSchema } from "../profile.ts";

/** A channel of a file. */
export interface FileChannel {
  readonly id: number;
  readonly schema: RecordingSchema | undefined;
  readonly topic: string;
  readonly encoding: string;
  readonly metadata: ReadonlyMap<string, string>;
}

const texts = new TextEncoder();

export class ChunkBuilder {
  readonly #builder = new McapChunkBuilder({ useMessageIndex: true });
  /** Those that are used in it, by id. */
  readonly channels = new Map<number, FileChannel>();
  readonly #schemas = new Set<number>();
  /** Messages by channel, for the statistics of the file. */
  readonly counts = new Map<number, number>();

  get byteLength(): number {
    return this.#builder.byteLength;
  }

  get messages(): number {
    return this.#builder.numMessages;
  }

  get startTime(): bigint {
    return this.#builder.messageStartTime;
  }

  get endTime(): bigint {
    return this.#builder.messageEndTime;
  }

  /** A copy. */
  get records(): Uint8Array {
    return this.#builder.buffer;
  }

  get indices(): McapChunkBuilder["indices"] {
    return this.#builder.indices;
  }

  /** Copies `data`. */
  add(channel: FileChannel, sequence: number, time: bigint, data: Uint8Array): void {
    const { id } = channel;
    if (!this.channels.has(id)) this.#addChannel(channel);
    this.#builder.addMessage({ channelId: id, sequence, logTime: time, publishTime: time, data });
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
  }

  reset(): void {
    this.#builder.reset();
    this.channels.clear();
    this.#schemas.clear();
    this.counts.clear();
  }

  #addChannel(channel: FileChannel): void {
    const { id, schema, topic, encoding, metadata } = channel;
    this.channels.set(id, channel);
    if (schema !== undefined && !this.#schemas.has(schema.id)) {
      this.#schemas.add(schema.id);
      this.#builder.addSchema({ ...schema, data: texts.encode(schema.text) });
    }
    this.#builder.addChannel({
      id,
      schemaId: schema?.id ?? 0,
      topic,
      messageEncoding: encoding,
      metadata: new Map(metadata),
    });
  }
}
