/**
 * The codecs of other languages beside the library's own: a captured move of MapleStory, and one of 30 fragments, read and written. Each is
 * a program of its own that its compiler made, they take turns, and the time is that of the processor. Kaitai's reader in Java takes part
 * where `--kaitai-java` names a folder with its runtime's sources.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { exportFormats } from "wirewalk/export";
import { mapleStory } from "wirewalk/maplestory";
import { formatHex } from "wirewalk/wire";
import { isInstalled, type Toolchain, toolchains } from "../../tools/proof/toolchains.ts";
import { type Benchmark, type BenchmarkOptions, interleaved, ROUNDS, versionOf } from "../harness.ts";
import { kaitaiPacketSpec } from "../maplestory/others.ts";
import { CAPTURED, createPackets } from "../maplestory/workload.ts";
import { type Cell, median, type Promised, promiseAtLeast, type Report, type Row, ratios } from "../report.ts";
import { kaitaiProgram, programs } from "./programs.ts";

const DIALECT = "v62";
/** Fragments of the packets. */
const groups = [CAPTURED, 30] as const;
/** Packets of a group, each with memory of its own. */
const PACKETS = 64;

const works = groups.flatMap((group) => (["read", "write"] as const).map((work) => ({ group, work })));

/** A program that measures itself. */
class Runner {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  /** Passes over the packets of a group that take about as long as wanted. */
  readonly #counts = new Map<string, number>();

  constructor(name: string, [command, ...args]: readonly [string, ...string[]]) {
    this.name = name;
    this.#child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    for (const group of groups)
      for (const packet of createPackets(group, PACKETS))
        this.#say(`payload ${group} ${formatHex(packet, { separator: "" })}`);
  }

  #say(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async #run(work: string, count: number): Promise<number> {
    this.#say(`${work} ${count}`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`The program of ${this.name} has ended`);
    return Number(value);
  }

  /** Nanoseconds for each packet. The first time it warms up for so long. */
  async measure(work: string, wantedMs: number): Promise<number> {
    let count = this.#counts.get(work);
    if (count === undefined) {
      count = 1;
      for (let spentMs = 0; spentMs < 4 * wantedMs; ) {
        const ms: number = (await this.#run(work, count)) / 1e6;
        spentMs += Math.max(ms, 0.01);
        count = ms < wantedMs / 2 ? count * 2 : Math.max(1, Math.round((count * wantedMs) / ms));
      }
      this.#counts.set(work, count);
    }
    return (await this.#run(work, count)) / count / PACKETS;
  }

  end(): void {
    this.#child.stdin?.end();
    this.#child.kill();
  }
}

/** The codec of a language and its program, compiled as it is for use. */
async function built(language: string, toolchain: Toolchain, folder: string): Promise<readonly [string, ...string[]]> {
  const [codec] = exportFormats[language]?.files({ protocol: mapleStory, dialects: [DIALECT] }) ?? [];
  const program = codec === undefined ? undefined : programs[language]?.(codec.name.replace(/\.\w+$/, ""));
  if (codec === undefined || program === undefined) throw new Error(`There is no program for ${language}`);
  mkdirSync(folder);
  writeFileSync(join(folder, codec.name), codec.text);
  writeFileSync(join(folder, program.file), program.text);
  const own = { name: program.file.replace(/\.\w+$/, ""), folder, files: [codec.name, program.file] };
  await toolchain.build([own], true);
  return toolchain.command(own);
}

/** Kaitai's reader, compiled by its compiler and by Java's beside its runtime. */
async function kaitaiReader(java: Toolchain, runtime: string, folder: string): Promise<readonly [string, ...string[]]> {
  const require = createRequire(import.meta.url);
  const compiler: {
    compile(language: string, spec: object, importer: null, debug: boolean): Promise<Record<string, string>>;
  } = require("kaitai-struct-compiler");
  const files = await compiler.compile("java", kaitaiPacketSpec, null, false);
  const program = kaitaiProgram("MapleMove");
  for (const [name, text] of Object.entries({ ...files, [`wirewalk/${program.file}`]: program.text })) {
    const path = join(folder, name.includes("/") ? name : `wirewalk/${name}`);
    mkdirSync(dirname(path), { recursive: true });
    // Its compiler puts classes into no package.
    writeFileSync(path, /^package /m.test(text) ? text : `package wirewalk;\n${text}`);
  }
  const sources = globSync("**/io/kaitai/struct/**/*.java", { cwd: runtime }).filter((name) => !name.includes("test/"));
  for (const name of sources) cpSync(join(runtime, name), join(folder, name.slice(name.indexOf("io/kaitai"))));
  const all = globSync("**/*.java", { cwd: folder });
  execFileSync("javac", ["-nowarn", "-d", "out", ...all], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  // Both run with the same collector and the same memory.
  return java.command({ name: "Bench", folder, files: [] });
}

const names: Readonly<Record<string, string>> = {
  csharp: "C# on Mono",
  go: "Go",
  java: "Java",
  python: "Python",
  rust: "Rust",
};

const KAITAI = "Kaitai, Java";
const TYPESCRIPT = "TypeScript";

async function run(quick: boolean, { kaitaiJava }: BenchmarkOptions = {}): Promise<Report> {
  const effort = quick ? { rounds: 1, measureMs: 20 } : { rounds: ROUNDS, measureMs: 100 };
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-bench-languages-"));
  const runners: Runner[] = [];
  const missing = new Map<string, string>();
  try {
    const program = fileURLToPath(new URL("./typescript.ts", import.meta.url));
    runners.push(new Runner(TYPESCRIPT, [process.execPath, "--no-warnings", "-C", "wirewalk-source", program]));
    for (const [language, toolchain] of Object.entries(toolchains)) {
      const name = names[language] ?? language;
      if (isInstalled(toolchain))
        runners.push(new Runner(name, await built(language, toolchain, join(folder, language))));
      else missing.set(name, `no ${toolchain.probe[0]}`);
    }
    if (kaitaiJava === undefined || !existsSync(kaitaiJava)) missing.set(KAITAI, "no --kaitai-java");
    else if (toolchains.java === undefined || missing.has("Java")) missing.set(KAITAI, "no javac");
    else runners.push(new Runner(KAITAI, await kaitaiReader(toolchains.java, kaitaiJava, join(folder, "kaitai"))));
    const found = await interleaved(runners, effort.rounds, async (runner) => {
      const ns: Record<string, number> = {};
      for (const { group, work } of works)
        if (runner.name !== KAITAI || work === "read")
          ns[`${work} ${group}`] = await runner.measure(`${work} ${group}`, effort.measureMs);
      return ns;
    });
    return reportOf(new Map(Array.from(found, ([{ name }, rounds]) => [name, rounds])), missing, effort);
  } finally {
    for (const runner of runners) runner.end();
    rmSync(folder, { recursive: true });
  }
}

type Found = ReadonlyMap<string, readonly Readonly<Record<string, number>>[]>;

function reportOf(
  found: Found,
  missing: ReadonlyMap<string, string>,
  effort: { rounds: number; measureMs: number },
): Report {
  const nsOf = (name: string, work: string): readonly number[] =>
    (found.get(name) ?? []).flatMap((round) => round[work] ?? []);
  const rows = (["read", "write"] as const).flatMap((work) =>
    [...found.keys(), ...missing.keys()].flatMap((name): Row[] => {
      if (name === KAITAI && work === "write") return [];
      const reason = missing.get(name);
      const cells: readonly (readonly [string, Cell])[] =
        reason !== undefined
          ? [[String(CAPTURED), reason]]
          : groups.map((group) => [String(group), nsOf(name, `${work} ${group}`)] as const);
      return [{ name: `${work}: ${name}`, isOurs: name !== KAITAI, group: work, cells: Object.fromEntries(cells) }];
    }),
  );
  const promised = (name: string, least: number, than: string, group: number, work: string): Promised[] => {
    const [own, other] = [nsOf(name, `${work} ${group}`), nsOf(than, `${work} ${group}`)];
    if (own.length === 0 || other.length === 0) return [];
    const what = group === CAPTURED ? "the captured move" : `${group} fragments`;
    return [promiseAtLeast(`${name} ${work}s ${what} >= ${least} x ${than}`, least, ratios(other, own))];
  };
  const promises = works.flatMap(({ group, work }) => [
    ...promised("Java", 1, TYPESCRIPT, group, work),
    ...promised("Go", 1, TYPESCRIPT, group, work),
    ...promised("Rust", 2, TYPESCRIPT, group, work),
    ...(work === "read" ? promised("Java", 3, KAITAI, group, work) : []),
  ]);
  const lost = Array.from(missing, ([name, why]) => `${name} is not measured: ${why}.`);
  return {
    method: `${effort.rounds} rounds, each kind of work ${effort.measureMs} ms in each, after four times that to warm up. Each language has ${PACKETS} packets with memory of their own, which it reads to values and writes into one buffer; TypeScript writes each into memory of its own. A packet has its number first, and all checks are made.`,
    tables: [
      {
        id: "moves",
        title: "a move of MapleStory in each language",
        rowTitle: "language",
        columns: [
          { key: String(CAPTURED), title: "ns per captured move", better: "less", digits: 0 },
          { key: "30", title: "ns per move of 30 fragments", better: "less", digits: 0 },
        ],
        rows,
      },
    ],
    promises,
    charts: [],
    contenders: [
      {
        name: KAITAI,
        version: `${versionOf("kaitai-struct-compiler")} and the runtime in --kaitai-java`,
        does: "reads, with its own checks of values",
        doesNot: "writes",
      },
    ],
    notes: [
      ...lost,
      ...(median(nsOf("Python", `read ${CAPTURED}`)) > 0 ? ["Python is CPython: its interpreter runs each step."] : []),
    ],
  };
}

export const languages: Benchmark = {
  summary: "the codecs of other languages beside TypeScript's, on a move of MapleStory",
  run,
};
