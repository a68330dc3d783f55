/** What a request for a WebSocket asks for, and whether it gets it: pure, before any socket is touched. */

import type { JoinRequest } from "../session/session.ts";
import type { AdminToken } from "./admin-token.ts";
import { type Asking, isAllowedOrigin, isOwnHost, type WebNames } from "./web-access.ts";

/** The page's feed: its WebSocket is `/ws/studio`, its connections have places as those of a game have. */
export const STUDIO = "studio";
/** Characters of a name in a WebSocket's address. */
export const MAX_NAME_LENGTH = 64;

/** What of a server decides. */
export interface UpgradeRules {
  readonly names: WebNames;
  readonly token: Pick<AdminToken, "isIn"> | undefined;
  readonly isDraining: boolean;
  /** Whether a world has this name. */
  readonly isWorld: (name: string) => boolean;
  /** Whether the page's feed is at this address. */
  readonly hasPage: boolean;
}

export type AskedUpgrade =
  | { readonly listener: string; readonly joinRequest: JoinRequest }
  | { readonly status: 400 | 401 | 403 | 404 | 421 | 503; readonly why: string };

/** The WebSocket that a request may have, or the status of its refusal. */
export function judgeUpgrade(
  request: Asking & { readonly url?: string | undefined },
  rules: UpgradeRules,
): AskedUpgrade {
  const { names, token, isDraining, isWorld, hasPage } = rules;
  const { listener, joinRequest } = requestedUpgrade(request.url ?? "");
  if (isDraining) return { status: 503, why: "This server is about to stop" };
  if (!isOwnHost(request, names)) return { status: 421, why: "This server is not known by this name" };
  if (!isWorld(listener) && !(listener === STUDIO && hasPage)) return { status: 404, why: "No such WebSocket" };
  if (!isAllowedOrigin(request, names)) return { status: 403, why: "Pages of this origin may not connect" };
  if (!isWorld(listener) && token?.isIn(request.headers) === false) {
    return { status: 401, why: "The feed needs the admin token" };
  }
  if (joinRequest !== undefined) return { listener, joinRequest };
  return { status: 400, why: `A name in the address must have 1 to ${MAX_NAME_LENGTH} characters` };
}

/** What the address of a request names; no join request when it holds an invalid name, and an empty listener where there can be none. */
export function requestedUpgrade(url: string): {
  readonly listener: string;
  readonly joinRequest: JoinRequest | undefined;
} {
  // Not `new URL`: it throws for some hostile request lines.
  const [path = "", search = ""] = url.split("?", 2);
  const listener = path.startsWith("/ws/") ? path.slice("/ws/".length) : "";
  return { listener, joinRequest: readJoinRequest(new URLSearchParams(search)) };
}

/** The request in a WebSocket's address; undefined when it holds an invalid name. */
function readJoinRequest(search: URLSearchParams): JoinRequest | undefined {
  const joinRequest: { account?: string; room?: string; viewer?: string } = {};
  for (const name of ["account", "room", "viewer"] as const) {
    const value = search.get(name);
    if (value === null) continue;
    if (value === "" || value.length > MAX_NAME_LENGTH) return undefined;
    joinRequest[name] = value;
  }
  return joinRequest;
}
