/** The colours of a verdict's picture. */
import type { PaletteWith } from "../games/palette.ts";

/** What honest players may do is drawn in the colour of what is accepted. */
export type OverlayColours = PaletteWith<"accept">;
