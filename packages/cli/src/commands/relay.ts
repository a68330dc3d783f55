import { readFileSync } from "node:fs";
import type { Impairment, Policies, RelayEnds, RelayEvent, RelayOptions, RunningRelay } from "@wirewalk/server";
import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "wirewalk/net";
import {
  type Protocol,
  type ProtocolWith,
  packetStreams,
  requireMembers,
  type StreamOption,
  type StreamOptionValues,
  type WorldMaps,
} from "wirewalk/protocol";
import { WireError } from "wirewalk/wire";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { collect } from "../input/collect.ts";
import { addMapsFlag, chooseMaps, type MapsFlags } from "../input/maps.ts";
import { wholeNumber } from "../input/numbers.ts";
import { parseSettings, withSettings } from "../input/settings.ts";
import { addOptionFlags, optionValues } from "../input/stream-flags.ts";
import { chooseDialect, chooseProtocol } from "../input/streams.ts";
import { LineOutput } from "../output/line-output.ts";
import { write } from "../output/output.ts";
import { jsonLine, textLine } from "../output/relay-lines.ts";
import { addRecordingFlags, type RecordingFlags, recordingOptions } from "./recording-flags.ts";
import { choosePolicies, policyTexts } from "./serve-policies.ts";
import { pageLine } from "./serve-text.ts";
import { isLoopback } from "./serve-web.ts";
import { addTellFlag, type TellFlags, tellTargets } from "./tell-flags.ts";

interface RelayFlags extends RecordingFlags, MapsFlags, TellFlags {
  readonly listen: number;
  readonly to: HostAndPort;
  readonly host: string;
  readonly dialect?: string;
  readonly capture?: string;
  readonly http?: number;
  readonly json?: true;
  readonly judge: boolean;
  readonly demo?: true;
  readonly seed: number;
  readonly impair?: string;
  readonly rules?: string;
  readonly policy?: readonly string[];
  readonly redirects: boolean;
  readonly advertise?: string;
  readonly redirectHost?: readonly string[];
  readonly set?: readonly string[];
}

const REVISION_SUMMARY = "revision of the game, as its setting: all that is read and judged; or the mask blocks of one";

interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** `wirewalk relay`: a client connects to it, it connects to the server, and both directions are shown. */
export function addRelay(program: Command, context: CommandContext, args: readonly string[]): void {
  const names = Object.keys(context.protocols);
  const named = Object.values(context.protocols).find(({ name }) => args.includes(name));
  const command = program
    .command("relay")
    .argument("<protocol>", names.join(", "))
    .requiredOption("--listen <port>", "TCP port for clients, 0 for any", wholeNumber(0, 65_535))
    .requiredOption("--to <host:port>", "the server, the first one where it sends clients to others", hostAndPort)
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--dialect <name>", "dialect of client and server (default: the game's)")
    .option("--capture <file>", "write what passes, also passwords, to a pcapng file, which Wireshark opens")
    .option(
      "--http <port>",
      "also show it on a page of this machine, 0 for any port (default: no page)",
      wholeNumber(0, 65_535),
    )
    .option("--json", "one JSON object for each line")
    .option("--no-judge", "do not judge messages of clients by the game's own world")
    .option("--demo", "judge by the demo places, as the server `wirewalk serve --bots` has them")
    .option("--seed <number>", "random seed of the demo places", wholeNumber(0, 0xffff_ffff), 1)
    .option("--impair <line>", "a bad line, such as seed=1,delay=80ms,jitter=20ms,stall=2s@30s (default: none)")
    .option("--rules <file>", "messages to drop or change, as JSON (default: none; see docs/relay.md)")
    .option(
      "--policy <protocol.rule=action>",
      "what happens to a message in which a rule finds something (relay or drop) and what follows when verdicts add up (log, tell or " +
        "kick), such as slime-online-2.teleport=drop+kick,limit=20 (default: log)",
      collect,
    )
    .option("--no-redirects", "do not follow clients that the server sends to other servers, such as channels")
    .option(
      "--advertise <host>",
      "IPv4 address that such clients are sent to, for a relay behind NAT (default: its own)",
    )
    .option(
      "--redirect-host <host>",
      "such clients may only be sent on to this host; repeatable (default: any)",
      collect,
    )
    .option("--set <protocol.name=number>", "a number of the game, as its server has it", collect);
  addMapsFlag(command, "judge by the maps of the server");
  addTellFlag(addRecordingFlags(command, "the judging world"))
    .summary("between a real client and its server: shows, judges and records what passes")
    .description(
      "Listens for a game's clients and connects each of them to the server. Bytes pass unchanged and at once; both directions " +
        "are decoded beside that and printed, and messages of clients are judged as the game's own world would judge them. What cannot " +
        "be read is passed on and shown as unreadable.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk relay slime-online-2 --dialect v0106 --listen 5556 --to 127.0.0.1:5555
  $ wirewalk relay maplestory --dialect v83 --listen 8484 --to 192.0.2.7:8484 --capture session.pcapng
  $ wirewalk relay slime-online-2 --listen 5556 --to 127.0.0.1:5555 --record ./recordings
  $ wirewalk relay maplestory --listen 8484 --to 127.0.0.1:8485 --maps server/wz
  $ wirewalk relay scrap-mechanic --listen 38800 --to 127.0.0.1:38799 --json | jq .message
  $ wirewalk relay slime-online-2 --listen 5556 --to 127.0.0.1:5555 --impair seed=1,delay=80ms,jitter=20ms

A signal ends all connections. Exit code 1 when the port is in use, or the file or the folder cannot be written.`,
    )
    .action(async (name: string, flags: RelayFlags) => {
      const game = chooseProtocol(context, name);
      const given = optionValues(command, tapOptions(game));
      const { revision, options } = takeRevision(game, given);
      if (revision !== undefined && flags.set?.some((pair) => pair.startsWith(`${revision.setting}=`)) === true) {
        throw new UsageError(`--revision and --set ${revision.setting} say the same: give one of them`);
      }
      const set = [...(flags.set ?? []), ...(revision === undefined ? [] : [`${revision.setting}=${revision.value}`])];
      const configured = withSettings(game, parseSettings(context.protocols, set));
      const protocol = requireMembers(configured, ["openChannel"], "be relayed");
      if (flags.judge) requireMembers(protocol, ["createWorld"], "be judged; --no-judge relays it all the same");
      const dialect = chooseDialect(protocol, flags.dialect);
      if (flags.maps !== undefined && (!flags.judge || flags.demo === true)) {
        throw new UsageError(`--maps and --${flags.judge ? "demo" : "no-judge"} do not go together`);
      }
      const maps = chooseMaps(context, protocol, flags);
      await relay(context, { protocol, dialect, flags, options, maps });
    });
  const options = named === undefined ? [] : tapOptions(named);
  if (named === undefined) command.allowUnknownOption();
  if (options.length > 0 && named !== undefined) {
    command.optionsGroup(`Options of ${named.name}:`);
    addOptionFlags(command, options);
  }
}

/** What the bytes of a connection do not say: options of the tap, and the documents of the packet streams, such as a revision. */
function tapOptions(protocol: Protocol): readonly StreamOption[] {
  const streams = Object.values(packetStreams(protocol));
  const documents = streams.flatMap(({ options }) => options.filter(({ kind }) => kind === "document"));
  const hasRevisions = protocol.capabilities?.revisions !== undefined;
  const named = documents.map((option) => {
    return hasRevisions && option.name === "revision" ? { ...option, summary: REVISION_SUMMARY } : option;
  });
  return [...(protocol.capabilities?.tap?.options ?? []), ...named];
}

/**
 * A revision that the game knows by its number is a setting of the game: frames, messages and the judging world follow from it. Mask
 * blocks from a file are an option of the packet stream.
 */
function takeRevision(
  { name, capabilities }: Protocol,
  given: StreamOptionValues,
): { readonly revision?: { readonly setting: string; readonly value: string }; readonly options: StreamOptionValues } {
  const { revision, ...options } = given;
  const value = String(revision);
  const isSetting = Object.hasOwn(capabilities?.settings?.values ?? {}, "revision") && /^\d+$/.test(value);
  return isSetting ? { revision: { setting: `${name}.revision`, value }, options } : { options: given };
}

function hostAndPort(text: string): HostAndPort {
  const match = /^(?:\[([0-9a-f:.%]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host !== undefined && port >= 1 && port <= 65_535) return { host, port };
  throw new InvalidArgumentError("It must be a host and a port, as 127.0.0.1:5555 or [::1]:5555.");
}

interface Relaying {
  readonly protocol: ProtocolWith<"openChannel">;
  readonly dialect: string;
  readonly flags: RelayFlags;
  readonly options: StreamOptionValues;
  readonly maps: WorldMaps | undefined;
}

async function relay(context: CommandContext, { protocol, dialect, flags, options, maps }: Relaying): Promise<void> {
  // Sockets are loaded only here: `wirewalk decode` starts faster without them.
  const { CaptureRecorder, docsFolder, pageFolder, parseImpairment, parseRules, startRelay } = await import(
    "@wirewalk/server"
  );
  const studioFolder = pageFolder();
  const impairment =
    flags.impair === undefined ? undefined : orUsage("--impair", () => parseImpairment(flags.impair ?? ""));
  const rules =
    flags.rules === undefined ? undefined : readRules(flags.rules, (text) => parseRules(text, { protocol, dialect }));
  const policies = choosePolicies(
    context,
    [{ name: protocol.name, game: protocol }],
    flags.policy,
  )({
    name: protocol.name,
    game: protocol,
  });
  const outputs = await tellTargets(flags);
  if (outputs !== undefined && !flags.judge) {
    throw new UsageError("--tell tells what the world finds that --no-judge leaves out: give one of them");
  }
  if (policies !== undefined && !flags.judge) {
    throw new UsageError("--policy follows from the world that --no-judge leaves out: give one of them");
  }
  if (flags.http !== undefined && !flags.judge) {
    throw new UsageError("--http shows the world that --no-judge leaves out: give one of them");
  }
  const recording = recordingOptions(flags);
  if (recording !== undefined && !flags.judge) {
    throw new UsageError("--record records the world that --no-judge leaves out: give one of them");
  }
  const output = new LineOutput(context.stdout);
  const epochStartMs = Date.now() - systemClock.now();
  const ends = new Map<number, RelayEnds>();
  const game = { protocol: protocol.name, dialect };
  const onEvent = (event: RelayEvent): void => {
    if (event.event === "open") ends.set(event.connection, event);
    output.add(() => (flags.json === true ? jsonLine(event, game, ends.get(event.connection)) : textLine(event)));
    if (event.event === "close") ends.delete(event.connection);
  };
  const { capture: file } = flags;
  const capture =
    file === undefined
      ? undefined
      : orFailed(
          () =>
            new CaptureRecorder({
              file,
              clock: systemClock,
              onFailed: (error) =>
                context.stderr.write(`wirewalk: ${file} is not written any further: ${error.message}\n`),
            }),
        );
  const running = await startOrFail(() =>
    startRelay({
      protocol,
      dialect,
      options,
      listen: { host: flags.host, port: flags.listen },
      to: flags.to,
      clock: systemClock,
      epochMs: () => epochStartMs + systemClock.now(),
      onEvent,
      onError: (error) =>
        context.stderr.write(`wirewalk: reading failed: ${(error instanceof Error && error.stack) || String(error)}\n`),
      onRecordingProblem: (error) => context.stderr.write(`wirewalk: records are lost: ${error.message}\n`),
      ...(capture === undefined ? {} : { capture }),
      ...(recording === undefined ? {} : { recording }),
      ...(flags.judge ? { shadow: { seed: flags.seed, demo: flags.demo === true, maps } } : {}),
      ...(impairment === undefined ? {} : { impairment }),
      ...(rules === undefined ? {} : { rules }),
      ...(policies === undefined ? {} : { policies }),
      ...(outputs === undefined ? {} : { outputs }),
      ...redirecting(flags),
      ...(flags.http === undefined ? {} : { page: { http: flags.http, studioFolder, docsFolder: docsFolder() } }),
    }),
  );
  if (flags.json !== true)
    await write(
      context.stdout,
      describe(running, { protocol, dialect, flags, impairment, policies, maps, hasPage: studioFolder !== undefined }),
    );
  else
    await write(
      context.stdout,
      `${JSON.stringify(started(running, { protocol, dialect, flags, impairment, policies, maps }))}\n`,
    );
  await untilSignalled(context);
  await running.close();
  await capture?.close();
  await output.close();
  if (output.missed > 0)
    context.stderr.write(`wirewalk: ${output.missed} lines were not shown: the output was too slow\n`);
  if (capture !== undefined && capture.missedBytes > 0) {
    context.stderr.write(`wirewalk: ${capture.missedBytes} bytes are missing in ${file}: the disk was too slow\n`);
  }
  if (running.lostRecords > 0) {
    context.stderr.write(`wirewalk: ${running.lostRecords} records are missing in ${flags.record}\n`);
  }
}

function redirecting({ redirects, advertise, redirectHost: hosts }: RelayFlags): Pick<RelayOptions, "redirects"> {
  if (!redirects) {
    if (advertise !== undefined || hosts !== undefined) {
      throw new UsageError("--advertise and --redirect-host are for the redirects that --no-redirects leaves alone");
    }
    return {};
  }
  return {
    redirects: { ...(advertise === undefined ? {} : { advertise }), ...(hosts === undefined ? {} : { hosts }) },
  };
}

/** Whether the dialect has messages that send clients to other servers, and the relay follows. */
function followsRedirects({ protocol, dialect, flags }: Pick<Relaying, "protocol" | "dialect" | "flags">): boolean {
  const names = protocol.capabilities?.redirects?.messages ?? [];
  return flags.redirects && protocol.codec(dialect).messages.some(({ message }) => names.includes(message));
}

interface Described extends Omit<Relaying, "options"> {
  readonly policies: Policies | undefined;
  readonly impairment: Impairment | undefined;
}

function describe(
  { address, pageAddress }: RunningRelay,
  { protocol, dialect, flags, impairment, policies, maps, hasPage }: Described & { readonly hasPage: boolean },
): string {
  const lines = [
    `${protocol.title}, dialect ${dialect}: ${shown(address)} -> ${shown(flags.to)}`,
    flags.rules === undefined
      ? "Bytes pass unchanged."
      : `Messages are dropped and changed by the rules in ${flags.rules}.`,
  ];
  if (followsRedirects({ protocol, dialect, flags }))
    lines.push("Addresses of other servers that it sends become those of listeners of the relay.");
  if (impairment !== undefined) lines.push(`The line is bad, in both directions: ${flags.impair}`);
  if (flags.capture !== undefined) lines.push(`What passes is written to ${flags.capture}.`);
  if (flags.judge) lines.push("Verdicts are those of a world of its own, which touches nothing.");
  for (const [rule, text] of Object.entries(policies === undefined ? {} : policyTexts(policies))) {
    lines.push(`Policy: ${rule}=${text}`);
  }
  if (maps !== undefined) lines.push(`It has the maps of ${maps.name}: ${maps.places().length} places.`);
  if (flags.record !== undefined) lines.push(`That world is recorded in ${flags.record}.`);
  if (pageAddress !== undefined) lines.push(pageLine(`http://${shown(pageAddress)}/`, hasPage));
  if (!isLoopback(flags.host)) lines.push(`Others can connect: it listens on ${flags.host}.`);
  return `${lines.join("\n")}\n`;
}

function started(
  { address, pageAddress }: RunningRelay,
  { protocol, dialect, flags, impairment, policies, maps }: Described,
): object {
  return {
    event: "listening",
    protocol: protocol.name,
    dialect,
    listen: shown(address),
    to: shown(flags.to),
    impair: impairment === undefined ? null : flags.impair,
    rules: flags.rules ?? null,
    redirects: followsRedirects({ protocol, dialect, flags }),
    capture: flags.capture ?? null,
    record: flags.record ?? null,
    policies: policies === undefined ? null : policyTexts(policies),
    maps: maps?.name ?? null,
    page: pageAddress === undefined ? null : `http://${shown(pageAddress)}/`,
  };
}

function shown({ host, port }: HostAndPort): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function readRules<T>(file: string, parse: (text: string) => T): T {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--rules ${file}: ${fileReason(error)}`);
  }
  return orUsage(`--rules ${file}`, () => parse(text));
}

function orUsage<T>(flag: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${flag}: ${error.message}`);
    throw error;
  }
}

function orFailed<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Cannot ")) throw new FailedError(error.message);
    throw error;
  }
}

/** An option that the game refuses is a wrong command line; a port in use is a failure. */
async function startOrFail<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof WireError || error instanceof RangeError) throw new UsageError(error.message);
    if (error instanceof Error && error.message.startsWith("Cannot ")) throw new FailedError(error.message);
    throw error;
  }
}

/** Resolves at the first signal; a second one ends the process. */
function untilSignalled(context: CommandContext): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => resolve();
    context.signals.on("SIGINT", stop);
    context.signals.on("SIGTERM", stop);
    context.signals.on("orphaned", stop);
  });
}
