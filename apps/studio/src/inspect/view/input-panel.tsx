/** Bytes in: pasted, dropped, from a file, or an example. And how they are read: chosen, or tried. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { ReadingTrial, Standing } from "wirewalk/inspect";
import type { Side } from "wirewalk/protocol";
import { OpenFile } from "../../ui/open-file.tsx";
import { type Example, examples } from "../model/examples.ts";
import type { Choice, Inspector } from "../model/inspector.ts";
import { type Attempt, partsOf, readingName, streamName } from "../model/reading.ts";

/** Readings that do not fit and are listed. */
const LISTED_ATTEMPTS = 40;

export function InputPanel({ inspector }: { readonly inspector: Inspector }) {
  const id = useId();
  const { fault, format, packets } = inspector.pasted.value;
  const binary = inspector.binary.value;
  const bytes = packets.reduce((sum, { length }) => sum + length, 0);
  const source = inspector.source.value;
  // Beside a capture or the live wire the pasted bytes are not what is shown.
  const isShown = source === undefined || inspector.isPasted(source);
  return (
    <section class="panel input" aria-label="Input">
      <div class="input-head">
        <h2>
          <label for={`${id}-text`}>Bytes</label>
        </h2>
        <span class="hint" role="status">
          {binary !== undefined
            ? `${binary.name}: ${binary.bytes.length} bytes`
            : format === undefined
              ? "hex, base64, xxd, hexdump, Wireshark"
              : `${format}, ${bytes} bytes${packets.length > 1 ? ` in ${packets.length} packets` : ""}`}
        </span>
        <span class="grow" />
        {inspector.live === undefined ? null : (
          <button type="button" class="quiet" onClick={() => inspector.openLive()}>
            Live packets
          </button>
        )}
        <OpenFile class="quiet" open={(file) => void inspector.openFile(file)}>
          Open a file
        </OpenFile>
      </div>
      <textarea
        id={`${id}-text`}
        class="mono"
        rows={isShown ? 4 : 1}
        spellcheck={false}
        autocomplete="off"
        placeholder={"02 00 02 c0 01 a0 00\nOr drop a capture (pcap, pcapng) or a recording (mcap, bin, msb) anywhere."}
        value={inspector.text.value}
        aria-describedby={`${id}-fault`}
        aria-invalid={fault !== undefined}
        onInput={(event) => inspector.paste(event.currentTarget.value)}
      />
      <p
        class="fault"
        id={`${id}-fault`}
        role="status"
        hidden={fault === undefined && inspector.fault.value === undefined}
      >
        {fault ?? inspector.fault.value}
      </p>
      {isShown ? (
        <>
          <Examples inspector={inspector} />
          <Readings inspector={inspector} />
        </>
      ) : null}
    </section>
  );
}

function Examples({ inspector }: { readonly inspector: Inspector }) {
  const all = examples(inspector.protocols);
  return (
    <div class="examples">
      <h3>Examples</h3>
      <ul>
        {all.map((example) => (
          <li key={example.name}>
            <button type="button" class="quiet" onClick={() => openExample(inspector, example)}>
              {example.name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function openExample(inspector: Inspector, { bytes, reading }: Example): void {
  inspector.open(bytes, reading);
}

/** What the bytes can be read as: which readings fit, and why the others do not. */
function Readings({ inspector }: { readonly inspector: Inspector }) {
  const shown = useSignal(false);
  const { attempts, reading } = inspector.read.value;
  const choice = inspector.choice.value;
  const set = (change: { [K in keyof Choice]?: Choice[K] | undefined }): void => {
    const next = { ...choice, ...change };
    inspector.choice.value = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined));
  };
  const protocols = Object.values(inspector.protocols);
  const streams = protocols.flatMap((protocol) =>
    partsOf(protocol).map((part) => ({
      name: streamName({ protocol: protocol.name, part }),
      title: part === "" ? protocol.title : `${protocol.title}: ${part}`,
      dialects: protocol.dialects,
    })),
  );
  const chosen = streams.find(({ name }) => name === choice.stream);
  const first = attempts[0]?.trial;
  const misfits = attempts.filter(({ trial }) => trial.standing === "refused");
  const fits = attempts.filter(({ trial }) => trial.standing !== "refused");
  return (
    <div class="readings">
      <div class="choices">
        <Select
          label="Protocol"
          value={choice.stream ?? ""}
          options={streams.map(({ name, title }) => ({ value: name, title }))}
          change={(stream) => set({ stream: stream === "" ? undefined : stream, dialect: undefined })}
        />
        <Select
          label="Dialect"
          value={choice.dialect ?? ""}
          options={(chosen?.dialects ?? []).map(({ name }) => ({ value: name, title: name }))}
          change={(dialect) => set({ dialect: dialect === "" ? undefined : dialect })}
        />
        <Select
          label="Sender"
          value={choice.sender ?? ""}
          options={[
            { value: "client", title: "client" },
            { value: "server", title: "server" },
          ]}
          change={(sender) => set({ sender: sender === "" ? undefined : (sender as Side) })}
        />
        <Select
          label="Frames"
          value={choice.framed === undefined ? "" : String(choice.framed)}
          options={[
            { value: "false", title: "bare packets" },
            { value: "true", title: "in frames" },
          ]}
          change={(framed) => set({ framed: framed === "" ? undefined : framed === "true" })}
        />
      </div>
      {first === undefined || reading === undefined ? null : (
        <p class="reading">
          <span class={first.standing === "fits" ? "ok" : "bad"} aria-hidden="true">
            {first.standing === "fits" ? "✓" : first.standing === "refused" ? "✕" : "?"}
          </span>{" "}
          {leads[first.standing]} <strong>{readingName(reading)}</strong>
          {first.standing === "fits" ? null : <span class="hint">: {whyOf(first)}</span>}
        </p>
      )}
      {attempts.length < 2 ? null : (
        <details open={shown.value} onToggle={(event) => (shown.value = event.currentTarget.open)}>
          <summary>
            {fits.length} of {attempts.length} readings are possible
          </summary>
          {shown.value ? (
            <ul class="attempts">
              {fits.map((each) => (
                <AttemptLine key={readingName(each.reading)} attempt={each} inspector={inspector} />
              ))}
              {misfits.slice(0, LISTED_ATTEMPTS).map((each) => (
                <AttemptLine key={readingName(each.reading)} attempt={each} inspector={inspector} />
              ))}
              {misfits.length > LISTED_ATTEMPTS ? (
                <li class="hint">and {misfits.length - LISTED_ATTEMPTS} that fit less</li>
              ) : null}
            </ul>
          ) : null}
        </details>
      )}
    </div>
  );
}

function AttemptLine({ attempt, inspector }: { readonly attempt: Attempt; readonly inspector: Inspector }) {
  const { reading, trial } = attempt;
  return (
    <li>
      <button
        type="button"
        class="link"
        onClick={() => {
          const { dialect, sender, framed } = reading;
          inspector.choice.value = { stream: streamName(reading), dialect, sender, framed };
        }}
      >
        {readingName(reading)}
      </button>
      <span class={trial.standing === "fits" ? "ok" : "hint"}> {whyOf(trial)}</span>
    </li>
  );
}

/** What stands before the name of the first reading. */
const leads: Readonly<Record<Standing, string>> = {
  fits: "Read as",
  cut: "Likeliest",
  mostly: "Likeliest",
  weak: "Perhaps",
  refused: "No reading fits. The nearest:",
};

/** Why a reading stands where it does. */
function whyOf({ standing, doubt, error, read, refused }: ReadingTrial): string {
  const place = error === undefined ? "" : `bit ${error.bitOffset}: ${error.message}`;
  if (standing === "fits") return "fits; other bytes of this length hardly ever would";
  if (standing === "weak") return `fits, but ${doubt}`;
  if (standing === "cut") return `fits but for its end, other bytes hardly ever would; ${place}`;
  return standing === "mostly" ? `${read} of ${read + refused} packets fit; ${place}` : place;
}

interface SelectProps {
  readonly label: string;
  /** Empty: automatic. */
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
  readonly change: (value: string) => void;
}

function Select({ label, value, options, change }: SelectProps) {
  return (
    <label class="tool">
      <span>{label}</span>
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">auto</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  );
}
