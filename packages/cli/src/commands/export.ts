import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { type Command, Option } from "commander";
import { ExportError, type ExportedFile, type ExportFormat, type ExportScope, exportFormats } from "wirewalk/export";
import { defaultDialect, type Protocol, packetStreams, type Side } from "wirewalk/protocol";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { suggest } from "../input/nearest.ts";
import { chooseDialect, chooseProtocol, dialectHelp } from "../input/streams.ts";
import { write } from "../output/output.ts";

/** What the flags give. */
interface ExportFlags {
  readonly dialect?: string;
  readonly direction?: Side;
  readonly message?: string;
  readonly revision?: string;
  readonly out?: string;
}

/** The dialect name that stands for every dialect. */
const ALL = "all";

/** `wirewalk export`: the messages of a protocol, described for another program. */
export function addExport(program: Command, context: CommandContext, args: readonly string[]): void {
  const { protocols } = context;
  const named = Object.values(protocols).find(({ name }) =>
    args.some((arg) => arg === name || arg.startsWith(`${name}/`)),
  );
  const formats = Object.values(exportFormats);
  const subjects = Object.values(protocols).flatMap((each) => [each.name, ...ownStreams(each).map(([name]) => name)]);
  program
    .command("export")
    .argument("<format>", formats.map(({ name }) => name).join(", "))
    .argument("<protocol>", subjects.join(", "))
    .summary("the messages of a protocol, described for other programs and for documentation")
    .description(
      "Writes a description of the messages of a protocol, made from the layouts that read and write them: to the standard " +
        "output, or with --out to files.",
    )
    .option(
      "--dialect <name>",
      `dialect, or all (${named === undefined ? "see wirewalk protocols" : dialectHelp(named)}; formats of one file for all dialects: all)`,
    )
    .addOption(
      new Option("--direction <sender>", "only what this side sends (default: both)").choices(["client", "server"]),
    )
    .option("--message <name>", "only the messages of this name (default: all)")
    .option(
      "--revision <name>",
      "of a game with tables of messages by revision: the revision; of osrs/player-info in a programming language: that of its mask blocks",
    )
    .option(
      "--out <path>",
      "the file to write; the folder, when it exists, ends in / or the export makes several files",
    )
    .addHelpText("after", () => {
      const width = Math.max(...formats.map(({ name }) => name.length));
      const lines = formats.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`);
      return `\nFormats:\n${lines.join("")}${examples}`;
    })
    .action(async (format: string, protocol: string, flags: ExportFlags) => {
      const chosen = chooseFormat(format);
      const scope = scopeOf(chosen, chooseSubject(context, chosen, protocol, subjects), flags);
      const files = filesOf(chosen, scope);
      if (files.length === 0)
        throw new UsageError(`${chosen.name} has no file for ${scope.protocol.name} with these flags`);
      if (flags.out !== undefined) await writeFiles(context, files, flags.out);
      else await write(context.stdout, onlyFile(chosen, files).text);
    });
}

const examples = `
Examples:
  $ wirewalk export json-schema slime-online-2 > slime-online-2.schema.json
  $ wirewalk export json-schema maplestory --dialect all --out schemas/
  $ wirewalk export json-schema osrs/player-info
  $ wirewalk export java osrs --revision 240 --out src/wirewalk/
  $ wirewalk export java osrs/player-info --revision 240 --out src/wirewalk/
  $ wirewalk export kaitai slime-online-2 --direction client > packet.ksy
  $ wirewalk export svg osrs --message mouseMove > mouse.svg
  $ wirewalk export markdown maplestory --dialect v83 --direction client --message movePlayer
  $ wirewalk export typescript maplestory --dialect v83 --out codec/
  $ wirewalk export wireshark slime-online-2 --out slime-online-2.lua
`;

function chooseFormat(name: string): ExportFormat {
  if (Object.hasOwn(exportFormats, name)) {
    const format = exportFormats[name];
    if (format !== undefined) return format;
  }
  throw new UsageError(`unknown format '${name}'${suggest(name, Object.keys(exportFormats))}`);
}

/** The streams of a protocol whose lines are no messages, by the names that the command line has for them. */
function ownStreams(protocol: Protocol): [name: string, stream: string][] {
  return Object.entries(packetStreams(protocol)).flatMap(([part, { lineSchemas }]): [string, string][] =>
    lineSchemas === undefined ? [] : [[`${protocol.name}/${part}`, part]],
  );
}

/** The protocol that a command line names, or one of its streams. Throws {@link UsageError}. */
function chooseSubject(
  context: CommandContext,
  format: ExportFormat,
  name: string,
  known: readonly string[],
): Pick<ExportScope, "protocol" | "stream"> {
  if (!known.includes(name)) throw new UsageError(`unknown protocol '${name}'${suggest(name, known)}`);
  const [game = ""] = name.split("/");
  const protocol = chooseProtocol(context, game);
  const stream = ownStreams(protocol).find(([each]) => each === name)?.[1];
  if (stream === undefined) return { protocol };
  if (format.describesStreams) return { protocol, stream };
  throw new UsageError(`${format.name} describes messages, not the lines of ${name}; did you mean ${game}?`);
}

function scopeOf(
  format: ExportFormat,
  { protocol: given, stream }: Pick<ExportScope, "protocol" | "stream">,
  { dialect, direction, message, revision }: ExportFlags,
): ExportScope {
  if (stream !== undefined && (direction !== undefined || message !== undefined)) {
    throw new UsageError(`the lines of ${given.name}/${stream} have no --direction and no --message`);
  }
  const protocol = stream === undefined && revision !== undefined ? ofRevision(given, revision) : given;
  const all = protocol.dialects.map(({ name }) => name);
  const isAll = dialect === ALL || (dialect === undefined && format.holdsAllDialects);
  const dialects = isAll ? all : [dialect === undefined ? defaultDialect(protocol) : chooseDialect(protocol, dialect)];
  if (message !== undefined) checkMessage(protocol, dialects, direction, message);
  return {
    protocol,
    dialects,
    ...(stream === undefined ? {} : { stream }),
    ...(direction === undefined ? {} : { sender: direction }),
    ...(message === undefined ? {} : { message }),
    ...(revision === undefined ? {} : { revision }),
  };
}

/** A game with the messages of a revision. Throws {@link UsageError} where it has no table of that. */
function ofRevision(protocol: Protocol, revision: string): Protocol {
  const { revisions, settings } = protocol.capabilities ?? {};
  const known = (revisions?.known ?? []).map(String);
  if (settings === undefined || known.length === 0)
    throw new UsageError(`${protocol.name} has no --revision: its messages are those of its dialects`);
  if (known.includes(revision)) return settings.configure({ revision: Number(revision) });
  throw new UsageError(`--revision ${revision} of ${protocol.name} has no table: it has ${known.join(", ")}`);
}

/** Throws {@link UsageError} for a message that no dialect of these has. */
function checkMessage(
  protocol: Protocol,
  dialects: readonly string[],
  direction: Side | undefined,
  message: string,
): void {
  const infos = dialects
    .flatMap((dialect) => protocol.codec(dialect).messages)
    .filter(({ sender }) => direction === undefined || sender === direction);
  const known = [...new Set(infos.map((info) => info.message))];
  if (known.includes(message)) return;
  const from = direction === undefined ? "" : ` from the ${direction}`;
  throw new UsageError(
    `unknown message '${message}'${from} of ${protocol.name} ${dialects.join(", ")}${suggest(message, known)}`,
  );
}

/** Throws {@link UsageError} for a message that the format does not have. */
function filesOf(format: ExportFormat, scope: ExportScope): readonly ExportedFile[] {
  try {
    return format.files(scope);
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    throw new UsageError(`${format.name} of ${scope.protocol.name}: ${error.message}`);
  }
}

/** Throws {@link UsageError} for several files, which the standard output cannot hold. */
function onlyFile(format: ExportFormat, files: readonly ExportedFile[]): ExportedFile {
  const [file] = files;
  if (file !== undefined && files.length === 1) return file;
  throw new UsageError(
    `${format.name} makes ${files.length} files of this: write them to a folder with --out, or choose one with ` +
      "--dialect, --direction and --message",
  );
}

/** Throws {@link UsageError} for the name of one file where there are several, {@link FailedError} for a file that cannot be written. */
async function writeFiles({ stdout }: CommandContext, files: readonly ExportedFile[], out: string): Promise<void> {
  const inFolder = files.length > 1 || /[/\\]$/.test(out) || isFolder(out);
  const [{ name: first } = { name: "" }] = files;
  if (files.length > 1 && extname(out) !== "" && extname(out) === extname(first) && !isFolder(out)) {
    throw new UsageError(`--out ${out} names one file for ${files.length}: end the name of a folder in /`);
  }
  try {
    if (inFolder) mkdirSync(out, { recursive: true });
    for (const { name, text } of files) {
      const path = inFolder ? join(out, name) : out;
      writeFileSync(path, text);
      await write(stdout, `${path}\n`);
    }
  } catch (error) {
    throw new FailedError(`Cannot write ${out}: ${fileReason(error)}`);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
