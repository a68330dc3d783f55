/**
 * `wirewalk engine osrs/player-info` as a server in another language uses it: a process of its own, a line of JSON for each tick, and
 * the time until the whole answer is here. What the server does with the answer is not measured.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { maskRevisionJson } from "wirewalk/osrs/player-info";
import { formatHex } from "wirewalk/wire";
import type { Benchmark } from "../harness.ts";
import { type Contender, createScene, type SceneName } from "../player-info/scenes.ts";
import { median, quantile, type Report } from "../report.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/wirewalk.js", import.meta.url));
const PLAYERS = 2_000;
/** The game's tick, in milliseconds. */
const TICK_MS = 600;
/** Entries of a list in one line, which has a limit of a million characters. */
const LINE_ENTRIES = 20_000;

const scenes: readonly SceneName[] = ["town", "spread", "dense redrawn"];

interface Line {
  add: unknown[];
  observe: unknown[];
  standing: unknown[];
  move: unknown[];
  teleport: unknown[];
  blocks: unknown[];
  tick?: true;
}

const emptyLine = (): Line => ({ add: [], observe: [], standing: [], move: [], teleport: [], blocks: [] });

/** The engine's process: collects the commands of a tick, and sends them in one line. */
class EngineProcess implements Contender {
  readonly #child: ChildProcessWithoutNullStreams;
  #line = emptyLine();
  #bytes = 0;
  #head = "";
  #wake: (() => void) | undefined;

  constructor(flags: readonly string[]) {
    this.#child = spawn(process.execPath, [BIN, "engine", "osrs/player-info", ...flags]);
    this.#child.stdout.on("data", (bytes: Buffer) => {
      this.#bytes += bytes.length;
      if (this.#head.length < 64) this.#head += bytes.toString("latin1", 0, 64);
      if (bytes.at(-1) === 0x0a) this.#wake?.();
    });
    this.#child.stderr.pipe(process.stderr);
  }

  add: Contender["add"] = (index, { level, x, z }) => void this.#line.add.push([index, level, x, z]);
  observe: Contender["observe"] = (index) => void this.#line.observe.push(index);
  never: Contender["never"] = (observer, index) => void this.#line.standing.push([observer, index, "never"]);
  move: Contender["move"] = (index, x, z) => void this.#line.move.push([index, x, z]);
  teleport: Contender["teleport"] = (index, { level, x, z }) => void this.#line.teleport.push([index, level, x, z]);
  setBlock: Contender["setBlock"] = (index, name, fields) => {
    const json = Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Uint8Array ? formatHex(value, { separator: "" }) : value,
    ]);
    this.#line.blocks.push([index, name, Object.fromEntries(json)]);
  };
  tick(): void {
    this.#line.tick = true;
  }
  packet(): Uint8Array {
    throw new Error("The answer has the packets");
  }

  /** Sends what was collected. Gives the milliseconds until the answer is here, its bytes and those of the line. */
  async send(): Promise<{ readonly ms: number; readonly answerBytes: number; readonly lineBytes: number }> {
    // Who is never shown whom is set up once, and more than one line holds.
    while (this.#line.standing.length > LINE_ENTRIES) {
      const rest = { ...this.#line, standing: this.#line.standing.splice(LINE_ENTRIES) };
      await this.#sendLine();
      this.#line = { ...emptyLine(), standing: rest.standing };
    }
    return await this.#sendLine();
  }

  async #sendLine(): Promise<{ readonly ms: number; readonly answerBytes: number; readonly lineBytes: number }> {
    const text = `${JSON.stringify(this.#line)}\n`;
    this.#line = emptyLine();
    this.#bytes = 0;
    this.#head = "";
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const startMs = performance.now();
    this.#child.stdin.write(text);
    await promise;
    const ms = performance.now() - startMs;
    if (!this.#head.startsWith('{"ok":true')) throw new Error(`The engine refused something: ${this.#head}`);
    return { ms, answerBytes: this.#bytes, lineBytes: text.length };
  }

  end(): void {
    this.#child.stdin.end();
  }
}

async function measure(name: SceneName, ticks: number) {
  const scene = createScene(name, PLAYERS);
  const folder = mkdtempSync(join(tmpdir(), "bench-engine-"));
  const revision = join(folder, "revision.json");
  writeFileSync(revision, JSON.stringify(maskRevisionJson(scene.options.revision)));
  const { viewDistance, maxLocals } = scene.options;
  const distance = Number.isFinite(viewDistance) ? viewDistance : 16_384;
  const engine = new EngineProcess([
    ...["--revision", revision],
    ...["--view-distance", String(distance), "--max-locals", String(maxLocals)],
  ]);
  try {
    scene.setUp(engine);
    await engine.send();
    // The first tick brings everybody into view.
    engine.tick();
    const first = await engine.send();
    const answers: Awaited<ReturnType<EngineProcess["send"]>>[] = [];
    for (let tick = 0; tick < ticks; tick++) {
      scene.step(engine);
      engine.tick();
      answers.push(await engine.send());
    }
    return { first, answers };
  } finally {
    engine.end();
    rmSync(folder, { recursive: true });
  }
}

async function run(quick: boolean): Promise<Report> {
  const ticks = quick ? 10 : 100;
  const measured: { readonly name: SceneName; readonly run: Awaited<ReturnType<typeof measure>> }[] = [];
  for (const name of scenes) measured.push({ name, run: await measure(name, ticks) });
  const worst = Math.max(...measured.flatMap(({ run: { answers } }) => answers.map(({ ms }) => ms)));
  return {
    method: `${ticks} ticks of ${PLAYERS} players, each an observer; wall time from writing the line of a tick to the last byte of the answer.`,
    tables: [
      {
        id: "lines",
        title: "a tick over standard streams",
        rowTitle: "scene",
        columns: [
          { key: "line", title: "kB in", digits: 0 },
          { key: "answer", title: "kB out", digits: 0 },
          { key: "ms", title: "ms a tick", better: "less" },
          { key: "p99", title: "p99 ms" },
          { key: "first", title: "first tick, ms", digits: 0 },
        ],
        rows: measured.map(({ name, run: { answers, first } }) => ({
          name,
          isOurs: true,
          cells: {
            line: answers.map(({ lineBytes }) => lineBytes / 1000),
            answer: answers.map(({ answerBytes }) => answerBytes / 1000),
            ms: answers.map(({ ms }) => ms),
            p99: [
              quantile(
                answers.map(({ ms }) => ms),
                0.99,
              ),
            ],
            first: [first.ms],
          },
        })),
      },
    ],
    promises: [
      {
        promise: `${PLAYERS} players at ${TICK_MS} ms: no answer takes longer than a tick`,
        measured: `${worst.toFixed(0)} ms at most; median ${measured
          .map(({ name, run: { answers } }) => `${median(answers.map(({ ms }) => ms)).toFixed(0)} ms (${name})`)
          .join(", ")}`,
        held: worst < TICK_MS,
      },
    ],
    charts: [],
    contenders: [],
    notes: [
      "In the first tick everybody comes into the view of everybody else; the promise is about those after it.",
      "Hex doubles the bytes of the packets; observers who see the same share one entry of the answer.",
    ],
  };
}

/** The engine over standard streams. */
export const engine: Benchmark = {
  summary: "wirewalk engine osrs/player-info: 2,000 players over standard streams",
  run,
};
