/** Parts of the page that are loaded when they are shown first. */
import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";

/** A component in a chunk of its own. `what` it is stands in its place until it is there: `the list of verdicts`. */
export function lazy<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  what: string,
): FunctionComponent<Props> {
  const loaded = signal<FunctionComponent<Props> | undefined>(undefined);
  const hasFailed = signal(false);
  const loadOnce = async (): Promise<void> => {
    try {
      loaded.value ??= await load();
    } catch {
      hasFailed.value = true;
    }
  };
  return function Lazy(props: Props) {
    useEffect(() => void loadOnce(), []);
    const Loaded = loaded.value;
    if (Loaded !== undefined) return <Loaded {...props} />;
    return (
      <p class="empty" role="status">
        {hasFailed.value
          ? `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded. Reload the page.`
          : `Loading ${what}.`}
      </p>
    );
  };
}
