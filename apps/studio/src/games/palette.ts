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

/** Players are told apart by eight colours and their names. */
const PLAYER_COLOURS = 8;

export type Palette = Readonly<Record<(typeof names)[number], string>> & { readonly players: readonly string[] };

/** A player's colour: neighbours in number look apart. */
export function playerColour(palette: Palette, player: number): string {
  // Fibonacci hashing: the top bits of a product with 2^32 divided by the golden ratio.
  const place = Math.imul(player, 0x9e3779b9) >>> 29;
  return palette.players[place % PLAYER_COLOURS] ?? palette.text;
}

/** Colours as they are now. `close` ends the watching of the system's scheme. */
export function watchPalette(element: Element): { readonly current: () => Palette; readonly close: () => void } {
  let palette = readPalette(element);
  const scheme = window.matchMedia("(prefers-color-scheme: light)");
  const changed = (): void => {
    palette = readPalette(element);
  };
  scheme.addEventListener("change", changed);
  return { current: () => palette, close: () => scheme.removeEventListener("change", changed) };
}

function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const named = Object.fromEntries(names.map((name) => [name, colour(name)])) as Record<(typeof names)[number], string>;
  return { ...named, players: Array.from({ length: PLAYER_COLOURS }, (_, index) => colour(`player-${index}`)) };
}
