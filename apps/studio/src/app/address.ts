/**
 * What is looked at, in the page's address: links, reloads and the browser's buttons lead back to it. `#slime-online-2` is a game or a world,
 * `#slime-online-2/3` a room of it, `?player=7` a player there, `&verdict=13250` what was found about that player at this millisecond of the
 * world's clock, `?at=12500` a moment of a recording, and `?of=7&rule=teleport&last=60` what the list of verdicts is cut down to.
 */

/** A place to watch. */
export interface Place {
  readonly world: string;
  readonly room: string;
}

/** What an address names. */
export interface Address {
  readonly world: string;
  /** Undefined: the fullest. */
  readonly room: string | undefined;
  readonly player?: number | undefined;
  /** Whole milliseconds of the world's clock. */
  readonly verdictMs?: number | undefined;
  /** Milliseconds of the recording that is played. */
  readonly atMs?: number | undefined;
  readonly filter?: VerdictFilter | undefined;
}

/** Which verdicts are listed. What is missing cuts nothing. */
export interface VerdictFilter {
  readonly player?: number | undefined;
  readonly rule?: string | undefined;
  /** Those of so many seconds up to now. */
  readonly lastSeconds?: number | undefined;
}

/** Those of the page itself: the inspector of bytes, and the way back from it. */
const OWN = new Set(["", "inspect", "watch"]);

/** Undefined when the address names nothing to watch. */
export function readAddress(hash: string): Address | undefined {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  const [first = "", second = ""] = path.split("/");
  if (OWN.has(first)) return undefined;
  const world = decoded(first);
  const room = decoded(second);
  // A broken escape in a link that somebody typed.
  if (world === undefined || room === undefined) return undefined;
  const values = new URLSearchParams(query);
  return {
    world,
    room: room === "" ? undefined : room,
    player: wholeNumber(values.get("player")),
    verdictMs: wholeNumber(values.get("verdict")),
    atMs: wholeNumber(values.get("at")),
    filter: filterIn(values),
  };
}

export function writeAddress({ world, room, player, verdictMs, atMs, filter = {} }: Address): string {
  const { player: of, rule, lastSeconds: last } = filter;
  const values = { player, verdict: verdictMs, at: atMs, of, rule, last };
  const query = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const path =
    room === undefined ? encodeURIComponent(world) : `${encodeURIComponent(world)}/${encodeURIComponent(room)}`;
  return `#${path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/** Undefined where it cuts nothing. */
function filterIn(values: URLSearchParams): VerdictFilter | undefined {
  const filter = {
    player: wholeNumber(values.get("of")),
    rule: values.get("rule") || undefined,
    lastSeconds: wholeNumber(values.get("last")),
  };
  return Object.values(filter).every((value) => value === undefined) ? undefined : filter;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
