/** Packets of Old School RuneScape as the inspector draws them: a stroke of the mouse, the players that player info moves. */
import type { EffectOf } from "../packet-effect.ts";
import { mouseEffect } from "./mouse/effect.ts";
import { playerInfoEffect } from "./player-info/effect.ts";
import "./mouse/mouse.css";
import "./player-info/player-info.css";

export const osrsEffect: EffectOf = (packet) => mouseEffect(packet) ?? playerInfoEffect(packet);
