/**
 * One connection of a capture as records. First it finds out what the connection is: by its port, or by reading the first bytes as every
 * protocol, dialect and carrier. Then it reads.
 *
 * Dialects may differ in messages that are rare. Those that fit as well as the one that was taken are read beside it for a while: when it
 * refuses what one of them reads, that one takes its place.
 */
import type { Side } from "../protocols/index.ts";
import { WireError } from "../wire/index.ts";
import type { ConnectionHandler, ConnectionInfo, End } from "./net/connections.ts";
import type { Stamp } from "./net/stream-assembler.ts";
import type { CaptureRecord } from "./records.ts";
import { type Candidate, type CandidateGroups, type CandidateOptions, candidatesOf } from "./stream/candidates.ts";
import { ConnectionReader, type ConnectionReaderOptions, isHttp } from "./stream/connection-reader.ts";
import type { DirectionSink } from "./stream/direction-reader.ts";
import { byFit, feed, type StreamEvent, sideOf, startsBySide, Trial } from "./stream/trial.ts";

/** What all connections of a capture share. */
export interface FlowReaderOptions
  extends CandidateOptions,
    Pick<ConnectionReaderOptions, "streamOptions" | "tapOptions" | "memory"> {
  record(record: CaptureRecord): void;
  flow(flow: FlowReport): void;
  /** Connections that keep bytes because they are not known yet. They enter and leave by themselves. */
  readonly waiting: Set<FlowReader>;
  /** Those of them whose trials go on with each event, the oldest first. Likewise. */
  readonly trying: Set<FlowReader>;
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

/** Bytes of a connection that are kept while it is not known. */
const MAX_KEPT_BYTES = 65_536;
/** Connections whose trials go on with each event: the trials of one hold 100 kB. The others are tried again when their bytes have doubled. */
const MAX_TRYING = 256;
/** What an event takes beside its bytes. */
const EVENT_BYTES = 200;
/** Events of a connection that are kept while it is not known. */
const MAX_EVENTS = 2000;
/** Messages without a refusal that show what a connection is, when nothing else can fit. */
const SURE_MESSAGES = 4;
/** The same when others have read no message, and may wait for the end of a long one. */
const SURE_ALONE = 8;
/** The same when dialects fit equally well: they may differ in what is rare. */
const SURE_EQUAL = 32;
/** Messages for which they are read beside the one that was taken. */
const RIVAL_MESSAGES = 128;
/** The share of messages that a reading needs to be believed. */
const LEAST_FIT = 0.5;
/** The share that makes the candidates of later groups needless. */
const SURE_FIT = 0.8;
/** Characters of each reason in the error of an unknown connection. */
const REASON_CHARACTERS = 100;
/** Bytes of an unknown connection that its error shows. */
const SHOWN_BYTES = 64;

/** A reading that records come from, or one beside it. */
interface Reading {
  readonly candidate: Candidate;
  readonly reader: ConnectionReader;
  /** Records of the event that is being read. */
  records: CaptureRecord[];
}

export class FlowReader implements ConnectionHandler {
  readonly #info: ConnectionInfo;
  readonly #options: FlowReaderOptions;
  #events: StreamEvent[] = [];
  #keptBytes = 0;
  #groups: CandidateGroups | undefined;
  #isHttp = false;
  #hasGap = false;
  /** Of the first group. Undefined while they are given up: the events are kept. */
  #trials: readonly Trial[] | undefined = [];
  /** Events at which they are begun again. */
  #retryAt = 0;
  /** The reading that was taken, then those that fit equally well. Empty while the connection is not known. */
  #readings: Reading[] = [];
  #messages = 0;
  #isUnknown = false;
  #client: End | undefined;
  #flow = "";
  readonly #begun: [boolean, boolean] = [false, false];

  constructor(info: ConnectionInfo, options: FlowReaderOptions) {
    this.#info = info;
    this.#options = options;
  }

  /** The number of the first packet that waits until the connection is known; infinity when none does. */
  get oldestKept(): number {
    return this.#events[0]?.stamp.number ?? Number.POSITIVE_INFINITY;
  }

  /** Memory that waits until the connection is known. */
  get keptBytes(): number {
    return this.#keptBytes + this.#events.length * EVENT_BYTES;
  }

  /** Gives up the trials, until there is twice as much to read. */
  pauseTrials(): void {
    for (const trial of this.#trials ?? []) trial.release();
    this.#trials = undefined;
    this.#retryAt = this.#events.length * 2;
    this.#options.trying.delete(this);
  }

  data(from: End, bytes: Uint8Array, stamp: Stamp): void {
    if (this.#readings.length > 0) this.#read({ from, bytes, stamp });
    else if (!this.#isUnknown) this.#keep({ from, bytes: bytes.slice(), stamp }, bytes.length);
  }

  gap(from: End, bytes: number, stamp: Stamp): void {
    if (this.#readings.length > 0) this.#read({ from, bytes, stamp });
    else if (!this.#isUnknown) this.#keep({ from, bytes, stamp }, 0);
    else this.#options.record(this.#gapRecord(sideOf(from, this.#client ?? 0), bytes, stamp, undefined));
  }

  close(stamp: Stamp): void {
    if (this.#readings.length === 0 && !this.#isUnknown && this.#events.length > 0) this.decide(true);
    const [taken] = this.#readings;
    taken?.reader.close(stamp);
    this.#emit();
    for (const { reader } of this.#readings) reader.release();
  }

  /** Takes the candidate that fits best, if one does, and reads what was kept. */
  decide(isEnd: boolean): void {
    const last = this.#events.at(-1);
    if (last === undefined) return;
    const all: Trial[] = [];
    for (const [index, group] of (this.#groups ?? []).entries()) {
      const begun = index === 0 ? this.#trials : undefined;
      const trials = begun ?? group.map((candidate) => this.#tryAll(candidate));
      if (isEnd) for (const trial of trials) trial.close(last.stamp);
      all.push(...trials);
      if (trials.some(({ fit }) => fit >= SURE_FIT)) break;
    }
    for (const trial of all) trial.release();
    const ranked = all.filter(({ fit }) => fit >= LEAST_FIT).sort(byFit);
    const [best] = ranked;
    if (best === undefined) this.#giveUp(all);
    else this.#use(best, ranked, all);
  }

  #keep(event: StreamEvent, bytes: number): void {
    this.#events.push(event);
    this.#keptBytes += bytes;
    const { bytes: content } = event;
    const isGap = typeof content === "number";
    const http = !isGap && isHttp(content);
    // The first segment of a direction may come late, or never.
    if (this.#groups === undefined || (http && !this.#isHttp) || (isGap && !this.#hasGap)) {
      this.#isHttp ||= http;
      this.#hasGap ||= isGap;
      this.#groups = candidatesOf(this.#info, { isHttp: this.#isHttp, hasGap: this.#hasGap }, this.#options);
      const [group = []] = this.#groups;
      const [only] = group;
      if (this.#groups.length === 1 && group.length === 1 && only !== undefined && this.#newTrial(only).isOpen) {
        this.#take([only], [only], []);
        return;
      }
      this.#options.waiting.add(this);
      this.#beginTrials(group);
    } else if (this.#trials !== undefined) for (const trial of this.#trials) trial.add(event);
    else if (this.#events.length >= this.#retryAt) this.#beginTrials(this.#groups[0] ?? []);
    if (this.#keptBytes >= MAX_KEPT_BYTES || this.#events.length >= MAX_EVENTS) this.decide(false);
    else if (this.#trials !== undefined) this.#decideEarly(this.#trials);
  }

  #beginTrials(group: readonly Candidate[]): void {
    const { trying } = this.#options;
    this.#trials = group.map((candidate) => this.#tryAll(candidate));
    trying.add(this);
    const [oldest] = trying;
    if (trying.size > MAX_TRYING) oldest?.pauseTrials();
  }

  /** Takes a candidate before all is read that may be kept, when it fits without a refusal and nothing else can. */
  #decideEarly(trials: readonly Trial[]): void {
    let best: Trial | undefined;
    for (const trial of trials) {
      if (trial.fit === 1 && (best === undefined || trial.payloadBytes > best.payloadBytes)) best = trial;
    }
    if (best === undefined || best.messages < SURE_MESSAGES) return;
    const ranked = trials.filter(({ fit }) => fit === 1).sort(byFit);
    const { messages } = best;
    const first = best;
    if (ranked.length > 1 && (messages < SURE_EQUAL || ranked.some((trial) => byFit(trial, first) !== 0))) return;
    // One that has read nothing may wait for the end of a long message.
    const mayFit = trials.some((trial) => trial.messages === 0 && trial.refused === 0);
    if (!mayFit || messages >= SURE_ALONE) this.#use(ranked[0] as Trial, ranked, trials);
  }

  #newTrial(candidate: Candidate): Trial {
    const { streamOptions, tapOptions, memory } = this.#options;
    return new Trial(candidate, { streamOptions, tapOptions, memory, startsAt: this.#info.startsAt });
  }

  #tryAll(candidate: Candidate): Trial {
    const trial = this.#newTrial(candidate);
    for (const event of this.#events) trial.add(event);
    return trial;
  }

  #use(best: Trial, ranked: readonly Trial[], all: readonly Trial[]): void {
    const fits = ranked.filter((trial) => byFit(trial, best) === 0);
    const others = all.filter((trial) => !fits.includes(trial));
    // Another end as the client is another flow.
    const rivals = fits.filter(({ candidate }) => candidate.client === best.candidate.client);
    this.#take(
      rivals.map(({ candidate }) => candidate),
      fits.map(({ candidate }) => candidate),
      others,
    );
  }

  /** Reads the connection as the first of these, and as the others beside it. */
  #take(candidates: readonly Candidate[], fits: readonly Candidate[], others: readonly Trial[]): void {
    const [taken] = candidates as [Candidate, ...Candidate[]];
    this.#identify(taken.client);
    const reasons = others.map(({ candidate, reason }) => ({ candidate, reason }));
    this.#options.flow({ flow: this.#flow, reading: taken, fits, others: reasons });
    this.#readings = candidates.map((candidate) => this.#openReading(candidate));
    for (const event of this.#takeEvents()) this.#read(event);
  }

  #openReading(candidate: Candidate): Reading {
    const { streamOptions, tapOptions, memory } = this.#options;
    const startsAt = startsBySide(this.#info.startsAt, candidate.client);
    const reading: Reading = {
      candidate,
      records: [],
      reader: new ConnectionReader(
        { ...candidate, streamOptions, tapOptions, startsAt, memory },
        this.#sink(candidate, (record) => {
          // A reading without rivals needs no comparison.
          if (this.#readings.length === 1 && this.#readings[0] === reading) this.#options.record(record);
          else reading.records.push(record);
        }),
      ),
    };
    return reading;
  }

  #read(event: StreamEvent): void {
    const [taken] = this.#readings as [Reading, ...Reading[]];
    if (!this.#begun[event.from]) this.#begin(event, taken.candidate);
    if (this.#readings.length === 1) {
      feed(taken.reader, taken.candidate.client, event);
      return;
    }
    for (const { reader, candidate } of this.#readings) feed(reader, candidate.client, event);
    this.#compare();
    this.#emit();
  }

  /** Drops readings that refuse what another one reads. */
  #compare(): void {
    const refuses = ({ records }: Reading): boolean => records.some(({ kind }) => kind === "refused");
    const left = this.#readings.filter((reading) => !refuses(reading));
    const before = this.#readings;
    if (left.length > 0) this.#readings = left;
    this.#messages += (this.#readings[0] as Reading).records.length;
    if (this.#messages >= RIVAL_MESSAGES) this.#readings = this.#readings.slice(0, 1);
    for (const reading of before) if (!this.#readings.includes(reading)) reading.reader.release();
  }

  #emit(): void {
    for (const record of this.#readings[0]?.records ?? []) this.#options.record(record);
    for (const reading of this.#readings) reading.records = [];
  }

  /** The events that were kept. Nothing waits any more. */
  #takeEvents(): readonly StreamEvent[] {
    const events = this.#events;
    for (const trial of this.#trials ?? []) trial.release();
    this.#events = [];
    this.#keptBytes = 0;
    this.#trials = [];
    this.#groups = undefined;
    this.#options.waiting.delete(this);
    this.#options.trying.delete(this);
    return events;
  }

  /** The first bytes of a direction, which may not be the first that its side sent. */
  #begin({ from, stamp }: StreamEvent, candidate: Candidate): void {
    this.#begun[from] = true;
    if (this.#info.startsAt[from]) return;
    const text = "Cannot read stream: the capture does not have the start of this direction";
    const error = new WireError("bad-state", text, 0);
    const side = sideOf(from, this.#client as End);
    this.#options.record(this.#refusedRecord(side, error, new Uint8Array(0), stamp, candidate));
  }

  #giveUp(all: readonly Trial[]): void {
    this.#isUnknown = true;
    this.#identify(this.#info.opener ?? (this.#info.ends[0].port >= this.#info.ends[1].port ? 0 : 1));
    const others = all.map(({ candidate, reason }) => ({ candidate, reason }));
    this.#options.flow({ flow: this.#flow, reading: undefined, fits: [], others });
    const seen = new Set<Side>();
    const reasons = others.map(
      ({ candidate, reason }) => `${nameOf(candidate)}: ${reason.slice(0, REASON_CHARACTERS)}`,
    );
    const text = `Cannot read stream: no protocol fits (${[...new Set(reasons)].join("; ")})`;
    for (const { from, bytes, stamp } of this.#takeEvents()) {
      const side = sideOf(from, this.#client as End);
      if (typeof bytes === "number") this.#options.record(this.#gapRecord(side, bytes, stamp, undefined));
      else if (!seen.has(side)) {
        seen.add(side);
        const error = new WireError("unknown-message", text, 0);
        this.#options.record(this.#refusedRecord(side, error, bytes.subarray(0, SHOWN_BYTES), stamp, undefined));
      }
    }
  }

  #identify(client: End): void {
    this.#client = client;
    const { ends } = this.#info;
    const text = (end: End): string => `${ends[end].address}:${ends[end].port}`;
    this.#flow = `${text(client)}-${text(client === 0 ? 1 : 0)}`;
  }

  #sink(candidate: Candidate, add: (record: CaptureRecord) => void): DirectionSink {
    const { protocol, dialect } = candidate;
    return {
      message: (direction, shown, payload, { time, number }) => {
        const base = { time, packet: number, flow: this.#flow, direction, protocol: protocol.name, dialect };
        add({ kind: "message", ...base, ...shown, payload });
      },
      refused: (direction, error, payload, stamp) =>
        add(this.#refusedRecord(direction, error, payload, stamp, candidate)),
      unread: (direction, error, bytes, stamp) => add(this.#refusedRecord(direction, error, bytes, stamp, candidate)),
      gap: (direction, bytes, stamp) => add(this.#gapRecord(direction, bytes, stamp, candidate)),
    };
  }

  #refusedRecord(
    direction: Side,
    error: WireError,
    bytes: Uint8Array,
    { time, number }: Stamp,
    candidate: Candidate | undefined,
  ): CaptureRecord {
    const { protocol, dialect = null } = candidate ?? {};
    const name = protocol?.name ?? null;
    // The bytes may be a view of the packet.
    const payload = bytes.slice();
    return {
      kind: "refused",
      time,
      packet: number,
      flow: this.#flow,
      direction,
      protocol: name,
      dialect,
      error,
      payload,
    };
  }

  #gapRecord(direction: Side, gap: number, { time, number }: Stamp, candidate: Candidate | undefined): CaptureRecord {
    const { protocol, dialect = null } = candidate ?? {};
    const name = protocol?.name ?? null;
    return { kind: "gap", time, packet: number, flow: this.#flow, direction, protocol: name, dialect, gap };
  }
}

/** `slime-online-2/v0106`, with the carrier where it is not TCP. */
export function nameOf({ protocol, dialect, carrier }: Candidate): string {
  return `${protocol.name}/${dialect}${carrier === "tcp" ? "" : ` over ${carrier}`}`;
}
