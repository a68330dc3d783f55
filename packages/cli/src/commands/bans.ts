import { existsSync } from "node:fs";
import type { Ban, Bans } from "@wirewalk/server";
import type { Command } from "commander";
import { escapeControls, type JsonObject } from "wirewalk/wire";
import { type CommandContext, FailedError } from "../context.ts";
import { suggest } from "../nearest.ts";
import { write } from "../output.ts";

interface BansFlags {
  readonly data: string;
}

/** `wirewalk bans`: the bans that a server has kept. */
export function addBans(program: Command, context: CommandContext): void {
  const bans = program
    .command("bans")
    .summary("list and lift the bans that a server has kept")
    .description("Lists and lifts the bans in a server's data folder, also while it runs.")
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk bans list --data ./data
  $ wirewalk bans lift address:192.0.2.7 --data ./data
  $ wirewalk bans lift login:ann --data ./data`,
    );
  bans
    .command("list")
    .requiredOption("--data <folder>", "the server's data folder")
    .description(
      "Lists the bans in force: what each applies to, until when, the player's name, the rule and why, with the verdicts that " +
        "led to it.",
    )
    .action(({ data }: BansFlags) =>
      withBans(data, async (kept) => {
        const list = kept.list();
        await write(
          context.stdout,
          list.length === 0 ? "Nobody is banned.\n" : list.map((ban) => showBan(ban, kept)).join(""),
        );
      }),
    );
  bans
    .command("lift")
    .argument("<key>", "as list shows it: login:NAME or address:ADDRESS")
    .requiredOption("--data <folder>", "the server's data folder")
    .description("Lifts all bans that apply to a login or an address.")
    .action((text: string, { data }: BansFlags) =>
      withBans(data, async (kept) => {
        const { parseBanKey } = await import("@wirewalk/server");
        const key = parseBanKey(text);
        const list = kept.list();
        const lifted = list.filter((ban) => ban.key === key);
        if (lifted.length === 0) {
          const known = list.map((ban) => escapeControls(ban.key));
          const hint = known.length === 0 ? "" : suggest(text, known);
          throw new FailedError(`'${text}' is not banned${hint}`);
        }
        for (const ban of lifted) kept.lift(ban.protocol, ban.key);
        const lines = lifted.map((ban) => `${ban.protocol}: ${escapeControls(ban.key)} is no longer banned\n`);
        await write(context.stdout, lines.join(""));
      }),
    );
}

async function withBans(folder: string, work: (bans: Bans) => Promise<void>): Promise<void> {
  // Opening a store creates its folder: a mistyped name must not.
  if (!existsSync(folder)) throw new FailedError(`there is no folder ${folder}`);
  const { Bans, sqliteStore } = await import("@wirewalk/server");
  const store = sqliteStore(folder, { shared: true });
  try {
    await work(new Bans(store));
  } finally {
    store.close();
  }
}

function showBan(ban: Ban, bans: Bans): string {
  const until = new Date(ban.untilMs).toISOString();
  const who = ban.key === `login:${ban.name}` ? "" : `  as ${escapeControls(ban.name)}`;
  const why = escapeControls(`${ban.rule}: ${ban.reason}`);
  const heading = `${ban.protocol}  ${escapeControls(ban.key)}${who}  until ${until}  ${why}\n`;
  return heading + bans.evidence(ban.protocol, ban.key).map(showEvidence).join("");
}

function showEvidence(verdict: JsonObject): string {
  const { kind, rule, reason, message } = verdict;
  return `  ${escapeControls(`${kind} by ${rule}: ${reason}; message ${message}`)}\n`;
}
