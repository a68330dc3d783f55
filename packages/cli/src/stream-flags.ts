/** The options of a packet stream or an engine as flags of a command. */
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { DocumentOption, StreamOption, StreamOptionValues } from "wirewalk/protocol";
import { UsageError } from "./context.ts";

/** Adds a flag for each option. */
export function addOptionFlags(command: Command, options: readonly StreamOption[]): void {
  for (const option of options) command.option(flagOf(option), summaryOf(option));
}

/** The values that the command line gave. Throws {@link UsageError} for a file that cannot be read. */
export function optionValues(command: Command, options: readonly StreamOption[]): StreamOptionValues {
  const given = command.opts<Readonly<Record<string, string | boolean | undefined>>>();
  return Object.fromEntries(options.map((option) => [option.name, givenValue(option, given[option.name])]));
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
      return `--${name} <name|file>`;
  }
}

function summaryOf(option: StreamOption): string {
  if (option.kind === "document") return `${option.summary}, in a file`;
  return option.kind === "switch" && option.default ? `without ${option.summary}` : option.summary;
}

function givenValue(option: StreamOption, value: string | boolean | undefined): string | number | boolean | undefined {
  if (typeof value !== "string") return value;
  if (option.kind === "number") return Number(value);
  return option.kind === "document" ? documentOf(option, value) : value;
}

/** A name that the stream knows, or the text of a file. */
function documentOf(option: DocumentOption, value: string): string {
  if (option.names.includes(value)) return value;
  try {
    return readFileSync(value, "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const known = `a file, or one of ${option.names.join(", ")}`;
    throw new UsageError(`${new Option(flagOf(option)).long} ${value}: it must be ${known} (${why})`);
  }
}
