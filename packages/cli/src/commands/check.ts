/** `wirewalk check FOLDER`: recordings in which the rules must, or must not, find something. */
import { readFileSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ExpectationResult, Expectations } from "@wirewalk/recording";
import type { Command } from "commander";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, ExitCode, FailedError, type Finish, UsageError } from "../context.ts";
import { ofFile, readRecording, recordingMaps } from "../files/recording-input.ts";
import { collect } from "../input/collect.ts";
import { addMapsFlag, type ChosenMaps, type MapsFlags } from "../input/maps.ts";
import { chooseSettings, readRules, type SettingFlags, type Settings } from "../input/settings.ts";
import { hearingTable } from "../output/hearing-text.ts";
import { write } from "../output/output.ts";

interface CheckFlags extends SettingFlags, MapsFlags {
  readonly byRule?: true;
  readonly against?: string;
  readonly json?: true;
}

/** A recording with its results, or why it could not be checked. */
interface CheckedFile {
  readonly file: string;
  readonly play: string | undefined;
  readonly results: readonly ExpectationResult[];
  readonly error: string | undefined;
}

export function addCheck(program: Command, context: CommandContext, _args: readonly string[], finish: Finish): void {
  addMapsFlag(program.command("check"), "the maps of the recorded worlds of a game", "game=")
    .argument("<folder>", "recordings, each with its expectations beside it: play.mcap and play.expect.json")
    .option("--set <protocol.name=number>", "with another limit of a rule (see wirewalk rules; repeatable)", collect)
    .option("--rules <file>", "with the limits of a JSON file")
    .option("--by-rule", "also how often each rule found something in honest players, and how soon in cheats")
    .option("--against <file>", "with --by-rule: the same with the limits of this JSON file, beside it")
    .option("--json", "one JSON object for each recording, and with --by-rule one for each game")
    .summary("recordings in which the rules must, or must not, find something")
    .description(
      "Replays every recording of a folder and its folders that has expectations beside it, with the rules and limits of today, and " +
        "says which expectations hold. With --by-rule it says of each rule what it found in an hour of honest play, with a 95 % interval, and how soon it found cheats. docs/recordings.md describes the files.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk check corpus
  $ wirewalk check corpus/slime-online-2 --set slime-online-2.advantageSeconds=0.5
  $ wirewalk check corpus --by-rule --against limits.json

Exit code 1 when an expectation does not hold or a recording cannot be replayed, 2 for wrong usage.`,
    )
    .action(async (folder: string, flags: CheckFlags) => {
      const settings = chooseSettings(context.protocols, flags);
      if (flags.against !== undefined && flags.byRule !== true) throw new UsageError("--against needs --by-rule");
      const against = flags.against === undefined ? undefined : readRules(context.protocols, flags.against);
      const maps = recordingMaps(context, flags);
      const able = Object.values(context.protocols).filter(({ capabilities }) => capabilities?.maps !== undefined);
      if (maps.hasOpenPath && able.length > 1) {
        const [path] = flags.maps ?? [];
        throw new UsageError(`--maps ${path} needs a game, as --maps ${able[0]?.name}=${path}`);
      }
      const files = await recordingsIn(folder);
      if (files.length === 0) throw new FailedError(`${folder}: no recording has expectations beside it`);
      const checked: CheckedFile[] = [];
      for (const file of files) {
        const result = await check(context, file, settings, maps);
        checked.push(result);
        if (flags.json === true) await write(context.stdout, `${JSON.stringify(result)}\n`);
      }
      if (flags.json !== true) await write(context.stdout, textOf(checked));
      if (flags.byRule === true) await hear(context, files, { settings, against, maps, isJson: flags.json === true });
      if (checked.some(isBroken)) finish(ExitCode.failed);
    });
}

/** Recordings with expectations, in the order of their names. */
async function recordingsIn(folder: string): Promise<readonly string[]> {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`${folder} is a file: check takes the folder of recordings and their expectations`);
  }
  const { expectationsFile } = await import("@wirewalk/recording");
  const names = await ofFile(folder, () => readdir(folder, { recursive: true }));
  const all = new Set(names);
  return names
    .filter((name) => !name.endsWith(".expect.json") && all.has(expectationsFile(name)))
    .sort()
    .map((name) => join(folder, name));
}

async function check(
  context: CommandContext,
  file: string,
  settings: Settings,
  chosen: ChosenMaps,
): Promise<CheckedFile> {
  const { checkExpectations, checkRecording, expectationsFile, recordedWorld } = await import("@wirewalk/recording");
  let play: string | undefined;
  try {
    const path = expectationsFile(file);
    const expectations: Expectations = await ofFile(path, () =>
      checkExpectations(JSON.parse(readFileSync(path, "utf8"))),
    );
    play = expectations.play;
    const recording = await readRecording(context, file, {}, chosen);
    const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
    const results = await ofFile(file, () => {
      const own = settings.get(recordedWorld(recording).protocol);
      const { protocols } = context;
      return checkRecording(recording, expectations, {
        protocols,
        maps,
        ...(own === undefined ? {} : { settings: own }),
      });
    });
    return { file, play, results, error: undefined };
  } catch (error) {
    if (!(error instanceof FailedError)) throw error;
    return { file, play, results: [], error: error.message };
  }
}

interface Hearing {
  readonly settings: Settings;
  readonly against: Settings | undefined;
  readonly maps: ChosenMaps;
  readonly isJson: boolean;
}

/** What the recordings say of each rule, by game; those that cannot be read were named before. */
async function hear(context: CommandContext, files: readonly string[], { settings, against, maps, isJson }: Hearing) {
  const { sumUpHearing } = await import("@wirewalk/recording");
  const [heard, others] = [
    await hearAll(context, files, settings, maps),
    against === undefined ? undefined : await hearAll(context, files, against, maps),
  ];
  const games = [...new Set(heard.map(({ protocol }) => protocol))].sort();
  for (const game of games) {
    const rules = context.protocols[game]?.capabilities?.rules ?? [];
    const of = (all: typeof heard) =>
      sumUpHearing(
        all.filter(({ protocol }) => protocol === game),
        rules,
      );
    const [hearing, other] = [of(heard), others === undefined ? undefined : of(others)];
    const text = isJson
      ? `${JSON.stringify({ game, rules: hearing, ...(other === undefined ? {} : { against: other }) })}\n`
      : hearingTable(game, hearing, other)
          .map((line) => `${escapeControls(line)}\n`)
          .join("");
    await write(context.stdout, text);
  }
}

async function hearAll(context: CommandContext, files: readonly string[], settings: Settings, chosen: ChosenMaps) {
  const { checkExpectations, expectationsFile, hearRecording, recordedWorld } = await import("@wirewalk/recording");
  const heard: ReturnType<typeof hearRecording>[] = [];
  for (const file of files) {
    try {
      const path = expectationsFile(file);
      const expectations = await ofFile(path, () => checkExpectations(JSON.parse(readFileSync(path, "utf8"))));
      const recording = await readRecording(context, file, {}, chosen);
      const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
      const own = settings.get(recordedWorld(recording).protocol);
      const options = { protocols: context.protocols, maps, ...(own === undefined ? {} : { settings: own }) };
      heard.push(await ofFile(file, () => hearRecording(recording, expectations, options)));
    } catch (error) {
      if (!(error instanceof FailedError)) throw error;
    }
  }
  return heard;
}

function isBroken({ results, error }: CheckedFile): boolean {
  return error !== undefined || results.some(({ holds }) => !holds);
}

function textOf(checked: readonly CheckedFile[]): string {
  const lines = checked.flatMap(({ file, results, error }) =>
    error === undefined ? results.map((result) => lineOf(file, result)) : [`broken  ${error}`],
  );
  const broken = checked.filter(isBroken).length;
  lines.push("", `${checked.length} recordings, ${broken === 0 ? "all expectations hold" : `${broken} broken`}.`);
  return `${lines.map((line) => escapeControls(line)).join("\n")}\n`;
}

function lineOf(file: string, result: ExpectationResult): string {
  const { expect, rule, player, fromSeconds, toSeconds, holds, found, firstSeconds, firstRule } = result;
  const about = `${expect}${rule === undefined ? "" : `:${rule}`}${player === undefined ? "" : ` of ${player}`}`;
  const isPart = fromSeconds !== undefined || toSeconds !== undefined;
  const window = isPart ? `, ${fromSeconds ?? 0} to ${toSeconds ?? "the end"} s` : "";
  const first = firstSeconds === undefined ? "" : `, first ${firstRule} at ${firstSeconds.toFixed(3)} s`;
  return `${holds ? "holds " : "broken"}  ${file}: ${about}${window}: ${found} found${first}`;
}
