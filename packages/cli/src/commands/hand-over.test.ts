import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNatsServer, natsCluster, type RunningNats, startNatsServer } from "@wirewalk/nats";
import { afterAll, beforeAll, describe } from "vitest";
import { describeHandOver, LEASE_MS } from "../../../server/src/testing/hand-over-suite.ts";

const program = findNatsServer();

// Debian's package `nats-server`; `.ci/run` installs it.
describe.skipIf(program === undefined)("NATS", () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-hand-over-"));
  let nats: RunningNats;
  let prefixes = 0;
  beforeAll(async () => {
    nats = await startNatsServer({ program: program ?? "", folder });
  });
  afterAll(async () => {
    await nats.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describeHandOver("a hand-over over NATS", async () => {
    prefixes += 1;
    const options = { url: nats.url, prefix: `hand-over${prefixes}`, leaseMs: LEASE_MS, callMs: 10_000 };
    return { join: (name) => natsCluster({ ...options, name }), close: async () => {} };
  });
});
