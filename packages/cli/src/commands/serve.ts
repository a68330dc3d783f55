import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import type { BanAddress, Registration, RunningServer } from "@wirewalk/server";
import { type Command, Option } from "commander";
import type { Logger } from "pino";
import { MAX_TICK_MS, type Protocol } from "wirewalk/protocol";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import type { Flock } from "../flock.ts";
import { wholeNumber } from "../numbers.ts";
import { write } from "../output.ts";
import { parseSettings, withSettings } from "../settings.ts";
import { addWebFlags, chooseWeb, isLoopback, readSecrets, type WebFlags } from "./serve-web.ts";
import { chooseDialect, chooseProtocol } from "./streams.ts";

interface ServeFlags extends WebFlags {
  readonly listen?: readonly string[];
  readonly dialect?: readonly string[];
  readonly set?: readonly string[];
  readonly tickMs?: readonly string[];
  readonly bots: number;
  readonly data?: string;
  readonly seed: number;
  readonly logOnly?: true;
  readonly banLoopback?: true;
  readonly register?: Registration;
  readonly banAddress?: readonly string[];
  readonly trustProxy?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly flushMs: number;
  readonly sessionsPerAddress?: number;
  readonly logLevel: string;
}

/** Time for the drain, of the ten seconds that a service has to end: the rest is for closing files and the process. */
const DRAIN_MS = 9000;

/**
 * Ctrl-C reaches the process more than once when it was started by a process that forwards signals, as npm and an older
 * Node do. Nobody presses a key twice within this time.
 */
const SAME_SIGNAL_MS = 100;

const OWN_FLOCK = 0x5eed;

/** Bots run in the server's own process: use `wirewalk bots` for more than this. */
const MAX_BOTS = 1000;

/** The page, where the workspace builds it. */
const STUDIO_FOLDER = fileURLToPath(new URL("../../../../apps/studio/dist", import.meta.url));

/** `wirewalk serve`: worlds for all games, over TCP and WebSocket, with the page that shows them. */
export function addServe(program: Command, context: CommandContext): void {
  const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
  const serveCommand = program
    .command("serve")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--http <port>", "port of the page and of WebSockets, 0 for any", wholeNumber(0, 65_535), 7400)
    .option("--listen <protocol=port>", "TCP port of a game, 0 for any (default: each game's own)", collect)
    .option("--dialect <protocol=name>", "dialect of a game (default: each game's own)", collect)
    .option("--set <protocol.name=number>", "a number of a game, such as an opcode (see wirewalk protocols)", collect)
    .option(
      "--tick-ms <number>",
      `milliseconds between two ticks, of ${tickingNames(context).join(", ")} (or <protocol=number>; default: the game's own)`,
      collect,
    )
    .option("--bots <number>", "bots of each game that play here", wholeNumber(0, MAX_BOTS), 0)
    .option("--data <folder>", "where bans and accounts are kept (default: in memory)")
    .option("--seed <number>", "random seed of worlds and bots", wholeNumber(0, 0xffff_ffff), 1)
    .option("--log-only", "log cheats, but correct and ban nobody")
    .option("--ban-loopback", "also ban players of this machine and of the demo (default: only end their sessions)")
    .option(
      "--ban-address <policy>",
      "what a ban of a player without a login does to its address: off, soft (a wait and half the budget) or on (or " +
        "<protocol=policy>; default: soft)",
      collect,
    )
    .option(
      "--trust-proxy <network>",
      "take clients' addresses from this proxy, as 10.0.0.0/8: PROXY header over TCP, X-Forwarded-For over HTTP",
      collect,
    )
    .addOption(
      new Option(
        "--register <policy>",
        "whether the first login with a name registers it (default: open on loopback without proxies and with --bots, otherwise closed; " +
          "wirewalk accounts add makes accounts)",
      ).choices(["open", "closed"]),
    )
    .option("--allow-origin <origin>", "also accept pages of this origin, as https://example.org", collect)
    .option("--flush-ms <number>", "milliseconds over which messages are merged", wholeNumber(0, 1000), 0)
    .option(
      "--sessions-per-address <number>",
      "connections of one address at most (default: 64, or all there may be where only this machine can connect)",
      wholeNumber(1, 1_000_000),
    )
    .addOption(
      new Option("--log-level <level>", "how much is logged to the standard error")
        .choices(["silent", "error", "warn", "info", "debug"])
        .default("info"),
    );
  addWebFlags(serveCommand)
    .summary("worlds over TCP and WebSocket, and the page")
    .description(
      "Serves the games' worlds over TCP and WebSocket, and the page that shows them. The first SIGINT or SIGTERM " +
        "disconnects all sessions within ten seconds, a second one ends at once. SIGHUP reads the certificate and the admin " +
        "token again.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk serve --bots 24
  $ wirewalk serve --listen slime-online-2=5555 --dialect slime-online-2=v0106 --data ./data
  $ wirewalk serve --http 0 --listen slime-online-2=0 --log-level silent
  $ wirewalk serve --bots 24 --tick-ms osrs=50
  $ wirewalk serve --host 0.0.0.0 --public-host play.example.org --tls-cert cert.pem --tls-key key.pem --data ./data

With --listen the games that it does not name are served over WebSocket alone.`,
    )
    .action((flags: ServeFlags) => serve(context, flags));
}

async function serve(context: CommandContext, flags: ServeFlags): Promise<void> {
  // A SIGHUP before the server runs changes nothing; without a listener it would end the process.
  context.signals.on("SIGHUP", () => {});
  const listeners = chooseListeners(context, flags);
  for (const origin of flags.allowOrigin ?? []) checkOrigin(origin);
  const web = chooseWeb(flags, flags.bots);
  // The server is loaded only here: `wirewalk decode` starts faster without it.
  const [{ defaultBudgets, limitMemory, sqliteStore, startServer }, { pino }, { memoryStore, systemClock }] =
    await Promise.all([import("@wirewalk/server"), import("pino"), import("wirewalk/net")]);
  const bots = flags.bots * listeners.length;
  // Where only this machine can connect, all sessions have one address: those of a load test, or of a proxy without a name.
  const perAddress =
    isLoopback(flags.host) && flags.trustProxy === undefined
      ? defaultBudgets.sessions
      : defaultBudgets.sessionsPerAddress;
  const sessionsPerAddress = (flags.sessionsPerAddress ?? perAddress) + bots;
  const hasPage = existsSync(`${STUDIO_FOLDER}/index.html`);
  const { data } = flags;
  const store = data === undefined ? memoryStore() : await orFail(() => sqliteStore(data));
  const logger = pino({ level: flags.logLevel }, context.stderr);
  try {
    const server = await orFail(() =>
      startServer({
        host: flags.host,
        http: flags.http,
        listeners,
        store,
        seed: flags.seed,
        // Bots walk in demo rooms; the rooms of real clients are not known.
        demo: flags.bots > 0,
        banLoopback: flags.banLoopback === true,
        ...(flags.trustProxy === undefined ? {} : { trustedProxies: flags.trustProxy }),
        ...(flags.register === undefined ? {} : { registration: flags.register }),
        enforcement: flags.logOnly === true ? "log" : "enforce",
        // The bots have places of their own: they take none from other sessions of this machine.
        budgets: { sessionsPerAddress },
        flushMs: flags.flushMs,
        logger,
        ...web,
        ...(hasPage ? { studioFolder: STUDIO_FOLDER } : {}),
        ...(flags.allowOrigin === undefined ? {} : { allowedOrigins: flags.allowOrigin }),
      }),
    );
    const stop = whenSignalled(context, () => reload(server, flags, logger));
    const stopLimits = limitMemory(systemClock, () => server.stats().sessions);
    const flocks = flags.bots === 0 ? [] : await startBots(server, listeners, flags, logger);
    await write(context.stdout, describe(server, listeners, flags, { hasPage, flocks }));
    await stop;
    stopLimits();
    await Promise.all([server.close({ graceMs: DRAIN_MS }), ...flocks.map((flock) => flock.stop())]);
  } finally {
    store.close();
  }
}

interface Listener {
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly port?: number;
  readonly tickMs?: number;
  readonly banAddress?: BanAddress;
}

/** Every game, with its dialect and its port. */
function chooseListeners(context: CommandContext, flags: ServeFlags): Listener[] {
  const ports = pairs(context, "--listen", flags.listen);
  const dialects = pairs(context, "--dialect", flags.dialect);
  const settings = parseSettings(context.protocols, flags.set);
  const ticks = chooseTicks(context, flags.tickMs);
  const policies = choosePolicies(context, flags.banAddress);
  return Object.values(context.protocols).map((plain) => {
    const protocol = withSettings(plain, settings);
    const dialect = chooseDialect(protocol, dialects.get(plain));
    const tickMs = ticks.get(plain);
    const banAddress = policies.get(plain);
    const listener = {
      protocol,
      dialect,
      ...(tickMs === undefined ? {} : { tickMs }),
      ...(banAddress === undefined ? {} : { banAddress }),
    };
    if (flags.listen === undefined) return { ...listener, port: protocol.defaultPort };
    const text = ports.get(plain);
    if (text === undefined) return listener;
    const port = Number(text);
    if (!/^\d+$/.test(text) || port > 65_535) {
      throw new UsageError(`--listen ${protocol.name}=${text} needs a port from 0 to 65535`);
    }
    return { ...listener, port };
  });
}

/** The games with capability `tick`. */
function ticking({ protocols }: CommandContext): Protocol[] {
  return Object.values(protocols).filter(({ capabilities }) => capabilities.tick !== undefined);
}

function tickingNames(context: CommandContext): string[] {
  return ticking(context).map(({ name }) => name);
}

/** Ticks by game: `600` is for all games with that capability, `osrs=50` for one game, and wins over it. */
function chooseTicks(context: CommandContext, given: readonly string[] = []): Map<Protocol, number> {
  const forAll = given.filter((text) => !text.includes("="));
  if (forAll.length > 1) throw new UsageError(`--tick-ms is given twice: ${forAll.join(" and ")}`);
  const ticks = new Map(forAll.flatMap((text) => ticking(context).map((protocol) => [protocol, tickOf(text, text)])));
  const named = given.filter((text) => text.includes("="));
  for (const [protocol, text] of pairs(context, "--tick-ms", named)) {
    if (protocol.capabilities.tick === undefined) {
      const others = tickingNames(context).join(", ");
      throw new UsageError(`the tick of ${protocol.name} is the game's own; --tick-ms is for ${others}`);
    }
    ticks.set(protocol, tickOf(text, `${protocol.name}=${text}`));
  }
  return ticks;
}

const banPolicies: readonly BanAddress[] = ["off", "soft", "on"];

/** Policies by game: `on` is for all games, `osrs=off` for one game, and wins over it. */
function choosePolicies(context: CommandContext, given: readonly string[] = []): Map<Protocol, BanAddress> {
  const policyOf = (text: string): BanAddress => {
    const policy = banPolicies.find((each) => each === text);
    if (policy === undefined)
      throw new UsageError(`--ban-address ${text} is unknown; known are ${banPolicies.join(", ")}`);
    return policy;
  };
  const forAll = given.filter((text) => !text.includes("="));
  if (forAll.length > 1) throw new UsageError(`--ban-address is given twice: ${forAll.join(" and ")}`);
  const all = Object.values(context.protocols);
  const policies = new Map(forAll.flatMap((text) => all.map((protocol) => [protocol, policyOf(text)])));
  const named = given.filter((text) => text.includes("="));
  for (const [protocol, text] of pairs(context, "--ban-address", named)) policies.set(protocol, policyOf(text));
  return policies;
}

function tickOf(text: string, given: string): number {
  const tickMs = Number(text);
  if (/^\d+$/.test(text) && tickMs >= 1 && tickMs <= MAX_TICK_MS) return tickMs;
  throw new UsageError(`--tick-ms ${given} needs a whole number of milliseconds from 1 to ${MAX_TICK_MS}`);
}

/** The values of a flag that is given once per game, as `slime-online-2=5555`. */
function pairs(context: CommandContext, flag: string, given: readonly string[] = []): Map<Protocol, string> {
  const values = new Map<Protocol, string>();
  for (const pair of given) {
    const [name = "", value] = pair.split("=", 2);
    const protocol = chooseProtocol(context, name);
    if (value === undefined || value === "") throw new UsageError(`${flag} ${pair} needs a value: ${name}=…`);
    if (values.has(protocol)) throw new UsageError(`${flag} is given twice for ${name}`);
    values.set(protocol, value);
  }
  return values;
}

function checkOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return;
  throw new UsageError(
    `--allow-origin ${origin} is not an origin: it must be a scheme and a host, as https://example.org`,
  );
}

/** An error about a port or a folder (in use, not writable) ends the command with its message. */
async function orFail<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Cannot ")) throw new FailedError(error.message);
    if (error instanceof RangeError && error.message.includes("is neither an address")) {
      throw new UsageError(`--trust-proxy ${error.message}`);
    }
    throw error;
  }
}

/** Reads again what an operator changes while the server runs. A file that cannot be used is logged, and nothing changes. */
function reload(server: RunningServer, flags: ServeFlags, logger: Logger): void {
  try {
    server.reload(readSecrets(flags));
    logger.info("reloaded");
  } catch (error) {
    logger.error({ err: error }, "not reloaded");
  }
}

/** Resolves at the first signal that ends the server; the second ends the process. SIGHUP never does. */
function whenSignalled(context: CommandContext, onHangUp: () => void): Promise<void> {
  let firstMs: number | undefined;
  return new Promise((resolve) => {
    const onSignal = (signal: "SIGINT" | "SIGTERM"): void => {
      const nowMs = performance.now();
      if (firstMs === undefined) {
        firstMs = nowMs;
        context.stdout.write("Disconnecting all sessions, for at most ten seconds; a second signal ends at once.\n");
        resolve();
      } else if (nowMs - firstMs > SAME_SIGNAL_MS) {
        context.exit(128 + constants.signals[signal]);
      }
    };
    context.signals.on("SIGHUP", onHangUp);
    context.signals.on("SIGINT", onSignal);
    context.signals.on("SIGTERM", onSignal);
    // Ctrl-C reaches shell and command alike: the end of the shell is not a second signal.
    context.signals.on("orphaned", () => {
      if (firstMs === undefined) onSignal("SIGTERM");
    });
  });
}

/**
 * Bots of every game, over WebSocket: there a session can name its room and its account, so the bots fill several rooms and
 * share no account with sessions over TCP from this machine.
 */
async function startBots(
  server: RunningServer,
  listeners: readonly Listener[],
  { bots, seed }: ServeFlags,
  logger: Logger,
): Promise<Flock[]> {
  const [{ connectWebSocket, systemClock }, { startFlock }] = await Promise.all([
    import("wirewalk/net"),
    import("../flock.ts"),
  ]);
  const flocks = listeners.map(({ protocol, dialect }) =>
    startFlock({
      protocol,
      dialect,
      count: bots,
      // Not the seed itself: `wirewalk bots` uses it, and two equal flocks would use the same logins.
      seed: seed ^ OWN_FLOCK,
      cheat: "none",
      clock: systemClock,
      // For example a bot that received an impossible message.
      onGone: (bot, reason) => logger.warn({ protocol: protocol.name, bot, reason }, "a bot was disconnected"),
      ...(protocol.bots.rooms === undefined ? {} : { rooms: protocol.bots.rooms }),
      connect: (number, room) => {
        // Without TLS: see `chooseWeb`.
        const url = new URL(`ws://${reachable(server.adminAddress ?? server.httpAddress)}/ws/${protocol.name}`);
        url.searchParams.set("account", `bot-${number}`);
        if (room !== undefined) url.searchParams.set("room", String(room));
        return connectWebSocket(url);
      },
    }),
  );
  await Promise.all(flocks.map((flock) => flock.opened));
  return flocks;
}

type Address = RunningServer["httpAddress"];

/** `127.0.0.1:7400`: how this machine reaches a listener. */
function reachable(address: Address): string {
  if (address === undefined) throw new Error("The server has no HTTP");
  const { host, port } = address;
  // A wildcard address cannot be connected to.
  const near = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `${near.includes(":") ? `[${near}]` : near}:${port}`;
}

function describe(
  server: RunningServer,
  listeners: readonly Listener[],
  flags: ServeFlags,
  { hasPage, flocks }: { readonly hasPage: boolean; readonly flocks: readonly Flock[] },
): string {
  const secure = flags.tlsCert === undefined ? "" : "s";
  const web = reachable(server.httpAddress);
  const lines: string[] = [];
  for (const [index, { protocol, dialect, tickMs }] of listeners.entries()) {
    const tick = tickMs === undefined ? "" : `, ${tickMs} ms a tick`;
    lines.push(`${protocol.title}, dialect ${dialect}${tick}`);
    const tcp = server.listeners.find((each) => each.protocol === protocol.name);
    if (tcp !== undefined) lines.push(`  TCP        ${tcp.host}:${tcp.port}`);
    lines.push(`  WebSocket  ws${secure}://${web}/ws/${protocol.name}`);
    const counts = flocks[index]?.counts();
    if (counts === undefined) continue;
    const failed = [...counts.reasons].map(([reason, times]) => `; ${times} x ${reason}`).join("");
    lines.push(`  Bots       ${counts.connected}${failed}`);
  }
  if (flags.data === undefined) lines.push("Bans and accounts are lost at the end: --data FOLDER keeps them.");
  else lines.push(`Bans and accounts are kept in ${flags.data}.`);
  if (flags.logOnly === true) {
    lines.push("Cheats are only logged: nobody is corrected or banned.");
  } else if (flags.banLoopback !== true) {
    const who = flags.bots > 0 ? "Players of the demo" : "Players of this machine";
    lines.push(`${who} are disconnected for cheating, not banned: --ban-loopback bans them.`);
  }
  const hasAdmin = server.adminAddress?.port !== server.httpAddress?.port;
  const page = `http${hasAdmin && isLoopback(server.adminAddress?.host ?? "") ? "" : secure}://${reachable(server.adminAddress)}/`;
  if (hasPage) lines.push(`The page is at ${page}`);
  else lines.push(`The page is not built (npm run build:studio builds it); all else is served at ${page}`);
  if (hasAdmin) lines.push("The games' address has neither the page nor its feed nor the metrics.");
  return `${lines.join("\n")}\n`;
}
