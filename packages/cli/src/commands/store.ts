import { resolve } from "node:path";
import type { Command } from "commander";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { write } from "../output/output.ts";
import { isDatabase, openExistingStore, openStore } from "../process/open-store.ts";

/** `wirewalk store`: the bans and accounts of servers as a whole. */
export function addStore(program: Command, context: CommandContext): void {
  const store = program
    .command("store")
    .summary("copy bans and accounts to another store")
    .description("Copies what servers have kept, such as bans and accounts.")
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk store copy ./data postgres://wirewalk@127.0.0.1:5432/wirewalk
  $ wirewalk store copy postgres://wirewalk@127.0.0.1:5432/wirewalk ./backup`,
    );
  const place = "a data folder, or postgres://user@host:5432/database";
  store
    .command("copy")
    .argument("<from>", place)
    .argument("<to>", `${place}, without records`)
    .description(
      "Copies all records of a store into one that has none, and reads them back. No server may use a data folder meanwhile.",
    )
    .action((from: string, to: string) => copy(context, from, to));
}

async function copy(context: CommandContext, from: string, to: string): Promise<void> {
  if (from === to || (!isDatabase(from) && !isDatabase(to) && resolve(from) === resolve(to))) {
    throw new UsageError(`${nameOf(from)} cannot be copied into itself: name another place`);
  }
  const source = await openExistingStore(from);
  try {
    const target = await openStore(to);
    try {
      const [found] = target.tables();
      if (found !== undefined) throw new FailedError(`${nameOf(to)} has records already, in table ${found}`);
      for (const table of source.tables()) {
        const records = source.list(table);
        for (const { key, record } of records) target.put(table, key, record);
        const copied = target.list(table);
        if (JSON.stringify(copied) !== JSON.stringify(records)) {
          throw new FailedError(`table ${table} has changed while it was copied: copy again into an empty store`);
        }
        await write(context.stdout, `${table}: ${records.length} records\n`);
      }
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

/** Without the password of a database. */
function nameOf(place: string): string {
  return isDatabase(place) ? "the database" : place;
}
