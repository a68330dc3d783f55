/** What the packet does, drawn on the game's map. */
import type { DrawnPacket } from "../../games/packet-effect.ts";
import { DrawnEffect, useEffectOf } from "../../ui/drawn-effect.tsx";
import type { Inspectable } from "../model/inspectable.ts";

export function EffectView({ packet }: { readonly packet: Inspectable }) {
  const { reading, message, json, before } = packet;
  const drawn: DrawnPacket | undefined =
    reading === undefined
      ? undefined
      : { part: reading.part, dialect: reading.dialect, sender: reading.sender, message, json, before };
  const shown = useEffectOf(reading?.protocol, drawn, packet).value;
  if (shown === undefined) return null;
  return (
    <section class="panel effect" aria-label="Effect">
      <div class="list-head">
        <h2>Effect</h2>
      </div>
      <DrawnEffect effect={shown} />
    </section>
  );
}
