/**
 * The verdicts of a recording, each with an **id**: the milliseconds of the world's clock and 32 bits of what the verdict says,
 * `13250-1a2b3c4d`. A verdict has the same id in every recording that holds it, such as the evidence of a ban, and its time
 * says which chunk has it.
 */
import type { PlayerId, Verdict } from "wirewalk/motion";
import { formatHex, type JsonObject, parseHex } from "wirewalk/wire";
import { digestOf } from "wirewalk/world-kit";
import { decodeCbor } from "../cbor-reader.ts";
import { type KeyFrame, RECORD_HEADER_BYTES } from "../profile.ts";
import type { MessageFilter, RecordedMessage, Recording } from "../reading/read-recording.ts";

/** A verdict of a recording. */
export interface RecordedVerdict {
  readonly id: string;
  readonly verdict: Verdict;
  /** Nanoseconds since 1970. */
  readonly timeNs: bigint;
  /** The session that it is about, as its channel says; undefined where the recording does not say it. */
  readonly name: string | undefined;
  readonly account: string | undefined;
}

/** A verdict as recordings have it, its message in hex. */
type VerdictJson = Omit<Verdict, "message"> & { readonly message: string };

const NS_PER_MS = 1_000_000n;
/** A verdict's record stands beside the messages of its time: the clock of the world and the time of day are rounded apart. */
const NEAR_NS = 2n * NS_PER_MS;
const ID = /^(\d+)(?:-([0-9a-f]{1,8}(?:\.\d+)?))?$/;

/** The id of a verdict; equal verdicts of one message are numbered by `listVerdicts`. */
export function verdictId({ player, kind, rule, atMs, measured, allowed, message }: Verdict): string {
  // As JSON, which has no Infinity and no undefined.
  const text = JSON.stringify([player, kind, rule, atMs, measured ?? null, allowed ?? null, formatHex(message)]);
  const hash = Number(digestOf(text) & 0xffff_ffffn);
  return `${Math.max(0, Math.floor(atMs))}-${hash.toString(16).padStart(8, "0")}`;
}

/** Reads the verdicts of a recording chunk by chunk, for those who have other work between two chunks. */
export class VerdictReader {
  readonly #recording: Recording;
  readonly #sessions = new Sessions();
  readonly #ids = new Ids();
  #chunk = 0;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** Verdicts other than accept of the next chunk, in its order. Undefined after the last one. A damaged chunk has none. */
  read(): readonly RecordedVerdict[] | undefined {
    const chunk = this.#recording.chunks[this.#chunk];
    if (chunk === undefined) return undefined;
    this.#chunk += 1;
    return this.#recording.messagesOf(chunk).flatMap((message) => take(message, this.#sessions, this.#ids) ?? []);
  }
}

/** All verdicts other than accept, in the order of the recording. Damaged chunks give none. */
export function* listVerdicts(recording: Recording): Generator<RecordedVerdict, void, void> {
  const reader = new VerdictReader(recording);
  for (let found = reader.read(); found !== undefined; found = reader.read()) yield* found;
}

/**
 * The verdict with this id, or with the only id that begins so. Reads the chunks of its time alone. Throws `RangeError` when
 * there is none or several.
 */
export function findVerdict(recording: Recording, id: string): RecordedVerdict {
  const [, ms] = ID.exec(id) ?? [];
  if (ms === undefined) throw new RangeError(`Cannot find verdict ${JSON.stringify(id)}: an id is as 13250-1a2b3c4d`);
  const offsetNs = clockOffsetNs(recording) ?? 0n;
  const fromNs = BigInt(ms) * NS_PER_MS + offsetNs - NEAR_NS;
  const near = matching(recording, id, { fromNs, toNs: fromNs + NS_PER_MS + 2n * NEAR_NS });
  // A rule may give a verdict another time than that of its call.
  const found = near.length > 0 ? near : matching(recording, id, {});
  const [first, second] = found;
  if (first === undefined) throw new RangeError(`Cannot find verdict ${id}: the recording has no such verdict`);
  if (second !== undefined) {
    const named = found.slice(0, MAX_NAMED).map((each) => each.id);
    throw new RangeError(`Cannot find verdict ${id}: ${found.length} verdicts begin so, such as ${named.join(", ")}`);
  }
  return first;
}

/**
 * What was found about a player within a millisecond of the world's clock, in the order of the recording: several rules may find something in
 * one message.
 */
export function verdictsAt(recording: Recording, player: PlayerId, ms: number): readonly RecordedVerdict[] {
  const offsetNs = clockOffsetNs(recording) ?? 0n;
  const fromNs = BigInt(ms) * NS_PER_MS + offsetNs - NEAR_NS;
  const isOf = ({ verdict }: RecordedVerdict): boolean => verdict.player === player;
  const near = matching(recording, String(ms), { fromNs, toNs: fromNs + NS_PER_MS + 2n * NEAR_NS }).filter(isOf);
  return near.length > 0 ? near : matching(recording, String(ms), {}).filter(isOf);
}

const MAX_NAMED = 3;

/** The verdict with the id, or those whose ids begin so. */
function matching(recording: Recording, id: string, filter: MessageFilter): readonly RecordedVerdict[] {
  const start = id.includes("-") ? id : `${id}-`;
  const found: RecordedVerdict[] = [];
  const [sessions, ids] = [new Sessions(), new Ids()];
  for (const message of recording.messages(filter)) {
    const each = take(message, sessions, ids);
    if (each?.id === id) return [each];
    if (each?.id.startsWith(start)) found.push(each);
  }
  return found;
}

/** Nanoseconds since 1970 at time 0 of the world's clock: one number for each file. Undefined for a recording without records. */
export function clockOffsetNs(recording: Recording): bigint | undefined {
  for (const chunk of recording.chunks) {
    for (const { schema, topic, data, timeNs } of recording.messagesOf(chunk)) {
      if (schema === "wirewalk.Record" && data.length >= RECORD_HEADER_BYTES) {
        const nowMs = new DataView(data.buffer, data.byteOffset, data.byteLength).getFloat64(3, true);
        return timeNs - BigInt(Math.round(nowMs * 1000)) * 1000n;
      }
      // A recording may hold a key frame alone.
      if (topic.endsWith("/key-frames") && chunk === recording.chunks.at(-1)) {
        const { nowMs } = decodeCbor(data) as KeyFrame;
        return timeNs - BigInt(Math.round(nowMs * 1000)) * 1000n;
      }
    }
  }
  return undefined;
}

/** The fields that a filter of verdicts may name. */
export const verdictFilterFields = [
  "id",
  "time",
  "epoch",
  "rule",
  "severity",
  "kind",
  "player",
  "name",
  "account",
  "room",
  "measured",
  "allowed",
  "unit",
  "share",
  "reason",
  "bytes",
  "before",
] as const;

/** A verdict as a filter and columns see it. `startNs` is the time of the recording's beginning: `time` counts from there. */
export function verdictFields(
  { id, verdict, timeNs, name, account }: RecordedVerdict,
  startNs: bigint,
): Readonly<Record<(typeof verdictFilterFields)[number], JsonObject[string] | undefined>> {
  const { rule, kind, player, room, measured, allowed, unit, reason, message, stateBefore } = verdict;
  return {
    id,
    time: Number(timeNs - startNs) / 1e9,
    epoch: Number(timeNs) / 1e9,
    rule,
    severity: kind,
    kind,
    player,
    name,
    account,
    room,
    measured,
    allowed,
    unit,
    share: shareOf(verdict),
    reason,
    bytes: message.length,
    before: stateBefore,
  };
}

/** What was measured as a share of what is allowed; undefined where one is missing or nothing is allowed. */
export function shareOf({ measured, allowed }: Verdict): number | undefined {
  return measured === undefined || allowed === undefined || allowed <= 0 ? undefined : measured / allowed;
}

/** Which session a player's number belongs to, as the channels say that were read. */
class Sessions {
  readonly #players = new Map<PlayerId, { readonly name: string; readonly account: string }>();
  #metadata: ReadonlyMap<string, string> | undefined;
  #hasKeyFrame = false;

  take({ topic, metadata, data }: RecordedMessage): void {
    if (topic.endsWith("/key-frames")) {
      // Whoever joins later has a channel.
      if (this.#hasKeyFrame) return;
      this.#hasKeyFrame = true;
      const { players } = decodeCbor(data) as KeyFrame;
      for (const { player, joining } of players) this.#players.set(player, joining);
      return;
    }
    if (metadata === this.#metadata || metadata.size === 0) return;
    this.#metadata = metadata;
    const [player, name, account] = ["player", "name", "account"].map((key) => metadata.get(key));
    if (player !== undefined && name !== undefined && account !== undefined) {
      this.#players.set(Number(player), { name, account });
    }
  }

  of(player: PlayerId): { readonly name?: string; readonly account?: string } {
    return this.#players.get(player) ?? {};
  }
}

/** Numbers verdicts that say the same of the same time: `13250-1a2b3c4d.2`. */
class Ids {
  #ms = "";
  readonly #counts = new Map<string, number>();

  next(verdict: Verdict): string {
    const id = verdictId(verdict);
    const ms = id.slice(0, id.indexOf("-"));
    if (ms !== this.#ms) {
      this.#ms = ms;
      this.#counts.clear();
    }
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    return count === 1 ? id : `${id}.${count}`;
  }
}

function take(message: RecordedMessage, sessions: Sessions, ids: Ids): RecordedVerdict | undefined {
  sessions.take(message);
  if (message.schema !== "wirewalk.Verdict") return undefined;
  const verdict = readVerdict(message.data);
  const { name, account } = sessions.of(verdict.player);
  return { id: ids.next(verdict), verdict, timeNs: message.timeNs, name, account };
}

/** A verdict out of a message of the topic of verdicts. */
export function readVerdict(data: Uint8Array): Verdict {
  const json = JSON.parse(new TextDecoder().decode(data)) as VerdictJson;
  const { measured, allowed, message, ...rest } = json;
  // What JSON cannot hold, such as Infinity, is null there.
  return {
    ...rest,
    ...(typeof measured === "number" ? { measured } : {}),
    ...(typeof allowed === "number" ? { allowed } : {}),
    message: message === "" ? new Uint8Array() : parseHex(message),
  };
}
