/**
 * Benchmarks: `npm run bench` lists them, `npm run bench -- <name> [--quick]` runs one. A benchmark never fails a
 * build: it exits 0 and says whether its promise was held.
 */
import { parseOptions } from "../tools/options.ts";
import { broadcast } from "./broadcast/broadcast.ts";
import { broadcastMap, broadcastNeighbours, broadcastRooms } from "./broadcast/overload.ts";
import { feed } from "./feed/feed.ts";
import { type Benchmark, machine } from "./harness.ts";
import { maplestory } from "./maplestory/maplestory.ts";
import { memory } from "./memory/memory.ts";
import { mouse } from "./mouse/mouse.ts";
import { playerInfo } from "./player-info/player-info.ts";
import { scrap } from "./scrap/scrap.ts";
import { worlds } from "./worlds/worlds.ts";

const benchmarks: Readonly<Record<string, Benchmark>> = {
  broadcast,
  "broadcast-map": broadcastMap,
  "broadcast-neighbours": broadcastNeighbours,
  "broadcast-rooms": broadcastRooms,
  feed,
  maplestory,
  memory,
  mouse,
  "player-info": playerInfo,
  scrap,
  worlds,
};

const USAGE = "npm run bench -- <name> [--quick]";
const { values, positionals } = parseOptions(USAGE, {
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false } },
});
const [name] = positionals;
const benchmark = name === undefined ? undefined : benchmarks[name];
if (benchmark === undefined) {
  if (name !== undefined) console.log(`There is no benchmark "${name}".`);
  console.log(USAGE);
  for (const [each, { summary }] of Object.entries(benchmarks)) console.log(`  ${each}  ${summary}`);
} else {
  console.log(`$ npm run bench -- ${name}${values.quick ? " --quick" : ""}`);
  console.log(machine());
  if (values.quick) console.log("Quick: too short for numbers to keep.");
  try {
    await benchmark.run(values.quick);
  } catch (error) {
    console.log("The benchmark broke off:", error);
  }
}
