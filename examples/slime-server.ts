/** A server of Slime Online 2 in thirty lines. Its world is an object of your own: `node slime-server.ts [port]`. */
import { createServer, type Socket } from "node:net";
import { slimeOnline2 } from "wirewalk/slime-online-2";

const world = new Map<Socket, { readonly id: number; x: number; y: number }>();
const open = () => slimeOnline2.openChannel({ side: "server", dialect: "documented", carrier: "stream" });
let lastId = 0;

const server = createServer((socket) => {
  const channel = open(); // splits the stream into messages
  const player = { id: ++lastId, x: 0, y: 0 };
  world.set(socket, player);
  socket.on("data", (bytes) => {
    try {
      channel.push(bytes);
      for (let received = channel.next(); received !== undefined; received = channel.next()) {
        const { message, error } = received;
        if (error !== undefined || message.message !== "movePlayer") continue; // refused: the stream goes on
        const { direction, x = player.x, y = player.y } = message.value;
        Object.assign(player, { x, y });
        console.log(`player ${player.id}: ${direction} at ${x}, ${y}`);
        const notice = channel.write({ message: "movePlayer", value: { playerId: player.id, ...message.value } });
        for (const other of world.keys()) if (other !== socket) other.write(notice);
      }
    } catch (error) {
      socket.destroy(error as Error); // the stream has no frames: this player is disconnected
    }
  });
  socket.on("error", ({ message }) => console.log(`player ${player.id}: ${message}`));
  socket.on("close", () => world.delete(socket));
});
server.listen(Number(process.argv[2] ?? 5555), "127.0.0.1", () => console.log("listening", server.address()));
