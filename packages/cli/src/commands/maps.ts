/** `wirewalk maps GAME PATH [ID…]`: the places that a set of maps has, one a line. */
import type { Command } from "commander";
import { MapError, type MapProblem, type MapReading, type WorldMaps } from "wirewalk/protocol";
import { escapeControls, type JsonObject, type JsonValue } from "wirewalk/wire";
import { type CommandContext, ExitCode, type Finish, UsageError } from "../context.ts";
import { mapsAt } from "../input/maps.ts";
import { suggestNumbers } from "../input/nearest.ts";
import { chooseProtocol } from "../input/streams.ts";
import { write } from "../output/output.ts";

/** Lines of a table whose columns are aligned together, and lines that are written at once. A set may have many thousands. */
const BATCH = 256;
/** Reasons of omissions that are named in the totals. */
const MAX_REASONS = 20;

export function addMaps(program: Command, context: CommandContext, _args: readonly string[], finish: Finish): void {
  const readers = Object.values(context.protocols).filter(({ capabilities }) => capabilities?.maps !== undefined);
  const forms = readers.map(({ name, capabilities }) => `  ${name}: ${capabilities?.maps?.forms}\n`).join("");
  program
    .command("maps")
    .argument("<protocol>", readers.length === 0 ? "a game with maps" : readers.map(({ name }) => name).join(", "))
    .argument("<path>", "a folder, a file or an archive")
    .argument("[id...]", "only these places (default: all)")
    .option("--json", "one JSON object for each place")
    .summary("what is in a set of maps: a line for each place")
    .description(
      "Reads every place of a set of maps as --maps of other commands does, and prints it in numbers. What was left out of a place is " +
        "counted in the table, and named with --json. A place that cannot be read is named on the standard error.",
    )
    .addHelpText(
      "after",
      `
What it reads:
${forms}
Examples:
  $ wirewalk maps maplestory server/wz
  $ wirewalk maps maplestory server/wz 100000000 --json

Exit code 3 when a place cannot be read.`,
    )
    .action(
      async (name: string, path: string, ids: readonly string[], { json = false }: { readonly json?: boolean }) => {
        const protocol = chooseProtocol(context, name);
        const reading = protocol.capabilities?.maps;
        const onProblem = ({ place, reason }: MapProblem): void => {
          // Why a place cannot be read is said when it is listed.
          if (place === "") void write(context.stderr, sentence(path, place, reason));
        };
        const maps = mapsAt(protocol, path, onProblem, path);
        const places = maps.places();
        checkIds(maps, places, ids);
        const listing = json ? new JsonListing() : new TableListing(reading as MapReading);
        const broken = await list(context, { path, maps, places: ids.length === 0 ? places : ids }, listing);
        if (broken > 0) finish(ExitCode.refused);
      },
    );
}

/** Throws {@link UsageError} for a place that the set does not have. */
function checkIds(maps: WorldMaps, places: readonly string[], ids: readonly string[]): void {
  const known = new Set(places);
  for (const id of ids) {
    if (known.has(id) || hasPlace(maps, id)) continue;
    throw new UsageError(`unknown place '${id}' of ${maps.name}${suggestNumbers(id, places)}`);
  }
}

/** Whether a set has a place by another spelling, such as with zeros before its number. */
function hasPlace(maps: WorldMaps, id: string): boolean {
  try {
    return maps.summary(id) !== undefined;
  } catch (error) {
    if (error instanceof MapError) return true;
    throw error;
  }
}

interface Listed {
  readonly path: string;
  readonly maps: WorldMaps;
  readonly places: readonly string[];
}

/** Prints place by place. The number of places that cannot be read. */
async function list(
  { stdout, stderr }: CommandContext,
  { path, maps, places }: Listed,
  listing: Listing,
): Promise<number> {
  let broken = 0;
  for (const place of places) {
    let summary: JsonObject | undefined;
    try {
      summary = maps.summary(place);
    } catch (error) {
      if (!(error instanceof MapError)) throw error;
      broken += 1;
      await write(stderr, sentence(path, place, error.message));
      continue;
    }
    if (summary === undefined) continue;
    listing.add(summary);
    if (listing.waiting >= BATCH) await write(stdout, listing.take());
  }
  await write(stdout, listing.take() + listing.end(broken));
  return broken;
}

function sentence(path: string, place: string, reason: string): string {
  return `${escapeControls(`wirewalk: ${path}:${place === "" ? "" : ` ${place}:`} ${reason}`)}\n`;
}

interface Listing {
  readonly waiting: number;
  add(summary: JsonObject): void;
  /** What was added since the last call, as text. */
  take(): string;
  end(broken: number): string;
}

class JsonListing implements Listing {
  #lines: string[] = [];

  get waiting(): number {
    return this.#lines.length;
  }

  add(summary: JsonObject): void {
    this.#lines.push(`${JSON.stringify(summary)}\n`);
  }

  take(): string {
    return this.#lines.splice(0).join("");
  }

  end(): string {
    return "";
  }
}

class TableListing implements Listing {
  readonly #members: readonly string[];
  readonly #heads: readonly string[];
  #rows: string[][] = [];
  readonly #widths: number[];
  #hasHead = false;
  #places = 0;
  #linked = 0;
  readonly #omitted = new Map<string, number>();
  #omissions = 0;

  constructor({ columns }: MapReading) {
    this.#members = Object.keys(columns);
    this.#heads = Object.values(columns);
    this.#widths = this.#heads.map(({ length }) => length);
  }

  get waiting(): number {
    return this.#rows.length;
  }

  add(summary: JsonObject): void {
    this.#rows.push(this.#members.map((member) => cell(summary[member])));
    this.#places += 1;
    if (summary.link !== undefined && summary.link !== null) this.#linked += 1;
    for (const each of Array.isArray(summary.omitted) ? summary.omitted : []) this.#omit(each);
  }

  take(): string {
    const rows = this.#rows.splice(0);
    if (rows.length === 0) return "";
    for (const [column, width] of this.#widths.entries()) {
      this.#widths[column] = rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), width);
    }
    const head = this.#hasHead ? [] : [this.#heads];
    this.#hasHead = true;
    return [...head, ...rows].map((row) => this.#line(row)).join("");
  }

  end(broken: number): string {
    const parts = [`${this.#places} places`];
    if (this.#linked > 0) parts.push(`${this.#linked} of them linked`);
    if (this.#members.includes("omitted")) parts.push(`${this.#omissions} omissions`);
    if (broken > 0) parts.push(`${broken} cannot be read`);
    const reasons = [...this.#omitted].sort((a, b) => b[1] - a[1]);
    const shown = reasons.slice(0, MAX_REASONS).map(([reason, times]) => `  omitted ${times} x ${reason}`);
    const more = reasons.length > MAX_REASONS ? [`  and ${reasons.length - MAX_REASONS} more reasons`] : [];
    const lines = [`${parts.join(", ")}.`, ...shown, ...more].map((line) => `${escapeControls(line)}\n`);
    return `${this.#places > 0 ? "\n" : ""}${lines.join("")}`;
  }

  #omit(omission: JsonValue): void {
    this.#omissions += 1;
    const { what, reason } = omission as { readonly what?: JsonValue; readonly reason?: JsonValue };
    const key = `${what}: ${reason}`;
    // Reasons have few forms; those with values in them must not fill the memory.
    if (this.#omitted.size < 1000 || this.#omitted.has(key)) this.#omitted.set(key, (this.#omitted.get(key) ?? 0) + 1);
  }

  #line(row: readonly string[]): string {
    const cells = row.map((text, column) => {
      const width = this.#widths[column] ?? 0;
      return /^[a-z]/i.test(text) ? text.padEnd(width) : text.padStart(width);
    });
    return `${escapeControls(cells.join("  ").trimEnd())}\n`;
  }
}

/** A list is its length: what is omitted. */
function cell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "-";
  if (Array.isArray(value)) return String(value.length);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
