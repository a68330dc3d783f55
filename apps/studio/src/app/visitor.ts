/** The account of this browser, where a protocol has no login: shown to others as the name. It proves nothing, so no ban applies to it. */

const KEY = "wirewalk-account";

/** The same at every visit; a new one where the browser keeps nothing. */
export function visitorAccount(storage: Pick<Storage, "getItem" | "setItem">): string {
  const fresh = `guest-${Math.random().toString(36).slice(2, 6).padEnd(4, "0")}`;
  try {
    const kept = storage.getItem(KEY);
    if (kept !== null) return kept;
    storage.setItem(KEY, fresh);
  } catch {
    // A browser whose storage is disabled throws. The account then lasts as long as the page.
  }
  return fresh;
}
