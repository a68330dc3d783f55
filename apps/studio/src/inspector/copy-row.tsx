/** A message for other places: hex, JSON, the inspector of bytes. */
import { useSignal } from "@preact/signals";
import type { PayloadTrace } from "wirewalk/protocol";
import type { Studio } from "../app/studio.ts";
import { showHex } from "../feed/bytes.ts";
import { writeLink } from "../inspect/model/permalink.ts";

export interface CopyRowProps {
  readonly studio: Studio;
  readonly sender: "client" | "server";
  readonly payload: Uint8Array;
  readonly trace: PayloadTrace;
}

export function CopyRow({ studio, sender, payload, trace }: CopyRowProps) {
  const said = useSignal("");
  const world = studio.world.value;
  const copy = (what: string, text: string) => async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = `${what} copied`;
    } catch {
      said.value = "This browser does not let the page copy";
    }
  };
  const copyJson = (): Promise<void> => {
    const fields = Object.fromEntries(trace.fields.map(({ path, raw }) => [path, raw]));
    const message = {
      protocol: world?.protocol,
      dialect: world?.dialect,
      sender,
      message: trace.message?.message,
      fields,
    };
    // Numbers of 64 bits have no form in JSON.
    return copy(
      "JSON",
      JSON.stringify(message, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    )();
  };
  // What protocol it is, is tried: a game of several parts has several readings.
  const link = writeLink({ reading: undefined, bytes: payload });
  return (
    <div class="copy-row">
      <button type="button" class="quiet" onClick={copy("Hex", showHex(payload))}>
        Copy as hex
      </button>
      <button type="button" class="quiet" onClick={() => void copyJson()}>
        as JSON
      </button>
      {link === undefined ? null : (
        <a class="quiet" href={link}>
          Open in the inspector
        </a>
      )}
      <span class="hint" role="status">
        {said.value}
      </span>
    </div>
  );
}
