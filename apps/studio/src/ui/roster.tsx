import { useSignal } from "@preact/signals";
import type { PlayerId } from "wirewalk/motion";
import type { RoomView } from "../games/game-view.ts";
import { playerNames } from "../player-names.ts";
import type { RosterRow } from "../studio.ts";
import { showAmount } from "./format.ts";
import { rowsShown } from "./row-window.ts";

/** Height of a row, as the style sheet has it. */
const ROW_PX = 21;

export interface RosterProps {
  readonly rows: readonly RosterRow[];
  readonly self: PlayerId | undefined;
  readonly view: RoomView | undefined;
  /** The player that is looked at closely. */
  readonly followed: PlayerId | undefined;
  /** Undefined where nobody can be. */
  readonly follow: ((player: PlayerId) => void) | undefined;
}

/** The players of the room and what each does: the drawing in words. A long list has elements only for its visible rows. */
export function Roster({ rows, self, view, followed, follow }: RosterProps) {
  const sight = useSignal({ top: 0, height: 0 });
  const names = playerNames(rows.map(({ player }) => player));
  const { from, to } = rowsShown(rows.length, sight.value.top / ROW_PX, sight.value.height / ROW_PX);
  return (
    <section
      class="panel roster"
      aria-label="Players in this room"
      onScroll={({ currentTarget: { scrollTop, clientHeight } }) => {
        sight.value = { top: scrollTop, height: clientHeight };
      }}
    >
      <h2>
        Players <span class="count">{rows.length}</span>
        {follow === undefined || rows.length === 0 ? null : <span class="hint">click to follow</span>}
      </h2>
      {rows.length === 0 ? <p class="empty">No players in this room.</p> : null}
      <table aria-rowcount={rows.length}>
        <caption class="unseen">{showAmount(rows.length, "player")}</caption>
        <Gap rows={from} />
        <tbody>
          {rows.slice(from, to).map(({ player: { player }, track }, index) => (
            <tr
              key={player}
              class={`roster-row ${player === self ? "self" : player === followed ? "followed" : ""}`}
              aria-rowindex={from + index + 1}
            >
              <th scope="row" class={player === followed ? "followed-name" : ""}>
                <Name
                  player={player}
                  name={names.get(player) ?? ""}
                  own={player === self}
                  isFollowed={player === followed}
                  follow={follow}
                />
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

interface NameProps {
  readonly player: PlayerId;
  readonly name: string;
  readonly own: boolean;
  readonly isFollowed: boolean;
  readonly follow: ((player: PlayerId) => void) | undefined;
}

function Name({ player, name, own, isFollowed, follow }: NameProps) {
  const words = (
    <span title={`player #${player}`}>
      {own ? "you " : null}
      {own ? <span class="hint">{name}</span> : name}
    </span>
  );
  if (follow === undefined) return words;
  return (
    <button type="button" class="roster-follow" aria-pressed={isFollowed} onClick={() => follow(player)}>
      {words}
    </button>
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
