/**
 * Saving and restoring worlds full of players, one in ten of them a cheat. A server that takes over a room, or a replay
 * that jumps, waits for a restore.
 */
import { type Benchmark, Contestant } from "../harness.ts";
import { type Report as BenchmarkReport, median } from "../report.ts";
import { type Report, type Scene, scenes, type Task } from "./workload.ts";

const ROUNDS = 9;
const QUICK_ROUNDS = 3;
const quickScene = { playMs: 3000, players: 50 };
/** Of the worlds of the chart. */
const CHART_PLAY_MS = 5000;

async function measure(scene: Scene, rounds: number): Promise<Report> {
  const contestant = new Contestant(new URL("./contestant.ts", import.meta.url), { scene, rounds } satisfies Task);
  try {
    return await contestant.next<Report>();
  } finally {
    await contestant.end();
  }
}

/** Players of the worlds of the chart. */
const chartPlayers = [50, 200, 500];

interface Measured {
  readonly scene: Scene;
  readonly report: Report;
}

async function run(quick: boolean): Promise<BenchmarkReport> {
  const rounds = quick ? QUICK_ROUNDS : ROUNDS;
  const found: Measured[] = [];
  // One after the other: each is judged by a time and not by the others.
  for (const each of scenes) {
    const scene: Scene = quick ? { ...each, ...quickScene } : each;
    found.push({ scene, report: await measure(scene, rounds) });
  }
  const sizes: Measured[] = [];
  for (const each of quick ? [] : scenes.filter(({ isCharted }) => isCharted)) {
    for (const players of chartPlayers) {
      const scene = { ...each, players, playMs: CHART_PLAY_MS };
      sizes.push({ scene, report: await measure(scene, rounds) });
    }
  }
  const nameOf = ({ protocol, dialect }: Scene): string => `${protocol}/${dialect}`;
  const series = [...new Set(sizes.map(({ scene }) => nameOf(scene)))].map((name) => ({
    name,
    isOurs: true,
    points: sizes
      .filter(({ scene }) => nameOf(scene) === name)
      .map(({ scene, report }) => ({ x: scene.players, y: median(report.restoreMs) })),
  }));
  const column = (key: string, title: string, digits = 2) => ({ key, title, digits, better: "less" as const });
  return {
    method: `${rounds} rounds in a process for each world: a world out of the saved data, then saved and digested again. Milliseconds.`,
    tables: [
      {
        id: "worlds",
        title: "worlds full of players",
        rowTitle: "world",
        columns: [
          { key: "players", title: "players", digits: 0 },
          column("save", "save"),
          column("restore", "restore"),
          { key: "cold", title: "first restore of a process", digits: 2 },
          column("digest", "digest"),
          { key: "kib", title: "KiB", digits: 0 },
        ],
        rows: found.map(({ scene, report }) => ({
          name: nameOf(scene),
          isOurs: true,
          cells: {
            players: [scene.players],
            save: report.saveMs,
            restore: report.restoreMs,
            cold: [report.restoreMs[0] ?? Number.NaN],
            digest: report.digestMs,
            kib: [report.bytes / 1024],
          },
        })),
      },
    ],
    promises: found.map(({ scene, report }) => {
      const middle = median(report.restoreMs);
      return {
        promise: `${nameOf(scene)}: restored in <= ${scene.promisedMs} ms`,
        measured: `${middle.toFixed(2)} ms, least ${Math.min(...report.restoreMs).toFixed(2)} ms`,
        held: middle <= scene.promisedMs,
      };
    }),
    charts: [{ id: "restore", title: "Restoring a world", xTitle: "players", yTitle: "ms", series }],
    contenders: [],
    notes: [],
  };
}

export const worlds: Benchmark = {
  summary: "save, restore and digest of worlds with 500 and 2,000 players",
  run,
};
