/** The formats that this build exports: one line each; `compile/languages.ts` has the lines of languages. */
import type { ExportFormat } from "./format.ts";
import { jsonSchema } from "./json-schema/json-schema.ts";
import { kaitai } from "./kaitai/kaitai.ts";
import { languageFormats } from "./languages/languages.ts";
import { markdown } from "./markdown.ts";
import { svg } from "./svg/svg.ts";
import { typescript } from "./typescript/typescript.ts";
import { wireshark } from "./wireshark/wireshark.ts";

/** Every format by its name. */
export const exportFormats: Readonly<Record<string, ExportFormat>> = Object.freeze({
  [jsonSchema.name]: jsonSchema,
  [kaitai.name]: kaitai,
  [markdown.name]: markdown,
  [svg.name]: svg,
  [typescript.name]: typescript,
  [wireshark.name]: wireshark,
  ...Object.fromEntries(languageFormats.map((format) => [format.name, format])),
});
