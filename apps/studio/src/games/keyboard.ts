/**
 * The keyboard of a game: named keys that go down and up, never stuck. Keys held when the page loses the keyboard
 * (another window, another tab) are released, since their `keyup` would never arrive.
 */

export interface KeyboardOptions<K extends string> {
  /** `KeyboardEvent.code` to the game's key. */
  readonly codes: Readonly<Record<string, K>>;
  /** Edges only: auto-repeat is ignored. */
  readonly onKey: (key: K, down: boolean) => void;
}

/** What of a window and its document is listened to: tests give their own. */
export interface KeyboardTargets {
  readonly window: Pick<EventTarget, "addEventListener" | "removeEventListener">;
  readonly document: Pick<Document, "addEventListener" | "removeEventListener" | "visibilityState">;
}

/** Element kinds that take the arrow keys for themselves. */
const TYPING = new Set(["INPUT", "TEXTAREA", "SELECT"]);

/** A checkbox is an INPUT, but has no use for arrow keys. */
const NOT_TYPING = new Set(["checkbox", "button", "submit"]);

/** True while keys go into a field and not to the game. */
export function isTyping(target: unknown): boolean {
  if (target === null || typeof target !== "object" || !("tagName" in target)) return false;
  const { tagName, type, isContentEditable } = target as {
    tagName: string;
    type?: string;
    isContentEditable?: boolean;
  };
  if (isContentEditable === true) return true;
  return TYPING.has(tagName) && !(tagName === "INPUT" && NOT_TYPING.has(type ?? ""));
}

/** Listens until the returned function is called, which lets go of everything first. */
export function listenToKeys<K extends string>(options: KeyboardOptions<K>, targets: KeyboardTargets): () => void {
  const held = new Set<K>();
  const release = (key: K): void => {
    if (held.delete(key)) options.onKey(key, false);
  };
  const releaseAll = (): void => {
    for (const key of [...held]) release(key);
  };
  const down = (event: Event): void => {
    const { code, ctrlKey, metaKey, altKey, target } = event as KeyboardEvent;
    const key = options.codes[code];
    // With a modifier it is a shortcut of the browser: Alt and left is "back".
    if (key === undefined || ctrlKey || metaKey || altKey || isTyping(target)) return;
    // The page must not scroll under the player.
    event.preventDefault();
    if (held.has(key)) return;
    held.add(key);
    options.onKey(key, true);
  };
  const up = (event: Event): void => {
    // Whatever has the focus now: a key that went down in the game has to come up in it.
    const key = options.codes[(event as KeyboardEvent).code];
    if (key !== undefined) release(key);
  };
  const hidden = (): void => {
    if (targets.document.visibilityState === "hidden") releaseAll();
  };
  targets.window.addEventListener("keydown", down);
  targets.window.addEventListener("keyup", up);
  targets.window.addEventListener("blur", releaseAll);
  targets.document.addEventListener("visibilitychange", hidden);
  return () => {
    targets.window.removeEventListener("keydown", down);
    targets.window.removeEventListener("keyup", up);
    targets.window.removeEventListener("blur", releaseAll);
    targets.document.removeEventListener("visibilitychange", hidden);
    releaseAll();
  };
}
