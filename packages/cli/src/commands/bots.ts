import { readFileSync } from "node:fs";
import type { Expectation } from "@wirewalk/recording";
import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "wirewalk/net";
import { type Protocol, type ProtocolWith, packetStreams, requireMembers, type WorldMaps } from "wirewalk/protocol";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { collect } from "../input/collect.ts";
import { addMapsFlag, chooseMaps, type MapsFlags } from "../input/maps.ts";
import { suggest } from "../input/nearest.ts";
import { wholeNumber } from "../input/numbers.ts";
import { chooseSettings, type SettingFlags, withSettings } from "../input/settings.ts";
import { chooseDialect, chooseProtocol } from "../input/streams.ts";
import { write } from "../output/output.ts";
import { writeExpectations } from "./bots-expectations.ts";

interface BotsFlags extends SettingFlags, MapsFlags {
  readonly recordAs?: Pick<Expectation, "expect" | "rule">;
  readonly recordings?: string;
  readonly count: number;
  readonly host: string;
  readonly port?: number;
  readonly http: number;
  readonly seed: number;
  readonly dialect?: string;
  readonly cheat: string;
  readonly strokes?: string;
  readonly duration?: number;
}

/** One process can have about this many connections to one address and port: the system's ports for clients. */
const MAX_COUNT = 28_000;

/** A server on a busy machine answers within seconds. */
const ASK_MS = 5000;

/** Characters of a server's answer that are printed. */
const MAX_TEXT = 500;

/** How often a line of counts is printed. */
const REPORT_MS = 1000;

/** `wirewalk bots`: programmed players, over real sockets. */
export function addBots(program: Command, context: CommandContext): void {
  const names = Object.values(context.protocols).flatMap(namesOf);
  addMapsFlag(program.command("bots"), "the maps of the server, by which the bots move")
    .argument("<protocol>", names.join(", "))
    .option("--count <number>", "number of bots", wholeNumber(1, MAX_COUNT), 1)
    .option("--host <host>", "server to connect to", "127.0.0.1")
    .option("--port <port>", "its TCP port (default: the game's own)", wholeNumber(1, 65_535))
    .option("--http <port>", "its HTTP port, to ask whether they are banned", wholeNumber(1, 65_535), 7400)
    .option("--seed <number>", "random seed of the bots", wholeNumber(0, 0xffff_ffff), 1)
    .option("--dialect <name>", "dialect of the server's listener (default: the game's)")
    .option("--cheat <name>", "cheat of the bots (see wirewalk protocols)", "none")
    .option("--strokes <file>", "a person's recorded mouse, for cheats that replay it: CSV with x, y and ms")
    .option("--set <protocol.name=number>", "a setting of the game, as its server has it", collect)
    .option("--rules <file>", "settings of a JSON file, as its server has them")
    .option(
      "--record-as <expectation>",
      "what the rules must find, such as must-flag:teleport or must-not-flag",
      expectation,
    )
    .option("--recordings <folder>", "with --record-as: the folder in which the server of this machine records")
    .option("--duration <seconds>", "stop after that long (default: until interrupted)", wholeNumber(1, 86_400))
    .summary("programmed players, over real sockets")
    .description("Connects bots to a server, lets them play, and prints every second what was sent and received.")
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk bots slime-online-2 --count 20
  $ wirewalk bots slime-online-2 --count 500 --port 5555 --seed 7 --duration 60
  $ wirewalk bots slime-online-2 --cheat teleport
  $ wirewalk bots maplestory --maps wz --cheat wall
  $ wirewalk bots osrs/mouse --cheat replayed-jittered --strokes session.csv
  $ wirewalk bots slime-online-2 --cheat teleport --duration 30 --record-as must-flag:teleport --recordings ./recordings

Exit code 1 when no bot could connect, no bot received the greeting of the game, or the server disconnected all.`,
    )
    .action(async (name: string, flags: BotsFlags) => {
      if (name.includes("/") && !names.includes(name)) {
        throw new UsageError(`unknown protocol '${name}'${suggest(name, names)}`);
      }
      if ((flags.recordAs === undefined) !== (flags.recordings === undefined)) {
        throw new UsageError("--record-as and --recordings go together");
      }
      const [game = "", part] = name.split("/", 2);
      const settings = chooseSettings(context.protocols, flags);
      const configured = withSettings(chooseProtocol(context, game), settings);
      const protocol = requireMembers(configured, ["openChannel", "bots"], "be played by bots");
      const port =
        flags.port ?? requireMembers(protocol, ["defaultPort"], "be connected to without --port").defaultPort;
      const dialect = chooseDialect(protocol, flags.dialect);
      const maps = chooseMaps(context, protocol, flags);
      const cheat = chooseCheat(protocol, flags.cheat, maps !== undefined);
      const recording = flags.strokes === undefined ? {} : { recording: readStrokes(flags.strokes) };
      const chosen = { ...flags, ...recording, maps, port, dialect, cheat };
      await play(context, protocol, { ...chosen, ...(part === undefined ? {} : { part }) });
    });
}

function expectation(text: string): Pick<Expectation, "expect" | "rule"> {
  const [, expect, rule] = /^(must-flag|must-not-flag)(?::([a-z\d-]+))?$/.exec(text) ?? [];
  if (expect !== "must-flag" && expect !== "must-not-flag") {
    throw new InvalidArgumentError("It must be must-flag or must-not-flag, with a rule as must-flag:teleport.");
  }
  return rule === undefined ? { expect } : { expect, rule };
}

/** A game, and its parts, to which its bots may be limited. */
function namesOf(protocol: Protocol): string[] {
  const parts = Object.keys(packetStreams(protocol)).filter((part) => part !== "");
  return [protocol.name, ...parts.map((part) => `${protocol.name}/${part}`)];
}

function readStrokes(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--strokes ${file}: ${fileReason(error)}`);
  }
}

function chooseCheat(protocol: ProtocolWith<"bots">, name: string, hasMaps: boolean): string {
  const { cheats, mapCheats = [], hardCheats = [] } = protocol.bots;
  if (!hasMaps && mapCheats.includes(name)) {
    throw new UsageError(`--cheat ${name} is for --maps: it is played where a map has what it abuses`);
  }
  const known = ["none", ...cheats, ...hardCheats, ...(hasMaps ? mapCheats : [])];
  if (known.includes(name)) return name;
  const hint = suggest(name, known);
  const all = `known are ${known.join(", ")}`;
  throw new UsageError(`unknown cheat '${name}' of ${protocol.name}${hint.includes(all) ? "" : hint}; ${all}`);
}

async function play(
  context: CommandContext,
  protocol: ProtocolWith<"openChannel" | "bots">,
  flags: Omit<BotsFlags, "maps"> & {
    readonly port: number;
    readonly dialect: string;
    readonly part?: string;
    readonly recording?: string;
    readonly maps: WorldMaps | undefined;
  },
): Promise<void> {
  // Sockets are loaded only here: `wirewalk decode` starts faster without them.
  const [{ connectTcp }, { startFlock }] = await Promise.all([import("wirewalk/node"), import("../process/flock.ts")]);
  const { count, host, port } = flags;
  const startMs = systemClock.now();
  const startEpochMs = Date.now();
  const flock = startFlock({ ...flags, protocol, clock: systemClock, connect: () => connectTcp({ host, port }) });

  const report = (): string => {
    const { connected, sent, received, refused } = flock.counts();
    const seconds = Math.round((systemClock.now() - startMs) / 1000);
    const unreadable = refused === 0 ? "" : `, ${refused} unreadable`;
    return `${seconds} s: ${connected} of ${count} connected, ${sent} sent, ${received} received${unreadable}\n`;
  };
  const stopReports = systemClock.every(REPORT_MS, () => context.stdout.write(report()));
  await untilStopped(context, flock.ended, flags.duration);
  stopReports();
  const last = report();
  const { connected } = flock.counts();
  await flock.stop();
  const { recordAs, recordings, cheat } = flags;
  if (recordAs !== undefined && recordings !== undefined) {
    const play = { protocol: protocol.name, cheat, startEpochMs, endEpochMs: Date.now() };
    const files = await writeExpectations(recordings, recordAs, play);
    if (files.length === 0) throw new FailedError(`${recordings}: no recording of ${protocol.name} of this time`);
    await write(context.stdout, files.map((file) => `${escapeControls(file)}\n`).join(""));
  }
  const { everConnected, everReady, reasons } = flock.counts();
  const ends = [...reasons].map(([reason, times]) => `${times} x ${reason}`);
  const isNoServer = ends.every((end) => end.endsWith("ECONNREFUSED"));
  const hint = isNoServer
    ? `; no server listens there: "wirewalk serve --listen ${protocol.name}=${port}" starts one`
    : "";
  if (everConnected === 0) throw new FailedError(`no bot could connect: ${ends.join(", ")}${hint}`);
  await write(context.stdout, last + ends.map((end) => `${end}\n`).join(""));
  const ban = connected === 0 ? await askForBan(`${host}:${flags.http}`, protocol.name) : undefined;
  if (ban !== undefined) throw new FailedError(ban);
  if (everReady === 0) {
    const server = `${protocol.title}, dialect ${flags.dialect}`;
    throw new FailedError(`no bot received a greeting: is there a server of ${server} at ${host}:${port}?`);
  }
  if (connected === 0) throw new FailedError(`the server disconnected every bot: ${ends.join(", ")}`);
}

/** What the server says about a ban of this address, over TCP no protocol does; undefined when it says nothing. */
async function askForBan(host: string, protocol: string): Promise<string | undefined> {
  let answer: unknown;
  try {
    const url = `http://${host}/ban?${new URLSearchParams({ protocol })}`;
    answer = await (await fetch(url, { signal: AbortSignal.timeout(ASK_MS), redirect: "error" })).json();
  } catch {
    // No HTTP there, or not of this server.
    return undefined;
  }
  const { text, key } = (answer as { readonly ban?: Readonly<Record<string, unknown>> | null } | null)?.ban ?? {};
  if (typeof text !== "string") return undefined;
  const said = escapeControls(text.slice(0, MAX_TEXT));
  if (typeof key !== "string") return `the server disconnected every bot: ${said}`;
  const lift = `wirewalk bans lift ${escapeControls(key.slice(0, MAX_TEXT))} --data FOLDER`;
  return `the server disconnected every bot: ${said}; where it runs, \`${lift}\` lifts the ban`;
}

/** Resolves when all bots are disconnected, the time is up, or a signal arrives. */
async function untilStopped(
  context: CommandContext,
  ended: Promise<void>,
  duration: number | undefined,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = duration === undefined ? undefined : systemClock.after(duration * 1000, stop);
    function stop(): void {
      cancel?.();
      context.signals.off("SIGINT", stop);
      context.signals.off("SIGTERM", stop);
      context.signals.off("orphaned", stop);
      resolve();
    }
    context.signals.on("SIGINT", stop);
    context.signals.on("SIGTERM", stop);
    context.signals.on("orphaned", stop);
    ended.then(stop);
  });
}
