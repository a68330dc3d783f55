/** The packets of a source: filter, columns, statistics, and a list of any length. Choosing a row shows its packet. */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { FilterError, filterFields, parseFilter } from "wirewalk/capture";
import type { Inspector } from "../model/inspector.ts";
import { columnsFault, defaultColumns } from "../source/columns.ts";
import type { PacketSource, StatisticsTable } from "../source/packet-source.ts";
import { VirtualRows } from "./virtual-rows.tsx";

const ROW_PX = 24;

/** A filter follows the typing after this pause: a million records take a second. */
const TYPING_MS = 250;

export interface PacketListProps {
  readonly inspector: Inspector;
  readonly source: PacketSource;
}

export function PacketList({ inspector, source }: PacketListProps) {
  const id = useId();
  const filter = useSignal("");
  const columnsText = useSignal(defaultColumns.join(", "));
  const columns = useSignal(defaultColumns);
  const tables = useSignal<readonly StatisticsTable[] | undefined>(undefined);
  const fault = useComputed(() => filterFault(filter.value)).value;
  const columnFault = useComputed(() => columnsFault(columnsOf(columnsText.value))).value;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const status = source.status.value;
  useEffect(() => {
    filter.value = "";
    tables.value = undefined;
    source.show("", columns.peek());
    return () => clearTimeout(timer.current);
  }, [source]);
  const show = (delayMs: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (filterFault(filter.peek()) !== undefined) return;
      const wanted = columnsOf(columnsText.peek());
      if (wanted.length > 0 && columnsFault(wanted) === undefined) columns.value = wanted;
      inspector.row.value = -1;
      source.show(filter.peek().trim(), columns.peek());
    }, delayMs);
  };
  const { pause } = source;
  return (
    <section class="panel list" aria-label="Packets">
      <div class="list-head">
        <h2>{source.title}</h2>
        <span class="grow" />
        {pause === undefined ? null : (
          <button type="button" class="quiet" aria-pressed={pause.paused.value} onClick={() => pause.toggle()}>
            {pause.paused.value ? "Resume" : "Pause"}
          </button>
        )}
        {source.play === undefined ? null : (
          <button type="button" class="primary" onClick={source.play}>
            Play
          </button>
        )}
        {source.statistics === undefined ? null : (
          <button
            type="button"
            class="quiet"
            aria-pressed={tables.value !== undefined}
            onClick={async () => {
              tables.value = tables.peek() === undefined ? await source.statistics?.() : undefined;
            }}
          >
            Statistics
          </button>
        )}
        <button type="button" class="quiet" onClick={() => inspector.closeSource()} hidden={inspector.isPasted(source)}>
          Close
        </button>
      </div>
      <div class="list-tools">
        <label class="tool">
          <span>Filter</span>
          <input
            type="text"
            class="mono"
            value={filter.value}
            placeholder="message == movePlayer && value.x > 100"
            spellcheck={false}
            autocomplete="off"
            aria-invalid={fault !== undefined}
            aria-describedby={`${id}-fault`}
            onInput={(event) => {
              filter.value = event.currentTarget.value;
              show(TYPING_MS);
            }}
          />
        </label>
        <label class="tool columns">
          <span>Columns</span>
          <input
            type="text"
            class="mono"
            value={columnsText.value}
            spellcheck={false}
            autocomplete="off"
            aria-invalid={columnFault !== undefined}
            aria-describedby={`${id}-columns`}
            title={`Any of ${filterFields.join(", ")}; value.x for a field of a message`}
            onInput={(event) => {
              columnsText.value = event.currentTarget.value;
              show(TYPING_MS);
            }}
          />
        </label>
      </div>
      <p class="fault" id={`${id}-fault`} role="status" hidden={fault === undefined}>
        {fault === undefined ? "" : fault.text}
        {fault === undefined ? null : <FaultPlace filter={filter.value} position={fault.position} />}
      </p>
      <p class="fault" id={`${id}-columns`} role="status" hidden={columnFault === undefined}>
        {columnFault}
      </p>
      {status.failed === undefined ? null : (
        <p class="fault" role="alert">
          {status.failed}
        </p>
      )}
      {tables.value === undefined ? (
        <Rows inspector={inspector} source={source} columns={columns.value} />
      ) : (
        <Statistics tables={tables.value} />
      )}
      <p class="list-status" role="status">
        {status.progress === undefined ? null : (
          <progress value={status.progress} aria-label="Read so far">
            {Math.round(status.progress * 100)} %
          </progress>
        )}
        <span>
          {status.rows === status.all
            ? `${status.all.toLocaleString("en")} rows`
            : `${status.rows.toLocaleString("en")} of ${status.all.toLocaleString("en")} rows`}
        </span>
        <span class="hint">{status.text}</span>
      </p>
    </section>
  );
}

interface FilterFault {
  readonly text: string;
  /** The character, from 1. */
  readonly position: number;
}

function filterFault(filter: string): FilterFault | undefined {
  if (filter.trim() === "") return undefined;
  try {
    parseFilter(filter);
    return undefined;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return { text: error.message, position: error.position };
  }
}

/** The filter with the wrong character marked. */
function FaultPlace({ filter, position }: { readonly filter: string; readonly position: number }) {
  const at = position - 1;
  return (
    <code class="fault-place" aria-hidden="true">
      {filter.slice(0, at)}
      <mark>{filter.slice(at, at + 1) || "␣"}</mark>
      {filter.slice(at + 1)}
    </code>
  );
}

function columnsOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((column) => column.trim())
    .filter((column) => column !== "");
}

interface RowsProps extends PacketListProps {
  readonly columns: readonly string[];
}

function Rows({ inspector, source, columns }: RowsProps) {
  const id = useId();
  // Read for its changes: rows come when they are asked for.
  void source.revision.value;
  const { rows } = source.status.value;
  const active = inspector.row.value;
  const choose = (row: number): void => {
    if (rows > 0) void inspector.chooseRow(Math.min(Math.max(0, row), rows - 1));
  };
  const key = (event: KeyboardEvent, pageRows: number): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + pageRows,
      PageUp: active - pageRows,
      Home: 0,
      End: rows - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };
  const style = { ...gridOf(columns), height: `${ROW_PX}px` };
  return (
    <VirtualRows
      count={rows}
      rowPx={ROW_PX}
      active={active}
      class="rows"
      role="grid"
      label="Packets"
      attributes={{ "aria-rowcount": rows + 1, "aria-colcount": columns.length }}
      activeId={active < 0 ? undefined : `${id}-${active}`}
      onKey={key}
      head={
        <div class="row head" role="row" aria-rowindex={1} style={style}>
          {columns.map((column) => (
            <span key={column} role="columnheader" tabIndex={-1}>
              {column}
            </span>
          ))}
        </div>
      }
      row={(index) => {
        const row = source.row(index);
        const isChosen = index === active;
        return (
          // Keys are taken by the grid, which has the focus.
          <div
            id={`${id}-${index}`}
            role="row"
            tabIndex={-1}
            aria-rowindex={index + 2}
            aria-selected={isChosen}
            class={`row ${row?.kind ?? "coming"} from-${row?.sender ?? "client"} ${isChosen ? "chosen" : ""}`}
            style={style}
            onClick={() => choose(index)}
          >
            {row === undefined
              ? columns.map((column) => <span key={column} role="gridcell" tabIndex={-1} class="cell" />)
              : row.cells.map((cell, at) => (
                  <span key={columns[at]} role="gridcell" tabIndex={-1} class={`cell cell-${columns[at]}`}>
                    {columns[at] === "direction" ? (cell === "client" ? "↑ client" : "↓ server") : cell}
                  </span>
                ))}
          </div>
        );
      }}
    />
  );
}

/** Least widths of columns with a known content, in pixels. */
const WIDTHS: Readonly<Record<string, number>> = {
  time: 84,
  epoch: 140,
  direction: 72,
  message: 110,
  value: 180,
  bytes: 48,
  packet: 72,
  protocol: 110,
  dialect: 90,
  kind: 72,
  gap: 72,
  flow: 280,
};
const OTHER_PX = 90;
/** Between columns, and beside the outer ones. */
const GAP_PX = 8;
const BESIDE_PX = 24;

/** The columns of every row. The value takes what is left; a narrow screen scrolls. */
function gridOf(columns: readonly string[]): { readonly gridTemplateColumns: string; readonly minWidth: string } {
  const widths = columns.map((column) => WIDTHS[column] ?? OTHER_PX);
  const template = columns.map((column, index) => {
    const px = `${widths[index]}px`;
    return column === "value" ? `minmax(${px}, 1fr)` : px;
  });
  const least = widths.reduce((sum, px) => sum + px, BESIDE_PX + GAP_PX * (columns.length - 1));
  return { gridTemplateColumns: template.join(" "), minWidth: `${least}px` };
}

function Statistics({ tables }: { readonly tables: readonly StatisticsTable[] }) {
  return (
    // It scrolls: the keyboard must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard.
    <div class="statistics" role="region" aria-label="Statistics" tabIndex={0}>
      {tables.map(({ title, columns, rows }) => (
        <table key={title}>
          <caption>{title}</caption>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={index} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.slice(0, 3).join(" ")}>
                {row.map((cell, index) => (
                  <td key={index} class={/^[\d.,]+$/.test(cell) ? "number" : ""}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}
