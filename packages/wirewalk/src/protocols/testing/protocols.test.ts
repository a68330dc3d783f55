/** Every game of the table, each of its dialects, against the contract. */
import { describe, it } from "vitest";
import { scaled } from "../../testing/scale.ts";
import { protocols } from "../table.ts";
import { describeProtocol } from "./protocol-suite.ts";
import { suiteOptions } from "./suite-options.ts";

const seeds = Array.from({ length: scaled(5, 1) }, (_, index) => index + 1);
const durationMs = scaled(30_000, 8000);

/** Rules that a game does not keep yet, by its name. */
const unmet: Readonly<Record<string, readonly string[]>> = {
  osrs: ["ids are integers from 1 to 65535, each used once", "gives plain effects, once, and leaves them alone"],
};

for (const protocol of Object.values(protocols)) {
  const skipped = unmet[protocol.name] ?? [];
  const runner = {
    describe,
    it: (name: string, check: () => void) => (skipped.includes(name) ? it.skip(name, check) : it(name, check)),
  };
  describeProtocol(runner, protocol, { ...suiteOptions[protocol.name], seeds, durationMs });
}
