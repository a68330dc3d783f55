/** The messages on the game's own socket, and the one that is looked at, from its bits to its verdict. */
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { FeedVerdict } from "@wirewalk/server/feed";
import { showHex } from "../bytes.ts";
import type { Inspected } from "../inspected.ts";
import { recordWords, type TracePayload, traceRecord, verdictBytes } from "../protocol-tools.ts";
import type { WireEntry } from "../wire-log.ts";
import { useHeld } from "./held.ts";
import { MessageView } from "./message-view.tsx";
import { VerdictBadge } from "./verdict-badge.tsx";

/** Lines drawn: what fits twice on a tall screen. Each is decoded when it is drawn. */
const SHOWN_LINES = 80;

/** Bytes of a message in its line. */
const LINE_BYTES = 12;

type Filter = "all" | "client" | "server";

const filters: readonly { readonly filter: Filter; readonly label: string }[] = [
  { filter: "all", label: "All" },
  { filter: "client", label: "Sent" },
  { filter: "server", label: "Received" },
];

export interface WirePanelProps {
  /** Reads the messages; undefined while no protocol is watched. */
  readonly trace: TracePayload | undefined;
  readonly entries: ReadonlySignal<readonly WireEntry[]>;
  /** What is looked at; a click on a line sets it. */
  readonly inspected: Signal<Inspected | undefined>;
  readonly canPlay: boolean;
  /** Whether the messages of a followed player appear too. */
  readonly follows: boolean;
  /** Whether the messages are those of all players: they pass through a relay, or a recording has them. */
  readonly source: "page" | "relay" | "recording";
}

export function WirePanel({ trace, entries, inspected, canPlay, follows, source }: WirePanelProps) {
  const filter = useSignal<Filter>("all");
  const { items, isHeld, paused, handlers, togglePause } = useHeld(entries.value);
  const shown = items.filter(({ sender }) => filter.value === "all" || sender === filter.value).slice(0, SHOWN_LINES);
  const chosen = inspected.value;
  const chosenId = chosen?.kind === "entry" ? chosen.entry.id : undefined;
  return (
    <section class="panel wire" aria-label="Wire log">
      <div class="wire-list">
        <div class="wire-head">
          <h2>
            Wire <span class="hint">{isHeld ? "held still" : "newest first"}</span>
          </h2>
          <fieldset class="segments">
            <legend class="unseen">Show messages</legend>
            {filters.map((option) => (
              <button
                key={option.filter}
                type="button"
                aria-pressed={filter.value === option.filter}
                onClick={() => {
                  filter.value = option.filter;
                }}
              >
                {option.label}
              </button>
            ))}
          </fieldset>
          <button type="button" class="quiet" aria-pressed={paused.value} onClick={togglePause}>
            {paused.value ? "Resume" : "Pause"}
          </button>
        </div>
        {shown.length === 0 ? (
          <p class="empty">
            {items.length > 0 ? "No message in this direction yet." : emptyWords(canPlay, follows, source)}
          </p>
        ) : (
          <ol class="wire-lines" {...handlers}>
            {trace === undefined
              ? null
              : shown.map((entry) => (
                  <li key={entry.id}>
                    <WireLine
                      trace={trace}
                      entry={entry}
                      ofAll={source !== "page"}
                      selected={chosenId === entry.id}
                      select={() => {
                        inspected.value = { kind: "entry", entry };
                      }}
                    />
                  </li>
                ))}
          </ol>
        )}
      </div>
      <div class="inspector" aria-live="off">
        {chosen === undefined || trace === undefined ? (
          <div class="inspector-empty">
            <p class="path" aria-hidden="true">
              <span>bits</span> <span>fields</span> <span>effect</span> <span>verdict</span>
            </p>
            <p class="empty">Choose a message to see the meaning of each bit and the effect of the message.</p>
          </div>
        ) : chosen.kind === "entry" ? (
          <InspectedEntry trace={trace} entry={chosen.entry} />
        ) : (
          <InspectedVerdict trace={trace} verdict={chosen.verdict} />
        )}
      </div>
    </section>
  );
}

function emptyWords(canPlay: boolean, follows: boolean, source: WirePanelProps["source"]): string {
  if (source === "recording") return "Play or step: every message of the recording appears here, down to the bit.";
  if (source === "relay")
    return "Connect a client to the relay: every message that passes appears here, down to the bit.";
  if (follows) return "What the server sends to the followed player appears here, down to the bit.";
  return canPlay
    ? "Join the room: every message that this page sends and receives appears here, down to the bit."
    : "No messages: this game can only be watched.";
}

interface WireLineProps {
  readonly trace: TracePayload;
  readonly entry: WireEntry;
  readonly ofAll: boolean;
  readonly selected: boolean;
  readonly select: () => void;
}

function WireLine({ trace, entry, ofAll, selected, select }: WireLineProps) {
  const { sender, payload, player } = entry;
  const verdict = entry.verdict.value;
  const more = payload.length > LINE_BYTES ? " …" : "";
  return (
    <button type="button" class={`wire-line wire-${sender}`} aria-pressed={selected} onClick={select}>
      <span class="wire-way">
        {sender === "client" ? "↑" : "↓"}{" "}
        {ofAll ? (player === 0 ? "all" : `#${player}`) : sender === "client" ? "sent" : "recv"}
      </span>
      <span class="wire-words">{recordWords(trace, entry)}</span>
      {verdict === undefined ? null : <VerdictBadge kind={verdict.kind} />}
      <span class="wire-hex">{showHex(payload.subarray(0, LINE_BYTES)) + more}</span>
    </button>
  );
}

function InspectedEntry({ trace, entry }: { readonly trace: TracePayload; readonly entry: WireEntry }) {
  const { sender, payload, player, before, after } = entry;
  return (
    <>
      <p class="inspected">
        <strong>{sender === "client" ? "↑ Sent" : "↓ Received"}</strong> message {entry.id}
        {player === undefined || player === 0 ? null : (
          <span>
            {" "}
            {sender === "client" ? "as" : "about"} player #{player}
          </span>
        )}
        <span class="hint"> · {payload.length} bytes</span>
      </p>
      <MessageView
        key={entry.id}
        sender={sender}
        payload={payload}
        trace={traceRecord(trace, entry)}
        before={before}
        after={after}
        verdict={entry.verdict.value}
      />
    </>
  );
}

function InspectedVerdict({ trace, verdict }: { readonly trace: TracePayload; readonly verdict: FeedVerdict }) {
  const payload = verdictBytes(verdict.message);
  return (
    <>
      <p class="inspected">
        <strong>Judged</strong> message of player #{verdict.player} in room {verdict.room}
        <span class="hint"> · {payload.length} bytes</span>
      </p>
      <MessageView
        key={`${verdict.player} ${verdict.atMs}`}
        sender="client"
        payload={payload}
        trace={trace("client", payload)}
        before={verdict.stateBefore}
        verdict={verdict}
      />
    </>
  );
}
