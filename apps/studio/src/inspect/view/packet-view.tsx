/** One packet: the finding first, then fields, bytes and bits, which highlight each other. */
import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { PayloadCodec } from "wirewalk/protocol";
import { countBytes, type TraceField } from "wirewalk/wire";
import { fieldPlace } from "../../feed/bytes.ts";
import { type FieldMeaning, flagsOf, MAX_NAMES, meaningOf } from "../model/field-meaning.ts";
import type { Inspectable, TracedPart } from "../model/inspectable.ts";
import type { Protocols } from "../model/reading.ts";
import { BitStrip } from "./bit-strip.tsx";
import { FieldTreeView } from "./field-tree-view.tsx";
import { HexGrid } from "./hex-grid.tsx";
import { fieldClass } from "./marks.ts";
import { PartSelection } from "./selection.ts";

export interface PacketViewProps {
  readonly packet: Inspectable;
  readonly protocols: Protocols;
  /** Bits that differ from what the packet is compared with, a mask for each byte. */
  readonly different?: Uint8Array | undefined;
}

export function PacketView({ packet, protocols, different }: PacketViewProps) {
  const codec = codecOf(packet, protocols);
  return (
    <div class="packet">
      {packet.parts.map((part, index) => (
        <Part
          key={`${packet.key} ${index}`}
          part={part}
          packet={packet}
          codec={codec}
          different={index === 0 ? different : undefined}
        />
      ))}
      {packet.notes.length === 0 ? null : (
        <ul class="notes">
          {packet.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function codecOf({ reading }: Inspectable, protocols: Protocols): PayloadCodec | undefined {
  const protocol = reading?.part === "" ? protocols[reading.protocol] : undefined;
  const isKnown = protocol?.dialects.some(({ name }) => name === reading?.dialect) === true;
  return isKnown && reading !== undefined ? protocol?.codec(reading.dialect) : undefined;
}

interface PartProps {
  readonly part: TracedPart;
  readonly packet: Inspectable;
  readonly codec: PayloadCodec | undefined;
  readonly different: Uint8Array | undefined;
}

function Part({ part, packet, codec, different }: PartProps) {
  const meaning = useMemo(() => {
    if (codec === undefined) return () => undefined;
    return meaningOf(codec, packet.sender, { message: packet.message, fields: part.fields });
  }, [codec, packet, part]);
  const selection = useMemo(() => new PartSelection(part, (field) => flagsOf(field, meaning(field))), [part, meaning]);
  const { title } = part;
  const suffix = title === undefined ? "" : `, ${title}`;
  return (
    <div class="part">
      {title === undefined ? null : <h3 class="part-title">{title}</h3>}
      {part.error === undefined ? null : <Refusal part={part} selection={selection} />}
      <div class="part-views">
        <div class="part-fields">
          <h3>Fields</h3>
          <FieldTreeView selection={selection} label={`Fields${suffix}`} meaning={meaning} />
          <FieldDetails selection={selection} meaning={meaning} />
        </div>
        <div class="part-bytes">
          <h3>
            Bytes <span class="hint">{countBytes(part.bytes.length)}</span>
          </h3>
          <HexGrid selection={selection} label={`Bytes${suffix}`} different={different} />
          <h3>
            Bits <RangeText selection={selection} />
          </h3>
          <BitStrip selection={selection} label={`Bits${suffix}`} different={different} />
        </div>
      </div>
    </div>
  );
}

function RangeText({ selection }: { readonly selection: PartSelection }) {
  const range = selection.range.value;
  if (range === undefined) return <span class="hint">choose a field or a byte</span>;
  const { from, to } = range;
  return (
    <span class="hint" aria-live="polite">
      {fieldPlace({ bitOffset: from, bitLength: to - from } as TraceField)}
    </span>
  );
}

/** Where and why reading stopped, and what was read before. */
function Refusal({ part, selection }: { readonly part: TracedPart; readonly selection: PartSelection }) {
  const { error, fields, bytes } = part;
  if (error === undefined) return null;
  const { bitOffset, code, message, path } = error;
  const readBits = fields.reduce((sum, { bitLength }) => sum + bitLength, 0);
  const last = fields.at(-1);
  const bit = bitOffset % 8;
  return (
    <div class="finding" role="note">
      <p>
        <strong>Refused at bit {bitOffset}</strong> (byte {Math.floor(bitOffset / 8)}
        {bit === 0 ? "" : `, bit ${bit} of it`}): {message}.
      </p>
      <p class="hint">
        <code>{code}</code>
        {path === "" ? null : (
          <>
            {" "}
            in <code>{path}</code>
          </>
        )}
        . Read before:{" "}
        {fields.length === 0 ? "nothing" : `${fields.length} fields, ${readBits} of ${bytes.length * 8} bits`}
        {last === undefined ? "" : `, the last one ${last.path} = ${last.shown}`}.{" "}
        {bitOffset < bytes.length * 8 ? (
          <button type="button" class="link" onClick={() => selection.chooseBit(bitOffset)}>
            Show the bit
          </button>
        ) : (
          "The bytes end there."
        )}
      </p>
    </div>
  );
}

interface FieldDetailsProps {
  readonly selection: PartSelection;
  readonly meaning: (field: TraceField) => FieldMeaning | undefined;
}

/** The chosen field: value, unit, names of its values, bits. */
function FieldDetails({ selection, meaning }: FieldDetailsProps) {
  const field = useComputed(() => {
    const node = selection.tree.nodes[selection.node.value];
    return node === undefined ? undefined : selection.part.fields[node.field];
  }).value;
  if (field === undefined) return <p class="details hint">Choose a field to see its type, unit and names.</p>;
  const known = meaning(field);
  const index = selection.part.fields.indexOf(field);
  const names = known?.names ?? [];
  const end = field.bitOffset + field.bitLength - 1;
  return (
    <div class="details">
      <p class="details-title">
        <span class={`chip ${fieldClass(index)}`} aria-hidden="true" />
        <strong>{field.path}</strong> {known?.doc}
      </p>
      <dl class="details-list">
        <dt>value</dt>
        <dd>
          {field.shown}
          {known === undefined || known.unit === "" ? "" : ` ${known.unit}`}
        </dd>
        <dt>on the wire</dt>
        <dd class="mono">{rawText(field)}</dd>
        <dt>bits</dt>
        <dd>
          {field.bitOffset}–{end}, {field.bitLength === 1 ? "1 bit" : `${field.bitLength} bits`}: {fieldPlace(field)}
        </dd>
        {known === undefined ? null : (
          <>
            <dt>type</dt>
            <dd>{known.type}</dd>
          </>
        )}
        {known === undefined || known.section === "" ? null : (
          <>
            <dt>standard</dt>
            <dd>section {known.section}</dd>
          </>
        )}
      </dl>
      {names.length === 0 ? null : (
        <ul class="names" aria-label="Names of the values">
          {names.slice(0, MAX_NAMES).map(({ value, name, isSet }) => (
            <li key={`${value} ${name}`} class={isSet ? "set" : ""}>
              <span class="mono">{value}</span> {name}
              {isSet ? <span aria-hidden="true"> ✓</span> : null}
              {isSet ? <span class="unseen"> set</span> : null}
            </li>
          ))}
          {names.length > MAX_NAMES ? <li class="hint">and {names.length - MAX_NAMES} more</li> : null}
        </ul>
      )}
    </div>
  );
}

/** Digits of a long run of bytes that are shown. */
const RAW_CHARACTERS = 128;

function rawText({ raw, bitLength }: TraceField): string {
  if (typeof raw === "string") return raw.length > RAW_CHARACTERS ? `${raw.slice(0, RAW_CHARACTERS)}…` : raw;
  const isWhole = bitLength % 4 === 0 && raw >= 0 && Number.isInteger(Number(raw));
  return isWhole ? `${raw} (0x${raw.toString(16).padStart(bitLength / 4, "0")})` : String(raw);
}
