/** Two packets side by side, or one packet by two dialects: fields and bits that differ are marked by a sign and an outline. */
import { useMemo } from "preact/hooks";
import { countBytes, type TraceField } from "wirewalk/wire";
import { fieldPlace } from "../../feed/bytes.ts";
import { showAmount } from "../../ui/format.ts";
import { type Difference, difference, type FieldChange } from "../model/difference.ts";
import type { Inspectable } from "../model/inspectable.ts";
import { readingName } from "../model/reading.ts";

export interface DiffViewProps {
  readonly first: Inspectable;
  readonly second: Inspectable;
  /** In a word: `pinned`, `v0106`. */
  readonly firstName: string;
  readonly secondName: string;
  readonly close: () => void;
}

/** Rows of a table: more fields are compared and not listed. */
const MAX_ROWS = 2_000;

const signs: Readonly<Record<FieldChange, { readonly sign: string; readonly words: string }>> = {
  same: { sign: "=", words: "same" },
  value: { sign: "≠", words: "different value" },
  place: { sign: "↔", words: "same value at another place" },
  "only-first": { sign: "−", words: "only in the first" },
  "only-second": { sign: "+", words: "only in the second" },
};

export function DiffView({ first, second, firstName, secondName, close }: DiffViewProps) {
  const [a, b] = [first.parts[0], second.parts[0]];
  const found = useMemo(() => difference(a, b), [a, b]);
  const isSame = found.changedFields === 0 && found.changedBits === 0;
  return (
    <section class="panel diff" aria-label="Comparison">
      <div class="list-head">
        <h2>
          {firstName} <span aria-hidden="true">→</span> <span class="unseen">and</span> {secondName}
        </h2>
        <span class="hint" role="status">
          {isSame
            ? "no difference"
            : `${showAmount(found.changedFields, "field")} and ${showAmount(found.changedBits, "bit")} differ`}
        </span>
        <span class="grow" />
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </div>
      <Refusals first={first} second={second} firstName={firstName} secondName={secondName} />
      <DiffBytes first={a.bytes} second={b.bytes} found={found} names={[firstName, secondName]} />
      {/* It scrolls: the keyboard must reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard. */}
      <div class="diff-fields" role="region" aria-label="Fields that are compared" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">Difference</span>
              </th>
              <th scope="col">field</th>
              <th scope="col">{firstName}</th>
              <th scope="col">{secondName}</th>
            </tr>
          </thead>
          <tbody>
            {found.pairs.slice(0, MAX_ROWS).map(({ path, first: one, second: other, change }, index) => (
              <tr key={index} class={`change-${change}`}>
                <td class="sign">
                  <span aria-hidden="true">{signs[change].sign}</span>
                  <span class="unseen">{signs[change].words}</span>
                </td>
                <th scope="row">{path}</th>
                <td>{fieldText(one)}</td>
                <td>{fieldText(other)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {found.pairs.length > MAX_ROWS ? <p class="hint">and {found.pairs.length - MAX_ROWS} fields more</p> : null}
      </div>
    </section>
  );
}

function fieldText(field: TraceField | undefined) {
  if (field === undefined) return <span class="hint">–</span>;
  return (
    <>
      {field.shown} <span class="hint">{fieldPlace(field)}</span>
    </>
  );
}

function Refusals({ first, second, firstName, secondName }: Omit<DiffViewProps, "close">) {
  const lines = [
    { name: firstName, packet: first },
    { name: secondName, packet: second },
  ].flatMap(({ name, packet }) => {
    const { error } = packet.parts[0];
    if (error === undefined) return [];
    const by = packet.reading === undefined ? name : readingName(packet.reading);
    return [{ name, text: `${by} refuses it at bit ${error.bitOffset}: ${error.message}.` }];
  });
  if (lines.length === 0) return null;
  return (
    <ul class="finding">
      {lines.map(({ name, text }) => (
        <li key={name}>{text}</li>
      ))}
    </ul>
  );
}

/** Bytes in a row, and rows that are shown. */
const ROW_BYTES = 8;
const MAX_BYTE_ROWS = 64;

interface DiffBytesProps {
  readonly first: Uint8Array;
  readonly second: Uint8Array;
  readonly found: Difference;
  readonly names: readonly [string, string];
}

/** Rows of bytes, one above the other; below a byte that differs its bits. */
function DiffBytes({ first, second, found, names }: DiffBytesProps) {
  const length = Math.max(first.length, second.length);
  // Equal rows say nothing: two readings of the same bytes have no other ones.
  const rows = Array.from({ length: Math.ceil(length / ROW_BYTES) }, (_, row) => row * ROW_BYTES).filter((at) =>
    found.bits.subarray(at, at + ROW_BYTES).some((mask) => mask !== 0),
  );
  if (rows.length === 0) return <p class="hint diff-note">The bytes are equal: {countBytes(length)}.</p>;
  return (
    <div class="diff-bytes">
      {rows.slice(0, MAX_BYTE_ROWS).map((at) => (
        <div key={at} class="diff-row">
          {[first, second].map((bytes, side) => (
            <div key={names[side]} class="diff-line">
              <span class="hint diff-name">
                {names[side]} <small>byte {at}</small>
              </span>
              {Array.from({ length: Math.min(ROW_BYTES, length - at) }, (_, column) => (
                <DiffByte key={column} byte={bytes[at + column]} mask={found.bits[at + column] ?? 0} />
              ))}
            </div>
          ))}
        </div>
      ))}
      {rows.length > MAX_BYTE_ROWS ? <p class="hint">and {rows.length - MAX_BYTE_ROWS} rows more</p> : null}
    </div>
  );
}

function DiffByte({ byte, mask }: { readonly byte: number | undefined; readonly mask: number }) {
  if (byte === undefined) {
    return (
      <span class="diff-byte missing">
        <span aria-hidden="true">··</span>
        <span class="unseen">no byte</span>
      </span>
    );
  }
  const hex = byte.toString(16).padStart(2, "0");
  if (mask === 0) return <span class="diff-byte">{hex}</span>;
  return (
    <span class="diff-byte different">
      {hex}
      <span class="unseen"> differs</span>
      <small>
        {Array.from({ length: 8 }, (_, bit) => {
          const isChanged = (mask & (0x80 >> bit)) !== 0;
          const digit = (byte >> (7 - bit)) & 1;
          return isChanged ? <b key={bit}>{digit}</b> : digit;
        })}
      </small>
    </span>
  );
}
