/**
 * **Dismissed recordings**: the seconds around a verdict that an operator has called false, in a folder that `wirewalk check` reads. Each is a
 * recording with its expectations beside it: the rule must not find that player in it.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Expectations, expectationsFile } from "@wirewalk/recording";
import { makeFolder } from "../store/make-folder.ts";
import type { Recordings } from "../worlds/recordings.ts";
import type { DismissedPlay } from "./verdict-actions.ts";

const BEFORE_MS = 15_000;
const AFTER_MS = 3_000;
const FILE_MODE = 0o600;

const TOO_OLD = "its seconds are in memory no more; wirewalk verdict dismiss takes them out of a file of --record";

/** The expectations of a dismissed recording: the rule, and nobody but that player. */
export function dismissedExpectations({
  rule,
  name,
  reason,
}: Pick<DismissedPlay, "rule" | "name" | "reason">): Expectations {
  return { play: `dismissed: ${reason}`, expectations: [{ expect: "must-not-flag", rule, player: name }] };
}

/** `slime-online-2-13250-1a2b3c4d.mcap` in the folder, with its expectations. The path of the recording. Rejects with what the folder says. */
export async function writeDismissed(
  folder: string,
  play: Pick<DismissedPlay, "world" | "id" | "rule" | "name" | "reason">,
  recording: Uint8Array,
): Promise<string> {
  makeFolder(folder);
  const file = join(folder, `${play.world}-${play.id}.mcap`);
  await writeFile(file, recording, { mode: FILE_MODE });
  const text = `${JSON.stringify(dismissedExpectations(play), undefined, 2)}\n`;
  await writeFile(expectationsFile(file), text, { mode: FILE_MODE });
  return file;
}

export interface DismissedOptions {
  /** Undefined: there is no place for them. */
  readonly folder: string | undefined;
  /** Undefined where the worlds are not recorded here. */
  readonly recordings: Pick<Recordings, "slice"> | undefined;
}

/** Keeps the seconds around a dismissed verdict. What became of them, as a sentence; never rejects. */
export async function keepDismissed({ folder, recordings }: DismissedOptions, play: DismissedPlay): Promise<string> {
  if (folder === undefined) return "no recording: the server has no folder for them (--data or --dismissed)";
  const { world, id, player, rule, reason, atMs } = play;
  const about = { rule, player: String(player), reason, dismissed: "true" };
  try {
    const seconds = { player, fromMs: atMs - BEFORE_MS, toMs: atMs + AFTER_MS };
    // The last seconds alone are in memory. A slice that begins after the verdict says nothing about it.
    const bytes = await recordings?.slice(world, { ...seconds, about, verdict: id });
    if (bytes === undefined) return "no recording: the world is not recorded here";
    return `recording ${await writeDismissed(folder, play, bytes)}`;
  } catch (error) {
    if (error instanceof RangeError) return `no recording: ${TOO_OLD}`;
    return `no recording: ${error instanceof Error ? error.message : String(error)}`;
  }
}
