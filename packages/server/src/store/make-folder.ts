import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Only the server's own user may look into it. */
const FOLDER_MODE = 0o700;

/**
 * Makes a folder and those around it, where they are missing. Unlike `mkdirSync` with `recursive`, which never returns for a folder that
 * takes no files, such as `/proc`.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder);
  try {
    mkdirSync(path, FOLDER_MODE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, FOLDER_MODE);
  }
}
