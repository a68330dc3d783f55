/** `--pseudonyms`: files without the names, chat and looks of strangers. */
import { Option } from "commander";
import type { PseudonymScope } from "wirewalk/protocol";

export interface PseudonymFlags {
  readonly pseudonyms?: PseudonymScope;
}

export function pseudonymOption(): Option {
  return new Option(
    "--pseudonyms [whose]",
    "replace names, looks and all chat: of everybody but the observer (others, the default), or of the observer too (all)",
  )
    .choices(["others", "all"] satisfies readonly PseudonymScope[])
    .preset("others");
}
