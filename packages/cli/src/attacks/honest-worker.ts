/** What runs in the thread of {@link HonestThread}: starts the honest players, then answers one call after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { protocols } from "wirewalk/protocols";
import { HONEST_GAME, HonestPlayers } from "./honest.ts";
import type { HonestAnswer, HonestCall, HonestTask } from "./honest-thread.ts";

function say(answer: HonestAnswer): void {
  parentPort?.postMessage(answer);
}

async function answer(players: HonestPlayers, call: HonestCall): Promise<HonestAnswer["result"]> {
  switch (call.call) {
    case "play":
      await players.play(call.moves, call.withinMs);
      return undefined;
    case "notice":
      return players.notice(call.maxDelayMs);
    case "ban":
      return players.ban();
  }
}

async function failing(work: () => Promise<HonestAnswer["result"]>): Promise<void> {
  try {
    say({ result: await work() });
  } catch (error) {
    say({ error: error instanceof Error ? error.message : String(error) });
  }
}

const { address, dialect } = workerData as HonestTask;
await failing(async () => {
  const protocol = protocols[HONEST_GAME];
  if (protocol === undefined) throw new Error(`there is no game ${HONEST_GAME}`);
  const players = await HonestPlayers.start(address, protocol, dialect);
  parentPort?.on("message", (call: HonestCall) => failing(() => answer(players, call)));
  return undefined;
});
