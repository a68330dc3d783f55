import { type NatsServerOptions, type RunningNats, startNatsServer } from "../nats-server.ts";

/** No client's end of a connection takes one of these while the broker is stopped: systems give those from 32,768 or 49,152 on. */
const FIRST_PORT = 15_000;
const PORTS = 15_000;
const TRIES = 5;

/** Starts a broker that can be started again at its port: at any that is free, and that stays free while it is stopped. */
export async function startQuietNats(options: Omit<NatsServerOptions, "port">): Promise<RunningNats> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startNatsServer({ ...options, port: FIRST_PORT + Math.floor(Math.random() * PORTS) });
    } catch (error) {
      // The port is in use.
      if (tries === TRIES) throw error;
    }
  }
}
