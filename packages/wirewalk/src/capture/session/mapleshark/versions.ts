/** Versions of the files: what each may be, most likely first (sheet 2.2, 2.3). */
import { WireError } from "../../../wire/index.ts";
import { type RecordForm, recordForms } from "./record-forms.ts";

/** Each with files of its own: MapleShark 2 is for MapleStory 2, another game. */
export type Program = "MapleShark" | "MapleShark2";

export type HeadKind = "oldest" | "ports" | "endpoints-locale-16" | "endpoints" | "patch" | "build-32";

/** One way to read a file. */
export interface Layout {
  readonly program: Program;
  readonly head: HeadKind;
  readonly records: RecordForm;
}

/** Stands for files before 2.0.1.2, which begin with the game's build, below {@link FIRST_VERSION}. */
export const OLDEST_VERSION = 0;
export const FIRST_VERSION = 0x2000;

const { bit15, size16, size16Ivs, size32, size32Ivs } = recordForms;

function shark(head: HeadKind, records: RecordForm): Layout {
  return { program: "MapleShark", head, records };
}

/** The last one of a list with several has records of servers, which write no IVs and 16 bits of size in every version (sheet 2.7). */
const withIvs16 = [shark("patch", size16Ivs), shark("patch", size16)];
const withPatch = [shark("patch", size16)];

const layouts: ReadonlyMap<number, readonly Layout[]> = new Map([
  [OLDEST_VERSION, [shark("oldest", bit15)]],
  [0x2012, [shark("ports", bit15)]],
  [0x2014, [shark("endpoints-locale-16", bit15)]],
  [0x2015, [shark("endpoints", bit15)]],
  [0x2020, [shark("endpoints", size16)]],
  [0x2021, withPatch],
  [0x2022, withPatch],
  [0x2023, withPatch],
  [0x2024, withPatch],
  [0x2025, withIvs16],
  [0x2026, withIvs16],
  // QUIRK: MapleShark 2 writes another head under the number of MapleShark's last version.
  [
    0x2027,
    [
      shark("patch", size32Ivs),
      { program: "MapleShark2", head: "build-32", records: size32Ivs },
      shark("patch", size16),
    ],
  ],
  [0x2030, [{ program: "MapleShark2", head: "build-32", records: size32 }]],
]);

/** The versions that are read and written, {@link OLDEST_VERSION} first. */
export const mapleSharkVersions: readonly number[] = [...layouts.keys()];

/** How a file of a version may be laid out; undefined for a version that is not read. */
export function layoutsOf(version: number): readonly Layout[] | undefined {
  return layouts.get(version);
}

/** `2.0.2.7`: the version of the program, a hex digit each. */
export function versionName(version: number): string {
  return [12, 8, 4, 0].map((shift) => (version >> shift) & 15).join(".");
}

/** The first two bytes of a file: its version. Throws `WireError` for one that is not read. */
export function checkedVersion(first: number): number {
  const version = first < FIRST_VERSION ? OLDEST_VERSION : first;
  if (layouts.has(version)) return version;
  const named = `0x${first.toString(16)} (${versionName(first)})`;
  const known = "before 2.0.1.2, 2.0.1.2, 2.0.1.4, 2.0.1.5, 2.0.2.0 to 2.0.2.7 and 2.0.3.0 are read";
  throw new WireError(
    "unknown-variant",
    `Cannot read header.version: ${named} is no known version; ${known} at byte 0`,
    0,
  );
}
