import { existsSync } from "node:fs";
import type { Ban, RunningServer } from "@wirewalk/server";
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
  $ wirewalk bans lift 192.0.2.7 --data ./data`,
    );
  bans
    .command("list")
    .requiredOption("--data <folder>", "the server's data folder")
    .description("Lists banned accounts, until when and why, with the verdicts that led to the ban.")
    .action(({ data }: BansFlags) =>
      withBans(data, async (kept) => {
        const list = kept.list();
        await write(context.stdout, list.length === 0 ? "No account is banned.\n" : list.map(showBan).join(""));
      }),
    );
  bans
    .command("lift")
    .argument("<account>", "as list shows it")
    .requiredOption("--data <folder>", "the server's data folder")
    .description("Lifts all bans of an account.")
    .action((account: string, { data }: BansFlags) =>
      withBans(data, async (kept) => {
        const list = kept.list();
        const lifted = list.filter((ban) => ban.account === account);
        if (lifted.length === 0) {
          const known = list.map((ban) => escapeControls(ban.account));
          const hint = known.length === 0 ? "" : suggest(account, known);
          throw new FailedError(`account '${account}' is not banned${hint}`);
        }
        for (const { protocol } of lifted) kept.lift(protocol, account);
        const lines = lifted.map(({ protocol }) => `${protocol}: ${escapeControls(account)} is no longer banned\n`);
        await write(context.stdout, lines.join(""));
      }),
    );
}

async function withBans(folder: string, work: (bans: RunningServer["bans"]) => Promise<void>): Promise<void> {
  // Opening a store creates its folder: a mistyped name must not.
  if (!existsSync(folder)) throw new FailedError(`there is no folder ${folder}`);
  const { sqliteStore, startServer } = await import("@wirewalk/server");
  const store = sqliteStore(folder);
  // A server without listeners: it knows how bans are kept.
  const server = await startServer({ listeners: [], store });
  try {
    await work(server.bans);
  } finally {
    await server.close();
    store.close();
  }
}

function showBan(ban: Ban): string {
  const until = new Date(ban.untilMs).toISOString();
  const heading = `${ban.protocol}  ${escapeControls(ban.account)}  until ${until}  ${escapeControls(ban.reason)}\n`;
  return heading + ban.evidence.map(showEvidence).join("");
}

function showEvidence(verdict: JsonObject): string {
  const { kind, rule, reason, message } = verdict;
  return `  ${escapeControls(`${kind} by ${rule}: ${reason}; message ${message}`)}\n`;
}
