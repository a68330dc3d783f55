/** `wirewalk rules`: the settings of games, as a server would have them. */
import type { Command } from "commander";
import type { Protocol, SettingInfo } from "wirewalk/protocol";
import type { CommandContext } from "../context.ts";
import { collect } from "../input/collect.ts";
import { chooseSettings, type SettingFlags, withSettings } from "../input/settings.ts";
import { chooseProtocol } from "../input/streams.ts";
import { write } from "../output/output.ts";

interface RulesFlags extends SettingFlags {
  readonly json?: true;
}

export function addRules(program: Command, context: CommandContext): void {
  program
    .command("rules")
    .argument("[protocol...]", "only these (default: all)")
    .option("--set <protocol.name=number>", "show the game with this setting", collect)
    .option("--rules <file>", "show games with the settings of a JSON file")
    .option("--json", "one JSON object for each setting")
    .summary("settings of games: limits of rules with unit, value, bounds and source")
    .description(
      "Lists the settings of games: limits of the rules that verdicts come from, and other numbers such as opcodes. `serve --set` and " +
        "`serve --rules` change them; `replay --set` shows what other limits would have said about a recording.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk rules slime-online-2
  $ wirewalk rules --json
  $ wirewalk rules slime-online-2 --set slime-online-2.maxSpeed=3`,
    )
    .action(async (names: readonly string[], flags: RulesFlags) => {
      const all = Object.values(context.protocols);
      const chosen = names.length === 0 ? all : names.map((name) => chooseProtocol(context, name));
      const settings = chooseSettings(context.protocols, flags);
      const configured = chosen.map((protocol) => withSettings(protocol, settings));
      const texts = flags.json === true ? configured.flatMap(jsonLines) : configured.map(showSettings);
      await write(context.stdout, texts.join(flags.json === true ? "" : "\n"));
    });
}

function settingsOf({ capabilities }: Protocol): readonly (readonly [string, SettingInfo])[] {
  return Object.entries(capabilities?.settings?.values ?? {});
}

function jsonLines(protocol: Protocol): readonly string[] {
  return settingsOf(protocol).map(([name, { default: value, ...info }]) => {
    return `${JSON.stringify({ protocol: protocol.name, name, value, ...info })}\n`;
  });
}

function showSettings(protocol: Protocol): string {
  const settings = settingsOf(protocol);
  if (settings.length === 0) return `${protocol.name}: no settings\n`;
  const rows = settings.map(([name, { default: value, unit, least, most, source, rules, summary }]) => {
    const set = `${name}=${value}`;
    return [set, unit, `${least}..${most}`, source, rules.length === 0 ? "-" : rules.join(", "), summary];
  });
  // The rules of one limit may be many.
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const lines = rows.map(([set = "", unit = "", bounds = "", source = "", rules = "", summary = ""]) => {
    const cells = [set, unit, bounds, source].map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return `  ${cells.join("  ")}  ${summary}${rules === "-" ? "" : ` [${rules}]`}`.trimEnd();
  });
  return `${[`${protocol.name}: ${protocol.title}`, ...lines].join("\n")}\n`;
}
