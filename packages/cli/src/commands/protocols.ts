import type { Command } from "commander";
import { type DialectInfo, defaultDialect, type MessageInfo, missingMembers, type Protocol } from "wirewalk/protocol";
import type { CommandContext } from "../context.ts";
import { chooseProtocol, streamsOf } from "../input/streams.ts";
import { write } from "../output/output.ts";

/** `wirewalk protocols`: the names that the other commands take. */
export function addProtocols(program: Command, context: CommandContext): void {
  program
    .command("protocols")
    .summary("games, dialects, parts and messages")
    .description("Lists the games with their dialects, the lines that decode, encode and inspect take, and messages.")
    .argument("[protocol...]", "only these (default: all)")
    .option("--json", "one JSON object for each game")
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk protocols
  $ wirewalk protocols maplestory
  $ wirewalk protocols --json`,
    )
    .action(async (names: readonly string[], { json = false }: { readonly json?: boolean }) => {
      const all = Object.values(context.protocols);
      const chosen = names.length === 0 ? all : names.map((name) => chooseProtocol(context, name));
      const texts = chosen.map(json ? jsonLine : showProtocol);
      await write(context.stdout, texts.join(json ? "" : "\n"));
    });
}

/** Everything that the text shows, and the options of lines as data. */
function jsonLine(protocol: Protocol): string {
  const { name, title, summary, defaultPort, dialects, bots, capabilities } = protocol;
  const object = {
    name,
    title,
    summary,
    defaultPort,
    defaultDialect: defaultDialect(protocol),
    dialects: dialects.map((dialect) => ({ ...dialect, messages: protocol.codec(dialect.name).messages })),
    lines: streamsOf(protocol).map(({ name, stream: { summary, senders, options, reversible } }) => {
      return { name, summary, senders, options, reversible };
    }),
    settings: Object.entries(capabilities?.settings?.values ?? {}).map(([name, value]) => ({ name, ...value })),
    cheats: bots?.cheats ?? [],
    mapCheats: bots?.mapCheats ?? [],
    hardCheats: bots?.hardCheats ?? [],
  };
  return `${JSON.stringify(object)}\n`;
}

function showProtocol(protocol: Protocol): string {
  const { defaultPort, bots } = protocol;
  const port = defaultPort === undefined ? "" : `, TCP port ${defaultPort}`;
  const lines = [`${protocol.name}: ${protocol.title}${port}`, `  ${protocol.summary}`, ""];
  lines.push("  Dialects");
  lines.push(
    ...table(
      protocol.dialects.map(({ name, summary }) => [
        name,
        name === defaultDialect(protocol) ? `(default) ${summary}` : summary,
      ]),
    ),
  );
  lines.push("", "  Lines");
  lines.push(...table(streamsOf(protocol).map(({ name, stream }) => [name, stream.summary])));
  for (const { dialects, messages } of groupByMessages(protocol)) {
    lines.push("", `  Messages of ${dialects.map((dialect) => dialect.name).join(", ")}`);
    lines.push(...table(messages.map(showMessage)));
  }
  const settings = Object.entries(protocol.capabilities?.settings?.values ?? {});
  if (settings.length > 0) {
    lines.push("", "  Settings");
    lines.push(
      ...table(
        settings.map(([name, { summary, default: value }]) => [
          `${protocol.name}.${name}`,
          `(default ${value}) ${summary}`,
        ]),
      ),
    );
  }
  if (bots !== undefined) lines.push("", `  Cheats of its bots: ${["none", ...bots.cheats].join(", ")}`);
  if (bots?.mapCheats !== undefined) lines.push(`  With --maps also: ${bots.mapCheats.join(", ")}`);
  if (bots?.hardCheats !== undefined) lines.push(`  Hard to find: ${bots.hardCheats.join(", ")}`);
  const missing = missingMembers(protocol, ["openChannel", "createWorld", "bots"]);
  if (missing !== undefined) lines.push("", `  ${missing}`);
  return `${lines.join("\n")}\n`;
}

function showMessage({ id, sender, message, summary }: MessageInfo): string[] {
  return [String(id), `0x${id.toString(16).padStart(2, "0")}`, sender, message, summary];
}

/** Dialects with the same messages share one list. */
function groupByMessages(protocol: Protocol): { dialects: DialectInfo[]; messages: readonly MessageInfo[] }[] {
  const groups = new Map<string, { dialects: DialectInfo[]; messages: readonly MessageInfo[] }>();
  for (const dialect of protocol.dialects) {
    const { messages } = protocol.codec(dialect.name);
    const key = JSON.stringify(messages);
    const group = groups.get(key) ?? { dialects: [], messages };
    group.dialects.push(dialect);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Rows with their columns aligned, numbers to the right. */
function table(rows: readonly string[][]): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return /^\d+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
    });
    return `    ${cells.join("  ")}`.trimEnd();
  });
}
