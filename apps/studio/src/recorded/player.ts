/** The worker's side: reads a recording and plays it to the page, as the feed of a server does. */
import { openRecording, type Recording, recordedWorld, zstdDecompress } from "@wirewalk/recording";
import { damageOf, PagePlayback } from "@wirewalk/server/playback";
import type { Clock } from "wirewalk/net";
import type { Protocol } from "wirewalk/protocol";
import { WireError } from "wirewalk/wire";
import { openDropped } from "../files/open-dropped.ts";
import { playSession } from "../files/play-session.ts";
import type { Port } from "../inspect/source/worker-messages.ts";
import { blobFiles } from "../maps/blob-files.ts";
import { openMaps } from "../maps/serve-maps.ts";
import type { FromPlayer, ToPlayer } from "./messages.ts";

export interface PlayerOptions {
  readonly port: Port<FromPlayer, ToPlayer>;
  readonly protocols: Readonly<Record<string, Protocol>>;
  readonly clock: Clock;
  /** Reads a blob at once, for maps. Default: none are read. */
  readonly read?: (blob: Blob) => Uint8Array;
}

/** Plays the file that the page opens; one for each worker. */
export function servePlayer(options: PlayerOptions): void {
  const { port } = options;
  let playback: PagePlayback | undefined;
  port.onmessage = async ({ data: message }) => {
    if (message.type === "request") {
      playback?.request(message.text);
      return;
    }
    try {
      playback = await open(message, options);
    } catch (error) {
      const isKnown = error instanceof WireError || error instanceof RangeError;
      port.postMessage({
        type: "failed",
        text: isKnown ? forPage(error.message) : `Cannot read the file: ${String(error)}`,
      });
    }
  };
}

async function open(
  { file, name, maps: dropped }: ToPlayer & { type: "open" },
  options: PlayerOptions,
): Promise<PagePlayback> {
  const { port, protocols, clock, read } = options;
  const { recording, damage } = await recordingOf(file, name, options);
  const readings = Object.values(protocols).flatMap(({ capabilities }) => capabilities?.maps ?? []);
  const maps =
    dropped === undefined || read === undefined
      ? undefined
      : openMaps(blobFiles(dropped.name, dropped.files, read), readings);
  return withPlace(recording, () => {
    return new PagePlayback({
      recording,
      damage,
      protocols,
      // Those of another game are of no use to it.
      maps: maps?.game === openedGame(recording) ? maps : undefined,
      file: name,
      clock,
      send: together((messages) => port.postMessage({ type: "feed", messages })),
      // After what was sent before.
      refused: (reason) => {
        queueMicrotask(() => port.postMessage({ type: "failed", text: `The playback has ended: ${reason}` }));
      },
    });
  });
}

/** Of a file of another tool, what could not be read too. */
async function recordingOf(
  file: Blob,
  name: string,
  { port, protocols }: PlayerOptions,
): Promise<{ readonly recording: Recording; readonly damage?: string | undefined }> {
  // A copy of a file keeps its name; a copy of other bytes has none.
  const dropped = await openDropped(file);
  if (dropped.kind === "capture") throw new RangeError(`Cannot play ${name}: it is a capture, which has no world`);
  if (dropped.kind === "recording") {
    return { recording: openRecording(dropped.bytes, { decompress: { zstd: zstdDecompress } }) };
  }
  return playSession(file, {
    format: dropped.format,
    protocols,
    onProgress: (share) => port.postMessage({ type: "progress", share }),
  });
}

function openedGame(recording: Recording): string | undefined {
  try {
    return recordedWorld(recording).protocol;
  } catch {
    // The playback says what is wrong with it.
    return undefined;
  }
}

/** A page has no commands: maps are dropped. */
function forPage(reason: string): string {
  return reason
    .replace("--maps PATH gives them", "Drop them on the page")
    .replace("--maps PATH gives the maps of the recording", "Drop the maps of the recording on the page");
}

/** Takes message after message, and gives on all of a turn at its end. */
function together(post: (messages: readonly (string | ArrayBuffer)[]) => void): (data: string | Uint8Array) => void {
  let waiting: (string | ArrayBuffer)[] = [];
  return (data) => {
    if (waiting.length === 0) {
      queueMicrotask(() => {
        const messages = waiting;
        waiting = [];
        post(messages);
      });
    }
    waiting.push(typeof data === "string" ? data : bufferOf(data));
  };
}

/** The bytes alone: a view of them may be of a larger buffer. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer;
}

/** A recording that cannot be played may be a damaged one: then the place belongs to the reason. */
function withPlace<T>(recording: Recording, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const damage = damageOf(recording);
    if (damage === null || !(error instanceof Error)) throw error;
    throw new RangeError(`${error.message}. ${damage}`);
  }
}
