/**
 * An **episode**: the server's own code, real clients and their bots, played in one process on a virtual clock, with faults.
 * Everything follows from the plan: equal plans give equal episodes, finding for finding.
 */
import { createRandom, type PlayerId } from "wirewalk/motion";
import { VirtualClock } from "wirewalk/net";
import type { Effect } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { suiteOptions } from "../../../../wirewalk/src/protocols/testing/suite-options.ts";
import type { DisconnectReason } from "../../session/disconnect.ts";
import type { Link } from "../../session/links.ts";
import { openCrowd } from "./crowd.ts";
import { type Finding, Findings, type Mark } from "./findings.ts";
import type { LineName } from "./network.ts";
import type { Fault, Plan } from "./plan.ts";
import { SimulatedPlayer } from "./players.ts";
import { ServerUnderTest } from "./server-under-test.ts";
import { brief, effectOfRefused, type SeenAt } from "./watched-world.ts";

/** How often the slow checks are made. */
const SWEEP_MS = 1_000;
/** Promises that settle without the process's knowledge go on at least this often. */
const SETTLE_MS = 100;
/**
 * A server that died is started again after so long. With the longest wait of a client that tries again it is shorter than the
 * quiet end of a short episode, in which everybody has to come back.
 */
const RESTART_MS = 1_000;
/** How long a busy processor does something else at a time. */
const BUSY_MS = 15;
/** Beyond the hard limit a session may hold what one delivery writes. */
const ONE_DELIVERY_BYTES = 256 * 1024;

export interface EpisodeResult {
  readonly findings: readonly Finding[];
  /** Findings by check, also those that were not kept. */
  readonly counts: ReadonlyMap<string, number>;
  readonly marks: ReadonlyMap<Mark, number>;
  /** Time that players were connected, in hours. */
  readonly playerHours: number;
  readonly messages: number;
  /** 32 bits of everything that players received: equal for equal plans. */
  readonly digest: number;
}

/** For tests of the checks: what is made wrong on purpose. */
export interface Sabotage {
  /** Changes what the server sends to players; `count` counts payloads. */
  readonly alter?: (payload: Uint8Array, count: number) => Uint8Array;
  /** The disk says that everything is durable, and nothing is. */
  readonly lyingDisk?: boolean;
}

/** Plays the plan. Whatever throws is a finding. */
export function playEpisode(plan: Plan, sabotage: Sabotage = {}): Promise<EpisodeResult> {
  return new Episode(plan, sabotage).play();
}

class Episode {
  readonly #plan: Plan;
  readonly #base = new VirtualClock();
  readonly #findings = new Findings(() => this.#base.now());
  readonly #server: ServerUnderTest;
  readonly #players: readonly SimulatedPlayer[];
  readonly #hasLogin: boolean;
  readonly #byLink = new Map<Link, SimulatedPlayer>();
  readonly #byPlayer = new Map<PlayerId, SimulatedPlayer>();
  #connectedMs = 0;
  #crashAfterAwaits: number | undefined;
  #digest = 0;

  constructor(plan: Plan, sabotage: Sabotage) {
    this.#plan = plan;
    const findings = this.#findings;
    this.#hasLogin = protocols[plan.game]?.capabilities?.login?.admission(plan.dialect) !== undefined;
    this.#server = new ServerUnderTest({
      plan,
      base: this.#base,
      alter: sabotage.alter,
      findings,
      watcher: {
        joined: (link, player) => this.#joined(link, player),
        ended: (link, reason) => this.#ended(link, reason),
      },
      worldWatcher: { effects: (...given) => this.#effects(...given) },
      died: () => this.#serverDied(),
    });
    this.#server.disk.isLying = sabotage.lyingDisk ?? false;
    this.#players = plan.players.map(
      (player) =>
        new SimulatedPlayer({ plan: player, episode: plan, base: this.#base, server: this.#server, findings }),
    );
  }

  async play(): Promise<EpisodeResult> {
    try {
      await this.#play();
    } catch (error) {
      this.#findings.add("exception", (error instanceof Error && error.stack) || String(error));
    }
    const messages = this.#players.reduce((sum, player) => sum + player.messagesIn, 0);
    return {
      findings: this.#findings.kept,
      counts: this.#findings.counts,
      marks: this.#findings.marks,
      playerHours: this.#connectedMs / 3_600_000,
      messages,
      digest: this.#digest,
    };
  }

  async #play(): Promise<void> {
    this.#server.start();
    for (const fault of this.#plan.faults) this.#base.after(fault.atMs, () => this.#strike(fault));
    this.#base.after(this.#plan.durationMs - this.#plan.quietMs, () => this.#endCrashes());
    this.#base.every(SWEEP_MS, () => this.#sweep());
    await this.#playUntil(this.#plan.durationMs);
    this.#checkRecovery();
    await this.#end();
  }

  /** Makes all calls up to this time; after those of one moment promises go on, if any may have been settled. */
  async #playUntil(endMs: number): Promise<void> {
    const base = this.#base;
    let settledMs = base.now();
    for (let next = base.nextMs; next !== undefined && next <= endMs; next = base.nextMs) {
      base.advanceTo(next);
      const process = this.#server.running?.process;
      if (process?.settled === true || next - settledMs >= SETTLE_MS) {
        if (process?.settled === true) {
          process.settled = false;
          await this.#crashInAwait();
        }
        settledMs = next;
        await new Promise<void>((resolve) => void setImmediate(resolve));
      }
    }
    base.advanceTo(endMs);
  }

  /** Kills the process after some of the promises that may go on have done so. */
  async #crashInAwait(): Promise<void> {
    const awaits = this.#crashAfterAwaits;
    if (awaits === undefined) return;
    this.#crashAfterAwaits = undefined;
    for (let count = 0; count < awaits; count += 1) await undefined;
    if (this.#server.running === undefined) return;
    this.#server.kill(false);
    this.#findings.mark("crash in an await");
  }

  /** The process gets a quarter of a processor until then. */
  #busy(untilMs: number): void {
    if (this.#base.now() >= untilMs) return;
    this.#server.running?.process.stall(BUSY_MS);
    this.#base.after(BUSY_MS + BUSY_MS / 3, () => this.#busy(untilMs));
  }

  #strike(fault: Fault): void {
    const server = this.#server;
    switch (fault.fault) {
      case "stall":
        if (fault.durationMs > 1_000) this.#findings.mark("stall over 1 s");
        server.running?.process.stall(fault.durationMs);
        break;
      case "busy":
        this.#busy(this.#base.now() + fault.durationMs);
        break;
      case "crash-in-await":
        this.#crashAfterAwaits = fault.awaits;
        break;
      case "crash":
        server.kill(fault.power);
        this.#base.after(fault.downMs, () => this.#start());
        break;
      case "crash-in-store":
        server.crashInStore(fault.where);
        break;
      case "restart":
        server.stop(fault.graceMs, () => this.#base.after(fault.downMs, () => this.#start()));
        break;
      case "clock-jump":
        this.#findings.mark("clock jump");
        server.jump(fault.byMs);
        this.#base.after(fault.durationMs, () => server.jump(-fault.byMs));
        break;
      case "disk":
        server.disk.fault = fault.how;
        this.#base.after(fault.durationMs, () => {
          server.disk.fault = undefined;
        });
        break;
      case "partition": {
        const random = createRandom(fault.seed);
        this.#findings.mark("partition");
        for (const player of this.#players) if (random.chance(fault.share)) player.block(fault.durationMs);
        break;
      }
      case "crowd":
        openCrowd(this.#base, server.running, this.#plan.game, fault);
        break;
      default:
        this.#strikePlayer(fault);
    }
  }

  #strikePlayer(fault: Extract<Fault, { readonly player: number }>): void {
    const player = this.#players.find(({ plan }) => plan.number === fault.player);
    const connection = player?.connection;
    if (player === undefined || connection === undefined || !player.isConnected) return;
    switch (fault.fault) {
      case "reset":
        this.#findings.mark("reset");
        connection.reset();
        break;
      case "half-close":
        this.#findings.mark("half-close");
        connection.halfClose();
        break;
      case "vanish":
        this.#findings.mark("player vanished");
        player.hasVanished = true;
        connection.vanish();
        break;
      case "leave":
        player.run?.stop("left");
        break;
      case "stop-reading":
        connection.stopReading(this.#base.now() + fault.durationMs);
        break;
      case "garbage": {
        const random = createRandom(fault.seed);
        player.isDisturbed = true;
        connection.transport.send(Uint8Array.from({ length: fault.bytes }, () => random.integer(0, 255)));
      }
    }
  }

  #start(): void {
    if (this.#server.running === undefined) this.#server.start();
  }

  #serverDied(): void {
    for (const player of this.#players) player.connection?.serverDied();
    this.#byLink.clear();
    this.#byPlayer.clear();
    // Whatever killed it, somebody starts it again.
    this.#base.after(RESTART_MS, () => this.#start());
  }

  #joined(link: Link, player: PlayerId): void {
    const running = this.#server.running;
    const owner = this.#players.find(({ connection }) => connection?.link === link);
    if (owner === undefined || running === undefined) return;
    this.#byLink.set(link, owner);
    this.#byPlayer.set(player, owner);
    owner.player = player;
    if (this.#hasLogin) this.#findings.mark("login checked");
    owner.expected = running.delivery.of(player);
  }

  #ended(link: Link, reason: DisconnectReason): void {
    const owner = this.#players.find(({ connection }) => connection?.link === link);
    this.#byLink.delete(link);
    if (reason === "evicted") this.#findings.mark("silent connection evicted");
    // Of an earlier connection, of which its owner knows nothing any more.
    if (reason === "taken-over") this.#findings.mark("login taken over");
    if (owner === undefined) return;
    if (owner.player !== undefined && this.#byPlayer.get(owner.player) === owner) this.#byPlayer.delete(owner.player);
    const findings = this.#findings;
    switch (reason) {
      case "slow-reader":
        findings.mark("slow reader disconnected");
        owner.wasSlow = true;
        break;
      case "broken-stream":
      case "bad-payloads":
        findings.mark("garbage ends a session");
        if (!owner.isDisturbed) findings.add("honest end", `player ${owner.plan.number}: ${reason}`);
        break;
      case "byte-rate":
      case "message-rate":
        findings.mark("budget exceeded");
        if (owner.isPromised) findings.add("honest end", `player ${owner.plan.number}: ${reason}`);
        break;
      case "refused-banned":
      case "banned":
        findings.mark("banned player refused");
        if (owner.isHonest) findings.add("honest end", `player ${owner.plan.number}: ${reason}`);
        break;
      case "refused-wrong-password":
      case "refused-no-account":
        findings.add("lost account", `player ${owner.plan.number}: ${reason}`);
        break;
      case "refused-already-online":
      case "taken-over":
        // Nobody else has its login.
        findings.add("honest end", `player ${owner.plan.number}: ${reason}`);
        break;
      case "world-error":
        // A store that fails refuses logins.
        if (this.#server.disk.fault === undefined) findings.add("world error", `player ${owner.plan.number}`);
        break;
      case "unfinished-frame":
      case "login-time":
      case "idle":
        if (owner.isPromised && owner.plan.line !== "narrow")
          findings.add("honest end", `player ${owner.plan.number}: ${reason}`);
    }
  }

  #effects(effects: readonly Effect[], sender: PlayerId | undefined, seenAt: SeenAt): void {
    if (sender !== undefined) {
      const { stoodAt } = suiteOptions[this.#plan.game] ?? {};
      const wrong = effectOfRefused(effects, sender, (message) => {
        const stood = stoodAt?.(message);
        if (stood === undefined) return false;
        const seen = seenAt(sender);
        return stood.x === seen?.x && stood.y === seen.y;
      });
      if (wrong !== undefined) this.#findings.add("effect of a refused message", wrong);
    }
    for (const effect of effects) {
      if (effect.effect === "verdict") {
        const { verdict } = effect;
        if (verdict.kind === "accept" || verdict.kind === "benign") continue;
        if (verdict.kind === "reject") this.#findings.mark("message refused");
        if (verdict.kind === "correct") this.#findings.mark("client corrected");
        const owner = this.#byPlayer.get(verdict.player);
        if (owner === undefined) continue;
        if (!owner.isHonest) this.#findings.mark("verdict of a cheat");
        // Messages of a connection that its client has left are later than promised. Until the server notices that, its
        // character is in use.
        else if (
          owner.player === verdict.player &&
          owner.isPromised &&
          !(owner.hasVanished && verdict.rule === "character-online")
        ) {
          this.#findings.add(`honest ${verdict.kind} ${verdict.rule}`, `${brief(verdict)}, line ${owner.plan.line}`);
        }
      } else if (effect.effect === "ban") {
        const owner = this.#byPlayer.get(effect.player);
        if (owner?.isHonest === true) this.#findings.add("honest ban", `player ${owner.plan.number}: ${effect.reason}`);
      }
    }
  }

  #sweep(): void {
    const running = this.#server.running;
    for (const player of this.#players) if (player.isConnected) this.#connectedMs += SWEEP_MS;
    if (running === undefined || running.process.isStalled) return;
    this.#server.noteBans();
    const { queuedBytesHard } = running.server.budgets;
    const limit = queuedBytesHard + ONE_DELIVERY_BYTES;
    for (const { connection, player, plan } of this.#players) {
      if (connection === undefined) continue;
      const { queuedBytes } = connection.link;
      if (queuedBytes > limit) this.#findings.add("memory", `player ${plan.number} has ${queuedBytes} bytes queued`);
      if (player !== undefined && running.server.worlds[0]?.host.isLagging(player) === true) {
        this.#findings.mark("player behind");
      }
    }
    const { players, sessions } = running.server.stats();
    if (players > sessions) this.#findings.add("ghosts", `${players} players in ${sessions} sessions`);
  }

  /** No more crashes that wait for their moment. */
  #endCrashes(): void {
    this.#server.crashInStore(undefined);
    this.#crashAfterAwaits = undefined;
  }

  /**
   * Every honest player is back after a quiet time. On a line with losses a login may take longer than that, and one that is too narrow for
   * what its room says is disconnected over and over.
   */
  #checkRecovery(): void {
    if (this.#plan.quietMs === 0) return;
    for (const player of this.#players) {
      if (!player.isHonest || player.hasVanished || isLossy(player.plan.line)) continue;
      if (player.plan.line === "narrow" && player.wasSlow) continue;
      if (this.#plan.durationMs < this.#plan.quietMs + player.plan.startMs) continue;
      if (!player.isConnected || player.player === undefined) {
        this.#findings.add("recovery", `player ${player.plan.number} is not in the world at the end`);
      }
    }
  }

  async #end(): Promise<void> {
    for (const { expected, messagesIn } of this.#players) {
      this.#digest = (Math.imul(this.#digest, 31) + (expected?.digest ?? 0) + messagesIn) >>> 0;
    }
    const running = this.#server.running;
    const world = running?.world();
    world?.finish();
    if (world !== undefined && world.replays > 0) this.#findings.mark("world replayed");
    for (const player of this.#players) player.stop();
    await this.#playUntil(this.#base.now() + 5_000);
    const last = this.#server.running;
    if (last === undefined) {
      this.#findings.add("recovery", "the server does not run at the end");
      return;
    }
    let closed = false;
    this.#server.stop(1_000, () => {
      closed = true;
    });
    await this.#playUntil(this.#base.now() + 3_000);
    if (!closed) this.#findings.add("close", "the server does not close");
    last.process.kill();
  }
}

function isLossy(line: LineName): boolean {
  return line === "loss" || line === "stalls";
}
