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
import { chooseSettings, type SettingFlags, type Settings } from "../input/settings.ts";
import { write } from "../output/output.ts";

interface CheckFlags extends SettingFlags, MapsFlags {
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
    .option("--json", "one JSON object for each recording")
    .summary("recordings in which the rules must, or must not, find something")
    .description(
      "Replays every recording of a folder and its folders that has expectations beside it, with the rules and limits of today, and " +
        "says which expectations hold. docs/recordings.md describes the files.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk check corpus
  $ wirewalk check corpus/slime-online-2 --set slime-online-2.advantageSeconds=0.5

Exit code 1 when an expectation does not hold or a recording cannot be replayed, 2 for wrong usage.`,
    )
    .action(async (folder: string, flags: CheckFlags) => {
      const settings = chooseSettings(context.protocols, flags);
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
