/** Lists with one tab stop: arrows move within. */

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const acrossSteps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export interface Roving {
  /** Which elements of the list are its rows. */
  readonly rows: string;
  /** Left and right move too. */
  readonly isAcross?: boolean;
  /** The row that has got the focus. */
  readonly onMove?: (row: HTMLElement) => void;
}

/** Handles a key in the list: true when it was a move, which it has made. */
export function moveFocus(event: KeyboardEvent, { rows, isAcross = false, onMove }: Roving): boolean {
  const step = steps[event.key] ?? (isAcross ? acrossSteps[event.key] : undefined);
  const list = event.currentTarget;
  if (step === undefined || !(list instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey)
    return false;
  const all = [...list.querySelectorAll<HTMLElement>(rows)];
  if (all.length === 0) return false;
  const at = all.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  const next = all[Math.min(all.length - 1, Math.max(0, at + step))];
  event.preventDefault();
  event.stopPropagation();
  next?.focus();
  if (next !== undefined) onMove?.(next);
  return true;
}
