/** Ports of this machine that are free now. */
import { createServer } from "node:net";
import { quietPort } from "../../packages/wirewalk/src/testing/quiet-port.ts";

/** The port, or 0 for any where it is taken. */
export function freePort(port: number): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(0));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)));
  });
}

/** One that stays free while its node is down: with 1,000 clients one of them had the port of a killed node. */
export async function freeQuietPort(): Promise<number> {
  for (;;) {
    const port = await freePort(quietPort());
    if (port !== 0) return port;
  }
}
