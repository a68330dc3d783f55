/** `wirewalk bans export` and `wirewalk bans scores`: what an appeal needs, and what adds up about an account. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ban, Bans, LedgerAccount } from "@wirewalk/server";
import { escapeControls, type JsonObject } from "wirewalk/wire";
import { type CommandContext, FailedError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { ofFile } from "../files/recording-input.ts";
import type { ChosenMaps } from "../input/maps.ts";
import { write } from "../output/output.ts";
import { explanationText } from "../output/verdict-text.ts";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Verdicts that the statement explains: the last ones. */
const EXPLAINED = 3;

/** Writes a ban's statement, and its recording where one is kept. Names of the files. Throws {@link FailedError} for other maps than the recorded ones. */
export async function exportBan(
  context: CommandContext,
  kept: Bans,
  ban: Ban,
  { folder, statement, maps }: { readonly folder: string; readonly statement: string; readonly maps: ChosenMaps },
): Promise<readonly string[]> {
  const name = `${ban.protocol}-${ban.key}`.replaceAll(/[^A-Za-z0-9.-]+/g, "-");
  const recording = kept.recording(ban.protocol, ban.key);
  const text = [
    statement,
    ...(await recordingLines(context, kept, ban, { bytes: recording, file: `${name}.mcap`, maps })),
  ].join("\n");
  const files = [join(folder, `${name}.txt`)];
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    await writeFile(files[0] as string, text, { mode: FILE_MODE });
    if (recording !== undefined) {
      files.push(join(folder, `${name}.mcap`));
      await writeFile(files[1] as string, recording, { mode: FILE_MODE });
    }
  } catch (error) {
    throw new FailedError(`Cannot write into ${folder}: ${fileReason(error)}`);
  }
  return files;
}

async function recordingLines(
  context: CommandContext,
  kept: Bans,
  ban: Ban,
  {
    bytes,
    file,
    maps: chosen,
  }: { readonly bytes?: Uint8Array | undefined; readonly file: string; readonly maps: ChosenMaps },
): Promise<readonly string[]> {
  if (bytes === undefined) return ["", "No recording is kept with this ban.", ""];
  const { checkRecordedMaps, explainVerdict, openRecording, recordedMaps, storyOf } = await import(
    "@wirewalk/recording"
  );
  const { nodeDecompress } = await import("@wirewalk/recording/node");
  const recording = openRecording(bytes, { decompress: nodeDecompress });
  const recorded = recordedMaps(recording);
  const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
  if (maps !== undefined) await ofFile(file, () => checkRecordedMaps(recording, maps));
  else if (recorded !== undefined) {
    const why = `it was recorded with the maps of ${recorded.name}, and is not judged again without them: give --maps`;
    await write(context.stderr, `${escapeControls(`wirewalk: ${file}: ${why}`)}\n`);
  }
  const flag = recorded === undefined ? "" : " --maps PATH";
  const lines = [
    "",
    `The recording is ${file}, ${bytes.length} bytes. It holds the seconds around the last verdict and replays:`,
    `  wirewalk replay ${file} --verify${flag}`,
    `  wirewalk verdicts ${file}`,
    ...(recorded === undefined ? [] : [`PATH is a set with the same maps as ${escapeControls(recorded.name)}.`]),
    "",
  ];
  for (const id of (await evidenceIds(kept.evidence(ban.protocol, ban.key))).slice(-EXPLAINED)) {
    try {
      const explanation = explainVerdict(recording, id, { protocols: context.protocols, maps });
      const game = context.protocols[explanation.world?.protocol ?? ""];
      lines.push(explanationText(explanation, game === undefined ? [] : storyOf(explanation, { game, maps })));
    } catch (error) {
      // An older verdict than the recording has.
      if (!(error instanceof RangeError)) throw error;
      lines.push(`Verdict ${id} is older than the recording.`, "");
    }
  }
  return lines;
}

/** The ids that kept verdicts have in recordings. */
export async function evidenceIds(evidence: readonly JsonObject[]): Promise<readonly string[]> {
  const { verdictId } = await import("@wirewalk/recording");
  return evidence.map((verdict) => {
    const { player, kind, rule, atMs, measured, allowed, message } = verdict;
    const bytes = new Uint8Array(Buffer.from(String(message), "hex"));
    const numbers = {
      ...(typeof measured === "number" ? { measured } : {}),
      ...(typeof allowed === "number" ? { allowed } : {}),
    };
    return verdictId({ player, kind, rule, atMs, ...numbers, message: bytes } as Parameters<typeof verdictId>[0]);
  });
}

/** Scores of accounts, as the last writing of a server has them, faded to now. */
export async function writeScores(
  context: CommandContext,
  accounts: readonly LedgerAccount[],
  json: boolean,
): Promise<void> {
  if (accounts.length === 0 && !json) await write(context.stdout, "No account has a score.\n");
  for (const account of accounts) {
    const { protocol, key, scores } = account;
    const text = json
      ? JSON.stringify({
          protocol,
          key,
          scores: scores.map(({ rule, score, verdicts }) => ({ rule, score, verdicts })),
        })
      : escapeControls(`${protocol}  ${key}  ${scores.map(scoreText).join(", ")}`);
    await write(context.stdout, `${text}\n`);
  }
}

function scoreText({ rule, score, verdicts }: LedgerAccount["scores"][number]): string {
  return `${rule === "*" ? "all rules" : rule} ${score.toFixed(1)} (${verdicts})`;
}
