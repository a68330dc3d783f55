import type { Ban, Bans } from "@wirewalk/server";
import type { Command } from "commander";
import type { Store } from "wirewalk/net";
import { escapeControls, type JsonObject } from "wirewalk/wire";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { recordingMaps } from "../files/recording-input.ts";
import { addMapsFlag, type MapsFlags } from "../input/maps.ts";
import { suggest } from "../input/nearest.ts";
import { write } from "../output/output.ts";
import { openExistingStore } from "../process/open-store.ts";

const KEY_HELP = "as list shows it: login:NAME or address:ADDRESS";

interface BansFlags {
  readonly data: string;
  readonly json?: boolean;
}

/** `wirewalk bans`: the bans that a server has kept. */
export function addBans(program: Command, context: CommandContext): void {
  const bans = program
    .command("bans")
    .summary("list, show, lift and export the bans that a server has kept")
    .description(
      "Lists, shows, lifts and exports the bans in a server's data folder, and the scores of accounts, also while it runs.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk bans list --data ./data
  $ wirewalk bans list --data ./data --json
  $ wirewalk bans show address:192.0.2.7 --data ./data
  $ wirewalk bans lift address:192.0.2.7 --data ./data
  $ wirewalk bans lift login:ann --data ./data
  $ wirewalk bans export login:ann --data ./data --out ./appeal
  $ wirewalk bans export login:ann --data ./data --out ./appeal --maps maplestory=server/wz
  $ wirewalk bans scores --data ./data`,
    );
  bans
    .command("list")
    .requiredOption("--data <folder>", "the server's data folder, or postgres://… of its --store")
    .option("--json", "one JSON object for each ban, as docs/operations.md describes")
    .description(
      "Lists the bans in force: what each applies to, until when, the player's name, the rule and why, with the verdicts that " +
        "led to it.",
    )
    .action(({ data, json = false }: BansFlags) =>
      withBans(data, async (kept) => {
        const list = kept.list();
        if (list.length === 0 && !json) await write(context.stdout, "Nobody is banned.\n");
        for (const ban of list) await write(context.stdout, json ? jsonLine(ban, kept) : showBan(ban, kept));
      }),
    );
  bans
    .command("show")
    .argument("<key>", KEY_HELP)
    .requiredOption("--data <folder>", "the server's data folder, or postgres://… of its --store")
    .option("--json", "one JSON object for each ban, as of list")
    .description(
      "Shows the bans of a login or an address: from when until when, the rule and why, and each verdict that led to it with what " +
        "was measured and allowed, the message's bytes and the state before.",
    )
    .action((text: string, { data, json = false }: BansFlags) =>
      withBans(data, async (kept) => {
        for (const ban of await bansOf(kept, text)) {
          await write(context.stdout, json ? jsonLine(ban, kept) : showWhole(ban, kept, await idsOf(kept, ban)));
        }
      }),
    );
  addMapsFlag(bans.command("export"), "the maps of the world, by which a recording with maps is judged again", "game=")
    .argument("<key>", KEY_HELP)
    .requiredOption("--data <folder>", "the server's data folder, or postgres://… of its --store")
    .requiredOption("--out <folder>", "folder of the files, created when it is missing")
    .description(
      "Writes each ban of a login or an address for an appeal: a statement for people, and the recording of the seconds around " +
        "the last verdict where one is kept.",
    )
    .action((text: string, { data, out, maps: paths }: BansFlags & MapsFlags & { readonly out: string }) => {
      const maps = recordingMaps(context, paths === undefined ? {} : { maps: paths });
      return withBans(data, async (kept) => {
        const { exportBan } = await import("./bans-export.ts");
        for (const ban of await bansOf(kept, text)) {
          const statement = showWhole(ban, kept, await idsOf(kept, ban));
          const files = await exportBan(context, kept, ban, { folder: out, statement, maps });
          await write(context.stdout, files.map((file) => `${file}\n`).join(""));
        }
      });
    });
  bans
    .command("scores")
    .argument("[key]", KEY_HELP)
    .requiredOption("--data <folder>", "the server's data folder, or postgres://… of its --store")
    .option("--json", "one JSON object for each account")
    .description(
      "Shows what verdicts about accounts add up to, by rule, with the number of verdicts. A running server writes its scores " +
        "within a quarter of a minute.",
    )
    .action((text: string | undefined, { data, json = false }: BansFlags) =>
      withBans(data, async (kept, store) => {
        const [{ Ledger, parseBanKey }, { writeScores }] = await Promise.all([
          import("@wirewalk/server"),
          import("./bans-export.ts"),
        ]);
        const key = text === undefined ? undefined : parseBanKey(text);
        if (text !== undefined && key === undefined) throw notAKey(text);
        const accounts = new Ledger(store, kept.time, new Map()).list();
        await writeScores(context, key === undefined ? accounts : accounts.filter((each) => each.key === key), json);
      }),
    );
  bans
    .command("lift")
    .argument("<key>", KEY_HELP)
    .requiredOption("--data <folder>", "the server's data folder, or postgres://… of its --store")
    .description("Lifts all bans that apply to a login or an address.")
    .action((text: string, { data }: BansFlags) =>
      withBans(data, async (kept) => {
        const lifted = await bansOf(kept, text);
        for (const ban of lifted) kept.lift(ban.protocol, ban.key);
        const lines = lifted.map((ban) => `${ban.protocol}: ${escapeControls(ban.key)} is no longer banned\n`);
        await write(context.stdout, lines.join(""));
      }),
    );
}

/** All bans of a key. Throws {@link FailedError} when no ban has the key, {@link UsageError} for what is no key. */
async function bansOf(kept: Bans, text: string): Promise<readonly Ban[]> {
  const { parseBanKey } = await import("@wirewalk/server");
  const key = parseBanKey(text);
  const list = kept.list();
  const found = list.filter((ban) => ban.key === key);
  if (found.length > 0) return found;
  const known = [...new Set(list.map((ban) => escapeControls(ban.key)))];
  const named = known.find((each) => each.endsWith(`:${text}`));
  const hint = named !== undefined ? `; did you mean ${named}?` : known.length === 0 ? "" : suggest(text, known);
  if (key === undefined && named === undefined) throw notAKey(text);
  throw new FailedError(`'${text}' is not banned${hint}`);
}

function notAKey(text: string): UsageError {
  return new UsageError(`'${text}' is no key of bans: one is as login:ann or address:192.0.2.7`);
}

/** The ids that the verdicts of a ban have in recordings. */
async function idsOf(kept: Bans, { protocol, key }: Ban): Promise<readonly string[]> {
  const { evidenceIds } = await import("./bans-export.ts");
  return evidenceIds(kept.evidence(protocol, key));
}

async function withBans(place: string, work: (bans: Bans, store: Store) => Promise<void>): Promise<void> {
  const { Bans } = await import("@wirewalk/server");
  const store = await openExistingStore(place, { shared: true });
  try {
    await work(new Bans(store), store);
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

function jsonLine(ban: Ban, bans: Bans): string {
  const [fromMs, untilMs] = [Math.round(ban.fromMs), Math.round(ban.untilMs)];
  const times = { fromMs, untilMs, from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString() };
  return `${JSON.stringify({ ...ban, ...times, evidence: bans.evidence(ban.protocol, ban.key) })}\n`;
}

/** A ban with everything that is kept of it. */
function showWhole(ban: Ban, bans: Bans, ids: readonly string[]): string {
  const { protocol, key, name, rule, reason, fromMs, untilMs } = ban;
  const lines = [
    `${protocol}  ${key}`,
    `  name      ${name}`,
    `  from      ${new Date(fromMs).toISOString()}`,
    `  until     ${new Date(untilMs).toISOString()}`,
    `  rule      ${rule}`,
    `  reason    ${reason}`,
  ];
  const evidence = bans.evidence(protocol, key);
  if (evidence.length === 0) lines.push("  evidence  none is kept");
  for (const [index, verdict] of evidence.entries()) {
    lines.push(...verdictLines(verdict, index, evidence.length, protocol), `    id        ${ids[index]}`);
  }
  const recording = bans.recording(protocol, key);
  lines.push(
    recording === undefined
      ? "  recording none is kept"
      : `  recording ${recording.length} bytes; wirewalk bans export ${key} writes it`,
  );
  return lines.map((line) => `${escapeControls(line)}\n`).join("");
}

function verdictLines(verdict: JsonObject, index: number, count: number, protocol: string): string[] {
  const { kind, rule, reason, atMs, measured, allowed, unit, message, stateBefore } = verdict;
  const lines = [`  verdict ${index + 1} of ${count}: ${kind} by ${rule}, ${reason}`];
  if (typeof atMs === "number") lines.push(`    at        ${(atMs / 1000).toFixed(3)} s of the world`);
  if (measured !== null && measured !== undefined) {
    lines.push(`    measured  ${measured} ${unit ?? ""}, allowed ${allowed ?? "none"}`);
  }
  lines.push(`    message   ${message === "" ? "none" : message}`);
  if (message !== "") lines.push(`              wirewalk inspect ${protocol} --direction client ${message}`);
  if (stateBefore !== undefined) lines.push(`    before    ${JSON.stringify(stateBefore)}`);
  return lines;
}
