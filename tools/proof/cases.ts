/** Whether verdicts as files say in a browser without network what they say here: `npm run proof -- cases`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { zstdCompressSync } from "node:zlib";
import {
  type CaseFile,
  listVerdicts,
  makeCase,
  type RecordedVerdict,
  type Recording,
  readCase,
} from "@wirewalk/recording";
import { nodeDecompress, nodeMeans } from "@wirewalk/recording/node";
import { type Browser, chromium, type Page } from "playwright-core";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { casesFolder } from "../../apps/studio/build-cases.ts";
import { buildPage } from "../../apps/studio/build-page.ts";
import { launchChromium, missingChromium } from "../../apps/studio/test/chromium.ts";
import { claimingChunks, forgeCase } from "../../packages/recording/src/testing/forge-case.ts";
import { recordPlay } from "../../packages/recording/src/testing/record-play.ts";
import { checkWhole, parseOptions } from "../options.ts";

const usage = `npm run proof -- cases [--verdicts N] [--seed N]

Plays every dialect of every game with cheats, takes verdicts of as many rules as there are, writes each as a file, judges it by \`wirewalk verdict
check\` in a process of its own, and opens it in Chromium offline, where it judges itself. The same with the kept file of each released layout, and
with files that deceive or harm: those must be refused or harmless. Builds the page first.

  --verdicts N  files to make, default 20, shared out to the games
  --seed N      default 7
  --help        prints this

The exit code is 1 where a digest differs, a file is larger than 1,000,000 bytes, a request leaves the browser, or a hostile file is believed.`;

const MAX_BYTES = 1_000_000;
const PLAY_MS = 24_000;
/** Letters of a script that judges, at least. */
const MIN_VIEWER = 10_000;
/** A machine with much other work judges in a minute what takes a second. */
const WAIT = { timeout: 180_000 };
const CLI = fileURLToPath(new URL("../../packages/cli/bin/wirewalk.js", import.meta.url));
const KEPT = fileURLToPath(new URL("../../packages/recording/src/cases/testing/format-*.html", import.meta.url));
const making = { protocols, decompress: nodeDecompress, means: nodeMeans };

interface Played {
  readonly game: string;
  readonly dialect: string;
  readonly recording: Recording;
  /** The last verdict of each rule. */
  readonly found: readonly RecordedVerdict[];
}

async function play(protocol: PlayableProtocol, dialect: string, seed: number): Promise<Played> {
  const bots = 2 * protocol.bots.cheats.length;
  const { sink } = await recordPlay({ protocol, dialect, bots, durationMs: PLAY_MS, seed });
  const recording = sink.recording();
  const byRule = new Map<string, RecordedVerdict>();
  for (const each of listVerdicts(recording)) {
    if (each.verdict.kind !== "benign") byRule.set(each.verdict.rule, each);
  }
  return { game: protocol.name, dialect, recording, found: [...byRule.values()] };
}

/** By turns of games, and in a game by turns of dialects. */
function choose(
  played: readonly Played[],
  count: number,
): readonly { readonly of: Played; readonly verdict: RecordedVerdict }[] {
  const games = Object.keys(protocols).map((game) => {
    const own = played.filter((each) => each.game === game);
    const longest = Math.max(...own.map(({ found }) => found.length));
    return Array.from({ length: longest }, (_, at) =>
      own.flatMap((of) => of.found.slice(at, at + 1).map((verdict) => ({ of, verdict }))),
    ).flat();
  });
  const turns = Array.from({ length: count }, (_, turn) => games.flatMap((each) => each.slice(turn, turn + 1))).flat();
  return turns.slice(0, count);
}

interface Checked {
  readonly code: number;
  readonly result: string;
  readonly digest: string | undefined;
  readonly why: string;
  readonly ms: number;
  /** Of the process, at most. */
  readonly megabytes: number;
}

async function check(file: string): Promise<Checked> {
  const startMs = performance.now();
  // The process says at its end how much memory it had at most.
  const report =
    "process.on('exit', () => process.getBuiltinModule('node:fs').writeSync(2, 'peak ' + process.resourceUsage().maxRSS))";
  const peak = `data:text/javascript,${encodeURIComponent(report)}`;
  const flags = ["--no-warnings", "-C", "wirewalk-source", "--import", peak];
  const child = spawn(process.execPath, [...flags, CLI, "verdict", "check", file, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (bytes) => {
    stdout += bytes;
  });
  child.stderr.on("data", (bytes) => {
    stderr += bytes;
  });
  const [code] = (await once(child, "close")) as [number];
  const json = JSON.parse(stdout === "" ? "{}" : stdout) as {
    readonly result?: string;
    readonly reasons?: readonly string[];
    readonly digest?: { readonly now: string | null };
  };
  return {
    code,
    result: json.result ?? stderr.trim(),
    digest: json.digest?.now ?? undefined,
    why: json.reasons?.join("; ") ?? "",
    ms: performance.now() - startMs,
    megabytes: Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024,
  };
}

interface Opened {
  readonly page: Page;
  readonly requests: string[];
  readonly complaints: string[];
}

async function open(browser: Browser, file: string): Promise<Opened> {
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url());
  });
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(pathToFileURL(file).href, WAIT);
  return { page, requests, complaints };
}

/** What the page says when it judges itself. */
async function judgeInBrowser({
  page,
}: Opened): Promise<{ readonly digests: readonly string[]; readonly isSame: boolean }> {
  await page.getByRole("button", { name: "Judge again" }).click(WAIT);
  const table = page.getByRole("table", { name: "Digests" });
  await table.waitFor(WAIT);
  const [, inFile = "", , now = ""] = await table.getByRole("cell").allInnerTexts();
  const isSame = await page.getByText("The same verdict, with the same numbers, at the same time.").isVisible();
  return { digests: [inFile, now], isSame };
}

const line = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join("  ")
    .trimEnd();

interface Hostile {
  readonly name: string;
  readonly html: string;
  /** Exit codes of `verdict check` that are right. */
  readonly codes: readonly number[];
}

const SCRIPT = "<script>document.title = 'owned'; fetch('https://example.org/owned')</script>";

/** Files that somebody made to deceive or to harm, of one that is right. */
async function hostileFiles(html: string): Promise<readonly Hostile[]> {
  const own: CaseFile = await readCase(html);
  const name = `</script>${SCRIPT}<img src=x onerror="document.title='owned'">`;
  const edited = Uint8Array.from(own.recording);
  const middle = edited.length >> 1;
  edited[middle] = (edited[middle] ?? 0) ^ 0x55;
  const zeros = zstdCompressSync(Buffer.alloc(1_000));
  const bomb = zstdCompressSync(Buffer.alloc(64 << 20));
  return [
    {
      name: "a word of its facts is another one",
      html: html.replace('"story":["', '"story":["He is honest. '),
      codes: [3],
    },
    {
      name: "a byte of its slice is another one, hashes made again",
      html: await forgeCase(own, { recording: edited }),
      codes: [3],
    },
    { name: "a script beside its own", html: html.replace("<main", `${SCRIPT}<main`), codes: [0, 3] },
    {
      name: "a script in a name, hashes made again",
      html: await forgeCase(own, { facts: { player: { ...own.facts.player, name } } }),
      codes: [0, 3],
    },
    {
      name: "a chunk that claims 1 GB",
      html: await forgeCase(own, { recording: claimingChunks(1, 1_000_000_000, zeros) }),
      codes: [3],
    },
    {
      name: "64 MiB in a chunk that claims 1 kB",
      html: await forgeCase(own, { recording: claimingChunks(1, 1_000, bomb) }),
      codes: [3],
    },
    { name: "cut off in the middle", html: html.slice(0, html.length >> 1), codes: [3] },
  ];
}

/** The command. `args`: what stands behind its subject. */
export async function proveCases(args: readonly string[]): Promise<void> {
  const { values } = parseOptions(usage, {
    args: [...args],
    options: {
      verdicts: { type: "string", default: "20" },
      seed: { type: "string", default: "7" },
      help: { type: "boolean" },
    },
  });
  checkWhole(values, ["verdicts", "seed"]);
  const missing = missingChromium();
  if (missing !== undefined) throw new Error(missing);
  await buildPage();
  const played: Played[] = [];
  for (const protocol of Object.values(protocols) as PlayableProtocol[]) {
    const needed = Math.ceil(Number(values.verdicts) / Object.keys(protocols).length);
    for (const { name } of protocol.dialects.slice(0, needed))
      played.push(await play(protocol, name, Number(values.seed)));
  }
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-proof-cases-"));
  const server = await launchChromium();
  const browser = await chromium.connect(server.wsEndpoint());
  let wrong = 0;
  try {
    wrong += await proveMade(browser, folder, choose(played, Number(values.verdicts)));
    wrong += await proveKept(browser);
    wrong += await proveHostile(browser, folder, played);
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
  console.log(wrong === 0 ? "\nall as it must be" : `\n${wrong} WRONG`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

const FILE_WIDTHS = [52, 9, 18, 18, 6, 8];

/** One file here, by the command and in the browser. A line, and whether all is right. */
async function proveFile(browser: Browser, name: string, file: string): Promise<boolean> {
  const html = readFileSync(file, "utf8");
  const { facts, viewer } = await readCase(html);
  const { code, digest } = await check(file);
  const opened = await open(browser, file);
  // A kept file is small: it has no script that judges.
  const isWhole = viewer.length > MIN_VIEWER;
  const { digests, isSame } = isWhole ? await judgeInBrowser(opened) : { digests: ["", "no script"], isSame: true };
  const { requests, complaints } = opened;
  await opened.page.context().close();
  const bytes = Buffer.byteLength(html);
  const isRight =
    (code === 0 ? digest === facts.digest : code === 1 && !isWhole) &&
    (!isWhole || digests.every((each) => each === facts.digest)) &&
    isSame &&
    bytes <= MAX_BYTES &&
    requests.length + complaints.length === 0;
  const cells = [name, String(bytes), facts.digest, digests[1] ?? "", String(code), String(requests.length)];
  console.log(line([...cells, isRight ? "" : `WRONG ${complaints.join("; ")}`], FILE_WIDTHS));
  return isRight;
}

const head = (): void =>
  console.log(line(["verdict", "bytes", "digest in it", "in Chromium", "check", "requests"], FILE_WIDTHS));

async function proveMade(browser: Browser, folder: string, chosen: ReturnType<typeof choose>): Promise<number> {
  head();
  let wrong = 0;
  for (const { of, verdict } of chosen) {
    const viewer = readFileSync(join(casesFolder, `${of.game}.js`), "utf8");
    const { html } = await makeCase(of.recording, verdict.id, { ...making, viewer });
    const file = join(folder, `${of.game}-${of.dialect}-${verdict.id}.html`);
    writeFileSync(file, html);
    if (!(await proveFile(browser, `${of.game} ${of.dialect}: ${verdict.verdict.rule}`, file))) wrong += 1;
  }
  return wrong;
}

async function proveKept(browser: Browser): Promise<number> {
  console.log("\nkept, of each released layout");
  head();
  let wrong = 0;
  for (const file of globSync(KEPT).sort()) if (!(await proveFile(browser, basename(file), file))) wrong += 1;
  return wrong;
}

async function proveHostile(browser: Browser, folder: string, played: readonly Played[]): Promise<number> {
  const [chosen] = choose(played, 1);
  if (chosen === undefined) return 0;
  const { of, verdict } = chosen;
  const viewer = readFileSync(join(casesFolder, `${of.game}.js`), "utf8");
  const { html: whole } = await makeCase(of.recording, verdict.id, { ...making, viewer });
  console.log("\nhostile");
  const widths = [48, 6, 7, 7, 44];
  console.log(line(["file", "check", "s", "MB", "why", "in Chromium"], widths));
  let wrong = 0;
  for (const { name, html, codes } of await hostileFiles(whole)) {
    const path = join(folder, "hostile.html");
    writeFileSync(path, html);
    const { code, why, ms, megabytes } = await check(path);
    const opened = await open(browser, path);
    const { page, requests, complaints } = opened;
    // A script that runs would have by now: the page's own writes its heading.
    await page.locator("h1, main, body").first().waitFor(WAIT);
    const button = page.getByRole("button", { name: "Judge again" });
    const said = page.getByText(/This file was changed|cannot be|damaged|not found|edited/i).first();
    await Promise.race([button.waitFor(WAIT), said.waitFor(WAIT)]).catch(() => {});
    const isOwned = (await page.title()) === "owned";
    const blocked = complaints.filter((each) => /content security policy/i.test(each)).length;
    const shown = (await said.isVisible()) ? (await said.innerText()).slice(0, 80) : "opens";
    await page.context().close();
    const isRight = codes.includes(code) && !isOwned && requests.length === 0;
    if (!isRight) wrong += 1;
    const browserText = `${shown}${blocked > 0 ? `; ${blocked} blocked by its policy` : ""}${isRight ? "" : " WRONG"}`;
    console.log(
      line([name, String(code), (ms / 1000).toFixed(1), megabytes.toFixed(0), why.slice(0, 44), browserText], widths),
    );
  }
  return wrong;
}
