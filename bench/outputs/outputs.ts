/**
 * Outputs, cases and dismissals beside the play: how long messages take from one client to another, while cheats make verdicts and their
 * receivers are slow, dead or lie. Clients, receivers, servers and relays are processes of their own; all servers are in one process and
 * take turns, so that what slows the machine slows them all.
 */
import { type Benchmark, Contestant, interleaved } from "../harness.ts";
import { median, type Promised, quantile, type Report } from "../report.ts";
import {
  type Asked,
  type Kind,
  kinds,
  type PlayersTask,
  type ReceiverPorts,
  type RoundTimes,
  type RunningKind,
  type ServersTask,
  type Told,
} from "./workload.ts";

const ROUNDS = 7;
/** The promise: a p99 so many times that of the same without an output is noise of a busy machine. */
const ALLOWED = 1.25;

interface Sample {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the thread that has the game, for each message of a client. */
  readonly threadUs: number;
  /** Cases and dismissals that were answered meanwhile. */
  readonly done: number;
  readonly arrived: number;
}

interface Compared extends Sample {
  readonly plainP99Ms: number;
}

interface Processes {
  readonly receivers: Contestant;
  readonly players: Contestant;
  readonly of: Readonly<Record<Kind["is"], { readonly process: Contestant; readonly started: readonly RunningKind[] }>>;
}

async function measure({ receivers, players, of }: Processes, kind: Kind, measureMs: number): Promise<Sample> {
  const { process, started } = of[kind.is];
  const http = started.find(({ name }) => name === kind.name)?.http ?? 0;
  if (kind.beside !== undefined) receivers.send({ http, beside: kind.beside });
  const before = await process.ask<{ readonly ns: number }>("cpu");
  players.send({ kind: kind.name, measureMs });
  const { delaysMs, sent, cheated } = await players.next<RoundTimes>();
  const after = await process.ask<{ readonly ns: number }>("cpu");
  let done = 0;
  if (kind.beside !== undefined) {
    receivers.send("stop");
    done = (await receivers.next<Asked>()).answered;
  }
  return {
    p50Ms: quantile(delaysMs, 0.5),
    p99Ms: quantile(delaysMs, 0.99),
    threadUs: (after.ns - before.ns) / 1_000 / (sent + cheated),
    done,
    arrived: delaysMs.length / sent,
  };
}

async function startServers(task: ServersTask) {
  const process = new Contestant(new URL("./servers.ts", import.meta.url), task);
  const { started, behind } = await process.next<{
    readonly started: readonly RunningKind[];
    readonly behind: readonly number[];
  }>();
  return { process, started, behind };
}

async function run(quick: boolean): Promise<Report> {
  const [rounds, measureMs] = quick ? [2, 700] : [ROUNDS, 2_000];
  const receivers = new Contestant(new URL("./receivers.ts", import.meta.url), {});
  const ports = await receivers.next<ReceiverPorts>();
  const server = await startServers({ is: "server", receivers: ports, to: [] });
  const relay = await startServers({ is: "relay", receivers: ports, to: server.behind });
  const started = [...server.started, ...relay.started];
  const players = new Contestant(new URL("./players.ts", import.meta.url), {
    ports: Object.fromEntries(started.map(({ name, port }) => [name, port])),
  } satisfies PlayersTask);
  await players.next<"playing">();
  const taking = kinds.filter(({ name }) => started.some((each) => each.name === name));
  /** Without output, and with nothing done beside it. */
  const plainOf = ({ is }: Kind): Kind =>
    taking.find((each) => each.is === is && each.output === "none" && each.beside === undefined) as Kind;
  let found: ReadonlyMap<Kind, readonly Compared[]>;
  let told: Readonly<Record<string, Told>>;
  try {
    const processes = { receivers, players, of: { server, relay } };
    for (const kind of taking) await measure(processes, kind, measureMs);
    // What it is compared with is measured just before it: on a machine with other work a minute ago was another machine.
    found = await interleaved(taking, rounds, async (kind) => {
      const plain = await measure(processes, plainOf(kind), measureMs);
      return { ...(await measure(processes, kind, measureMs)), plainP99Ms: plain.p99Ms };
    });
    told = { ...(await server.process.ask<typeof told>("told")), ...(await relay.process.ask<typeof told>("told")) };
  } finally {
    await server.process.ask("tidy");
    await relay.process.ask("tidy");
    await Promise.all([players, server.process, relay.process, receivers].map((each) => each.end()));
  }
  const p99sOf = (samples: readonly Sample[]): readonly number[] => samples.map(({ p99Ms }) => p99Ms);
  const ratiosOf = (kind: Kind): readonly number[] =>
    (found.get(kind) ?? []).map(({ p99Ms, plainP99Ms }) => p99Ms / plainP99Ms);
  const promised = (is: Kind["is"]): Promised => {
    const others = taking.filter((kind) => kind.is === is && (kind.output !== "none" || kind.beside !== undefined));
    const worst = others.toSorted((a, b) => median(ratiosOf(b)) - median(ratiosOf(a)))[0];
    const ratio = worst === undefined ? Number.NaN : median(ratiosOf(worst));
    return {
      promise: `p99 of a ${is}'s game stays within ${ALLOWED} x of that without outputs, whatever receivers do, and beside cases and dismissals`,
      measured: `${ratio.toFixed(2)} x at most, ${worst?.name}`,
      held: ratio <= ALLOWED,
    };
  };
  const all = [...found.values()].flat();
  return {
    method: `${rounds} rounds of ${measureMs / 1000} s for each, by turns: 20 honest players with 10 messages/s each, timed to another client, and 5 cheats with 20 messages/s each, on a server nearly every one a verdict; every output is told all of them, webhooks up to 6,000 a minute. Ratios are to the same without output, measured just before. ${(median(all.map(({ arrived }) => arrived)) * 100).toFixed(1)} % of the timed messages arrived, in the median.`,
    tables: [
      {
        id: "p99",
        title: "from one client to another",
        rowTitle: "server or relay",
        columns: [
          { key: "p50", title: "p50 ms", digits: 2 },
          { key: "p99", title: "p99 ms", digits: 2 },
          { key: "ratio", title: "p99 to that without", digits: 2, suffix: " x" },
          { key: "thread", title: "game's thread, µs a message", digits: 0 },
          { key: "told", title: "told", digits: 0 },
          { key: "failed", title: "failed", digits: 0 },
          { key: "dropped", title: "dropped", digits: 0 },
          { key: "waiting", title: "on their way", digits: 0 },
          { key: "done", title: "done beside, a round", digits: 0 },
        ],
        rows: taking.map((kind) => {
          const samples = found.get(kind) ?? [];
          const counts = told[kind.name];
          const count = (of: keyof Told) => (kind.output === "none" || counts === undefined ? "" : [counts[of]]);
          return {
            name: kind.name,
            isOurs: true,
            cells: {
              p50: samples.map(({ p50Ms }) => p50Ms),
              p99: p99sOf(samples),
              ratio: ratiosOf(kind),
              thread: samples.map(({ threadUs }) => threadUs),
              told: count("told"),
              failed: count("failed"),
              dropped: count("dropped"),
              waiting: count("waiting"),
              done: kind.beside === undefined ? "" : samples.map(({ done }) => done),
            },
          };
        }),
      },
    ],
    promises: [promised("server"), promised("relay")],
    charts: [],
    contenders: [],
    notes: [
      "Cases and dismissals are made in threads, which take a processor of their own: with two of them, or beside other work, they slow everything a little.",
    ],
  };
}

export const outputs: Benchmark = {
  summary: "outputs that are slow, dead or lie, cases and dismissals: what they cost the game, by p99 between clients",
  run,
};
