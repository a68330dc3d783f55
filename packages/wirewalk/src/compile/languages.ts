/** The languages that codecs are printed in: one line each. */
import { java } from "./java/language.ts";
import type { Language } from "./language.ts";
import { python } from "./python/language.ts";

/** Every language by its name. */
export const languages: Readonly<Record<string, Language>> = Object.freeze({
  [java.name]: java,
  [python.name]: python,
});
