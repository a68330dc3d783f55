/**
 * The relay: how much later messages arrive that pass through `wirewalk relay`. Client, server and relay are processes of their
 * own, and both ends send at the same time. Rounds without a relay, with one that reads nothing and with ours take turns.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Benchmark, Contestant, interleaved, ROUNDS } from "../harness.ts";
import { median, quantile, type Report } from "../report.ts";
import { RATE, type Round, type RoundTimes, type ServerReady } from "./workload.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/wirewalk.js", import.meta.url));
/** The promise, in microseconds. */
const ALLOWED_US = 50;
/** Messages of the start of a round: the processes are still warming up. */
const SKIPPED = 1_000;

const ways = ["direct", "bare", "relay"] as const;
type Way = (typeof ways)[number];
const wayNames: Readonly<Record<Way, string>> = {
  direct: "direct",
  bare: "through Node's pipe",
  relay: "through the relay",
};
const directions = ["client to server", "server to client"] as const;

/** One round: delays by direction, and what the relay between used of a processor. */
interface Sample {
  readonly delays: readonly Delays[];
  /** Of the relay's process, in microseconds a message; undefined without a relay. */
  readonly processorUs: number | undefined;
}

interface Delays {
  readonly medianUs: number;
  readonly p99Us: number;
  readonly perSecond: number;
}

async function startRelay(port: number): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const args = ["relay", "slime-online-2", "--dialect", "v0106", "--listen", "0", "--to", `127.0.0.1:${port}`];
  const child = spawn(process.execPath, [BIN, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  while (!text.includes("\n")) text += String((await once(child.stdout as NodeJS.ReadableStream, "data"))[0]);
  // What it prints is read and dropped.
  child.stdout?.resume();
  return { child, port: Number(/127\.0\.0\.1:(\d+) ->/.exec(text)?.[1]) };
}

async function measure(
  { client, server }: { readonly client: Contestant; readonly server: Contestant },
  round: Round,
  pid: number | undefined,
): Promise<Sample> {
  const before = processorMs(pid);
  server.send(round);
  client.send(round);
  const [atClient, atServer] = await Promise.all([client.next<RoundTimes>(), server.next<RoundTimes>()]);
  const after = processorMs(pid);
  const messages = atClient.receivedUs.length + atServer.receivedUs.length;
  return {
    delays: [delaysOf(atClient, atServer, round), delaysOf(atServer, atClient, round)],
    processorUs: before === undefined || after === undefined ? undefined : ((after - before) * 1000) / messages,
  };
}

/** What a process has used of all processors, to 10 ms; undefined where the system does not say. */
function processorMs(pid: number | undefined): number | undefined {
  try {
    // Behind the name, which may hold anything, fields 14 and 15 are user and system time in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

function delaysOf({ sentUs }: RoundTimes, { receivedUs }: RoundTimes, { measureMs }: Round): Delays {
  if (receivedUs.length !== sentUs.length) throw new Error(`${sentUs.length} sent, ${receivedUs.length} received`);
  const delays = receivedUs.map((at, index) => at - (sentUs[index] as number)).slice(SKIPPED);
  return {
    medianUs: median(delays),
    p99Us: quantile(delays, 0.99),
    perSecond: receivedUs.length / (measureMs / 1000),
  };
}

async function run(quick: boolean): Promise<Report> {
  const [rounds, measureMs] = quick ? [1, 500] : [ROUNDS, 2_000];
  const server = new Contestant(new URL("./end.ts", import.meta.url), { side: "server" });
  const client = new Contestant(new URL("./end.ts", import.meta.url), { side: "client" });
  const { port } = await server.next<ServerReady>();
  await client.next<"ready">();
  const relay = await startRelay(port);
  const bare = new Contestant(new URL("./bare.ts", import.meta.url), { port });
  const ports: Readonly<Record<Way, number>> = {
    direct: port,
    bare: (await bare.next<ServerReady>()).port,
    relay: relay.port,
  };
  const pids: Readonly<Record<Way, number | undefined>> = {
    direct: undefined,
    bare: bare.pid,
    relay: relay.child.pid,
  };
  const measureWay = (way: Way): Promise<Sample> =>
    measure({ client, server }, { port: ports[way], measureMs }, pids[way]);
  let found: ReadonlyMap<Way, readonly Sample[]>;
  try {
    for (const way of ways) await measureWay(way);
    found = await interleaved(ways, rounds, measureWay);
  } finally {
    relay.child.kill("SIGTERM");
    await Promise.all([client.end(), server.end(), bare.end()]);
  }
  const delaysOn = (way: Way, index: number): readonly Delays[] =>
    (found.get(way) ?? []).map(({ delays }) => delays[index] as Delays);
  const rows = directions.flatMap((direction, index) =>
    ways.map((way) => {
      const all = delaysOn(way, index);
      const direct = delaysOn("direct", index);
      return {
        name: `${direction}, ${wayNames[way]}`,
        isOurs: way === "relay",
        group: direction,
        cells: {
          rate: all.map(({ perSecond }) => perSecond),
          processor: (found.get(way) ?? []).flatMap(({ processorUs }) => processorUs ?? []),
          median: all.map(({ medianUs }) => medianUs),
          p99: all.map(({ p99Us }) => p99Us),
          added:
            way === "direct" ? "" : all.map(({ medianUs }, round) => medianUs - (direct[round] as Delays).medianUs),
        },
      };
    }),
  );
  const added = rows.flatMap(({ isOurs, cells: { added: each } }) =>
    isOurs && typeof each !== "string" ? [median(each)] : [],
  );
  const worst = Math.max(...added);
  return {
    method: `${rounds} rounds of ${measureMs / 1000} s; ${RATE.toLocaleString("en")} messages a second each way, by the clock that all processes share; without the first ${SKIPPED.toLocaleString("en")} messages of a round.`,
    tables: [
      {
        id: "delay",
        title: "from one end to the other",
        rowTitle: "way",
        columns: [
          { key: "rate", title: "messages/s", digits: 0 },
          { key: "median", title: "median, µs", digits: 0 },
          { key: "p99", title: "99th percentile, µs", digits: 0 },
          { key: "added", title: "added, µs", digits: 0 },
          { key: "processor", title: "processor of the relay, µs a message" },
        ],
        rows,
      },
    ],
    promises: [
      {
        promise: `the relay adds at most ${ALLOWED_US} µs in the median, at ${RATE.toLocaleString("en")} messages a second each way`,
        measured: `${worst.toFixed(0)} µs`,
        held: worst <= ALLOWED_US,
      },
    ],
    charts: [],
    contenders: [],
    notes: [
      "The relay reads, judges and prints every message, and a process reads what it prints.",
      "Three processes send and receive at once: on a machine with two cores they wait for each other too.",
    ],
  };
}

export const relay: Benchmark = {
  summary: "delay that the relay adds, at 10,000 messages a second each way",
  run,
};
