/** Files that are dropped anywhere on the page. */

export interface Drops {
  /** Called with true while something that can be dropped is over the page, and with false when it has left. */
  over(isOver: boolean): void;
  file(file: File): void;
  /** Takes a folder, or several files. Default: the first file. */
  readonly files?: (dropped: Dropped) => void;
  /** Takes text too. */
  readonly text?: (text: string) => void;
}

/** Several files, or what has a folder: its entries. They are read later. */
export interface Dropped {
  readonly files: readonly File[];
  readonly entries: readonly FileSystemEntry[];
}

/** Listens until the returned function is called. */
export function listenToDrops({ over, file, files, text }: Drops): () => void {
  const isTaken = ({ dataTransfer }: DragEvent): boolean =>
    text !== undefined || dataTransfer?.types.includes("Files") === true;
  const events = new AbortController();
  const options = { signal: events.signal };
  document.addEventListener(
    "dragover",
    (event) => {
      if (!isTaken(event)) return;
      event.preventDefault();
      over(true);
    },
    options,
  );
  document.addEventListener(
    "dragleave",
    ({ relatedTarget }) => {
      if (relatedTarget === null) over(false);
    },
    options,
  );
  document.addEventListener(
    "drop",
    (event) => {
      if (!isTaken(event)) return;
      event.preventDefault();
      over(false);
      const dropped = droppedIn(event.dataTransfer);
      const [first] = dropped.files;
      const isMany = dropped.files.length > 1 || dropped.entries.some(({ isDirectory }) => isDirectory);
      if (isMany && files !== undefined) files(dropped);
      else if (first !== undefined) file(first);
      else text?.(event.dataTransfer?.getData("text/plain") ?? "");
    },
    options,
  );
  return () => events.abort();
}

/** Only while the event is handled are they there. */
function droppedIn(data: DataTransfer | null): Dropped {
  const entries = [...(data?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  return { files: [...(data?.files ?? [])], entries };
}
