import { WireError } from "../wire/index.ts";

/** The result of work that refuses by `WireError`, or that error. Other errors are bugs and are thrown on. */
export function attempt<T extends object>(
  work: () => T,
): (T & { readonly error?: undefined }) | { readonly error: WireError } {
  try {
    return work();
  } catch (error) {
    if (error instanceof WireError) return { error };
    throw error;
  }
}
