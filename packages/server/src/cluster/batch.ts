/**
 * What gateways and the owner of a world send each other.
 *
 * A gateway sends the **calls** of its players' sessions, numbered. The owner carries them out, with its ticks, and sends
 * **batches** to all gateways: the calls in the order in which the world received them, with their times, and the effects that
 * followed. So whoever has the batches since a snapshot can play the world again and get the same effects.
 *
 * What comes from a broker is not trusted: lengths, numbers and shapes are checked here.
 */
import { decodeCbor, encodeCbor } from "@wirewalk/recording";
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Effect, Joining, Refusal } from "wirewalk/protocol";
import { encodeParts, PartJoiner, type PartsFormat, readPart, setNumbers } from "./parts.ts";

/** One call of a session into its world. */
export type SessionCall =
  | { readonly call: "join"; readonly player: PlayerId; readonly joining: Joining }
  | { readonly call: "leave"; readonly player: PlayerId }
  | { readonly call: "receive"; readonly player: PlayerId; readonly payload: Uint8Array }
  | { readonly call: "refresh"; readonly player: PlayerId }
  | { readonly call: "follow"; readonly player: PlayerId }
  | { readonly call: "unfollow"; readonly player: PlayerId }
  /** In place of one that was dropped because no owner took it for too long. */
  | { readonly call: "nothing" };

/** A run of calls as the world received them. */
export interface LoggedCalls {
  readonly nowMs: number;
  /** Whose calls they are; undefined for those of the owner itself, as for players of a gateway that is gone. */
  readonly from?: CallSource;
  readonly calls: readonly (SessionCall | { readonly call: "tick" })[];
}

/** Calls of one gateway are numbered from 1 within a run of its process. */
export interface CallSource {
  readonly gateway: string;
  readonly run: number;
  readonly first: number;
}

/** Calls on their way to an owner. */
export interface InputMessage extends CallSource {
  readonly calls: readonly SessionCall[];
}

/** An effect whose message is already encoded, or a refusal of a join. */
export type SentEffect =
  | (Omit<Extract<Effect, { effect: "send" }>, "message"> & { readonly payload: Uint8Array })
  | (Omit<Extract<Effect, { effect: "broadcast" }>, "message"> & { readonly payload: Uint8Array })
  | Exclude<Effect, { effect: "send" | "broadcast" }>
  | { readonly effect: "refuse"; readonly player: PlayerId; readonly refusal: Refusal };

export interface BatchBody {
  readonly log: readonly LoggedCalls[];
  readonly effects: readonly SentEffect[];
}

/** What stands before the body, and can be read without it. */
export interface BatchHead {
  readonly epoch: number;
  /** Counted from 1 over all epochs of a world. */
  readonly batch: number;
  /** The last batch of earlier epochs on which this epoch builds: a gateway that has seen a later one has seen another world. */
  readonly base: number;
  /** When the owner sent it, epoch milliseconds. */
  readonly wallMs: number;
}

export interface Batch extends BatchHead, BatchBody {}

/** In the head: epoch, batch, base, wallMs. More parts are 30 times the largest tick that was measured. */
const format: PartsFormat = { numbers: 4, maxParts: 64, refusal: "Cannot send a batch of" };
const MAX_CALLS = 100_000;

export interface BatchPart {
  readonly head: BatchHead;
  readonly part: number;
  readonly parts: number;
  readonly bytes: Uint8Array;
}

export function encodeInput(message: InputMessage): Uint8Array {
  return encodeCbor(message);
}

/** Undefined for bytes that are none. */
export function decodeInput(bytes: Uint8Array): InputMessage | undefined {
  const data = decodeOrNothing(bytes);
  if (!isObject(data)) return undefined;
  const { gateway, run, first, calls } = data;
  if (typeof gateway !== "string" || !isCount(run) || !isCount(first)) return undefined;
  if (!Array.isArray(calls) || calls.length > MAX_CALLS || !calls.every(isSessionCall)) return undefined;
  return { gateway, run, first, calls };
}

/** A batch as messages: several when it is long. */
export function encodeBatch({ epoch, batch, base, wallMs, log, effects }: Batch): readonly Uint8Array[] {
  return encodeParts(format, [epoch, batch, base, wallMs], encodeCbor({ log, effects }));
}

/** Messages of a batch that are kept, under another head. */
export function stampBatch(messages: readonly Uint8Array[], { epoch, batch, base, wallMs }: BatchHead): void {
  for (const bytes of messages) setNumbers(bytes, [epoch, batch, base, wallMs]);
}

/** Undefined for bytes that are no part of a batch. */
export function decodePart(bytes: Uint8Array): BatchPart | undefined {
  const read = readPart(format, bytes);
  if (read === undefined) return undefined;
  const [epoch, batch, base, wallMs] = read.numbers;
  if (!isEpoch(epoch) || !isCount(batch) || !isCount(base) || !isTime(wallMs)) return undefined;
  const { part, parts } = read;
  return { head: { epoch, batch, base, wallMs }, part, parts, bytes: read.bytes };
}

/** Undefined for bytes that are no body. */
export function decodeBody(bytes: Uint8Array): BatchBody | undefined {
  const data = decodeOrNothing(bytes);
  if (!isObject(data) || !isLog(data.log) || !Array.isArray(data.effects) || !data.effects.every(isSentEffect))
    return undefined;
  return { log: data.log, effects: data.effects };
}

/** Puts the parts of batches together. Parts of one batch arrive in their order. */
export class BatchReader {
  readonly #joiner = new PartJoiner();

  /** Whether parts of a batch are still to come. */
  get isWaiting(): boolean {
    return this.#joiner.isWaiting;
  }

  /** The batch that this part completes. */
  take(part: BatchPart): Batch | undefined {
    const { head } = part;
    const joined = this.#joiner.take(head.epoch, head.batch, part);
    const body = joined && decodeBody(joined);
    return body === undefined ? undefined : { ...head, ...body };
  }
}

export function isLog(data: unknown): data is readonly LoggedCalls[] {
  return Array.isArray(data) && data.length <= MAX_CALLS && data.every(isLoggedCalls);
}

function isLoggedCalls(data: unknown): data is LoggedCalls {
  if (!isObject(data) || !isTime(data.nowMs) || !Array.isArray(data.calls) || data.calls.length > MAX_CALLS)
    return false;
  const { from } = data;
  if (from !== undefined) {
    if (!isObject(from) || typeof from.gateway !== "string" || !isCount(from.run) || !isCount(from.first)) return false;
  }
  return data.calls.every((each) => isSessionCall(each) || (isObject(each) && each.call === "tick"));
}

function isSessionCall(data: unknown): data is SessionCall {
  if (!isObject(data)) return false;
  switch (data.call) {
    case "nothing":
      return true;
    case "receive":
      return isPlayer(data.player) && data.payload instanceof Uint8Array;
    case "join":
      return isPlayer(data.player) && isJoining(data.joining);
    case "leave":
    case "refresh":
    case "follow":
    case "unfollow":
      return isPlayer(data.player);
    default:
      return false;
  }
}

function isJoining(data: unknown): data is Joining {
  if (!isObject(data) || typeof data.account !== "string" || typeof data.name !== "string") return false;
  return data.room === undefined || typeof data.room === "string";
}

function isSentEffect(data: unknown): data is SentEffect {
  if (!isObject(data)) return false;
  const { effect, player, room } = data;
  switch (effect) {
    case "send":
      return isPlayer(data.to) && data.payload instanceof Uint8Array;
    case "broadcast":
      return typeof room === "string" && data.payload instanceof Uint8Array && isPlayerOrNone(data.except);
    case "enter":
    case "exit":
    case "show":
    case "hide":
      return isPlayer(player) && typeof room === "string";
    case "verdict":
      return isVerdict(data.verdict);
    case "observe":
      return isObserved(player) && typeof room === "string" && typeof data.what === "string" && isObject(data.data);
    case "ban":
      return (
        isPlayer(player) &&
        typeof data.account === "string" &&
        typeof data.reason === "string" &&
        isTime(data.durationMs) &&
        Array.isArray(data.evidence) &&
        data.evidence.every(isVerdict)
      );
    case "close":
      return isPlayer(player) && typeof data.reason === "string";
    case "refuse":
      return isPlayer(player) && typeof data.refusal === "string";
    default:
      return false;
  }
}

export function isVerdict(data: unknown): data is Verdict {
  if (!isObject(data) || !isPlayer(data.player) || !(data.message instanceof Uint8Array)) return false;
  const texts = [data.kind, data.rule, data.reason, data.room];
  return texts.every((each) => typeof each === "string") && isTime(data.atMs) && isObject(data.stateBefore);
}

function isPlayerOrNone(data: unknown): boolean {
  return data === undefined || isPlayer(data);
}

/** Observations of a room itself have the number 0 in place of a player. */
export function isObserved(data: unknown): boolean {
  return data === 0 || isPlayer(data);
}

export function isPlayer(data: unknown): data is PlayerId {
  return Number.isInteger(data) && (data as number) >= 1 && (data as number) <= 65_535;
}

export function isCount(data: unknown): data is number {
  return Number.isSafeInteger(data) && (data as number) >= 0;
}

/** An epoch past this would leave no room for those of later leases. */
const MAX_EPOCH = 2 ** 48;

export function isEpoch(data: unknown): data is number {
  return isCount(data) && data <= MAX_EPOCH;
}

export function isTime(data: unknown): data is number {
  return typeof data === "number" && Number.isFinite(data);
}

export function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

/** Undefined for bytes that are no data. */
export function decodeOrNothing(bytes: Uint8Array): unknown {
  try {
    return decodeCbor(bytes);
  } catch {
    return undefined;
  }
}

/** JSON; undefined for bytes that are none. */
export function parseOrNothing(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
