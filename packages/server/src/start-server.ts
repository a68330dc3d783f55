import { systemClock } from "wirewalk/net";
import { processMemory } from "wirewalk/node";
import { joinCluster } from "./cluster/clustered.ts";
import { fitToDescriptors, openFileLimit } from "./health/descriptors.ts";
import { MemoryBudget } from "./health/memory-budget.ts";
import { nodeRuntime } from "./runtime/runtime.ts";
import { Server } from "./server.ts";
import type { RunningServer, ServerOptions } from "./server-options.ts";
import { budgetsWith } from "./session/budgets.ts";

/**
 * Starts a server. Throws `RangeError` for an unknown dialect, a protocol given twice or an invalid budget, `Error` when a
 * port cannot be listened on or the page's folder has no page.
 *
 * ```ts
 * const server = await startServer({ http: 7400, listeners: [{ protocol: slimeOnline2, port: 5555 }] });
 * await server.close();
 * ```
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const budgets = budgetsWith(options.budgets);
  const limit = openFileLimit();
  const fitted = limit === undefined ? budgets : fitToDescriptors(budgets, limit);
  if (fitted !== budgets) {
    const { sessions, httpConnections } = fitted;
    const text = "fewer connections than configured: the limit of open files allows no more (ulimit -n)";
    options.logger?.warn({ openFiles: limit, sessions, httpConnections }, text);
  }
  const clustered = options.cluster === undefined ? undefined : await joinCluster(options.cluster, options);
  const memory = new MemoryBudget({ memory: processMemory(), clock: systemClock, log: options.logger });
  const server = new Server({ ...options, budgets: fitted, memory }, nodeRuntime, clustered);
  try {
    memory.checkStart();
    await server.listen();
  } catch (error) {
    await server.close({ graceMs: 0 });
    throw error;
  }
  server.watchMemory(memory, options.onMemoryUsedUp);
  return server;
}
