/**
 * Saving and restoring worlds full of players, one in ten of them a cheat. A server that takes over a room, or a replay
 * that jumps, waits for a restore.
 */
import { type Benchmark, Contestant, printPromise, printTable } from "../harness.ts";
import { type Report, type Scene, scenes, type Task } from "./workload.ts";

const ROUNDS = 31;
const QUICK_ROUNDS = 3;
const quickScene = { playMs: 3000, players: 50 };

async function measure(scene: Scene, rounds: number): Promise<Report> {
  const contestant = new Contestant(new URL("./contestant.ts", import.meta.url), { scene, rounds } satisfies Task);
  try {
    return await contestant.next<Report>();
  } finally {
    await contestant.end();
  }
}

export const worlds: Benchmark = {
  summary: "save, restore and digest of worlds with 500 and 2,000 players",
  async run(quick) {
    const rows = [["ms, middle of all rounds", "players", "save", "restore", "least", "first", "digest", "KiB"]];
    const promises: (() => void)[] = [];
    // One after the other: each is judged by a time and not by the others.
    for (const each of scenes) {
      const scene: Scene = quick ? { ...each, ...quickScene } : each;
      const { protocol, dialect, players, promisedMs } = scene;
      const name = `${protocol}/${dialect}`;
      const report = await measure(scene, quick ? QUICK_ROUNDS : ROUNDS);
      const { saveMs, restoreMs, leastRestoreMs, coldRestoreMs, digestMs, bytes } = report;
      const times = [saveMs, restoreMs, leastRestoreMs, coldRestoreMs, digestMs].map((ms) => ms.toFixed(2));
      rows.push([name, String(players), ...times, (bytes / 1024).toFixed(0)]);
      const measured = `${restoreMs.toFixed(2)} ms, least ${leastRestoreMs.toFixed(2)} ms`;
      promises.push(() => printPromise(`${name}: restored in <= ${promisedMs} ms`, measured, restoreMs <= promisedMs));
    }
    printTable(rows);
    for (const print of promises) print();
  },
};
