/** Which revisions the bytes of a file fit: for files that name another one. */
import { type FindSizes, sizeTable } from "./message-sizes.ts";
import { MORE_NEEDED, REFUSED, RecordScanner } from "./record-scanner.ts";

/** Bytes of a file, from its start, that revisions are tried on. Another revision's table breaks within a few hundred, as a rule. */
export const TRIED_BYTES: number = 256 * 1024;

/** The start of a file. */
export interface FileStart {
  readonly bytes: Uint8Array;
  /** Where the records begin. */
  readonly recordsAt: number;
  /** It is the whole file: its last record must end where it ends. */
  readonly isWhole: boolean;
}

/** Those of `revisions` by whose tables the start of a file is records and nothing else. */
export function fittingRevisions(start: FileStart, revisions: Iterable<number>, sizes: FindSizes): readonly number[] {
  return [...revisions].filter((revision) => {
    const table = sizes(revision);
    return table !== undefined && fits(start, new RecordScanner(sizeTable(table)));
  });
}

function fits({ bytes, recordsAt, isWhole }: FileStart, scanner: RecordScanner): boolean {
  for (let at = recordsAt; at < bytes.length; ) {
    const next = scanner.scan(bytes, at, bytes.length);
    if (next === REFUSED) return false;
    if (next === MORE_NEEDED) return !isWhole;
    at = next;
  }
  return true;
}
