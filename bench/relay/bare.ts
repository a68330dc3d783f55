/** A relay that only passes bytes on: two sockets of Node, each piped into the other. What the platform costs. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { contestantTask, endWhenAsked, tell } from "../harness.ts";
import type { ServerReady } from "./workload.ts";

endWhenAsked();
const { port } = contestantTask<ServerReady>();
const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
  const far = connect({ host: "127.0.0.1", port, allowHalfOpen: true, noDelay: true });
  near.pipe(far).pipe(near);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
tell({ port: (server.address() as AddressInfo).port } satisfies ServerReady);
