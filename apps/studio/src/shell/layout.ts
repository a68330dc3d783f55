/** How the person at the page has arranged it: kept in the browser, where it keeps anything. */
import { effect, type Signal, signal } from "@preact/signals";

export const tabs = ["wire", "players", "verdicts", "bans", "traffic"] as const;

export type Tab = (typeof tabs)[number];

export interface Layout {
  /** Width of the inspector and height of the lists in pixels; undefined: as the style sheet has it. */
  readonly inspector: Signal<number | undefined>;
  readonly lists: Signal<number | undefined>;
  readonly tab: Signal<Tab>;
  /** The lists are folded: their tabs alone are shown. */
  readonly isFolded: Signal<boolean>;
  /** The sentence of a first visit was closed. */
  readonly isGreeted: Signal<boolean>;
  readonly hasLegend: Signal<boolean>;
}

const KEY = "wirewalk-layout";

/** The kept layout, which is kept again after every change. */
export function keptLayout(storage: Pick<Storage, "getItem" | "setItem">): Layout {
  const kept = read(storage);
  const size = (name: string): number | undefined => {
    const value = kept[name];
    return typeof value === "number" && value > 0 ? value : undefined;
  };
  const layout: Layout = {
    inspector: signal(size("inspector")),
    lists: signal(size("lists")),
    tab: signal(tabs.find((tab) => tab === kept.tab) ?? "wire"),
    isFolded: signal(kept.isFolded === true),
    isGreeted: signal(kept.isGreeted === true),
    hasLegend: signal(kept.hasLegend === true),
  };
  let isFirst = true;
  effect(() => {
    const values = Object.entries(layout).map(([name, { value }]) => [name, value]);
    if (!isFirst) write(storage, JSON.stringify(Object.fromEntries(values)));
    isFirst = false;
  });
  return layout;
}

function read(storage: Pick<Storage, "getItem">): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    // A browser whose storage is disabled throws, and so does text that is no JSON.
    return {};
  }
}

function write(storage: Pick<Storage, "setItem">, text: string): void {
  try {
    storage.setItem(KEY, text);
  } catch {
    // Then the layout lasts as long as the page.
  }
}
