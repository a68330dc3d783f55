/**
 * What a path names, as {@link MapFiles}: a folder, one file, or a zip archive.
 *
 * Node's file system is asked for at run time, so that this module loads in a browser, too.
 */
import { type MapFile, MapFileError, type MapFiles } from "./map-files.ts";
import { isZip, zipFiles } from "./zip-files.ts";

/** As much of Node's file system as is used here. */
interface FileSystem {
  statSync(path: string): Stats;
  fstatSync(descriptor: number): Stats;
  realpathSync(path: string): string;
  readdirSync(path: string, options: { readonly withFileTypes: true }): readonly DirectoryEntry[];
  openSync(path: string, flags: "r"): number;
  closeSync(descriptor: number): void;
  readSync(descriptor: number, into: Uint8Array, offset: number, length: number, position: number): number;
}

interface Stats {
  readonly size: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

interface DirectoryEntry extends Omit<Stats, "size"> {
  readonly name: string;
  isSymbolicLink(): boolean;
}

interface Paths {
  readonly sep: string;
  join(...parts: readonly string[]): string;
  basename(path: string): string;
}

/** No dump of a client has so many files. */
const MAX_FILES = 1_000_000;
/** Folders in folders. */
const MAX_DEPTH = 32;
/** Files from here on stay open: archives, of which many small parts are read. */
const KEPT_OPEN_BYTES = 8 * 1024 * 1024;
/** Files that stay open, at most. */
const MAX_KEPT_OPEN = 64;

/**
 * The files at a path: a folder with all below it, one file, or the files of a zip archive. Throws {@link MapFileError} where there is no
 * such file, where it may not be read, and outside Node.
 *
 * A symbolic link in a folder is followed only to a file within the folder.
 */
export function openMapFiles(path: string): MapFiles {
  const { fs, paths } = nodeModules(path);
  const stats = attempt(path, () => fs.statSync(path));
  if (stats.isDirectory()) return folderFiles(fs, paths, path);
  if (!stats.isFile()) throw new MapFileError(`Cannot read ${path}: neither a file nor a folder`);
  const file = openFile(fs, path, path);
  if (isZip(file)) return zipFiles(file);
  const name = paths.basename(path);
  return { name: path, paths: () => [name], open: (wanted) => (wanted === name ? file : undefined) };
}

function folderFiles(fs: FileSystem, paths: Paths, folder: string): MapFiles {
  const root = attempt(folder, () => fs.realpathSync(folder));
  const inside = root.endsWith(paths.sep) ? root : root + paths.sep;
  /** The file itself; undefined where it is not in the folder or not there. */
  const realPath = (path: string): string | undefined => {
    try {
      const real = fs.realpathSync(paths.join(root, ...path.split("/")));
      return real.startsWith(inside) && fs.statSync(real).isFile() ? real : undefined;
    } catch {
      return undefined;
    }
  };
  let listed: readonly string[] | undefined;
  return {
    name: folder,
    paths() {
      listed ??= listFolder(fs, paths, root, folder, (path) => realPath(path) !== undefined);
      return listed;
    },
    open(path) {
      if (!isPlain(path)) return undefined;
      const real = realPath(path);
      return real === undefined ? undefined : openFile(fs, real, paths.join(folder, path));
    },
  };
}

/** Whether it is relative, and has no name that leads upwards. */
function isPlain(path: string): boolean {
  return !/[\\\0]/.test(path) && path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}

function listFolder(
  fs: FileSystem,
  { join }: Paths,
  root: string,
  name: string,
  isThere: (path: string) => boolean,
): readonly string[] {
  const found: string[] = [];
  const list = (path: string, depth: number): void => {
    const entries = attempt(join(name, path), () => fs.readdirSync(join(root, path), { withFileTypes: true }));
    for (const entry of entries) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && depth < MAX_DEPTH) list(below, depth + 1);
      else if (entry.isFile() || (entry.isSymbolicLink() && isThere(below))) found.push(below);
      if (found.length > MAX_FILES) throw new MapFileError(`Cannot read ${name}: over ${MAX_FILES} files`);
    }
  };
  list("", 1);
  return found.sort();
}

let keptOpen = 0;

function openFile(fs: FileSystem, path: string, name: string): MapFile {
  const { size } = attempt(name, () => fs.statSync(path));
  const isKept = size >= KEPT_OPEN_BYTES && keptOpen < MAX_KEPT_OPEN;
  if (isKept) keptOpen += 1;
  let kept: number | undefined;
  return {
    name,
    size,
    read: (offset, length) =>
      attempt(name, () => {
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
        const descriptor = kept ?? fs.openSync(path, "r");
        if (isKept) kept = descriptor;
        try {
          let count = 0;
          while (count < bytes.length) {
            const read = fs.readSync(descriptor, bytes, count, bytes.length - count, offset + count);
            if (read === 0) break;
            count += read;
          }
          return bytes.subarray(0, count);
        } finally {
          if (!isKept) fs.closeSync(descriptor);
        }
      }),
  };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "not allowed",
  EPERM: "not allowed",
  EMFILE: "too many open files",
  ELOOP: "symbolic links in a circle",
};

/** A fault of the file system becomes a {@link MapFileError}. */
function attempt<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (typeof code !== "string") throw error;
    throw new MapFileError(`Cannot read ${name}: ${reasons[code] ?? code}`, { cause: error });
  }
}

function nodeModules(path: string): { readonly fs: FileSystem; readonly paths: Paths } {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const [fs, paths] = ["node:fs", "node:path"].map((name) => process?.getBuiltinModule?.(name));
  if (fs === undefined || paths === undefined) {
    throw new MapFileError(
      `Cannot open ${path}: paths are opened in Node alone; elsewhere give the files by memoryFiles`,
    );
  }
  return { fs: fs as FileSystem, paths: paths as Paths };
}
