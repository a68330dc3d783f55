/** The page's colours for a canvas: read from the style sheet, again whenever the system goes light or dark. */

/** Names of custom properties, without the dashes. */
const names = [
  "scene",
  "scene-grid",
  "scene-solid",
  "scene-edge",
  "scene-ice",
  "scene-water",
  "text",
  "text-dim",
  "panel",
  "accent",
  "benign",
  "flag",
  "correct",
  "reject",
] as const;

/** Eight colours and the names distinguish players. */
const PLAYER_COLOURS = 8;

export type Palette = Readonly<Record<(typeof names)[number], string>> & { readonly players: readonly string[] };

/** A player's colour: consecutive numbers have very different ones. */
export function playerColour(palette: Palette, player: number): string {
  // Fibonacci hashing: the top bits of a product with 2^32 divided by the golden ratio.
  const place = Math.imul(player, 0x9e3779b9) >>> 29;
  return palette.players[place % PLAYER_COLOURS] ?? palette.text;
}

/** The page's colours and those that a game adds in a style sheet of its own. */
export type PaletteWith<N extends string> = Palette & Readonly<Record<N, string>>;

/**
 * Colours as they are now; the object stays the same until they change. `more` names further custom properties, without
 * the dashes. `close` ends the watching of the system's scheme.
 */
export function watchPalette<N extends string = never>(
  element: Element,
  more: readonly N[] = [],
): { readonly current: () => PaletteWith<N>; readonly close: () => void } {
  let palette = readPalette(element, more);
  const scheme = window.matchMedia("(prefers-color-scheme: light)");
  const changed = (): void => {
    palette = readPalette(element, more);
  };
  scheme.addEventListener("change", changed);
  return { current: () => palette, close: () => scheme.removeEventListener("change", changed) };
}

function readPalette<N extends string>(element: Element, more: readonly N[]): PaletteWith<N> {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const named = Object.fromEntries([...names, ...more].map((name) => [name, colour(name)]));
  return {
    ...(named as Record<(typeof names)[number] | N, string>),
    players: Array.from({ length: PLAYER_COLOURS }, (_, index) => colour(`player-${index}`)),
  };
}
