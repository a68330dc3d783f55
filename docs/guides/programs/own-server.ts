/**
 * A server with frames and opcodes of its own, and MapleStory's movement in the bodies: `node own-server.ts [port]`.
 * A frame is a byte for its kind, 16 bits for the length of its body (low byte first), and the body.
 */
import { createServer, type Socket } from "node:net";
import { mapleMessages } from "wirewalk/maplestory/codec";
import { WireError } from "wirewalk/wire";

const KIND_MOVE = 1; // client: the path of its player
const KIND_MOVED = 2; // server: the path of another player
const HEADER_BYTES = 3;
const MAX_BODY_BYTES = 4096;

const codec = mapleMessages("v62");

interface Player {
  readonly id: number;
  readonly socket: Socket;
  received: Buffer;
  x: number;
  y: number;
}
const players = new Set<Player>();
let lastId = 0;

/** A body comes without opcode: its kind says which message of the codec it is. */
function move(player: Player, body: Uint8Array): void {
  const { start, fragments } = codec.readBody("client", "movePlayer", body).value;
  for (const { kind, x, y } of fragments) {
    if (kind === "absolute" && x !== undefined && y !== undefined) [player.x, player.y] = [x, y];
  }
  console.log(`player ${player.id} is at ${player.x}, ${player.y}`);
  // The keys and the box at the end of the client's body are not relayed.
  const notice = { message: "movePlayer", value: { characterId: player.id, start, fragments } } as const;
  const out = frame(KIND_MOVED, codec.writeBody("server", notice));
  for (const other of players) if (other !== player) other.socket.write(out);
}

function frame(kind: number, body: Uint8Array): Uint8Array {
  return Uint8Array.of(kind, body.length & 0xff, body.length >> 8, ...body);
}

/** Takes whole frames out of what was received. */
function readFrames(player: Player): void {
  while (player.received.length >= HEADER_BYTES) {
    const length = player.received.readUInt16LE(1);
    if (length > MAX_BODY_BYTES) throw new RangeError(`a body of ${length} bytes`);
    if (player.received.length < HEADER_BYTES + length) return;
    const kind = player.received[0];
    const body = player.received.subarray(HEADER_BYTES, HEADER_BYTES + length);
    player.received = player.received.subarray(HEADER_BYTES + length);
    if (kind !== KIND_MOVE) throw new RangeError(`unknown kind ${kind}`);
    move(player, body);
  }
}

const server = createServer((socket) => {
  const player: Player = { id: ++lastId, socket, received: Buffer.alloc(0), x: 0, y: 0 };
  players.add(player);
  socket.on("data", (bytes) => {
    player.received = Buffer.concat([player.received, bytes]);
    try {
      readFrames(player);
    } catch (error) {
      // Bytes that are no path end this connection, and no other.
      if (!(error instanceof WireError || error instanceof RangeError)) throw error;
      console.log(`player ${player.id} is disconnected: ${error.message}`);
      socket.destroy();
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => players.delete(player));
});
server.listen(Number(process.argv[2] ?? 5599), "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on port ${typeof address === "object" ? address?.port : address}`);
});
