/** `wirewalk tune FOLDER`: limits with which the rules find nothing in an owner's own honest recordings. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Heard, HonestRecording, Tuning } from "@wirewalk/recording";
import type { Command } from "commander";
import type { Protocol } from "wirewalk/protocol";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { ofFile, readRecording, recordingMaps } from "../files/recording-input.ts";
import { collect } from "../input/collect.ts";
import { addMapsFlag, type ChosenMaps, type MapsFlags } from "../input/maps.ts";
import { chooseSettings, type SettingFlags } from "../input/settings.ts";
import { hearingTable } from "../output/hearing-text.ts";
import { write } from "../output/output.ts";

interface TuneFlags extends SettingFlags, MapsFlags {
  readonly cheats?: string;
  readonly out?: string;
  readonly json?: true;
}

export function addTune(program: Command, context: CommandContext): void {
  addMapsFlag(program.command("tune"), "the maps of the recorded worlds of a game", "game=")
    .argument("<folder>", "recordings in which everybody is honest, all of one game")
    .option("--cheats <folder>", "recordings with expectations, such as corpus: what the proposal costs in detection")
    .option("--set <protocol.name=number>", "with another limit of today (see wirewalk rules; repeatable)", collect)
    .option("--rules <file>", "with the limits of today of a JSON file")
    .option("--out <file>", "write the proposed limits there, as --rules reads them")
    .option("--json", "one JSON object")
    .summary("proposes limits of rules from your own honest recordings, and what they cost")
    .description(
      "Replays recordings of players whom you know to be honest, and looks for the smallest changes of limits after which the rules find nothing in them. " +
        "With --cheats it says what that costs in detection. Nothing is applied: the server takes limits by serve --rules.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk serve --record ./honest
  $ wirewalk tune ./honest --cheats corpus/slime-online-2 --out limits.json
  $ wirewalk check corpus/slime-online-2 --by-rule --against limits.json`,
    )
    .action((folder: string, flags: TuneFlags) => tune(context, folder, flags));
}

async function tune(context: CommandContext, folder: string, flags: TuneFlags): Promise<void> {
  const { tuneLimits } = await import("@wirewalk/recording");
  const settings = chooseSettings(context.protocols, flags);
  const maps = recordingMaps(context, flags);
  const { game, honest } = await readHonest(context, folder, maps);
  const today = settings.get(game.name) ?? {};
  const tuning = await ofFile(folder, () => tuneLimits(game, honest, today));
  const limits = Object.fromEntries(tuning.proposals.map(({ name, proposed }) => [name, proposed]));
  const then = { ...today, ...limits };
  const before = await heardAll(context, { folder, honest, maps, game, cheats: flags.cheats, limits: today });
  const after =
    tuning.proposals.length === 0
      ? before
      : await heardAll(context, { folder, honest, maps, game, cheats: flags.cheats, limits: then });
  if (flags.out !== undefined) {
    const named = Object.fromEntries(Object.entries(then).map(([name, value]) => [`${game.name}.${name}`, value]));
    await writeFile(flags.out, `${JSON.stringify(named, undefined, 2)}\n`).catch((error: unknown) => {
      throw new FailedError(`Cannot write ${flags.out}: ${fileReason(error)}`);
    });
  }
  await write(
    context.stdout,
    await textOf({ game, tuning, before, after, honest: honest.length, isJson: flags.json === true }),
  );
}

/** Recordings of a folder and its folders, of one game. Those with a `must-flag` are of cheats, and refused. */
async function readHonest(context: CommandContext, folder: string, chosen: ChosenMaps) {
  const { checkExpectations, expectationsFile, recordedWorld } = await import("@wirewalk/recording");
  if (statSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${folder} is a file: tune takes a folder of recordings`);
  const names = await ofFile(folder, () => readdir(folder, { recursive: true }));
  const honest: HonestRecording[] = [];
  let game: Protocol | undefined;
  for (const name of names.filter((each) => each.endsWith(".mcap")).sort()) {
    const file = join(folder, name);
    const path = expectationsFile(file);
    if (existsSync(path)) {
      const { expectations } = await ofFile(path, () => checkExpectations(JSON.parse(readFileSync(path, "utf8"))));
      if (expectations.some(({ expect }) => expect === "must-flag")) {
        throw new UsageError(
          `${file} has a cheat in it, as ${path} says: tune takes honest recordings alone (--cheats takes others)`,
        );
      }
    }
    const recording = await readRecording(context, file, {}, chosen);
    const { protocol } = await ofFile(file, () => recordedWorld(recording));
    const own = context.protocols[protocol];
    if (own === undefined) throw new FailedError(`${file} is a recording of ${protocol}, which is not known here`);
    if (game !== undefined && game.name !== protocol) {
      throw new UsageError(
        `${folder} has recordings of ${game.name} and of ${protocol}: tune takes one game at a time`,
      );
    }
    game = own;
    const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
    honest.push({ recording, options: { protocols: context.protocols, maps } });
  }
  if (game === undefined) throw new FailedError(`${folder}: there is no recording`);
  return { game, honest };
}

interface Hearing {
  readonly folder: string;
  readonly honest: readonly HonestRecording[];
  readonly maps: ChosenMaps;
  readonly game: Protocol;
  readonly cheats: string | undefined;
  readonly limits: Readonly<Record<string, number>>;
}

/** What the honest recordings say with these limits, and those of cheats. */
async function heardAll(
  context: CommandContext,
  { folder, honest, maps: chosen, game, cheats, limits }: Hearing,
): Promise<readonly Heard[]> {
  const { checkExpectations, expectationsFile, hearHonest, hearRecording, recordedWorld } = await import(
    "@wirewalk/recording"
  );
  const heard: Heard[] = [...(await ofFile(folder, () => hearHonest(honest, limits)))];
  if (cheats === undefined) return heard;
  const names = await ofFile(cheats, () => readdir(cheats, { recursive: true }));
  for (const name of names.filter((each) => each.endsWith(".mcap")).sort()) {
    const file = join(cheats, name);
    const path = expectationsFile(file);
    if (!existsSync(path)) continue;
    const expectations = await ofFile(path, () => checkExpectations(JSON.parse(readFileSync(path, "utf8"))));
    const recording = await readRecording(context, file, {}, chosen);
    if ((await ofFile(file, () => recordedWorld(recording))).protocol !== game.name) continue;
    const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
    const options = { protocols: context.protocols, maps, settings: limits };
    const { protocol, cheats: found } = await ofFile(file, () => hearRecording(recording, expectations, options));
    // Honest are those of the owner alone.
    heard.push({ protocol, honest: [], cheats: found });
  }
  return heard;
}

interface Tuned {
  readonly game: Protocol;
  readonly tuning: Tuning;
  readonly before: readonly Heard[];
  readonly after: readonly Heard[];
  readonly honest: number;
  readonly isJson: boolean;
}

async function textOf({ game, tuning, before, after, honest, isJson }: Tuned): Promise<string> {
  const { sumUpHearing } = await import("@wirewalk/recording");
  const rules = game.capabilities?.rules ?? [];
  const [today, then] = [sumUpHearing(before, rules), sumUpHearing(after, rules)];
  const { proposals, open } = tuning;
  if (isJson) return `${JSON.stringify({ game: game.name, recordings: honest, proposals, open, today, then })}\n`;
  const lines = [`${honest} honest recordings of ${game.title}.`];
  if (proposals.length === 0)
    lines.push(
      open.length === 0
        ? "The rules find nothing in them: no limit needs to change."
        : "No limit silences what the rules find in them.",
    );
  for (const { name, unit, summary, today: now, proposed, rule, findings, findingsThen } of proposals) {
    lines.push(
      `  ${game.name}.${name}: ${now} -> ${proposed} ${unit}`.trimEnd(),
      `    ${summary}; for ${rule}: ${findings} findings -> ${findingsThen}`,
    );
  }
  for (const { rule, findings } of open)
    lines.push(`  ${rule}: ${findings} findings remain that no limit takes away. Look at them: wirewalk verdicts`);
  lines.push(
    "",
    ...hearingTable(`${game.name}, limits of today -> proposed`, today, proposals.length === 0 ? undefined : then),
    "",
    proposals.length > 1
      ? `A proposal of ${proposals.length} limits that belong together, with what all of them cost: nothing is changed.`
      : "A proposal: nothing is changed.",
  );
  return `${lines.map((line) => escapeControls(line)).join("\n")}\n`;
}
