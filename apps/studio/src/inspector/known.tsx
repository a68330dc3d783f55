/** What the server knew of a player when it judged a message, for people who run a server: where it stood, since when, what was allowed. */
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { Position, Verdict } from "wirewalk/motion";
import { figure, type Protocol } from "wirewalk/protocol";
import { parseHex } from "wirewalk/wire";
import "./known.css";

export interface KnownProps {
  readonly verdict: FeedVerdict;
  readonly protocol: Protocol;
}

export function Known({ verdict, protocol }: KnownProps) {
  const rows = rowsOf(verdict, protocol);
  if (rows.length === 0) return null;
  return (
    <section class="step" aria-label="What the server knew">
      <h3>What the server knew before the message</h3>
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
  ];
}

function showPlace({ x, y, z }: Position, unit: string): string {
  const height = z === undefined ? "" : `, z ${figure(z)}`;
  return `x ${figure(x)}, y ${figure(y)}${height}, in ${unit}`;
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
