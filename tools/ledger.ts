/**
 * The ledger of long runs: what `npm run fairness`, `npm run simulate` and `npm run fuzz:guided` played with `--ledger FILE`. Runs of
 * several days add up there: each takes seeds that no earlier run of its tool had. `FILE` is JSON, one run a line; beside it
 * lies the same as a page (`docs/long-runs.md`). What was played before a run was killed is kept.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { basename, dirname } from "node:path";

export type LedgerTool = "fairness" | "simulate" | "fuzz:guided";

export interface LedgerRun {
  readonly tool: LedgerTool;
  readonly started: string;
  readonly commit: string;
  /** The line that repeats the run, seed included. */
  readonly command: string;
  /** The first and the last seed that were played. */
  readonly seeds: readonly [first: number, last: number];
  /** By game and dialect, or by target: player-hours, or inputs. */
  readonly amounts: Readonly<Record<string, number>>;
  /** Different findings, each once. */
  readonly findings: readonly string[];
  /** Processor time. */
  readonly seconds: number;
  readonly machine: string;
  readonly node: string;
  /** False while it runs, and for good when it was killed. */
  readonly ended: boolean;
}

/**
 * Seeds of one run: more than any run can play. The first block is left to tests and to runs without a ledger. Generators take 32 bits of a
 * seed: 42,948 runs.
 */
export const SEEDS_PER_RUN = 100_000;
/** Findings that are kept of one run: the first ones say enough. */
const MAX_FINDINGS = 20;
/** A lock that is older belongs to a process that was killed: writing the file takes milliseconds. */
const STALE_LOCK_MS = 10_000;

const units: Readonly<Record<LedgerTool, string>> = {
  fairness: "player-hours",
  simulate: "player-hours",
  "fuzz:guided": "inputs",
};

export function readLedger(file: string): readonly LedgerRun[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return (JSON.parse(text) as { readonly runs: readonly LedgerRun[] }).runs;
}

/** A run that is written down while it plays. */
export class LedgerEntry {
  /** The first of `SEEDS_PER_RUN` seeds that are this run's own. */
  readonly firstSeed: number;
  readonly #file: string;
  #run: LedgerRun;

  /** Reserves the seeds. `args` are those of the command line. */
  constructor(file: string, tool: LedgerTool, args: readonly string[], commit = commitOf(file)) {
    this.#file = file;
    const release = lock(file);
    try {
      const runs = readLedger(file);
      const taken = runs.filter((run) => run.tool === tool).map(({ seeds }) => Math.floor(seeds[0] / SEEDS_PER_RUN));
      this.firstSeed = (Math.max(0, ...taken) + 1) * SEEDS_PER_RUN;
      const [model = { model: "unknown processor" }] = cpus();
      this.#run = {
        tool,
        started: new Date().toISOString(),
        commit,
        command: [`npm run ${tool} --`, ...withoutLedger(args), `--seed ${this.firstSeed}`].join(" "),
        seeds: [this.firstSeed, this.firstSeed],
        amounts: {},
        findings: [],
        seconds: 0,
        machine: `${cpus().length} x ${model.model.trim()}`,
        node: process.version,
        ended: false,
      };
      store(file, [...runs, this.#run]);
    } finally {
      release();
    }
  }

  /** Adds what was played since the last call, and writes the file. `seconds` and `lastSeed` are those of the whole run. */
  played(part: {
    readonly subject: string;
    readonly amount: number;
    readonly seconds: number;
    readonly lastSeed?: number;
    readonly findings?: readonly string[];
  }): void {
    const run = this.#run;
    const { subject, amount, seconds, lastSeed = this.firstSeed, findings = [] } = part;
    this.#write({
      ...run,
      seeds: [this.firstSeed, Math.max(run.seeds[1], lastSeed)],
      amounts: { ...run.amounts, [subject]: (run.amounts[subject] ?? 0) + amount },
      findings: [...new Set([...run.findings, ...findings])].slice(0, MAX_FINDINGS),
      seconds: Math.round(seconds),
    });
  }

  /** The run was not killed. */
  end(): void {
    this.#write({ ...this.#run, ended: true });
  }

  #write(run: LedgerRun): void {
    const release = lock(this.#file);
    try {
      const others = readLedger(this.#file).filter(({ tool, seeds }) => tool !== run.tool || seeds[0] !== run.seeds[0]);
      store(this.#file, [...others, run]);
    } finally {
      release();
    }
    this.#run = run;
  }
}

/** The page of a ledger: what is reached of each goal, and every run. */
export function ledgerMarkdown(runs: readonly LedgerRun[]): string {
  const lines = [
    "# Long runs",
    "",
    "For readers who want to know how long the rules and the server have been tried: all long runs so far, what they found, and the command of each.",
    "",
    "The tools write this page and the JSON file beside it, with `--ledger FILE`. Runs of a tool that play the same never share a seed. A run that was killed counts for what it had",
    "played by then.",
    "",
    "| tool | what | goal | played | findings |",
    "| --- | --- | ---: | ---: | ---: |",
  ];
  for (const { tool, what, goal, counts } of goals) {
    const own = runs.filter((run) => run.tool === tool);
    let played = 0;
    for (const run of own) {
      for (const [subject, amount] of Object.entries(run.amounts)) if (counts(subject)) played += amount;
    }
    const findings = own.flatMap((run) => run.findings).filter((finding) => counts(finding)).length;
    lines.push(`| \`${tool}\` | ${what} | ${amountText(goal)} ${units[tool]} | ${amountText(played)} | ${findings} |`);
  }
  const sums = new Map<string, number>();
  for (const run of runs) {
    for (const [subject, amount] of Object.entries(run.amounts)) {
      const row = `| \`${run.tool}\` | ${subject} |`;
      sums.set(row, (sums.get(row) ?? 0) + amount);
    }
  }
  lines.push("", "## By dialect or target", "", "| tool | what | played |", "| --- | --- | ---: |");
  for (const [row, amount] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
    lines.push(`${row} ${amountText(amount)} |`);
  lines.push(
    "",
    "## Runs",
    "",
    "| started | commit | command | seeds | played | processor s | findings | machine | Node | ended |",
    "| --- | --- | --- | --- | ---: | ---: | --- | --- | --- | --- |",
  );
  for (const run of runs.toSorted((a, b) => (a.started < b.started ? -1 : 1))) {
    const played = Object.values(run.amounts).reduce((sum, amount) => sum + amount, 0);
    const cells = [
      run.started.slice(0, 16).replace("T", " "),
      run.commit,
      `\`${run.command}\``,
      run.seeds.join(" to "),
      amountText(played),
      amountText(run.seconds),
      run.findings.map((finding) => finding.replaceAll("|", "\\|").replaceAll("\n", " ")).join("; ") || "none",
      run.machine,
      run.node,
      run.ended ? "yes" : "killed, or still running",
    ];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  return `${lines.join("\n")}\n`;
}

interface Goal {
  readonly tool: LedgerTool;
  readonly what: string;
  readonly goal: number;
  /** Whether a subject, or a finding that begins with one, belongs to it. */
  readonly counts: (subject: string) => boolean;
}

const goals: readonly Goal[] = [
  ...["maplestory", "osrs", "scrap-mechanic", "slime-online-2"].map(
    (game): Goal => ({
      tool: "fairness",
      what: `honest players of ${game}`,
      goal: 2000,
      counts: (subject) => subject.startsWith(`${game}/`),
    }),
  ),
  { tool: "simulate", what: "all games, all faults", goal: 20_000, counts: () => true },
  { tool: "fuzz:guided", what: "all targets", goal: 1_000_000_000, counts: () => true },
];

const amountText = (amount: number): string =>
  amount.toLocaleString("en-US", { maximumFractionDigits: amount < 100 ? 1 : 0 });

function withoutLedger(args: readonly string[]): readonly string[] {
  return args
    .filter((arg, at) => arg !== "--ledger" && args[at - 1] !== "--ledger" && !arg.startsWith("--ledger="))
    .map((arg) => (/^[\w.,:/=-]+$/.test(arg) ? arg : JSON.stringify(arg)));
}

/** The commit, and whether anything but the ledger differs from it. */
function commitOf(file: string): string {
  const git = (...args: readonly string[]): string => execFileSync("git", args, { encoding: "utf8" }).trimEnd();
  try {
    const own = [basename(file), basename(pageOf(file))];
    const changed = git("status", "--porcelain", "--untracked-files=no")
      .split("\n")
      .filter((line) => line !== "" && !own.some((name) => line.endsWith(name)));
    return `${git("rev-parse", "--short", "HEAD")}${changed.length === 0 ? "" : " with changes"}`;
  } catch {
    return "unknown";
  }
}

const pageOf = (file: string): string => `${file.replace(/\.json$/, "")}.md`;

function store(file: string, runs: readonly LedgerRun[]): void {
  const text = runs.map((run) => JSON.stringify(run)).join(",\n");
  for (const [path, content] of [
    [file, `{"runs":[\n${text}\n]}\n`],
    [pageOf(file), ledgerMarkdown(runs)],
  ] as const) {
    const whole = `${path}.${process.pid}.tmp`;
    writeFileSync(whole, content);
    renameSync(whole, path);
  }
}

/** Several runs write the same file. Returns what gives the lock back. */
function lock(file: string): () => void {
  const folder = `${file}.lock`;
  mkdirSync(dirname(file), { recursive: true });
  for (;;) {
    try {
      mkdirSync(folder);
      return () => rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    try {
      if (Date.now() - statSync(folder).mtimeMs > STALE_LOCK_MS) rmSync(folder, { recursive: true, force: true });
    } catch {
      // The other process has just given it back.
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}
