/** What the packet does, drawn on the game's map. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fitCanvas } from "../../canvas.ts";
import { effects } from "../../games/effects.ts";
import type { PacketEffect } from "../../games/packet-effect.ts";
import type { Inspectable } from "../model/inspectable.ts";

export function EffectView({ packet }: { readonly packet: Inspectable }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const effect = useSignal<PacketEffect | undefined>(undefined);
  const { reading } = packet;
  useEffect(() => {
    let isOver = false;
    effect.value = undefined;
    const load = effects[reading?.protocol ?? ""];
    if (load === undefined || reading === undefined) return undefined;
    void load().then((effectOf) => {
      const { part, dialect, sender } = reading;
      const { message, json, before } = packet;
      if (!isOver) effect.value = effectOf({ part, dialect, sender, message, json, before });
    });
    return () => {
      isOver = true;
    };
  }, [packet]);
  const shown = effect.value;
  useEffect(() => {
    const element = canvas.current;
    if (element === null || shown === undefined) return undefined;
    const colours = shown.palette(element);
    const draw = (): void => {
      const fitted = fitCanvas(element);
      if (fitted !== undefined) shown.draw(fitted, colours.current());
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
  }, [shown]);
  if (shown === undefined) return null;
  return (
    <section class="panel effect" aria-label="Effect">
      <div class="list-head">
        <h2>Effect</h2>
      </div>
      <p class="effect-words">{shown.words}</p>
      <canvas ref={canvas} class="effect-canvas" role="img" aria-label={shown.words} />
      {shown.ground === undefined ? null : <p class="hint effect-ground">{shown.ground}</p>}
    </section>
  );
}
