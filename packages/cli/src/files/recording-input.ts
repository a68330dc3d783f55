/** Recordings as commands read them: those of ours, and sessions of other tools, which are made into one. */
import type { Recording } from "@wirewalk/recording";
import { type Command, Option } from "commander";
import { PrivateSession, PrivateSessions, type SessionFormat, type SessionSink } from "wirewalk/capture";
import type { PseudonymScope } from "wirewalk/protocol";
import { escapeControls } from "wirewalk/wire";
import { type CommandContext, FailedError, isUsageError, UsageError } from "../context.ts";
import { addMapsFlag, ChosenMaps, type MapsFlags } from "../input/maps.ts";
import { wholeNumber } from "../input/numbers.ts";
import { type PseudonymFlags, pseudonymOption } from "../input/pseudonym-flag.ts";
import { write } from "../output/output.ts";
import { kindOfFile } from "./file-kind.ts";
import { fileReason } from "./file-reason.ts";
import { fileBytes } from "./input-bytes.ts";
import { refusedFile } from "./record-input.ts";

/** What a recording is, in the help of commands. */
export const RECORDING_ARGUMENT = "a recording (MCAP, of serve --record), or a session of RSProx or MapleShark";

/** What is known of a session beside its file. */
export interface SessionFlags extends PseudonymFlags, MapsFlags {
  readonly dialect?: string;
  readonly build?: number;
}

/** Adds the flags of sessions to a command that reads recordings. */
export function addSessionFlags(command: Command): Command {
  return addFileFlags(command).addOption(pseudonymOption());
}

/** Those of them that say what the file does not. */
export function addFileFlags(command: Command): Command {
  return addMapsFlag(command, "the maps of the recorded world, or by which a session is judged", "game=")
    .addOption(new Option("--dialect <name>", "of a session of another tool, in place of what the file says"))
    .addOption(
      new Option("--build <number>", "the same for the version of the game").argParser(wholeNumber(1, 0xffff_ffff)),
    );
}

/** Reads a recording, or makes one of a session of another tool. Throws {@link FailedError} for a file of another kind, and for one that cannot be read. */
export async function readRecording(
  context: CommandContext,
  file: string,
  flags: SessionFlags = {},
  maps = recordingMaps(context, flags),
): Promise<Recording> {
  const kind = await ofFile(file, () => kindOfFile(file));
  if (kind?.kind === "session") return readSession(context, file, kind.format, { ...flags, chosen: maps });
  if (flags.dialect !== undefined || flags.build !== undefined) {
    throw new UsageError(`--dialect and --build are for sessions of other tools: ${file} is none`);
  }
  const { readRecordingFile } = await import("@wirewalk/recording/node");
  const recording = await ofFile(file, () => readRecordingFile(file));
  return flags.pseudonyms === undefined
    ? recording
    : privateRecording(context, file, recording, flags.pseudonyms, maps);
}

/** The maps that `--maps` gives to a command that reads recordings. Throws {@link UsageError}. */
export function recordingMaps(context: CommandContext, flags: MapsFlags): ChosenMaps {
  return new ChosenMaps(context, flags, Object.values(context.protocols));
}

/** Messages that were refused and are named one by one. */
const MAX_NAMED = 10;

/** The session, judged as a relay's shadow world does. What cannot be read is named on the standard error. */
async function readSession(
  context: CommandContext,
  file: string,
  format: SessionFormat,
  { dialect, build, pseudonyms: whose, chosen }: SessionFlags & { readonly chosen: ChosenMaps },
): Promise<Recording> {
  const { protocols } = context;
  return recorded(context, file, { dialect, maps: chosen }, async ({ session, problems }) => {
    const sink = whose === undefined ? session : new PrivateSession({ protocols, dialect, whose }, session);
    const reader = format.open({ protocols, build, sink });
    const bytes = fileBytes(file);
    for await (const chunk of bytes.chunks((why) => problems.push(why))) {
      refusedFile(file, () => reader.push(chunk));
      await session.settled();
    }
    refusedFile(file, () => reader.end());
  });
}

/**
 * The recording of one session without personal data: recorded again from its messages. Throws {@link UsageError} for one of a server's
 * world, whose saved states have the names of its players.
 */
async function privateRecording(
  context: CommandContext,
  file: string,
  recording: Recording,
  whose: PseudonymScope,
  chosen: ChosenMaps,
): Promise<Recording> {
  const { recordedHeader, recordedSessions, recordedWorld } = await import("@wirewalk/recording");
  const { protocols } = context;
  const world = await ofFile(file, () => recordedWorld(recording));
  const game = protocols[world.protocol];
  if (world.session === undefined || game === undefined) {
    throw new UsageError(
      `--pseudonyms: ${file} is the recording of a world, whose states have names in them: wirewalk convert --session makes a file of one session`,
    );
  }
  const header = recordedHeader(world, game);
  const maps = await chosen.ofRecording(file, recording);
  return recorded(context, file, { dialect: undefined, maps: chosen }, async ({ session }) => {
    const sessions = new PrivateSessions({ protocols, whose });
    refusedFile(file, () => session.header(sessions.header("", header)));
    let number = 0;
    for (const { record } of recordedSessions(recording, { protocols, maps })) {
      number += 1;
      const known = refusedFile(file, () => sessions.record("", record));
      session.record({ ...known, number, byteOffset: 0 });
      if (number % SETTLE_EVERY === 0) await session.settled();
    }
  });
}

/** Messages between two waits for what is written. */
const SETTLE_EVERY = 2000;

interface Recorded {
  readonly session: SessionSink & { settled(): Promise<void> };
  readonly problems: string[];
}

/** A recording in memory of what `fill` gives it. */
async function recorded(
  { protocols, stderr }: CommandContext,
  file: string,
  { dialect, maps }: { readonly dialect: string | undefined; readonly maps: ChosenMaps },
  fill: (recorded: Recorded) => Promise<void>,
): Promise<Recording> {
  const { MemoryOutput, openRecording, SessionRecording } = await import("@wirewalk/recording");
  const { nodeDecompress, nodeMeans } = await import("@wirewalk/recording/node");
  const output = new MemoryOutput(file);
  const problems: string[] = [];
  const session = new SessionRecording({
    protocols,
    dialect,
    mapsOf: (protocol) => maps.of(protocol),
    sink: { open: async () => output },
    means: nodeMeans,
    onProblem: ({ message }, record) => {
      if (problems.length < MAX_NAMED)
        problems.push(record === undefined ? message : `record ${record.number}: ${message}`);
    },
  });
  await fill({ session, problems });
  const { refused } = await session.close();
  if (refused > MAX_NAMED) problems.push(`${refused} messages were refused`);
  for (const problem of problems) await write(stderr, `${escapeControls(`wirewalk: ${file}: ${problem}`)}\n`);
  return ofFile(file, () => openRecording(output.bytes, { decompress: nodeDecompress }));
}

/** What goes wrong with a file is one sentence that names it. */
export async function ofFile<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FailedError || isUsageError(error)) throw error;
    if (error instanceof Error)
      throw new FailedError(`${file}: ${"syscall" in error ? fileReason(error) : error.message}`);
    throw error;
  }
}
