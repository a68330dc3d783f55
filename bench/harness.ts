/**
 * What benchmarks share: contestants in processes of their own, taking turns, and the processor time of what they do. What a
 * benchmark finds is a `Report`.
 */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, availableParallelism, cpus, tmpdir, type } from "node:os";
import { join } from "node:path";
import type { Report } from "./report.ts";
import type { Circumstances } from "./results.ts";

/** What a benchmark is given from the command line. */
export interface BenchmarkOptions {
  /** A folder with the sources of Kaitai's Java runtime. */
  readonly kaitaiJava?: string | undefined;
}

export interface Benchmark {
  /** In one line, for the list. */
  readonly summary: string;
  /** `quick` shows that it works; its numbers mean little. */
  run(quick: boolean, options?: BenchmarkOptions): Promise<Report>;
}

/** The rounds of a benchmark whose numbers are kept. */
export const ROUNDS = 9;

/** Where and how something is measured now. */
export function circumstances(isQuick: boolean, hasNeighbour: boolean): Circumstances {
  return {
    machine: `${cpus()[0]?.model.trim() ?? "unknown CPU"}, ${availableParallelism()} cores`,
    system: `${type()} ${arch()}`,
    node: process.version,
    v8: process.versions.v8,
    commit: commit(),
    day: new Date().toISOString().slice(0, 10),
    isQuick,
    hasNeighbour,
  };
}

/** The commit of the sources, with `+` when files were changed since. */
function commit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return (
      git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+")
    );
  } catch {
    return "";
  }
}

/** A package's name with its version: `kaitai-struct 0.11.0`. `missing` where it is not installed. */
export function versionOf(name: string): string {
  try {
    const file = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return `${name} ${(JSON.parse(readFileSync(file, "utf8")) as { version: string }).version}`;
  } catch {
    return `${name}, missing`;
  }
}

/**
 * Nanoseconds of the processor that this thread took, to the microsecond: other processes do not lengthen it. Node 22 has no
 * such clock, there it is the wall's.
 */
export function threadNs(): number {
  const { threadCpuUsage }: Partial<Pick<NodeJS.Process, "threadCpuUsage">> = process;
  if (threadCpuUsage === undefined) return Number(process.hrtime.bigint());
  // QUIRK: Linux brings a thread's time up to date only at its scheduler's ticks, every 1 to 4 ms, and when the time of the
  // whole process is asked for.
  process.cpuUsage();
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) * 1000;
}

/**
 * Lets the contestants take turns, one at a time, in an order that turns with every round: what slows the machine for
 * a while slows them all. Gives every contestant's results in the order of the rounds.
 */
export async function interleaved<C, R>(
  contestants: readonly C[],
  rounds: number,
  run: (contestant: C, round: number) => Promise<R>,
): Promise<ReadonlyMap<C, readonly R[]>> {
  const results = new Map<C, R[]>(contestants.map((contestant) => [contestant, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contestants.length; turn += 1) {
      const contestant = contestants[(turn + round) % contestants.length] as C;
      results.get(contestant)?.push(await run(contestant, round));
    }
  }
  return results;
}

/** A contestant that does not end by itself within this time is ended: one that is far behind would take minutes. */
const END_MS = 1_000;

/** A contestant's process, which talks over Node's own channel. */
export class Contestant {
  readonly #child: ChildProcess;
  readonly #received: unknown[] = [];
  readonly #answers: unknown[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  /**
   * Starts a module of the sources with one argument, which it reads with `contestantTask`. `keepsCode`: what Node compiled is
   * kept for the next process, which so starts in half the time.
   */
  constructor(module: URL, task: object, options: { readonly keepsCode?: boolean } = {}) {
    this.#child = fork(module, [JSON.stringify(task)], {
      ...(options.keepsCode ? { env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "wirewalk-bench") } } : {}),
      // Node warns of every package that brings WebAssembly.
      execArgv: ["-C", "wirewalk-source", "--disable-warning=ExperimentalWarning", "--expose-gc"],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#child.on("message", (message: object | string) => {
      if (typeof message === "object" && "answer" in message) this.#answers.push(message.answer);
      else this.#received.push(message);
      this.#wake?.();
    });
    this.#child.once("exit", () => {
      this.#ended = true;
      this.#wake?.();
    });
  }

  /** The number of its process. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The next thing it says. Throws when it ended instead. */
  next<T>(): Promise<T> {
    return this.#first<T>(this.#received);
  }

  /** What it answers to a question that it gave to `endWhenAsked`. Throws when it ended instead. */
  ask<T>(question: string): Promise<T> {
    this.#child.send(question);
    return this.#first<T>(this.#answers);
  }

  async #first<T>(messages: unknown[]): Promise<T> {
    while (messages.length === 0) {
      if (this.#ended)
        throw new Error(`A contestant's process ended with ${this.#child.exitCode ?? this.#child.signalCode}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return messages.shift() as T;
  }

  /** Says something to it. */
  send(message: object | string): void {
    this.#child.send(message);
  }

  /** All that it has said and nobody has taken yet. */
  takeAll<T>(): readonly T[] {
    return this.#received.splice(0) as T[];
  }

  /** Ends the process and waits for its end. */
  async end(): Promise<void> {
    if (this.#ended) return;
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    // By itself if it can: only then Node writes the profile it was asked for.
    if (this.#child.connected) this.#child.send("end");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), END_MS);
    await gone;
    clearTimeout(timer);
  }
}

/** In a contestant's process: what it was asked to do. */
export function contestantTask<T>(): T {
  return JSON.parse(process.argv[2] ?? "{}") as T;
}

/** In a contestant's process: says something to the benchmark. */
export function tell(message: object | string): void {
  process.send?.(message);
}

/** In a contestant's process: ends it when the benchmark says so, or is gone. Meanwhile it answers these questions. */
export function endWhenAsked(answers: Readonly<Record<string, () => object | Promise<object>>> = {}): void {
  process.on("message", async (question: string) => {
    const answer = answers[question];
    if (answer === undefined) process.exit(0);
    else tell({ answer: await answer() });
  });
  process.on("disconnect", () => process.exit(0));
}
