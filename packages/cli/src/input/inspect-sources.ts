/** What `wirewalk inspect` reads: hex on the command line, files, the files of a folder, or the standard input. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type CarriedPayload, payloadOfFrame, START_BYTES } from "wirewalk/capture";
import { type InputFormat, type ParsedInput, parseInput } from "wirewalk/inspect";
import { countBytes, WireError } from "wirewalk/wire";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { kindOf } from "../files/file-kind.ts";
import { noteWaiting } from "../files/standard-input.ts";
import { isTerminal } from "../output/colours.ts";

/** One input: a file, the standard input, or what the command line holds. */
export interface InspectSource {
  /** The name of a file; undefined for the command line and the standard input. */
  readonly file?: string;
  readonly input: ParsedInput;
  /** Of frames of a network: `10.0.0.7:20000 to 10.0.0.1:5555`. The packets are then what TCP carried. */
  readonly flow?: string;
}

/** Bytes of a file or of the standard input. `decode` reads longer ones line by line. */
const INPUT_LIMIT_BYTES = 16 * 1024 * 1024;
/** Files of a folder. */
const FOLDER_LIMIT = 10_000;

/**
 * The inputs that words of the command line name. `-` is the standard input; a word that is a file or a folder is that, unless it is hex
 * (`./0200` is the file); the others are one text. Without words the standard input is read, unless it is a terminal.
 */
export async function readSources(
  context: CommandContext,
  words: readonly string[],
  format: InputFormat | undefined,
): Promise<readonly InspectSource[]> {
  const sources = await readInputs(context, words, format);
  return sources.flatMap(withoutHeaders);
}

/** Frames of a network, as Wireshark copies them, as what TCP carried: a source for each direction of a connection. */
function withoutHeaders(source: InspectSource): readonly InspectSource[] {
  const { packets, format } = source.input;
  const frames = packets.map(({ bytes, line }) => ({ line, carried: payloadOfFrame(bytes) }));
  if (frames.some(({ carried }) => carried === undefined)) return [source];
  const flows = Map.groupBy(
    frames.filter(({ carried }) => carried !== undefined && carried.payload.length > 0),
    ({ carried }) => `${carried?.from} to ${carried?.to}`,
  );
  if (flows.size === 0) return [source];
  return [...flows].map(([flow, parts]) => ({
    ...(source.file === undefined ? {} : { file: source.file }),
    flow,
    input: {
      format,
      packets: parts.map(({ line, carried }) => ({ line, bytes: (carried as CarriedPayload).payload })),
    },
  }));
}

async function readInputs(
  context: CommandContext,
  words: readonly string[],
  format: InputFormat | undefined,
): Promise<readonly InspectSource[]> {
  if (words.length === 0) {
    if (isTerminal(context.stdin)) throw new UsageError(NOTHING);
    return [await fromInput(context, format, true)];
  }
  const sources: InspectSource[] = [];
  let text: string[] = [];
  const endText = (): void => {
    if (text.length > 0) sources.push({ input: fromText(text, format) });
    text = [];
  };
  for (const word of words) {
    if (word !== "-" && !isPath(word)) {
      text.push(word);
      continue;
    }
    endText();
    if (word === "-") sources.push(await fromInput(context, format, false));
    else sources.push(...fromPath(word, format));
  }
  endText();
  return sources;
}

/** The sentence about a line without input. */
export const NOTHING = "no bytes to inspect: give hex, a file, a folder, or - for the standard input";

/** Whether a word names a file or a folder that is there. Hex is hex, whatever the files are called. */
export function isPath(word: string): boolean {
  return word !== "" && !isHex(word) && existsSync(word);
}

/** Whether a word can be nothing but bytes. */
export function isHex(word: string): boolean {
  return /^(?:0x)?[\da-f]{2}(?:[\s,:]*(?:0x)?[\da-f]{2})*[\s,:]*$/i.test(word);
}

/** A word that looks like the name of a file: with a folder, or with an ending behind a dot. */
function looksLikePath(word: string): boolean {
  return (/^[~.]?[\\/]/.test(word) || /[\\/]/.test(word) || /\.[a-z]\w{0,9}$/i.test(word)) && !/[\s"'{=]/.test(word);
}

function fromText(words: readonly string[], format: InputFormat | undefined): ParsedInput {
  if (format === "binary") throw new UsageError("--format binary is for files and the standard input");
  const missing = words.find((word) => looksLikePath(word) && !(format === "base64"));
  if (missing !== undefined && !isLongBase64(missing)) throw new FailedError(`no such file: ${missing}`);
  return parse(words.join(" "), format);
}

/** `/` is a digit of base64, too. */
function isLongBase64(word: string): boolean {
  return word.length >= 24 && word.length % 4 === 0 && /^[A-Za-z\d+/]+={0,2}$/.test(word);
}

function fromPath(path: string, format: InputFormat | undefined): readonly InspectSource[] {
  if (!statOf(path).isDirectory()) return [fromFile(path, format)];
  const names = readFolder(path).filter((name) => statOf(join(path, name)).isFile());
  if (names.length === 0) throw new FailedError(`${path} is a folder without files`);
  if (names.length > FOLDER_LIMIT) throw new UsageError(`${path} has over ${FOLDER_LIMIT} files`);
  return names.map((name) => fromFile(join(path, name), format));
}

function readFolder(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    throw cannotRead(path, error);
  }
}

function statOf(path: string): ReturnType<typeof statSync> & object {
  try {
    return statSync(path) as ReturnType<typeof statSync> & object;
  } catch (error) {
    throw cannotRead(path, error);
  }
}

function fromFile(file: string, format: InputFormat | undefined): InspectSource {
  const { size } = statOf(file);
  if (Number(size) > INPUT_LIMIT_BYTES) throw overLimit(file);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw cannotRead(file, error);
  }
  const kind = format === undefined ? kindOf(bytes.subarray(0, START_BYTES), file)?.kind : undefined;
  if (kind !== undefined) {
    throw new UsageError(`${file} is a ${kind}: give it alone, as in wirewalk inspect ${file}`);
  }
  return { file, input: parse(bytes, format, file) };
}

async function fromInput(
  context: CommandContext,
  format: InputFormat | undefined,
  mustHaveBytes: boolean,
): Promise<InspectSource> {
  const { stdin } = context;
  await noteWaiting(context, "packets");
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk as Uint8Array);
    chunks.push(part);
    length += part.length;
    if (length > INPUT_LIMIT_BYTES) throw overLimit("the standard input");
  }
  if (mustHaveBytes && length === 0) throw new UsageError(NOTHING);
  const bytes = Buffer.concat(chunks);
  const kind = format === undefined ? kindOf(bytes.subarray(0, START_BYTES))?.kind : undefined;
  if (kind !== undefined) {
    throw new UsageError(`the standard input is a ${kind}: give it alone, as in wirewalk inspect -`);
  }
  return { input: parse(bytes, format, "standard input") };
}

function overLimit(what: string): UsageError {
  return new UsageError(`${what} is over the limit of ${countBytes(INPUT_LIMIT_BYTES)}; decode reads longer input`);
}

function cannotRead(path: string, error: unknown): FailedError {
  return new FailedError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
}

/** Text that holds no bytes is wrong usage. */
function parse(input: string | Uint8Array, format: InputFormat | undefined, what?: string): ParsedInput {
  try {
    return parseInput(input, format);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    if (what === undefined) throw new UsageError(error.message);
    const hint = format === undefined ? "; --format says what it is (binary: the bytes of the file)" : "";
    throw new UsageError(`${what}: ${error.message}${hint}`);
  }
}
