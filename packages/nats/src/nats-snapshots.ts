/**
 * Snapshots in a bucket, in pieces: a message holds 1 MiB. The head names the pieces and is written last, so a reader finds the
 * whole of one snapshot or the whole of another.
 */
import { crc32 } from "node:zlib";
import { JetStreamApiError } from "@nats-io/jetstream";
import { checkClusterBytes, checkClusterName, MAX_SNAPSHOT_BYTES, type Snapshot } from "wirewalk/net";
import type { Buckets } from "./buckets.ts";

const PIECE_BYTES = 512 * 1024;
const MAX_HEAD_BYTES = 1_024;
const WRONG_LAST_SEQUENCE = 10_071;
/** A head that changes while its pieces are read is read again. */
const READS = 5;

interface Head {
  readonly epoch: number;
  /** Two places take turns, so that the pieces of the last snapshot stay while the next are written. */
  readonly turn: 0 | 1;
  readonly bytes: number;
  readonly crc: number;
}

interface KnownHead {
  readonly head: Head | undefined;
  /** 0: there is none. */
  readonly revision: number;
}

export class NatsSnapshots {
  readonly #buckets: Buckets;
  readonly #known = new Map<string, KnownHead>();

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
  }

  /** The broker may be another one, or have lost everything. */
  forget(): void {
    this.#known.clear();
  }

  async put(name: string, { epoch, bytes }: Snapshot): Promise<void> {
    checkClusterName(name);
    checkClusterBytes(bytes, MAX_SNAPSHOT_BYTES);
    const { snapshots } = this.#buckets;
    for (let tries = 0; tries < READS; tries += 1) {
      const known = this.#known.get(name) ?? (await this.#readHead(name));
      if ((known.head?.epoch ?? 0) > epoch) return;
      const turn = known.head?.epoch === epoch && known.head.turn === 0 ? 1 : 0;
      const head: Head = { epoch, turn, bytes: bytes.length, crc: crc32(bytes) };
      const pieces = [];
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        pieces.push(snapshots.put(pieceKey(name, head, at / PIECE_BYTES), bytes.subarray(at, at + PIECE_BYTES)));
      }
      await Promise.all(pieces);
      try {
        const text = JSON.stringify(head);
        const key = `${name}.head`;
        const revision =
          known.revision === 0 ? await snapshots.create(key, text) : await snapshots.update(key, text, known.revision);
        this.#known.set(name, { head, revision });
        return;
      } catch (error) {
        this.#known.delete(name);
        if (!(error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE)) throw error;
      }
    }
  }

  async get(name: string): Promise<Snapshot | undefined> {
    checkClusterName(name);
    for (let tries = 0; tries < READS; tries += 1) {
      const { head } = await this.#readHead(name);
      if (head === undefined) return undefined;
      const count = Math.ceil(head.bytes / PIECE_BYTES);
      const keys = Array.from({ length: count }, (_, index) => pieceKey(name, head, index));
      const pieces = await Promise.all(keys.map((key) => this.#buckets.snapshots.get(key)));
      const bytes = Buffer.concat(pieces.map((piece) => piece?.value ?? new Uint8Array(0)));
      if (bytes.length === head.bytes && crc32(bytes) === head.crc) return { epoch: head.epoch, bytes };
    }
    return undefined;
  }

  async #readHead(name: string): Promise<KnownHead> {
    const entry = await this.#buckets.snapshots.get(`${name}.head`);
    if (entry === null) return { head: undefined, revision: 0 };
    const { revision, value, operation } = entry;
    return { head: operation === "PUT" ? headOf(value) : undefined, revision: operation === "PUT" ? revision : 0 };
  }
}

function headOf(bytes: Uint8Array): Head | undefined {
  if (bytes.length > MAX_HEAD_BYTES) return undefined;
  let found: Partial<Record<keyof Head, unknown>> | null;
  try {
    found = JSON.parse(new TextDecoder().decode(bytes)) as typeof found;
  } catch {
    return undefined;
  }
  const { epoch, turn, bytes: length, crc } = found ?? {};
  const isLength =
    typeof length === "number" && Number.isSafeInteger(length) && length >= 0 && length <= MAX_SNAPSHOT_BYTES;
  if (!Number.isSafeInteger(epoch) || !isLength || !Number.isSafeInteger(crc) || (turn !== 0 && turn !== 1))
    return undefined;
  return { epoch: epoch as number, turn, bytes: length, crc: crc as number };
}

function pieceKey(name: string, { epoch, turn }: Head, index: number): string {
  return `${name}.piece.${epoch}.${turn}.${index}`;
}
