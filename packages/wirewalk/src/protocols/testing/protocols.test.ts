/** Every game of the table, each of its dialects, against the contract. */
import { describe, it } from "vitest";
import { scaled } from "../../testing/scale.ts";
import { protocols } from "../table.ts";
import { describeProtocol } from "./protocol-suite.ts";
import { suiteOptions } from "./suite-options.ts";

const seeds = Array.from({ length: scaled(5, 1) }, (_, index) => index + 1);
const durationMs = scaled(30_000, 1200);
/** Restores of a world while a script is played, where the game sets no number of its own. */
const RESTORES = 100;

for (const protocol of Object.values(protocols)) {
  const options = suiteOptions[protocol.name];
  const { restores = RESTORES } = options ?? {};
  describeProtocol({ describe, it }, protocol, {
    ...options,
    restores: scaled(restores, Math.ceil(restores / 5)),
    damages: scaled(60, 12),
    seeds,
    durationMs,
  });
}
