/** The lists under the drawing: tabs that fold. */
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { Protocol } from "wirewalk/protocol";
import type { Studio } from "../app/studio.ts";
import type { TracePayload } from "../feed/protocol-tools.ts";
import type { RoomView } from "../games/game-view.ts";
import { type Layout, type Tab, tabs } from "../shell/layout.ts";
import { lazy } from "../ui/lazy.tsx";
import { moveFocus } from "../ui/roving.ts";
import { Players } from "./players.tsx";
import { type Severity, shownGroups } from "./shown-groups.ts";
import { WireList } from "./wire-list.tsx";

export interface ListsProps {
  readonly studio: Studio;
  /** Whose verdicts and bans are listed: beside the seconds of one of them those of the live world. */
  readonly verdictStudio: Studio;
  readonly layout: Layout;
  readonly view: RoomView | undefined;
  /** Undefined until the game is loaded. */
  readonly protocol: Protocol | undefined;
  readonly trace: TracePayload | undefined;
  readonly severity: ReadonlySignal<Severity> & { value: Severity };
  /** What is searched on the wire. */
  readonly search: Signal<string>;
}

const Verdicts = lazy(async () => (await import("./verdicts.tsx")).Verdicts, "the list of verdicts");
const Bans = lazy(async () => (await import("./bans.tsx")).Bans, "the list of bans");
const Rates = lazy(async () => (await import("../ui/rates.tsx")).Rates, "the rates");

const titles: Readonly<Record<Tab, string>> = {
  wire: "Wire",
  players: "Players",
  verdicts: "Verdicts",
  bans: "Bans",
  traffic: "Traffic",
};

export function Lists({ studio, verdictStudio, layout, view, protocol, trace, severity, search }: ListsProps) {
  const { tab, isFolded } = layout;
  const counts: Readonly<Partial<Record<Tab, number>>> = {
    players: studio.players.value.size,
    verdicts: shownGroups(verdictStudio, severity.value).length,
    bans: verdictStudio.bans.value.length,
  };
  const open = (next: Tab): void => {
    isFolded.value = next === tab.peek() && !isFolded.peek();
    tab.value = next;
  };
  return (
    <section class={`lists ${isFolded.value ? "is-folded" : ""}`} aria-label="Lists">
      <div class="tab-bar">
        <div
          class="tabs"
          role="tablist"
          aria-label="Lists"
          onKeyDown={(event) => moveFocus(event, { rows: "[role=tab]", isAcross: true })}
        >
          {tabs.map((each) => {
            const isOpen = each === tab.value && !isFolded.value;
            return (
              <button
                key={each}
                type="button"
                role="tab"
                id={`tab-${each}`}
                aria-selected={isOpen}
                aria-controls={isOpen ? "list" : undefined}
                tabIndex={each === tab.value ? 0 : -1}
                onClick={() => open(each)}
              >
                {titles[each]}
                {counts[each] === undefined ? null : <span class="count"> {counts[each]}</span>}
              </button>
            );
          })}
        </div>
        <button
          type="button"
          class="fold"
          aria-expanded={!isFolded.value}
          aria-label={isFolded.value ? "Show the list" : "Fold the list"}
          onClick={() => open(tab.peek())}
        >
          {isFolded.value ? "▴" : "▾"}
        </button>
      </div>
      {isFolded.value ? null : (
        <div class="list-body" role="tabpanel" id="list" aria-labelledby={`tab-${tab.value}`}>
          <List tab={tab.value} {...{ studio, verdictStudio, view, protocol, trace, severity, search }} />
        </div>
      )}
    </section>
  );
}

function List({
  studio,
  verdictStudio,
  tab,
  view,
  protocol,
  trace,
  severity,
  search,
}: Omit<ListsProps, "layout"> & { readonly tab: Tab }) {
  switch (tab) {
    case "wire":
      // Held rows of one game mean nothing in the next.
      return (
        <WireList
          key={studio.world.value?.name}
          studio={studio}
          trace={trace}
          canPlay={canPlay(view)}
          search={search}
        />
      );
    case "players":
      return <Players studio={studio} view={view} />;
    case "verdicts":
      return <Verdicts key={studio.world.value?.name} studio={verdictStudio} protocol={protocol} severity={severity} />;
    case "bans":
      return <Bans studio={verdictStudio} />;
    case "traffic":
      return <Rates rates={studio.rates.value} />;
  }
}

function canPlay(view: RoomView | undefined): boolean {
  return view === undefined || view.controls.length > 0;
}
