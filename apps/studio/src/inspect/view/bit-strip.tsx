/** The bits of what is chosen, byte by byte: arrows move from bit to bit, and each bit shows the field that it belongs to. */
import { useId } from "preact/hooks";
import { hex } from "./hex-grid.tsx";
import { fieldClass, meets } from "./marks.ts";
import type { PartSelection } from "./selection.ts";

/** Bytes that are shown: those of any number, and of the start of what is longer. */
const MAX_BYTES = 8;

export interface BitStripProps {
  readonly selection: PartSelection;
  readonly label: string;
  readonly different?: Uint8Array | undefined;
}

export function BitStrip({ selection, label, different }: BitStripProps) {
  const id = useId();
  const { bytes, error } = selection.part;
  const range = selection.range.value ?? { from: 0, to: Math.min(selection.bits, 16) };
  const cursor = selection.cursor.value;
  const first = Math.max(0, Math.min(Math.floor(range.from / 8), Math.floor(cursor / 8)));
  const needed = Math.ceil(range.to / 8) - first;
  // The cursor is always among the bytes that are shown.
  const from = Math.floor(cursor / 8) >= first + MAX_BYTES ? Math.floor(cursor / 8) - MAX_BYTES + 1 : first;
  const shown = bytes.subarray(from, Math.min(bytes.length, from + Math.max(1, Math.min(MAX_BYTES, needed))));
  const pointed = selection.pointed.value;
  const key = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const to = cursor + by;
    if (to >= 0 && to < selection.bits) selection.chooseBit(to);
  };
  if (bytes.length === 0) return null;
  const more = needed > MAX_BYTES ? ` The first ${MAX_BYTES} of ${needed} bytes.` : "";
  return (
    <div class="bit-box">
      <div
        class="bit-strip"
        role="grid"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={selection.range.value === undefined ? undefined : `${id}-${cursor}`}
        onKeyDown={key}
      >
        {Array.from(shown, (byte, column) => {
          const at = from + column;
          return (
            <div key={at} class="bit-byte" role="row" aria-label={`byte ${at}: ${hex(byte)}`}>
              <span class="bit-head" aria-hidden="true">
                {hex(byte)} <small>{at}</small>
              </span>
              {Array.from({ length: 8 }, (_, bit) => {
                const place = at * 8 + bit;
                const isOne = ((byte >> (7 - bit)) & 1) === 1;
                const owner = selection.owner[place] ?? -1;
                const isBroken = error !== undefined && place === error.bitOffset;
                const differs = ((different?.[at] ?? 0) & (0x80 >> bit)) !== 0;
                const bits = { from: place, to: place + 1 };
                const classes = [
                  "bit",
                  fieldClass(owner),
                  meets(bits, range) && selection.range.value !== undefined ? "chosen" : "",
                  meets(bits, pointed) ? "pointed" : "",
                  place === cursor && selection.range.value !== undefined ? "cursor" : "",
                  isBroken ? "broken" : "",
                  differs ? "different" : "",
                ];
                return (
                  // Keys are taken by the strip, which has the focus.
                  <span
                    key={bit}
                    id={`${id}-${place}`}
                    role="gridcell"
                    tabIndex={-1}
                    aria-selected={place === cursor && selection.range.value !== undefined}
                    aria-label={`bit ${place}: ${isOne ? 1 : 0}${isBroken ? ", refused here" : ""}${differs ? ", different" : ""}`}
                    class={classes.filter((each) => each !== "").join(" ")}
                    onPointerEnter={() => selection.pointAtBit(place)}
                    onPointerLeave={() => selection.pointNowhere()}
                    onClick={() => selection.chooseBit(place)}
                  >
                    {isOne ? 1 : 0}
                  </span>
                );
              })}
            </div>
          );
        })}
      </div>
      {more === "" ? null : <p class="hint">{more}</p>}
    </div>
  );
}
