/**
 * What it costs to spread one world over processes: `npm run cluster:cost`, see `USAGE`. The same clients play at a server without a
 * cluster, at a node that owns its worlds, and at a gateway whose owner is another process. It prints the processor time of each part for
 * each message of a client, with everything that follows from it for the others, as one line of JSON for each round and one for all.
 */
import { protocols } from "wirewalk/protocols";
import { Load } from "./cluster/load-process.ts";
import { type NodePlan, TestCluster } from "./cluster/test-cluster.ts";
import { checkKnown, checkWhole, parseOptions } from "./options.ts";

const USAGE = `npm run cluster:cost -- [--clients 100] [--raw 40] [--step-ms 200] [--games all] [--rounds 3] [--seconds 10]

--clients  of all games together, in a process of their own; --raw of them are clients of Slime Online 2, which press a key each --step-ms
--rounds   each of the three arrangements in turn, so often; medians are printed at the end`;

const { values } = parseOptions(USAGE, {
  options: {
    clients: { type: "string", default: "100" },
    raw: { type: "string", default: "40" },
    "step-ms": { type: "string", default: "200" },
    games: { type: "string", default: "all" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "10" },
    help: { type: "boolean" },
  },
});
checkWhole(values, ["clients", "raw", "step-ms", "rounds", "seconds"]);
checkKnown("games", values.games, ["all", ...Object.keys(protocols)]);
const SLIME = "slime-online-2";
const ARRANGEMENTS: Readonly<Record<string, readonly NodePlan[]>> = {
  alone: [{ name: "server", roles: [] }],
  node: [{ name: "node", roles: ["gateway", "owner"] }],
  split: [
    { name: "gateway", roles: ["gateway"] },
    { name: "owner", roles: ["owner"] },
  ],
};
const [clients, raw, rounds, seconds] = (["clients", "raw", "rounds", "seconds"] as const).map((name) =>
  Number(values[name]),
) as [number, number, number, number];
const games = values.games === "all" ? Object.keys(protocols) : values.games.split(",");
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Round {
  readonly messages: number;
  readonly usPerMessage: Readonly<Record<string, number>>;
}

const found: Record<string, Round[]> = Object.fromEntries(Object.keys(ARRANGEMENTS).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [arrangement, plans] of Object.entries(ARRANGEMENTS)) {
    const measured = await measure(plans);
    found[arrangement]?.push(measured);
    console.log(JSON.stringify({ round, arrangement, ...measured }));
  }
}
const medians = Object.entries(found).map(([arrangement, each]) => {
  const parts = Object.keys(each[0]?.usPerMessage ?? {});
  const of = (part: string): number => median(each.map(({ usPerMessage }) => usPerMessage[part] ?? 0));
  return [arrangement, Object.fromEntries(parts.map((part) => [part, of(part)]))];
});
console.log(JSON.stringify({ clients, raw, games, rounds, usPerMessage: Object.fromEntries(medians) }));

async function measure(plans: readonly NodePlan[]): Promise<Round> {
  const own = ["--listen", `${SLIME}=0`, "--all", "--dialect", `${SLIME}=documented`];
  const flags = [...own, "--sessions-per-address", "20000", "--seed", "1"];
  const cluster = new TestCluster({ plans, leaseMs: 2_000, flags });
  await cluster.startBroker();
  let load: Load | undefined;
  try {
    await cluster.startAll();
    const [first] = [...cluster.nodes.values()];
    const bots = Object.fromEntries(games.map((game) => [game, Math.ceil((clients - raw) / games.length)]));
    const gateways = { [first?.name ?? ""]: first?.http ?? 0 };
    load = await Load.start({ gateways, bots, raw, stepMs: Number(values["step-ms"]), first: 0, seed: 1 });
    await sleep(3_000);
    const [before, cpuBefore] = [await load.report(), cluster.processorMs()];
    await sleep(seconds * 1_000);
    const [after, cpuAfter] = [await load.report(), cluster.processorMs()];
    // Clients that come and go would be counted as their logins.
    if (after.moved > 0 || after.connected < after.clients) {
      const { connected, moved, reasons } = after;
      console.error(JSON.stringify({ clients: after.clients, connected, moved, reasons }));
    }
    const messages = after.sent - before.sent;
    const us = (name: string): number =>
      Math.round((1_000 * ((cpuAfter[name] ?? 0) - (cpuBefore[name] ?? 0))) / messages);
    const parts = Object.keys(cpuAfter).map((name) => [name, us(name)] as const);
    const all = parts.reduce((sum, [, each]) => sum + each, 0);
    return { messages, usPerMessage: { ...Object.fromEntries(parts), all } };
  } finally {
    await load?.stop();
    await cluster.stop();
  }
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
