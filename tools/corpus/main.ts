/** `npm run corpus`: makes the recordings of `corpus/` anew from a seed, on a virtual clock, and the table of docs/fairness.md. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expectationsFile } from "@wirewalk/recording";
import { protocols } from "wirewalk/protocols";
import { parseOptions } from "../options.ts";
import { checkFile, corpusFiles, corpusFolder, corpusPage, withTable } from "./files.ts";
import { corpusTable, makeRecording } from "./make.ts";
import { playsOf } from "./plays.ts";

const usage = `npm run corpus -- [--game G] [--seed N] [--table]

Makes the recordings of corpus/ anew: honest play of every game on bad networks, and each cheat of its bots. Each has its
expectations beside it, which npm test and wirewalk check hold. Then it writes the table of docs/fairness.md.

  --game G   only the recordings of this game; the others stay
  --seed N   default 1; the same seed gives the same bytes
  --table    writes the table alone`;

const { values } = parseOptions(usage, {
  options: {
    game: { type: "string" },
    seed: { type: "string", default: "1" },
    table: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) {
  console.error("--seed takes a whole number");
  process.exit(2);
}

const chosen = Object.values(protocols).filter(({ name }) => values.game === undefined || name === values.game);
if (chosen.length === 0) {
  console.error(`--game: unknown "${values.game}"; known are ${Object.keys(protocols).join(", ")}`);
  process.exit(2);
}

if (!values.table) {
  if (values.game === undefined) rmSync(corpusFolder, { recursive: true, force: true });
  let bytes = 0;
  for (const protocol of chosen) {
    rmSync(`${corpusFolder}${protocol.name}`, { recursive: true, force: true });
    mkdirSync(`${corpusFolder}${protocol.name}`, { recursive: true });
    for (const play of playsOf(protocol)) {
      const made = await makeRecording(play, seed);
      if (made === undefined) {
        console.log(`${protocol.name} ${play.name}: no rule finds it in ${play.seconds} s, left out`);
        continue;
      }
      const file = `${corpusFolder}${protocol.name}/${play.name}.mcap`;
      writeFileSync(file, made.bytes);
      writeFileSync(expectationsFile(file), `${JSON.stringify(made.expectations, undefined, 2)}\n`);
      bytes += made.bytes.length;
      console.log(`${protocol.name} ${play.name}: ${made.bytes.length} bytes`);
    }
  }
  console.log(`${bytes} bytes`);
}

const checked = [];
for (const file of corpusFiles()) checked.push(await checkFile(file));
writeFileSync(corpusPage, withTable(readFileSync(corpusPage, "utf8"), corpusTable(checked)));
