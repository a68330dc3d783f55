/** A broker and nodes as processes of this machine, which can be killed and started again: for measurements. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findNatsServer, type RunningNats, startNatsServer } from "@wirewalk/nats";
import type { ClusterRole } from "@wirewalk/server";
import { freeQuietPort } from "./free-port.ts";

const command = fileURLToPath(new URL("../../packages/cli/bin/wirewalk.js", import.meta.url));
/** A node that does not end by itself after SIGTERM is killed. */
const STOP_MS = 12_000;

export interface NodePlan {
  readonly name: string;
  /** None: a server without a cluster. */
  readonly roles: readonly ClusterRole[];
}

export interface RunningNode extends NodePlan {
  readonly process: ChildProcess;
  /** Port of HTTP and WebSocket. */
  readonly http: number;
}

export interface TestClusterOptions {
  readonly plans: readonly NodePlan[];
  readonly leaseMs: number;
  /** Flags of every node. */
  readonly flags: readonly string[];
}

interface LogLine {
  readonly level?: number;
  readonly msg?: string;
  readonly http?: { readonly port: number };
}

export class TestCluster {
  readonly nodes = new Map<string, RunningNode>();
  readonly #options: TestClusterOptions;
  readonly #folders: string[] = [];
  readonly #children: ChildProcess[] = [];
  #broker: RunningNats | undefined;
  #url = "";
  #isStopping = false;

  constructor(options: TestClusterOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#url;
  }

  /** Starts a broker that knows nothing, at the port of the one before if there was one. */
  async startBroker(): Promise<void> {
    const program = findNatsServer();
    if (program === undefined)
      throw new Error("nats-server is missing: install it, or name the program in NATS_SERVER");
    const folder = mkdtempSync(join(tmpdir(), "wirewalk-broker-"));
    this.#folders.push(folder);
    const port = this.#url === "" ? {} : { port: Number(new URL(this.#url).port) };
    this.#broker = await startNatsServer({ program, folder, ...port });
    this.#url = this.#broker.url;
  }

  get brokerPid(): number {
    return this.#broker?.pid ?? 0;
  }

  /** Processor time of each node and of the broker so far, in milliseconds (Linux). */
  processorMs(): Readonly<Record<string, number>> {
    const pids: [string, number][] = [...this.nodes.values()].map(({ name, process: child }) => [name, child.pid ?? 0]);
    pids.push(["broker", this.#broker?.pid ?? 0]);
    return Object.fromEntries(
      pids.map(([name, pid]) => {
        const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
        // Ticks of 10 ms: fields 14 and 15 of the line.
        return [name, 10 * (Number(fields[11]) + Number(fields[12]))];
      }),
    );
  }

  killBroker(): void {
    if (this.#broker !== undefined) process.kill(this.#broker.pid, "SIGKILL");
  }

  async startAll(): Promise<void> {
    await Promise.all(this.#options.plans.map(({ name }) => this.start(name)));
  }

  /** Starts a node, at its port of before if it had one. Resolves when it listens. */
  async start(name: string): Promise<RunningNode> {
    const plan = this.#options.plans.find((each) => each.name === name);
    if (plan === undefined) throw new RangeError(`There is no node ${name}`);
    const { leaseMs, flags } = this.#options;
    const http = this.nodes.get(name)?.http ?? (await freeQuietPort());
    const member = ["--nats", this.#url, "--node", name, "--lease-ms", String(leaseMs)];
    const own = ["--http", String(http), ...(plan.roles.length === 0 ? [] : member)];
    const roles = plan.roles.flatMap((role) => ["--role", role]);
    const child = spawn(process.execPath, [command, "serve", ...own, ...roles, ...flags, "--log-level", "info"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#children.push(child);
    const port = await new Promise<number>((resolve, reject) => {
      child.once("exit", (code, signal) => reject(new Error(`node ${name} ended with ${signal ?? `code ${code}`}`)));
      createInterface(child.stderr as NodeJS.ReadableStream).on("line", (line) => {
        const entry = parseLine(line);
        if (entry === undefined || ((entry.level ?? 0) >= 50 && !this.#isStopping)) console.error(`${name}: ${line}`);
        if (entry?.msg === "listening" && entry.http !== undefined) resolve(entry.http.port);
      });
    });
    const node = { ...plan, process: child, http: port };
    this.nodes.set(name, node);
    return node;
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.nodes.get(name)?.process.kill(signal);
  }

  async ended(name: string): Promise<void> {
    await exitOf(this.nodes.get(name)?.process);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const all = this.#children;
    for (const child of all) child.kill("SIGCONT");
    for (const child of all) child.kill("SIGTERM");
    const timer = setTimeout(() => {
      for (const child of all) child.kill("SIGKILL");
    }, STOP_MS);
    await Promise.all(all.map(exitOf));
    clearTimeout(timer);
    await this.#broker?.stop();
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

async function exitOf(child: ChildProcess | undefined): Promise<void> {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

function parseLine(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}
