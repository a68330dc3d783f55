/** The bytes of a packet as a grid of hex digits: pointing at a byte shows its field, arrows move from byte to byte. */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { fieldClass, meets } from "./marks.ts";
import type { PartSelection } from "./selection.ts";
import { VirtualRows } from "./virtual-rows.tsx";

const ROW_PX = 24;
/** Bytes of a row, and the width from which there are so many. */
const WIDTHS: readonly (readonly [fromPx: number, bytes: number])[] = [
  [560, 16],
  [320, 8],
  [0, 4],
];

export interface HexGridProps {
  readonly selection: PartSelection;
  readonly label: string;
  /** Bits that differ from what the packet is compared with, a mask for each byte. */
  readonly different?: Uint8Array | undefined;
}

export function HexGrid({ selection, label, different }: HexGridProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [perRow, setPerRow] = useState(16);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => setPerRow(WIDTHS.find(([fromPx]) => element.clientWidth >= fromPx)?.[1] ?? 4);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  const { bytes, error } = selection.part;
  const rows = Math.ceil(bytes.length / perRow);
  const cursor = Math.floor(selection.cursor.value / 8);
  const move = (byte: number): void => selection.chooseBit(Math.min(Math.max(0, byte), bytes.length - 1) * 8);
  const key = (event: KeyboardEvent, pageRows: number): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: perRow,
      ArrowUp: -perRow,
      PageDown: pageRows * perRow,
      PageUp: -pageRows * perRow,
    };
    const by = steps[event.key];
    if (by !== undefined) {
      // A step past the edge of the grid stays in its column.
      const to = cursor + by;
      if (Math.abs(by) === 1 || (to >= 0 && to < bytes.length)) move(to);
    } else if (event.key === "Home") move(event.ctrlKey ? 0 : cursor - (cursor % perRow));
    else if (event.key === "End") move(event.ctrlKey ? bytes.length - 1 : cursor - (cursor % perRow) + perRow - 1);
    else return;
    event.preventDefault();
  };
  const range = selection.range.value;
  const pointed = selection.pointed.value;
  const brokenByte = error === undefined ? -1 : Math.min(Math.floor(error.bitOffset / 8), bytes.length - 1);
  if (bytes.length === 0) return <p class="empty">No bytes.</p>;
  return (
    <div class="hex-box" ref={box}>
      <VirtualRows
        count={rows}
        rowPx={ROW_PX}
        active={range === undefined ? -1 : Math.floor(cursor / perRow)}
        class="hex"
        role="grid"
        label={label}
        attributes={{ "aria-rowcount": rows, "aria-colcount": perRow }}
        activeId={range === undefined ? undefined : `${id}-${cursor}`}
        onKey={key}
        row={(row) => (
          <div class="hex-row" role="row" aria-rowindex={row + 1} style={{ height: `${ROW_PX}px` }}>
            <span class="hex-offset" aria-hidden="true">
              {(row * perRow).toString(16).padStart(4, "0")}
            </span>
            {Array.from(bytes.subarray(row * perRow, (row + 1) * perRow), (byte, column) => {
              const at = row * perRow + column;
              const bits = { from: at * 8, to: at * 8 + 8 };
              const field = fieldOfByte(selection.owner, at);
              const isNew = at === 0 || (selection.owner[at * 8 - 1] ?? -1) !== (selection.owner[at * 8] ?? -1);
              const isUnread = brokenByte >= 0 && at > brokenByte;
              const classes = [
                "hex-byte",
                field === "mixed" ? "field-mixed" : fieldClass(field),
                isNew ? "first" : "",
                meets(bits, range) ? "chosen" : "",
                meets(bits, pointed) ? "pointed" : "",
                at === cursor && range !== undefined ? "cursor" : "",
                at === brokenByte ? "broken" : "",
                isUnread ? "unread" : "",
                (different?.[at] ?? 0) === 0 ? "" : "different",
              ];
              return (
                // Keys are taken by the grid, which has the focus.
                <span
                  key={column}
                  id={`${id}-${at}`}
                  role="gridcell"
                  tabIndex={-1}
                  aria-colindex={column + 1}
                  aria-selected={at === cursor && range !== undefined}
                  aria-label={`byte ${at}: ${hex(byte)}${at === brokenByte ? ", refused here" : ""}${(different?.[at] ?? 0) === 0 ? "" : ", different"}`}
                  class={classes.filter((each) => each !== "").join(" ")}
                  onPointerEnter={() => selection.pointAtBit(at * 8)}
                  onPointerLeave={() => selection.pointNowhere()}
                  onClick={() => selection.chooseBit(at * 8)}
                >
                  {hex(byte)}
                </span>
              );
            })}
            <span class="hex-text" aria-hidden="true">
              {Array.from(bytes.subarray(row * perRow, (row + 1) * perRow), (byte) =>
                byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·",
              ).join("")}
            </span>
          </div>
        )}
      />
    </div>
  );
}

export function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

/** The field of a whole byte; -1: none. */
function fieldOfByte(owner: Int32Array, byte: number): number | "mixed" {
  const first = owner[byte * 8] ?? -1;
  for (let bit = 1; bit < 8; bit++) if ((owner[byte * 8 + bit] ?? -1) !== first) return "mixed";
  return first;
}
