/** What the evidence of a hand costs: time and bytes for a point, bytes for a player; beside the measures of an older commit. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createRandom } from "wirewalk/motion";
import type { MousePoint } from "wirewalk/osrs/mouse";
import { HandEvidence } from "../../packages/wirewalk/src/protocols/osrs/mouse/world/hand.ts";
import { MouseKinematics } from "../../packages/wirewalk/src/protocols/osrs/mouse/world/kinematics.ts";
import type { Table } from "../report.ts";
import { playBot } from "./capture-path.ts";
import type { Recording } from "./people.ts";

/** Takes the points of one player. */
type Taker = { push(point: MousePoint): unknown };
interface Timed {
  readonly name: string;
  readonly create: () => Taker;
  readonly micros: number[];
}

const POINTS = 60_000;
const ROUNDS = 15;
const PLAYERS = 200;
const SOURCES = "packages/wirewalk/src";
const WORLD = `${SOURCES}/protocols/osrs/mouse/world`;

async function somePoints(recordings: readonly Recording[]): Promise<readonly MousePoint[]> {
  const points: MousePoint[] = [];
  const visit = (point: MousePoint): void => {
    if (points.length < POINTS) points.push({ ...point });
  };
  for (const recording of recordings) if (points.length < POINTS) await recording.play(visit);
  for (let seed = 1; points.length < POINTS; seed++) {
    playBot({ random: createRandom(seed), number: 0, cheat: "none" }, 600_000, visit);
  }
  return points;
}

const cpuMicros = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/** Bytes that one player takes, after some play. */
function bytesOf(create: () => Taker, points: readonly MousePoint[]): number {
  const own = points.slice(0, 2000);
  globalThis.gc?.();
  const before = process.memoryUsage();
  const players = Array.from({ length: PLAYERS }, () => {
    const player = create();
    for (const point of own) player.push(point);
    return player;
  });
  globalThis.gc?.();
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  return players.length === 0 ? 0 : bytes / PLAYERS;
}

/** Bytes allocated for each point of a movement that never ends: the least of some rounds, since a collection may fall into one. */
function allocatedOf(create: () => Taker): number {
  const count = 20_000;
  const path = Array.from(
    { length: count },
    (_, at): MousePoint => ({
      form: "small",
      dt: 2,
      button: 0,
      index: 0,
      x: (at * 7) % 700,
      y: (at * 3) % 500,
      known: true,
      outside: false,
      atMs: at * 50,
      sinceMs: 50,
      first: false,
      pause: "none",
      drift: "none",
    }),
  );
  const rounds = Array.from({ length: 20 }, () => {
    const player = create();
    for (const point of path.slice(0, 100)) player.push(point);
    const before = process.memoryUsage().heapUsed;
    for (let at = 100; at < count; at++) player.push(path[at] as MousePoint);
    return (process.memoryUsage().heapUsed - before) / (count - 100);
  });
  return Math.min(...rounds.filter((bytes) => bytes >= 0));
}

/** Times today's evidence and all kinematics, by turns, and those of commit `beside` where one is given. */
export async function costTable(recordings: readonly Recording[], beside: string | undefined): Promise<Table> {
  const points = await somePoints(recordings);
  const timed: Timed[] = [
    { name: "the evidence of a hand", create: () => new HandEvidence(50), micros: [] },
    { name: "all kinematics, with it", create: () => new MouseKinematics("client"), micros: [] },
  ];
  const folder = beside === undefined ? undefined : mkdtempSync(join(tmpdir(), "wirewalk-hands-"));
  try {
    if (beside !== undefined && folder !== undefined) {
      const archive = execFileSync("git", ["archive", beside, SOURCES], { maxBuffer: 1 << 30 });
      execFileSync("tar", ["-x", "-C", folder], { input: archive });
      const of = async (file: string) => import(pathToFileURL(join(folder, WORLD, file)).href);
      const [hand, kinematics] = [await of("hand.ts"), await of("kinematics.ts")];
      timed.push(
        { name: `the evidence of a hand at ${beside}`, create: () => new hand.HandEvidence(50), micros: [] },
        { name: `all kinematics at ${beside}`, create: () => new kinematics.MouseKinematics("client"), micros: [] },
      );
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const { create, micros } of timed) {
        const player = create();
        const startMicros = cpuMicros();
        for (const point of points) player.push(point);
        // The first rounds compile.
        if (round >= 3) micros.push((cpuMicros() - startMicros) / points.length);
      }
    }
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  const rows = timed.map(({ name, create, micros }) => ({
    name,
    isOurs: true,
    cells: {
      micros: `${middle(micros).toFixed(2)} (${Math.min(...micros).toFixed(2)} to ${Math.max(...micros).toFixed(2)})`,
      allocated: allocatedOf(create).toFixed(1),
      bytes: Math.round(bytesOf(create, points)).toLocaleString("en"),
    },
  }));
  const titles = {
    micros: "µs of processor time a point",
    allocated: "bytes allocated a point",
    bytes: "bytes a player",
  };
  return {
    id: "cost",
    title: `cost, by turns in one process, ${ROUNDS - 3} rounds of ${POINTS.toLocaleString("en")} points`,
    rowTitle: "what",
    columns: Object.entries(titles).map(([key, title]) => ({ key, title })),
    rows,
  };
}
