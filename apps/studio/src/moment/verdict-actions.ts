/** What the server says was done about a verdict, and what it is asked to do: `/verdicts` of its admin side. */
import type { FeedVerdict } from "@wirewalk/server/feed";

export type ActionName = "note" | "dismiss" | "warn" | "kick" | "ban" | "lift";

/** An action as the server keeps it. */
export interface KeptAction {
  readonly action: ActionName;
  readonly by: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly result: "done" | "failed";
  readonly detail: string | null;
}

/** A verdict that the server remembers. */
export interface RememberedVerdict {
  readonly id: string;
  readonly holdsOn: "login" | "address" | "session";
  readonly actions: readonly KeptAction[];
  /** Whether who asks may do something about it. */
  readonly mayAct: boolean;
}

/** What is asked for. */
export interface WantedAction {
  readonly action: ActionName;
  readonly reason: string;
  /** Of a ban, in milliseconds. */
  readonly forMs?: number | undefined;
}

/** The server wants the admin token. */
export class TokenNeeded extends Error {
  override readonly name = "TokenNeeded";
}

const UNAUTHORIZED = 401;

/** Undefined where the server does not remember it. Rejects with {@link TokenNeeded}, or with an `Error` for people. */
export async function findVerdict(
  world: string,
  { player, rule, atMs }: FeedVerdict,
  token: string | undefined,
): Promise<RememberedVerdict | undefined> {
  const search = new URLSearchParams({ world, player: String(player), rule });
  const { verdicts, mayAct } = (await ask(`/verdicts?${search}`, token)) as {
    readonly verdicts: readonly (Omit<RememberedVerdict, "mayAct"> & { readonly atMs: number })[];
    readonly mayAct: boolean;
  };
  const found = verdicts.find((each) => each.atMs === atMs);
  return found && { ...found, mayAct };
}

/** The verdict with all that was done about it. Rejects like {@link findVerdict}. */
export async function actOn(
  world: string,
  { id }: RememberedVerdict,
  wanted: WantedAction,
  token: string | undefined,
): Promise<RememberedVerdict> {
  const path = `/verdicts/${id}/actions?${new URLSearchParams({ world })}`;
  const acted = (await ask(path, token, { ...wanted, by: "page" })) as Omit<RememberedVerdict, "mayAct">;
  return { ...acted, mayAct: true };
}

async function ask(path: string, token: string | undefined, body?: object): Promise<unknown> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, { cache: "no-store", headers, ...request });
  } catch {
    throw new Error("The server cannot be reached.");
  }
  if (response.status === UNAUTHORIZED) throw new TokenNeeded("The server asks for its admin token.");
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && typeof answer === "object" && answer !== null) return answer;
  const { error } = (answer ?? {}) as { readonly error?: unknown };
  throw new Error(typeof error === "string" ? `${error}.` : `The server answered with status ${response.status}.`);
}
