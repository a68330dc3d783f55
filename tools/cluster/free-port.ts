/** Ports of this machine that are free now. */
import { createServer } from "node:net";

/** The port, or 0 for any where it is taken. */
export function freePort(port: number): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(0));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)));
  });
}

/**
 * One that no client's end of a connection takes while its node is down: systems give those from 32,768 or 49,152 on. With 1,000
 * clients one of them had the port of a killed node.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = await freePort(15_000 + Math.floor(Math.random() * 15_000));
    if (port !== 0) return port;
  }
}
