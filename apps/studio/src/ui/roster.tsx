import type { PlayerId } from "wirewalk/motion";
import type { GameView } from "../games/game-view.ts";
import { playerNames } from "../player-names.ts";
import type { RosterRow } from "../studio.ts";
import { showAmount } from "./format.ts";

export interface RosterProps {
  readonly rows: readonly RosterRow[];
  readonly self: PlayerId | undefined;
  readonly view: GameView | undefined;
}

/** Who is in the room and what each does: the drawing in words. */
export function Roster({ rows, self, view }: RosterProps) {
  const names = playerNames(rows.map(({ player }) => player));
  return (
    <section class="panel roster" aria-label="Players in this room">
      <h2>
        Players <span class="count">{rows.length}</span>
      </h2>
      {rows.length === 0 ? <p class="empty">Nobody is in this room.</p> : null}
      <table>
        <caption class="unseen">{showAmount(rows.length, "player")}</caption>
        <tbody>
          {rows.map(({ player: { player }, track }) => (
            <tr key={player} class={player === self ? "self" : ""}>
              <th scope="row">
                <span title={`player #${player}`}>
                  {player === self ? "you " : null}
                  {player === self ? <span class="hint">{names.get(player)}</span> : names.get(player)}
                </span>
              </th>
              <td class="doing">
                {track === undefined ? "–" : (view?.describe(track.details, track.stance) ?? track.stance)}
              </td>
              <td class="place">
                {track === undefined ? "–" : `${Math.round(track.position.x)}, ${Math.round(track.position.y)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
