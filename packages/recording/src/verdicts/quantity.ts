/** Measures of rules for people who do not know the rules: with a unit that says something to them. */

const DEGREES = 360;

/** A measure with its unit: `90 %` for 0.9 of `share`, `45°` for 32 of `1/256 turn`. */
export function quantityText(value: number, unit = ""): string {
  switch (unit) {
    case "":
      return figure(value);
    case "share":
    case "variation":
      return `${figure(value * 100)} %`;
    case "rad":
      return `${figure((value * DEGREES) / (2 * Math.PI))}°`;
    case "1/256 turn":
      return `${figure((value * DEGREES) / 256)}°`;
    case "s/s":
      // A clock that is half a per cent too fast counts.
      return `${Number(value.toFixed(3))} s in each second`;
    default:
      return `${figure(value)} ${figure(value) === "1" ? singular(unit) : unit}`;
  }
}

/** Rules with these units find what is too even or too smooth: the limit is the least that people have. */
export function isLeast(unit: string): boolean {
  return unit === "variation" || unit === "rad";
}

/** `packets/s` -> `packet/s`. Units without a plural stay as they are. */
function singular(unit: string): string {
  return unit.replace(/^(packet|message|tick|pair|stroke|push|letter|correction|point)(?:e?s)\b/, "$1");
}

/** A number for people. */
export function figure(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString("en-US", { maximumFractionDigits: 2 });
}
