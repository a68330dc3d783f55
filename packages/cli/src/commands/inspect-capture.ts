/** `wirewalk inspect FILE.pcap|pcapng|mcap`: the messages of all connections of a capture, or of all sessions of a recording. */
import { type Command, Option } from "commander";
import {
  type CaptureRecord,
  CaptureStatistics,
  type Filter,
  FilterError,
  parseFilter,
  recordFields,
  recordJson,
  Summary,
} from "wirewalk/capture";
import { type ExportFormat, exportFormats, openExport } from "../capture/capture-export.ts";
import {
  checkRevisions,
  parseMappings,
  parseStreamOptions,
  parseTapOptions,
  withInitial,
} from "../capture/capture-flags.ts";
import { CaptureProgress } from "../capture/capture-progress.ts";
import {
  columnsOf,
  flowLines,
  headLine,
  playerTable,
  recordLine,
  statisticsTable,
  summaryText,
} from "../capture/capture-text.ts";
import { type CommandContext, ExitCode, type Finish, UsageError } from "../context.ts";
import { type FileKind, kindOfFile } from "../files/file-kind.ts";
import { fileBytes } from "../files/input-bytes.ts";
import type { InputBytes } from "../files/peeked-input.ts";
import { CaptureRecords, type RecordInput, type RecordSink } from "../files/record-input.ts";
import { RecordedInput } from "../files/recorded-input.ts";
import { recordingMaps } from "../files/recording-input.ts";
import { SessionInput } from "../files/session-input.ts";
import { collect } from "../input/collect.ts";
import { addMapsFlag, type MapsFlags } from "../input/maps.ts";
import { wholeNumber } from "../input/numbers.ts";
import { type PseudonymFlags, pseudonymOption } from "../input/pseudonym-flag.ts";
import { withChosen } from "../input/settings.ts";
import { write } from "../output/output.ts";
import type { RecordExport } from "../output/output-file.ts";

interface CaptureFlags extends PseudonymFlags, MapsFlags {
  readonly json?: boolean;
  readonly map: readonly string[];
  readonly option: readonly string[];
  readonly tap: readonly string[];
  readonly initial?: string;
  readonly local?: number;
  readonly dialect?: string;
  readonly build?: number;
  readonly set?: readonly string[];
  readonly filter?: string;
  readonly columns?: string;
  readonly flows?: boolean;
  readonly stats?: boolean;
  readonly summary?: boolean;
  readonly export?: ExportFormat;
  readonly out?: string;
}

/** A file that holds messages of whole connections. */
export interface InspectedFile {
  readonly kind: FileKind;
  /** Opened when it is read: a file that cannot be is an error of the command, not of its help. */
  open(): InputBytes;
}

/** The file or the standard input that holds whole connections, if a command line names one: by its first bytes, or by its name. */
export function inspectedFile(args: readonly string[], { peeked }: CommandContext): InspectedFile | undefined {
  for (const word of wordsOf(args)) {
    const kind = word === "-" ? undefined : kindOfFile(word);
    if (kind !== undefined) return { kind, open: () => fileBytes(word) };
  }
  if (peeked?.kind === undefined) return undefined;
  const { kind, bytes } = peeked;
  return { kind, open: () => bytes };
}

function wordsOf(args: readonly string[]): readonly string[] {
  return args.slice(1).filter((arg) => !(arg.startsWith("-") && arg !== "-"));
}

/** Adds the command with the flags of captures, recordings and sessions. `decode` prints JSON. */
export function addInspectCapture(
  program: Command,
  context: CommandContext,
  inspected: InspectedFile,
  finish: Finish,
  name: "inspect" | "decode" = "inspect",
): void {
  addMapsFlag(program.command(name), "compare the maps of a recording with these")
    .argument(
      "[file]",
      "a capture (pcap, pcapng), a recording (mcap), a session of another tool, or - for the standard input",
    )
    .summary("every message of a capture, a recording or a session")
    .description(
      "Reads a capture and shows the messages of all connections. What a connection is follows from its port, from --map, or " +
        "from trying every protocol and dialect. Of a recording it shows what clients sent. Of a session of another tool (RSProx, " +
        "MapleShark) it shows both directions. docs/inspect.md describes output, filters and limits.",
    )
    .option("--json", "one JSON object a line")
    .option("--map <port=protocol[:dialect]>", "what connections to a port are; may be repeated", collect, [])
    .option("--option <stream.name=value>", "an option of a packet stream: osrs/mouse.strict=true", collect, [])
    .option(
      "--tap <protocol.name=value>",
      "what the bytes of connections do not say: osrs.isaac=SEEDS, osrs.skipLogin=true",
      collect,
      [],
    )
    .option("--dialect <name>", "of a session of another tool, in place of what the file says")
    .option("--build <number>", "the same for the version of the game", wholeNumber(1, 0xffff_ffff))
    .option("--set <protocol.name=number>", "a setting of a game, as osrs.revision=239; may be repeated", collect, [])
    .option("--initial <file or hex>", "player info: the initialisation before a capture that begins in the middle")
    .option("--local <index>", "player info: the observer's index of --initial", wholeNumber(1, 2047))
    .addOption(pseudonymOption())
    .option("--filter <expression>", "records to show: message == movePlayer && value.x > 100 && time > 12s")
    .option("--columns <list>", "what to show of each record: time,flow,message,value.x")
    .option("--flows", "instead of records: what each connection is, and why it is nothing else")
    .option("--summary", "instead of records: messages by name, time, players, and what was not read")
    .option("--stats", "instead of records: count, bytes, bits per field and rate, per message and player")
    .addOption(new Option("--export <format>", "write the records to a file").choices(exportFormats))
    .option("--out <file>", "the file of --export")
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk inspect game.pcapng
  $ wirewalk inspect game.pcapng --json --map 5555=slime-online-2:v0106
  $ wirewalk inspect game.pcapng --filter 'direction == client && bytes > 20' --columns time,message,value.x

Exit code 0 when all was read, 3 when something was refused or is missing, 2 for a file that is no capture.`,
    )
    .action(async (file: string | undefined, flags: CaptureFlags) => {
      const chosen = name === "decode" ? { ...flags, json: true } : flags;
      if (await new CaptureCommand(context, { file: file ?? "-", ...inspected }, chosen).run())
        finish(ExitCode.refused);
    });
}

class CaptureCommand {
  readonly #context: CommandContext;
  readonly #file: string;
  readonly #flags: CaptureFlags;
  readonly #filter: Filter | undefined;
  readonly #columns: readonly string[];
  readonly #input: RecordInput;
  readonly #statistics: CaptureStatistics | undefined;
  readonly #summary: Summary | undefined;
  #export: RecordExport | undefined;
  #lines: string[] = [];
  #faults: string[] = [];
  #hasFaults = false;

  constructor(given: CommandContext, inspected: InspectedFile & { readonly file: string }, flags: CaptureFlags) {
    const { file } = inspected;
    const context = { ...given, protocols: withChosen(given.protocols, flags) };
    this.#context = context;
    this.#file = file;
    this.#flags = flags;
    const protocols = Object.values(context.protocols);
    if (flags.export !== undefined && flags.out === undefined) throw new UsageError("--export needs --out FILE");
    if (flags.out !== undefined && flags.export === undefined) throw new UsageError("--out needs --export FORMAT");
    this.#filter = flags.filter === undefined ? undefined : readFilter(flags.filter);
    this.#columns = columnsOf(flags.columns);
    this.#statistics = flags.stats === true ? new CaptureStatistics(protocols) : undefined;
    this.#summary = flags.summary === true ? new Summary() : undefined;
    const sink: RecordSink = {
      record: (record) => this.#record(record),
      fault: (byteOffset, text) => this.#fault(byteOffset, text),
      flow: (flow) => {
        if (flags.flows === true) this.#lines.push(flowLines([flow], flags.json === true));
      },
    };
    this.#input = this.#open(inspected, sink);
  }

  #open({ kind: found, open }: InspectedFile, sink: RecordSink): RecordInput {
    const [context, flags] = [this.#context, this.#flags];
    const { protocols } = context;
    if (found.kind === "recording") {
      checkRecordingFlags(flags);
      const maps = recordingMaps(context, flags);
      return new RecordedInput(open(), { protocols, pseudonyms: flags.pseudonyms, maps }, sink);
    }
    const streamOptions = parseStreamOptions(context, flags.option);
    if (found.kind === "session") {
      checkSessionFlags(flags);
      const { dialect, build, pseudonyms } = flags;
      const { summary, filter, stats, export: format } = flags;
      const glances = summary === true && filter === undefined && stats !== true && format === undefined;
      const options = { protocols, streamOptions, dialect, build, pseudonyms, glances };
      return new SessionInput(open(), found.format, options, sink);
    }
    checkCaptureFlags(flags);
    checkRevisions(context, streamOptions);
    const options = {
      protocols: Object.values(protocols),
      mappings: parseMappings(context, flags.map),
      streamOptions: withInitial(context, streamOptions, flags),
      tapOptions: parseTapOptions(context, flags.tap),
    };
    return new CaptureRecords(open(), options, sink, flags.pseudonyms);
  }

  /** True when something was refused or is missing. */
  async run(): Promise<boolean> {
    const { stdout, stderr, protocols } = this.#context;
    const { export: format, out } = this.#flags;
    if (format !== undefined) {
      const options = { protocols: Object.values(protocols), source: this.#file };
      this.#export = await openExport(format, String(out), options);
    }
    const progress = new CaptureProgress(stderr, stdout, this.#input.size);
    let needsHead = this.#showsRecords && this.#flags.json !== true;
    for await (const _ of this.#input.pieces()) {
      // Not before something was read: the file may be no capture.
      if (needsHead) await write(stdout, headLine(this.#columns));
      needsHead = false;
      await this.#flush();
      progress.show(this.#input.bytesRead);
    }
    progress.end();
    await this.#export?.end();
    await this.#finish();
    return this.#input.isIncomplete || this.#hasFaults;
  }

  get #showsRecords(): boolean {
    const { flows, stats, summary, export: format } = this.#flags;
    return flows !== true && stats !== true && summary !== true && format === undefined;
  }

  #fault(byteOffset: number, text: string): void {
    this.#hasFaults = true;
    this.#faults.push(`wirewalk: ${this.#file}: byte ${byteOffset}: ${text}\n`);
  }

  #record(record: CaptureRecord): void {
    const { start } = this.#input;
    if (this.#filter !== undefined && !this.#filter(recordFields(record, start))) return;
    this.#statistics?.add(record);
    this.#summary?.add(record);
    this.#export?.add(record);
    if (!this.#showsRecords) return;
    this.#lines.push(this.#flags.json === true ? `${recordJson(record)}\n` : recordLine(record, this.#columns, start));
  }

  async #flush(): Promise<void> {
    const [lines, faults] = [this.#lines, this.#faults];
    this.#lines = [];
    this.#faults = [];
    if (faults.length > 0) await write(this.#context.stderr, faults.join(""));
    await write(this.#context.stdout, lines.join(""));
    await this.#export?.flush();
  }

  async #finish(): Promise<void> {
    const { stdout, stderr } = this.#context;
    const { json = false } = this.#flags;
    if (this.#statistics !== undefined) {
      const { messages, players } = this.#statistics;
      if (json) await write(stdout, `${JSON.stringify({ messages, players })}\n`);
      else await write(stdout, `${statisticsTable(messages)}\n${playerTable(players)}`);
    }
    if (this.#summary !== undefined) {
      const { result } = this.#summary;
      await write(stdout, json ? `${JSON.stringify(result)}\n` : summaryText(result));
    }
    if (!json) await write(stderr, this.#input.summary);
  }
}

/** Flags that say what a recording says by itself. Throws {@link UsageError}. */
function checkRecordingFlags(flags: CaptureFlags): void {
  refuseFlags({ ...connectionFlags(flags), ...sessionFlags(flags), "--option": flags.option.length > 0 }, (flag) => {
    return `${flag} is for other files: a recording names its protocol`;
  });
  if (flags.export === "pcapng") throw new UsageError("--export pcapng is for captures: a recording has no addresses");
}

function checkSessionFlags(flags: CaptureFlags): void {
  refuseFlags(connectionFlags(flags), (flag) => `${flag} is for captures: a session of another tool names its game`);
  refuseMaps(flags);
  if (flags.export === "pcapng") throw new UsageError("--export pcapng is for captures: wirewalk convert makes one");
}

function checkCaptureFlags(flags: CaptureFlags): void {
  refuseFlags(sessionFlags(flags), (flag) => `${flag} is for sessions of other tools: --map says it of a capture`);
  refuseMaps(flags);
}

/** Nothing is judged here. */
function refuseMaps({ maps }: CaptureFlags): void {
  if (maps !== undefined) {
    throw new UsageError("--maps is for recordings, which name theirs: wirewalk verdicts judges a session by maps");
  }
}

function connectionFlags({ map, tap, initial, flows }: CaptureFlags): Readonly<Record<string, boolean>> {
  return {
    "--map": map.length > 0,
    "--tap": tap.length > 0,
    "--initial": initial !== undefined,
    "--flows": flows === true,
  };
}

function sessionFlags({ dialect, build }: CaptureFlags): Readonly<Record<string, boolean>> {
  return { "--dialect": dialect !== undefined, "--build": build !== undefined };
}

function refuseFlags(given: Readonly<Record<string, boolean>>, why: (flag: string) => string): void {
  const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
  if (flag !== undefined) throw new UsageError(why(flag));
}

function readFilter(text: string): Filter {
  try {
    return parseFilter(text);
  } catch (error) {
    if (error instanceof FilterError) throw new UsageError(`--filter: ${error.message}`);
    throw error;
  }
}
