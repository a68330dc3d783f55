/** `wirewalk inspect FILE.pcap|pcapng`: the messages of all connections of a capture. */
import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { type Command, Option } from "commander";
import {
  CaptureInspector,
  type CaptureRecord,
  CaptureStatistics,
  type Filter,
  FilterError,
  type FlowReport,
  isCapture,
  parseFilter,
  recordFields,
  recordJson,
} from "wirewalk/capture";
import { WireError } from "wirewalk/wire";
import { type ExportFormat, exportFormats, openExport, type RecordExport } from "../capture-export.ts";
import { parseMappings, parseStreamOptions } from "../capture-flags.ts";
import { CaptureProgress } from "../capture-progress.ts";
import {
  columnsOf,
  flowLines,
  headLine,
  playerTable,
  recordLine,
  statisticsTable,
  summaryLine,
} from "../capture-text.ts";
import { type CommandContext, ExitCode, FailedError, type Finish, UsageError } from "../context.ts";
import { growYoungGeneration } from "../heap-growth.ts";
import { write } from "../output.ts";

interface CaptureFlags {
  readonly json?: boolean;
  readonly map: readonly string[];
  readonly option: readonly string[];
  readonly filter?: string;
  readonly columns?: string;
  readonly flows?: boolean;
  readonly stats?: boolean;
  readonly export?: ExportFormat;
  readonly out?: string;
}

/** Bytes that are read at once. */
const CHUNK_BYTES = 65_536;

const CAPTURE_NAME = /\.(?:pcap|pcapng|cap|ntar)$/i;

/** The argument that names a capture, if one does: by its first bytes, or by its name. */
export function captureArgument(args: readonly string[]): string | undefined {
  return args.slice(1).find((arg) => !arg.startsWith("-") && (CAPTURE_NAME.test(arg) || beginsAsCapture(arg)));
}

function beginsAsCapture(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    const file = openSync(path, "r");
    const start = new Uint8Array(4);
    const length = readSync(file, start);
    closeSync(file);
    return isCapture(start.subarray(0, length));
  } catch {
    // No such file: the argument is hex or the name of a protocol.
    return false;
  }
}

const gather = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Adds the command with the flags of captures. */
export function addInspectCapture(program: Command, context: CommandContext, finish: Finish): void {
  program
    .command("inspect")
    .argument("<file>", "a capture: pcap or pcapng")
    .summary("every message of a capture")
    .description(
      "Reads a capture and shows the messages of all connections. What a connection is follows from its port, from --map, or " +
        "from trying every protocol and dialect. docs/inspect.md describes output, filters and limits.",
    )
    .option("--json", "one JSON object a line")
    .option("--map <port=protocol[:dialect]>", "what connections to a port are; may be repeated", gather, [])
    .option("--option <stream.name=value>", "an option of a packet stream: osrs/player-info.revision=240", gather, [])
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
  readonly #inspector: CaptureInspector;
  readonly #statistics: CaptureStatistics | undefined;
  readonly #export: RecordExport | undefined;
  readonly #flows: FlowReport[] = [];
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
    this.#inspector = new CaptureInspector({
      protocols,
      mappings: parseMappings(context, flags.map),
      streamOptions: parseStreamOptions(context, flags.option),
      sink: {
        record: (record) => this.#record(record),
        fault: ({ byteOffset, text }) => {
          this.#hasFaults = true;
          this.#faults.push(`wirewalk: ${file}: byte ${byteOffset}: ${text}\n`);
        },
        flow: (flow) => {
          if (flags.flows === true) this.#flows.push(flow);
        },
      },
    });
    this.#export =
      flags.export === undefined ? undefined : openExport(flags.export, String(flags.out), { protocols, source: file });
  }

  /** True when something was refused or is missing. */
  async run(): Promise<boolean> {
    const { stdout, stderr } = this.#context;
    const size = this.#size();
    const progress = new CaptureProgress(stderr, stdout, size);
    if (this.#showsRecords && this.#flags.json !== true) await write(stdout, headLine(this.#columns));
    let isGrown = false;
    for await (const chunk of createReadStream(this.#file, { highWaterMark: CHUNK_BYTES })) {
      this.#guard(() => this.#inspector.push(chunk as Uint8Array));
      await this.#flush();
      progress.show(this.#inspector.offset);
      if (!isGrown) isGrown = growYoungGeneration();
    }
    this.#guard(() => this.#inspector.end());
    await this.#flush();
    progress.end();
    await this.#export?.end();
    await this.#finish();
    const { refused, gaps } = this.#inspector.counts;
    return refused + gaps > 0 || this.#hasFaults || this.#inspector.lostDatagrams > 0;
  }

  get #showsRecords(): boolean {
    const { flows, stats, export: format } = this.#flags;
    return flows !== true && stats !== true && format === undefined;
  }

  #record(record: CaptureRecord): void {
    const { start } = this.#inspector;
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
    if (this.#flags.flows === true) await write(stdout, flowLines(this.#flows, json));
    if (this.#statistics !== undefined) {
      const { messages, players } = this.#statistics;
      if (json) await write(stdout, `${JSON.stringify({ messages, players })}\n`);
      else await write(stdout, `${statisticsTable(messages)}\n${playerTable(players)}`);
    }
    if (!json) await write(stderr, summaryLine(this.#inspector.counts, this.#inspector.lostDatagrams));
  }

  #size(): number {
    try {
      return statSync(this.#file).size;
    } catch (error) {
      throw new FailedError(`Cannot read ${this.#file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** A file that is no capture is a mistake of the command line. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof WireError) throw new UsageError(`${this.#file}: ${error.message}`);
      throw error;
    }
  }
}

function readFilter(text: string): Filter {
  try {
    return parseFilter(text);
  } catch (error) {
    if (error instanceof FilterError) throw new UsageError(`--filter: ${error.message}`);
    throw error;
  }
}
