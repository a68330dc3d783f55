/**
 * Reads the player info of an observer, as Old School RuneScape's client receives it: `node read-player-info.ts [port] [ticks]`. It
 * needs a server: `npx @wirewalk/cli serve --bots 24`.
 */
import { connectClient } from "wirewalk/client";
import { connectTcp } from "wirewalk/node";
import { osrs } from "wirewalk/osrs";
import { PlayerInfoClient, revision206 } from "wirewalk/osrs/player-info";

const port = Number(process.argv[2] ?? 43594);
const ticks = Number(process.argv[3] ?? 5);
const observer = new PlayerInfoClient({ dialect: "client", revision: revision206 });

const client = connectClient({
  protocol: osrs,
  dialect: "client",
  transport: await connectTcp({ host: "127.0.0.1", port }),
  onMessage(message) {
    const update = observer.receive(message);
    if (update === undefined) return; // the index and the first packet, which is no update
    const { x, z, local } = observer.decoder;
    const inView = local.reduce((sum, isLocal) => sum + isLocal, 0);
    console.log(`tick ${observer.packets}: ${inView} players in view, ${update.added.length} of them new`);
    for (const { index, type } of update.moves.slice(0, 3))
      console.log(`  player ${index}: ${type} to ${x[index]}, ${z[index]}`);
    if (observer.packets === ticks) client.close();
  },
  onClosed: (reason) => console.log(`closed: ${reason}`),
});
