/** What an operator does about a verdict of a live world, and what was done, as a chunk of the page. */
import "./moment.css";
import { signal, useSignal } from "@preact/signals";
import type { FeedAdvice, FeedVerdict } from "@wirewalk/server/feed";
import { useEffect } from "preact/hooks";
import { showClock } from "../ui/format.ts";
import {
  type ActionName,
  actOn,
  findVerdict,
  type KeptAction,
  type RememberedVerdict,
  TokenNeeded,
} from "./verdict-actions.ts";

export interface ActionsProps {
  /** Its name. */
  readonly world: string;
  readonly verdict: FeedVerdict;
  /** What is advised: its button stands out. */
  readonly advice?: FeedAdvice | undefined;
}

interface Action {
  readonly action: ActionName;
  readonly label: string;
  /** What it does, before it is done. */
  readonly does: string;
  readonly needsReason: boolean;
}

const actions: readonly Action[] = [
  { action: "note", label: "Add a note", does: "Other operators see it, and the player does not.", needsReason: true },
  {
    action: "dismiss",
    label: "This was wrong",
    does: "Dismisses the verdict as false: its points are taken back, and its seconds are kept as a recording in which the rule must not find the player.",
    needsReason: true,
  },
  { action: "warn", label: "Warn the player", does: "The player is shown the reason.", needsReason: true },
  {
    action: "kick",
    label: "Disconnect the player",
    does: "Its connection ends; it may come back.",
    needsReason: false,
  },
  { action: "ban", label: "Ban for a time", does: "It may not come back for that time.", needsReason: false },
  { action: "lift", label: "Lift the ban", does: "It may come back again.", needsReason: false },
];

const past: Readonly<Record<ActionName, string>> = {
  note: "noted",
  dismiss: "dismissed as false",
  warn: "warned",
  kick: "kicked",
  ban: "banned",
  lift: "ban lifted",
};

const HOUR_MS = 3_600_000;
const spans: readonly (readonly [label: string, ms: number])[] = [
  ["1 hour", HOUR_MS],
  ["1 day", 24 * HOUR_MS],
  ["1 week", 168 * HOUR_MS],
  ["30 days", 720 * HOUR_MS],
];

/** Until the page is closed or loaded anew: nothing keeps it. */
const token = signal<string | undefined>(undefined);

export function Actions({ world, verdict, advice }: ActionsProps) {
  const remembered = useSignal<RememberedVerdict | undefined>(undefined);
  const chosen = useSignal<Action | undefined>(undefined);
  const notice = useSignal<string | undefined>(undefined);
  const needsToken = useSignal(false);
  const isBusy = useSignal(false);
  const { player, rule, atMs } = verdict;

  const guarded = async (work: () => Promise<RememberedVerdict | undefined>): Promise<boolean> => {
    isBusy.value = true;
    try {
      remembered.value = await work();
      needsToken.value = false;
      notice.value =
        remembered.peek() === undefined ? "The server does not remember this verdict any more." : undefined;
      return true;
    } catch (error) {
      needsToken.value = error instanceof TokenNeeded;
      notice.value = error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      isBusy.value = false;
    }
  };
  const look = (): Promise<boolean> => guarded(() => findVerdict(world, verdict, token.peek()));
  useEffect(() => void look(), [world, player, rule, atMs]);

  const act = async (form: FormData): Promise<void> => {
    const [of, action] = [remembered.peek(), chosen.peek()];
    if (of === undefined || action === undefined) return;
    const reason = String(form.get("reason") ?? "").trim();
    const forMs = action.action === "ban" ? Number(form.get("for")) : undefined;
    const wanted = { action: action.action, reason, ...(forMs === undefined ? {} : { forMs }) };
    if (await guarded(() => actOn(world, of, wanted, token.peek()))) chosen.value = undefined;
  };

  return (
    <section class="moment-actions" aria-label="Actions">
      <Done actions={remembered.value?.actions ?? []} />
      {notice.value === undefined ? null : (
        <p class="note" role="status">
          {notice.value}
        </p>
      )}
      {needsToken.value ? <TokenForm look={look} /> : null}
      {remembered.value?.mayAct === false ? (
        <p class="hint">
          Start the server with <code>--admin-token-file FILE</code> and open this page anew: with the token it has
          buttons here, to note, to dismiss, to warn, to disconnect and to ban.
        </p>
      ) : null}
      {remembered.value?.mayAct !== true ? null : (
        <div class="moment-buttons">
          {actions.map((each) => (
            <button
              key={each.action}
              type="button"
              class={each.action === advice ? "primary" : "quiet"}
              aria-pressed={chosen.value?.action === each.action}
              onClick={() => {
                chosen.value = chosen.peek()?.action === each.action ? undefined : each;
              }}
            >
              {each.label}
            </button>
          ))}
        </div>
      )}
      {chosen.value === undefined ? null : (
        <form
          class="moment-form"
          onSubmit={(event) => {
            event.preventDefault();
            void act(new FormData(event.currentTarget));
          }}
        >
          <p class="hint">
            {chosen.value.does}
            {chosen.value.action === "ban" ? ` It holds on the ${remembered.value?.holdsOn ?? "player"}.` : ""}
          </p>
          <label>
            Reason <input name="reason" required={chosen.value.needsReason} maxLength={200} autocomplete="off" />
          </label>
          {chosen.value.action === "ban" ? (
            <label>
              For{" "}
              <select name="for">
                {spans.map(([label, ms]) => (
                  <option key={ms} value={String(ms)}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          ) : null}
          <button type="submit" class="primary" disabled={isBusy.value}>
            Do it
          </button>
        </form>
      )}
    </section>
  );
}

function Done({ actions: kept }: { readonly actions: readonly KeptAction[] }) {
  if (kept.length === 0) return <p class="hint">Nobody has done anything about it yet.</p>;
  return (
    <ul class="card-list">
      {kept.map(({ action, by, reason, atMs, result, detail }) => (
        <li key={`${atMs} ${action}`}>
          <b>{result === "done" ? past[action] : `not ${past[action]}`}</b> by {by} at {showClock(atMs)}
          {reason === "" ? "" : `: ${reason}`}
          {detail === null ? null : <span class="hint"> {detail}</span>}
        </li>
      ))}
    </ul>
  );
}

function TokenForm({ look }: { readonly look: () => Promise<boolean> }) {
  return (
    <form
      class="moment-form"
      onSubmit={(event) => {
        event.preventDefault();
        token.value = String(new FormData(event.currentTarget).get("token") ?? "").trim();
        void look();
      }}
    >
      <label>
        Admin token <input name="token" type="password" required autocomplete="off" />
      </label>
      <button type="submit" class="quiet">
        Use it
      </button>
    </form>
  );
}
