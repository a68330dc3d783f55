/** Numbers of rules for people who do not know the rules: one spelling for the page, for stories of verdicts and for the command line. */

const DEGREES = 360;
/** From here on `s/s` is how fast a clock runs; below it is a share of the time that passes. */
const LEAST_RATE = 0.7;

/** A number with three digits that count: `29,633`, `145`, `12.5`, `1.17`, `0.38`. */
export function figure(value: number): string {
  const size = Math.abs(value);
  if (size >= 1) return value.toLocaleString("en-US", { maximumFractionDigits: size >= 100 ? 0 : size >= 10 ? 1 : 2 });
  return value.toLocaleString("en-US", { maximumSignificantDigits: 2 });
}

/** A number with as many digits as it takes to tell it from another one. */
function figureBeside(value: number, beside: number | undefined, rounded: (value: number) => string): string {
  const text = rounded(value);
  if (beside === undefined || beside === value || rounded(beside) !== text) return text;
  return value.toLocaleString("en-US", { maximumSignificantDigits: 6 });
}

/** Percentages and degrees: nobody reads the digits behind the second one. */
function roughFigure(value: number): string {
  return Math.abs(value) >= 10 ? Math.round(value).toLocaleString("en-US") : figure(Number(value.toPrecision(2)));
}

/**
 * A measure with its unit: `90 %` for 0.9 of `share`, `45°` for 32 of `1/256 turn`, `18 % too fast` for 1.18 of `s/s`, `61 messages a second`.
 *
 * @param beside another value of that unit, which must not look the same.
 */
export function quantityText(value: number, unit = "", beside?: number): string {
  const scaled = (factor: number, mark: string, rounded = figure): string =>
    `${figureBeside(value * factor, beside === undefined ? undefined : beside * factor, rounded)}${mark}`;
  switch (unit) {
    case "share":
    case "variation":
    case "of all":
      return scaled(100, " %", roughFigure);
    case "rad":
      return scaled(DEGREES / (2 * Math.PI), "°", roughFigure);
    case "1/256 turn":
      return scaled(DEGREES / 256, "°", roughFigure);
    case "sd":
      return scaled(1, " times the spread of people");
    case "s/s": {
      if (value < LEAST_RATE) return `${figure(value * 100)} % of the time`;
      // A clock that is half a per cent too fast counts.
      const percent = Number(((value - 1) * 100).toFixed(Math.abs(value - 1) < 0.1 ? 1 : 0));
      return percent === 0 ? "as fast as time passes" : `${Math.abs(percent)} % too ${percent < 0 ? "slow" : "fast"}`;
    }
    case "ms":
    case "ms ahead":
      if (Math.abs(value) >= 3_600_000) return scaled(1 / 3_600_000, " h");
      if (Math.abs(value) >= 120_000) return scaled(1 / 60_000, " min");
      if (Math.abs(value) >= 1_000) return scaled(1 / 1_000, " s");
      return scaled(1, " ms");
    default: {
      const text = figureBeside(value, beside, figure);
      const words = unitWords(unit, text === "1");
      return words === "" ? text : `${text} ${words}`;
    }
  }
}

/** `messages/s` -> `messages a second`; of one thing `message a second`. */
export function unitWords(unit: string, isOne = false): string {
  const words = unit
    .replace(/^1\//, "/")
    .replace(/^ticks\b/, "steps")
    .replace(/\/s$/, " a second")
    .replace(/\/min$/, " a minute")
    .replace(/\/h$/, " an hour")
    .replace(/\/frame$/, " a frame")
    .replace(/\/(\d.*)$/, " in $1")
    .trim();
  return isOne
    ? words.replace(/^(packet|message|step|pair|stroke|push|letter|correction|point|monster|teleport)(?:e?s)\b/, "$1")
    : words;
}

/** Rules with these units find what is too even or too smooth: the limit is the least that people have. */
export function isLeast(unit: string): boolean {
  return unit === "variation" || unit === "rad";
}

/** The reason of a verdict as a sentence, its numbers in the spelling of {@link figure} and its angles in degrees. */
export function reasonText(reason: string): string {
  const text = reason
    .trim()
    .replace(/(\d+(?:\.\d+)?) rad\b/g, (_, value: string) => quantityText(Number(value), "rad"))
    .replace(/\d+\.\d+/g, (value) => figure(Number(value)));
  if (text === "") return "The rule gives no reason.";
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
