/** The process of `main.ts` that reads one folder of maps: all places, one after the other. */
import { MapError, MapFileError, openMapFiles } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";

/** What it costs to read a folder. */
export interface ReadCost {
  /** Over what the process had before. */
  readonly peakBytes: number;
  readonly ms: number;
  /** Nothing was thrown but errors of maps. */
  readonly isExpected: boolean;
  readonly result: string;
}

/** Places that are read at most: all of a hostile file are alike. */
const MAX_PLACES = 20;

const [game = "", folder = ""] = process.argv.slice(2);
const reading = protocols[game]?.capabilities?.maps;
if (reading === undefined) throw new Error(`${game} has no maps`);
globalThis.gc?.();
const before = process.memoryUsage.rss();
const peakBefore = process.resourceUsage().maxRSS * 1024;
const from = performance.now();
let isExpected = true;
const found: string[] = [];
/** What a step gives, or why it is refused. */
function step(read: () => string): void {
  try {
    found.push(read());
  } catch (error) {
    if (!(error instanceof MapError || error instanceof MapFileError)) isExpected = false;
    found.push(String(error).replaceAll(`${folder}/`, ""));
  }
}
step(() => {
  const maps = reading.load(openMapFiles(folder));
  const places = maps.places();
  for (const place of places.slice(0, MAX_PLACES)) {
    step(() => {
      const summary = maps.summary(place);
      maps.digest(place);
      return `read, ${JSON.stringify(summary).slice(0, 60)}`;
    });
  }
  return `${places.length} places`;
});
const ms = performance.now() - from;
const peak = process.resourceUsage().maxRSS * 1024;
const cost: ReadCost = {
  // A peak of the start, while modules were loaded, is no cost of reading.
  peakBytes: peak > peakBefore ? peak - before : 0,
  ms,
  isExpected,
  result: [...new Set(found)].join("; "),
};
process.stdout.write(JSON.stringify(cost));
