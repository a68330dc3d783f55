/** What happened and what can be done, in sentences, by the question that each answers. */
import type { FeedMoment, FeedStoryAnswer, FeedStoryPart, FeedVerdict } from "@wirewalk/server/feed";
import { Actions } from "./actions.tsx";

/** Parts that come after what can be done, and those that are folded away whole. */
const below: readonly FeedStoryPart[] = ["sum", "certainty", "causes", "limits"];

export interface StoryProps {
  readonly moment: FeedMoment;
  readonly verdict: FeedVerdict;
  /** The name of the live world that it is of; undefined for a verdict of a recording or a relay. */
  readonly live: string | undefined;
}

export function Story({ moment: { id, story }, verdict, live }: StoryProps) {
  const of = (part: FeedStoryPart): FeedStoryAnswer | undefined => story.find((answer) => answer.part === part);
  const [did = "", ...where] = of("did")?.lines ?? [];
  const [done, next, proof] = [of("done"), of("next"), of("proof")];
  return (
    <section class="step moment-story" aria-label="What happened">
      <p class="moment-did">{did}</p>
      {where.map((line) => (
        <p key={line} class="hint">
          {line}
        </p>
      ))}
      <Answer answer={done} />
      {next === undefined ? null : (
        <section class="moment-next" aria-label={next.question}>
          <h3>{next.question}</h3>
          <p class="moment-advice">{next.lines.join(" ")}</p>
          {live === undefined ? (
            <ElsewhereActions id={id} />
          ) : verdict.kind === "benign" ? null : (
            <Actions world={live} verdict={verdict} advice={next.advice} />
          )}
        </section>
      )}
      {below.map((part) => (
        <Answer key={part} answer={of(part)} />
      ))}
      {proof === undefined ? null : (
        <details>
          <summary>{proof.question}</summary>
          <p>{proof.lines.join(" ")}</p>
        </details>
      )}
    </section>
  );
}

function Answer({ answer }: { readonly answer: FeedStoryAnswer | undefined }) {
  if (answer === undefined) return null;
  const { question, lines, more = [] } = answer;
  return (
    <>
      {lines.length === 0 ? null : <h3>{question}</h3>}
      {lines.length > 1 ? (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : (
        lines.map((line) => <p key={line}>{line}</p>)
      )}
      {more.length === 0 ? null : (
        <details>
          <summary>
            {lines.length === 0
              ? "Limits of this rule"
              : more.length === 1
                ? "The other limit of this rule"
                : `The other ${more.length} limits of this rule`}
          </summary>
          <ul>
            {more.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** A recording cannot be acted upon: what can is said. */
function ElsewhereActions({ id }: { readonly id: string }) {
  return (
    <p class="hint">
      This is a recording. On the page of the running server there are buttons here: add a note, this was wrong, warn,
      disconnect, ban. Or by command: <code>{`wirewalk verdict act warn ${id} --reason "…" --token-file FILE`}</code>{" "}
      (or <code>kick</code>, <code>ban</code>, <code>dismiss</code>, <code>note</code>).
    </p>
  );
}
