/** Numbers and times as the page writes them. */

/** `0`, `940`, `1.2 k`, `34 k`, `1.2 M`. */
export function showCount(value: number): string {
  const whole = Math.round(value);
  if (whole < 1000) return String(whole);
  for (const [unit, size] of [
    ["M", 1_000_000],
    ["k", 1_000],
  ] as const) {
    if (whole < size) continue;
    const scaled = whole / size;
    return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)} ${unit}`;
  }
  return String(whole);
}

/** `0 B`, `940 B`, `1.2 kB`. */
export function showBytes(value: number): string {
  const text = showCount(value);
  return text.includes(" ") ? `${text}B` : `${text} B`;
}

/** At most one digit after the point, below one two that count: `12`, `12.5`, `1,200`, `0.15`, `0.0062`. */
export function showNumber(value: number): string {
  const digits = Math.abs(value) < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 };
  return value.toLocaleString("en", digits);
}

/** `1 player`, `2 players`. */
export function showAmount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `14:03:07` in the page's own time zone. */
export function showClock(epochMs: number): string {
  return new Date(epochMs).toLocaleTimeString("en-GB");
}

/** A JSON value in one line. */
export function showJson(value: unknown): string {
  if (typeof value === "number")
    return Number.isInteger(value) ? String(value) : String(Math.round(value * 1000) / 1000);
  return typeof value === "string" ? value : JSON.stringify(value);
}
