/** Every game of the table, each of its dialects, against the contract. */
import { describe, it } from "vitest";
import { scaled } from "../../testing/scale.ts";
import { protocols } from "../table.ts";
import { describeProtocol } from "./protocol-suite.ts";
import { suiteOptions } from "./suite-options.ts";

const seeds = Array.from({ length: scaled(5, 1) }, (_, index) => index + 1);
const durationMs = scaled(30_000, 3000);

for (const protocol of Object.values(protocols)) {
  describeProtocol({ describe, it }, protocol, { ...suiteOptions[protocol.name], seeds, durationMs });
}
