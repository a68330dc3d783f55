/**
 * The page's feed: what a page that watches a room costs, in bytes and in processor time of the server. A server, its
 * players and the pages are processes of their own. A page's time is the server's with pages less the server's without, taken
 * in turns.
 */
import { type Benchmark, Contestant } from "../harness.ts";
import { median, type Promised, type Report } from "../report.ts";
import type { CpuReading, PagesReading, PagesTask, Scene, ServerReady } from "./workload.ts";

const scenes: readonly Scene[] = [
  { protocol: "osrs", dialect: "client", room: "world", players: 2_000, playsItself: true },
  { protocol: "osrs", dialect: "client", room: "mouse", players: 200, playsItself: false },
  { protocol: "slime-online-2", dialect: "documented", room: "1", players: 100, playsItself: false },
  { protocol: "maplestory", dialect: "v62", room: "1", players: 100, playsItself: false },
  { protocol: "scrap-mechanic", dialect: "documented", room: "1", players: 50, playsItself: false },
];

const PAGES = [1, 10] as const;
/** After pages opened or closed, before the measurement. */
const SETTLE_MS = 700;

interface Sample {
  /** Of one core. */
  readonly share: number;
  readonly bytesPerSecond: number;
  readonly messagesPerSecond: number;
}

class Run {
  readonly #server: Contestant;
  readonly #pages: Contestant;
  readonly #players: Contestant | undefined;

  private constructor(server: Contestant, pages: Contestant, players: Contestant | undefined) {
    this.#server = server;
    this.#pages = pages;
    this.#players = players;
  }

  static async start(scene: Scene): Promise<Run> {
    const server = new Contestant(new URL("./server.ts", import.meta.url), scene);
    const { port } = await server.next<ServerReady>();
    const task: PagesTask = { port, scene };
    const players = scene.playsItself ? undefined : new Contestant(new URL("./players.ts", import.meta.url), task);
    await players?.next<"playing">();
    const run = new Run(server, new Contestant(new URL("./pages.ts", import.meta.url), task), players);
    return run;
  }

  /** Processor time and bytes with so many pages open. */
  async measure(pages: number, measureMs: number): Promise<Sample> {
    this.#pages.send({ pages });
    await this.#pages.next<"open">();
    await wait(SETTLE_MS);
    await this.#read();
    const [before, startMs] = [await this.#cpuUs(), performance.now()];
    await wait(measureMs);
    const [after, endMs] = [await this.#cpuUs(), performance.now()];
    const { bytes, messages, closed } = await this.#read();
    if (closed > 0) throw new Error(`The server closed ${closed} pages`);
    const seconds = (endMs - startMs) / 1000;
    return {
      share: (after - before) / 1e6 / seconds,
      bytesPerSecond: bytes / seconds / Math.max(pages, 1),
      messagesPerSecond: messages / seconds / Math.max(pages, 1),
    };
  }

  async end(): Promise<void> {
    await this.#pages.end();
    await this.#players?.end();
    await this.#server.end();
  }

  async #cpuUs(): Promise<number> {
    this.#server.send("cpu");
    return (await this.#server.next<CpuReading>()).cpuUs;
  }

  #read(): Promise<PagesReading> {
    this.#pages.send("read");
    return this.#pages.next<PagesReading>();
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
type Samples = ReadonlyMap<number, readonly Sample[]>;

async function measureScene(
  scene: Scene,
  counts: readonly number[],
  rounds: number,
  measureMs: number,
): Promise<Samples> {
  const samples = new Map<number, Sample[]>(counts.map((pages) => [pages, []]));
  const run = await Run.start(scene);
  try {
    await run.measure(1, measureMs);
    let before = await run.measure(0, measureMs);
    for (let round = 0; round < rounds; round += 1) {
      for (const pages of counts) {
        // Without pages before and after: what drifts meanwhile cancels out.
        const { share, ...rest } = await run.measure(pages, measureMs);
        const after = await run.measure(0, measureMs);
        const quiet = (before.share + after.share) / 2;
        samples.get(pages)?.push({ share: (share - quiet) / pages, ...rest });
        before = after;
      }
    }
  } finally {
    await run.end();
  }
  return samples;
}

async function run(quick: boolean): Promise<Report> {
  const [rounds, measureMs] = quick ? [1, 1_000] : [5, 1_500];
  const measured: { readonly scene: Scene; readonly samples: Samples }[] = [];
  for (const scene of quick ? scenes.slice(0, 2) : scenes) {
    // Pages of one room share what is sent: OSRS shows it for all.
    const counts = scene.protocol !== "osrs" ? [1] : quick ? [10] : PAGES;
    measured.push({ scene, samples: await measureScene(scene, counts, rounds, measureMs) });
  }
  const promised = (room: string, pages: number, title: string): Promised => {
    const samples = measured.find(({ scene }) => scene.room === room)?.samples;
    const each = samples?.get(pages) ?? samples?.get(10) ?? [];
    const [bytes, share] = [median(each.map((one) => one.bytesPerSecond)), median(each.map((one) => one.share))];
    return {
      promise: `${title}: <= 1 MB/s and <= 2 % of a core`,
      measured: `${(bytes / 1e3).toFixed(0)} kB/s and ${(share * 100).toFixed(2)} %`,
      held: bytes <= 1e6 && share <= 0.02,
    };
  };
  return {
    method: `${rounds} rounds of ${measureMs / 1000} s; processor time of the server with pages less its time without, as a share of one core.`,
    tables: [
      {
        id: "pages",
        title: "a page that watches a room",
        rowTitle: "room",
        columns: [
          { key: "pages", title: "pages", digits: 0 },
          { key: "kilobytes", title: "kB/s a page", digits: 0, better: "less" },
          { key: "messages", title: "messages/s" },
          { key: "share", title: "of a core a page", digits: 2, suffix: " %", better: "less" },
        ],
        rows: measured.flatMap(({ scene, samples }) =>
          Array.from(samples, ([pages, each]) => ({
            name: `${scene.protocol}${scene.room === "mouse" ? ", mouse" : ""}, ${scene.players} players${pages === 1 ? "" : `, ${pages} pages`}`,
            isOurs: true,
            cells: {
              pages: [pages],
              kilobytes: each.map(({ bytesPerSecond }) => bytesPerSecond / 1e3),
              messages: each.map(({ messagesPerSecond }) => messagesPerSecond),
              share: each.map((sample) => sample.share * 100),
            },
          })),
        ),
      },
    ],
    promises: [
      promised("world", 1, "a page with 2,000 OSRS players"),
      promised("mouse", 10, "each of 10 pages with 200 players' mice"),
    ],
    charts: [],
    contenders: [],
    notes: [],
  };
}

export const feed: Benchmark = {
  summary:
    "the page's feed: bytes and processor time of a page, with 1 and 10 pages, 2,000 OSRS players and other games",
  run,
};
