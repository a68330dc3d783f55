/** The card of the selection: an actor, and the fields of one of its packets. */
import type { ReadonlySignal } from "@preact/signals";
import { type FragmentFields, mapleDialectRules, type Point, writeFragments } from "wirewalk/maplestory";
import { describeFoothold, type MapleMap } from "wirewalk/maplestory/maps";
import { formatHex } from "wirewalk/wire";
import { showAmount } from "../../../ui/format.ts";
import type { ActorKind } from "../play/actor.ts";
import { type Batch, fieldsOf } from "../play/batch.ts";

/** The selection: an actor as it is now, or one of its packets. */
export interface CardState {
  readonly name: string;
  readonly kind: ActorKind;
  readonly colour: string;
  readonly driver: string | undefined;
  /** Where the ghost is drawn; undefined while nothing is known of it. */
  readonly ghost: Point | undefined;
  /** The distance between the ghost and the actor. */
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
        Point at a node or a packet to read it, click to keep it; click an actor to follow its packets.
      </p>
    );
  }
  const { name, kind, colour, driver, batch, pinned } = card;
  return (
    <section class="maple-card" aria-label={`Packet of ${name}`}>
      <h2>
        <span class={`maple-kind maple-kind-${kind}`} style={{ background: colour }} aria-hidden="true" />
        <span class="maple-name">{name}</span>
        {pinned ? (
          <button type="button" class="quiet" onClick={close}>
            Close
          </button>
        ) : null}
      </h2>
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
  return `ghost at ${Math.round(ghost.x)}, ${Math.round(ghost.y)}, ${Math.round(behindPx)} px from the truth`;
}

function Packet({ card, batch }: { readonly card: CardState; readonly batch: Batch }) {
  const { dialect, map, fragment, lateMs } = card;
  const { number, durationMs, fragments, packetBytes, start } = batch;
  const size = packetBytes === undefined ? "" : `, ${packetBytes} bytes`;
  return (
    <>
      <p>
        Packet {number}: <b>{durationMs} ms</b> in {showAmount(fragments.length, "fragment")}
        {size}; received {Math.round(lateMs)} ms after its end.
      </p>
      {start === undefined ? null : (
        <p class="maple-fields">
          start {start.x}, {start.y}
        </p>
      )}
      <ol>
        {fragments.map((each, index) => {
          const kind = mapleDialectRules(dialect).fragments.kindOf(each.type) ?? "absolute";
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

/** The meaning of state and foothold. */
function meaning(fragment: FragmentFields, dialect: string, map: MapleMap | undefined): string {
  const fields = new Map(fieldsOf(fragment, dialect));
  const [state, foothold] = [fields.get("state"), fields.get("foothold")];
  const { fragments } = mapleDialectRules(dialect);
  return [
    ...(state === undefined ? [] : [`${fragments.stanceOf(state)} ${(state & 1) === 1 ? "left" : "right"}`]),
    ...(foothold === undefined || map === undefined ? [] : [describeFoothold(map, foothold)]),
  ].join(", ");
}

/** The fragment as it is on the wire. */
function fragmentHex({ fragments }: Batch, index: number, dialect: string): string {
  const bytes = new Uint8Array(32);
  const end = writeFragments(bytes, 0, fragments.slice(index, index + 1), mapleDialectRules(dialect).fragments);
  return formatHex(bytes.subarray(0, end));
}
