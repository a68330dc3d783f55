import type { Accounts } from "@wirewalk/server";
import type { Command } from "commander";
import type { Protocol } from "wirewalk/protocol";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { suggest } from "../input/nearest.ts";
import { chooseProtocol } from "../input/streams.ts";
import { write } from "../output/output.ts";
import { openExistingStore } from "../process/open-store.ts";

interface AccountsFlags {
  readonly data: string;
}

/** Bytes of the standard input that may be a password. */
const MAX_INPUT_BYTES = 4096;

/** `wirewalk accounts`: the accounts that a server has kept, for games with a login. */
export function addAccounts(program: Command, context: CommandContext): void {
  const games = Object.values(context.protocols).filter(hasLogin);
  const names = games.map(({ name }) => name).join(", ");
  const accounts = program
    .command("accounts")
    .summary("list, add and remove the accounts of a server")
    .description("Lists, adds and removes accounts in a server's data folder, also while it runs.")
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk accounts list --data ./data
  $ wirewalk accounts add slime-online-2 ann --data ./data < password.txt
  $ wirewalk accounts remove slime-online-2 ann --data ./data`,
    );
  accounts
    .command("list")
    .requiredOption("--data <folder>", "the server's data folder, or postgres://… of its --store")
    .description("Lists all accounts.")
    .action(({ data }: AccountsFlags) =>
      withAccounts(data, async (kept) => {
        const lines = kept.list().map(({ protocol, name }) => `${protocol}  ${escapeControls(name)}\n`);
        await write(context.stdout, lines.length === 0 ? "There are no accounts.\n" : lines.join(""));
      }),
    );
  accounts
    .command("add")
    .argument("<protocol>", names)
    .argument("<name>", "the login name")
    .requiredOption("--data <folder>", "the server's data folder, or postgres://… of its --store")
    .description("Adds an account. The password is the first line of the standard input.")
    .action(async (game: string, name: string, { data }: AccountsFlags) => {
      const protocol = chooseGame(context, games, game);
      const password = await firstLine(context);
      await withAccounts(data, async (kept) => {
        if (!(await orUsage(() => kept.create(protocol, name, password)))) {
          throw new FailedError(`account '${name}' of ${protocol} exists`);
        }
        await write(context.stdout, `${protocol}: ${escapeControls(name)} has an account\n`);
      });
    });
  accounts
    .command("remove")
    .argument("<protocol>", names)
    .argument("<name>", "as list shows it")
    .requiredOption("--data <folder>", "the server's data folder, or postgres://… of its --store")
    .description("Removes an account. A player that has logged in plays on.")
    .action((game: string, name: string, { data }: AccountsFlags) =>
      withAccounts(data, async (kept) => {
        const protocol = chooseGame(context, games, game);
        const known = kept.list().flatMap((each) => (each.protocol === protocol ? [each.name] : []));
        if (!kept.remove(protocol, name)) {
          throw new FailedError(
            `${protocol} has no account '${name}'${known.length === 0 ? "" : suggest(name, known)}`,
          );
        }
        await write(context.stdout, `${protocol}: ${escapeControls(name)} has no account any more\n`);
      }),
    );
}

function hasLogin({ capabilities, dialects }: Protocol): boolean {
  return dialects.some(({ name }) => capabilities?.login?.admission(name) !== undefined);
}

function chooseGame(context: CommandContext, games: readonly Protocol[], name: string): string {
  const protocol = chooseProtocol(context, name);
  if (games.includes(protocol)) return protocol.name;
  throw new UsageError(`${name} has no login: accounts are for ${games.map((game) => game.name).join(", ")}`);
}

async function withAccounts(place: string, work: (accounts: Accounts) => Promise<void>): Promise<void> {
  const { Accounts, defaultBudgets } = await import("@wirewalk/server");
  const store = await openExistingStore(place);
  try {
    await work(new Accounts(store, defaultBudgets));
  } finally {
    store.close();
  }
}

async function firstLine({ stdin }: CommandContext): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk as Uint8Array);
    chunks.push(part);
    bytes += part.length;
    if (part.includes(0x0a) || bytes > MAX_INPUT_BYTES) break;
  }
  const [line = ""] = Buffer.concat(chunks).toString("utf8").split(/\r?\n/, 1);
  if (line === "") throw new UsageError("the password is missing: it is the first line of the standard input");
  return line;
}

/** An invalid name or password is wrong usage. */
async function orUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}
