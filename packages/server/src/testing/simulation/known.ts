/**
 * What the simulation finds today, and what is being mended: these findings do not fail a run. Each has the line that repeats
 * it; delete it when it is mended.
 */
import type { Finding } from "./findings.ts";

interface Known {
  readonly game: string;
  readonly check: RegExp;
}

const known: readonly Known[] = [
  // npm run simulate -- --seed 182 --size small
  { game: "slime-online-2", check: /^honest (flag|correct|reject) / },
  // npm run simulate -- --seed 105 --size small
  { game: "maplestory", check: /^honest (flag|correct|reject) / },
  { game: "scrap-mechanic", check: /^honest (flag|correct|reject) / },
];

export function isKnown(game: string, { check }: Pick<Finding, "check">): boolean {
  return known.some((each) => each.game === game && each.check.test(check));
}
