/** What is refused, for tests of layouts. */
import { WireError } from "../index.ts";

/** Runs `action`; gives the {@link WireError} it throws, or `undefined`. Any other error fails the test. */
export function wireErrorOf(action: () => unknown): WireError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}
