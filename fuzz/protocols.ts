/** The rules of the contract suite as fuzz runs: each rule of every protocol and dialect, with new seeds all the time. */
import type { Protocol } from "wirewalk/protocol";
import { dialectRules } from "wirewalk/testing";
import { suiteOptions } from "../packages/wirewalk/src/protocols/testing/suite-options.ts";
import type { FuzzRun } from "./fuzz-run.ts";

/** The runs of one protocol: the rules about every dialect, but for those that no seed changes. */
export function protocolRuns(protocol: Protocol): readonly FuzzRun[] {
  return protocol.dialects.flatMap(({ name: dialect }) =>
    dialectRules(protocol, dialect, suiteOptions[protocol.name])
      .filter(({ isFixed }) => isFixed !== true)
      .map(({ name, check }) => ({
        name: `${protocol.name}/${dialect}/${name}`,
        step: (random) => check(random.integer(0, 0x7fff_ffff)),
      })),
  );
}
