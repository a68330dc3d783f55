/** Files that are dropped anywhere on the page. */

export interface Drops {
  /** Called with true while something that can be dropped is over the page, and with false when it has left. */
  over(isOver: boolean): void;
  file(file: File): void;
  /** Takes text too. */
  readonly text?: (text: string) => void;
}

/** Listens until the returned function is called. */
export function listenToDrops({ over, file, text }: Drops): () => void {
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
      const [first] = event.dataTransfer?.files ?? [];
      if (first !== undefined) file(first);
      else text?.(event.dataTransfer?.getData("text/plain") ?? "");
    },
    options,
  );
  return () => events.abort();
}
