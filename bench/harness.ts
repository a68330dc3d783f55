/**
 * What benchmarks share: contestants in processes of their own, taking turns; medians; what machine it was; and a
 * promise, which is a ratio and either held or not.
 */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism, cpus } from "node:os";

export interface Benchmark {
  readonly summary: string;
  /** `quick` shows that it works; its numbers mean little. */
  run(quick: boolean): Promise<void>;
}

/** What every report of numbers starts with. */
export function machine(): string {
  return `${cpus()[0]?.model.trim() ?? "unknown CPU"}, ${availableParallelism()} cores, Node ${process.version}`;
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

/** The middle value; of an even number the mean of the two in the middle. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const high = sorted[sorted.length >> 1] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[(sorted.length >> 1) - 1] ?? Number.NaN)) / 2;
}

/** Prints a promise and whether this run held it. */
export function printPromise(promise: string, measured: string, held: boolean): void {
  console.log(`${held ? "PROMISE HELD" : "PROMISE NOT HELD"}: ${promise}; measured ${measured}`);
}

/** Columns of text, the first to the left and the others to the right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join("  ")}`);
  }
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

  /** Starts a module of the sources with one argument, which it reads with `contestantTask`. */
  constructor(module: URL, task: object) {
    this.#child = fork(module, [JSON.stringify(task)], {
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
