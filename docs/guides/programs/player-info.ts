/**
 * Player info for a world of your own, with a revision of your own: `node player-info.ts`. It prints what the client of player 5
 * receives, as `wirewalk decode osrs/player-info --revision my-revision.json` reads it.
 */
import { readFileSync } from "node:fs";
import { PlayerInfoEngine, parseMaskRevision } from "wirewalk/osrs/player-info";

const json: unknown = JSON.parse(readFileSync(new URL("my-revision.json", import.meta.url), "utf8"));
const engine = new PlayerInfoEngine({ dialect: "client", revision: parseMaskRevision(json) });

// A world of three players. Yours says where they are.
const world = new Map([
  [5, { level: 0, x: 3200, z: 3200 }],
  [6, { level: 0, x: 3203, z: 3201 }],
  [7, { level: 0, x: 3500, z: 3500 }],
]);
const OBSERVER = 5;

// Logins. The initialisation goes into the login block.
for (const [index, tile] of world) {
  engine.add(index, tile);
  engine.setBlock(index, "appearance", { bytes: Uint8Array.of(index, 1, 2, 3) });
}
const init = engine.observe(OBSERVER);
print({ initHex: Buffer.from(init).toString("hex"), localIndex: OBSERVER });

// Ticks, of 600 ms in the game. Your server has the opcode and the size of the packet.
for (let tick = 1; tick <= 3; tick++) {
  const walker = world.get(6);
  if (walker !== undefined) {
    walker.x += 1;
    engine.move(6, walker.x, walker.z);
  }
  if (tick === 2) engine.setBlock(6, "say", { text: "hello" });
  if (tick === 3) engine.teleport(7, { level: 0, x: 3205, z: 3205 });
  engine.tick();
  print({ hex: Buffer.from(engine.packet(OBSERVER)).toString("hex") });
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}
