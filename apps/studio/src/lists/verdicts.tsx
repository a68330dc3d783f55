/** What the rules found, grouped by player and rule, as a chunk of the page. A row opens in the inspector, with the verdicts of its group. */
import type { ReadonlySignal } from "@preact/signals";
import type { Protocol } from "wirewalk/protocol";
import type { VerdictFilter } from "../app/address.ts";
import { verdictKey } from "../app/inspected.ts";
import type { Studio } from "../app/studio.ts";
import type { VerdictGroup } from "../feed/verdict-book.ts";
import { showPosition } from "../playback/position.ts";
import { useHeld } from "../ui/held.ts";
import { showMeasure } from "../ui/measure.ts";
import { moveFocus } from "../ui/roving.ts";
import { ruleTitle } from "../ui/rule-title.ts";
import { VerdictBadge } from "../ui/verdict-badge.tsx";
import { filterGroups, isShown, type Severity } from "./shown-groups.ts";

const severities: readonly { readonly severity: Severity; readonly label: string }[] = [
  { severity: "correct", label: "Refused" },
  { severity: "flag", label: "Flags too" },
  { severity: "benign", label: "All" },
];

/** Up to now, in seconds. */
const spans: readonly (readonly [seconds: number, label: string])[] = [
  [10, "Last 10 s"],
  [60, "Last minute"],
  [600, "Last 10 minutes"],
];

export interface VerdictsProps {
  readonly studio: Studio;
  /** Undefined until the game is loaded. */
  readonly protocol: Protocol | undefined;
  readonly severity: ReadonlySignal<Severity> & { value: Severity };
}

export function Verdicts({ studio, protocol, severity }: VerdictsProps) {
  const { items, isHeld, handlers } = useHeld(studio.verdicts.value);
  const found = filterGroups(studio, items);
  const shown = found.filter((group) => isShown(group, severity.value));
  const hidden = found.length - shown.length;
  const chosen = studio.inspected.value;
  const chosenKey = chosen?.kind === "verdict" ? groupKey(chosen.verdict) : undefined;
  const stop = shown.find(({ key }) => key === chosenKey)?.key ?? shown[0]?.key;
  return (
    <section class="verdicts" aria-label="Verdicts of all rooms">
      <div class="list-tools">
        <fieldset class="segments">
          <legend class="unseen">Show verdicts</legend>
          {severities.map((option) => (
            <button
              key={option.severity}
              type="button"
              aria-pressed={severity.value === option.severity}
              onClick={() => {
                severity.value = option.severity;
              }}
            >
              {option.label}
            </button>
          ))}
        </fieldset>
        <Filters studio={studio} protocol={protocol} />
        <span class="hint" role="status">
          {isHeld ? "paused while you point" : "all rooms, newest first"}
          {hidden > 0 ? `, ${hidden} less serious hidden` : ""}
        </span>
        <button type="button" class="quiet" onClick={() => studio.select({ kind: "rule", rule: "" })}>
          Rules
        </button>
      </div>
      {shown.length === 0 ? (
        <p class="empty">
          {found.length < items.length
            ? "None of the verdicts here is of this player, rule and time."
            : "No message was refused or flagged yet. What the rules find appears here."}
        </p>
      ) : (
        <ol
          class="verdict-rows"
          {...handlers}
          onKeyDown={(event) => moveFocus(event, { rows: ".verdict", onMove: (row) => row.click() })}
        >
          {shown.map((group) => (
            <li key={group.key}>
              <VerdictRow
                studio={studio}
                protocol={protocol}
                group={group}
                isStop={group.key === stop}
                isSelected={group.key === chosenKey}
              />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** By player, by rule and by time. Each offers what is in the list, and what is chosen. */
function Filters({ studio, protocol }: Pick<VerdictsProps, "studio" | "protocol">) {
  const { player, rule, lastSeconds } = studio.filter.value;
  const newest = studio.verdicts.value.map(({ verdicts: [first] }) => first);
  const of = <T,>(values: readonly T[], chosen: T | undefined): readonly T[] => [
    ...new Set(chosen === undefined ? values : [chosen, ...values]),
  ];
  const choose = (changed: Partial<Record<keyof VerdictFilter, string>>): void => {
    const number = (text: string | undefined): number | undefined => (text ? Number(text) : undefined);
    const before = studio.filter.peek();
    studio.filter.value = {
      player: "player" in changed ? number(changed.player) : before.player,
      rule: "rule" in changed ? changed.rule || undefined : before.rule,
      lastSeconds: "lastSeconds" in changed ? number(changed.lastSeconds) : before.lastSeconds,
    };
  };
  return (
    <>
      <Filter label="Of which player" all="All players" chosen={player} choose={(text) => choose({ player: text })}>
        {of(
          newest.map((each) => each.player),
          player,
        ).map((each) => [each, studio.nameOf(each)])}
      </Filter>
      <Filter label="By which rule" all="All rules" chosen={rule} choose={(text) => choose({ rule: text })}>
        {of(
          newest.map((each) => each.rule),
          rule,
        ).map((each) => [each, ruleTitle(protocol, each)])}
      </Filter>
      <Filter label="Since when" all="Any time" chosen={lastSeconds} choose={(text) => choose({ lastSeconds: text })}>
        {[...spans, ...(lastSeconds === undefined ? [] : [[lastSeconds, `Last ${lastSeconds} s`] as const])].filter(
          ([seconds], index, all) => all.findIndex(([other]) => other === seconds) === index,
        )}
      </Filter>
    </>
  );
}

interface FilterProps {
  readonly label: string;
  /** What it is called where it cuts nothing. */
  readonly all: string;
  readonly chosen: string | number | undefined;
  readonly choose: (value: string) => void;
  readonly children: readonly (readonly [value: string | number, label: string])[];
}

function Filter({ label, all, chosen, choose, children }: FilterProps) {
  return (
    <select
      class="filter"
      aria-label={label}
      value={chosen === undefined ? "" : String(chosen)}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {children.map(([value, name]) => (
        <option key={value} value={String(value)}>
          {name}
        </option>
      ))}
    </select>
  );
}

function groupKey({ player, room, kind, rule }: { player: number; room: string; kind: string; rule: string }): string {
  return `${player} ${room} ${kind} ${rule}`;
}

/** When it was found: in the recording that is played, or the time of day. Empty before the first snapshot of tracks. */
function timeOf(studio: Studio, atMs: number): string {
  const playback = studio.world.value?.playback;
  if (playback !== undefined) return showPosition(atMs - playback.startMs);
  const ago = studio.agoOf(atMs);
  return ago === undefined ? "" : new Date(Date.now() - ago).toTimeString().slice(0, 8);
}

interface VerdictRowProps extends Pick<VerdictsProps, "studio" | "protocol"> {
  readonly group: VerdictGroup;
  readonly isStop: boolean;
  readonly isSelected: boolean;
}

function VerdictRow({ studio, protocol, group, isStop, isSelected }: VerdictRowProps) {
  const [verdict] = group.verdicts;
  const { kind, rule, player, room, measured, allowed, unit } = verdict;
  return (
    <button
      type="button"
      class={`verdict verdict-${kind}`}
      key={verdictKey(verdict)}
      tabIndex={isStop ? 0 : -1}
      aria-pressed={isSelected}
      onClick={() => studio.select({ kind: "verdict", verdict, group: group.verdicts })}
    >
      <VerdictBadge kind={kind} />
      <time class="num hint">{timeOf(studio, verdict.atMs)}</time>
      <span class="verdict-rule">
        {ruleTitle(protocol, rule)} <span class="hint">{rule}</span>
      </span>
      <span class="verdict-who">
        {studio.nameOf(player)} <span class="hint">in room {room}</span>
      </span>
      <span class="verdict-measure">
        {measured === null ? null : allowed === null ? (
          <b>{showMeasure(measured, unit)}</b>
        ) : (
          <>
            <b>{showMeasure(measured, unit)}</b> <span class="hint">allowed {showMeasure(allowed, unit)}</span>
          </>
        )}
      </span>
      <span class="count num">{group.total === 1 ? "" : `× ${group.total}`}</span>
    </button>
  );
}
