import { clusterHub } from "./cluster-hub.ts";
import { describeCluster } from "./testing/cluster-suite.ts";

describeCluster("a cluster in one process", async (leaseMs) => {
  const hub = clusterHub({ leaseMs });
  return { join: async (name) => hub.join(name), close: async () => {} };
});
