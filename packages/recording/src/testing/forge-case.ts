/** Cases as somebody makes them who wants to deceive or to harm: with other parts, and the hashes of these. */
import { McapRecordBuilder } from "@mcap/core";
import { type CaseFacts, type CaseFile, factsText, hexHashOf, writeCase } from "../cases/case-file.ts";
import { encodeCbor } from "../cbor-writer.ts";

export interface ForgedParts {
  readonly facts?: Partial<CaseFacts>;
  readonly recording?: Uint8Array<ArrayBuffer>;
  readonly maps?: string;
}

/** The case with other parts. It is not signed. */
export async function forgeCase(own: CaseFile, { facts = {}, recording, maps }: ForgedParts): Promise<string> {
  const bytes = recording ?? Uint8Array.from(own.recording);
  const parts = {
    ...own.facts.parts,
    recording: await hexHashOf(bytes),
    maps: maps === undefined ? null : await hexHashOf(new TextEncoder().encode(maps)),
  };
  const text = await factsText({ ...own.facts, ...facts, parts });
  return writeCase({ facts: text, recording: bytes, maps, viewer: own.viewer, signature: undefined });
}

/** Arrays in arrays, as no writer of recordings writes them. */
export function nestedCbor(depth: number): Uint8Array<ArrayBuffer> {
  const inner = encodeCbor(0);
  const bytes = new Uint8Array(depth + inner.length);
  // An array of one element.
  bytes.fill(0x81, 0, depth);
  bytes.set(inner, depth);
  return bytes;
}

/** A recording of compressed chunks that claim a size. */
export function claimingChunks(count: number, claimed: number, compressed: Uint8Array): Uint8Array<ArrayBuffer> {
  const file = new McapRecordBuilder();
  file.writeMagic();
  file.writeHeader({ profile: "wirewalk", library: "hostile" });
  for (let index = 0; index < count; index += 1) {
    file.writeChunk({
      messageStartTime: 0n,
      messageEndTime: 1n << 62n,
      uncompressedSize: BigInt(claimed),
      uncompressedCrc: 0,
      compression: "zstd",
      records: compressed,
    });
  }
  return Uint8Array.from(file.buffer);
}
