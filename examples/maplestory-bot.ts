/**
 * A MapleStory client that walks by itself and prints the players that it sees: `node maplestory-bot.ts [port] [seconds]`. It needs a
 * server: `npx @wirewalk/cli serve --bots 24`.
 */
import { type BotRun, runBot } from "wirewalk/client";
import { mapleStory } from "wirewalk/maplestory";
import { createRandom } from "wirewalk/motion";
import { systemClock } from "wirewalk/net";
import { connectTcp } from "wirewalk/node";

const port = Number(process.argv[2] ?? 7575);
const seconds = Number(process.argv[3] ?? 10);
const dialect = "v62";

const transport = await connectTcp({ host: "127.0.0.1", port });
const run: BotRun = runBot({
  protocol: mapleStory,
  dialect,
  transport,
  clock: systemClock,
  bot: mapleStory.bots.create({ dialect, random: createRandom(1), number: 0, cheat: "none" }),
  onMessage({ message, value }) {
    if (message !== "movePlayer" || !("start" in value)) return;
    console.log(`player ${value.characterId} walks from ${value.start.x}, ${value.start.y}`);
  },
  onClosed: (reason) => console.log(`closed: ${reason}; ${run.counts.messagesOut} messages sent`),
});
setTimeout(() => run.stop("enough"), seconds * 1000);
