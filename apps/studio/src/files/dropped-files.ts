/** Files that were dropped together: a folder, or several files. */

import type { NamedFile } from "./file-kind.ts";

/** A file with its path in what was dropped, with `/` between names. */
export interface DroppedFile {
  readonly path: string;
  readonly file: NamedFile;
}

/** What was dropped, as the person at the page named it. */
export interface DroppedFiles {
  readonly name: string;
  readonly files: readonly DroppedFile[];
}

/** A client has 30,000 files; whoever drops a whole disk does not wait for it. */
const MAX_FILES = 200_000;

/** All files below the entries of a drop. Rejects with `RangeError` where there are too many, and when one of them is gone. */
export async function filesBelow(entries: readonly FileSystemEntry[]): Promise<DroppedFiles> {
  const files: DroppedFile[] = [];
  const waiting = [...entries];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    if (entry.isDirectory) waiting.push(...(await childrenOf(entry as FileSystemDirectoryEntry)));
    else files.push({ path: entry.fullPath.replace(/^\//, ""), file: await fileOf(entry as FileSystemFileEntry) });
    if (files.length + waiting.length > MAX_FILES) {
      throw new RangeError(`Cannot read the folder: it has more than ${MAX_FILES} files`);
    }
  }
  return { name: nameOf(entries.map(({ name }) => name)), files };
}

/** The name of one, else how many there are. */
export function nameOf(names: readonly string[]): string {
  const [only = ""] = names;
  return names.length === 1 ? only : `${names.length} files`;
}

/** A browser gives a hundred at a time. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
