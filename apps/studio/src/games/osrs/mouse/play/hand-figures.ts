/** How the strokes of programs differ from those of hands, over the sessions of a room. Pure. */
import type { MouseSummary } from "wirewalk/osrs/mouse";
import type { SceneFigure } from "../../../../draw/scene-figure.ts";
import { showNumber } from "../../../../ui/format.ts";
import { readingOf, type SeenKinematics } from "./sessions.ts";

const compared: readonly { readonly name: string; readonly of: (summary: MouseSummary) => number }[] = [
  { name: "straightness", of: ({ straightness }) => straightness },
  { name: "speed varies by", of: ({ speedVariation }) => speedVariation },
];

/** Means over the sessions that look like a hand, beside those that look like a machine. Empty before the first score. */
export function handFigures(all: readonly (SeenKinematics | undefined)[]): readonly SceneFigure[] {
  const of = (reading: "human" | "machine"): readonly SeenKinematics[] =>
    all.flatMap((each) => (each !== undefined && readingOf(each) === reading ? [each] : []));
  const [hands, machines] = [of("human"), of("machine")];
  if (hands.length + machines.length === 0) return [];
  const mean = (group: readonly SeenKinematics[], value: (each: SeenKinematics) => number): string =>
    group.length === 0 ? "–" : showNumber(group.reduce((sum, each) => sum + value(each), 0) / group.length);
  const percent = (group: readonly SeenKinematics[], value: (summary: MouseSummary) => number): string => {
    // A pointer that is elsewhere at once has no strokes.
    const drawn = group.filter(({ summary }) => summary.strokes > 0);
    return drawn.length === 0 ? "–" : `${mean(drawn, ({ summary }) => Math.round(value(summary) * 100))} %`;
  };
  const both = (show: (group: readonly SeenKinematics[]) => string): string => `${show(hands)} and ${show(machines)}`;
  return [
    {
      name: "hands and machines",
      value: `${hands.length} and ${machines.length}`,
    },
    ...compared.map(({ name, of: value }) => ({ name, value: both((group) => percent(group, value)) })),
    { name: "score", value: both((group) => mean(group, ({ score }) => Math.round(score * 100) / 100)) },
  ];
}
