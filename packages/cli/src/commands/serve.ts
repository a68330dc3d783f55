import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import type { Registration, RunningWorkers, ServerOptions } from "@wirewalk/server";
import { type Command, Option } from "commander";
import type { Logger } from "pino";
import type { Store } from "wirewalk/net";
import { type ProtocolWith, requireMembers, type ServedProtocol } from "wirewalk/protocol";
import { printConfig } from "../config/print-config.ts";
import { readServeConfig, type ServeConfig } from "../config/read-config.ts";
import { type CommandContext, FailedError, isUsageError, UsageError } from "../context.ts";
import { collect } from "../input/collect.ts";
import { mapsAt } from "../input/maps.ts";
import { wholeNumber } from "../input/numbers.ts";
import { noFiles } from "../input/outside-files.ts";
import { isTerminal, painter } from "../output/colours.ts";
import { write } from "../output/output.ts";
import { type LogSink, type TerminalLog, terminalLog } from "../output/terminal-log.ts";
import type { Flock } from "../process/flock.ts";
import { isDatabase, openStore } from "../process/open-store.ts";
import { addRecordingFlags, addRequiredFlag, type RecordingFlags, recordingOptions } from "./recording-flags.ts";
import { addCaptureFlags, type CaptureFlags, checkCaptureFlags, startCapture } from "./serve-capture.ts";
import { addClusterFlags, type ClusterFlags, checkClusterFlags, joinCluster } from "./serve-cluster.ts";
import { chooseListeners, type Listener, type ListenerFlags, threadedNames, tickingNames } from "./serve-listeners.ts";
import { serverOptions } from "./serve-options.ts";
import { describe, reachable, type TextFlags } from "./serve-text.ts";
import { addWebFlags, chooseWeb, isLoopback, readSecrets } from "./serve-web.ts";
import type { ServeWorkerData } from "./serve-worker.ts";
import { addTellFlag, type TellFlags, tellTargets } from "./tell-flags.ts";

interface ServeFlags extends TellFlags, ListenerFlags, TextFlags, CaptureFlags, RecordingFlags, ClusterFlags {
  readonly config?: string;
  readonly printConfig?: true;
  readonly workers?: number;
  readonly seed: number;
  readonly register?: Registration;
  readonly trustProxy?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly store?: string;
  readonly dismissed?: string;
  readonly flushMs: number;
  readonly sessionsPerAddress?: number;
  readonly logLevel: string;
  readonly logFormat: "auto" | "text" | "json";
}

/** Time for the drain, of the ten seconds that a service has to end: the rest is for closing files and the process. */
const DRAIN_MS = 9000;

/**
 * Ctrl-C reaches the process more than once when it was started by a process that forwards signals, as npm and an older
 * Node do. Nobody presses a key twice within this time.
 */
const SAME_SIGNAL_MS = 100;

const OWN_FLOCK = 0x5eed;

/** The own bots of a game open so many connections at once: with 64 a page that comes first waits 600 ms for an answer, with 2 120 ms. */
const OWN_AT_ONCE = 2;

/** More than any machine has cores for worlds. */
const MAX_WORKERS = 64;

/** Bots run in the server's own process: use `wirewalk bots` for more than this. */
const MAX_BOTS = 1000;

/** `wirewalk serve`: worlds for all games, over TCP and WebSocket, with the page that shows them. */
export function addServe(program: Command, context: CommandContext): void {
  const [threaded, mostThreads] = threadedNames(context);
  const serveCommand = program
    .command("serve")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--http <port>", "port of the page and of WebSockets, 0 for any", wholeNumber(0, 65_535), 7400)
    .option(
      "--config <file>",
      "JSON file with worlds and with values of flags, docs/operations.md describes it; flags win",
    )
    .option("--print-config", "print what is in force as such a file, and end")
    .option("--world <name=protocol>", "a world of a game with a name of its own (default: one for each game)", collect)
    .option("--all", "with --world or --listen: the other games too, over WebSocket (default: only the named worlds)")
    .option(
      "--listen <world=port>",
      "TCP port of a world, 0 for any; each port of a game is another world of it, such as maplestory=7575,7576 (default: each game's own)",
      collect,
    )
    .option(
      "--room-port <world=room:port>",
      "another TCP port of a world, whose players ask for a room, such as maplestory=channel-2:7576",
      collect,
    )
    .option(
      "--dialect <world=name>",
      "dialect of a world, or of all worlds of a game (default: each game's own)",
      collect,
    )
    .option(
      "--set <world.name=number>",
      "a setting of a world, or of all worlds of a game: a limit of a rule, an opcode (see wirewalk rules)",
      collect,
    )
    .option("--rules <file>", 'settings of a JSON file: {"slime-online-2.maxSpeed": 3}; --set wins over it')
    .option(
      "--maps <world=path>",
      "the places of a world, or of all worlds of a game: a folder, a file or an archive (see wirewalk maps; a path alone where one game has them)",
      collect,
    )
    .option(
      "--tick-ms <number>",
      `milliseconds between two ticks, of ${tickingNames(context).join(", ")} (or <world=number>; default: the game's own)`,
      collect,
    )
    .option(
      "--threads <number>",
      `threads that write packets together, of ${threaded.join(", ")} (default: 1)`,
      wholeNumber(1, mostThreads),
    )
    .option(
      "--workers <number>",
      "threads that the worlds are spread over, each with its own sockets (default: one thread for all)",
      wholeNumber(1, MAX_WORKERS),
    )
    .option("--bots <number>", "bots of each world in this server", wholeNumber(0, MAX_BOTS), 0)
    .option("--data <folder>", "folder of bans and accounts (default: in memory)")
    .option("--store <url>", "database of bans and accounts instead of a folder: postgres://user@host:5432/database")
    .option(
      "--dismissed <folder>",
      "folder for recordings of verdicts that an operator calls false, which wirewalk check reads (default: dismissed in --data)",
    )
    .option("--seed <number>", "random seed of worlds and bots", wholeNumber(0, 0xffff_ffff), 1)
    .option("--log-only", "report cheats without correcting or banning players")
    .option("--ban-loopback", "also ban players of this machine and of the demo (default: only end their sessions)")
    .option(
      "--ban-address <policy>",
      "what a ban of a player without a login does to its address: off, soft (a wait and half the budget) or on (or " +
        "<world=policy>; default: soft)",
      collect,
    )
    .option(
      "--policy <protocol.rule=action>",
      "what a world does with a message in which a rule finds something (relay, correct or drop) and what follows when verdicts add up " +
        "(log, kick or ban): maplestory.speed=correct+kick,limit=20 or " +
        "'osrs.*=ban,limit=40,half-life=6h,for=1d' (or <world.rule=action>; default: log)",
      collect,
    )
    .option(
      "--trust-proxy <network>",
      "take clients' addresses from this proxy, such as 10.0.0.0/8: PROXY header over TCP, X-Forwarded-For over HTTP",
      collect,
    )
    .addOption(
      new Option(
        "--register <policy>",
        "whether the first login with a name registers it (default: open on loopback without proxies and with --bots, otherwise closed; " +
          "wirewalk accounts add makes accounts)",
      ).choices(["open", "closed"]),
    )
    .option("--allow-origin <origin>", "also accept pages of this origin, such as https://example.org", collect)
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
    )
    .addOption(
      new Option(
        "--log-format <format>",
        "text for people, with one line a second for all who come and go, or a line of JSON for each record; auto is text on a terminal, else json",
      )
        .choices(["auto", "text", "json"])
        .default("auto"),
    );
  addTellFlag(addClusterFlags(addRequiredFlag(addRecordingFlags(addCaptureFlags(addWebFlags(serveCommand))))))
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
  $ wirewalk serve --listen slime-online-2=5555 --dialect slime-online-2=documented --data ./data
  $ wirewalk serve --http 0 --listen slime-online-2=0 --log-level silent
  $ wirewalk serve --bots 24 --tick-ms osrs=50
  $ wirewalk serve --config wirewalk.json --log-level warn
  $ wirewalk serve --listen maplestory=7575 --listen maplestory=7576 --dialect maplestory=v83
  $ wirewalk serve --listen maplestory=8484 --dialect maplestory=v83 --maps maplestory=server/wz
  $ wirewalk serve --world scania=maplestory --world bera=maplestory --listen scania=8484 --listen bera=8585
  $ wirewalk serve --host 0.0.0.0 --public-host play.example.org --tls-cert cert.pem --tls-key key.pem --data ./data

A world has the name of its game, with -2, -3 and so on for its next worlds. What a flag says of a game holds for all of its worlds, unless
it is given for the world too. With --listen or --world only the worlds that they name start, with --all the other games too, over WebSocket alone.`,
    )
    .action(async (given: ServeFlags, command: Command) => {
      const config = given.config === undefined ? {} : readServeConfig(given.config, command, context);
      const flags = command.opts<ServeFlags>();
      if (flags.printConfig !== true) await serve(context, flags, config);
      else {
        const { chosen } = choose(context, flags, config);
        await write(context.stdout, printConfig({ ...flags }, chosen));
      }
    });
}

/** What follows from flags and config file alone, or all that is wrong with them. */
function choose(context: CommandContext, flags: ServeFlags, config: ServeConfig) {
  const problems: string[] = [];
  const checked = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!isUsageError(error)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const chosen = checked(() => chooseListeners(context, flags, config));
  for (const origin of flags.allowOrigin ?? []) checked(() => checkOrigin(origin));
  if (flags.bots > 0) for (const { protocol } of chosen ?? []) checked(() => withBots(protocol));
  const web = checked(() => chooseWeb(flags, flags.bots));
  checked(() => checkCaptureFlags(flags));
  checked(() => checkClusterFlags(flags));
  checked(() => checkWorkers(flags));
  const recordings = checked(() => recordingOptions(flags));
  const place = checked(() => storePlace(flags));
  if (chosen === undefined || web === undefined || problems.length > 0) throw new UsageError(problems.join("\n  "));
  return { chosen, web, recordings, place };
}

async function serve(context: CommandContext, flags: ServeFlags, config: ServeConfig): Promise<void> {
  // A SIGHUP before the server runs changes nothing; without a listener it would end the process.
  context.signals.on("SIGHUP", () => {});
  const { chosen: listeners, web, recordings, place } = choose(context, flags, config);
  // The server is loaded only here: `wirewalk decode` starts faster without it.
  const [{ defaultBudgets, docsFolder, limitMemory, pageFolder }, { pino }, { systemClock }] = await Promise.all([
    import("@wirewalk/server"),
    import("pino"),
    import("wirewalk/net"),
  ]);
  const bots = flags.bots * listeners.length;
  // Where only this machine can connect, all sessions have one address: those of a load test, or of a proxy without a name.
  const perAddress =
    isLoopback(flags.host) && flags.trustProxy === undefined
      ? defaultBudgets.sessions
      : defaultBudgets.sessionsPerAddress;
  const sessionsPerAddress = (flags.sessionsPerAddress ?? perAddress) + bots;
  const studioFolder = pageFolder();
  const log = logSink(context, flags);
  const logger = pino({ level: flags.logLevel }, log);
  const outputs = await tellTargets(flags);
  const dismissed = flags.dismissed ?? (flags.data === undefined ? undefined : join(flags.data, "dismissed"));
  const options: ServerOptions = {
    ...serverOptions(flags, { listeners, web, recordings, sessionsPerAddress, isKept: place !== undefined, dismissed }),
    logger,
    ...(outputs === undefined ? {} : { outputs }),
    studioFolder,
    docsFolder: docsFolder(),
  };
  // Threads share no memory of JavaScript.
  const temporary = flags.workers !== undefined && place === undefined ? temporaryFolder() : undefined;
  const store = await openServerStore(place ?? temporary);
  let drain = (): void => {};
  const asked = new Promise<void>((resolve) => {
    drain = resolve;
  });
  try {
    const cluster = await joinCluster(flags, drain);
    const { promise: failed, resolve: onFailed } = Promise.withResolvers<Error>();
    const onMemoryUsedUp = (problem: string): void => onFailed(new Error(`memory is used up: ${problem}`));
    const isKept = place !== undefined;
    const data = { flags, config, place: place ?? temporary ?? "", isKept, dismissed, sessionsPerAddress };
    const server = await orFail(() =>
      start(
        context,
        { ...options, ...(cluster && { cluster }), store, onMemoryUsedUp },
        {
          workers: flags.workers,
          data,
          log,
          onFailed: (error) => onFailed(new Error(`a worker has failed: ${error.message}`)),
        },
      ),
    );
    await closing(server, () => startCapture(server, flags, logger));
    const stop = whenSignalled(context, () => reload(server, flags, logger));
    const stopLimits = limitMemory(systemClock, () => server.stats().sessions);
    const flocks = flags.bots === 0 ? [] : await startBots(server, listeners, flags, logger);
    const over = Promise.race([stop, asked, failed]);
    // Many bots take long to come in: nobody who ends the server waits for them.
    const opened = Promise.all(flocks.map((flock) => flock.opened)).then(() => true);
    if (await Promise.race([opened, over.then(() => false)])) {
      const paint = painter(context.stdout, context.env);
      if (isTerminal(context.stdout))
        await write(context.stdout, `${paint("title", "Wirewalk")} ${context.version}\n\n`);
      await write(
        context.stdout,
        describe(server, listeners, flags, { hasPage: studioFolder !== undefined, flocks, paint }),
      );
    }
    log.begin();
    const failure = await over;
    stopLimits();
    await Promise.all([server.close({ graceMs: DRAIN_MS }), ...flocks.map((flock) => flock.stop())]);
    if (failure !== undefined) throw new FailedError(failure.message);
  } finally {
    log.end();
    store.close();
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}

interface WorkerChoice {
  readonly workers: number | undefined;
  readonly data: Omit<ServeWorkerData, "files">;
  readonly log: LogSink;
  readonly onFailed: (error: Error) => void;
}

/** The module of a worker: TypeScript beside TypeScript. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));

/** Starts a server, with worker threads where they are asked for. */
async function start(
  context: CommandContext,
  options: ServerOptions & { readonly store: Store },
  { workers, data, log, onFailed }: WorkerChoice,
): Promise<RunningWorkers> {
  const { startServer, startWorkers } = await import("@wirewalk/server");
  if (workers === undefined) return startServer(options);
  return startWorkers({
    ...options,
    workers,
    module: new URL(`./serve-worker${extension}`, import.meta.url),
    data: { ...data, files: context.outsideFiles ?? noFiles },
    execArgv: extension === ".ts" ? ["-C", "wirewalk-source"] : [],
    writeLog: log.write,
    onFailed,
  });
}

/** Where the log goes: as words to a terminal, as JSON to all else. */
function logSink({ stderr, env }: CommandContext, { logFormat }: ServeFlags): TerminalLog {
  if (logFormat === "text" || (logFormat === "auto" && isTerminal(stderr))) return terminalLog(stderr, env);
  return { write: (line) => void stderr.write(line), begin() {}, end() {} };
}

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "wirewalk-store-"));
}

async function openServerStore(place: string | undefined): Promise<Store> {
  return place === undefined ? (await import("wirewalk/net")).memoryStore() : openStore(place);
}

function storePlace({ data, store }: ServeFlags): string | undefined {
  if (store === undefined) return data;
  if (data !== undefined)
    throw new UsageError("--data and --store do not go together: bans and accounts have one place");
  if (isDatabase(store)) return store;
  throw new UsageError(`--store ${store} is not the address of a database, postgres://user@host:5432/database`);
}

function checkWorkers({ workers, nats }: ServeFlags): void {
  if (workers === undefined || nats === undefined) return;
  throw new UsageError(
    "--workers and --nats do not go together: a machine has as many nodes of a cluster as it has cores",
  );
}

function checkOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return;
  throw new UsageError(
    `--allow-origin ${origin} is not an origin: it must be a scheme and a host, as https://example.org`,
  );
}

/** A server that does not come up is closed again. */
async function closing(server: RunningWorkers, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await server.close({ graceMs: 0 });
    throw error;
  }
}

/** An error about a port or a folder (in use, not writable) ends the command with its message. */
async function orFail<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Cannot ")) throw new FailedError(error.message);
    if (error instanceof RangeError && /^The (?:policy|response) of /.test(error.message)) {
      throw new UsageError(`--policy: ${error.message}`);
    }
    if (error instanceof RangeError && error.message.startsWith("Rows of verdicts ")) {
      throw new UsageError(`--tell store: ${error.message}`);
    }
    if (error instanceof RangeError && error.message.includes("is neither an address")) {
      throw new UsageError(`--trust-proxy ${error.message}`);
    }
    throw error;
  }
}

/** Reads again what an operator changes while the server runs. A file that cannot be used is logged, and nothing changes. */
function reload(server: RunningWorkers, flags: ServeFlags, logger: Logger): void {
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
 * Bots of every world, over WebSocket: there a session can name its room and its account, so the bots fill several rooms and
 * share no account with sessions over TCP from this machine.
 */
async function startBots(
  server: RunningWorkers,
  listeners: readonly Listener[],
  { bots, seed, node }: ServeFlags,
  logger: Logger,
): Promise<Flock[]> {
  const [{ connectWebSocket, systemClock }, { startFlock }] = await Promise.all([
    import("wirewalk/net"),
    import("../process/flock.ts"),
  ]);
  const numbers = new Map<string, number>();
  return listeners.map(({ name, protocol, dialect, maps: path }) => {
    const number = (numbers.get(protocol.name) ?? 0) + 1;
    numbers.set(protocol.name, number);
    const game = withBots(protocol);
    return startFlock({
      protocol: game,
      dialect,
      count: bots,
      // Not the seed itself: `wirewalk bots` uses it, and two equal flocks would use the same logins, as in two worlds of a game.
      seed: seed ^ (OWN_FLOCK + number - 1) ^ numberOf(node),
      cheat: "none",
      // The server logs what cannot be read.
      maps: path === undefined ? undefined : mapsAt(protocol, path),
      atOnce: OWN_AT_ONCE,
      clock: systemClock,
      // For example a bot that received an impossible message.
      onGone: (bot, reason) => logger.warn({ world: name, bot, reason }, "a bot was disconnected"),
      // They are those of the demo.
      ...(game.bots.rooms === undefined || path !== undefined ? {} : { rooms: game.bots.rooms }),
      connect: (bot, room) => {
        // Without TLS: see `chooseWeb`.
        const url = new URL(`ws://${reachable(server.adminAddress ?? server.httpAddress)}/ws/${name}`);
        url.searchParams.set("account", node === undefined ? `bot-${bot}` : `bot-${node}-${bot}`);
        const here = room === undefined ? undefined : String(room);
        const place =
          here === undefined ? undefined : (protocol.capabilities?.channels?.sameRoom(here, number) ?? here);
        if (place !== undefined) url.searchParams.set("room", place);
        return connectWebSocket(url);
      },
    });
  });
}

/** Throws `MissingMemberError` for a game without bots. */
function withBots(protocol: ServedProtocol): ProtocolWith<"openChannel" | "bots"> {
  return requireMembers(protocol, ["openChannel", "bots"], "be played by bots");
}

/** A number that differs between the nodes of a cluster, whose bots have logins of their own. */
function numberOf(node = ""): number {
  return [...node].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 0);
}
