/** The panel: the observer, whether its client agrees with the server, and the actions of one packet. */
import type { ReadonlySignal } from "@preact/signals";
import { type PlayerInfoDialect, PlayerInfoError } from "wirewalk/osrs/player-info";
import { showAmount, showCount, showNumber } from "../../../../ui/format.ts";
import { type Action, type ActionKind, actionKinds } from "../play/actions.ts";
import type { Agreement, Tile } from "../play/agreement.ts";
import { type BitPart, bitParts } from "../play/bits.ts";
import type { SeenTick, StreamFault } from "../play/observed-client.ts";
import { type QuarterCounts, WORLD_QUARTERS } from "../play/quarters.ts";
import { totalBits } from "../scene/chart.ts";

/** Actions in the list at most: a tick of a full world has thousands. */
const SHOWN_DEEDS = 60;

/** Players of whom the client shows something; the map shows all. */
const SHOWN_LOOKS = 12;

/** Differences in words; the map shows all. */
const SHOWN_DIFFERENCES = 4;

/** What the panel shows of the observer. */
export interface Observer {
  readonly name: string;
  readonly own: boolean;
  /** Undefined until the server has sent it. */
  readonly index: number | undefined;
  readonly tile: Tile | undefined;
  readonly viewDistance: number | undefined;
  readonly locals: number;
}

export interface PanelState {
  /** Undefined while no player is followed. */
  readonly observer: Observer | undefined;
  /** True once the client's stream has begun here. */
  readonly isReading: boolean;
  readonly agreement: Agreement;
  readonly fault: StreamFault | undefined;
  readonly tick: SeenTick | undefined;
  /** True while an older packet is selected. */
  readonly isHeld: boolean;
  readonly passFlags: PlayerInfoDialect["passFlags"] | undefined;
  readonly quarters: QuarterCounts;
  /** Local players of whom the client shows more than clothes. */
  readonly looks: readonly ShownLook[];
  readonly nameOf: (index: number) => string | undefined;
}

export interface ShownLook {
  readonly index: number;
  readonly words: readonly string[];
}

export interface PanelActions {
  readonly restart: () => void;
  /** Selects the packet before (-1) or after (1), or the newest (0). */
  readonly step: (by: -1 | 0 | 1) => void;
  readonly inspect: (tick: SeenTick) => void;
}

export interface PanelProps extends PanelActions {
  /** Nobody can join a recording. */
  readonly isRecorded: boolean;
  readonly state: ReadonlySignal<PanelState>;
}

export function Panel({ state, isRecorded, restart, step, inspect }: PanelProps) {
  const { observer, isReading, agreement, fault, tick, isHeld, passFlags, quarters, looks, nameOf } = state.value;
  if (observer === undefined) {
    return (
      <p class="empty">
        Nobody is here to look through.
        {isRecorded ? null : (
          <>
            {" "}
            Play, or start bots: <code>wirewalk bots osrs</code>
          </>
        )}
      </p>
    );
  }
  return (
    <>
      <ObserverCard observer={observer} quarters={quarters} />
      <AgreementCard agreement={agreement} fault={fault} isReading={isReading} restart={restart} />
      {tick === undefined ? null : (
        <Packet tick={tick} isHeld={isHeld} passFlags={passFlags} nameOf={nameOf} step={step} inspect={inspect} />
      )}
      <LookList looks={looks} nameOf={nameOf} />
    </>
  );
}

interface ObserverProps {
  readonly observer: Observer;
  readonly quarters: QuarterCounts;
}

function ObserverCard({ observer, quarters }: ObserverProps) {
  const { name, own, index, tile, viewDistance, locals } = observer;
  return (
    <section class="pi-observer" aria-label="Observer">
      <h3>
        <span class="mark legend-pi-self" aria-hidden="true" />
        <span class="pi-name">{own ? "you" : name}</span>
        <span class="hint">
          {index === undefined ? "observer" : `index ${index}`}
          {tile === undefined ? "" : ` · level ${tile.level}`}
        </span>
      </h3>
      <dl class="pi-facts">
        <div>
          <dt>tile</dt>
          <dd>{tile === undefined ? "not known" : `${tile.x}, ${tile.z}`}</dd>
        </div>
        <div>
          <dt>sees</dt>
          <dd>{viewDistance === undefined ? "not known" : showAmount(viewDistance, "tile")}</dd>
        </div>
        <div>
          <dt>
            <span class="mark legend-pi-local" aria-hidden="true" /> local
          </dt>
          <dd>{showNumber(locals)}</dd>
        </div>
        <div>
          <dt>
            <span class="mark legend-pi-external" aria-hidden="true" /> external
          </dt>
          <dd>{showNumber(quarters.players)}</dd>
        </div>
      </dl>
      <Quarters quarters={quarters} tile={tile} />
    </section>
  );
}

interface AgreementProps {
  readonly agreement: Agreement;
  readonly fault: StreamFault | undefined;
  readonly isReading: boolean;
  readonly restart: () => void;
}

function AgreementCard({ agreement, fault, isReading, restart }: AgreementProps) {
  if (fault !== undefined) return <Fault fault={fault} restart={restart} />;
  const { compared, locals, quarters, differences, unseen, wrongQuarters, wrongPackets } = agreement;
  if (compared === 0) {
    return (
      <div class="pi-verdict">
        <strong role="status">… {isReading ? "Waiting for the next packet" : "Waiting for the client’s stream"}</strong>
        <span class="hint">Then every packet is compared with the server.</span>
      </div>
    );
  }
  const isWrong = differences.length > 0 || wrongQuarters > 0;
  return (
    <div class={`pi-verdict ${isWrong ? "pi-wrong" : "pi-right"}`}>
      <strong role="status">{isWrong ? "✕ Decoder and server disagree" : "✓ Decoder and server agree"}</strong>
      <span class="hint">
        <b>{differences.length}</b>/{showAmount(locals, "local")} · <b>{wrongQuarters}</b>/
        {showAmount(quarters, "quarter")} differ
      </span>
      <span class="hint">
        {showAmount(compared, "packet")} compared{wrongPackets === 0 ? "" : `, ${wrongPackets} of them wrong`}
        {unseen === 0 ? "" : ` · ${unseen} in view not shown yet`}
      </span>
      {differences.slice(0, SHOWN_DIFFERENCES).map(({ index, client, server }) => (
        <span key={index} class="pi-difference">
          {index}: client {showTile(client)}, server {server === undefined ? "nobody" : showTile(server)}
        </span>
      ))}
    </div>
  );
}

function showTile({ level, x, z }: Tile): string {
  return level === 0 ? `${x}, ${z}` : `${x}, ${z} level ${level}`;
}

function Fault({ fault, restart }: { readonly fault: StreamFault; readonly restart: () => void }) {
  const { error, packet } = fault;
  return (
    <div class="pi-verdict pi-wrong" role="alert">
      <strong>✕ {packet === undefined ? "The stream cannot be joined" : "The decoder lost the stream"}</strong>
      {error instanceof PlayerInfoError ? (
        <span>
          pass <b>{error.pass}</b>
          {error.index === undefined ? null : (
            <>
              , player <b>{error.index}</b>
            </>
          )}
          , bit <b>{error.bitOffset}</b>
        </span>
      ) : null}
      <span class="hint">
        <b>{error.code}</b> {error.message}
      </span>
      <button type="button" class="quiet pi-again" onClick={restart}>
        Begin anew
      </button>
    </div>
  );
}

interface PacketProps extends Omit<PanelActions, "restart"> {
  readonly tick: SeenTick;
  readonly isHeld: boolean;
  readonly passFlags: PlayerInfoDialect["passFlags"] | undefined;
  readonly nameOf: (index: number) => string | undefined;
}

function Packet({ tick, isHeld, passFlags, nameOf, step, inspect }: PacketProps) {
  const { number, packet, bits, blocks, actions } = tick;
  const all = totalBits(bits);
  return (
    <section class="pi-packet" aria-label={`Packet ${number}`}>
      <h3>
        Packet {number}
        <span class="hint">
          <b>{showNumber(packet.length)}</b> B
        </span>
        <span class="pi-steps">
          <button type="button" class="quiet" title="Packet before" onClick={() => step(-1)}>
            ‹ <span class="unseen">Packet before</span>
          </button>
          <button type="button" class="quiet" title="Packet after" disabled={!isHeld} onClick={() => step(1)}>
            › <span class="unseen">Packet after</span>
          </button>
          <button type="button" class="quiet" aria-pressed={!isHeld} onClick={() => step(0)}>
            Live
          </button>
          <button type="button" class="quiet" title="Down to the bit, below" onClick={() => inspect(tick)}>
            Bits
          </button>
        </span>
      </h3>
      <table class="pi-bits">
        <caption class="unseen">Bits of packet {number} by part</caption>
        <tbody>
          {bitParts.map((part) => (
            <tr key={part} class={bits[part] === 0 ? "pi-none" : ""}>
              <th scope="row">
                <span class={`pi-swatch pi-fill-${part}`} aria-hidden="true" /> {partWords(part, passFlags)}
              </th>
              <td>{showNumber(bits[part])}</td>
              <td class="pi-share">{all === 0 ? "" : `${Math.round((bits[part] / all) * 100)} %`}</td>
            </tr>
          ))}
          <tr class="pi-all">
            <th scope="row">all bits</th>
            <td>{showNumber(all)}</td>
            <td class="pi-share" />
          </tr>
        </tbody>
      </table>
      {blocks.length === 0 ? null : (
        <p class="hint pi-blocks">
          Masks: {blocks.map(([block, count]) => `${block} ${showNumber(count)}`).join(" · ")} bits
        </p>
      )}
      <ActionList list={actions.list} counts={actions.counts} nameOf={nameOf} />
    </section>
  );
}

function partWords(part: BitPart, passFlags: PlayerInfoDialect["passFlags"] | undefined): string {
  if (part === "masks" || part === "alignment") return part;
  const pass = Number(part.slice(-1));
  const flag = passFlags?.[pass - 1];
  const whose = pass <= 2 ? "locals" : "externals";
  return `${pass} · ${whose}${flag === undefined ? "" : flag === 0 ? ", active" : ", idle"}`;
}

const actionSigns: Readonly<Record<ActionKind, string>> = {
  walk: "→",
  run: "⇉",
  teleport: "◎",
  add: "+",
  remove: "−",
  quarter: "◫",
  masks: "✎",
};

interface ActionListProps {
  readonly list: readonly Action[];
  readonly counts: Readonly<Record<ActionKind, number>>;
  readonly nameOf: (index: number) => string | undefined;
}

/** The packet's actions: counts, then the list. */
function ActionList({ list, counts, nameOf }: ActionListProps) {
  const present = actionKinds.filter((kind) => counts[kind] > 0);
  const all = present.reduce((sum, kind) => sum + counts[kind], 0);
  if (all === 0) return <p class="hint">It has no actions.</p>;
  return (
    <>
      <p class="pi-action-counts">
        {present.map((kind) => (
          <span key={kind}>
            <span aria-hidden="true">{actionSigns[kind]}</span> {kind} <b>{showCount(counts[kind])}</b>
          </span>
        ))}
      </p>
      <ul class="pi-actions" aria-label="What the packet did">
        {list.slice(0, SHOWN_DEEDS).map(({ kind, index, words }, at) => (
          <li key={at}>
            <span class="pi-sign" title={kind}>
              <span aria-hidden="true">{actionSigns[kind]}</span>
              <span class="unseen">{kind}</span>
            </span>
            <span class="pi-index">{index}</span>
            <span class="pi-words">
              {nameOf(index) === undefined ? null : <span class="hint">{nameOf(index)} </span>}
              {words}
            </span>
          </li>
        ))}
      </ul>
      {all > SHOWN_DEEDS ? <p class="hint">and {showNumber(all - Math.min(list.length, SHOWN_DEEDS))} more</p> : null}
    </>
  );
}

interface LookListProps {
  readonly looks: readonly ShownLook[];
  readonly nameOf: (index: number) => string | undefined;
}

/** What the client shows over players now. */
function LookList({ looks, nameOf }: LookListProps) {
  return (
    <section class="pi-looks" aria-label="What the client shows">
      <h3>
        The client shows <span class="hint">now, until it fades</span>
      </h3>
      {looks.length === 0 ? <p class="hint">Nobody speaks, plays an animation or is hit.</p> : null}
      <ul class="pi-actions">
        {looks.slice(0, SHOWN_LOOKS).map(({ index, words }) => (
          <li key={index}>
            <span class="pi-sign" aria-hidden="true">
              {actionSigns.masks}
            </span>
            <span class="pi-index">{index}</span>
            <span class="pi-words">
              {nameOf(index) === undefined ? null : <span class="hint">{nameOf(index)} </span>}
              {words.join(", ")}
            </span>
          </li>
        ))}
      </ul>
      {looks.length > SHOWN_LOOKS ? (
        <p class="hint">and {showAmount(looks.length - SHOWN_LOOKS, "player")} more</p>
      ) : null}
    </section>
  );
}

interface QuartersProps {
  readonly quarters: QuarterCounts;
  readonly tile: Tile | undefined;
}

/** Tiles of the whole world along each axis. */
const WORLD = 16_384;

/** The players out of view by map quarter of the whole world. */
function Quarters({ quarters, tile }: QuartersProps) {
  const { levels, outside, players } = quarters;
  return (
    <div class="pi-worlds">
      {levels.map(({ level, counts }) => (
        <figure key={level} title="Externals in the quarters of the world, as the client knows them">
          <svg viewBox="0 0 64 64" role="img" aria-label={`Externals on level ${level}: ${worldWords(counts)}`}>
            {counts.map((count, at) => (
              <Quarter
                key={at}
                x={(at % WORLD_QUARTERS) * 32}
                y={(WORLD_QUARTERS - 1 - Math.floor(at / WORLD_QUARTERS)) * 32}
                count={count}
                share={count / players}
              />
            ))}
            {tile === undefined || tile.level !== level ? null : (
              <circle class="pi-here" cx={(tile.x / WORLD) * 64} cy={64 - (tile.z / WORLD) * 64} r="3" />
            )}
          </svg>
          <figcaption>{levels.length === 1 ? "quarters" : `level ${level}`}</figcaption>
        </figure>
      ))}
      {outside === 0 ? null : <p class="hint">{outside} in quarters that the world does not have</p>}
    </div>
  );
}

interface QuarterProps {
  readonly x: number;
  readonly y: number;
  readonly count: number;
  /** Of all externals. */
  readonly share: number;
}

function Quarter({ x, y, count, share }: QuarterProps) {
  return (
    <g>
      <rect
        class="pi-quarter"
        x={x + 0.5}
        y={y + 0.5}
        width="31"
        height="31"
        fill-opacity={count === 0 ? 0 : 0.2 + 0.5 * Math.min(1, share)}
      />
      {count === 0 ? null : (
        <text x={x + 29} y={y + 13}>
          {showCount(count)}
        </text>
      )}
    </g>
  );
}

function worldWords(counts: readonly number[]): string {
  return counts
    .flatMap((count, at) =>
      count === 0 ? [] : [`${count} in quarter ${at % WORLD_QUARTERS}, ${Math.floor(at / WORLD_QUARTERS)}`],
    )
    .join("; ");
}
