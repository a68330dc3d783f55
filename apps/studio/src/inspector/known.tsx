/** What the server knew of a player when it judged a message, for people who run a server: where it stood, since when, what was allowed. */
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { Position, Verdict } from "wirewalk/motion";
import { isNameUnit, type Protocol } from "wirewalk/protocol";
import { parseHex } from "wirewalk/wire";
import { showMeasure, showNumber } from "../ui/format.ts";

export interface KnownProps {
  readonly verdict: FeedVerdict;
  readonly protocol: Protocol;
}

export function Known({ verdict, protocol }: KnownProps) {
  const rows = rowsOf(verdict, protocol);
  return (
    <section class="step" aria-label="What the server knew">
      <h3>What the server knew</h3>
      <dl class="known-list">
        {rows.map(({ name, value }, index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function rowsOf(verdict: FeedVerdict, { capabilities }: Protocol) {
  const { claims } = capabilities ?? {};
  const of = verdictOf(verdict);
  const place = claims?.before?.(of);
  return [
    ...(place === undefined || claims === undefined
      ? []
      : [{ name: "The player stood at", value: showPlace(place, claims.unit) }]),
    ...(claims?.known?.(of) ?? []),
    { name: "The server allowed", value: allowedWords(verdict) },
  ];
}

function allowedWords({ measured, allowed, unit }: FeedVerdict): string {
  if (allowed === null || isNameUnit(unit)) return "no such message at that time";
  const isLeast = measured !== null && measured < allowed;
  return `${isLeast ? "at least" : "at most"} ${showMeasure(allowed, unit)}`;
}

function showPlace({ x, y, z }: Position, unit: string): string {
  const numbers = [x, y, ...(z === undefined ? [] : [z])].map(showNumber);
  return `${numbers.join(", ")} (${unit})`;
}

function verdictOf({ measured, allowed, unit, message, name: _, ...rest }: FeedVerdict): Verdict {
  return {
    ...rest,
    ...(measured === null ? {} : { measured }),
    ...(allowed === null ? {} : { allowed }),
    ...(unit === null ? {} : { unit }),
    message: message === "" ? new Uint8Array() : parseHex(message),
  };
}
