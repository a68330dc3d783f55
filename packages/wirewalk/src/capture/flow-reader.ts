/**
 * One connection of a capture as records. First it finds out what the connection is: by its port, or by trying every protocol, dialect
 * and carrier on the first bytes. Then it reads.
 */
import type { Side } from "../protocols/index.ts";
import { WireError } from "../wire/index.ts";
import type { ConnectionHandler, ConnectionInfo, End } from "./net/connections.ts";
import type { Stamp } from "./net/stream-assembler.ts";
import type { CaptureRecord } from "./records.ts";
import { type Candidate, type CandidateGroups, type CandidateOptions, candidatesOf } from "./stream/candidates.ts";
import { ConnectionReader, type ConnectionReaderOptions, isHttp } from "./stream/connection-reader.ts";
import type { DirectionSink } from "./stream/direction-reader.ts";
import { fitOf, type StreamEvent, sideOf, startsBySide, type TrialResult, tryCandidate } from "./stream/trial.ts";

/** What all connections of a capture share. */
export interface FlowReaderOptions
  extends CandidateOptions,
    Pick<ConnectionReaderOptions, "streamOptions" | "tapOptions"> {
  record(record: CaptureRecord): void;
  flow(flow: FlowReport): void;
  /** Connections that keep bytes because they are not known yet. They enter and leave by themselves. */
  readonly waiting: Set<FlowReader>;
}

/** What a connection was found to be. */
export interface FlowReport {
  /** `<address:port>-<address:port>`: the client first. */
  readonly flow: string;
  /** Undefined when no protocol fits. */
  readonly reading: Candidate | undefined;
  /** All that fit equally well: the one that was taken, and others. */
  readonly fits: readonly Candidate[];
  /** Why the others do not fit. */
  readonly others: readonly { readonly candidate: Candidate; readonly reason: string }[];
}

/** Bytes after which candidates are tried: each time on all bytes so far. */
const TRIAL_BYTES = [256, 2048, 16_384] as const;
/** Bytes of a connection that are kept while it is not known. */
const MAX_KEPT_BYTES = 65_536;
/** Messages without a refusal that show what a connection is, when nothing else can fit. */
const SURE_MESSAGES = 4;
/** The same when others have read no message, and may wait for the end of a long one. */
const SURE_ALONE = 8;
/** The trial from which on dialects that fit equally well are no reason to wait: they differ in messages that are rare. */
const DECIDING_TRIAL = 3;
/** The share of messages that a reading needs to be believed. */
const LEAST_FIT = 0.5;
/** The share that makes the candidates of later groups needless. */
const SURE_FIT = 0.8;
/** Characters of each reason in the error of an unknown connection. */
const REASON_CHARACTERS = 100;
/** Bytes of an unknown connection that its error shows. */
const SHOWN_BYTES = 64;

export class FlowReader implements ConnectionHandler {
  readonly #info: ConnectionInfo;
  readonly #options: FlowReaderOptions;
  #events: StreamEvent[] = [];
  #keptBytes = 0;
  #trials = 0;
  #reader: ConnectionReader | undefined;
  #isUnknown = false;
  #client: End | undefined;
  #flow = "";
  readonly #begun: [boolean, boolean] = [false, false];
  #candidate: Candidate | undefined;

  constructor(info: ConnectionInfo, options: FlowReaderOptions) {
    this.#info = info;
    this.#options = options;
  }

  /** The number of the first packet that waits until the connection is known; infinity when none does. */
  get oldestKept(): number {
    return this.#events[0]?.stamp.number ?? Number.POSITIVE_INFINITY;
  }

  /** Bytes that wait until the connection is known. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  data(from: End, bytes: Uint8Array, stamp: Stamp): void {
    if (this.#reader !== undefined) {
      if (!this.#begun[from]) this.#begin(from, stamp);
      this.#reader.data(sideOf(from, this.#client as End), bytes, stamp);
    } else if (!this.#isUnknown) this.#keep({ from, bytes: bytes.slice(), stamp }, bytes.length);
  }

  gap(from: End, bytes: number, stamp: Stamp): void {
    if (this.#reader !== undefined) this.#reader.gap(sideOf(from, this.#client as End), bytes, stamp);
    else if (!this.#isUnknown) this.#keep({ from, bytes, stamp }, 0);
    else this.#gapRecord(sideOf(from, this.#client ?? 0), bytes, stamp, undefined);
  }

  close(stamp: Stamp): void {
    if (this.#reader === undefined && !this.#isUnknown && this.#events.length > 0) this.decide(true);
    this.#reader?.close(stamp);
  }

  /** Takes the candidate that fits best, if one does, and reads what was kept. */
  decide(isEnd: boolean): void {
    const results: TrialResult[] = [];
    for (const group of this.#groups()) {
      const tried = group.map((candidate) => this.#try(candidate, isEnd));
      results.push(...tried);
      if (tried.some((result) => fitOf(result) >= SURE_FIT)) break;
    }
    const ranked = results.filter((result) => fitOf(result) >= LEAST_FIT).sort(byFit);
    const [best] = ranked;
    if (best === undefined) this.#giveUp(results);
    else this.#use(best, ranked, results);
  }

  #keep(event: StreamEvent, bytes: number): void {
    this.#events.push(event);
    this.#keptBytes += bytes;
    if (this.#events.length === 1) {
      const groups = this.#groups();
      const [only] = groups;
      if (groups.length === 1 && only?.length === 1) {
        this.#use(undefined, [], [], only[0]);
        return;
      }
      this.#options.waiting.add(this);
    }
    if (this.#keptBytes >= MAX_KEPT_BYTES) {
      this.decide(false);
      return;
    }
    const due = TRIAL_BYTES[this.#trials];
    if (due === undefined || this.#keptBytes < due) return;
    this.#trials += 1;
    this.#tryEarly(this.#groups());
  }

  /** Takes a candidate before all is read that may be kept, when it fits without a refusal and nothing else can. */
  #tryEarly(groups: CandidateGroups): void {
    const [group = []] = groups;
    const results = group.map((candidate) => this.#try(candidate, false));
    const ranked = results.filter((result) => fitOf(result) === 1).sort(byFit);
    const [best] = ranked;
    if (best === undefined || best.messages < SURE_MESSAGES) return;
    const isEqual = ranked.every((result) => byFit(result, best) === 0);
    const isAlone = ranked.length === 1 || (isEqual && this.#trials >= DECIDING_TRIAL);
    const mayFit = results.some(({ messages, refused }) => messages === 0 && refused === 0);
    if (isAlone && (!mayFit || best.messages >= SURE_ALONE)) this.#use(best, ranked, results);
  }

  #try(candidate: Candidate, isEnd: boolean): TrialResult {
    const { streamOptions, tapOptions } = this.#options;
    return tryCandidate(candidate, this.#events, { streamOptions, tapOptions, startsAt: this.#info.startsAt, isEnd });
  }

  #groups(): CandidateGroups {
    const http = this.#events.some(({ bytes }) => typeof bytes !== "number" && isHttp(bytes));
    return candidatesOf(this.#info, http, this.#options);
  }

  #use(
    best: TrialResult | undefined,
    ranked: readonly TrialResult[],
    all: readonly TrialResult[],
    given?: Candidate,
  ): void {
    const candidate = given ?? (best as TrialResult).candidate;
    this.#identify(candidate.client);
    const fits = best === undefined ? [] : ranked.filter((result) => byFit(result, best) === 0);
    const others = all.filter((result) => !fits.includes(result));
    this.#options.flow({
      flow: this.#flow,
      reading: candidate,
      fits: best === undefined ? [candidate] : fits.map((result) => result.candidate),
      others: others.map((result) => ({ candidate: result.candidate, reason: reasonOf(result) })),
    });
    const { streamOptions, tapOptions } = this.#options;
    const startsAt = startsBySide(this.#info.startsAt, candidate.client);
    this.#reader = new ConnectionReader({ ...candidate, streamOptions, tapOptions, startsAt }, this.#sink(candidate));
    this.#candidate = candidate;
    for (const { from, bytes, stamp } of this.#takeEvents()) {
      if (typeof bytes === "number") this.gap(from, bytes, stamp);
      else this.data(from, bytes, stamp);
    }
  }

  /** The events that were kept. Nothing waits any more. */
  #takeEvents(): readonly StreamEvent[] {
    const events = this.#events;
    this.#events = [];
    this.#keptBytes = 0;
    this.#options.waiting.delete(this);
    return events;
  }

  /** The first bytes of a direction, which may not be the first that its side sent. */
  #begin(from: End, stamp: Stamp): void {
    this.#begun[from] = true;
    if (this.#info.startsAt[from]) return;
    const text = "Cannot read stream: the capture does not have the start of this direction";
    const error = new WireError("bad-state", text, 0);
    this.#refused(sideOf(from, this.#client as End), error, new Uint8Array(0), stamp, this.#candidate);
  }

  #giveUp(results: readonly TrialResult[]): void {
    this.#isUnknown = true;
    this.#identify(this.#info.opener ?? (this.#info.ends[0].port >= this.#info.ends[1].port ? 0 : 1));
    const others = results.map((result) => ({ candidate: result.candidate, reason: reasonOf(result) }));
    this.#options.flow({ flow: this.#flow, reading: undefined, fits: [], others });
    const seen = new Set<Side>();
    const reasons = others.map(({ candidate, reason }) => {
      return `${nameOf(candidate)}: ${reason.slice(0, REASON_CHARACTERS)}`;
    });
    const text = `Cannot read stream: no protocol fits (${[...new Set(reasons)].join("; ")})`;
    for (const { from, bytes, stamp } of this.#takeEvents()) {
      const side = sideOf(from, this.#client as End);
      if (typeof bytes === "number") this.#gapRecord(side, bytes, stamp, undefined);
      else if (!seen.has(side)) {
        seen.add(side);
        this.#refused(
          side,
          new WireError("unknown-message", text, 0),
          bytes.subarray(0, SHOWN_BYTES),
          stamp,
          undefined,
        );
      }
    }
  }

  #identify(client: End): void {
    this.#client = client;
    const { ends } = this.#info;
    const text = (end: End): string => `${ends[end].address}:${ends[end].port}`;
    this.#flow = `${text(client)}-${text(client === 0 ? 1 : 0)}`;
  }

  #sink(candidate: Candidate): DirectionSink {
    const { protocol, dialect } = candidate;
    return {
      message: (direction, { message, value }, payload, { time, number }) =>
        this.#options.record({
          kind: "message",
          time,
          packet: number,
          flow: this.#flow,
          direction,
          protocol: protocol.name,
          dialect,
          message,
          value,
          payload,
        }),
      refused: (direction, error, payload, stamp) => this.#refused(direction, error, payload, stamp, candidate),
      unread: (direction, error, bytes, stamp) => this.#refused(direction, error, bytes, stamp, candidate),
      gap: (direction, bytes, stamp) => this.#gapRecord(direction, bytes, stamp, candidate),
    };
  }

  #refused(
    direction: Side,
    error: WireError,
    bytes: Uint8Array,
    { time, number }: Stamp,
    candidate: Candidate | undefined,
  ): void {
    const { protocol, dialect = null } = candidate ?? {};
    // The bytes may be a view of the packet.
    const payload = bytes.slice();
    const flow = this.#flow;
    const name = protocol?.name ?? null;
    this.#options.record({
      kind: "refused",
      time,
      packet: number,
      flow,
      direction,
      protocol: name,
      dialect,
      error,
      payload,
    });
  }

  #gapRecord(direction: Side, gap: number, { time, number }: Stamp, candidate: Candidate | undefined): void {
    const { protocol, dialect = null } = candidate ?? {};
    const name = protocol?.name ?? null;
    this.#options.record({
      kind: "gap",
      time,
      packet: number,
      flow: this.#flow,
      direction,
      protocol: name,
      dialect,
      gap,
    });
  }
}

/** `slime-online-2/v0106`, with the carrier where it is not TCP. */
export function nameOf({ protocol, dialect, carrier }: Candidate): string {
  return `${protocol.name}/${dialect}${carrier === "tcp" ? "" : ` over ${carrier}`}`;
}

function reasonOf(result: TrialResult): string {
  return result.reason ?? (result.messages === 0 ? "no whole message" : "another fits better");
}

/** The better fit first. */
function byFit(a: TrialResult, b: TrialResult): number {
  return fitOf(b) - fitOf(a) || b.payloadBytes - a.payloadBytes;
}
