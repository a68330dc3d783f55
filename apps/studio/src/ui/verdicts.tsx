import { useSignal } from "@preact/signals";
import type { FeedPlayer, FeedVerdict } from "@wirewalk/server/feed";
import type { PlayerId } from "wirewalk/motion";
import { type TracePayload, verdictBytes } from "../protocol-tools.ts";
import type { VerdictGroup } from "../verdict-book.ts";
import { showMeasure } from "./format.ts";
import { useHeld } from "./held.ts";
import { MessageView } from "./message-view.tsx";
import { VerdictBadge } from "./verdict-badge.tsx";

export interface VerdictsProps {
  /** Reads the messages; undefined while no protocol is watched. */
  readonly trace: TracePayload | undefined;
  readonly groups: readonly VerdictGroup[];
  readonly players: ReadonlyMap<PlayerId, FeedPlayer>;
  /** Looks at it beside the wire log, where there is more room. */
  readonly inspect: (verdict: FeedVerdict) => void;
}

/** What the rules said, newest first; each opens to its evidence. */
export function Verdicts({ trace, groups, players, inspect }: VerdictsProps) {
  const { items, isHeld, handlers } = useHeld(groups);
  return (
    <section class="panel verdicts" aria-label="Verdicts of all rooms" {...handlers}>
      <h2>
        Verdicts <span class="hint">{isHeld ? "held still" : "all rooms, newest first"}</span>
      </h2>
      {items.length === 0 ? (
        <p class="empty">No verdicts other than accept yet. They appear here as they come.</p>
      ) : null}
      <ol>
        {trace === undefined
          ? null
          : items.map((group) => (
              <li key={group.key}>
                <VerdictItem
                  trace={trace}
                  group={group}
                  name={players.get(group.verdicts[0].player)?.name}
                  inspect={inspect}
                />
              </li>
            ))}
      </ol>
    </section>
  );
}

interface VerdictItemProps {
  readonly trace: TracePayload;
  readonly group: VerdictGroup;
  readonly name: string | undefined;
  readonly inspect: (verdict: FeedVerdict) => void;
}

function VerdictItem({ trace, group, name, inspect }: VerdictItemProps) {
  /** The verdicts as they were when this was opened: evidence does not change under the reader's eyes. */
  const opened = useSignal<readonly FeedVerdict[] | undefined>(undefined);
  const [{ kind, rule, player, room, measured, allowed, unit }] = group.verdicts;
  return (
    <details
      class={`verdict verdict-${kind}`}
      onToggle={(event) => {
        opened.value = event.currentTarget.open ? group.verdicts : undefined;
      }}
    >
      <summary>
        <span class="verdict-line">
          <VerdictBadge kind={kind} />
          <span class="verdict-rule">{rule}</span>
          {group.total === 1 ? null : <span class="count">× {group.total}</span>}
        </span>
        <span class="verdict-line hint">
          <span class="verdict-who">
            {name || `Player ${player}`} in room {room}
          </span>
          {measured === null ? null : (
            <span class="verdict-measure">
              <b>{showMeasure(measured, null)}</b> of {showMeasure(allowed, unit)}
            </span>
          )}
        </span>
      </summary>
      {/* Only what is open is decoded: a flock of cheaters makes many of these. */}
      {opened.value === undefined ? null : <Evidence trace={trace} verdicts={opened.value} inspect={inspect} />}
    </details>
  );
}

interface EvidenceProps {
  readonly trace: TracePayload;
  /** Newest first. */
  readonly verdicts: readonly FeedVerdict[];
  readonly inspect: (verdict: FeedVerdict) => void;
}

function Evidence({ trace, verdicts, inspect }: EvidenceProps) {
  const shown = useSignal(0);
  const verdict = verdicts[shown.value];
  if (verdict === undefined) return null;
  const payload = verdictBytes(verdict.message);
  const step = (by: number) => () => {
    shown.value = Math.min(verdicts.length - 1, Math.max(0, shown.value + by));
  };
  return (
    <div class="evidence">
      <p class="evidence-steps">
        {verdicts.length === 1 ? null : (
          <>
            <button type="button" class="quiet" disabled={shown.value === 0} onClick={step(-1)}>
              ‹ <span class="unseen">newer</span>
            </button>
            <span class="hint">
              {shown.value + 1} of the last {verdicts.length}
            </span>
            <button type="button" class="quiet" disabled={shown.value === verdicts.length - 1} onClick={step(1)}>
              › <span class="unseen">older</span>
            </button>
          </>
        )}
        <button type="button" class="quiet evidence-inspect" onClick={() => inspect(verdict)}>
          Inspect
        </button>
      </p>
      <MessageView
        sender="client"
        payload={payload}
        trace={trace("client", payload)}
        before={verdict.stateBefore}
        verdict={verdict}
      />
    </div>
  );
}
