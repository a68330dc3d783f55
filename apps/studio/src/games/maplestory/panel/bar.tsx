/** The bar beside the drawing: the playback policies with their errors, and the network before the ghosts. */
import type { ReadonlySignal } from "@preact/signals";
import { policyNames } from "../play/actor.ts";
import type { ErrorSummary } from "../play/errors.ts";
import { networkChoices } from "../play/networks.ts";

/** The state of the bar. */
export interface BarState {
  readonly policy: string;
  /** In the order of `policyNames`. */
  readonly errors: readonly (ErrorSummary | undefined)[];
  readonly network: number;
}

export interface BarProps {
  readonly state: ReadonlySignal<BarState>;
  readonly choosePolicy: (policy: string) => void;
  readonly chooseNetwork: (network: number) => void;
}

/** The policies to choose from, with mean and 95th percentile of the last seconds. */
export function Bar({ state, choosePolicy, chooseNetwork }: BarProps) {
  const { policy, errors, network } = state.value;
  return (
    <>
      <fieldset class="maple-policies" aria-label="Playback policy">
        <span class="maple-label">
          Ghosts by
          <span class="hint" title="Mean and 95th percentile of the distance between ghost and truth, last 10 s">
            mean / 95 % px
          </span>
        </span>
        {policyNames.map((name, index) => (
          <button
            key={name}
            type="button"
            class="quiet"
            aria-pressed={name === policy}
            title={policyWords[name]}
            onClick={() => choosePolicy(name)}
          >
            {name} <ErrorWords error={errors[index]} />
          </button>
        ))}
      </fieldset>
      <label class="maple-network">
        <span class="maple-label">
          Network <span class="hint">of the ghosts</span>
        </span>
        <select value={network} onChange={(event) => chooseNetwork(Number(event.currentTarget.value))}>
          {networkChoices.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

const policyWords: Readonly<Record<string, string>> = {
  native: "The client’s: a cubic between nodes, hurrying when behind, standing still when no node is left",
  documented: "The document’s: extrapolates with the last velocity for up to 500 ms, then locks",
  linear: "Straight from node to node",
  hold: "Stands still between nodes",
};

function ErrorWords({ error }: { readonly error: ErrorSummary | undefined }) {
  return <b>{error === undefined ? "–" : `${showPx(error.meanPx)} / ${showPx(error.p95Px)}`}</b>;
}

/** One digit while it is small. */
export function showPx(px: number): string {
  return px.toFixed(px < 10 ? 1 : 0);
}
