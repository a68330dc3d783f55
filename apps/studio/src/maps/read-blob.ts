/** What of the scope of a worker is used: the page's own types do not have it. */
declare const FileReaderSync: { new (): { readAsArrayBuffer(blob: Blob): ArrayBuffer } };

/** Reads a blob at once. For workers alone. */
export function readBlob(blob: Blob): Uint8Array {
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));
}
