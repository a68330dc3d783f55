import type { Studio } from "../app/studio.ts";
import type { RoomView } from "../games/game-view.ts";
import { showAmount } from "../ui/format.ts";
import { moveFocus } from "../ui/roving.ts";
import { rowsShown } from "../ui/row-window.ts";
import { useSight } from "../ui/sight.ts";

/** Height of a row, as the style sheet has it. */
const ROW_PX = 26;

export interface PlayersProps {
  readonly studio: Studio;
  readonly view: RoomView | undefined;
}

/** The players of the room and what each does: the drawing in words. A long list has elements only for its visible rows. */
export function Players({ studio, view }: PlayersProps) {
  const { ref, sight } = useSight<HTMLElement>();
  const rows = studio.roster.value;
  const self = studio.self.value;
  const own = self !== undefined && self.room === studio.room.value ? self.player : undefined;
  const followed = studio.followed.value;
  const names = studio.names.value;
  const { from, to } = rowsShown(rows.length, sight.value.top / ROW_PX, sight.value.height / ROW_PX);
  const stop = rows.some(({ player }) => player.player === followed) ? followed : rows[0]?.player.player;
  return (
    <section
      class="roster"
      aria-label="Players in this room"
      ref={ref}
      onKeyDown={(event) => moveFocus(event, { rows: ".roster-follow", onMove: (row) => row.click() })}
    >
      {rows.length === 0 ? <p class="empty">No players in this room.</p> : null}
      <table aria-rowcount={rows.length}>
        <caption class="unseen">{showAmount(rows.length, "player")}. Select one to follow it.</caption>
        {rows.length === 0 ? null : (
          <thead>
            <tr>
              <th scope="col">player</th>
              <th scope="col">does</th>
              <th scope="col" class="place">
                place
              </th>
            </tr>
          </thead>
        )}
        <Gap rows={from} />
        <tbody>
          {rows.slice(from, to).map(({ player: { player }, track }, index) => (
            <tr
              key={player}
              class={`roster-row ${player === own ? "self" : ""} ${player === followed ? "followed" : ""}`}
              aria-rowindex={from + index + 1}
            >
              <th scope="row">
                <button
                  type="button"
                  class="roster-follow"
                  title={`player #${player}`}
                  aria-pressed={player === followed}
                  tabIndex={player === stop ? 0 : -1}
                  onClick={() => studio.select({ kind: "player", player })}
                >
                  {player === own ? "you " : null}
                  {player === own ? <span class="hint">{names.get(player)}</span> : names.get(player)}
                </button>
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
        <Gap rows={rows.length - to} />
      </table>
    </section>
  );
}

/** In place of rows out of sight, as high as they are. */
function Gap({ rows }: { readonly rows: number }) {
  if (rows <= 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr style={{ height: `${rows * ROW_PX}px` }} />
    </tbody>
  );
}
