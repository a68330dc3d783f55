/**
 * What spectators cost: `npm run cluster:spectators`, see `USAGE`. It starts a broker, an owner and two gateways with pages as processes
 * of this machine, lets players of Slime Online 2 walk in one room, and opens pages that watch the room. It prints a line of JSON for each
 * number of spectators: the processor time of every process, messages from the owner, and what the spectators were sent.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { connectWebSocket, systemClock } from "wirewalk/net";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { startFlock } from "../packages/cli/src/process/flock.ts";
import type { SpectatorsPlan, SpectatorsReport } from "./cluster/spectators.ts";
import { TestCluster } from "./cluster/test-cluster.ts";
import { parseOptions } from "./options.ts";

const USAGE = `npm run cluster:spectators -- [--spectators 0,2,1000] [--players 20] [--seconds 10]

Spectators of one room on two gateways: one subscription for each gateway, whatever their number.`;

const { values } = parseOptions(USAGE, {
  options: {
    spectators: { type: "string", default: "0,2,1000" },
    players: { type: "string", default: "20" },
    seconds: { type: "string", default: "10" },
    help: { type: "boolean" },
  },
});
const GAME = slimeOnline2.name;
const DIALECT = "v0106";
const ROOM = 1;
const GATEWAYS = ["g1", "g2"];
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const cluster = new TestCluster({
  plans: [
    { name: "o1", roles: ["owner"] },
    ...GATEWAYS.map((name) => ({ name, roles: ["gateway", "spectator"] as const })),
  ],
  leaseMs: 2_000,
  flags: ["--listen", `${GAME}=0`, "--dialect", `${GAME}=${DIALECT}`, "--sessions-per-address", "20000"],
});
await cluster.startBroker();
let isFailed = false;
try {
  await cluster.startAll();
  const ports = GATEWAYS.map((name) => cluster.nodes.get(name)?.http ?? 0);
  const flock = startFlock({
    protocol: slimeOnline2,
    dialect: DIALECT,
    cheat: "none",
    rooms: [ROOM],
    count: Number(values.players),
    seed: 1,
    clock: systemClock,
    connect: (bot) =>
      connectWebSocket(
        new URL(`ws://127.0.0.1:${ports[bot % ports.length]}/ws/${GAME}?account=bot-${bot}&room=${ROOM}`),
      ),
  });
  await flock.opened;
  await sleep(2_000);
  for (const count of values.spectators.split(",").map(Number)) {
    const result = await measure(count, ports);
    console.log(JSON.stringify(result));
    isFailed ||= result.isWrong;
  }
  await flock.stop();
} finally {
  await cluster.stop();
}
process.exit(isFailed ? 1 : 0);

async function measure(count: number, ports: readonly number[]) {
  const plan: SpectatorsPlan = { ports, count, world: GAME, room: String(ROOM) };
  const child = count === 0 ? undefined : await startSpectators(plan);
  await sleep(1_000);
  child?.send("reset");
  const [beganMs, before, sentBefore] = [performance.now(), cpuSeconds(), await shown()];
  await sleep(Number(values.seconds) * 1000);
  const [after, sentAfter] = [cpuSeconds(), await shown()];
  const seconds = (performance.now() - beganMs) / 1000;
  const report = child === undefined ? undefined : await reportOf(child);
  const subscriptions = await Promise.all(ports.map((port) => metric(port, "wirewalk_cluster_spectated_rooms")));
  if (child !== undefined) {
    child.send("stop");
    await once(child, "exit");
  }
  const sorted = [...(report?.snapshots ?? [])].sort((a, b) => a - b);
  const perSecond = (value: number): number => Math.round((10 * value) / seconds) / 10;
  const cores = Object.entries(after).map(([name, used]): [string, number] => {
    return [name, Math.round((1_000 * (used - (before[name] ?? 0))) / seconds) / 1_000];
  });
  return {
    spectators: count,
    connected: report?.connected ?? 0,
    /** Of the room, in all. */
    subscriptions: subscriptions.reduce((all, each) => all + each, 0),
    ownerMessagesPerSecond: perSecond(sentAfter - sentBefore),
    cores: Object.fromEntries(cores),
    snapshotsPerSecond: { least: perSecond(sorted[0] ?? 0), median: perSecond(sorted[sorted.length >> 1] ?? 0) },
    kilobytesPerSecond: perSecond((report?.bytes ?? 0) / 1000),
    longestGapMs: Math.round(report?.longestGapMs ?? 0),
    playersSeen: [...new Set(report?.players)],
    isWrong: (report?.connected ?? 0) !== count || (report?.unreadable ?? 0) > 0,
  };
}

async function startSpectators(plan: SpectatorsPlan): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("cluster/spectators.ts", import.meta.url));
  const child = fork(script, [JSON.stringify(plan)], { execArgv: ["-C", "wirewalk-source"] });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("The process of spectators has ended")));
  await Promise.race([once(child, "message"), ended]);
  ended.catch(() => {});
  return child;
}

async function reportOf(child: ChildProcess): Promise<SpectatorsReport> {
  child.send("report");
  const [report] = (await once(child, "message")) as [SpectatorsReport];
  return report;
}

/** Processor time so far of each process of the cluster. */
function cpuSeconds(): Readonly<Record<string, number>> {
  const pids = new Map([...cluster.nodes].map(([name, node]) => [name, node.process.pid ?? 0]));
  pids.set("broker", cluster.brokerPid);
  return Object.fromEntries(
    Array.from(pids, ([name, pid]) => {
      // The second field is the program's name in brackets, which may have spaces.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return [name, (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND];
    }),
  );
}

function shown(): Promise<number> {
  return metric(cluster.nodes.get("o1")?.http ?? 0, "wirewalk_cluster_shown_total");
}

async function metric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{world="${GAME}"\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}
