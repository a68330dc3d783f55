/**
 * The **captures** of a running server: the bytes of its sessions as pcapng, as they are carried. A capture that is written too slowly
 * misses packets, which are counted; the sessions never wait for it.
 */
import { pcapngInterface, pcapngSection } from "wirewalk/capture";
import type { PlayerId } from "wirewalk/motion";
import type { Clock } from "wirewalk/net";
import type { Side } from "wirewalk/protocol";
import { plainAddress } from "../bans/ban-key.ts";
import { handshakeHeads } from "../http/websocket-handshake.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { DisconnectReason } from "../session/disconnect.ts";
import type { Link, LinkKind, LinkTap } from "../session/links.ts";
import { type CaptureEnds, type CaptureOutput, CaptureWriter } from "./capture-writer.ts";

/** Which sessions are captured. Default of each: all. */
export interface CaptureFilter {
  /** The name of a game. */
  readonly protocol?: string | undefined;
  /** The name of a world. */
  readonly world?: string | undefined;
  readonly carrier?: LinkKind | undefined;
  /** The port of the listener. */
  readonly port?: number | undefined;
  /** The client's address, as `plainAddress` spells it. */
  readonly address?: string | undefined;
  /** A player's number or name: its session is captured from the time it has joined. */
  readonly player?: string | undefined;
}

/** A session, as far as captures need to know it. */
export interface CapturedSession {
  readonly id: number;
  readonly link: Link;
  readonly world: string;
  readonly protocol: string;
  readonly dialect: string;
  readonly room: string | undefined;
  readonly player: PlayerId | undefined;
  /** See `Session.account`. */
  readonly account: string;
}

/** A world over a carrier: an interface of the capture. */
export interface CapturedListener {
  readonly world: string;
  readonly protocol: string;
  readonly dialect: string;
  readonly carrier: LinkKind;
  /** Where it listens, in words. */
  readonly description: string;
  /** The port of the game, which dissectors of Wireshark know. */
  readonly gamePort: number | undefined;
}

export interface SessionCapturesOptions {
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly epochNow: () => number;
  readonly runtime: Runtime;
  readonly sessions: () => Iterable<CapturedSession>;
  readonly listeners: () => readonly CapturedListener[];
  /** Receives a bug in making packets. */
  readonly onError: (error: Error) => void;
}

export interface CaptureRequest {
  readonly filter?: CaptureFilter | undefined;
  /** True to write every TCP session with the port of its game, whatever port the server listens on. */
  readonly hasGamePorts?: boolean | undefined;
  /** Opens what the capture is written to, given the start of each file. */
  readonly open: (head: Uint8Array) => CaptureOutput;
}

/** A capture that is running. */
export interface RunningCapture {
  /** Bytes that are not in the capture, because it could not be written fast enough. */
  readonly missedBytes: number;
  readonly missedPackets: number;
  /** Resolves when all up to now is in the sink, and that is closed. */
  stop(): Promise<void>;
}

/** More captures are refused: each costs processor time for every packet. */
export const MAX_CAPTURES = 4;
/** Bytes that wait to be packed, and bytes that wait for the reader, of each capture. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const NO_ADDRESS = "0.0.0.0";
const SECRETS = "holds what players sent, also the passwords of logins";

export class SessionCaptures {
  readonly #options: SessionCapturesOptions;
  readonly #epochStartMs: number;
  readonly #captures = new Set<Capture>();
  readonly #taps = new Map<number, SessionTap>();
  /** Of captures that are over. */
  #missedBytes = 0;

  constructor(options: SessionCapturesOptions) {
    this.#options = options;
    this.#epochStartMs = options.epochNow() - options.clock.now();
  }

  /** Captures that are running. */
  get size(): number {
    return this.#captures.size;
  }

  /** Bytes that captures have missed since the start. */
  get missedBytes(): number {
    let bytes = this.#missedBytes;
    for (const { missedBytes } of this.#captures) bytes += missedBytes;
    return bytes;
  }

  /** Undefined when too many are running. */
  start({ filter = {}, hasGamePorts = false, open }: CaptureRequest): RunningCapture | undefined {
    if (this.#captures.size >= MAX_CAPTURES) return undefined;
    const { clock, runtime, sessions, listeners, onError } = this.#options;
    const interfaces = listeners();
    const sink = open(headOf(interfaces));
    const writer = new CaptureWriter({ sink, clock, runtime, onError, maxWaitingBytes: MAX_WAITING_BYTES });
    const nowMs = (): number => this.#epochStartMs + clock.now();
    const capture = new Capture({
      filter,
      hasGamePorts,
      interfaces,
      sink,
      writer,
      nowMs,
      ended: () => this.#end(capture),
    });
    this.#captures.add(capture);
    for (const session of sessions()) {
      if (capture.wants(session)) this.#attach(capture, session, false);
    }
    return capture;
  }

  /** A session begins. Call it before any byte is read or written. */
  opened(session: CapturedSession): void {
    for (const capture of this.#captures) if (capture.wants(session)) this.#attach(capture, session, true);
  }

  joined(session: CapturedSession): void {
    if (this.#captures.size === 0) return;
    const tap = this.#taps.get(session.id);
    for (const capture of this.#captures) {
      if (tap?.captures.has(capture)) capture.writer.comment(session.id, `joined as ${playerText(session)}`);
      else if (capture.wants(session)) this.#attach(capture, session, false);
    }
  }

  ended({ id }: Pick<CapturedSession, "id">, reason: DisconnectReason): void {
    const tap = this.#taps.get(id);
    if (tap !== undefined) tap.reason = reason;
  }

  /** The session's connection is closed. */
  gone({ id }: Pick<CapturedSession, "id">): void {
    const tap = this.#taps.get(id);
    if (tap === undefined) return;
    this.#taps.delete(id);
    for (const capture of tap.captures) capture.close(id, tap.reason);
  }

  /** Ends all captures: resolves when what they have is in their sinks. */
  async close(): Promise<void> {
    await Promise.all([...this.#captures].map((capture) => capture.stop()));
  }

  #attach(capture: Capture, session: CapturedSession, isNew: boolean): void {
    let tap = this.#taps.get(session.id);
    if (tap === undefined) {
      tap = new SessionTap(session.id, session.link);
      this.#taps.set(session.id, tap);
    }
    tap.captures.add(capture);
    capture.open(session, isNew);
  }

  #end(capture: Capture): void {
    if (!this.#captures.delete(capture)) return;
    this.#missedBytes += capture.missedBytes;
    for (const [id, tap] of this.#taps) {
      tap.captures.delete(capture);
      if (tap.captures.size > 0) continue;
      tap.release();
      this.#taps.delete(id);
    }
  }
}

interface CaptureSetup {
  readonly filter: CaptureFilter;
  readonly hasGamePorts: boolean;
  readonly interfaces: readonly CapturedListener[];
  readonly sink: CaptureOutput;
  readonly writer: CaptureWriter;
  readonly nowMs: () => number;
  readonly ended: () => void;
}

class Capture implements RunningCapture {
  readonly writer: CaptureWriter;
  readonly #setup: CaptureSetup;
  #isOver = false;

  constructor(setup: CaptureSetup) {
    this.#setup = setup;
    this.writer = setup.writer;
  }

  get missedBytes(): number {
    return this.writer.missedBytes;
  }

  get missedPackets(): number {
    return this.writer.missedPackets;
  }

  wants({ world, protocol, link, player, account }: CapturedSession): boolean {
    const { filter } = this.#setup;
    if (filter.protocol !== undefined && filter.protocol !== protocol) return false;
    if (filter.world !== undefined && filter.world !== world) return false;
    if (filter.carrier !== undefined && filter.carrier !== link.kind) return false;
    if (filter.port !== undefined && filter.port !== link.ends?.server.port) return false;
    if (filter.address !== undefined && plainAddress(link.address) !== filter.address) return false;
    if (filter.player === undefined) return true;
    return player !== undefined && (filter.player === String(player) || filter.player === nameOf(account));
  }

  open(session: CapturedSession, isNew: boolean): void {
    const { interfaces, nowMs } = this.#setup;
    const { id, link, world, protocol, dialect, room, player } = session;
    const timeMs = nowMs();
    const number = interfaces.findIndex((each) => each.world === world && each.carrier === link.kind);
    const place = `${world === protocol ? "" : `, world ${world}`}${room === undefined ? "" : `, room ${room}`}`;
    const who = player === undefined ? "" : `, ${playerText(session)}`;
    const from = isNew ? "" : ", captured from its middle on";
    this.writer.open(id, this.#endsOf(session), timeMs, {
      interfaceNumber: Math.max(0, number),
      comment: `${protocol}/${dialect} over ${link.kind}, session ${id}${place}${who}${from}`,
      isNew,
    });
    if (!isNew || link.handshake === undefined) return;
    const heads = handshakeHeads(link.handshake);
    this.writer.bytes(id, "client", heads.client, timeMs);
    this.writer.bytes(id, "server", heads.server, timeMs);
  }

  bytes(id: number, sender: Side, bytes: Uint8Array): void {
    this.writer.bytes(id, sender, bytes, this.#setup.nowMs());
  }

  close(id: number, reason: DisconnectReason | undefined): void {
    const timeMs = this.#setup.nowMs();
    if (reason !== undefined) this.writer.comment(id, `the session ended: ${reason}`);
    if (reason === "peer-error") this.writer.reset(id, "client", timeMs);
    else {
      const first: Side = reason === "peer-closed" ? "client" : "server";
      this.writer.end(id, first, timeMs);
      this.writer.end(id, first === "client" ? "server" : "client", timeMs);
    }
    this.writer.closed(id);
  }

  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const { interfaces, sink, nowMs, ended } = this.#setup;
    ended();
    await this.writer.idle();
    for (const number of interfaces.keys()) sink.write(this.writer.statistics(number, nowMs()));
    await sink.close();
  }

  #endsOf({ id, link, protocol }: CapturedSession): CaptureEnds {
    const { hasGamePorts, interfaces } = this.#setup;
    const { client, server } = link.ends ?? {
      client: { address: link.address, port: id & 0xffff },
      server: { address: NO_ADDRESS, port: 0 },
    };
    const game = interfaces.find((each) => each.protocol === protocol);
    const port = (hasGamePorts && link.kind === "tcp" ? game?.gamePort : undefined) ?? server.port;
    return {
      client: { address: ipOf(client.address), port: client.port },
      server: { address: ipOf(server.address), port },
    };
  }
}

/** Shows the bytes of one session to its captures. */
class SessionTap implements LinkTap {
  readonly captures = new Set<Capture>();
  reason: DisconnectReason | undefined;
  readonly #id: number;
  readonly #link: Link;

  constructor(id: number, link: Link) {
    this.#id = id;
    this.#link = link;
    link.tap?.(this);
  }

  received(bytes: Uint8Array): void {
    this.#add("client", bytes);
  }

  sent(bytes: Uint8Array): void {
    this.#add("server", bytes);
  }

  release(): void {
    this.#link.tap?.(undefined);
  }

  #add(sender: Side, bytes: Uint8Array): void {
    // A copy: buffers of sockets and of broadcasts are used again.
    const copy = new Uint8Array(bytes);
    for (const capture of this.captures) capture.bytes(this.#id, sender, copy);
  }
}

function headOf(listeners: readonly CapturedListener[]): Uint8Array {
  const comment = `Sessions of a wirewalk server. This file ${SECRETS}. Headers below TCP are made up.`;
  const interfaces = listeners.map(({ world, protocol, dialect, carrier, description }) =>
    pcapngInterface({
      name: `${protocol}/${dialect} ${carrier}`,
      description: world === protocol ? description : `world ${world}: ${description}`,
    }),
  );
  return Buffer.concat([pcapngSection({ application: "wirewalk capture", comment }), ...interfaces]);
}

function playerText({ player, account }: Pick<CapturedSession, "player" | "account">): string {
  return `player ${player} (${nameOf(account) ?? account})`;
}

/** The name in an account: of a login, or that a client claims. Undefined without one. */
function nameOf(account: string): string | undefined {
  return /^login:(.*)$/s.exec(account)?.[1] ?? /^address:\S+ (.*)$/s.exec(account)?.[1];
}

function ipOf(address: string): string {
  return plainAddress(address) ?? NO_ADDRESS;
}
