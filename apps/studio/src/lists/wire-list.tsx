/** The messages of the wire, newest first: of the own socket, of the followed player, of a relay. */
import { type Signal, useSignal } from "@preact/signals";
import type { FeedVerdict } from "@wirewalk/server/feed";
import { useLayoutEffect } from "preact/hooks";
import { verdictKey } from "../app/inspected.ts";
import type { Studio } from "../app/studio.ts";
import { showHex } from "../feed/bytes.ts";
import { recordRow, type TracePayload } from "../feed/protocol-tools.ts";
import type { WireEntry } from "../feed/wire-log.ts";
import { showPosition } from "../playback/position.ts";
import { useHeld } from "../ui/held.ts";
import { moveFocus } from "../ui/roving.ts";
import { useSight } from "../ui/sight.ts";
import { VerdictBadge } from "../ui/verdict-badge.tsx";

/** Rows at most: what fits twice on a tall screen. */
const MAX_ROWS = 80;
/** Height of a row, as the style sheet has it, in CSS pixels. */
const ROW_PX = 24;
/** Rows that are made below those in sight, and rows that are made while the height of the list is not known. */
const SPARE_ROWS = 8;
const FIRST_ROWS = 30;

type Sender = "all" | "client" | "server";

const senders: readonly { readonly sender: Sender; readonly label: string }[] = [
  { sender: "all", label: "All" },
  { sender: "client", label: "Sent" },
  { sender: "server", label: "Received" },
];

export interface WireListProps {
  readonly studio: Studio;
  /** Reads the messages; undefined while no protocol is watched. */
  readonly trace: TracePayload | undefined;
  readonly canPlay: boolean;
  /** What is searched: it stays while another list is open. */
  readonly search: Signal<string>;
}

export function WireList({ studio, trace, canPlay, search }: WireListProps) {
  const sender = useSignal<Sender>("all");
  const copied = useSignal("");
  const isTable = useSignal(false);
  const { items, isHeld, paused, handlers, togglePause } = useHeld(studio.wire.shown.value);
  const { ref, sight } = useSight<HTMLOListElement>();
  const chosen = studio.inspected.value;
  const fitting = trace === undefined ? [] : items.filter(matches);
  // The message that a verdict is about may be far down: the list is then of those around it.
  const judgedAt = chosen?.kind === "verdict" ? fitting.findIndex((entry) => isAbout(entry, chosen.verdict)) : -1;
  const first = judgedAt < MAX_ROWS - SPARE_ROWS ? 0 : judgedAt - MAX_ROWS / 2;
  const shown = fitting.slice(first, first + MAX_ROWS);
  const judgedId = fitting[judgedAt]?.id;
  // A fast wire makes all rows anew five times a second. While the list is held nothing is made: then all rows are there.
  const { top, height } = sight.value;
  const inSight = Math.max(
    height === 0 ? FIRST_ROWS : Math.ceil((top + height) / ROW_PX) + SPARE_ROWS,
    judgedAt - first + FIRST_ROWS,
  );
  const made = isHeld ? shown : shown.slice(0, inSight);
  const chosenId = chosen?.kind === "entry" ? chosen.entry.id : judgedId;
  const stop = made.find(({ id }) => id === chosenId)?.id ?? made[0]?.id;

  // Once for each verdict, and not while the reader points at other rows.
  useLayoutEffect(() => {
    const list = ref.current;
    if (list === null || judgedId === undefined || isHeld) return;
    list.scrollTop = Math.max(0, (judgedAt - first + 1.5) * ROW_PX - list.clientHeight / 2);
  }, [judgedId, isTable.value]);

  function matches(entry: WireEntry): boolean {
    if (sender.value !== "all" && entry.sender !== sender.value) return false;
    const words = search.value.trim().toLowerCase();
    if (words === "" || trace === undefined) return true;
    const { message, values } = recordRow(trace, entry);
    const text = `${message} ${values} ${whoOf(studio, entry)} ${entry.id}`.toLowerCase();
    return words.split(/\s+/).every((word) => text.includes(word));
  }

  const copy = async (): Promise<void> => {
    if (trace === undefined) return;
    const lines = shown.map((entry) => rowTexts(studio, trace, entry).join("\t"));
    try {
      await navigator.clipboard.writeText(lines.join("\n"));
      copied.value = `${shown.length} rows copied`;
    } catch {
      copied.value = "This browser does not let the page copy";
    }
  };

  return (
    <section class="wire" aria-label="Wire log">
      <div class="list-tools">
        <fieldset class="segments">
          <legend class="unseen">Show messages</legend>
          {senders.map((option) => (
            <button
              key={option.sender}
              type="button"
              aria-pressed={sender.value === option.sender}
              onClick={() => {
                sender.value = option.sender;
              }}
            >
              {option.label}
            </button>
          ))}
        </fieldset>
        <input
          type="search"
          class="search"
          aria-label="Search messages"
          placeholder="Search: message, field, value, player"
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
          }}
        />
        <span class="hint" role="status">
          {copied.value === "" ? (isHeld ? "paused while you point" : orderWords(first)) : copied.value}
        </span>
        <button type="button" class="quiet" disabled={shown.length === 0} onClick={() => void copy()}>
          Copy
        </button>
        <button
          type="button"
          class="quiet"
          aria-pressed={isTable.value}
          title="Rows and columns for screen readers, of the messages that are here now"
          onClick={() => {
            isTable.value = !isTable.peek();
            if (isTable.peek() !== paused.peek()) togglePause();
          }}
        >
          Table
        </button>
        <button type="button" class="quiet" aria-pressed={paused.value} onClick={togglePause}>
          {paused.value ? "Resume" : "Hold"}
        </button>
      </div>
      {trace === undefined || shown.length === 0 ? (
        <p class="empty">{items.length > 0 ? "No message fits this filter." : emptyWords(studio, canPlay)}</p>
      ) : isTable.value ? (
        <WireTable studio={studio} trace={trace} entries={shown} chosenId={chosenId} />
      ) : (
        <ol
          ref={ref}
          class="wire-rows"
          aria-label="Messages, newest first"
          {...handlers}
          onKeyDown={(event) => moveFocus(event, { rows: ".wire-line", onMove: (row) => row.click() })}
        >
          <li class="wire-head" aria-hidden="true">
            {["time", "#", "", "player", "message", "values", "bytes"].map((name) => (
              <span key={name} class={name === "#" || name === "bytes" ? "num" : ""}>
                {name}
              </span>
            ))}
          </li>
          {made.map((entry) => (
            <li key={entry.id}>
              <WireRow
                studio={studio}
                trace={trace}
                entry={entry}
                isStop={entry.id === stop}
                isSelected={entry.id === chosenId}
              />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function isAbout({ verdict }: WireEntry, judged: FeedVerdict): boolean {
  return verdict.value !== undefined && verdictKey(verdict.value) === verdictKey(judged);
}

function orderWords(left: number): string {
  return left === 0 ? "newest first" : `newest first, ${left} newer ones left out`;
}

function emptyWords(studio: Studio, canPlay: boolean): string {
  const world = studio.world.value;
  if (world?.playback !== undefined) return "Messages of the recording appear here as it plays, down to the bit.";
  if (world?.relayTo !== undefined)
    return "Connect a client to the relay: every message that passes appears here, down to the bit.";
  const followed = studio.followed.value;
  if (followed !== undefined && followed === studio.self.value?.player)
    return "What you send and receive appears here as soon as you move, down to the bit.";
  if (followed !== undefined)
    return `Messages between ${studio.nameOf(followed)} and the server appear here, down to the bit.`;
  return canPlay
    ? "Play, or select a player: its messages appear here in both directions, down to the bit."
    : "Select a player: its messages appear here in both directions, down to the bit.";
}

/** Who sent it, or to whom it was sent. */
export function whoOf(studio: Studio, { player }: WireEntry): string {
  const self = studio.self.value;
  if (player === undefined || player === self?.player) return "you";
  // Of a recording: a broadcast to a room.
  if (player === 0) return "all";
  return studio.nameOf(player);
}

/** `12:03:04.220` of the page's clock. */
export function showTime(atMs: number): string {
  const date = new Date(performance.timeOrigin + atMs);
  return `${date.toLocaleTimeString("en-GB")}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** When a message passed: the time of day, or the position in a recording, `0:05.213`. */
export function entryTime({ atMs, recordedMs }: Pick<WireEntry, "atMs" | "recordedMs">): string {
  return recordedMs === undefined ? showTime(atMs) : showPosition(recordedMs, 3);
}

/** The columns of a row, and its bytes. */
function rowTexts(studio: Studio, trace: TracePayload, entry: WireEntry): readonly string[] {
  const { message, values } = recordRow(trace, entry);
  const { id, sender, payload } = entry;
  return [
    entryTime(entry),
    String(id),
    sender,
    whoOf(studio, entry),
    message,
    values,
    String(payload.length),
    showHex(payload),
  ];
}

interface WireTableProps {
  readonly studio: Studio;
  readonly trace: TracePayload;
  readonly entries: readonly WireEntry[];
  readonly chosenId: number | undefined;
}

/** The same messages as a table, whose cells are read with their columns. It holds still: rows that move cannot be read out. */
function WireTable({ studio, trace, entries, chosenId }: WireTableProps) {
  return (
    <div class="wire-table">
      <table>
        <caption class="unseen">Messages, newest first</caption>
        <thead>
          <tr>
            {["number", "time", "sender", "player", "message", "verdict", "values", "bytes"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => {
            const [time, number, sender, player, message, values, length] = rowTexts(studio, trace, entry);
            return (
              <tr key={entry.id} aria-current={entry.id === chosenId ? "true" : undefined}>
                <th scope="row">
                  <button type="button" class="plain" onClick={() => studio.select({ kind: "entry", entry })}>
                    {number}
                  </button>
                </th>
                <td>{time}</td>
                <td>{sender}</td>
                <td>{player}</td>
                <td>{message}</td>
                <td>{entry.verdict.value?.kind ?? (entry.sender === "client" ? "accept" : "")}</td>
                <td>{values}</td>
                <td class="num">{length}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface WireRowProps {
  readonly studio: Studio;
  readonly trace: TracePayload;
  readonly entry: WireEntry;
  readonly isStop: boolean;
  readonly isSelected: boolean;
}

function WireRow({ studio, trace, entry, isStop, isSelected }: WireRowProps) {
  const { id, sender, payload } = entry;
  const verdict = entry.verdict.value;
  const { message, values } = recordRow(trace, entry);
  return (
    <button
      type="button"
      class={`wire-line wire-${sender}`}
      tabIndex={isStop ? 0 : -1}
      aria-pressed={isSelected}
      onClick={() => studio.select({ kind: "entry", entry })}
    >
      <span class="wire-time">{entryTime(entry)}</span>
      <span class="num wire-number">{id.toLocaleString("en")}</span>
      <span class="wire-way">
        <span aria-hidden="true">{sender === "client" ? "→" : "←"}</span>
        <span class="unseen">{sender === "client" ? "to the server" : "from the server"}</span>
      </span>
      <span class="wire-who">{whoOf(studio, entry)}</span>
      <span class="wire-message">
        {message}
        {verdict === undefined ? null : <VerdictBadge kind={verdict.kind} />}
      </span>
      <span class="wire-values">{values}</span>
      <span class="num wire-length">{payload.length}</span>
    </button>
  );
}
