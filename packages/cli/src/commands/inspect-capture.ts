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
} from "wirewalk/capture";
import { type ExportFormat, exportFormats, openExport } from "../capture/capture-export.ts";
import { parseMappings, parseStreamOptions, parseTapOptions, withInitial } from "../capture/capture-flags.ts";
import { CaptureProgress } from "../capture/capture-progress.ts";
import { columnsOf, flowLines, headLine, playerTable, recordLine, statisticsTable } from "../capture/capture-text.ts";
import { type CommandContext, ExitCode, type Finish, UsageError } from "../context.ts";
import { wholeNumber } from "../input/numbers.ts";
import { CaptureRecords, type RecordInput, type RecordSink } from "../input/record-input.ts";
import { RecordedInput } from "../input/recorded-input.ts";
import { isRecordingFile } from "../input/recording-file.ts";
import { write } from "../output/output.ts";
import type { RecordExport } from "../output/output-file.ts";

interface CaptureFlags {
  readonly json?: boolean;
  readonly map: readonly string[];
  readonly option: readonly string[];
  readonly tap: readonly string[];
  readonly initial?: string;
  readonly local?: number;
  readonly filter?: string;
  readonly columns?: string;
  readonly flows?: boolean;
  readonly stats?: boolean;
  readonly export?: ExportFormat;
  readonly out?: string;
}

const gather = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Adds the command with the flags of captures. */
export function addInspectCapture(program: Command, context: CommandContext, finish: Finish): void {
  program
    .command("inspect")
    .argument("<file>", "a capture (pcap or pcapng), or a recording of serve --record (mcap)")
    .summary("every message of a capture or a recording")
    .description(
      "Reads a capture and shows the messages of all connections. What a connection is follows from its port, from --map, or " +
        "from trying every protocol and dialect. Of a recording it shows what clients sent. docs/inspect.md describes output, " +
        "filters and limits.",
    )
    .option("--json", "one JSON object a line")
    .option("--map <port=protocol[:dialect]>", "what connections to a port are; may be repeated", gather, [])
    .option("--option <stream.name=value>", "an option of a packet stream: osrs/player-info.revision=240", gather, [])
    .option(
      "--tap <protocol.name=value>",
      "what the bytes of connections do not say: osrs.isaac=SEEDS, osrs.skipLogin=true",
      gather,
      [],
    )
    .option("--initial <file or hex>", "player info: the initialisation before a capture that begins in the middle")
    .option("--local <index>", "player info: the observer's index of --initial", wholeNumber(1, 2047))
    .option("--filter <expression>", "records to show: message == movePlayer && value.x > 100 && time > 12s")
    .option("--columns <list>", "what to show of each record: time,flow,message,value.x")
    .option("--flows", "instead of records: what each connection is, and why it is nothing else")
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
    .action(async (file: string, flags: CaptureFlags) => {
      if (await new CaptureCommand(context, file, flags).run()) finish(ExitCode.refused);
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
  #export: RecordExport | undefined;
  #lines: string[] = [];
  #faults: string[] = [];
  #hasFaults = false;

  constructor(context: CommandContext, file: string, flags: CaptureFlags) {
    this.#context = context;
    this.#file = file;
    this.#flags = flags;
    const protocols = Object.values(context.protocols);
    if (flags.export !== undefined && flags.out === undefined) throw new UsageError("--export needs --out FILE");
    if (flags.out !== undefined && flags.export === undefined) throw new UsageError("--out needs --export FORMAT");
    this.#filter = flags.filter === undefined ? undefined : readFilter(flags.filter);
    this.#columns = columnsOf(flags.columns);
    this.#statistics = flags.stats === true ? new CaptureStatistics(protocols) : undefined;
    const sink: RecordSink = {
      record: (record) => this.#record(record),
      fault: (byteOffset, text) => this.#fault(byteOffset, text),
      flow: (flow) => {
        if (flags.flows === true) this.#lines.push(flowLines([flow], flags.json === true));
      },
    };
    if (isRecordingFile(file)) {
      checkRecordingFlags(flags);
      this.#input = new RecordedInput(file, context.protocols, sink);
      return;
    }
    const options = {
      protocols,
      mappings: parseMappings(context, flags.map),
      streamOptions: withInitial(context, parseStreamOptions(context, flags.option), flags),
      tapOptions: parseTapOptions(context, flags.tap),
    };
    this.#input = new CaptureRecords(file, options, sink);
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
    const { flows, stats, export: format } = this.#flags;
    return flows !== true && stats !== true && format === undefined;
  }

  #fault(byteOffset: number, text: string): void {
    this.#hasFaults = true;
    this.#faults.push(`wirewalk: ${this.#file}: byte ${byteOffset}: ${text}\n`);
  }

  #record(record: CaptureRecord): void {
    const { start } = this.#input;
    if (this.#filter !== undefined && !this.#filter(recordFields(record, start))) return;
    this.#statistics?.add(record);
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
    if (!json) await write(stderr, this.#input.summary);
  }
}

/** Flags that say what a recording says by itself. Throws {@link UsageError}. */
function checkRecordingFlags({ map, option, tap, initial, flows, export: format }: CaptureFlags): void {
  const given = { "--map": map.length > 0, "--option": option.length > 0, "--tap": tap.length > 0 };
  const flags = { ...given, "--initial": initial !== undefined, "--flows": flows === true };
  const [flag] = Object.entries(flags).find(([, isGiven]) => isGiven) ?? [];
  if (flag !== undefined) throw new UsageError(`${flag} is for captures: a recording names its protocol`);
  if (format === "pcapng") throw new UsageError("--export pcapng is for captures: a recording has no addresses");
}

function readFilter(text: string): Filter {
  try {
    return parseFilter(text);
  } catch (error) {
    if (error instanceof FilterError) throw new UsageError(`--filter: ${error.message}`);
    throw error;
  }
}
