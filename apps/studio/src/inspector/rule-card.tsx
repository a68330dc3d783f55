/** The glossary: the rules of this game by their definitions, and what each has found. */
import type { Protocol } from "wirewalk/protocol";
import type { Studio } from "../app/studio.ts";
import { showAmount } from "../ui/format.ts";
import { showMeasure } from "../ui/measure.ts";
import { VerdictBadge } from "../ui/verdict-badge.tsx";
import { type RuleOf, rulesOf } from "./rules.ts";
import { Title } from "./title.tsx";

export interface RuleCardProps {
  readonly studio: Studio;
  /** Empty: all. */
  readonly rule: string;
  readonly protocol: Protocol | undefined;
}

export function RuleCard({ studio, rule, protocol }: RuleCardProps) {
  const world = studio.world.value;
  const defined = protocol === undefined ? [] : rulesOf(protocol.capabilities ?? {}, world?.settings ?? {});
  // A verdict of a rule that the game does not list is shown with what it found.
  const others = studio.verdicts.value
    .map(({ verdicts: [verdict] }) => verdict.rule)
    .filter((name, index, all) => all.indexOf(name) === index && !defined.some((each) => each.rule === name));
  const all = [
    ...defined,
    ...others.map((name): RuleOf => ({ rule: name, title: name, allows: "", finds: "", limits: [] })),
  ];
  const shown = all.filter((each) => rule === "" || each.rule === rule);
  return (
    <>
      <Title title={rule === "" ? "Rules" : rule}>
        {rule === "" ? (
          `${showAmount(all.length, "rule")} of ${world?.title ?? "this game"}`
        ) : (
          <button type="button" class="plain" onClick={() => studio.select({ kind: "rule", rule: "" })}>
            All rules of {world?.title}
          </button>
        )}
      </Title>
      {shown.map((each) => (
        <Rule key={each.rule} studio={studio} of={each} isAlone={rule !== ""} />
      ))}
    </>
  );
}

function Rule({ studio, of, isAlone }: { readonly studio: Studio; readonly of: RuleOf; readonly isAlone: boolean }) {
  const found = studio.verdicts.value.filter(({ verdicts: [verdict] }) => verdict.rule === of.rule);
  const total = found.reduce((sum, group) => sum + group.total, 0);
  const [newest] = found;
  return (
    <details class="rule" open={isAlone}>
      <summary>
        <b>{of.title}</b>
        <span class="hint">{of.rule}</span>
        {newest === undefined ? null : <VerdictBadge kind={newest.verdicts[0].kind} />}
        <span class="count">{total === 0 ? "" : `× ${total}`}</span>
        {of.finds === "" ? null : (
          <span class="rule-finds">
            {of.finds} {of.allows}
          </span>
        )}
      </summary>
      {newest === undefined ? (
        <p class="hint">Has found nothing yet.</p>
      ) : (
        <button
          type="button"
          class="card-row"
          onClick={() => studio.select({ kind: "verdict", verdict: newest.verdicts[0], group: newest.verdicts })}
        >
          {newest.verdicts[0].reason}
        </button>
      )}
      {of.limits.length === 0 ? (
        <p class="hint">It has no limit that can be set.</p>
      ) : (
        <table class="rule-limits">
          <caption class="unseen">Limits of {of.rule}</caption>
          <thead>
            <tr>
              <th scope="col">limit</th>
              <th scope="col">value</th>
              <th scope="col">source</th>
            </tr>
          </thead>
          <tbody>
            {of.limits.map(({ name, summary, value, unit, source, isSet }) => (
              <tr key={name} title={name}>
                <th scope="row">{summary}</th>
                <td class="num">
                  {showMeasure(value, unit === "" ? null : unit)}
                  {isSet ? <span class="hint"> set here</span> : null}
                </td>
                <td class="hint">{source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
