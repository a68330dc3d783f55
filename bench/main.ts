/**
 * Benchmarks: `npm run bench` lists them, `npm run bench -- <name>...` runs some, `npm run bench -- all` runs all and writes
 * `RESULTS.md`. A benchmark never fails a build: it exits 0 and says whether its promises held.
 */
import { resolve } from "node:path";
import { parseOptions } from "../tools/options.ts";
import { broadcast } from "./broadcast/broadcast.ts";
import { broadcastMap, broadcastNeighbours, broadcastRooms } from "./broadcast/overload.ts";
import { recording } from "./broadcast/recording.ts";
import { engine } from "./engine/engine.ts";
import { feed } from "./feed/feed.ts";
import { hands } from "./hands/hands.ts";
import { type Benchmark, Contestant, circumstances } from "./harness.ts";
import { languages } from "./languages/languages.ts";
import { maplestory } from "./maplestory/maplestory.ts";
import { memory } from "./memory/memory.ts";
import { mouse } from "./mouse/mouse.ts";
import { outputs } from "./outputs/outputs.ts";
import { builtPage } from "./page/page.ts";
import { playerInfo } from "./player-info/player-info.ts";
import { printReport } from "./print.ts";
import { relay } from "./relay/relay.ts";
import { circumstancesText, type Entry } from "./results.ts";
import { rules } from "./rules/rules.ts";
import { scrap } from "./scrap/scrap.ts";
import { scrub } from "./scrub/scrub.ts";
import { slime } from "./slime/slime.ts";
import { RESULTS, root, saveEntry, writeBlocks } from "./store.ts";
import { workers } from "./workers/workers.ts";
import { worlds } from "./worlds/worlds.ts";

/** In the order of `RESULTS.md`. */
const benchmarks: Readonly<Record<string, Benchmark>> = {
  maplestory,
  slime,
  scrap,
  mouse,
  "player-info": playerInfo,
  engine,
  worlds,
  rules,
  broadcast,
  recording,
  scrub,
  workers,
  "broadcast-rooms": broadcastRooms,
  "broadcast-map": broadcastMap,
  "broadcast-neighbours": broadcastNeighbours,
  feed,
  relay,
  "verdict-outputs": outputs,
  page: builtPage,
  memory,
  languages,
};

const USAGE = `npm run bench -- <name>... [--quick] [--save] [--out FILE] [--neighbour]
npm run bench -- all [--quick] [--out FILE] [--neighbour]   all of them, saved
npm run bench -- hands --data DIR [--machines DIR] [--attack FILE] [--seed N] [--write-model FILE] [--beside COMMIT]
                                                            people and machines at a mouse: docs/hands.md
npm run bench -- readme                                     writes the numbers of README and docs from ${RESULTS}
  --save       keeps the results in ${RESULTS}, beside those of the other benchmarks
  --out FILE   keeps them in another file, FILE.md, with FILE.json and FILE-charts/
  --kaitai-java FOLDER  sources of Kaitai's Java runtime, for \`languages\`
  --neighbour  beside a process that takes all the time that it gets`;
const { values, positionals } = parseOptions(USAGE, {
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    out: { type: "string" },
    "kaitai-java": { type: "string" },
    neighbour: { type: "boolean", default: false },
    data: { type: "string" },
    machines: { type: "string" },
    attack: { type: "string" },
    "write-model": { type: "string" },
    beside: { type: "string" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

async function measure(name: string, benchmark: Benchmark): Promise<Entry> {
  console.log(`$ npm run bench -- ${name}${values.quick ? " --quick" : ""}`);
  const where = circumstances(values.quick, values.neighbour);
  console.log(circumstancesText(where).replaceAll("**", ""));
  const startMs = performance.now();
  const entry = { name, summary: benchmark.summary, circumstances: where };
  const seconds = (): number => Math.round((performance.now() - startMs) / 1000);
  try {
    const report = await benchmark.run(values.quick, { kaitaiJava: values["kaitai-java"] });
    printReport(report);
    return { ...entry, seconds: seconds(), report };
  } catch (error) {
    console.log("The benchmark broke off:", error);
    return { ...entry, seconds: seconds(), error: error instanceof Error ? error.message : String(error) };
  }
}

async function run(names: readonly string[], page: string | undefined): Promise<void> {
  const neighbour = values.neighbour
    ? new Contestant(new URL("./broadcast/neighbour.ts", import.meta.url), {})
    : undefined;
  try {
    for (const name of names) {
      const entry = await measure(name, benchmarks[name] as Benchmark);
      // After each: what breaks off later loses nothing.
      if (page !== undefined) saveEntry(page, entry, Object.keys(benchmarks));
    }
  } finally {
    await neighbour?.end();
  }
  if (page !== undefined) console.log(`Saved in ${page}`);
}

const isAll = positionals.includes("all");
const page = values.out !== undefined ? resolve(values.out) : isAll || values.save ? `${root}${RESULTS}` : undefined;
const alone = ["all", "readme", "hands"].find((each) => positionals.includes(each) && positionals.length > 1);
const unknown = positionals.find(
  (each) => !["all", "readme", "hands"].includes(each) && !Object.hasOwn(benchmarks, each),
);
if (unknown !== undefined) refuse(`There is no benchmark "${unknown}".`);
else if (alone !== undefined) refuse(`"${alone}" stands alone.`);
else if (positionals.length === 0) list();
else if (positionals[0] === "readme") writeBlocks();
else if (positionals[0] === "hands" && values.data === undefined) refuse("hands needs --data DIR.");
else if (positionals[0] === "hands") {
  const data = resolve(values.data ?? "");
  printReport(await hands({ ...values, seed: Number(values.seed), data, writeModel: values["write-model"] }));
} else await run(isAll ? Object.keys(benchmarks) : positionals, page);

function refuse(reason: string): void {
  console.error(reason);
  process.exitCode = 2;
  list();
}

function list(): void {
  console.log(USAGE);
  for (const [each, { summary }] of Object.entries(benchmarks)) console.log(`  ${each}  ${summary}`);
}
