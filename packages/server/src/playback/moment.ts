/**
 * The **moment** of a verdict: the seconds around it with all that a page draws of it. What the rule compared, the ways that were claimed and
 * that the server had, the messages of the player, and the story in sentences.
 */
import {
  explainVerdict,
  type PlaybackOptions,
  type RecordedVerdict,
  type Recording,
  Replay,
  storyOf,
  type VerdictExplanation,
  verdictsAt,
} from "@wirewalk/recording";
import type { Position } from "wirewalk/motion";
import type { Protocol, Side } from "wirewalk/protocol";
import { formatHex } from "wirewalk/wire";
import type { FeedMoment, FeedPlace, FeedWireRecord, MomentRequest } from "../feed/feed.ts";
import { verdictJson } from "../feed/verdict-json.ts";

/** What a page plays of it, again and again. */
export const BEFORE_MS = 5_000;
export const AFTER_MS = 2_000;
/** Messages that a page is sent with it, those nearest to it. */
const MAX_MESSAGES = 500;
const NS_PER_MS = 1_000_000n;

export interface MomentSources extends Pick<PlaybackOptions, "protocols" | "createWorld" | "maps"> {
  readonly recording: Recording;
  readonly protocol: Protocol;
  /** Time of the world's clock at position 0, and the part that is played. */
  readonly startMs: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Throws `RangeError` where the recording has no such verdict, with the reason for people. */
export function momentOf(sources: MomentSources, { player, atMs, rule }: MomentRequest): FeedMoment {
  const { recording, protocol, startMs, firstMs, lastMs, ...options } = sources;
  const found = mostSevere(verdictsAt(recording, player, atMs).filter((each) => isOf(each, rule)));
  if (found === undefined) throw new RangeError("The recording has no such verdict.");
  const explanation = explainVerdict(recording, found, { ...options, beforeMs: BEFORE_MS, afterMs: AFTER_MS });
  const { unit, isYDown, from, at, known, envelope, elsewhere, picture, claimed, server, near, replay, name } =
    explanation;
  const inside = (ms: number): number => Math.min(lastMs, Math.max(firstMs, ms));
  const positionMs = found.verdict.atMs - startMs;
  return {
    id: found.id,
    verdict: { ...verdictJson(found.verdict), name: name ?? null },
    atMs: positionMs,
    fromMs: inside(positionMs - BEFORE_MS),
    toMs: inside(positionMs + AFTER_MS),
    story: storyOf(explanation, { game: protocol, maps: sources.maps }),
    unit: unit ?? null,
    isYDown,
    from: from === undefined ? null : placeOf(from),
    at: at === undefined ? null : placeOf(at),
    known,
    envelope: envelope ?? null,
    elsewhere:
      elsewhere === undefined
        ? null
        : { room: elsewhere.room, from: placeOf(elsewhere.from), at: placeOf(elsewhere.at) },
    picture,
    claimed: claimed.map(({ places, mover = null, room = null, clockMs = null, kind = null, ...step }) => {
      return { ...step, places: places.map(placeOf), mover, room, clockMs, kind };
    }),
    server: server.map((step) => ({ ...placeOf(step), ms: step.ms })),
    near: near.map(({ ms, kind, rule: of }) => ({ ms, kind, rule: of })),
    isReproduced: replay.isReproduced,
    messages: messagesOf(sources, found, explanation),
  };
}

const gravity = ["accept", "benign", "flag", "correct", "reject"];

/** Of several findings in one message that which did most. */
function mostSevere(found: readonly RecordedVerdict[]): RecordedVerdict | undefined {
  const of = ({ verdict }: RecordedVerdict): number => gravity.indexOf(verdict.kind);
  return found.toSorted((a, b) => of(b) - of(a))[0];
}

function isOf({ verdict }: RecordedVerdict, rule: string | undefined): boolean {
  return rule === undefined || verdict.rule === rule;
}

function placeOf({ x, y, z }: Position): FeedPlace {
  return z === undefined ? { x, y } : { x, y, z };
}

/** What the player sent and what it alone was sent, in order. */
function messagesOf(
  { recording, startMs: _, firstMs: __, lastMs: ___, protocol: ____, ...options }: MomentSources,
  { verdict: { player, atMs }, timeNs }: RecordedVerdict,
  { window }: VerdictExplanation,
): readonly FeedWireRecord[] {
  const records: FeedWireRecord[] = [];
  const take = (sender: Side, payload: Uint8Array, nowMs: number): void => {
    if (nowMs < atMs + window.fromMs) return;
    records.push({ sender, player, atMs: nowMs, payload: formatHex(payload, { separator: "" }) });
  };
  const replay = new Replay(recording, {
    ...options,
    fromNs: timeNs + BigInt(Math.round(window.fromMs)) * NS_PER_MS,
    toNs: timeNs + BigInt(Math.round(window.toMs)) * NS_PER_MS,
    comparesStart: false,
    onInput: (of, payload, nowMs) => {
      if (of === player) take("client", payload, nowMs);
    },
    onObserved: (to, payload, nowMs) => {
      if (to === player) take("server", payload, nowMs);
    },
    onEffect: (effect, payload, nowMs) => {
      if (effect.effect === "send" && effect.to === player && payload !== undefined) take("server", payload, nowMs);
    },
  });
  try {
    while (replay.next() !== undefined) {
      // All of it.
    }
  } catch (error) {
    // The explanation says why it cannot be replayed.
    if (!(error instanceof RangeError)) throw error;
  }
  const middle = Math.max(
    0,
    records.findIndex((record) => record.atMs >= atMs),
  );
  const from = Math.max(0, Math.min(middle - MAX_MESSAGES / 2, records.length - MAX_MESSAGES));
  return records.slice(from, from + MAX_MESSAGES);
}
