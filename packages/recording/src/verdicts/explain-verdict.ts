/**
 * A verdict with everything that a recording has about it: the message field by field, the state that the rule read, what was
 * measured and allowed, and the seconds around it, replayed from the nearest key frame. Plain data, for the command line and the
 * page alike.
 *
 * ```ts
 * const [{ id }] = listVerdicts(recording);
 * const explanation = explainVerdict(recording, id, { protocols });
 * explanation.measure; // => { measured: 1414.2, allowed: 840.7, unit: "px", over: 573.5, share: 1.68 }
 * ```
 */
import type { PlayerId, Position, Verdict, VerdictKind } from "wirewalk/motion";
import type {
  Calculation,
  Claims,
  ComparedPlaces,
  Envelope,
  KnownFact,
  PayloadCodec,
  PayloadTrace,
  Protocol,
  WireMessage,
  World,
} from "wirewalk/protocol";
import { formatHex, type JsonObject, parseHex, type TraceField, type WireError } from "wirewalk/wire";
import { type RecordedWorld, RecordKind, readWorldRecord } from "../profile.ts";
import type { Recording } from "../reading/read-recording.ts";
import type { ReplayDifference } from "../replay/comparison.ts";
import { Replay, type ReplayOptions } from "../replay/replay.ts";
import { type Elsewhere, pictureOf, type VerdictPicture } from "./picture.ts";
import {
  clockOffsetNs,
  findVerdict,
  type RecordedVerdict,
  readVerdict,
  shareOf,
  verdictId,
} from "./recorded-verdict.ts";

export interface ExplainOptions extends Pick<ReplayOptions, "protocols" | "createWorld" | "maps"> {
  /** Milliseconds of play before and after the verdict. Default 5,000 and 3,000; at most 60,000 each. */
  readonly beforeMs?: number;
  readonly afterMs?: number;
}

/** What a rule measured and allowed. */
export interface VerdictMeasure {
  readonly measured: number;
  /** Undefined where the rule has no limit. */
  readonly allowed: number | undefined;
  readonly unit: string;
  /** Above what is allowed. */
  readonly over: number | undefined;
  /** Measured as a share of allowed; undefined where nothing is allowed. */
  readonly share: number | undefined;
}

/** A message with its fields. */
export interface ExplainedMessage {
  /** Undefined when it cannot be read. */
  readonly name: string | undefined;
  readonly bytes: Uint8Array;
  readonly fields: readonly TraceField[];
  readonly error: WireError | undefined;
}

/** A message of the player's client around the verdict. */
export interface ClaimedStep {
  /** Milliseconds after the verdict; below 0 before it. */
  readonly ms: number;
  readonly message: string;
  /** The places that it claims, in order. */
  readonly places: readonly Position[];
  /** Whom they are of, where that is not the player: `monster 1000017`. */
  readonly mover: string | undefined;
  /** The room that they are in, where the message leads to one. */
  readonly room: string | undefined;
  /** The client's own time after it, where a message takes some. */
  readonly clockMs: number | undefined;
  /** The worst of its verdicts; undefined when none is above accept. */
  readonly kind: VerdictKind | undefined;
  /** The message that the verdict is about. */
  readonly isJudged: boolean;
}

/** Where the server had the player. */
export interface ServerStep extends Position {
  /** Milliseconds after the verdict. */
  readonly ms: number;
  readonly stance: string;
}

/** Another verdict about the player, in the same seconds. */
export interface NearVerdict extends Pick<Verdict, "kind" | "rule" | "reason" | "measured" | "allowed" | "unit"> {
  readonly id: string;
  readonly ms: number;
}

export interface VerdictExplanation {
  readonly id: string;
  readonly world: RecordedWorld | undefined;
  readonly kind: VerdictKind;
  readonly rule: string;
  readonly reason: string;
  readonly player: PlayerId;
  readonly name: string | undefined;
  readonly account: string | undefined;
  readonly room: string;
  /** The world's clock, seconds since the recording began, and milliseconds since 1970. */
  readonly atMs: number;
  readonly seconds: number;
  readonly epochMs: number;
  readonly measure: VerdictMeasure | undefined;
  readonly message: ExplainedMessage;
  /** The state that the rule read, by the names of the program. */
  readonly stateBefore: JsonObject;
  /** What of it says something to people who run a server. */
  readonly known: readonly KnownFact[];
  /** What the player did, where the game says more of it than its glossary: see `RuleInfo.did`. */
  readonly did: string | undefined;
  /** How the figures come about. */
  readonly sums: readonly Calculation[];
  /** What was sent to put the client back. */
  readonly corrections: readonly (ExplainedMessage & { readonly ms: number })[];
  /** Units of places. Undefined for a game without places. */
  readonly unit: Claims["unit"] | undefined;
  readonly isYDown: boolean;
  /** Where who moved was before the message, as the rule had it. */
  readonly before: Position | undefined;
  /** What the rule measured from: that place, or what the verdict names. */
  readonly from: Position | undefined;
  /** Where the message says that who moved was; undefined where it names no place of this room. */
  readonly at: Position | undefined;
  /** Where the rule would have let the player be. */
  readonly envelope: Envelope | undefined;
  /** What was compared in the room that the message leads to. */
  readonly elsewhere: Elsewhere | undefined;
  /** What a drawing of it is about. */
  readonly picture: VerdictPicture;
  /** From and to, in milliseconds after the verdict. */
  readonly window: { readonly fromMs: number; readonly toMs: number };
  readonly claimed: readonly ClaimedStep[];
  readonly server: readonly ServerStep[];
  readonly near: readonly NearVerdict[];
  readonly replay: ExplainedReplay;
}

/** Whether the same world finds the same again. */
export interface ExplainedReplay {
  /** True when the replayed world gave this verdict, with the same numbers, at the same time. */
  readonly isReproduced: boolean;
  /** Seconds of play from the key frame to the end of the window. */
  readonly seconds: number;
  readonly differences: readonly ReplayDifference[];
  /** Why it could not be replayed. */
  readonly problem: string | undefined;
}

const BEFORE_MS = 5_000;
const AFTER_MS = 3_000;
const MAX_AROUND_MS = 60_000;
/** Between two places of the server. */
const SERVER_STEP_MS = 50;
const MAX_SERVER_STEPS = 2_000;
const MAX_CLAIMED_STEPS = 2_000;
const NS_PER_MS = 1_000_000;
/** What a replay may differ by, shown. */
const MAX_DIFFERENCES = 5;

const severities: readonly VerdictKind[] = ["accept", "benign", "flag", "correct", "reject"];

/** `verdict` is one of `listVerdicts`, or its id. Throws `RangeError` for an unknown id and for a time outside of bounds. */
export function explainVerdict(
  recording: Recording,
  verdict: RecordedVerdict | string,
  options: ExplainOptions,
): VerdictExplanation {
  const beforeMs = around("beforeMs", options.beforeMs ?? BEFORE_MS);
  const afterMs = around("afterMs", options.afterMs ?? AFTER_MS);
  const found = typeof verdict === "string" ? findVerdict(recording, verdict) : verdict;
  return new Explaining(recording, found, options, { beforeMs, afterMs }).explanation();
}

function around(name: string, value: number): number {
  if (value >= 0 && value <= MAX_AROUND_MS) return value;
  throw new RangeError(`${name} must be within 0..${MAX_AROUND_MS}, got ${value}`);
}

class Explaining {
  readonly #recording: Recording;
  readonly #found: RecordedVerdict;
  readonly #options: ExplainOptions;
  readonly #fromNs: bigint;
  readonly #toNs: bigint;
  /** Nanoseconds since 1970 at time 0 of the world's clock. */
  readonly #offsetNs: bigint;

  constructor(
    recording: Recording,
    found: RecordedVerdict,
    options: ExplainOptions,
    { beforeMs, afterMs }: { readonly beforeMs: number; readonly afterMs: number },
  ) {
    this.#recording = recording;
    this.#found = found;
    this.#options = options;
    this.#fromNs = found.timeNs - BigInt(Math.round(beforeMs * NS_PER_MS));
    this.#toNs = found.timeNs + BigInt(Math.round(afterMs * NS_PER_MS));
    this.#offsetNs = clockOffsetNs(recording) ?? 0n;
  }

  explanation(): VerdictExplanation {
    const { id, verdict, timeNs } = this.#found;
    const replayed = this.#replay();
    const { world, protocol } = replayed;
    const codec = protocol?.codec(world?.dialect ?? "");
    const claims = protocol?.capabilities?.claims;
    const recorded = this.#recorded(codec);
    const message = explainMessage(codec, "client", verdict.message);
    const decoded = codec === undefined ? undefined : readOr(codec, verdict.message);
    const stood = claims?.before?.(verdict);
    const claimed = this.#claimed(recorded, replayed, { dialect: world?.dialect ?? "", claims, stood });
    const compared = claims?.compared?.(verdict);
    const judged = claimed.find(({ isJudged }) => isJudged);
    const before = beforeOf(claimed, judged, stood);
    const isElsewhere = (compared?.room ?? verdict.room) !== verdict.room;
    const places = isElsewhere ? undefined : compared;
    const elsewhere = isElsewhere && compared !== undefined ? elsewhereOf(compared) : undefined;
    const from = places?.from ?? before;
    const at = places?.at ?? (isHere(judged, verdict.room) ? judged?.places.at(-1) : undefined);
    const envelope = claims?.envelope?.(verdict);
    const measure = measureOf(verdict);
    const drawn = { measure, unit: claims?.unit, from, at, envelope, elsewhere };
    return {
      id,
      world,
      kind: verdict.kind,
      rule: verdict.rule,
      reason: verdict.reason,
      player: verdict.player,
      name: this.#found.name ?? replayed.name,
      account: this.#found.account ?? replayed.account,
      room: verdict.room,
      atMs: verdict.atMs,
      seconds: Number(timeNs - (this.#recording.chunks[0]?.startTime ?? timeNs)) / 1e9,
      epochMs: Number(timeNs) / 1e6,
      ...drawn,
      message,
      stateBefore: verdict.stateBefore,
      known: claims?.known?.(verdict) ?? [],
      did: claims?.did?.(verdict),
      sums:
        claims?.sums?.(verdict, { message: decoded, dialect: world?.dialect ?? "", limits: limitsOf(protocol) }) ?? [],
      corrections: recorded.corrections,
      isYDown: claims?.isYDown ?? false,
      before,
      picture: pictureOf({ ...drawn, claimed }),
      window: { fromMs: Number(this.#fromNs - timeNs) / 1e6, toMs: Number(this.#toNs - timeNs) / 1e6 },
      claimed,
      server: replayed.server,
      near: recorded.near.filter((each) => each.id !== id),
      replay: replayed.replay,
    };
  }

  /** What the recording itself has of the player in the window. */
  #recorded(codec: PayloadCodec | undefined) {
    const { player, atMs } = this.#found.verdict;
    const messages: ReadMessage[] = [];
    const near: NearVerdict[] = [];
    const corrections: (ExplainedMessage & { readonly ms: number })[] = [];
    for (const { schema, data, timeNs } of this.#recording.messages({ fromNs: this.#fromNs, toNs: this.#toNs })) {
      if (timeNs < this.#fromNs || timeNs > this.#toNs) continue;
      if (schema === "wirewalk.Record") {
        const record = readWorldRecord(data);
        if (record?.kind !== RecordKind.message || record.player !== player || codec === undefined) continue;
        if (messages.length < MAX_CLAIMED_STEPS) {
          messages.push({ nowMs: record.nowMs, message: readOr(codec, record.body), bytes: formatHex(record.body) });
        }
      } else if (schema === "wirewalk.Verdict") {
        const verdict = readVerdict(data);
        if (verdict.player !== player) continue;
        const { kind, rule, reason, measured, allowed, unit } = verdict;
        const values = {
          ...(measured === undefined ? {} : { measured }),
          ...(allowed === undefined ? {} : { allowed }),
        };
        const ms = verdict.atMs - atMs;
        near.push({
          id: verdictId(verdict),
          ms,
          kind,
          rule,
          reason,
          ...values,
          ...(unit === undefined ? {} : { unit }),
        });
      } else if (schema === "wirewalk.Correction") {
        const correction = JSON.parse(new TextDecoder().decode(data)) as CorrectionJson;
        if (correction.player !== player || correction.atMs !== atMs) continue;
        corrections.push({
          ...explainMessage(codec, "server", parseHex(correction.payload)),
          ms: correction.atMs - atMs,
        });
      }
    }
    return { messages, near, corrections };
  }

  #claimed(
    { messages, near }: { readonly messages: readonly ReadMessage[]; readonly near: readonly NearVerdict[] },
    { observed, rooms }: { readonly observed: ReadonlyMap<number, readonly Position[]>; readonly rooms: RoomsOfTime },
    { dialect, claims, stood }: ClaimContext,
  ): readonly ClaimedStep[] {
    const { atMs, room } = this.#found.verdict;
    const judged = judgedOf(messages, this.#found.verdict);
    const last = new Map<string, Position>();
    let playedMs = 0;
    return messages.map((each) => {
      const { nowMs, message } = each;
      const ms = nowMs - atMs;
      const mover = message === undefined ? undefined : claims?.mover?.(message);
      const leadsTo = message === undefined ? undefined : claims?.roomOf?.(message);
      // The rule compares with the place that it believes in, and not with what was claimed before.
      const believed = each === judged && mover === undefined ? stood : undefined;
      // Places of another room say nothing of this one's.
      const isElsewhere = leadsTo !== undefined && leadsTo !== room;
      const known = isElsewhere ? undefined : (believed ?? last.get(mover ?? ""));
      const clockMs = message === undefined ? undefined : claims?.clock?.(message, playedMs);
      playedMs = clockMs ?? playedMs;
      const of = message === undefined ? undefined : claims?.of?.(message, dialect, known);
      const seen = of ?? observed.get(nowMs) ?? [];
      const end = seen.at(-1);
      if (end !== undefined && !isElsewhere) last.set(mover ?? "", end);
      const kinds = near.filter((other) => other.ms === ms).map(({ kind }) => kind);
      const worst = Math.max(...kinds.map((kind) => severities.indexOf(kind)), 0);
      return {
        ms,
        message: message?.message ?? "unreadable",
        places: seen,
        mover,
        room: leadsTo ?? (each === judged ? undefined : rooms.otherAt(nowMs)),
        clockMs,
        kind: worst === 0 ? undefined : severities[worst],
        isJudged: each === judged,
      };
    });
  }

  /** Plays the window again, from the key frame before it. */
  #replay() {
    const { verdict } = this.#found;
    const server: ServerStep[] = [];
    const observed = new Map<number, readonly Position[]>();
    let isReproduced = false;
    const rooms = new RoomsOfTime(verdict.room);
    let sampledMs = Number.NEGATIVE_INFINITY;
    const claims = { current: undefined as Claims | undefined };
    const windowMs = Number(this.#fromNs - this.#offsetNs) / 1e6;
    const sample = (world: World, nowMs: number): void => {
      if (nowMs < windowMs || nowMs - sampledMs < SERVER_STEP_MS || server.length >= MAX_SERVER_STEPS) return;
      sampledMs = nowMs;
      const track = world.tracks(nowMs, verdict.room).find(({ player }) => player === verdict.player);
      if (track === undefined) return;
      server.push({ ...track.position, ms: nowMs - verdict.atMs, stance: track.stance });
    };
    const replay = new Replay(this.#recording, {
      ...this.#options,
      fromNs: this.#fromNs,
      toNs: this.#toNs,
      onVerdict: (each) => {
        isReproduced ||= verdictId(each) === verdictId(verdict);
      },
      onEffect: (effect, _payload, nowMs) => {
        if (!("player" in effect) || effect.player !== verdict.player) return;
        if (effect.effect === "enter" || effect.effect === "exit") rooms.add(effect.effect, effect.room, nowMs);
        if (effect.effect !== "observe") return;
        const places = claims.current?.observed?.(effect) ?? [];
        if (places.length > 0) observed.set(nowMs, places);
      },
      onTick: sample,
    });
    let problem: string | undefined;
    let who: { readonly name: string; readonly account: string } | undefined;
    let world: RecordedWorld | undefined;
    try {
      for (const nowMs of replay.steps()) {
        world ??= replay.recorded;
        claims.current ??= replay.protocol?.capabilities?.claims;
        who = replay.players.get(verdict.player) ?? who;
        // Before the message is judged, so that the ghost is seen where the rule had it.
        if (replay.world !== undefined && nowMs < verdict.atMs) sample(replay.world, nowMs);
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problem = error.message;
    }
    world ??= replay.recorded;
    const report = world === undefined ? undefined : replay.report();
    if (report === undefined) problem ??= "the recording has no readable key frame before this verdict";
    const explained: ExplainedReplay = {
      isReproduced,
      seconds: report === undefined ? 0 : (report.toMs - report.fromMs) / 1000,
      differences: report?.differences.slice(0, MAX_DIFFERENCES) ?? [],
      problem,
    };
    const { protocol } = replay;
    return { server, observed, rooms, replay: explained, world, protocol, name: who?.name, account: who?.account };
  }
}

interface ClaimContext {
  readonly dialect: string;
  readonly claims: Claims | undefined;
  /** Where the rule had the player before the verdict. */
  readonly stood: Position | undefined;
}

/** The limits in force, by name. */
function limitsOf(protocol: Protocol | undefined): Readonly<Record<string, number>> {
  const values = protocol?.capabilities?.settings?.values ?? {};
  return Object.fromEntries(Object.entries(values).map(([name, { default: value }]) => [name, value]));
}

interface ReadMessage {
  readonly nowMs: number;
  readonly message: WireMessage | undefined;
  readonly bytes: string;
}

/** When the player was in the room of the verdict, as far as a replay says it. It may be in another one at the same time. */
class RoomsOfTime {
  readonly #room: string;
  readonly #changes: { readonly atMs: number; readonly isInside: boolean }[] = [];

  constructor(room: string) {
    this.#room = room;
  }

  add(effect: "enter" | "exit", room: string, atMs: number): void {
    if (room !== this.#room) return;
    const isInside = effect === "enter";
    // A player that comes in was elsewhere before.
    if (this.#changes.length === 0) this.#changes.push({ atMs: Number.NEGATIVE_INFINITY, isInside: !isInside });
    this.#changes.push({ atMs, isInside });
  }

  /** Empty where it was in none that is known; undefined in the verdict's room. The message that leads into a room was sent in the one before. */
  otherAt(atMs: number): string | undefined {
    return this.#changes.findLast((each) => each.atMs < atMs)?.isInside === false ? "" : undefined;
  }
}

/** The newest message of these bytes up to the verdict: some rules look at a message when its tick is played. */
function judgedOf(messages: readonly ReadMessage[], { atMs, message }: Verdict): ReadMessage | undefined {
  const bytes = formatHex(message);
  return bytes === "" ? undefined : messages.findLast((each) => each.nowMs <= atMs && each.bytes === bytes);
}

function measureOf(verdict: Verdict): VerdictMeasure | undefined {
  const { measured, allowed, unit = "" } = verdict;
  if (measured === undefined) return undefined;
  return {
    measured,
    allowed,
    unit,
    over: allowed === undefined ? undefined : measured - allowed,
    share: shareOf(verdict),
  };
}

function elsewhereOf({ room = "", from, at }: ComparedPlaces): Elsewhere | undefined {
  return from === undefined || at === undefined ? undefined : { room, from, at };
}

/** Where who moved was before: as the rule had the player, or at the end of the way that was claimed for it. */
function beforeOf(
  claimed: readonly ClaimedStep[],
  judged: ClaimedStep | undefined,
  player: Position | undefined,
): Position | undefined {
  const { mover, places } = judged ?? {};
  if (judged === undefined || (mover === undefined && player !== undefined)) return player;
  const earlier = claimed.slice(0, claimed.indexOf(judged)).filter((step) => step.mover === mover);
  return earlier.findLast((step) => step.places.length > 0)?.places.at(-1) ?? places?.[0];
}

function isHere(step: ClaimedStep | undefined, room: string): boolean {
  return (step?.room ?? room) === room;
}

interface CorrectionJson {
  readonly player: PlayerId;
  readonly atMs: number;
  readonly payload: string;
}

function readOr(codec: PayloadCodec, payload: Uint8Array): WireMessage | undefined {
  try {
    return codec.read("client", payload);
  } catch {
    return undefined;
  }
}

function explainMessage(
  codec: PayloadCodec | undefined,
  sender: "client" | "server",
  bytes: Uint8Array,
): ExplainedMessage {
  const trace: PayloadTrace = codec === undefined || bytes.length === 0 ? { fields: [] } : codec.trace(sender, bytes);
  return { name: trace.message?.message, bytes, fields: trace.fields, error: trace.error };
}

/** An explanation as JSON: bytes as hex, numbers of 64 bits as decimal texts. */
export function explanationJson(explanation: VerdictExplanation): object {
  const { message, corrections, ...rest } = explanation;
  return {
    ...rest,
    message: messageJson(message),
    corrections: corrections.map((each) => ({ ms: each.ms, ...messageJson(each) })),
  };
}

function messageJson({ name, bytes, fields, error }: ExplainedMessage): object {
  return {
    name: name ?? null,
    bytes: formatHex(bytes, { separator: "" }),
    fields: fields.map(({ path, bitOffset, bitLength, raw, shown }) => {
      return { path, bitOffset, bitLength, raw: typeof raw === "bigint" ? String(raw) : raw, shown };
    }),
    ...(error === undefined ? {} : { error: error.message }),
  };
}
