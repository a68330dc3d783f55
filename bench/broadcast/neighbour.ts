/** A busy neighbour: a process that takes all the time that it gets on a core. */
import { contestantTask } from "../harness.ts";
import { runOn } from "./workload.ts";

const { core } = contestantTask<{ readonly core?: number }>();
runOn(core);
let isOver = false;
process.on("disconnect", () => {
  isOver = true;
});
process.on("message", () => process.exit(0));
const work = (): void => {
  const untilMs = performance.now() + 20;
  let sum = 0;
  while (performance.now() < untilMs) sum += Math.sqrt(untilMs);
  if (!isOver && sum > 0) setImmediate(work);
};
work();
