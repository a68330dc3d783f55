/** A packet for other places: hex, JSON, a test vector, code, a link. */
import { useSignal } from "@preact/signals";
import { type CopyForm, copyAs } from "../model/copies.ts";
import type { Inspectable } from "../model/inspectable.ts";
import { MAX_LINK_BYTES } from "../model/permalink.ts";

const forms: readonly { readonly form: CopyForm; readonly label: string }[] = [
  { form: "hex", label: "Hex" },
  { form: "json", label: "JSON" },
  { form: "vector", label: "Test vector" },
  { form: "code", label: "Code" },
];

export interface CopyBarProps {
  readonly packet: Inspectable;
  /** The fragment of the address that leads back to the packet; undefined where it would be too long. */
  readonly link: string | undefined;
}

export function CopyBar({ packet, link }: CopyBarProps) {
  const said = useSignal("");
  const fallback = useSignal("");
  const { reading, exported, json } = packet;
  const copy = async (what: string, text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = `${what} copied`;
      fallback.value = "";
    } catch {
      // A page that was opened from a file may have no clipboard.
      said.value = `${what}: copy it from here`;
      fallback.value = text;
    }
  };
  return (
    <div class="copies">
      <div class="copy-buttons">
        <span class="hint">Copy as</span>
        {forms.map(({ form, label }) => {
          const text =
            exported !== undefined && (form === "hex" || reading !== undefined)
              ? copyAs(form, { reading: reading ?? noReading, ...exported })
              : undefined;
          return (
            <button
              key={form}
              type="button"
              class="quiet"
              disabled={text === undefined}
              onClick={() => void copy(label, text ?? "")}
            >
              {label}
            </button>
          );
        })}
        <button
          type="button"
          class="quiet"
          disabled={link === undefined}
          title={
            link === undefined ? `A link holds at most ${MAX_LINK_BYTES} bytes` : "The packet is in the link itself"
          }
          onClick={() => {
            if (link === undefined) return;
            history.replaceState(null, "", link);
            void copy("Link", window.location.href);
          }}
        >
          Link
        </button>
        <span class="said" role="status">
          {said.value}
        </span>
      </div>
      {exported === undefined ? (
        <p class="hint">No copy and no link: which names and chat of players are in the packet is not known.</p>
      ) : link === undefined ? (
        <p class="hint">No link: it holds at most {MAX_LINK_BYTES.toLocaleString("en")} bytes.</p>
      ) : null}
      {exported !== undefined && exported.json !== json ? (
        <p class="hint">From a file: copies and links have pseudonyms in place of names, and no chat.</p>
      ) : null}
      {fallback.value === "" ? null : (
        <textarea
          class="mono"
          aria-label="Text to copy"
          rows={6}
          readOnly
          value={fallback.value}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </div>
  );
}

const noReading = { protocol: "", part: "", dialect: "", sender: "client", framed: false } as const;
