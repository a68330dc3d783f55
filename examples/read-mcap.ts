/**
 * Reads a recording with the plain MCAP reader, without Wirewalk: `node read-mcap.ts play.mcap`. It prints the last position of each
 * player. `wirewalk serve --record ./recordings` writes such files.
 */
import { readFile } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import { McapStreamReader } from "@mcap/core";

interface Scene {
  readonly entities: readonly {
    readonly frame_id: string;
    readonly id: string;
    readonly arrows: readonly { readonly pose: { readonly position: { x: number; y: number; z: number } } }[];
  }[];
}

const reader = new McapStreamReader({
  decompressHandlers: { zstd: (bytes, size) => zstdDecompressSync(bytes, { maxOutputLength: Number(size) }) },
});
reader.append(await readFile(process.argv[2] ?? "play.mcap"));

const topics = new Map<number, string>();
const last = new Map<string, string>();
for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
  if (record.type === "Channel") topics.set(record.id, record.topic);
  // Tracks are JSON with the schema foxglove.SceneUpdate.
  if (record.type !== "Message" || topics.get(record.channelId)?.endsWith("/tracks") !== true) continue;
  const { entities } = JSON.parse(new TextDecoder().decode(record.data)) as Scene;
  for (const { frame_id, id, arrows } of entities) {
    const at = arrows[0]?.pose.position;
    last.set(id, `room ${frame_id}, ${at?.x.toFixed(2)} ${at?.y.toFixed(2)} ${at?.z.toFixed(2)}`);
  }
}
for (const [player, place] of last) console.log(`player ${player}: ${place}`);
console.log(`${last.size} players in ${new Set(topics.values()).size} topics`);
