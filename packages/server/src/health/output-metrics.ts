/** Metrics of outputs, policies and operators. */
import type { OutputCounts } from "../outputs/outputs.ts";
import type { CounterSet, Metrics, Sample } from "./metrics.ts";

export function addOutputMetrics(metrics: Metrics, counts: () => readonly OutputCounts[]): void {
  const each =
    (pick: (of: OutputCounts) => number): (() => readonly Sample[]) =>
    () =>
      counts().map((of) => ({ labels: { output: of.target }, value: pick(of) }));
  metrics.counter(
    "wirewalk_outputs_told_total",
    "Events that an output has taken.",
    each(({ told }) => told),
  );
  metrics.counter(
    "wirewalk_outputs_failed_total",
    "Events that an output has not taken, after all tries.",
    each(({ failed }) => failed),
  );
  metrics.counter(
    "wirewalk_outputs_dropped_total",
    "Events that were dropped, because too many were on their way.",
    each(({ dropped }) => dropped),
  );
  metrics.gauge(
    "wirewalk_outputs_waiting",
    "Events on their way to an output.",
    each(({ waiting }) => waiting),
  );
}

export function addActionMetrics(metrics: Metrics, policies: CounterSet, operators: CounterSet): void {
  metrics.counter("wirewalk_policy_actions_total", "Limits of policies that were reached.", () => policies.samples());
  metrics.counter("wirewalk_operator_actions_total", "Actions of operators about verdicts.", () => operators.samples());
}
