/**
 * People's recordings from a folder that the user names: the Balabit Mouse Dynamics Challenge (`training_files/user7/session_…`)
 * and SapiMouse (`user1/session_…_3min.csv`), as they are published. Nothing of them is kept in the project.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  parsePointerCsv,
  type TimedPoint,
} from "../../packages/wirewalk/src/protocols/osrs/mouse/bots/recorded-pointer.ts";

/** One recording of one person. */
export interface Recording {
  /** `balabit` or `sapimouse`. */
  readonly set: string;
  /** Unique over the sets: `balabit/user7`. */
  readonly person: string;
  readonly file: string;
  readonly read: () => readonly TimedPoint[];
}

/** Finds the recordings in a folder and all below it. Test files of the challenge are left out: they are not of who they say. */
export function findRecordings(folder: string): readonly Recording[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.toSorted().flatMap((file): Recording[] => {
    const person = basename(dirname(file));
    if (!/^user\d+$/.test(person) || !/^session_/.test(basename(file)) || file.includes("test_files")) return [];
    const set = file.endsWith(".csv") ? "sapimouse" : "balabit";
    const path = join(folder, file);
    return [{ set, person: `${set}/${person}`, file, read: () => parsePointerCsv(readFileSync(path, "utf8")) }];
  });
}
