/** The own line, to be made worse while one plays. */
import { useSignal } from "@preact/signals";
import type { BadLine } from "../games/bad-line.ts";
import { presetOf } from "../games/line-presets.ts";
import { lazy } from "./lazy.tsx";

const LineSettings = lazy(async () => (await import("./line-settings.tsx")).LineSettings, "the settings of your line");

export function LineMenu({ line }: { readonly line: BadLine }) {
  const isOpened = useSignal(false);
  return (
    <details
      class="menu line-menu"
      onToggle={() => {
        isOpened.value = true;
      }}
    >
      <summary class="quiet">Your line: {presetOf(line.settings.value)?.name.toLowerCase() ?? "changed"}</summary>
      {isOpened.value ? <LineSettings line={line} /> : null}
    </details>
  );
}
