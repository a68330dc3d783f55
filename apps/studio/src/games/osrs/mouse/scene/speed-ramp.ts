/**
 * Speed as colour: slow and fast differ in lightness, so that the ramp can be read without seeing hues.
 *
 * ```ts
 * speedRamp(["#000000", "#ffffff"], 3); // => ["#000000", "#808080", "#ffffff"]
 * speedLevel(FASTEST_PX_PER_SECOND / 2, 3); // => 1
 * ```
 */

/** Faster movements have the last colour: a hand that crosses the window peaks at about this speed. */
export const FASTEST_PX_PER_SECOND = 2_000;

/** Steps of the ramp: more than can be seen, few enough to draw all lines of a colour at once. */
export const SPEED_LEVELS = 12;

/** Custom properties of the style sheet that the ramp goes through, slow first. */
export const speedStops = ["mouse-speed-0", "mouse-speed-1", "mouse-speed-2", "mouse-speed-3"] as const;

/** `levels` colours evenly along the stops, which are `#rrggbb`. Throws `RangeError` for another notation. */
export function speedRamp(stops: readonly string[], levels: number = SPEED_LEVELS): readonly string[] {
  const channels = stops.map(parseColour);
  return Array.from({ length: levels }, (_, level) => {
    const at = (level / (levels - 1)) * (channels.length - 1);
    const from = channels[Math.floor(at)] ?? [];
    const to = channels[Math.ceil(at)] ?? [];
    return `#${from
      .map((channel, index) => {
        const mixed = channel + ((to[index] ?? channel) - channel) * (at % 1);
        return Math.round(mixed).toString(16).padStart(2, "0");
      })
      .join("")}`;
  });
}

/** The step of the ramp that a speed has. */
export function speedLevel(pxPerSecond: number, levels: number = SPEED_LEVELS): number {
  const share = Math.min(1, Math.max(0, pxPerSecond / FASTEST_PX_PER_SECOND));
  return Math.round(share * (levels - 1));
}

function parseColour(text: string): readonly number[] {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text)?.slice(1);
  if (digits === undefined) throw new RangeError(`A speed colour must be #rrggbb, got ${JSON.stringify(text)}`);
  return digits.map((hex) => Number.parseInt(hex, 16));
}
