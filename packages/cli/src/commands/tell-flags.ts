/** `--tell OUTPUT` of `wirewalk serve` and `wirewalk relay`: where verdicts, penalties and actions are told. */
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { OutputTarget, TargetOptions, Templates } from "@wirewalk/server";
import type { Command } from "commander";
import { FailedError, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { collect } from "../input/collect.ts";

export interface TellFlags {
  readonly tell?: readonly string[];
}

const OPTIONS = ["what", "secret-file", "per-minute", "template-file"] as const;
const examples: Readonly<Record<string, string>> = {
  webhook: "webhook=https://example.org/hook,secret-file=secret",
  discord: "discord=@FILE, a file with the URL of the webhook",
  file: "file=verdicts.jsonl",
  stdout: "stdout,what=penalties",
  syslog: "syslog=udp://127.0.0.1:514",
  store: "store, beside --store postgres://…",
};

export function addTellFlag(command: Command): Command {
  return command.option(
    "--tell <output>",
    "tell verdicts, penalties and actions: webhook=URL, discord=URL, file=PATH, stdout, syslog=udp://HOST:514 or store, then ,what=all or " +
      "penalties, ,per-minute=N, ,secret-file=FILE, ,template-file=FILE; @FILE reads a URL from a file (repeatable; see docs/verdicts.md)",
    collect,
  );
}

/** The outputs. Throws `UsageError` for one that cannot be read, `FailedError` for a file. */
export async function tellTargets({ tell = [] }: TellFlags): Promise<readonly OutputTarget[] | undefined> {
  if (tell.length === 0) return undefined;
  const { outputTarget } = await import("@wirewalk/server");
  const counts = new Map<string, number>();
  return tell.map((text) => {
    const [place = "", ...rest] = splitOptions(text);
    const [, kind = "", where = ""] = /^([a-z]+)(?:=(.*))?$/s.exec(place) ?? [];
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = count === 1 ? kind : `${kind}-${count}`;
    try {
      checkOptions(place);
      const at = where.startsWith("@") ? read(where.slice(1)) : where;
      const target = outputTarget(kind, at, name, optionsOf(rest));
      if (target.kind === "file") checkWritable(target.path);
      return target;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // A URL of Discord is a secret: it is not repeated.
      throw new UsageError(`--tell ${kind}: ${error.message}; it is as ${examples[kind] ?? examples.webhook}`);
    }
  });
}

/** A URL may hold commas: only a comma before an option divides. */
function splitOptions(text: string): readonly string[] {
  return text.split(new RegExp(`,(?=(?:${OPTIONS.join("|")})=)`));
}

/** What is left in the place is part of it, such as of a query; anywhere else it is a misspelled option. */
function checkOptions(place: string): void {
  const [, name] = /^[^?]*,([\w-]+)=/.exec(place) ?? [];
  if (name !== undefined) throw new RangeError(`unknown option ${name}, expected ${OPTIONS.join(", ")}`);
}

/** Throws {@link FailedError} for a file that cannot be written: its owner learns it at the start. Makes none. */
function checkWritable(path: string): void {
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  } catch (error) {
    throw new FailedError(`Cannot write ${path}: ${fileReason(error)}`);
  }
  throw new FailedError(`Cannot write ${path}: it is a folder`);
}

function optionsOf(given: readonly string[]): TargetOptions {
  const options: Record<string, unknown> = {};
  for (const each of given) {
    const at = each.indexOf("=");
    const [name, value] = [each.slice(0, at), each.slice(at + 1)];
    if (name === "what") options.what = value;
    else if (name === "per-minute") options.perMinute = Number(value);
    else if (name === "secret-file") options.secret = read(value);
    else options.templates = templatesIn(value);
  }
  return options;
}

function templatesIn(file: string): Partial<Templates> {
  let json: unknown;
  try {
    json = JSON.parse(read(file));
  } catch (error) {
    if (error instanceof FailedError) throw error;
    throw new RangeError(`${file} is no JSON`);
  }
  const known = ["verdict", "penalty", "action"];
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  const entries = isObject ? Object.entries(json as object) : [];
  const isRight = isObject && entries.every(([name, text]) => known.includes(name) && typeof text === "string");
  if (!isRight) throw new RangeError(`${file} must be an object of texts for ${known.join(", ")}`);
  return json as Partial<Templates>;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new FailedError(`Cannot read ${path}: ${fileReason(error)}`);
  }
}
