/**
 * The **server under test**: the server's own code in a simulated process, with a store on a simulated disk. It is killed,
 * restarted, stalled and given a wrong clock; what must outlive that is checked after each start.
 */
import { pino } from "pino";
import type { PlayerId } from "wirewalk/motion";
import { createRandom, type Random } from "wirewalk/motion";
import type { VirtualClock } from "wirewalk/net";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import type { Ban } from "../../bans/bans.ts";
import { Server } from "../../server.ts";
import type { ServerOptions } from "../../server-options.ts";
import type { DisconnectReason } from "../../session/disconnect.ts";
import type { Link } from "../../session/links.ts";
import { Session } from "../../session/session.ts";
import { DeliveryCheck } from "./delivery-check.ts";
import { SimulatedDisk, simulatedStore } from "./disk.ts";
import type { Findings } from "./findings.ts";
import type { Plan } from "./plan.ts";
import { ProcessKilled, SimulatedProcess } from "./process.ts";
import { WatchedWorld, type WorldWatcher } from "./watched-world.ts";

/** The epoch at the start of every episode. */
const EPOCH_MS = Date.UTC(2025, 0, 1);
/** An operation on a slow disk takes so long. */
const SLOW_DISK_MS = 400;
const CRYSTAL = 0.0001;
/** Queues that a player fills which stops reading for some seconds. */
const SHORT_QUEUES = { queuedBytesSoft: 4 * 1024, queuedBytesHard: 64 * 1024, slowReaderMs: 8_000 };
/** A ban is seen so much later than it was made, at most. */
const BAN_SLACK_MS = 10_000;
/** The server follows a jump of the wall clock within this. */
const JUMP_NOTED_MS = 3_000;
/** Longer than any `flushMs` of a plan. */
const LAST_FLUSH_MS = 100;
/** A write that failed is repeated within this. */
const WRITE_AGAIN_MS = 3_000;

/** What the server tells about its sessions. */
export interface ServerWatcher {
  joined(link: Link, player: PlayerId): void;
  ended(link: Link, reason: DisconnectReason): void;
}

class WatchedServer extends Server {
  readonly #process: SimulatedProcess;
  readonly #watcher: ServerWatcher;

  constructor(options: ServerOptions, process: SimulatedProcess, watcher: ServerWatcher) {
    super(options, process.runtime);
    this.#process = process;
    this.#watcher = watcher;
  }

  override joined(session: Session, player: PlayerId): void {
    super.joined(session, player);
    if (this.#process.isAlive) this.#watcher.joined(session.link, player);
  }

  override ended(session: Parameters<Server["ended"]>[0], reason: DisconnectReason, detail: string | undefined): void {
    super.ended(session, reason, detail);
    // What a killed process still does on its way out of a call, nobody sees.
    if (session instanceof Session && this.#process.isAlive) this.#watcher.ended(session.link, reason);
  }
}

/** A server and what belongs to its process. */
export interface Incarnation {
  readonly server: Server;
  readonly process: SimulatedProcess;
  readonly delivery: DeliveryCheck;
  readonly world: () => WatchedWorld | undefined;
}

export interface ServerUnderTestOptions {
  readonly plan: Plan;
  readonly base: VirtualClock;
  /** Changes what is sent to players: for tests of the checks. */
  readonly alter?: ((payload: Uint8Array, count: number) => Uint8Array) | undefined;
  readonly findings: Findings;
  readonly watcher: ServerWatcher;
  readonly worldWatcher: Pick<WorldWatcher, "effects">;
  /** The process is gone. */
  readonly died: () => void;
}

export class ServerUnderTest {
  readonly disk: SimulatedDisk;
  readonly #options: ServerUnderTestOptions;
  readonly #random: Random;
  readonly #rate: number;
  #running: Incarnation | undefined;
  /** Bans that the server has reported, by protocol and account, and whether its store took them. */
  readonly #bans = new Map<string, { readonly endsMs: number; kept: boolean }>();
  /** How far the machine's wall clock is off, and since when it is so. */
  #epochOffMs = 0;
  #jumpedMs = Number.NEGATIVE_INFINITY;
  #startedRight = true;
  #crashInStore: "before-write" | "before-sync" | "after-sync" | undefined;

  constructor(options: ServerUnderTestOptions) {
    this.#options = options;
    this.#random = createRandom(options.plan.seed).fork();
    this.#rate = 1 + (this.#random.next() * 2 - 1) * CRYSTAL;
    this.disk = new SimulatedDisk(this.#random.fork(), () => options.base.now());
    this.disk.interrupt = (where) => {
      if (where !== this.#crashInStore) return;
      this.#crashInStore = undefined;
      options.findings.mark("crash in the store");
      this.#kill(true);
      throw new ProcessKilled();
    };
    this.disk.onFailed = () => options.findings.mark("store failed");
    this.disk.onSlow = () => this.#running?.process.stall(SLOW_DISK_MS);
  }

  /** Undefined while the server is down. */
  get running(): Incarnation | undefined {
    return this.#running;
  }

  start(): void {
    const { plan, base, findings, watcher, worldWatcher } = this.#options;
    const process = new SimulatedProcess(base, this.#random.fork(), this.#rate);
    const protocol = protocols[plan.game] as PlayableProtocol;
    const delivery = new DeliveryCheck((player) => server.worlds[0]?.host.isLagging(player) === true);
    const codec = delivery.watch(protocol.codec(plan.dialect), this.#options.alter);
    let world: WatchedWorld | undefined;
    const watched: PlayableProtocol = {
      ...protocol,
      codec: () => codec,
      openChannel: protocol.openChannel,
      createWorld: (options) => {
        world = new WatchedWorld({
          create: (each) => protocol.createWorld(each),
          options,
          codec: protocol.codec(plan.dialect),
          watcher: {
            effects: (effects, sender, seenAt) => {
              delivery.taken(effects);
              worldWatcher.effects(effects, sender, seenAt);
            },
            refreshed: (player) => {
              findings.mark("player refreshed");
              delivery.refreshed(player);
            },
            left: (player) => delivery.left(player),
            broken: (check, detail) => findings.add(check, detail),
          },
        });
        return world;
      },
    };
    const server = new WatchedServer(
      {
        listeners: [{ protocol: watched, dialect: plan.dialect, maps: plan.maps }],
        clock: process.clock,
        epochNow: () => this.#epochNow(),
        store: simulatedStore(this.disk),
        seed: plan.seed,
        flushMs: plan.flushMs,
        budgets: plan.shortQueues ? SHORT_QUEUES : {},
        demo: true,
        banLoopback: true,
        logger: this.#logger(process),
      },
      process,
      watcher,
    );
    void server.listen();
    this.#startedRight = this.#epochOffMs === 0;
    this.#running = { server, process, delivery, world: () => world };
    this.#checkBans("after a start");
  }

  /** Ends the process: without warning, or because the power failed. */
  kill(power: boolean): void {
    this.noteBans();
    this.#kill(power);
  }

  /** In the middle of a write nobody asks for the bans: one that is being written may be there or not. */
  #kill(power: boolean): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#over(running);
    if (power && this.disk.crash()) this.#options.findings.mark("write lost or torn by a crash");
    this.#options.findings.mark("crash");
    this.#options.died();
  }

  /** Kills the process when its store next does this; never with `undefined`. */
  crashInStore(where: "before-write" | "before-sync" | "after-sync" | undefined): void {
    this.#crashInStore = where;
  }

  /** Closes the server as an operator does; `closed` follows when its process has ended. */
  stop(graceMs: number, closed: () => void): void {
    const running = this.#running;
    if (running === undefined) return;
    this.noteBans();
    if (running.server.stats().sessions > 0) this.#options.findings.mark("restart with sessions");
    const { process } = running;
    process.settled = true;
    const end = (): void => {
      if (!process.isAlive) return;
      if (process.isStalled) {
        this.#options.base.after(LAST_FLUSH_MS, end);
        return;
      }
      if (process.timers > 0) {
        this.#options.findings.add("close", `${process.timers} timers are left after the server was closed`);
      }
      this.#over(running);
      this.#options.died();
      closed();
    };
    // A flush that was planned may still come; it writes to nobody.
    void running.server.close({ graceMs }).then(() => this.#options.base.after(LAST_FLUSH_MS, end));
  }

  /** The wall clock is wrong by so much more. */
  jump(byMs: number): void {
    this.#epochOffMs += byMs;
    this.#jumpedMs = this.#options.base.now();
  }

  #over({ process }: Incarnation): void {
    process.kill();
    this.#running = undefined;
    // What only the memory held is gone, and so is what a ban's start is by the right clock, if that was wrong.
    const isClockSure = this.#epochOffMs === 0 && this.#options.base.now() - this.#jumpedMs > JUMP_NOTED_MS;
    for (const [key, ban] of this.#bans) if (!ban.kept || !isClockSure) this.#bans.delete(key);
  }

  /** Takes up the bans that were made since the last call, and holds the server to those before. */
  noteBans(): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#checkBans("while it runs");
    for (const ban of running.server.bans.list()) {
      const key = keyOf(ban);
      const known = this.#bans.get(key);
      if (known !== undefined) continue;
      // Writes that failed are repeated; until then a crash loses the ban.
      const kept = this.#options.base.now() - this.disk.failedMs > WRITE_AGAIN_MS;
      this.#bans.set(key, { endsMs: this.#options.base.now() + ban.durationMs - BAN_SLACK_MS, kept });
      this.#options.findings.mark("ban made");
    }
  }

  #checkBans(when: string): void {
    const server = this.#running?.server;
    if (server === undefined) return;
    const listed = new Set(server.bans.list().map(keyOf));
    for (const [key, ban] of this.#bans) {
      if (ban.endsMs <= this.#options.base.now()) continue;
      if (listed.has(key)) {
        if (when === "after a start") this.#options.findings.mark("ban in force after a restart");
        continue;
      }
      // A server that starts with a wrong clock may take a ban for over. Later jumps change nothing.
      if (this.#startedRight) this.#options.findings.add("lost ban", `${key} is not in force ${when}`);
    }
  }

  #epochNow(): number {
    return EPOCH_MS + Math.round(this.#options.base.now()) + this.#epochOffMs;
  }

  /** Errors in the log are findings: a world or a session failed. */
  #logger(process: SimulatedProcess) {
    const write = (line: string): void => {
      if (!process.isAlive) return;
      const { msg, err, problem } = JSON.parse(line) as ErrorLine;
      const reason = err?.message ?? problem ?? "";
      // The disk's own faults.
      if (/ENOSPC|EIO/.test(reason)) return;
      this.#options.findings.add("error log", `${msg}: ${err?.stack ?? reason}`);
    };
    return pino({ level: "error" }, { write });
  }
}

/** What the simulation reads of a line of the log: an error, or the reason for which the store was unavailable. */
interface ErrorLine {
  readonly msg: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly problem?: string;
}

function keyOf({ protocol, key }: Ban): string {
  return `${protocol}/${key}`;
}
