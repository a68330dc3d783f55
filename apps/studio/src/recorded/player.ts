/** The worker's side: reads a recording and plays it to the page, as the feed of a server does. */
import {
  CaseError,
  mapsOfCase,
  openCase,
  openRecording,
  type Recording,
  readCase,
  recordedWorld,
  zstdDecompress,
} from "@wirewalk/recording";
import type { MomentRequest } from "@wirewalk/server/feed";
import { damageOf, PagePlayback } from "@wirewalk/server/playback";
import type { Clock } from "wirewalk/net";
import type { Protocol, WorldMaps } from "wirewalk/protocol";
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
      const isKnown = error instanceof WireError || error instanceof RangeError || error instanceof CaseError;
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
  const { recording, damage, maps: own, moment } = await recordingOf(file, name, options);
  const readings = Object.values(protocols).flatMap(({ capabilities }) => capabilities?.maps ?? []);
  const maps =
    dropped === undefined || read === undefined
      ? undefined
      : openMaps(blobFiles(dropped.name, dropped.files, read), readings);
  return withPlace(recording, () => {
    const playback = new PagePlayback({
      recording,
      damage,
      protocols,
      // Those of another game are of no use to it.
      maps: own ?? (maps?.game === openedGame(recording) ? maps : undefined),
      file: name,
      clock,
      send: together((messages) => port.postMessage({ type: "feed", messages })),
      // After what was sent before.
      refused: (reason) => {
        queueMicrotask(() => port.postMessage({ type: "failed", text: `The playback has ended: ${reason}` }));
      },
    });
    if (moment !== undefined) playback.request(JSON.stringify(moment));
    return playback;
  });
}

/** What is played. */
interface Playable {
  readonly recording: Recording;
  /** What could not be read, or was changed. */
  readonly damage?: string | undefined;
  /** Those that the file has itself. */
  readonly maps?: WorldMaps | undefined;
  /** What is played of it first. */
  readonly moment?: MomentRequest;
}

async function recordingOf(file: Blob, name: string, { port, protocols }: PlayerOptions): Promise<Playable> {
  // A copy of a file keeps its name; a copy of other bytes has none.
  const dropped = await openDropped(file);
  if (dropped.kind === "capture") throw new RangeError(`Cannot play ${name}: it is a capture, which has no world`);
  if (dropped.kind === "recording") {
    return { recording: openRecording(dropped.bytes, { decompress: { zstd: zstdDecompress } }) };
  }
  if (dropped.kind === "case") return playCase(dropped.html, protocols);
  return playSession(file, {
    format: dropped.format,
    protocols,
    onProgress: (share) => port.postMessage({ type: "progress", share }),
  });
}

/** A verdict as a file: its seconds, its places, and the moment of the verdict. Throws `CaseError`. */
async function playCase(html: string, protocols: PlayerOptions["protocols"]): Promise<Playable> {
  const read = await readCase(html);
  const { facts, damage } = read;
  const { verdict, player } = facts;
  const [atMs = ""] = verdict.id.split("-");
  return {
    recording: openCase(read, { zstd: zstdDecompress }),
    damage: damage.length === 0 ? undefined : `This file was changed after it was made: ${damage.join("; ")}.`,
    maps: mapsOfCase(read.maps, protocols[facts.game]?.capabilities?.maps),
    moment: { type: "moment", player: player.number, atMs: Number(atMs), rule: verdict.rule },
  };
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
