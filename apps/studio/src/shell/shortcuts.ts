/** Keys of the page. While a game is played, its keys are the game's. */
import { isTyping } from "../games/keyboard.ts";

/** By `KeyboardEvent.key`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Listens until the returned function is called. `isOff` is asked at each key. */
export function listenToShortcuts(shortcuts: Shortcuts, isOff: () => boolean): () => void {
  const down = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const call = Object.hasOwn(shortcuts, key) ? shortcuts[key] : undefined;
    if (call === undefined || ctrlKey || metaKey || altKey || isTyping(target) || isOff()) return;
    if (document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    call();
  };
  window.addEventListener("keydown", down);
  return () => window.removeEventListener("keydown", down);
}
