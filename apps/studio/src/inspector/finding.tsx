/** What a rule found, first of all: what happened, and the measured beside the allowed in words with units. */
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { VerdictKind } from "wirewalk/motion";
import { reasonText } from "wirewalk/protocol";
import { showMeasure } from "../ui/measure.ts";
import { VerdictBadge } from "../ui/verdict-badge.tsx";

const outcomes: Readonly<Record<VerdictKind, string>> = {
  accept: "Let through.",
  benign: "Let through: honest clients do this too.",
  flag: "Let through, and noted for a person to look at.",
  correct: "Not believed: other players did not see it, and the player was put back.",
  reject: "Refused: other players did not see it, and nothing changed.",
};

export function Finding({ verdict, title }: { readonly verdict: FeedVerdict; readonly title: string }) {
  return (
    <section class={`find find-${verdict.kind} step-verdict`} aria-label="Finding">
      <p>
        <VerdictBadge kind={verdict.kind} /> <strong>{title}</strong> <span class="hint">{verdict.rule}</span>
      </p>
      <p>
        {reasonText(verdict.reason)} {measureWords(verdict)}
      </p>
      <Meter verdict={verdict} />
      <p class="hint">{outcomes[verdict.kind]}</p>
    </section>
  );
}

function measureWords({ measured, allowed, unit, reason }: FeedVerdict): string {
  if (measured === null) return "";
  // Some reasons have the numbers themselves: `Moved 4000.0 px where 854.7 px were possible`.
  const numbers = Array.from(reason.replaceAll(",", "").matchAll(/\d+(?:\.\d+)?/g), ([text]) => Number(text));
  const isSaid = (value: number): boolean => numbers.some((number) => Math.abs(number - value) < 0.1);
  if (isSaid(measured) && (allowed === null || isSaid(allowed))) return "";
  if (allowed === null) return `Measured: ${showMeasure(measured, unit)}.`;
  return `Measured: ${showMeasure(measured, unit, allowed)}. Allowed: ${showMeasure(allowed, unit, measured)}.`;
}

/** Measured against allowed on one scale. For the eye only: the sentence says the numbers. */
function Meter({ verdict: { measured, allowed, unit } }: { readonly verdict: FeedVerdict }) {
  if (measured === null || allowed === null || !(measured > 0)) return null;
  const top = Math.max(measured, allowed);
  return (
    <div class="meter" aria-hidden="true">
      <svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 16">
        <rect class="meter-track" y="4" width="100" height="8" />
        <rect class="meter-measured" y="4" width={(measured / top) * 100} height="8" />
        <rect class="meter-allowed" x={Math.min(99.4, (allowed / top) * 100)} width="0.6" height="16" />
      </svg>
      <span>0</span>
      <span>allowed {showMeasure(allowed, unit)}</span>
      <b>{showMeasure(measured, unit)}</b>
    </div>
  );
}
