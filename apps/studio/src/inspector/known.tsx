/** What the server knew of a player when it judged a message, for people who run a server: where it stood, since when, what was allowed. */
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { Position, Verdict } from "wirewalk/motion";
import { isNameUnit, type Protocol } from "wirewalk/protocol";
import { parseHex } from "wirewalk/wire";
import { showMeasure, showNumber } from "../ui/format.ts";
import "./known.css";

export interface KnownProps {
  readonly verdict: FeedVerdict;
  readonly protocol: Protocol;
  /** Whether the verdict is one of a running server, whose operators can act on it. */
  readonly isLive: boolean;
}

export function Known({ verdict, protocol, isLive }: KnownProps) {
  const rows = rowsOf(verdict, protocol);
  return (
    <>
      <section class="step" aria-label="What the server knew">
        <h3>What the server knew of the player</h3>
        <dl class="known-list">
          {rows.map(({ name, value }, index) => (
            <div key={index}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      {isLive ? null : (
        <section class="step" aria-label="What to do about it">
          <h3>What to do about it</h3>
          <p class="hint">
            This is a recording: nothing can be done from here. On the page of the running server its operators note a
            verdict, dismiss it as false, or warn, kick and ban its player; <code>wirewalk verdict</code> does so on the
            command line.
          </p>
        </section>
      )}
    </>
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
  const height = z === undefined ? "" : `, z ${showNumber(z)}`;
  return `x ${showNumber(x)}, y ${showNumber(y)}${height}, in ${unit}`;
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
