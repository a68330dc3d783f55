/** The session of a bot as a file of another tool, for tests. */
import { type SessionFormat, sessionFormats } from "wirewalk/capture";
import type { PlayableProtocol, Protocol } from "wirewalk/protocol";
import { joinBytes } from "wirewalk/wire";
import { recordedWorld } from "../reading/session-records.ts";
import { recordedHeader, recordedSessions } from "../sessions/recorded-sessions.ts";
import { recordPlay } from "./record-play.ts";

export interface SessionToWrite {
  readonly protocol: PlayableProtocol;
  /** By the name of its format: `rsprox`, `mapleshark`. */
  readonly format: string;
  readonly dialect: string;
  readonly protocols: Readonly<Record<string, Protocol>>;
  readonly bots: number;
  readonly durationMs: number;
}

/** Records the play of bots, and writes what the first of them sent and was sent. What the format cannot hold is left out. */
export async function sessionFile(play: SessionToWrite): Promise<Uint8Array<ArrayBuffer>> {
  const { protocol, dialect, protocols, bots, durationMs } = play;
  const { sink } = await recordPlay({ protocol, dialect, bots, durationMs });
  const recording = sink.recording();
  const format = sessionFormats.find(({ name }) => name === play.format) as SessionFormat;
  const writer = format.openWriter?.({ protocols });
  if (writer === undefined) throw new RangeError(`Cannot write a ${format.title}`);
  let startMs: number | undefined;
  const pieces: Uint8Array[] = [];
  for (const { session, record } of recordedSessions(recording, { protocols })) {
    if (session !== 1) continue;
    if (startMs === undefined) {
      startMs = record.timeMs;
      pieces.push(writer.header({ ...recordedHeader(recordedWorld(recording), protocol), startMs }));
    }
    try {
      pieces.push(writer.record(record));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return joinBytes(pieces);
}
