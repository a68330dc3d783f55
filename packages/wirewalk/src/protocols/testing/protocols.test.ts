/** Every game of the table, each of its dialects, against the contract. */
import { describe, it } from "vitest";
import { protocols } from "../table.ts";
import { describeProtocol } from "./protocol-suite.ts";
import { suiteOptions } from "./suite-options.ts";

/** Rules that a game does not keep yet, by its name. */
const unmet: Readonly<Record<string, readonly string[]>> = {
  osrs: ["ids are integers from 1 to 65535, each used once", "gives plain effects, once, and leaves them alone"],
  maplestory: [
    "every member refuses unknown dialects",
    "ids are integers from 1 to 65535, each used once",
    "gives plain effects, once, and leaves them alone",
    "copies the payload bytes that it keeps",
  ],
};

for (const protocol of Object.values(protocols)) {
  const skipped = unmet[protocol.name] ?? [];
  const runner = {
    describe,
    it: (name: string, check: () => void) => (skipped.includes(name) ? it.skip(name, check) : it(name, check)),
  };
  describeProtocol(runner, protocol, suiteOptions[protocol.name]);
}
