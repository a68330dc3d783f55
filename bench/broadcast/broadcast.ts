/**
 * Broadcast: 500 sockets, 10 messages a second each, everyone to everyone in one room: 2.5 million deliveries a second.
 * The load client, and every server, is a process of its own; a server measures its own CPU time.
 */
import { type Benchmark, interleaved, median, printPromise, printTable } from "../harness.ts";
import { measureScene, type Result, type Scene } from "./scene.ts";
import { MESSAGES_PER_SECOND, SOCKETS } from "./workload.ts";

const ws = new URL("./ws-server.ts", import.meta.url);
const wirewalk = new URL("./wirewalk-server.ts", import.meta.url);

const plain: Scene = {
  title: "ws, send per recipient",
  server: ws,
  carrier: "websocket",
  messages: "relay",
  sockets: SOCKETS,
};
const oursWebSocket: Scene = {
  title: "wirewalk, WebSocket",
  server: wirewalk,
  carrier: "websocket",
  messages: "relay",
  sockets: SOCKETS,
};
const oursTcp: Scene = {
  title: "wirewalk, TCP",
  server: wirewalk,
  carrier: "tcp",
  messages: "relay",
  sockets: SOCKETS,
};
const slime: Scene = {
  title: "wirewalk, Slime Online 2",
  server: wirewalk,
  carrier: "websocket",
  messages: "slime",
  sockets: SOCKETS,
};

const milliseconds = (value: number): string => (Number.isNaN(value) ? "-" : value.toFixed(1));
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

async function run(quick: boolean): Promise<void> {
  const entries = [plain, oursWebSocket, oursTcp, slime];
  const [rounds, warmupMs, measureMs] = quick ? [1, 1_000, 2_000] : [3, 2_000, 5_000];
  console.log(
    `${SOCKETS} sockets, ${MESSAGES_PER_SECOND} messages/s each, everyone to everyone; medians of ${rounds} interleaved rounds of ${measureMs / 1000} s`,
  );
  const results = await interleaved(entries, rounds, (entry) => measureScene(entry, warmupMs, measureMs));
  const middle = (entry: Scene, field: keyof Result): number =>
    median((results.get(entry) ?? []).map((result) => result[field]));

  const rows = entries.map((entry) => [
    entry.title,
    `${Math.round(middle(entry, "deliveredPerSecond") / 1000)} k`,
    percent(middle(entry, "deliveredShare")),
    Math.round(middle(entry, "cpuNsPerDelivery")).toString(),
    milliseconds(middle(entry, "p50Ms")),
    milliseconds(middle(entry, "p99Ms")),
    percent(middle(entry, "paceShare")),
    middle(entry, "closed").toString(),
  ]);
  printTable([
    ["server", "delivered/s", "share", "CPU ns/delivery", "p50 ms", "p99 ms", "pace kept", "closed"],
    ...rows,
  ]);

  for (const entry of [oursWebSocket, oursTcp]) {
    const share = middle(entry, "deliveredShare");
    const p99Ms = middle(entry, "p99Ms");
    const ratio = middle(plain, "cpuNsPerDelivery") / middle(entry, "cpuNsPerDelivery");
    // A message that was sent just before the end is still on its way when the counting stops.
    const all = share > 0.995 && middle(entry, "closed") === 0 && middle(entry, "paceShare") > 0.99;
    printPromise(
      `${entry.title}: everything delivered with p99 <= 10 ms`,
      `${percent(share)} with p99 ${milliseconds(p99Ms)} ms`,
      all && p99Ms <= 10,
    );
    printPromise(`${entry.title}: <= 1/11 of the CPU of ws per delivery`, `1/${ratio.toFixed(1)}`, ratio >= 11);
  }
}

export const broadcast: Benchmark = {
  summary: "500 sockets, 10 messages/s each, everyone to everyone, against plain ws",
  run,
};
