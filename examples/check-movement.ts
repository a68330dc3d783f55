/**
 * Checks movement in a server that you have: the rules of Slime Online 2 as a library, without a Wirewalk server. Your server goes
 * on to decide everything. It gives each message to a world, which answers with verdicts: `node check-movement.ts`.
 */
import type { Verdict } from "wirewalk/motion";
import { moveMessage, slimeOnline2 } from "wirewalk/slime-online-2";

type Move = ReturnType<typeof moveMessage>;
const dialect = "documented";
const codec = slimeOnline2.codec(dialect);
// With "log" it only judges: no player is corrected or banned.
const rules = slimeOnline2.createWorld({ dialect, seed: 1, enforcement: "log" });

/** Call it where your server handles a move. No verdict means that nothing is wrong. */
function check(player: number, move: Move, nowMs: number): readonly Verdict[] {
  rules.receive(player, move, codec.write("client", move), nowMs);
  return rules.takeEffects().flatMap((effect) => (effect.effect === "verdict" ? [effect.verdict] : []));
}

rules.join(1, { account: "ann", name: "Ann" }, 0);
rules.takeEffects();

const moves: readonly (readonly [number, Move])[] = [
  [100, moveMessage("rightPress", 448, 160)],
  [1100, moveMessage("rightRelease", 560, 160)], // 112 pixels in a second
  [1200, moveMessage("leftPress", 4000, 160)], // 3,440 pixels in a tenth of a second
];
for (const [nowMs, move] of moves) {
  const verdicts = check(1, move, nowMs).map(({ kind, rule, reason }) => `${kind} ${rule}: ${reason}`);
  console.log(`${nowMs} ms: ${verdicts.join("; ") || "nothing is wrong"}`);
}
