/** The worker that plays a recording. */
import { systemClock } from "wirewalk/net";
import { protocols } from "wirewalk/protocols";
import type { Port } from "../inspect/source/worker-messages.ts";
import { readBlob } from "../maps/read-blob.ts";
import type { FromPlayer, ToPlayer } from "./messages.ts";
import { servePlayer } from "./player.ts";

servePlayer({
  port: globalThis as unknown as Port<FromPlayer, ToPlayer>,
  protocols,
  clock: systemClock,
  read: readBlob,
});
