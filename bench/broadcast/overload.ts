/**
 * Many rooms, one large map with a cipher for each recipient, and a server that has a third of a core: what is late, by how
 * much, and what it costs.
 */
import { type Benchmark, interleaved, median, printPromise, printTable } from "../harness.ts";
import { measureScene, type Result, type Scene } from "./scene.ts";
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

const milliseconds = (value: number): string => (Number.isNaN(value) ? "-" : value.toFixed(0));
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function benchmark(name: string, summary: string, warmupMs: number): Benchmark {
  const entries = scenes[name] ?? [];
  return {
    summary,
    async run(quick) {
      const [counts, measureMs] = quick ? [1, 4_000] : [3, 10_000];
      console.log(
        `${MESSAGES_PER_SECOND} messages/s each, everyone to everyone in the room; medians of ${counts} interleaved rounds of ${measureMs / 1000} s`,
      );
      const results = await interleaved(entries, counts, (scene) => measureScene(scene, warmupMs, measureMs));
      const middle = (scene: Scene, field: keyof Result): number =>
        median((results.get(scene as Promised) ?? []).map((result) => result[field]));
      printTable([
        ["scene", "delivered/s", "share", "CPU ns/delivery", "cores", "p50 ms", "p99 ms", "pace kept", "closed", "MiB"],
        ...entries.map((scene) => [
          scene.title,
          `${Math.round(middle(scene, "deliveredPerSecond") / 1000)} k`,
          percent(middle(scene, "deliveredShare")),
          Math.round(middle(scene, "cpuNsPerDelivery")).toString(),
          middle(scene, "cores").toFixed(2),
          milliseconds(middle(scene, "p50Ms")),
          milliseconds(middle(scene, "p99Ms")),
          percent(middle(scene, "paceShare")),
          middle(scene, "closed").toString(),
          middle(scene, "rssMib").toFixed(0),
        ]),
      ]);
      for (const scene of entries) {
        const p99Ms = middle(scene, "p99Ms");
        const cores = middle(scene, "cores");
        const closed = middle(scene, "closed");
        const share = middle(scene, "deliveredShare");
        const isCheap = scene.cores === undefined || cores <= scene.cores;
        const bound = scene.cores === undefined ? "" : ` on ${scene.cores} core`;
        printPromise(
          `${scene.title}: everything delivered, p99 <= ${scene.p99Ms} ms${bound}`,
          `${percent(share)}, ${milliseconds(p99Ms)} ms, ${cores.toFixed(2)} cores, ${closed} closed`,
          share > 0.97 && closed === 0 && p99Ms <= scene.p99Ms && isCheap,
        );
      }
    },
  };
}

export const broadcastRooms = benchmark("rooms", "2,000 and 3,000 sockets in rooms of 50", 5_000);
export const broadcastMap = benchmark("map", "200 and 500 players of MapleStory v62 on one map, over TCP", 8_000);
export const broadcastNeighbours = benchmark(
  "neighbours",
  "2,000 sockets in rooms of 50 with a third of a core (Linux)",
  15_000,
);
