import type { Studio } from "../app/studio.ts";
import { showClock } from "../ui/format.ts";
import { moveFocus } from "../ui/roving.ts";

/** The bans in force. */
export function Bans({ studio }: { readonly studio: Studio }) {
  const bans = studio.bans.value;
  return (
    <section class="bans" aria-label="Bans">
      {bans.length === 0 ? (
        <p class="empty">Nobody is banned. Bans follow from repeated verdicts, and end by themselves.</p>
      ) : null}
      <ul onKeyDown={(event) => moveFocus(event, { rows: ".ban", onMove: (row) => row.click() })}>
        {bans.map((ban, index) => (
          <li key={`${ban.holdsOn} ${ban.name} ${ban.fromMs}`}>
            <button
              type="button"
              class="ban"
              tabIndex={index === 0 ? 0 : -1}
              aria-pressed={studio.isSelected({ kind: "ban", ban })}
              onClick={() => studio.select({ kind: "ban", ban })}
            >
              <span>
                <strong>{ban.name}</strong> <span class="hint">by {ban.holdsOn}</span>
              </span>
              <span>
                {ban.rule}: {ban.reason}
              </span>
              <span class="hint">
                until {new Date(ban.untilMs).toLocaleDateString("en-CA")} {showClock(ban.untilMs)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
