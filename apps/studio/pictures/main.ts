/**
 * Takes the pictures of the page: every state at four widths, light and dark, from real servers with bots and cheats.
 * `npm run pictures` writes them to `screenshots/`; `npm run pictures -- --docs` those of README and docs to `docs/pictures/`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import type { BotRun } from "wirewalk/client";
import type { Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { parseOptions } from "../../../tools/options.ts";
import { buildPage } from "../build-page.ts";
import { launchChromium, missingChromium } from "../test/chromium.ts";
import { startBot } from "../test/clients.ts";
import { type StateOf, states } from "./states.ts";

const usage =
  "Usage: npm run pictures [-- --state verdict --width 390 --scheme dark --vision deuteranopia --docs]\n" +
  "Each option may be repeated. --vision shows the page as it looks with a deficiency of colour vision: protanopia,\n" +
  "deuteranopia, tritanopia, achromatopsia.";

const visions = ["protanopia", "deuteranopia", "tritanopia", "achromatopsia"] as const;

type Vision = (typeof visions)[number];

/** Height of the window at each width: a phone, a tablet, a laptop, a large screen. */
const sizes: Readonly<Record<number, number>> = { 390: 844, 820: 1180, 1440: 900, 2560: 1440 };

const schemes = ["light", "dark"] as const;

/** Pictures of README and docs: few, since every copy of the repository has them. */
const ofDocs: readonly { readonly state: string; readonly width: number; readonly scheme: "light" | "dark" }[] = [
  { state: "first-visit", width: 1440, scheme: "light" },
  { state: "first-visit", width: 1440, scheme: "dark" },
  { state: "verdict", width: 1440, scheme: "light" },
  { state: "player-info", width: 1440, scheme: "dark" },
  { state: "playing-scrap", width: 390, scheme: "dark" },
];

const bin = fileURLToPath(new URL("../../../packages/cli/bin/wirewalk.js", import.meta.url));
const workspace = fileURLToPath(new URL("../../../", import.meta.url));

/** Bots of the whole server; the rooms that are photographed have more, so that something is found. */
const BOTS = 12;

const cheats: readonly { readonly protocol: string; readonly room: string; readonly cheat: string }[] = [
  { protocol: "slime-online-2", room: "1", cheat: "speed-1.5" },
  { protocol: "slime-online-2", room: "1", cheat: "slow-teleport" },
  { protocol: "slime-online-2", room: "2", cheat: "idle-jump" },
  { protocol: "osrs", room: "mouse", cheat: "linear" },
  { protocol: "maplestory", room: "1", cheat: "speed" },
  { protocol: "scrap-mechanic", room: "1", cheat: "clock-1.2" },
];

interface Server {
  readonly origin: string;
  end(): Promise<void>;
}

/** The command as a visitor starts it. */
async function start(...args: readonly string[]): Promise<Server> {
  const child: ChildProcess = spawn(process.execPath, [bin, ...args], {
    cwd: workspace,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let said = "";
    const listen = (chunk: Buffer): void => {
      said += String(chunk);
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", (code) => reject(new Error(`wirewalk ${args.join(" ")} ended with ${code}: ${said}`)));
  });
  return {
    origin,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** On ports that are free, beside any other server of this machine. */
const serve = (...more: readonly string[]): Promise<Server> => {
  const listen = Object.keys(protocols).flatMap((name) => ["--listen", `${name}=0`]);
  return start("serve", "--http", "0", "--bots", String(BOTS), ...listen, ...more);
};

async function startCheats(origin: string): Promise<readonly BotRun[]> {
  return Promise.all(
    cheats.map(({ protocol, room, cheat }, index) => {
      const game: Protocol | undefined = protocols[protocol];
      if (game === undefined) throw new Error(`unknown game ${protocol}`);
      return startBot({ protocol: game, origin, room, number: 40 + index, cheat });
    }),
  );
}

/** A recording of some seconds with a cheat, as `serve --record` leaves it. */
async function record(folder: string): Promise<string> {
  const server = await serve("--record", folder);
  const bots = await startCheats(server.origin);
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  for (const bot of bots) bot.stop();
  await server.end();
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => name.includes("slime"));
  if (file === undefined) throw new Error(`no recording of slime-online-2 in ${folder}`);
  return join(folder, file);
}

interface Shot {
  readonly state: StateOf;
  readonly width: number;
  readonly schemes: readonly ("light" | "dark")[];
  readonly visions: readonly Vision[];
}

async function photograph(
  browser: Browser,
  shot: Shot,
  origin: string,
  into: string,
  doom: () => Promise<void>,
): Promise<void> {
  const { state, width } = shot;
  const context = await browser.newContext({
    viewport: { width, height: sizes[width] ?? 900 },
    colorScheme: shot.schemes[0] ?? "dark",
    hasTouch: width < 1_000,
    isMobile: width < 500,
  });
  const page = await context.newPage();
  const eyes = await context.newCDPSession(page);
  try {
    await page.goto(`${origin}/${state.hash}`);
    const first = state.hash.startsWith("#inspect") ? ".inspect" : ".scene canvas, .blank";
    await page.locator(first).first().waitFor({ timeout: 20_000 });
    await page.waitForTimeout(2_500);
    await state.reach?.(page);
    if (state.at === "doomed") await doom();
    for (const scheme of shot.schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.waitForTimeout(scheme === shot.schemes[0] ? (state.settleMs ?? 1_500) : 400);
      const path = (name: string): string => join(into, `${state.name}-${width}-${scheme}${name}.png`);
      if (shot.visions.length === 0) await page.screenshot({ path: path("") });
      for (const vision of shot.visions) {
        await eyes.send("Emulation.setEmulatedVisionDeficiency", { type: vision });
        await page.screenshot({ path: path(`-${vision}`) });
      }
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) console.log(`${state.name} at ${width}: ${wide} px wide`);
  } finally {
    await context.close();
  }
}

async function main(): Promise<void> {
  const { values } = parseOptions(usage, {
    options: {
      state: { type: "string", multiple: true, default: [] },
      width: { type: "string", multiple: true, default: [] },
      scheme: { type: "string", multiple: true, default: [] },
      vision: { type: "string", multiple: true, default: [] },
      docs: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const asked = visions.filter((vision) => values.vision.includes(vision));
  if (asked.length !== values.vision.length) {
    console.error(`--vision takes ${visions.join(", ")}\n${usage}`);
    process.exit(2);
  }
  const missing = missingChromium();
  if (missing !== undefined) throw new Error(missing);
  const into = join(workspace, values.docs ? "docs/pictures" : "screenshots");
  mkdirSync(into, { recursive: true });
  const shots: readonly Shot[] = states
    .filter(({ name }) => values.state.length === 0 || values.state.some((wanted) => name.startsWith(wanted)))
    .flatMap((state) =>
      Object.keys(sizes).flatMap((key) => {
        const width = Number(key);
        const wanted = schemes.filter((scheme) =>
          values.docs
            ? ofDocs.some((each) => each.state === state.name && each.width === width && each.scheme === scheme)
            : values.scheme.length === 0 || values.scheme.includes(scheme),
        );
        const isLeftOut =
          wanted.length === 0 ||
          (values.width.length > 0 && !values.width.includes(key)) ||
          state.widths?.includes(width) === false;
        return isLeftOut ? [] : [{ state, width, schemes: wanted, visions: asked }];
      }),
    );
  if (shots.length === 0) {
    console.error(`no picture has this state, width and scheme\n${usage}`);
    process.exit(2);
  }
  await buildPage();
  const browserServer = await launchChromium();
  const browser = await chromium.connect(browserServer.wsEndpoint());
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-pictures-"));
  const server = await serve();
  const bots = await startCheats(server.origin);
  let replay: Server | undefined;
  try {
    for (const shot of shots) {
      const { state, width } = shot;
      let doomed: Server | undefined;
      if (state.at === "doomed") doomed = await serve();
      if (state.at === "replay") replay ??= await start("replay", await record(folder), "--serve", "--http", "0");
      const { origin } = doomed ?? (state.at === "replay" ? replay : undefined) ?? server;
      try {
        await photograph(browser, shot, origin, into, async () => doomed?.end());
        console.log(`${state.name} at ${width}`);
      } catch (error) {
        process.exitCode = 1;
        console.error(`${state.name} at ${width}: ${error instanceof Error ? error.message : error}`);
      } finally {
        await doomed?.end();
      }
    }
  } finally {
    for (const bot of bots) bot.stop();
    await replay?.end();
    await server.end();
    await browser.close();
    await browserServer.close();
    rmSync(folder, { recursive: true });
  }
}

await main();
