/** Verdicts where nothing can be done about them: those of a relay, and those of a recording that is played. */
import { type RecordedVerdict, type Recording, VerdictReader } from "@wirewalk/recording";
import type { Clock } from "wirewalk/net";
import { sessionKey } from "../bans/ban-key.ts";
import { onlyOne, type ShownVerdict, showVerdict } from "./shown-verdict.ts";
import { beginsWith, type VerdictBook, type VerdictFilter } from "./verdict-book.ts";
import type { VerdictSource } from "./verdict-requests.ts";

const OF_RELAY =
  "A relay takes no actions about verdicts: the server behind it has the players. A policy can tell, hold back or disconnect (wirewalk relay --policy)";
const OF_RECORDING =
  "A recording takes no actions: its players have long left. wirewalk verdict dismiss keeps one as false";

/** The last verdicts of a relay. */
export function relayVerdicts(book: VerdictBook): VerdictSource {
  return {
    list: (filter, limit) =>
      book
        .find(filter)
        .slice(0, limit)
        .map((booked) => showVerdict(booked, [])),
    find: (filter) => showVerdict(onlyOne(book.find(filter), filter.id), []),
    noActions: OF_RELAY,
  };
}

/** Reading goes on in turns of so many milliseconds, between which the recording is played. */
const WORK_MS = 8;
const NS_PER_MS = 1_000_000n;

/** All verdicts above benign of a recording, read anew for each request: one after the other. */
export function recordedVerdicts(
  recording: Recording,
  { world, clock }: { readonly world: string; readonly clock: Clock },
): VerdictSource {
  const shown = ({ id, verdict, name = "", timeNs }: RecordedVerdict): ShownVerdict => {
    const epochMs = Number(timeNs / NS_PER_MS);
    const booked = { id, verdict, name, epochMs, world: { name: world, protocol: world }, key: sessionKey(0) };
    return showVerdict(booked, []);
  };
  const read = async (filter: VerdictFilter, most: number): Promise<readonly ShownVerdict[]> => {
    const reader = new VerdictReader(recording);
    // The last ones that the filter leaves.
    const found: RecordedVerdict[] = [];
    let untilMs = clock.now() + WORK_MS;
    for (let some = reader.read(); some !== undefined; some = reader.read()) {
      found.push(...some.filter((each) => isLeft(each, filter)));
      if (found.length > 2 * most) found.splice(0, found.length - most);
      if (clock.now() < untilMs) continue;
      await new Promise<void>((resolve) => clock.after(1, resolve));
      untilMs = clock.now() + WORK_MS;
    }
    return found.slice(-most).reverse().map(shown);
  };
  let working: Promise<unknown> = Promise.resolve();
  const inTurn = (filter: VerdictFilter, most: number): Promise<readonly ShownVerdict[]> => {
    if (filter.world !== undefined && filter.world !== world) return Promise.resolve([]);
    const next = working.then(() => read(filter, most));
    working = next.catch(() => {});
    return next;
  };
  return {
    list: (filter, limit) => (limit === 0 ? [] : inTurn(filter, limit)),
    find: async (filter) => onlyOne(await inTurn(filter, MOST_WITH_ONE_BEGINNING), filter.id),
    noActions: OF_RECORDING,
  };
}

/** More would only be counted. */
const MOST_WITH_ONE_BEGINNING = 100;

function isLeft({ id, verdict }: RecordedVerdict, { player, rule, id: wanted }: VerdictFilter): boolean {
  if (verdict.kind === "benign" || verdict.kind === "accept") return false;
  if (player !== undefined && verdict.player !== player) return false;
  if (rule !== undefined && verdict.rule !== rule) return false;
  return wanted === undefined || beginsWith(id, wanted);
}
