/** What one packet does, as a game draws it for the inspector: on a map of the game, without a server. */
import type { Side } from "wirewalk/protocol";
import type { JsonObject } from "wirewalk/wire";
import type { FittedCanvas } from "../draw/canvas.ts";
import type { Palette } from "./palette.ts";

/** A packet, as `wirewalk decode` prints it. */
export interface DrawnPacket {
  readonly part: string;
  readonly dialect: string;
  readonly sender: Side;
  /** The message's name where it is one. */
  readonly message: string | undefined;
  readonly json: JsonObject | undefined;
  /** The packet before it from the same sender, where the inspector has one: what moved between them. */
  readonly before: JsonObject | undefined;
  /** The state of its player before it, where the page has it: where it was, beside what the packet claims. */
  readonly state?: JsonObject | undefined;
  /** The room in which it was sent, where the page knows it. */
  readonly room?: string | undefined;
}

export interface PacketEffect {
  /** What it does, in a sentence. It stands for the drawing where there is no sight. */
  readonly words: string;
  /** What the ground of the drawing is, where the packet does not say on which map it happens. */
  readonly ground?: string;
  /** The colours of the drawing. */
  palette(element: Element): { readonly current: () => Palette; readonly close: () => void };
  /** Undefined where nothing is known of a place: a drawing would be an empty map. */
  readonly draw?: ((fitted: FittedCanvas, palette: Palette) => void) | undefined;
}

/** Undefined for packets that move nothing. */
export type EffectOf = (packet: DrawnPacket) => PacketEffect | undefined;

/** An effect with a palette of its own type: what `palette` makes is what `draw` gets. */
export function packetEffect<P extends Palette>(effect: {
  readonly words: string;
  readonly ground?: string;
  readonly palette: (element: Element) => { readonly current: () => P; readonly close: () => void };
  readonly draw?: (fitted: FittedCanvas, palette: P) => void;
}): PacketEffect {
  return effect as unknown as PacketEffect;
}
