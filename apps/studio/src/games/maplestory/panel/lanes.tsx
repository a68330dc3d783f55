/** The names of the time line's lanes, with their last packets. */
import type { ReadonlySignal } from "@preact/signals";
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
  if (rows.value.length === 0) return <p class="hint maple-no-lanes">No packets yet.</p>;
  return (
    <ul aria-label="Packets by sender">
      {rows.value.map(({ key, name, kind, selected, colour, last }) => (
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
      ))}
    </ul>
  );
}

function laneTitle(name: string, last: LaneRow["last"]): string {
  if (last === undefined) return `${name}: no packet in the last seconds`;
  return `${name}: the last packet has ${last.durationMs} ms, received ${Math.round(last.lateMs)} ms after its end`;
}
