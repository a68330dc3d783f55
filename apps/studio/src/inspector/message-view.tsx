/**
 * One message: what the rules found, its **fields**, read by the protocol's own codec in this page, its **bits**, coloured by the
 * field they belong to, and its **effect**, the state before and after. Pointing at a field shows its bits, pointing at a bit
 * shows its field.
 */
import { type Signal, useSignal } from "@preact/signals";
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { ComponentChildren } from "preact";
import type { VerdictKind } from "wirewalk/motion";
import type { PayloadTrace } from "wirewalk/protocol";
import type { JsonObject, TraceField } from "wirewalk/wire";
import { type ByteCell, bitRuns, byteCells, fieldPlace, fieldWords } from "../feed/bytes.ts";
import { type StateField, stateChange } from "../feed/state-change.ts";
import type { DrawnPacket } from "../games/packet-effect.ts";
import { DrawnEffect, useEffectOf } from "../ui/drawn-effect.tsx";
import { showJson } from "../ui/format.ts";
import { lazy } from "../ui/lazy.tsx";
import { moveFocus } from "../ui/roving.ts";
import { VerdictBadge } from "../ui/verdict-badge.tsx";

const Finding = lazy(async () => (await import("./finding.tsx")).Finding, "what the rule found");

/** Colours for fields in the style sheet: `field-0` to `field-7`, then again. */
const FIELD_COLOURS = 8;

/** Bytes shown at most: a message of any of the games fits, a hostile one need not. */
const MAX_BYTES = 512;

/** Fields shown at most: as many as stand in so many bytes of the densest message. */
const MAX_FIELDS = 512;

export interface MessageViewProps {
  readonly sender: "client" | "server";
  readonly payload: Uint8Array;
  readonly trace: PayloadTrace;
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
  readonly verdict: FeedVerdict | undefined;
  /** What its finding is called. */
  readonly ruleTitle: string;
  /** The protocol that draws what the message does; undefined where nothing is known of it. */
  readonly protocol: string | undefined;
  readonly drawn: DrawnPacket | undefined;
}

export function MessageView(props: MessageViewProps) {
  const { sender, payload, trace, before, after, verdict, ruleTitle, protocol, drawn } = props;
  /** The fields that are pointed at, of the payload and of what it holds in another form; -1: none. */
  const [hot, hotInner] = [useSignal(-1), useSignal(-1)];
  const { inner } = trace;
  const forget = (): void => {
    hot.value = -1;
    hotInner.value = -1;
  };
  return (
    <div class="message-view" onPointerLeave={forget}>
      {verdict === undefined ? <Accepted sender={sender} /> : <Finding verdict={verdict} title={ruleTitle} />}
      {payload.length === 0 ? null : (
        <>
          <section class="step step-fields">
            <h3>Fields</h3>
            <Fields trace={trace} hot={hot} />
            {inner === undefined ? null : (
              <>
                <p class="hint inner-title">{inner.title}</p>
                <Fields trace={inner} hot={hotInner} />
              </>
            )}
          </section>
          <section class="step step-bits">
            <h3>
              Bytes and bits <span class="hint">{payload.length} bytes</span>
            </h3>
            <Bytes bytes={payload} trace={trace} hot={hot} />
            {inner === undefined ? null : (
              <>
                <p class="hint inner-title">{inner.title}</p>
                <Bytes bytes={inner.bytes} trace={inner} hot={hotInner} />
              </>
            )}
          </section>
        </>
      )}
      <Effect
        before={before}
        after={after}
        fields={trace.fields}
        kind={verdict?.kind}
        protocol={protocol}
        drawn={drawn}
        payload={payload}
      />
    </div>
  );
}

/** No rule has found anything. */
function Accepted({ sender }: { readonly sender: "client" | "server" }) {
  return (
    <p class="find find-accept step-verdict">
      <VerdictBadge kind="accept" />{" "}
      {sender === "client" ? "No rule objected." : "Sent by the server: its rules let it pass."}
    </p>
  );
}

interface TracedProps {
  readonly trace: PayloadTrace;
  /** The field that is pointed at; -1: none. */
  readonly hot: Signal<number>;
}

/** The bytes with the field of every bit. */
function Bytes({ bytes, trace, hot }: TracedProps & { readonly bytes: Uint8Array }) {
  const cells = byteCells(bytes.subarray(0, MAX_BYTES), trace);
  const point = (field: number) => () => {
    hot.value = field;
  };
  return (
    <div
      class="bytes"
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
      tabIndex={0}
      aria-label={`${bytes.length} bytes: ${cells.map(({ hex }) => hex).join(" ")}`}
    >
      {cells.map((cell) => (
        <Byte key={cell.index} cell={cell} hot={hot.value} point={point} />
      ))}
      {bytes.length > MAX_BYTES ? <span class="hint">and {bytes.length - MAX_BYTES} bytes more</span> : null}
    </div>
  );
}

/** The fields, and where reading stopped. */
function Fields({ trace, hot }: TracedProps) {
  const point = (field: number) => () => {
    hot.value = field;
  };
  return (
    <>
      <ul class="fields" onKeyDown={(event) => moveFocus(event, { rows: ".field" })}>
        {trace.fields.slice(0, MAX_FIELDS).map((field, index) => (
          <li key={index}>
            <button
              type="button"
              class={`field ${colourOf(index)} ${hot.value === index ? "hot" : ""}`}
              tabIndex={index === 0 ? 0 : -1}
              onPointerEnter={point(index)}
              onFocus={point(index)}
              onBlur={point(-1)}
            >
              <span class="field-name">{breakable(field.path)}</span>
              <span class="field-value">
                <FieldValue field={field} />
              </span>
              <span class="field-place">{fieldPlace(field)}</span>
            </button>
          </li>
        ))}
      </ul>
      {trace.fields.length > MAX_FIELDS ? <p class="hint">and {trace.fields.length - MAX_FIELDS} fields more</p> : null}
      {trace.error === undefined ? null : (
        <p class="broken-note">
          <strong>{trace.error.code}</strong> {trace.error.message}
        </p>
      )}
    </>
  );
}

function FieldValue({ field }: { readonly field: TraceField }) {
  const { words, number } = fieldWords(field);
  return (
    <>
      {words}
      {number === undefined ? null : <span class="hint">{` =\u00a0${number}`}</span>}
    </>
  );
}

/** A path that breaks after its dots where it is too long for its column. */
function breakable(path: string): ComponentChildren {
  return path.split(".").map((part, index) => (index === 0 ? part : [".", <wbr key={index} />, part]));
}

function colourOf(field: number): string {
  return field < 0 ? "field-none" : `field-${field % FIELD_COLOURS}`;
}

interface ByteProps {
  readonly cell: ByteCell;
  readonly hot: number;
  readonly point: (field: number) => () => void;
}

function Byte({ cell, hot, point }: ByteProps) {
  const isHot = hot >= 0 && cell.bits.some(({ field }) => field === hot);
  const mixed = cell.field < 0 && cell.bits.some(({ field }) => field >= 0);
  return (
    <span class={`byte ${isHot ? "hot" : ""} ${cell.broken ? "broken" : ""}`} title={`byte ${cell.index}`}>
      <span
        class={`byte-hex ${mixed ? "field-mixed" : colourOf(cell.field)}`}
        onPointerEnter={point(cell.field >= 0 ? cell.field : (cell.bits[0]?.field ?? -1))}
      >
        {cell.hex}
      </span>
      <span class="byte-bits">
        {bitRuns(cell).map(({ bits, field, from }) => (
          <span
            key={from}
            class={`bits ${colourOf(field)} ${hot >= 0 && hot === field ? "hot" : ""}`}
            style={bits.length === 1 ? undefined : { gridColumn: `span ${bits.length}` }}
            onPointerEnter={point(field)}
          >
            {bits}
          </span>
        ))}
      </span>
      <span class="byte-index">{cell.index}</span>
    </span>
  );
}

interface EffectProps {
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  readonly fields: readonly TraceField[];
  readonly kind: VerdictKind | undefined;
  readonly protocol: string | undefined;
  readonly drawn: DrawnPacket | undefined;
  readonly payload: Uint8Array;
}

/** What a refused message did, which is little, in words. */
const refusals: Readonly<Partial<Record<VerdictKind, string>>> = {
  correct: "None on the server: the player was put back.",
  reject: "None on the server.",
};

function Effect({ before, after, fields, kind, protocol, drawn, payload }: EffectProps) {
  const effect = useEffectOf(protocol, drawn, payload).value;
  const refusal = kind === undefined ? undefined : refusals[kind];
  const change = after === undefined ? undefined : stateChange(before, after);
  const asked = before === undefined || after !== undefined ? [] : claims(before, fields);
  return (
    <section class="step step-effect">
      <h3>Effect</h3>
      {refusal === undefined ? null : <p class="note">{refusal}</p>}
      {effect === undefined ? null : <DrawnEffect effect={effect} />}
      {before === undefined && after === undefined && effect === undefined ? (
        <p class="note">It moves no player.</p>
      ) : null}
      {change === undefined ? null : (
        <ChangeTable rows={change} first={refusal === undefined ? "state" : "in this page"} last="after" />
      )}
      {change?.every(({ changed }) => !changed) ? <p class="note">The state of its player is as before.</p> : null}
      {before === undefined || after !== undefined ? null : (
        <details class="raw-state">
          <summary>State before, by the names of the program: for researchers</summary>
          {asked.length === 0 ? null : <ChangeTable rows={asked} first="state" last="asked for" />}
          <StateList state={before} />
        </details>
      )}
    </section>
  );
}

/** What the message says of fields that the state has too: a place that was claimed, beside the one that was known. */
function claims(before: JsonObject, fields: readonly TraceField[]): readonly StateField[] {
  return fields.flatMap(({ path, raw }) => {
    const was = before[path];
    if (typeof was !== "number" || typeof raw !== "number") return [];
    return [{ name: path, before: was, after: raw, changed: was !== raw }];
  });
}

interface ChangeTableProps {
  readonly rows: readonly StateField[];
  readonly first: string;
  readonly last: string;
}

function ChangeTable({ rows, first, last }: ChangeTableProps) {
  return (
    <table class="state">
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">before</th>
          <th scope="col">{last}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, before, after, changed }) => (
          <tr key={name} class={changed ? "changed" : ""}>
            <th scope="row">{name}</th>
            <td>{before === undefined ? "–" : showJson(before)}</td>
            <td>{after === undefined ? "–" : showJson(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function StateList({ state }: { readonly state: JsonObject }) {
  return (
    <dl class="state-list">
      {stateChange(state, state).map(({ name, before }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{showJson(before)}</dd>
        </div>
      ))}
    </dl>
  );
}
