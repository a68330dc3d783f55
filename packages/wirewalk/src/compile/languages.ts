/** The languages that codecs are printed in: one line each. */
import { csharp } from "./csharp/language.ts";
import { go } from "./go/language.ts";
import { java } from "./java/language.ts";
import type { Language } from "./language.ts";
import { python } from "./python/language.ts";
import { rust } from "./rust/language.ts";

/** Every language by its name. */
export const languages: Readonly<Record<string, Language>> = Object.freeze({
  [csharp.name]: csharp,
  [go.name]: go,
  [java.name]: java,
  [python.name]: python,
  [rust.name]: rust,
});
