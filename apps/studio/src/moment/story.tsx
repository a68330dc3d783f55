/** What happened, in sentences, by the question that each answers. */
import type { FeedMoment, FeedStoryPart } from "@wirewalk/server/feed";

const questions: Readonly<Record<FeedStoryPart, string>> = {
  claimed: "What was claimed",
  possible: "What was possible",
  limit: "By which limit",
  certainty: "How sure it is",
  "ruled-out": "What else it could be",
  done: "What was done",
};

export function Story({ moment: { story, isReproduced } }: { readonly moment: FeedMoment }) {
  return (
    <section class="step moment-story" aria-label="What happened">
      <dl>
        {story.map(({ part, text }) => (
          <div key={part}>
            <dt>{questions[part]}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {isReproduced ? null : (
        <p class="note">This build does not find the verdict again in these seconds: rules may have changed since.</p>
      )}
    </section>
  );
}
