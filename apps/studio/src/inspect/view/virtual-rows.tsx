/**
 * A list of any length of which only the rows in sight are made. The list has the focus, and names its active row to assistive
 * technology (`aria-activedescendant`): rows come and go.
 */
import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows made beyond each edge of what is in sight. */
const SPARE_ROWS = 8;

/** Browsers cut elements that are higher: Firefox at 17.8 million pixels. Above it the scroll bar stands for shares of the list. */
const MAX_HEIGHT_PX = 12_000_000;

export interface VirtualRowsProps {
  readonly count: number;
  readonly rowPx: number;
  /** The active row; -1: none. It is kept in sight when it changes. */
  readonly active: number;
  readonly class: string;
  readonly role: "grid" | "tree";
  readonly label: string;
  /** Of the whole list: `aria-rowcount` and others. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  readonly activeId: string | undefined;
  readonly onKey: (event: KeyboardEvent, pageRows: number) => void;
  /** The element of a row, without a key. */
  readonly row: (index: number) => ComponentChildren;
  readonly head?: ComponentChildren;
}

/** What is in sight: the first row, with its fraction, and how many fit. */
interface Sight {
  readonly top: number;
  readonly rows: number;
}

export function VirtualRows(props: VirtualRowsProps) {
  const { count, rowPx, active, role, label, activeId, onKey, row, attributes = {}, head } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState<Sight>({ top: 0, rows: 30 });
  /** The top that a wheel or a key has set: finer than the scroll position of a list that is not to scale. */
  const exact = useRef<{ readonly top: number; readonly px: number } | undefined>(undefined);
  const fullPx = count * rowPx;
  const heightPx = Math.min(fullPx, MAX_HEIGHT_PX);
  const isToScale = heightPx === fullPx;

  const lastTop = (rows: number): number => Math.max(0, count - rows);
  const look = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const rows = Math.max(1, element.clientHeight / rowPx);
    const room = Math.max(1, heightPx - element.clientHeight);
    const at = element.scrollTop;
    const set = exact.current;
    const top = isToScale
      ? at / rowPx
      : set !== undefined && Math.abs(set.px - at) <= 1
        ? set.top
        : (at / room) * lastTop(rows);
    setSight((before) => (before.top === top && before.rows === rows ? before : { top, rows }));
  };
  const scrollTo = (top: number): void => {
    const element = scroller.current;
    if (element === null) return;
    const rows = Math.max(1, element.clientHeight / rowPx);
    const bounded = Math.min(Math.max(0, top), lastTop(rows));
    const room = Math.max(1, heightPx - element.clientHeight);
    const px = isToScale ? bounded * rowPx : (bounded / Math.max(1, lastTop(rows))) * room;
    exact.current = { top: bounded, px };
    element.scrollTop = px;
    look();
  };

  useLayoutEffect(look, [count, rowPx]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || active < 0) return;
    const rows = element.clientHeight / rowPx;
    const headRows = head === undefined ? 0 : 1;
    if (active < sight.top) scrollTo(active);
    else if (active + 1 + headRows > sight.top + rows) scrollTo(active + 1 + headRows - rows);
  }, [active]);

  const wheel = (event: WheelEvent): void => {
    if (isToScale || event.ctrlKey || event.shiftKey) return;
    // A pixel of the scroll bar is many rows here: the wheel goes by rows.
    event.preventDefault();
    const px = event.deltaMode === 1 ? event.deltaY * rowPx : event.deltaY;
    scrollTo((exact.current?.top ?? sight.top) + px / rowPx);
  };

  const from = Math.max(0, Math.floor(sight.top) - SPARE_ROWS);
  const to = Math.min(count, Math.ceil(sight.top + sight.rows) + SPARE_ROWS);
  const offset = isToScale ? from * rowPx : (scroller.current?.scrollTop ?? 0) - (sight.top - from) * rowPx;
  const made = [];
  // Rows out of sight become those that come into it: a jump changes texts and makes no elements.
  const ring = 2 ** Math.ceil(Math.log2(Math.max(1, to - from)));
  for (let index = from; index < to; index++) made.push(<Fragment key={index % ring}>{row(index)}</Fragment>);
  return (
    // The list holds the focus for its rows.
    <div
      {...attributes}
      ref={scroller}
      class={`virtual ${props.class}`}
      // As high as its rows, up to what the style sheet allows.
      style={{ "--full": `${fullPx + 2}px` }}
      role={role}
      aria-label={label}
      aria-activedescendant={activeId}
      tabIndex={0}
      onScroll={look}
      onWheel={wheel}
      onKeyDown={(event) => onKey(event, Math.max(1, Math.floor(sight.rows) - 1))}
    >
      {head}
      <div class="virtual-space" role="presentation" style={{ height: `${heightPx}px` }}>
        <div class="virtual-window" role="presentation" style={{ transform: `translateY(${Math.round(offset)}px)` }}>
          {made}
        </div>
      </div>
    </div>
  );
}
