/**
 * The page's feed: what a page that watches a room costs, in bytes and in processor time of the server. A server, its
 * players and the pages are processes of their own. A page's time is the server's with pages less the server's without, taken
 * in turns.
 */
import { type Benchmark, Contestant, median, printPromise, printTable } from "../harness.ts";
import type { CpuReading, PagesReading, PagesTask, Scene, ServerReady } from "./workload.ts";

const scenes: readonly Scene[] = [
  { protocol: "osrs", dialect: "client", room: "world", players: 2_000, playsItself: true },
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
const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
const size = (bytes: number): string =>
  bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(2)} MB`;

async function measureScene(scene: Scene, rounds: number, measureMs: number): Promise<ReadonlyMap<number, Sample>> {
  const samples = new Map<number, Sample[]>(PAGES.map((pages) => [pages, []]));
  const run = await Run.start(scene);
  try {
    await run.measure(1, measureMs);
    for (let round = 0; round < rounds; round += 1) {
      for (const pages of PAGES) {
        // Without pages before and after: what drifts meanwhile cancels out.
        const before = await run.measure(0, measureMs);
        const { share, ...rest } = await run.measure(pages, measureMs);
        const after = await run.measure(0, measureMs);
        const quiet = (before.share + after.share) / 2;
        samples.get(pages)?.push({ share: (share - quiet) / pages, ...rest });
      }
    }
  } finally {
    await run.end();
  }
  const middle = (of: readonly Sample[], field: keyof Sample): number => median(of.map((sample) => sample[field]));
  return new Map(
    Array.from(samples, ([pages, of]) => [
      pages,
      {
        share: middle(of, "share"),
        bytesPerSecond: middle(of, "bytesPerSecond"),
        messagesPerSecond: middle(of, "messagesPerSecond"),
      },
    ]),
  );
}

async function run(quick: boolean): Promise<void> {
  const [rounds, measureMs] = quick ? [1, 1_800] : [5, 3_000];
  console.log(`Medians of ${rounds} rounds of ${measureMs / 1000} s; processor time of the server, of one core`);
  const rows: string[][] = [["room", "pages", "bytes/s a page", "messages/s", "time a page"]];
  let osrs: Sample | undefined;
  for (const scene of scenes) {
    for (const [pages, sample] of await measureScene(scene, rounds, measureMs)) {
      if (scene.protocol === "osrs" && pages === 1) osrs = sample;
      rows.push([
        `${scene.protocol}, ${scene.players} players`,
        `${pages}`,
        size(sample.bytesPerSecond),
        sample.messagesPerSecond.toFixed(1),
        percent(sample.share),
      ]);
    }
  }
  printTable(rows);
  if (osrs === undefined) return;
  printPromise(
    "a page with 2,000 OSRS players: <= 1 MB/s and <= 2 % of a core",
    `${size(osrs.bytesPerSecond)}/s and ${percent(osrs.share)}`,
    osrs.bytesPerSecond <= 1e6 && osrs.share <= 0.02,
  );
}

export const feed: Benchmark = {
  summary:
    "the page's feed: bytes and processor time of a page, with 1 and 10 pages, 2,000 OSRS players and other games",
  run,
};
