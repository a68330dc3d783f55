/** Recordings in which one thing is not as it was, for tests: every chunk is written again, with a correct checksum. */
import { crc32 } from "node:zlib";
import { McapRecordBuilder, McapStreamReader } from "@mcap/core";
import { decodeCbor } from "../cbor-reader.ts";
import { encodeCbor } from "../cbor-writer.ts";
import { nodeDecompress } from "../node/read-file.ts";
import type { KeyFrame } from "../profile.ts";
import { openRecording, type RecordedMessage, type Recording } from "../reading/read-recording.ts";

/** Other data of a message; undefined to keep it. */
export type Alteration = (message: RecordedMessage) => Uint8Array | undefined;

/** The file without its summary, as after a crash. Chunks are not compressed. */
export function alterRecording(bytes: Uint8Array, alter: Alteration): Recording {
  return openRecording(alteredBytes(bytes, alter));
}

/** The bytes of that file. */
export function alteredBytes(bytes: Uint8Array, alter: Alteration): Uint8Array<ArrayBuffer> {
  const { chunks } = openRecording(bytes, { decompress: nodeDecompress });
  const file = new McapRecordBuilder();
  file.writeMagic();
  file.writeHeader({ profile: "wirewalk", library: "altered" });
  for (const { start, end, startTime, endTime } of chunks) {
    const records = alteredRecords(bytes.subarray(start, end), alter);
    file.writeChunk({
      messageStartTime: startTime,
      messageEndTime: endTime,
      uncompressedSize: BigInt(records.length),
      uncompressedCrc: crc32(records),
      compression: "",
      records,
    });
  }
  return Uint8Array.from(file.buffer);
}

function alteredRecords(chunk: Uint8Array, alter: Alteration): Uint8Array {
  const reader = new McapStreamReader({
    noMagicPrefix: true,
    decompressHandlers: { zstd: (compressed, size) => nodeDecompress.zstd(compressed, Number(size)) },
  });
  reader.append(chunk);
  const out = new McapRecordBuilder();
  const schemas = new Map<number, string>();
  const channels = new Map<number, Pick<RecordedMessage, "topic" | "encoding" | "schema" | "metadata">>();
  for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
    if (record.type === "Schema") {
      schemas.set(record.id, record.name);
      out.writeSchema(record);
    } else if (record.type === "Channel") {
      const { id, topic, messageEncoding: encoding, schemaId, metadata } = record;
      channels.set(id, { topic, encoding, schema: schemas.get(schemaId), metadata });
      out.writeChannel(record);
    } else if (record.type === "Message") {
      const channel = channels.get(record.channelId);
      if (channel === undefined) throw new Error("a message has no channel");
      const message = { ...channel, sequence: record.sequence, timeNs: record.logTime, data: record.data };
      out.writeMessage({ ...record, data: alter(message) ?? record.data });
    }
  }
  return out.buffer.slice();
}

/** Other key frames; undefined to keep one. They are counted from 0. */
export function alterKeyFrames(
  bytes: Uint8Array,
  alter: (frame: KeyFrame, index: number) => object | undefined,
): Recording {
  let index = -1;
  return alterRecording(bytes, ({ topic, data }) => {
    if (!topic.endsWith("/key-frames")) return undefined;
    index += 1;
    const altered = alter(decodeCbor(data) as KeyFrame, index);
    return altered === undefined ? undefined : encodeCbor(altered);
  });
}
