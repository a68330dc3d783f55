/** The whole inspector: bytes in, a list of packets where there are several, and the packet that is looked at. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { listenToDrops } from "../../ui/drops.ts";
import type { Inspectable } from "../model/inspectable.ts";
import type { Inspector } from "../model/inspector.ts";
import { readingName } from "../model/reading.ts";
import { CopyBar } from "./copy-bar.tsx";
import { DiffView } from "./diff-view.tsx";
import { EffectView } from "./effect-view.tsx";
import { InputPanel } from "./input-panel.tsx";
import { PacketList } from "./packet-list.tsx";
import { PacketView } from "./packet-view.tsx";

export function InspectorView({ inspector }: { readonly inspector: Inspector }) {
  const isOver = useSignal(false);
  const source = inspector.source.value;
  const isEmpty = source === undefined && inspector.shown.value === undefined;
  useEffect(() => openDrops(inspector, (over) => (isOver.value = over)), [inspector]);
  return (
    <main
      class={`inspect ${isOver.value ? "over" : ""} ${source === undefined ? "" : "has-list"} ${isEmpty ? "is-empty" : ""}`}
    >
      <div class="inspect-in">
        <p class="inspect-words">
          Paste a packet, or drop a capture: each bit is explained.{" "}
          <span class="hint">Nothing leaves this browser.</span>
        </p>
        <InputPanel inspector={inspector} />
        {source === undefined ? null : <PacketList inspector={inspector} source={source} />}
      </div>
      <div class="inspect-out">
        <Shown inspector={inspector} />
      </div>
      {isOver.value ? (
        <p class="drop-here" aria-hidden="true">
          Drop the file to open it
        </p>
      ) : null}
    </main>
  );
}

/** The packet that is looked at, and what it is compared with. */
function Shown({ inspector }: { readonly inspector: Inspector }) {
  const packet = inspector.shown.value;
  const pinned = inspector.pinned.value;
  const dialect = inspector.otherDialect.value;
  if (packet === undefined) {
    return (
      <section class="panel shown" aria-label="Packet">
        <p class="empty">
          {inspector.row.value >= 0 && inspector.source.value !== undefined
            ? "These bytes are missing in the capture."
            : inspector.source.value === undefined
              ? "Bytes, fields and bits of a packet stand here. Begin with an example, or paste your own."
              : "Choose a packet in the list."}
        </p>
      </section>
    );
  }
  const other = dialect === undefined ? undefined : inspector.readBy(packet, dialect);
  const isCompared = pinned !== undefined && pinned.key !== packet.key;
  return (
    <>
      <section class="panel shown" aria-label="Packet">
        <div class="shown-head">
          <h2>{packet.title}</h2>
          <span class="hint">
            {packet.sender === "client" ? "↑ from the client" : "↓ from the server"} · {packet.parts[0].bytes.length}{" "}
            bytes
            {packet.reading === undefined ? "" : ` · ${packet.reading.protocol} ${packet.reading.dialect}`} ·{" "}
            {packet.origin}
          </span>
        </div>
        <div class="shown-tools">
          <button
            type="button"
            class="quiet"
            aria-pressed={pinned?.key === packet.key}
            onClick={() => {
              inspector.pinned.value = pinned?.key === packet.key ? undefined : packet;
            }}
          >
            {pinned?.key === packet.key ? "Pinned: choose another to compare" : "Pin to compare"}
          </button>
          <OtherDialect inspector={inspector} packet={packet} />
        </div>
        <CopyBar packet={packet} link={inspector.link} />
        <PacketView key={packet.key} packet={packet} protocols={inspector.protocols} />
      </section>
      {isCompared ? (
        <DiffView
          first={pinned}
          second={packet}
          firstName="pinned"
          secondName="this one"
          close={() => {
            inspector.pinned.value = undefined;
          }}
        />
      ) : null}
      {other === undefined || dialect === undefined ? null : (
        <DiffView
          first={packet}
          second={other}
          firstName={packet.reading?.dialect ?? ""}
          secondName={dialect}
          close={() => {
            inspector.otherDialect.value = undefined;
          }}
        />
      )}
      <EffectView key={packet.key} packet={packet} />
    </>
  );
}

function OtherDialect({ inspector, packet }: { readonly inspector: Inspector; readonly packet: Inspectable }) {
  const { reading } = packet;
  const dialects = inspector.protocols[reading?.protocol ?? ""]?.dialects ?? [];
  if (reading === undefined || dialects.length < 2) return null;
  return (
    <label class="tool">
      <span title={readingName(reading)}>Compare with dialect</span>
      <select
        value={inspector.otherDialect.value ?? ""}
        onChange={(event) => {
          const { value } = event.currentTarget;
          inspector.otherDialect.value = value === "" ? undefined : value;
        }}
      >
        <option value="">none</option>
        {dialects.map(({ name }) =>
          name === reading.dialect ? null : (
            <option key={name} value={name}>
              {name}
            </option>
          ),
        )}
      </select>
    </label>
  );
}

/** Files and texts may be dropped anywhere; texts may be pasted anywhere but into a field. Gives what ends it. */
function openDrops(inspector: Inspector, over: (isOver: boolean) => void): () => void {
  const paste = (event: ClipboardEvent): void => {
    const { target, clipboardData } = event;
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isField || clipboardData === null) return;
    const [file] = clipboardData.files;
    if (file !== undefined) void inspector.openFile(file);
    else inspector.paste(clipboardData.getData("text/plain"));
  };
  const stop = listenToDrops({
    over,
    file: (file) => void inspector.openFile(file),
    text: (text) => inspector.paste(text),
  });
  document.addEventListener("paste", paste);
  return () => {
    stop();
    document.removeEventListener("paste", paste);
  };
}
