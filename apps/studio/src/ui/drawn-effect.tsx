/** What one packet does, in a sentence and drawn on the game's map. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fitCanvas } from "../draw/canvas.ts";
import { effects } from "../games/effects.ts";
import type { DrawnPacket, PacketEffect } from "../games/packet-effect.ts";

/** The effect by the game's own code, which is loaded for it; undefined until then, and of packets that move nothing. */
export function useEffectOf(
  protocol: string | undefined,
  packet: DrawnPacket | undefined,
  key: unknown,
): Signal<PacketEffect | undefined> {
  const effect = useSignal<PacketEffect | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    effect.value = undefined;
    const load = effects[protocol ?? ""];
    if (load === undefined || packet === undefined) return undefined;
    load().then(
      (effectOf) => {
        if (!isOver) effect.value = effectOf(packet);
      },
      // The state before and after is shown without a drawing.
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  return effect;
}

export function DrawnEffect({ effect }: { readonly effect: PacketEffect }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const paint = effect.draw;
    if (element === null || paint === undefined) return undefined;
    const colours = effect.palette(element);
    const draw = (): void => {
      const fitted = fitCanvas(element);
      if (fitted !== undefined) paint(fitted, colours.current());
    };
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    const scheme = window.matchMedia("(prefers-color-scheme: light)");
    scheme.addEventListener("change", draw);
    draw();
    return () => {
      observer.disconnect();
      scheme.removeEventListener("change", draw);
      colours.close();
    };
  }, [effect]);
  return (
    <>
      <p class="effect-words">{effect.words}</p>
      {effect.draw === undefined ? null : (
        <canvas ref={canvas} class="effect-canvas" role="img" aria-label={effect.words} />
      )}
      {effect.ground === undefined ? null : <p class="hint effect-ground">{effect.ground}</p>}
    </>
  );
}
