/** The dialogs of the page, loaded when the first is opened. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { SheetsProps } from "./sheets.tsx";

export function LazySheets(props: SheetsProps) {
  const show = useSignal<((props: SheetsProps) => VNode | null) | undefined>(undefined);
  const isOpen = props.sheet.value !== undefined;
  useEffect(() => {
    if (isOpen) void load();
  }, [isOpen]);

  async function load(): Promise<void> {
    try {
      show.value = (await import("./sheets.tsx")).Sheets;
    } catch {
      show.value = () => <p role="alert">This could not be loaded. Reload the page.</p>;
    }
  }

  return isOpen && show.value !== undefined ? <show.value {...props} /> : null;
}
