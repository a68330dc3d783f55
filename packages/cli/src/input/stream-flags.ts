/** The options of a packet stream or an engine as flags of a command. */
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { DocumentOption, HexOption, NumberOption, StreamOption, StreamOptionValues } from "wirewalk/protocol";
import { countBytes, parseHex, WireError } from "wirewalk/wire";
import { UsageError } from "../context.ts";

/** Adds a flag for each option. */
export function addOptionFlags(command: Command, options: readonly StreamOption[]): void {
  for (const option of options) command.option(flagOf(option), summaryOf(option));
}

/**
 * The values that the command line gave. Throws {@link UsageError} for an invalid value, a file that cannot be read, and an
 * option of frames for packets without frames.
 */
export function optionValues(command: Command, options: readonly StreamOption[], framed = false): StreamOptionValues {
  const given = command.opts<Readonly<Record<string, string | boolean | undefined>>>();
  return Object.fromEntries(
    options.map((option) => {
      const value = givenValue(option, given[option.name]);
      if (option.framedOnly && !framed && command.getOptionValueSource(option.name) === "cli") {
        throw new UsageError(`${longFlag(option)} has a meaning with --framed alone`);
      }
      return [option.name, value];
    }),
  );
}

/** As commander writes it: `--strict`, `--no-count-byte`, `--local <index>`. */
function flagOf(option: StreamOption): string {
  const name = option.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  switch (option.kind) {
    case "switch":
      return option.default ? `--no-${name}` : `--${name}`;
    case "number":
      return `--${name} <${option.unit}>`;
    case "hex":
      return `--${name} <hex>`;
    case "document":
      return option.names.length === 0 ? `--${name} <file>` : `--${name} <name|file>`;
  }
}

function summaryOf(option: StreamOption): string {
  if (option.kind === "document") return `${option.summary}, in a file`;
  return option.kind === "switch" && option.default ? `without ${option.summary}` : option.summary;
}

function givenValue(option: StreamOption, value: string | boolean | undefined): string | number | boolean | undefined {
  if (typeof value !== "string") return value;
  switch (option.kind) {
    case "number":
      return numberOf(option, value);
    case "hex":
      return hexOf(option, value);
    default:
      return option.kind === "document" ? documentOf(option, value) : value;
  }
}

const longFlag = (option: StreamOption): string => new Option(flagOf(option)).long ?? option.name;

function numberOf(option: NumberOption, value: string): number {
  const { min, max } = option;
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`${longFlag(option)} ${value}: it must be an integer in ${min}..${max}`);
}

function hexOf(option: HexOption, value: string): string {
  const { bytes } = option;
  let count: number;
  try {
    count = parseHex(value).length;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new UsageError(`${longFlag(option)} ${value}: ${error.message}`);
  }
  if (bytes === undefined || count === bytes) return value;
  throw new UsageError(`${longFlag(option)} ${value}: it must have ${countBytes(bytes)}, got ${count}`);
}

/** A name that the stream knows, or the text of a file. */
function documentOf(option: DocumentOption, value: string): string {
  if (option.names.includes(value)) return value;
  try {
    return readFileSync(value, "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const known = option.names.length === 0 ? "a file" : `a file, or one of ${option.names.join(", ")}`;
    throw new UsageError(`${longFlag(option)} ${value}: it must be ${known} (${why})`);
  }
}
