import { quietPort } from "../../../wirewalk/src/testing/quiet-port.ts";
import { type NatsServerOptions, type RunningNats, startNatsServer } from "../nats-server.ts";

const TRIES = 5;

/** Starts a broker that can be started again at its port: at any that is free, and that stays free while it is stopped. */
export async function startQuietNats(options: Omit<NatsServerOptions, "port">): Promise<RunningNats> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startNatsServer({ ...options, port: quietPort() });
    } catch (error) {
      // The port is in use.
      if (tries === TRIES) throw error;
    }
  }
}
