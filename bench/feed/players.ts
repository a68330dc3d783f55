/** Bots over WebSocket, for the games whose clients move their players. */
import { runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import { connectWebSocket, systemClock } from "wirewalk/net";
import { protocols } from "wirewalk/protocols";
import { contestantTask, endWhenAsked, tell } from "../harness.ts";
import type { PagesTask } from "./workload.ts";

endWhenAsked();
const { port, scene } = contestantTask<PagesTask>();
const protocol = protocols[scene.protocol];
if (protocol === undefined) throw new RangeError(`There is no protocol ${scene.protocol}`);
for (let number = 1; number <= scene.players; number += 1) {
  const { dialect, room } = scene;
  const place = new URLSearchParams({ room, account: `bot ${number}` });
  const transport = await connectWebSocket(`ws://127.0.0.1:${port}/ws/${scene.protocol}?${place}`);
  const numbered = Number.isNaN(Number(room)) ? {} : { room: Number(room) };
  const bot = protocol.bots.create({ dialect, random: createRandom(number), number, cheat: "none", ...numbered });
  runBot({ protocol, dialect, transport, bot, clock: systemClock });
  // Bots that start together step together.
  await new Promise((resolve) => setTimeout(resolve, 7));
}
tell("playing");
