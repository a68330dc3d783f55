/** Words for what the system says of files that people name. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "no permission",
  EEXIST: "a file has this name",
  EISDIR: "it is a folder",
  ENOENT: "no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is no folder",
  EROFS: "the file system is read-only",
};

/** Why a file cannot be read or written: `no such file or folder (ENOENT)`. */
export function fileReason(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const words = REASONS[code];
  return words === undefined ? code || message || String(error) : `${words} (${code})`;
}
