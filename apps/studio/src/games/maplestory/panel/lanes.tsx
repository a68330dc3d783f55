/** The names of the time line's lanes, with their last packets. */
import type { ReadonlySignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { ActorKind } from "../play/actor.ts";

/** A lane's name and its last packet. */
export interface LaneRow {
  readonly key: string;
  readonly name: string;
  readonly kind: ActorKind;
  readonly selected: boolean;
  readonly colour: string;
  readonly last: { readonly durationMs: number; readonly lateMs: number } | undefined;
}

export interface LanesProps {
  readonly rows: ReadonlySignal<readonly LaneRow[]>;
  readonly select: (key: string) => void;
}

export function Lanes({ rows, select }: LanesProps) {
  const items = useRef<ReadonlyMap<string, Item>>(new Map());
  if (rows.value.length === 0) return <p class="hint maple-no-lanes">No packets yet.</p>;
  const before = items.current;
  const now = new Map(
    rows.value.map((row) => {
      const item = before.get(row.key);
      return [row.key, item !== undefined && isSame(item.row, row) ? item : { row, node: laneItem(row, select) }];
    }),
  );
  items.current = now;
  return <ul aria-label="Packets by sender">{[...now.values()].map(({ node }) => node)}</ul>;
}

/** A lane as it was made last: what is given to the renderer again costs nothing. Of a hundred lanes few change at a time. */
interface Item {
  readonly row: LaneRow;
  readonly node: JSX.Element;
}

function isSame(a: LaneRow, b: LaneRow): boolean {
  const isAsLate = a.last?.durationMs === b.last?.durationMs && a.last?.lateMs === b.last?.lateMs;
  return isAsLate && a.name === b.name && a.colour === b.colour && a.selected === b.selected;
}

function laneItem({ key, name, kind, selected, colour, last }: LaneRow, select: LanesProps["select"]): JSX.Element {
  return (
    <li key={key}>
      <button
        type="button"
        class="maple-lane"
        aria-pressed={selected}
        title={laneTitle(name, last)}
        onClick={() => select(key)}
      >
        <span class={`maple-kind maple-kind-${kind}`} style={{ background: colour }} aria-hidden="true" />
        <span class="maple-name">{name}</span>
        <span class="maple-last">{last === undefined ? "" : `${last.durationMs} ms`}</span>
      </button>
    </li>
  );
}

function laneTitle(name: string, last: LaneRow["last"]): string {
  if (last === undefined) return `${name}: no packet in the last seconds`;
  return `${name}: the last packet has ${last.durationMs} ms, received ${Math.round(last.lateMs)} ms after its end`;
}
