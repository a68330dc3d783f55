/**
 * People's recordings from a folder that the user names: the Balabit Mouse Dynamics Challenge (`training_files/user7/session_…`) and
 * SapiMouse (`user1/session_…_3min.csv`) as they are published, own CSV, and recordings of the game itself (sessions of RSProx, MCAP of a
 * server). Nothing of them is kept in the project.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { sessionRecords } from "@wirewalk/recording";
import { readRecordingFile } from "@wirewalk/recording/node";
import { type CaptureRecord, SessionRecords, sessionFormatOf } from "wirewalk/capture";
import { MouseTracker } from "wirewalk/osrs/mouse";
import { protocols } from "wirewalk/protocols";
import {
  parsePointerCsv,
  type TimedPoint,
} from "../../packages/wirewalk/src/protocols/osrs/mouse/bots/recorded-pointer.ts";
import { playPerson, type Visit } from "./capture-path.ts";

/** Before the body of a message. */
const OPCODE_BYTES = 1;

/** One recording of one person. */
export interface Recording {
  /** `balabit`, `sapimouse`, or `game` for recordings of the game itself. */
  readonly set: string;
  /** Unique over the sets: `balabit/user7`. */
  readonly person: string;
  readonly file: string;
  /** The pointer's events; undefined where the client's own packets are all that there is. */
  readonly points: (() => readonly TimedPoint[]) | undefined;
  /** Calls `visit` with each record that a server reads. */
  readonly play: (visit: Visit) => Promise<void>;
}

/** Finds the recordings in a folder and all below it. Test files of the challenge are left out: they are not of who they say. */
export function findRecordings(folder: string): readonly Recording[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.toSorted().flatMap((file): Recording[] => {
    const path = join(folder, file);
    if ([".bin", ".mcap"].includes(extname(file))) {
      return [{ set: "game", person: `game/${file}`, file, points: undefined, play: (visit) => playGame(path, visit) }];
    }
    const person = basename(dirname(file));
    if (!/^user\d+$/.test(person) || !/^session_/.test(basename(file)) || file.includes("test_files")) return [];
    const set = file.endsWith(".csv") ? "sapimouse" : "balabit";
    const points = (): readonly TimedPoint[] => parsePointerCsv(readFileSync(path, "utf8"));
    return [{ set, person: `${set}/${person}`, file, points, play: async (visit) => playPerson(points(), visit) }];
  });
}

/** Reads the mouse packets of a session of RSProx or of a recording of a server. In a recording of several players it is the first one's. */
async function playGame(path: string, visit: Visit): Promise<void> {
  let tracker: MouseTracker | undefined;
  let flow: string | undefined;
  const record = (each: CaptureRecord): void => {
    if (each.kind !== "message" || each.direction !== "client") return;
    const layout = { mouseMove: "client", nativeMouseMove: "native" }[each.message];
    if (layout === undefined) return;
    flow ??= each.flow;
    if (each.flow !== flow) return;
    tracker ??= new MouseTracker({ dialect: layout });
    const arrivedMs = each.time.seconds * 1000 + each.time.nanoseconds / 1e6;
    tracker.read(each.payload.subarray(OPCODE_BYTES), visit, arrivedMs);
  };
  const bytes = readFileSync(path);
  const format = sessionFormatOf(bytes);
  if (format === undefined) {
    for (const each of sessionRecords(await readRecordingFile(path), protocols)) record(each);
    return;
  }
  const fault = (error: Error): never => {
    throw error;
  };
  const reader = format.open({ protocols, sink: new SessionRecords({ protocols, record, fault }) });
  reader.push(bytes);
  reader.end();
}
