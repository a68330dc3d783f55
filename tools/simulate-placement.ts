/**
 * Placement and failover in a cluster that no machine here could run, on a virtual clock: `npm run simulate:placement -- --nodes 1000`.
 * It has the real placement code (`packages/server/src/cluster/placement.ts`) and the real times of nodes; what members know of each
 * other is as old as their messages. Equal seeds give equal runs.
 *
 * Worlds have costs of a heavy tail: most are nearly idle, a few take most of a core. Nodes start one after another, some are killed
 * at once (a rack), some join, and it says how level the load is, how long worlds have no owner, and what each node sends.
 */
import { createRandom } from "wirewalk/motion";
import { CANDIDATES, candidatesOf, moveFrom, type PlacementNode } from "../packages/server/src/cluster/placement.ts";
import { checkWhole, parseOptions } from "./options.ts";

const USAGE = `npm run simulate:placement -- [--nodes 1000] [--worlds 10000] [--kill 50] [--join 50] [--seconds 120] [--seed 1]`;
const { values } = parseOptions(USAGE, {
  options: {
    nodes: { type: "string", default: "1000" },
    worlds: { type: "string", default: "10000" },
    kill: { type: "string", default: "50" },
    join: { type: "string", default: "50" },
    seconds: { type: "string", default: "120" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean" },
  },
});
checkWhole(values, ["nodes", "worlds", "kill", "join", "seconds", "seed"]);
const [nodeCount, worldCount, killCount, joinCount, seconds, seed] = [
  values.nodes,
  values.worlds,
  values.kill,
  values.join,
  values.seconds,
  values.seed,
].map(Number) as [number, number, number, number, number, number];

/** As `cluster-node.ts` has them. */
const WATCH_MS = 100;
const PER_CANDIDATE_MS = 80;
const ANNOUNCE_MS = 1_000;
const REBALANCE_MS = 5_000;
const LEASE_MS = 2_000;
/** A claim over a broker, and the restoring of a world after it: measured with 1,000 clients. */
const CLAIM_MS = 2;
const RESTORE_MS = 60;
const STEP_MS = 20;

interface Node {
  readonly name: string;
  /** Undefined while it is there. */
  diedMs: number | undefined;
  load: number;
  /** The load that it has said last: others know no more. */
  said: number;
  readonly worlds: Set<World>;
  /** Of its turns, so that nodes do not act at one moment. */
  readonly phaseMs: number;
}

interface World {
  readonly name: string;
  readonly cost: number;
  owner: Node | undefined;
  /** The owner that is gone. */
  gone: Node | undefined;
  /** Since when it has no owner, and when its candidates find that. */
  freeMs: number;
  foundMs: number;
}

const random = createRandom(seed);
const nodes: Node[] = [];
const worlds: World[] = Array.from({ length: worldCount }, (_, n) => ({
  name: `world-${n}`,
  // Pareto: the mean is about 0.04 of a core, one of 1,000 takes 0.4 or more.
  cost: Math.min(0.6, 0.015 / (1 - random.next()) ** 0.6),
  owner: undefined,
  gone: undefined,
  freeMs: 0,
  foundMs: 0,
}));
const counts = { claims: 0, moves: 0 };
/** Of the worlds that were without an owner in this phase: until players hear from the next one. */
let outagesMs: number[] = [];
let nowMs = 0;

function addNode(): void {
  const phaseMs = Math.floor(random.next() * REBALANCE_MS);
  nodes.push({ name: `node-${nodes.length}`, diedMs: undefined, load: 0, said: 0, worlds: new Set(), phaseMs });
}

/** What members believe: one that has ended is listed until its last message is a lease old. */
function listed(): readonly PlacementNode[] {
  return nodes.flatMap(({ name, said, diedMs }) =>
    diedMs === undefined || nowMs - diedMs < LEASE_MS ? [{ name, load: said }] : [],
  );
}

function claim(world: World, node: Node): void {
  counts.claims += 1;
  outagesMs.push(nowMs + CLAIM_MS + RESTORE_MS - world.freeMs);
  world.owner = node;
  node.worlds.add(world);
  node.load += world.cost;
}

/** A free world is found at the next question of its candidates, at some moment within `withinMs`. */
function free(world: World, withinMs: number): void {
  const { owner } = world;
  if (owner !== undefined) {
    owner.worlds.delete(world);
    owner.load -= world.cost;
  }
  world.gone = owner?.diedMs === undefined ? undefined : owner;
  world.owner = undefined;
  world.freeMs = nowMs;
  world.foundMs = nowMs + Math.floor(random.next() * withinMs);
}

/** One step of all nodes; each acts at its own times. */
function step(): void {
  nowMs += STEP_MS;
  const known = listed();
  for (const node of nodes) {
    if (node.diedMs !== undefined) continue;
    if ((nowMs + node.phaseMs) % ANNOUNCE_MS < STEP_MS) node.said = node.load;
    if ((nowMs + node.phaseMs) % REBALANCE_MS < STEP_MS) rebalance(node, known);
  }
  for (const world of worlds) if (world.owner === undefined && nowMs >= world.foundMs) offer(world, known);
}

function rebalance(node: Node, known: readonly PlacementNode[]): void {
  const costs = new Map([...node.worlds].map(({ name, cost }) => [name, cost]));
  const own = { name: node.name, load: node.load };
  const move = moveFrom(
    own,
    costs,
    known.map((each) => (each.name === node.name ? own : each)),
  );
  const world = worldsByName.get(move?.world ?? "");
  const to = nodesByName.get(move?.to ?? "");
  if (world === undefined || to === undefined) return;
  free(world, 0);
  counts.moves += 1;
  // One that has ended meanwhile takes nothing: the world is free.
  if (to.diedMs === undefined) claim(world, to);
}

/** The candidates have their turns; those that are gone too let theirs pass. */
function offer(world: World, known: readonly PlacementNode[]): void {
  const candidates = candidatesOf(
    world.name,
    known.filter(({ name }) => name !== world.gone?.name),
  );
  for (const [turn, { name }] of candidates.entries()) {
    // A node looks every 100 ms whether its turn has come.
    const atMs = world.foundMs + Math.ceil((turn * PER_CANDIDATE_MS) / WATCH_MS) * WATCH_MS;
    const node = nodesByName.get(name);
    if (nowMs < atMs || node === undefined || node.diedMs !== undefined) continue;
    claim(world, node);
    return;
  }
}

interface Phase {
  readonly phase: string;
  readonly seconds: number;
  readonly [name: string]: unknown;
}

/** Plays for so long, and describes the end. */
function play(phase: string, forMs: number): Phase {
  const [endMs, before] = [nowMs + forMs, { ...counts }];
  outagesMs = [];
  while (nowMs < endMs) step();
  const loads = nodes.flatMap(({ diedMs, load }) => (diedMs === undefined ? [load] : [])).sort((a, b) => a - b);
  const mean = loads.reduce((all, load) => all + load, 0) / loads.length;
  outagesMs.sort((a, b) => a - b);
  const at = (share: number): number | undefined => outagesMs[Math.floor((outagesMs.length - 1) * share)];
  return {
    phase,
    seconds: forMs / 1000,
    nodes: loads.length,
    withoutOwner: worlds.filter(({ owner }) => owner === undefined).length,
    meanLoad: round(mean),
    maxLoad: round(loads.at(-1) ?? 0),
    claims: counts.claims - before.claims,
    moves: counts.moves - before.moves,
    outageP50Ms: at(0.5),
    outageP99Ms: at(0.99),
    outageMaxMs: at(1),
  };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

const worldsByName = new Map(worlds.map((world) => [world.name, world]));
for (let n = 0; n < nodeCount + joinCount; n += 1) addNode();
const nodesByName = new Map(nodes.map((node) => [node.name, node]));
const joining = nodes.splice(nodeCount);
const maxCost = worlds.reduce((most, { cost }) => Math.max(most, cost), 0);
for (const world of worlds) free(world, WATCH_MS);
const phases: Phase[] = [play("start", 10_000), play("level", (seconds / 2) * 1_000)];
for (let n = 0; n < killCount; n += 1) {
  const alive = nodes.filter(({ diedMs }) => diedMs === undefined);
  const node = alive[Math.floor(random.next() * alive.length)] as Node;
  node.diedMs = nowMs;
  for (const world of [...node.worlds]) free(world, WATCH_MS);
}
phases.push(play("kill", 10_000));
nodes.push(...joining);
phases.push(play("join", (seconds / 2) * 1_000));
for (const phase of phases) console.log(JSON.stringify(phase));
const perNode = round((worldCount * CANDIDATES) / nodeCount);
const perSecond = Math.round((worldCount * CANDIDATES * 1_000) / WATCH_MS);
console.log(
  JSON.stringify({ seed, maxWorldCost: round(maxCost), watchedPerNode: perNode, questionsPerSecond: perSecond }),
);
