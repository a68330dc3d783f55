/** One end of the connection: sends at a steady rate, and notes when each message left and arrived. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { openSlimeChannel } from "wirewalk/slime-online-2";
import { contestantTask, tell } from "../harness.ts";
import { type EndTask, RATE, type Round, type RoundTimes, type ServerReady } from "./workload.ts";

const DIALECT = "v0106";
/** Between two batches: as short as timers are. */
const BATCH_MS = 1;

const { side } = contestantTask<EndTask>();
const carrier = "stream";
const moves = {
  client: openSlimeChannel({ side: "client", dialect: DIALECT, carrier }).write({
    message: "movePlayer",
    value: { direction: "leftPressAir", code: 10 },
  }),
  server: openSlimeChannel({ side: "server", dialect: DIALECT, carrier }).write({
    message: "movePlayer",
    value: { playerId: 7, direction: "leftPressAir", code: 10 },
  }),
};
const own = moves[side];
const theirs = moves[side === "client" ? "server" : "client"];

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

async function play(socket: Socket, measureMs: number): Promise<RoundTimes> {
  const sentUs: number[] = [];
  const receivedUs: number[] = [];
  let bytes = 0;
  socket.setNoDelay(true);
  socket.on("data", (data: Buffer) => {
    const at = nowUs();
    bytes += data.length;
    while ((receivedUs.length + 1) * theirs.length <= bytes) receivedUs.push(at);
  });
  socket.resume();
  const startUs = nowUs();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsedUs = nowUs() - startUs;
      const due = Math.min(elapsedUs, measureMs * 1000) * (RATE / 1e6);
      while (sentUs.length < due) {
        sentUs.push(nowUs());
        socket.write(own);
      }
      if (elapsedUs < measureMs * 1000) return;
      clearInterval(timer);
      resolve();
    }, BATCH_MS);
  });
  socket.end();
  if (!socket.readableEnded) await once(socket, "end");
  return { sentUs, receivedUs };
}

if (side === "server") {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.on("message", async (message: Round | "end") => {
    if (message === "end") process.exit(0);
    const [socket] = (await once(server, "connection")) as [Socket];
    tell(await play(socket, message.measureMs));
  });
  tell({ port: (server.address() as AddressInfo).port } satisfies ServerReady);
} else {
  process.on("message", async (message: Round | "end") => {
    if (message === "end") process.exit(0);
    const socket = connect({ host: "127.0.0.1", port: message.port, allowHalfOpen: true });
    await once(socket, "connect");
    tell(await play(socket, message.measureMs));
  });
  tell("ready");
}
process.on("disconnect", () => process.exit(0));
