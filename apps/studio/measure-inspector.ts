/**
 * Measures the inspector with a long list: `npm run measure:inspector [rows]`, a million without a number. Makes a capture, opens it in
 * Chromium, and reports how long reading and filtering take, the times between frames while the list scrolls, and memory.
 */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";
import { pcapngHeader, pcapngPacket, TcpPackets } from "wirewalk/capture";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { parseOptions } from "../../tools/options.ts";
import { staticInspector } from "./build-inspector.ts";
import { buildPage } from "./build-page.ts";
import { launchChromium } from "./test/chromium.ts";

const usage = "npm run measure:inspector [-- rows]";
const { positionals } = parseOptions(usage, { allowPositionals: true, options: { help: { type: "boolean" } } });
const rows = Number(positionals[0] ?? 1_000_000);
if (!(Number.isInteger(rows) && rows > 0)) {
  // biome-ignore lint/suspicious/noConsole: wrong usage of a command.
  console.error(`rows are a whole number from 1 on, got ${positionals[0]}\n${usage}`);
  process.exit(2);
}
/** Messages in one segment: the client writes them at once. */
const MESSAGES_IN_SEGMENT = 5;
const SCROLLED_FRAMES = 300;

/** A capture of one player that moves. */
function writeCapture(path: string): void {
  const codec = slimeOnline2.codec("v0106");
  const channel = slimeOnline2.openChannel({ side: "client", dialect: "v0106", carrier: "stream" });
  const tcp = new TcpPackets({
    client: { address: "127.0.0.1", port: 50_000 },
    server: { address: "127.0.0.1", port: slimeOnline2.defaultPort },
  });
  const file = openSync(path, "w");
  let at = 1_700_000_000_000_000_000n;
  const write = (packets: readonly Uint8Array[]): void => {
    for (const packet of packets) {
      writeSync(file, pcapngPacket(at, packet));
      at += 1_000_000n;
    }
  };
  writeSync(file, pcapngHeader({ application: "measure", interfaceName: "made" }));
  write([...tcp.open()]);
  for (let made = 0; made < rows; made += MESSAGES_IN_SEGMENT) {
    const frames = Array.from({ length: Math.min(MESSAGES_IN_SEGMENT, rows - made) }, (_, index) => {
      const value = { code: 2, direction: "rightPress", x: (made + index) % 65_536, y: 160 } as const;
      return channel.frame(codec.write("client", { message: "movePlayer", value })).slice();
    });
    write([...tcp.data("client", Buffer.concat(frames))]);
  }
  closeSync(file);
}

/** Times between frames while the list is scrolled in each of them, in milliseconds, sorted. */
function scroll(page: Page, px: number): Promise<readonly number[]> {
  return page.evaluate(
    async ({ frames, step }) => {
      const list = document.querySelector(".rows");
      if (list === null) throw new Error("no list");
      const times: number[] = [];
      let before = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      for (let frame = 0; frame < frames; frame++) {
        list.scrollTop += step;
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        times.push(now - before);
        before = now;
      }
      return times.sort((a, b) => a - b);
    },
    { frames: SCROLLED_FRAMES, step: px },
  );
}

function quantiles(times: readonly number[]): string {
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms`;
}

async function timed(work: () => Promise<unknown>): Promise<string> {
  const startMs = performance.now();
  await work();
  return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}

await buildPage();
const folder = mkdtempSync(join(tmpdir(), "wirewalk-inspector-"));
const path = join(folder, "long.pcapng");
const server = await launchChromium();
try {
  writeCapture(path);
  const browser = await chromium.connect(server.wsEndpoint());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(pathToFileURL(staticInspector).href);
  const status = page.locator(".list-status");
  const wait = { timeout: 600_000 };
  const number = rows.toLocaleString("en");
  const lines = [`${number} rows, a capture of ${(statSync(path).size / 1e6).toFixed(0)} MB`];
  lines.push(
    `read: ${await timed(async () => {
      await page.locator("input[type=file]").setInputFiles(path);
      await status.getByText(`${number} rows`).waitFor(wait);
      await status.locator("progress").waitFor({ ...wait, state: "detached" });
    })}`,
  );
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const metric = async (name: string): Promise<number> => {
    const { metrics } = await client.send("Performance.getMetrics");
    return metrics.find((each) => each.name === name)?.value ?? 0;
  };
  for (const [name, px] of [
    ["3 rows", 72],
    ["thousands of rows", 40_000],
  ] as const) {
    const before = await metric("TaskDuration");
    const times = await scroll(page, px);
    const workMs = (((await metric("TaskDuration")) - before) * 1000) / SCROLLED_FRAMES;
    lines.push(`frames, ${name} each: ${quantiles(times)}; work of the page in each ${workMs.toFixed(1)} ms`);
  }
  const made = await page.locator(".rows .row").count();
  lines.push(`rows in the page: ${made}; heap of the page: ${((await metric("JSHeapUsedSize")) / 1e6).toFixed(1)} MB`);
  const filter = page.getByLabel("Filter");
  lines.push(
    `filter bytes == 7 && packet > 1000: ${await timed(async () => {
      await filter.fill("bytes == 7 && packet > 1000");
      await status.getByText(`of ${number} rows`).waitFor(wait);
      await status.locator("progress").waitFor({ ...wait, state: "detached" });
    })}`,
  );
  lines.push(
    `filter value.x == 4242: ${await timed(async () => {
      await filter.fill("value.x == 4242");
      await status.getByText(`${Math.ceil((rows - 4242) / 65_536)} of ${number} rows`).waitFor(wait);
      await status.locator("progress").waitFor({ ...wait, state: "detached" });
    })}`,
  );
  // biome-ignore lint/suspicious/noConsole: the report of a command.
  console.log(lines.join("\n"));
  await browser.close();
} finally {
  await server.close();
  rmSync(folder, { recursive: true });
}
