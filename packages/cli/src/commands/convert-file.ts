/** `wirewalk convert IN OUT`: sessions out of one kind of file into another. */
import { renameSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Command } from "commander";
import { PrivateSessions } from "wirewalk/capture";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, ExitCode, FailedError, type Finish, UsageError } from "../context.ts";
import { Losses } from "../convert/losses.ts";
import { readSource } from "../convert/sources.ts";
import {
  ROUNDED_TIMES,
  STANDS_FOR,
  type Target,
  type TargetOptions,
  targetKindOf,
  targetKinds,
} from "../convert/targets.ts";
import { refusedFile } from "../files/record-input.ts";
import { addSessionFlags, ofFile, recordingMaps, type SessionFlags } from "../files/recording-input.ts";
import { collect } from "../input/collect.ts";
import type { ChosenMaps } from "../input/maps.ts";
import { wholeNumber } from "../input/numbers.ts";
import { withChosen } from "../input/settings.ts";
import { write } from "../output/output.ts";
import { OutputFile } from "../output/output-file.ts";

interface ConvertFlags extends SessionFlags {
  readonly lossy?: true;
  readonly session?: string;
  readonly formatVersion?: number;
  readonly set?: readonly string[];
}

/** Losses that are printed as notes and need no `--lossy`. */
const notes: readonly string[] = [ROUNDED_TIMES, STANDS_FOR];

export function addConvert(program: Command, context: CommandContext, _args: readonly string[], finish: Finish): void {
  const endings = targetKinds.flatMap((kind) => kind.endings).join(", ");
  addSessionFlags(program.command("convert"))
    .argument("<in>", "a session of RSProx or MapleShark, a recording, a capture, or JSON lines")
    .argument("<out>", `the file to write: the end of its name says what it is: ${endings}`)
    .option("--lossy", "write it though something is lost")
    .option("--session <name>", "of a file with several sessions, the one to write")
    .option("--format-version <number>", "of .msb: 0x2012 to 0x2030 (default: 0x2027)", version)
    .option(
      "--set <protocol.name=number>",
      "a setting of the game, as osrs.revision=239 for a capture (repeatable)",
      collect,
    )
    .summary("sessions from one kind of file into another")
    .description(
      "Reads the sessions of a file and writes them as another kind of file. It names what would be lost, a line for each reason, before " +
        "anything is written; a loss needs --lossy. docs/recordings-elsewhere.md has what each kind of file holds.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk convert session.bin session.mcap
  $ wirewalk convert play.mcap play.msb --session ann
  $ wirewalk convert session.msb session.jsonl
  $ wirewalk convert session.bin public.bin --pseudonyms

Exit code 3 when something is lost.`,
    )
    .action(async (from: string, to: string, flags: ConvertFlags) => {
      if (await convert(context, from, to, flags)) finish(ExitCode.refused);
    });
}

function version(text: string): number {
  return /^0x[\da-f]{1,4}$/i.test(text) ? Number(text) : wholeNumber(1, 0xffff)(text);
}

/** True when something is lost. */
async function convert(context: CommandContext, from: string, to: string, flags: ConvertFlags): Promise<boolean> {
  const kind = targetKindOf(to);
  if (resolve(from) === resolve(to)) throw new UsageError(`${to} is the file that is read`);
  const protocols = withChosen(context.protocols, flags);
  const maps = recordingMaps({ ...context, protocols }, flags);
  const job = { from, flags: { ...flags, chosen: maps }, protocols, kind };
  const sessions = await sessionsOf(job);
  const chosen = chosenSession(sessions, kind.sessions, flags.session, from);
  const losses = new Losses();
  for (const session of sessions) if (chosen !== undefined && session !== chosen) losses.add("other sessions", session);
  const written = await run({ ...job, chosen, losses, write: () => {} });
  const lost = losses.all.filter(({ what }) => !notes.includes(what));
  for (const { what, count, first } of losses.all) {
    const times = count === 1 ? "" : `${count} times, `;
    const note = notes.includes(what) ? "note" : "lost";
    const where = first === "" ? "" : ` (${times}first: ${first})`;
    await write(context.stderr, `${escapeControls(`${note}: ${what}${where}`)}\n`);
  }
  if (lost.length > 0 && flags.lossy !== true) {
    throw new UsageError(
      `${to} was not written, since ${lost.length} kinds of things would be lost: --lossy writes it`,
    );
  }
  // Under another name until it is whole.
  const part = `${to}.part`;
  const file = new OutputFile(part);
  try {
    await run({ ...job, chosen, losses: new Losses(), write: (bytes) => file.write(bytes) });
    file.close();
    await ofFile(to, () => renameSync(part, to));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  const changed =
    flags.pseudonyms === undefined ? "" : `, ${written.changed} of them with names, chat or looks replaced`;
  await write(context.stderr, `${written.count} messages${changed}\n`);
  return lost.length > 0;
}

interface Job {
  readonly from: string;
  readonly flags: ConvertFlags & { readonly chosen: ChosenMaps };
  readonly protocols: CommandContext["protocols"];
  readonly kind: ReturnType<typeof targetKindOf>;
}

/** The names of the sessions of a file. */
async function sessionsOf({ from, flags, protocols }: Job): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const event of readSource(from, { protocols, ...flags })) if ("header" in event) names.add(event.session);
  return [...names];
}

function chosenSession(
  sessions: readonly string[],
  holds: "one" | "many",
  name: string | undefined,
  from: string,
): string | undefined {
  const list = sessions.slice(0, 20).join(", ");
  if (sessions.length === 0) throw new FailedError(`${from} has no session`);
  if (name !== undefined) {
    const found = sessions.filter((session) => session === name || session.startsWith(`${name} (`));
    if (found[0] === undefined) throw new UsageError(`--session ${name}: ${from} has ${list}`);
    return found[0];
  }
  if (holds === "many" || sessions.length === 1) return undefined;
  throw new UsageError(`${from} has ${sessions.length} sessions, and the file holds one: --session names it: ${list}`);
}

interface Run extends Job, Pick<TargetOptions, "losses" | "write"> {
  readonly chosen: string | undefined;
}

/** Records between two waits for what is written. */
const FLUSH_EVERY = 2000;

/** How many messages were written, and in how many of them personal data was replaced. */
interface Written {
  readonly count: number;
  readonly changed: number;
}

/** Reads the file and writes it. */
async function run({ from, flags, protocols, kind, chosen, losses, write: output }: Run): Promise<Written> {
  const { build, formatVersion, pseudonyms: whose, chosen: maps } = flags;
  const privately = whose === undefined ? undefined : new PrivateSessions({ protocols, whose });
  const options = {
    protocols,
    build,
    chosen: maps,
    version: formatVersion,
    source: basename(from),
    losses,
    write: output,
  };
  const target: Target = kind.open(options);
  // Names of sessions have addresses or names of players in them.
  const names = new Map<string, string>();
  const nameOf = (session: string): string => {
    if (privately === undefined) return session;
    const name = names.get(session) ?? `session ${names.size + 1}`;
    names.set(session, name);
    return name;
  };
  let count = 0;
  for await (const event of readSource(from, { protocols, ...flags })) {
    if ("lost" in event) losses.add(event.lost, event.where);
    else if (chosen !== undefined && event.session !== chosen) continue;
    else if ("header" in event) {
      const header = refusedFile(from, () => privately?.header(event.session, event.header) ?? event.header);
      await ofFile(from, () => target.header(nameOf(event.session), header));
    } else {
      const record = refusedFile(from, () => privately?.record(event.session, event.record) ?? event.record);
      try {
        target.record(nameOf(event.session), record);
        count += 1;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        losses.add(error.message.replace(/ record \d+/, " a record"), event.where);
      }
      if (count % FLUSH_EVERY === 0) await ofFile(from, () => target.flush());
    }
  }
  await ofFile(from, () => target.end());
  return { count, changed: privately?.changed ?? 0 };
}
