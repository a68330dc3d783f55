/**
 * What players notice when a part of a cluster is killed, stops or is started again: `npm run cluster:failover`, see `USAGE`. It
 * starts a broker and nodes as processes of this machine and connects clients from processes of their own: bots of all games, and
 * clients of Slime Online 2 that write and read bytes by hand. It prints one line of JSON for each time and one for all.
 */
import { natsCluster } from "@wirewalk/nats";
import { defaultDialect } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import type { LoadReport } from "./cluster/load-messages.ts";
import { Load } from "./cluster/load-process.ts";
import { ShadowWorld } from "./cluster/shadow-world.ts";
import { type NodePlan, TestCluster } from "./cluster/test-cluster.ts";
import { checkKnown, checkWhole, parseOptions } from "./options.ts";

const USAGE = `npm run cluster:failover -- [--what kill] [--times 3] [--clients 100] [--raw 20] [--step-ms 200] [--games all] [--processes 2]
    [--lease-ms 2000] [--gone-ms 10000] [--at others] [--seed 1] [--max-seconds 360]

--what     nothing    what the load costs: messages of clients and processor time of each process in 10 s
           kill       kill -9 of the owner of Slime Online 2 (nodes: two gateways, two owners)
           stop       SIGSTOP of that owner, SIGCONT after --gone-ms
           hand-over  SIGTERM to that owner
           gateway    kill -9 of a gateway: its clients connect to the other one
           broker     kill -9 of the broker; after --gone-ms an empty one is at its place
                      (three nodes; --at owner has all clients at the gateway of the owner's process)
           rolling    SIGTERM to each of three nodes in turn, each is started again
--clients  of all games together; --raw of them write and read bytes of their own, a key each --step-ms, 40 in a room`;

const { values } = parseOptions(USAGE, {
  options: {
    what: { type: "string", default: "kill" },
    times: { type: "string", default: "3" },
    clients: { type: "string", default: "100" },
    raw: { type: "string", default: "20" },
    "step-ms": { type: "string", default: "200" },
    games: { type: "string", default: "all" },
    processes: { type: "string", default: "2" },
    "lease-ms": { type: "string", default: "2000" },
    "gone-ms": { type: "string", default: "10000" },
    at: { type: "string", default: "others" },
    seed: { type: "string", default: "1" },
    "max-seconds": { type: "string", default: "360" },
    help: { type: "boolean" },
  },
});
checkWhole(values, ["times", "clients", "raw", "step-ms", "processes", "lease-ms", "gone-ms", "seed", "max-seconds"]);
checkKnown("what", values.what, ["nothing", "kill", "stop", "hand-over", "gateway", "broker", "rolling"]);
checkKnown("games", values.games, ["all", ...Object.keys(protocols)]);
checkKnown("at", values.at, ["others", "owner"]);
const SLIME = "slime-online-2";
const BOTH = ["gateway", "owner"] as const;
const PLANS: Readonly<Record<string, readonly NodePlan[]>> = {
  split: [
    { name: "g1", roles: ["gateway"] },
    { name: "g2", roles: ["gateway"] },
    { name: "o1", roles: ["owner"] },
    { name: "o2", roles: ["owner"] },
  ],
  three: ["a", "b", "c"].map((name) => ({ name, roles: BOTH })),
};
/** After what happens: the longest pause that is to be seen, and some time of play. */
const AFTER_MS = 1_800;
const SETTLE_MS = 700;

const what = values.what;
const isThree = what === "broker" || what === "rolling";
const plans = PLANS[isThree ? "three" : "split"] ?? [];
const [times, clients, raw, processes, goneMs] = (["times", "clients", "raw", "processes", "gone-ms"] as const).map(
  (name) => Number(values[name]),
) as [number, number, number, number, number];
const games = values.games === "all" ? Object.keys(protocols) : values.games.split(",");
const endMs = performance.now() + Number(values["max-seconds"]) * 1000;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Measured = Readonly<Record<string, unknown>>;

const cluster = new TestCluster({
  plans,
  leaseMs: Number(values["lease-ms"]),
  flags: [
    "--listen",
    `${SLIME}=0`,
    "--all",
    "--dialect",
    `${SLIME}=documented`,
    "--sessions-per-address",
    "20000",
    "--seed",
    "1",
  ],
});
await cluster.startBroker();
const member = await natsCluster({ url: cluster.url, name: "measure", info: { isObserver: true } });
// The shadows subscribe before any node starts, so that they receive the first batch.
const shadows = new Map(
  Object.values(protocols).map((protocol) => {
    const dialect = protocol.name === SLIME ? "documented" : defaultDialect(protocol);
    return [protocol.name, new ShadowWorld(member, protocol, dialect)];
  }),
);
const slime = shadows.get(SLIME) as ShadowWorld;
const loads: Load[] = [];
let isFailed = false;
try {
  await cluster.startAll();
  while ([...(await owners()).values()].includes(undefined)) await sleep(100);
  // Worlds move between nodes that have just started: clients are to stay where the owner is.
  if (what === "broker") await sleep(15_000);
  await startLoads();
  await sleep(3_000);
  const results: Measured[] = [];
  for (let n = 0; n < times && performance.now() < endMs; n += 1) {
    const result = await measure(n);
    results.push(result);
    console.log(JSON.stringify(result));
  }
  const outages = results.map(({ outageMs }) => Number(outageMs)).sort((a, b) => a - b);
  const agree = results.every(({ digestsAgree }) => digestsAgree === true);
  const sum = (name: string): number => results.reduce((all, each) => all + Number(each[name] ?? 0), 0);
  const all = {
    what,
    times: results.length,
    clients,
    outageP50Ms: outages[outages.length >> 1],
    outageMaxMs: outages.at(-1),
    backMaxMs: Math.max(...results.map(({ backMaxMs }) => Number(backMaxMs ?? 0))),
    ...Object.fromEntries(["keys", "missing", "repeated", "moved", "lost", "stale"].map((name) => [name, sum(name)])),
    digestsAgree: agree,
  };
  console.log(JSON.stringify(all));
  isFailed = !agree || all.outageP50Ms === undefined;
} finally {
  for (const load of loads) await load.stop();
  await member.close();
  await cluster.stop();
}
process.exit(isFailed ? 1 : 0);

async function owners(): Promise<ReadonlyMap<string, string | undefined>> {
  return new Map(
    await Promise.all([...shadows].map(async ([game, shadow]) => [game, (await shadow.owner())?.node] as const)),
  );
}

async function startLoads(): Promise<void> {
  const owner = (await slime.owner())?.node;
  const isAt = (name: string): boolean => what !== "broker" || (name === owner) === (values.at === "owner");
  const gateways = Object.fromEntries(
    [...cluster.nodes.values()].flatMap(({ name, roles, http }) =>
      roles.includes("gateway") && isAt(name) ? [[name, http]] : [],
    ),
  );
  // Without the broker a gateway plays only the worlds of its own process.
  const played = what === "broker" ? [SLIME] : games;
  const perGame = Math.ceil((clients - raw) / played.length / processes);
  for (let n = 0; n < processes; n += 1) {
    const bots = Object.fromEntries(played.map((game) => [game, perGame]));
    const plan = {
      gateways,
      bots,
      raw: Math.ceil(raw / processes),
      stepMs: Number(values["step-ms"]),
      first: n * 10_000,
      seed: Number(values.seed),
    };
    loads.push(await Load.start(plan));
  }
}

async function measure(n: number): Promise<Measured> {
  for (const load of loads) load.ask("reset");
  const [sentBefore, cpuBefore] = [(await reports()).sent, cluster.processorMs()];
  await sleep(what === "nothing" ? 10_000 : 1_500);
  const [usual, cpuAfter] = [await reports(), cluster.processorMs()];
  const usualSent = usual.sent - sentBefore;
  const cpuMs = Object.fromEntries(Object.entries(cpuAfter).map(([name, ms]) => [name, ms - (cpuBefore[name] ?? 0)]));
  for (const load of loads) load.ask("reset");
  const staleBefore = [...shadows.values()].reduce((all, { stale }) => all + stale, 0);
  for (const shadow of shadows.values()) shadow.switchMs = undefined;
  while ((await slime.owner()) === undefined) await sleep(100);
  const [before, owner] = [slime.epoch, (await slime.owner())?.node ?? ""];
  const restarted = await strike(owner, n);
  await sleep(AFTER_MS);
  const seen = await reports();
  if (restarted !== undefined) await cluster.start(restarted);
  await sleep(SETTLE_MS);
  const disagree: string[] = [];
  for (const [game, shadow] of shadows) {
    const problem = await shadow.problem();
    if (problem !== undefined) disagree.push(`${game}: ${problem}`);
  }
  const stale = [...shadows.values()].reduce((all, each) => all + each.stale, 0) - staleBefore;
  const { movesMs, reasons } = seen;
  return {
    n,
    owner,
    usualMs: usual.pausesMs,
    usualSent,
    usualCpuMs: cpuMs,
    outageMs: seen.pausesMs.raw ?? Math.max(0, ...Object.values(seen.pausesMs)),
    pausesMs: seen.pausesMs,
    // Of the worlds that changed their owner: for so long nothing was carried out.
    switchMs: Object.fromEntries(
      [...shadows].flatMap(([game, { switchMs }]) => (switchMs === undefined ? [] : [[game, switchMs]])),
    ),
    keys: seen.keys,
    // Clients that come back have other ids, which others had before.
    ...(seen.moved === 0 ? { missing: seen.missing, repeated: seen.repeated } : {}),
    connected: seen.connected,
    moved: seen.moved,
    lost: seen.lost,
    ...(movesMs.length > 0 ? { backP50Ms: movesMs[movesMs.length >> 1], backMaxMs: movesMs.at(-1) } : {}),
    ...(Object.keys(reasons).length > 0 ? { reasons } : {}),
    epochs: [before, slime.epoch],
    stale,
    digestsAgree: disagree.length === 0,
    ...(disagree.length > 0 ? { disagree } : {}),
  };
}

/** Does what is to be measured. The result is a node that must be started again. */
async function strike(owner: string, n: number): Promise<string | undefined> {
  switch (what) {
    case "nothing":
      return undefined;
    case "kill":
      cluster.signal(owner, "SIGKILL");
      await cluster.ended(owner);
      return owner;
    case "stop":
      cluster.signal(owner, "SIGSTOP");
      await sleep(goneMs);
      cluster.signal(owner, "SIGCONT");
      return undefined;
    case "hand-over":
      cluster.signal(owner, "SIGTERM");
      await cluster.ended(owner);
      return owner;
    case "gateway": {
      const gateway = n % 2 === 0 ? "g1" : "g2";
      cluster.signal(gateway, "SIGKILL");
      await cluster.ended(gateway);
      return gateway;
    }
    case "broker":
      cluster.killBroker();
      await sleep(goneMs);
      await cluster.startBroker();
      return undefined;
    case "rolling": {
      const node = ["a", "b", "c"][n % 3] ?? "a";
      cluster.signal(node, "SIGTERM");
      await cluster.ended(node);
      return node;
    }
    default:
      throw new Error(`--what ${what} is unknown`);
  }
}

/** The reports of all processes: of the clients of each game the longest pause. */
async function reports() {
  const all = await Promise.all(loads.map((load) => load.report()));
  const sum = (of: (each: LoadReport) => number): number => all.reduce((total, each) => total + of(each), 0);
  const pausesMs: Record<string, number> = {};
  const reasons: Record<string, number> = {};
  for (const each of all) {
    for (const [game, of] of Object.entries(each.pausesMs)) pausesMs[game] = Math.max(pausesMs[game] ?? 0, ...of);
    for (const [reason, count] of Object.entries(each.reasons)) reasons[reason] = (reasons[reason] ?? 0) + count;
  }
  return {
    pausesMs,
    reasons,
    movesMs: all.flatMap(({ movesMs }) => movesMs).sort((a, b) => a - b),
    connected: sum(({ connected }) => connected),
    sent: sum(({ sent }) => sent),
    moved: sum(({ moved }) => moved),
    lost: sum(({ lost }) => lost),
    keys: sum(({ keys }) => keys),
    missing: sum(({ missing }) => missing),
    repeated: sum(({ repeated }) => repeated),
  };
}
