import type { FeedBan } from "@wirewalk/server/feed";
import { showClock } from "./format.ts";

/** The bans in force. */
export function Bans({ bans }: { readonly bans: readonly FeedBan[] }) {
  return (
    <section class="panel bans" aria-label="Bans">
      <h2>
        Bans <span class="hint">in force</span>
      </h2>
      {bans.length === 0 ? <p class="empty">Nobody is banned.</p> : null}
      <ul>
        {bans.map(({ holdsOn, name, rule, reason, fromMs, untilMs }) => (
          <li key={`${holdsOn} ${name} ${fromMs}`}>
            <span class="ban-who">
              <strong>{name}</strong> <span class="hint">by {holdsOn}</span>
            </span>
            <span>
              {rule}: {reason}
            </span>
            <span class="hint">
              until {new Date(untilMs).toLocaleDateString("en-CA")} {showClock(untilMs)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
