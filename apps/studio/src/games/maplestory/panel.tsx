/** Beside the drawing: the policies with what each is off by, the names of the lanes, and what a packet says. */
import type { ReadonlySignal } from "@preact/signals";
import {
  describeFoothold,
  dialectRules,
  type FragmentFields,
  type MapleMap,
  type Point,
  writeFragments,
} from "wirewalk/maplestory";
import { formatHex } from "wirewalk/wire";
import { showAmount } from "../../ui/format.ts";
import { type ActorKind, policyNames } from "./actor.ts";
import { type Batch, fieldsOf } from "./batch.ts";
import type { ErrorSummary } from "./errors.ts";
import { networkChoices } from "./networks.ts";

/** What the bar shows. */
export interface BarState {
  readonly policy: string;
  /** In the order of `policyNames`. */
  readonly errors: readonly (ErrorSummary | undefined)[];
  readonly network: number;
}

export interface BarProps {
  readonly state: ReadonlySignal<BarState>;
  readonly choosePolicy: (policy: string) => void;
  readonly chooseNetwork: (network: number) => void;
}

/** The policies to choose from, with mean and 95th percentile of the last seconds. */
export function Bar({ state, choosePolicy, chooseNetwork }: BarProps) {
  const { policy, errors, network } = state.value;
  return (
    <>
      <fieldset class="maple-policies" aria-label="Playback policy">
        <span class="maple-label">
          Ghosts by
          <span class="hint" title="Mean and 95th percentile of the distance between ghost and truth, last 10 s">
            mean / 95 % px
          </span>
        </span>
        {policyNames.map((name, index) => (
          <button
            key={name}
            type="button"
            class="quiet"
            aria-pressed={name === policy}
            title={policyWords[name]}
            onClick={() => choosePolicy(name)}
          >
            {name} <ErrorWords error={errors[index]} />
          </button>
        ))}
      </fieldset>
      <label class="maple-network">
        <span class="maple-label">
          Network <span class="hint">of the ghosts</span>
        </span>
        <select value={network} onChange={(event) => chooseNetwork(Number(event.currentTarget.value))}>
          {networkChoices.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

const policyWords: Readonly<Record<string, string>> = {
  native: "The client’s: a cubic between nodes, hurrying when behind, holding when nothing is left",
  documented: "The document’s: goes on with the last velocity for up to 500 ms, then locks",
  linear: "Straight from node to node",
  hold: "From node to node in leaps",
};

function ErrorWords({ error }: { readonly error: ErrorSummary | undefined }) {
  return <b>{error === undefined ? "–" : `${showPx(error.meanPx)} / ${showPx(error.p95Px)}`}</b>;
}

function showPx(px: number): string {
  return px.toFixed(px < 10 ? 1 : 0);
}

/** A lane's name and its last packet in words. */
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
  return `${name}: the last packet is of ${last.durationMs} ms, heard ${Math.round(last.lateMs)} ms after its end`;
}

/** What is looked at: an actor as it is now, or one of its packets. */
export interface CardState {
  readonly name: string;
  readonly kind: ActorKind;
  readonly colour: string;
  readonly driver: string | undefined;
  /** Where the ghost is drawn; undefined while nothing is known of it. */
  readonly ghost: Point | undefined;
  /** How far that is from where the actor is. */
  readonly behindPx: number;
  readonly batch: Batch | undefined;
  readonly lateMs: number;
  readonly fragment: number | undefined;
  /** It stays when the pointer leaves. */
  readonly pinned: boolean;
  readonly dialect: string;
  readonly map: MapleMap | undefined;
}

export interface CardProps {
  readonly state: ReadonlySignal<CardState | undefined>;
  readonly close: () => void;
}

export function Card({ state, close }: CardProps) {
  const card = state.value;
  if (card === undefined) {
    return (
      <p class="hint maple-card-hint">
        Point at a node or a packet to read it, click to keep it; click somebody to follow its packets.
      </p>
    );
  }
  const { name, kind, colour, driver, batch, pinned } = card;
  return (
    <section class="maple-card" aria-label={`Packet of ${name}`}>
      <h3>
        <span class={`maple-kind maple-kind-${kind}`} style={{ background: colour }} aria-hidden="true" />
        <span class="maple-name">{name}</span>
        {pinned ? (
          <button type="button" class="quiet" onClick={close}>
            Close
          </button>
        ) : null}
      </h3>
      <p class="hint">
        {driver === undefined ? null : <>driven by {driver} · </>}
        {ghostWords(card)}
      </p>
      {batch === undefined ? <p>No packet yet.</p> : <Packet card={card} batch={batch} />}
    </section>
  );
}

function ghostWords({ ghost, behindPx }: CardState): string {
  if (ghost === undefined) return "no ghost yet";
  return `ghost at ${Math.round(ghost.x)}, ${Math.round(ghost.y)}, ${Math.round(behindPx)} px from where it is`;
}

function Packet({ card, batch }: { readonly card: CardState; readonly batch: Batch }) {
  const { dialect, map, fragment, lateMs } = card;
  const { number, durationMs, fragments, packetBytes, start } = batch;
  const size = packetBytes === undefined ? "" : `, ${packetBytes} bytes`;
  return (
    <>
      <p>
        Packet {number}: <b>{durationMs} ms</b> in {showAmount(fragments.length, "fragment")}
        {size}; heard {Math.round(lateMs)} ms after its end.
      </p>
      {start === undefined ? null : (
        <p class="maple-fields">
          start {start.x}, {start.y}
        </p>
      )}
      <ol>
        {fragments.map((each, index) => {
          const kind = dialectRules(dialect).fragments.kindOf(each.type) ?? "absolute";
          return (
            <li key={index} ref={index === fragment ? showInCard : null} class={index === fragment ? "maple-hot" : ""}>
              <span class={`mark legend-maple-${kind}`} aria-hidden="true" />
              <b>{kind}</b> <span class="hint">type {each.type}</span>
              <span class="maple-last">{each.durationMs ?? 0} ms</span>
              <span class="maple-fields">
                {fieldsOf(each, dialect)
                  .filter(([field]) => field !== "durationMs")
                  .map(([field, value]) => `${field} ${value}`)
                  .join(" · ")}
              </span>
              <span class="hint">{meaning(each, dialect, map)}</span>
              <span class="maple-hex">{fragmentHex(batch, index, dialect)}</span>
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** Scrolls the card and nothing around it. */
function showInCard(item: HTMLElement | null): void {
  const side = item?.closest(".maple-side");
  if (!item || !side) return;
  const hiddenPx = item.offsetTop + item.offsetHeight - side.clientHeight - side.scrollTop;
  if (hiddenPx > 0 || item.offsetTop < side.scrollTop) side.scrollTop = Math.max(0, side.scrollTop + hiddenPx);
}

/** Of the fields that are numbers of something. */
function meaning(fragment: FragmentFields, dialect: string, map: MapleMap | undefined): string {
  const fields = new Map(fieldsOf(fragment, dialect));
  const [state, foothold] = [fields.get("state"), fields.get("foothold")];
  const { fragments } = dialectRules(dialect);
  return [
    ...(state === undefined ? [] : [`${fragments.stanceOf(state)} ${(state & 1) === 1 ? "left" : "right"}`]),
    ...(foothold === undefined || map === undefined ? [] : [describeFoothold(map, foothold)]),
  ].join(", ");
}

/** The fragment as it is on the wire. */
function fragmentHex({ fragments }: Batch, index: number, dialect: string): string {
  const bytes = new Uint8Array(32);
  const end = writeFragments(bytes, 0, fragments.slice(index, index + 1), dialectRules(dialect).fragments);
  return formatHex(bytes.subarray(0, end));
}
