import type { FeedRates } from "@wirewalk/server/feed";
import { showBytes, showCount } from "./format.ts";
import { Sparkline } from "./sparkline.tsx";

/** Seconds across a line while there are fewer: the first minute should not be a dot in a corner. */
const FEWEST_PLACES = 20;

interface RateRow {
  readonly label: string;
  readonly of: (rates: FeedRates) => number;
  readonly show: (value: number) => string;
}

const rows: readonly RateRow[] = [
  { label: "Messages in", of: (rates) => rates.messagesIn, show: (value) => `${showCount(value)}/s` },
  { label: "Messages out", of: (rates) => rates.messagesOut, show: (value) => `${showCount(value)}/s` },
  { label: "Bytes in", of: (rates) => rates.bytesIn, show: (value) => `${showBytes(value)}/s` },
  { label: "Bytes out", of: (rates) => rates.bytesOut, show: (value) => `${showBytes(value)}/s` },
  { label: "Verdicts", of: (rates) => rates.verdicts, show: (value) => `${showCount(value)}/s` },
  { label: "Sessions", of: (rates) => rates.sessions, show: showCount },
];

/** The protocol's traffic: the last second as a number, the last minute as a line. */
export function Rates({ rates }: { readonly rates: readonly FeedRates[] }) {
  const last = rates.at(-1);
  return (
    <section class="panel rates" aria-label="Rates of this protocol, last minute">
      <h2>
        Traffic <span class="hint">last minute</span>
      </h2>
      <dl>
        {rows.map(({ label, of, show }) => (
          <div key={label} class="rate">
            <dt>{label}</dt>
            <dd>
              {last === undefined ? "–" : show(of(last))}
              <Sparkline values={rates.map(of)} places={Math.max(FEWEST_PLACES, rates.length)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
