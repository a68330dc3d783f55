import type { FeedBan } from "../studio.ts";
import { showClock } from "./format.ts";

/** Accounts that were banned while this page was open. */
export function Bans({ bans }: { readonly bans: readonly FeedBan[] }) {
  return (
    <section class="panel bans" aria-label="Bans">
      <h2>
        Bans <span class="hint">since this page was opened</span>
      </h2>
      {bans.length === 0 ? <p class="empty">Nobody was banned.</p> : null}
      <ul>
        {bans.map(({ account, player, reason, untilMs }) => (
          <li key={`${account} ${untilMs}`}>
            <span class="ban-who">
              <strong>{account}</strong> <span class="hint">player #{player}</span>
            </span>
            <span>{reason}</span>
            <span class="hint">
              until {new Date(untilMs).toLocaleDateString("en-CA")} {showClock(untilMs)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
