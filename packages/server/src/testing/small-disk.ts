/** A small disk of a test's own, to be filled: a tmpfs. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PIECES = [65_536, 4_096, 1] as const;

export interface SmallDisk {
  readonly folder: string;
  /** No byte is left. */
  fill(): void;
  free(): void;
  /** Unmounts it. */
  remove(): void;
}

/** Undefined where this user may not mount one. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-small-disk-"));
  const filler = join(folder, "filler");
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  let isMounted = true;
  const remove = (): void => {
    if (!isMounted) return;
    isMounted = false;
    // Lazily: a server that was killed may hold files for a moment.
    execFileSync("umount", ["-l", folder], { stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  };
  // Vitest calls no `afterAll` of tests that a filter leaves out.
  process.once("exit", remove);
  return {
    folder,
    remove,
    fill() {
      const file = openSync(filler, "a");
      for (const bytes of PIECES) {
        const piece = new Uint8Array(bytes);
        try {
          while (writeSync(file, piece) === bytes);
        } catch {
          // It is full.
        }
      }
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
  };
}
