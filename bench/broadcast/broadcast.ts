/**
 * Broadcast: 500 sockets, 10 messages a second each, everyone to everyone in one room: 2.5 million deliveries a second.
 * The load client, and every server, is a process of its own; a server measures its own CPU time.
 */
import { type Benchmark, ROUNDS, versionOf } from "../harness.ts";
import { median, type Report, ratios } from "../report.ts";
import { measureScenes, type Result, type Scene, sceneColumns, sceneRow } from "./scene.ts";
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

const freeSlime: Scene = {
  ...slime,
  title: "wirewalk, Slime Online 2, young generation without limit",
  growsFreely: true,
};

/** Sockets of the chart. */
const chartSockets = [100, 200, 350];

async function run(quick: boolean): Promise<Report> {
  const entries = [plain, oursWebSocket, oursTcp, slime, freeSlime];
  const effort = quick
    ? { rounds: 1, warmupMs: 1_000, windows: 1, windowMs: 2_000 }
    : { rounds: ROUNDS, warmupMs: 1_000, windows: 1, windowMs: 1_600 };
  const results = await measureScenes(entries, effort);
  const sizes = (quick ? [] : [plain, oursWebSocket]).flatMap((entry) =>
    chartSockets.map((sockets): Scene => ({ ...entry, sockets })),
  );
  const few = await measureScenes(sizes, { ...effort, rounds: 1 });
  const values = (entry: Scene, field: keyof Result): readonly number[] =>
    ((entry.sockets === SOCKETS ? results : few).get(entry) ?? []).map((result) => result[field]);
  const middle = (entry: Scene, field: keyof Result): number => median(values(entry, field));

  const promises = [oursWebSocket, oursTcp].flatMap((entry) => {
    const share = middle(entry, "deliveredShare");
    const p99Ms = middle(entry, "p99Ms");
    const cheaper = ratios(values(plain, "cpuNsPerDelivery"), values(entry, "cpuNsPerDelivery"));
    const ratio = median(cheaper);
    // A message that was sent just before the end is still on its way when the counting stops.
    const all = share > 0.995 && middle(entry, "closed") === 0 && middle(entry, "paceShare") > 0.99;
    return [
      {
        promise: `${entry.title}: everything delivered with p99 <= 10 ms`,
        measured: `${(share * 100).toFixed(1)} % with p99 ${p99Ms.toFixed(1)} ms`,
        held: all && p99Ms <= 10,
      },
      {
        promise: `${entry.title}: <= 1/11 of the CPU of ws per delivery`,
        measured: `1/${ratio.toFixed(1)}`,
        held: ratio >= 11,
      },
    ];
  });
  const series = [plain, oursWebSocket].map((each) => ({
    name: each.title,
    isOurs: each !== plain,
    points: [...sizes.filter(({ title }) => title === each.title), each].map((scene) => ({
      x: scene.sockets,
      y: middle(scene, "cores"),
    })),
  }));
  return {
    method: `${SOCKETS} sockets, ${MESSAGES_PER_SECOND} messages/s each, everyone to everyone: 2.5 M deliveries/s. ${effort.rounds} rounds of ${effort.windowMs / 1000} s; a server measures the CPU time of its own process.`,
    tables: [
      {
        id: "servers",
        title: `${SOCKETS} sockets in one room`,
        rowTitle: "server",
        columns: sceneColumns,
        rows: entries.map((entry) => sceneRow(entry, results.get(entry) ?? [], entry !== plain)),
      },
    ],
    promises,
    charts: quick
      ? []
      : [
          {
            id: "cores",
            title: "Broadcast: CPU of the server",
            xTitle: "sockets in the room",
            yTitle: "cores",
            series,
          },
        ],
    contenders: [
      {
        name: "ws, send per recipient",
        version: versionOf("ws"),
        does: "relays a message to each of the others with one `send`",
        doesNot: "judge anything; merge messages",
      },
      {
        name: "wirewalk",
        version: "this workspace",
        does: "the same relay through sessions with budgets; one write per recipient and flush; Slime Online 2 with its world and its rules",
        doesNot: "send each message by itself: those of a flush share a write",
      },
    ],
    notes: [
      "Where `ws` does not keep up, its CPU and times are those of the messages that it delivered: messages queue up for as long as it lasts.",
    ],
  };
}

export const broadcast: Benchmark = {
  summary: "500 sockets, 10 messages/s each, everyone to everyone, against plain ws",
  run,
};
