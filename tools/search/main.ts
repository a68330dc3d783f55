/** `npm run search:cheats`: looks for cheats that no rule finds. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { defaultDialect } from "../../packages/wirewalk/src/protocols/default-dialect.ts";
import { protocols } from "../../packages/wirewalk/src/protocols/table.ts";
import { mapsOption, parseOptions } from "../options.ts";
import { savedFind, stageOf, writeFind } from "./finds.ts";
import { searchGames } from "./games.ts";
import { readKept, writeKept } from "./kept-file.ts";
import { type Find, Searcher } from "./searcher.ts";

const games = Object.keys(searchGames).join(", ");
const usage = `npm run search:cheats -- --game G [--dialect D] [--seed N] [--minutes M] [--runs N] [--length S] [--maps PATH] [--set NAME=VALUE]... [--file F] [--save DIR]

Changes streams of honest messages and keeps those that gain most without a verdict above benign: places, times, states, order, messages
that are left out or repeated, doors, bursts after a silence. Prints each find: gain, seed, its changes in words, the rules that stayed silent.

  --game G     ${games}
  --dialect D  default: that of the shipped client, where there is one
  --seed N     default 1; with the same file and number of runs a search is the same
  --minutes M  processor time, default 1
  --runs N     ends after so many streams instead
  --length S   seconds of each stream, default 60
  --maps PATH  maps of the game, instead of the demo's
  --set NAME=VALUE  a setting of the game's rules
  --file F     goes on from the best streams in this file, and writes them there every 30 seconds
  --save DIR   writes each find into this folder, as tools/search/finds has them
  --help       prints this

The exit code is 1 after a find, 2 for wrong usage.`;

const { values } = parseOptions(usage, {
  options: {
    game: { type: "string" },
    dialect: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "1" },
    runs: { type: "string" },
    length: { type: "string", default: "60" },
    maps: { type: "string" },
    set: { type: "string", multiple: true, default: [] },
    file: { type: "string" },
    save: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function number(option: "seed" | "minutes" | "length" | "runs"): number {
  const value = Number(values[option]);
  if (!(Number.isFinite(value) && value > 0)) fail(`--${option} takes a number over 0, got ${values[option]}`);
  return value;
}

const name = values.game ?? fail(`--game is needed: ${games}`);
const plain = protocols[name];
if (plain === undefined || searchGames[name] === undefined) fail(`--game: unknown "${name}"; known are ${games}`);
const dialect = values.dialect ?? defaultDialect(plain);
if (!plain.dialects.some((each) => each.name === dialect)) fail(`--dialect: ${name} has no dialect ${dialect}`);

const settings = Object.fromEntries(
  values.set.map((text) => {
    const [setting = "", value = ""] = text.split("=");
    return [setting, Number(value)];
  }),
);
let protocol = plain;
try {
  if (values.set.length > 0) protocol = plain.capabilities?.settings?.configure(settings) ?? plain;
} catch (error) {
  fail(`--set: ${error instanceof Error ? error.message : error}`);
}
const given = values.maps === undefined ? undefined : mapsOption(values.maps, name, protocols);

const subject = `${name}/${dialect}`;
const { file, save } = values;
const seed = number("seed");
const stage = { ...stageOf(name, protocol), maps: given?.maps };
const searcher = new Searcher({
  stage,
  dialect,
  seed,
  seconds: number("length"),
  kept: file === undefined ? [] : readKept(file, subject),
});
const minutes = number("minutes");
const runs = values.runs === undefined ? undefined : number("runs");
if (save !== undefined) mkdirSync(save, { recursive: true });

const honest = Object.entries(searcher.honestGains()).map(([measure, gain]) => `${measure} ${inUnit(measure, gain)}`);
console.log(`Honest streams: ${honest.join(", ")}`);

const usedSeconds = (): number => process.cpuUsage().user / 1e6;
const began = usedSeconds();
let written = began;
while (runs === undefined ? usedSeconds() - began < minutes * 60 : searcher.runs < runs) {
  const find = searcher.step();
  if (find !== undefined) {
    process.exitCode = 1;
    report(find);
    if (save !== undefined) {
      const fileName = `${dialect}-${find.measure.replaceAll(" ", "-")}-${seed}-${searcher.finds.length}.json`;
      writeFind(join(save, fileName), savedFind(name, find, searcher.payloadsOf(find)));
    }
  }
  if (file === undefined || usedSeconds() - written < 30) continue;
  written = usedSeconds();
  writeKept(file, subject, searcher.kept);
}
if (file !== undefined) writeKept(file, subject, searcher.kept);

console.log(`${searcher.runs} streams, ${searcher.finds.length} finds, ${(usedSeconds() - began).toFixed(0)} s`);
const best = new Map<string, number>();
for (const { measure, gain } of searcher.kept) best.set(measure, Math.max(best.get(measure) ?? 0, gain));
for (const [measure, gain] of best) {
  console.log(
    `Most of ${measure}: ${inUnit(measure, gain)}, a find from ${inUnit(measure, stage.game.measures[measure]?.bound ?? 0)} on`,
  );
}

function inUnit(measure: string, gain: number): string {
  return `${gain.toFixed(gain < 10 ? 2 : 0)} ${stage.game.measures[measure]?.unit ?? ""}`;
}

function report({ measure, gain, scene, words, silent, benign }: Find): void {
  const place = `${scene.room === undefined ? "" : ` room ${scene.room},`} ${scene.known ? "known shape" : "unknown shape"}`;
  console.log(`\n${subject} ${measure}: ${inUnit(measure, gain)} (seed ${scene.seed},${place})`);
  for (const line of words) console.log(`  ${line}`);
  if (benign.length > 0) console.log(`  benign: ${benign.join(", ")}`);
  console.log(`  silent: ${silent.join(", ")}`);
}
