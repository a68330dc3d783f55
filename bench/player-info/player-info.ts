/**
 * Player info: all packets of a tick for all observers, by sets of players and by the scan of everyone that servers in
 * use do; by the WebAssembly core and without it. Every observer sees something else: with equal views the processor learns the crowd by heart, and the scan
 * takes half its time. Each scene is a process of its own, in which all take turns and must write equal bytes.
 */

import { OBSERVER_BYTES } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/engine/engine-memory.ts";
import { type Benchmark, Contestant, ROUNDS } from "../harness.ts";
import { median, promiseAtLeast, type Report, type Row, ratios, type Table } from "../report.ts";
import type { SceneReport, SceneTask } from "./contestant.ts";
import { type SceneName, sceneNames } from "./scenes.ts";
import type { ThreadsReport } from "./threads.ts";
import type { WorldsReport, WorldsTask } from "./worlds.ts";

const MOST_PLAYERS = 2047;
/** What the core and the engine in JavaScript promise, as multiples of the scan. */
const promises: readonly { scene: SceneName; core: number; javascript?: number; where: string }[] = [
  { scene: "dense redrawn", core: 18, where: "everybody in view, masks of everybody anew in every tick" },
  { scene: "dense steady", core: 16, where: "everybody in view, walking" },
  { scene: "town", core: 18, javascript: 6.5, where: "at view 15, 2047 players walking in 104 x 104 tiles" },
  { scene: "box", core: 14, javascript: 5, where: "2047 players teleporting in 13 x 13 tiles, 32 bytes of masks each" },
  { scene: "spread", core: 40, where: "2047 players far from each other" },
  { scene: "idle", core: 50, where: "a town in which few move" },
];

interface Effort extends Omit<SceneTask, "scene" | "players"> {
  readonly players: readonly number[];
}

const full: Effort = { players: [250, 500, 1000, MOST_PLAYERS], rounds: ROUNDS, ticksPerRound: 7, warmUpTicks: 40 };
const quick: Effort = { players: [MOST_PLAYERS], rounds: 2, ticksPerRound: 3, warmUpTicks: 8 };

async function runScene(task: SceneTask): Promise<SceneReport> {
  const contestant = new Contestant(new URL("./contestant.ts", import.meta.url), task);
  try {
    const report = await contestant.next<SceneReport>();
    if (!report.areEqual) throw new Error(`${task.scene}: they wrote different packets`);
    return report;
  } finally {
    await contestant.end();
  }
}

interface Measured {
  readonly scene: SceneName;
  readonly players: number;
  readonly report: SceneReport;
}

/** Times of the three engines, as multiples of the scan, beside what a packet is. */
function sceneTable(
  id: string,
  title: string,
  results: readonly Measured[],
  nameOf: (each: Measured) => string,
): Table {
  return {
    id,
    title,
    rowTitle: "scene",
    columns: [
      { key: "inView", title: "in view", digits: 0 },
      { key: "bytes", title: "bytes each", digits: 0 },
      { key: "scan", title: "scan of everyone" },
      { key: "javascript", title: "JavaScript" },
      { key: "javascriptRatio", title: "of the scan", suffix: "x" },
      { key: "core", title: "WebAssembly" },
      { key: "coreRatio", title: "of the scan", suffix: "x" },
      { key: "first", title: "first tick" },
      { key: "memory", title: "new memory", suffix: " KiB" },
    ],
    rows: results.map((each) => {
      const { report } = each;
      return {
        name: nameOf(each),
        isOurs: true,
        cells: {
          inView: [report.localsPerObserver],
          bytes: [report.bytesPerObserver],
          scan: report.scanMs,
          javascript: report.javascriptMs,
          javascriptRatio: ratios(report.scanMs, report.javascriptMs),
          core: report.coreMs,
          coreRatio: ratios(report.scanMs, report.coreMs),
          first: [report.firstMs],
          memory: [report.allocatedPerTick / 1024],
        },
      };
    }),
  };
}

const WORLDS = 8;
const WORLD_PLAYERS = 2000;

/** A world alone, and several in one process. */
async function runWorlds({ players: _, ...effort }: Effort): Promise<WorldsReport> {
  const task: WorldsTask = { ...effort, worlds: WORLDS, players: WORLD_PLAYERS };
  const contestant = new Contestant(new URL("./worlds.ts", import.meta.url), task);
  try {
    return await contestant.next<WorldsReport>();
  } finally {
    await contestant.end();
  }
}

function worldsTable({ aloneMs, besideMs }: WorldsReport): Table {
  const row = (name: string, ms: readonly number[]): Row => ({
    name,
    isOurs: true,
    cells: { ms, ratio: ratios(ms, aloneMs) },
  });
  return {
    id: "worlds",
    title: `${WORLDS} towns of ${WORLD_PLAYERS} in one process, by turns`,
    rowTitle: "world",
    columns: [
      { key: "ms", title: "ms per tick", digits: 2 },
      { key: "ratio", title: "of one alone", digits: 2, suffix: "x" },
    ],
    rows: [row("one alone", aloneMs), ...besideMs.map((ms, world) => row(`${world + 1} of ${WORLDS}`, ms))],
  };
}

/** Scenes in which threads are measured, and what two of them promise for the writing of packets. */
const threadScenes: readonly SceneName[] = ["dense steady", "dense redrawn", "town", "box"];
const promisedThreads: readonly SceneName[] = ["dense steady", "dense redrawn"];
const THREADS_RATIO = 1.8;

interface MeasuredThreads {
  readonly scene: SceneName;
  readonly report: ThreadsReport;
}

async function runThreads({ players: _, ...effort }: Effort): Promise<readonly MeasuredThreads[]> {
  const results: MeasuredThreads[] = [];
  for (const scene of threadScenes) {
    const task: SceneTask = { ...effort, scene, players: WORLD_PLAYERS };
    const contestant = new Contestant(new URL("./threads.ts", import.meta.url), task);
    try {
      results.push({ scene, report: await contestant.next<ThreadsReport>() });
    } finally {
      await contestant.end();
    }
  }
  return results;
}

function threadsTable(results: readonly MeasuredThreads[]): Table {
  return {
    id: "threads",
    title: `${WORLD_PLAYERS} players by one thread and by two, ms of the wall's time`,
    rowTitle: "scene",
    columns: [
      { key: "onePackets", title: "packets, one thread", digits: 2 },
      { key: "twoPackets", title: "two threads", digits: 2 },
      { key: "packetsRatio", title: "of one", digits: 2, suffix: "x" },
      { key: "oneTick", title: "whole tick, one thread", digits: 2 },
      { key: "twoTick", title: "two threads", digits: 2 },
      { key: "tickRatio", title: "of one", digits: 2, suffix: "x" },
    ],
    rows: results.map(({ scene, report: { one, two } }) => ({
      name: scene,
      isOurs: true,
      cells: {
        onePackets: one.packetsMs,
        twoPackets: two.packetsMs,
        packetsRatio: ratios(one.packetsMs, two.packetsMs),
        oneTick: one.tickMs,
        twoTick: two.tickMs,
        tickRatio: ratios(one.tickMs, two.tickMs),
      },
    })),
  };
}

/** The same by engine: who is better, and how far the rounds lie apart. */
function engineTable(results: readonly Measured[]): Table {
  const row = (group: string, name: string, isOurs: boolean, ms: readonly number[]): Row => ({
    name: `${group}: ${name}`,
    isOurs,
    group,
    cells: { ms },
  });
  return {
    id: "engines",
    title: `${MOST_PLAYERS} players by engine`,
    rowTitle: "scene and engine",
    columns: [{ key: "ms", title: "ms per tick", digits: 2, better: "less" }],
    rows: results.flatMap(({ scene, report }) => [
      row(scene, "wirewalk, WebAssembly", true, report.coreMs),
      row(scene, "wirewalk, JavaScript", true, report.javascriptMs),
      row(scene, "scan of everyone", false, report.scanMs),
    ]),
  };
}

async function run(isQuick: boolean): Promise<Report> {
  const { players: counts, ...effort } = isQuick ? quick : full;
  const results: Measured[] = [];
  for (const scene of sceneNames) {
    for (const players of counts) {
      results.push({ scene, players, report: await runScene({ ...effort, scene, players }) });
    }
  }
  const worlds = await runWorlds({ players: counts, ...effort });
  const threads = await runThreads({ players: counts, ...effort });
  const most = results.filter(({ players }) => players === MOST_PLAYERS);
  const promised = promises.flatMap(({ scene, core, javascript, where }) => {
    const report = most.find((each) => each.scene === scene)?.report;
    if (report === undefined) return [];
    const { scanMs, coreMs, javascriptMs } = report;
    return [
      promiseAtLeast(`${scene}, core: >= ${core} x the scan, ${where}`, core, ratios(scanMs, coreMs)),
      ...(javascript === undefined
        ? []
        : [
            promiseAtLeast(
              `${scene}, JavaScript: >= ${javascript} x the scan`,
              javascript,
              ratios(scanMs, javascriptMs),
            ),
          ]),
    ];
  });
  const charts = sceneNames.map((scene) => {
    const own = results.filter((each) => each.scene === scene);
    const series = (name: string, isOurs: boolean, msOf: (report: SceneReport) => readonly number[]) => ({
      name,
      isOurs,
      points: own.map(({ players, report }) => ({ x: players, y: median(msOf(report)) })),
    });
    return {
      id: scene.replaceAll(" ", "-"),
      title: `Player info: ${scene}`,
      xTitle: "players, each an observer",
      yTitle: "ms per tick for all",
      series: [
        series("WebAssembly", true, ({ coreMs }) => coreMs),
        series("JavaScript", true, ({ javascriptMs }) => javascriptMs),
        series("scan of everyone", false, ({ scanMs }) => scanMs),
      ],
    };
  });
  return {
    method: `Milliseconds of a tick: all packets of all observers, each with a packet of its own, on one thread. ${effort.rounds} rounds of ${effort.ticksPerRound} ticks, each its median; the engines take turns in one process and must write equal bytes.`,
    tables: [
      sceneTable("most", `${MOST_PLAYERS} players, ms per tick`, most, ({ scene }) => scene),
      engineTable(most),
      sceneTable(
        "growth",
        "fewer players, ms per tick",
        results.filter(({ players }) => players !== MOST_PLAYERS),
        ({ scene, players }) => `${scene}, ${players}`,
      ),
      worldsTable(worlds),
      threadsTable(threads),
    ].filter(({ rows }) => rows.length > 0),
    promises: [
      ...promised,
      ...threads
        .filter(({ scene }) => promisedThreads.includes(scene))
        .map(({ scene, report: { one, two } }) => {
          const promise = `${scene}, packets by two threads: >= ${THREADS_RATIO} x one thread`;
          return promiseAtLeast(promise, THREADS_RATIO, ratios(one.packetsMs, two.packetsMs));
        }),
    ],
    charts: isQuick ? [] : charts,
    contenders: [
      {
        name: "wirewalk, WebAssembly",
        version: "this workspace",
        does: "packets of all observers by sets of players, in a core of 18 kB",
        doesNot: "run where WebAssembly may not: there the engine in JavaScript takes over, byte for byte the same",
      },
      { name: "wirewalk, JavaScript", version: "this workspace", does: "the same by bit sets", doesNot: "" },
      {
        name: "scan of everyone",
        version: "`bench/player-info/baseline.ts`",
        does: "the algorithm of servers in use: looks at every slot for every observer, tuned for JavaScript",
        doesNot: "",
      },
    ],
    notes: [
      `An observer takes ${OBSERVER_BYTES} bytes of the engine's memory. A world of ${WORLD_PLAYERS} adds ${(worlds.residentPerWorld / 2 ** 20).toFixed(1)} MiB of resident memory.`,
      "In the first tick everybody comes into view: its packets are longer than later ones. Most of it is the codes of those players, 6 ns each, 3 in a crowd. In an idle town, whose later packets have 4 bytes, that is the time of several ticks, and about that of one tick of the walking town.",
    ],
  };
}

export const playerInfo: Benchmark = {
  summary: "packets of 2047 observers, by sets (WebAssembly and JavaScript) and by a scan of everyone",
  run,
};
