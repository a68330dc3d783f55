/**
 * Many rooms, one large map with a cipher for each recipient, and a server that has a third of a core: what is late, by how
 * much, and what it costs.
 */
import type { Benchmark } from "../harness.ts";
import { median, type Report } from "../report.ts";
import { measureScenes, type Result, type Scene, sceneColumns, sceneRow } from "./scene.ts";
import { MESSAGES_PER_SECOND } from "./workload.ts";

const server = new URL("./wirewalk-server.ts", import.meta.url);
const ROOM = 50;

/** A scene and the promise about it. */
interface Promised extends Scene {
  readonly p99Ms: number;
  /** The most CPU, in cores. */
  readonly cores?: number;
}

const rooms = (sockets: number, carrier: Scene["carrier"], p99Ms: number): Promised => ({
  title: `${sockets} in rooms of ${ROOM}, ${carrier === "tcp" ? "TCP" : "WebSocket"}`,
  server,
  carrier,
  messages: "relay",
  sockets,
  roomSize: ROOM,
  p99Ms,
});

const scenes: Readonly<Record<string, readonly Promised[]>> = {
  rooms: [
    rooms(2_000, "websocket", 120),
    rooms(2_000, "tcp", 120),
    rooms(3_000, "websocket", 300),
    rooms(3_000, "tcp", 300),
  ],
  map: [200, 500].map((sockets) => ({
    title: `${sockets} on one map, MapleStory v62, TCP`,
    server,
    carrier: "tcp" as const,
    messages: "maplestory" as const,
    sockets,
    p99Ms: 250,
    cores: 1,
  })),
  neighbours: (["websocket", "tcp"] as const).map((carrier) => ({
    ...rooms(2_000, carrier, 1_000),
    title: `2000 in rooms of ${ROOM}, ${carrier === "tcp" ? "TCP" : "WebSocket"}, two busy neighbours on the core`,
    neighbours: 2,
  })),
};

function benchmark(name: string, summary: string, warmupMs: number): Benchmark {
  const entries = scenes[name] ?? [];
  const run = async (quick: boolean): Promise<Report> => {
    const effort = quick
      ? { rounds: 1, warmupMs: warmupMs / 2, windows: 1, windowMs: 3_000 }
      : { rounds: 2, warmupMs, windows: 4, windowMs: 2_000 };
    const results = await measureScenes(quick ? entries.slice(0, 1) : entries, effort);
    const measured = [...results.keys()] as Promised[];
    const middle = (scene: Scene, field: keyof Result): number =>
      median((results.get(scene) ?? []).map((result) => result[field]));
    return {
      method: `${MESSAGES_PER_SECOND} messages/s each, everyone to everyone in the room. ${effort.rounds} processes for each scene, by turns, and ${effort.windows} windows of ${effort.windowMs / 1000} s in each; a server measures the CPU time of its own process.`,
      tables: [
        {
          id: "scenes",
          title: summary,
          rowTitle: "scene",
          columns: sceneColumns,
          rows: measured.map((scene) => sceneRow(scene, results.get(scene) ?? [], true)),
        },
      ],
      promises: measured.map((scene) => {
        const p99Ms = middle(scene, "p99Ms");
        const cores = middle(scene, "cores");
        const closed = middle(scene, "closed");
        const share = middle(scene, "deliveredShare");
        const isCheap = scene.cores === undefined || cores <= scene.cores;
        const bound = scene.cores === undefined ? "" : ` on ${scene.cores} core`;
        return {
          promise: `${scene.title}: everything delivered, p99 <= ${scene.p99Ms} ms${bound}`,
          measured: `${(share * 100).toFixed(1)} %, ${p99Ms.toFixed(0)} ms, ${cores.toFixed(2)} cores, ${closed} closed`,
          held: share > 0.97 && closed === 0 && p99Ms <= scene.p99Ms && isCheap,
        };
      }),
      charts: [],
      contenders: [],
      notes: [],
    };
  };
  return { summary, run };
}

export const broadcastRooms = benchmark("rooms", "2,000 and 3,000 sockets in rooms of 50", 5_000);
export const broadcastMap = benchmark("map", "200 and 500 players of MapleStory v62 on one map, over TCP", 8_000);
export const broadcastNeighbours = benchmark(
  "neighbours",
  "2,000 sockets in rooms of 50 with a third of a core (Linux)",
  15_000,
);
