import { MessageChannel } from "node:worker_threads";
import { clusterHub } from "../net/index.ts";
import { describeCluster } from "../net/testing/cluster-suite.ts";
import { connectCluster, serveCluster } from "./port-cluster.ts";

// A port behaves the same between two threads; a thread for each member would take a second.
describeCluster("a cluster for worker threads", async (leaseMs) => {
  const hub = clusterHub({ leaseMs });
  return {
    join: (name) => {
      const { port1, port2 } = new MessageChannel();
      serveCluster(hub.join(name), port1);
      return connectCluster(port2);
    },
    close: async () => {},
  };
});
