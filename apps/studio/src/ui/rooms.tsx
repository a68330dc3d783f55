import type { FeedRoom } from "@wirewalk/server/feed";
import { showAmount } from "./format.ts";

export interface RoomsProps {
  readonly rooms: readonly FeedRoom[];
  readonly current: string | undefined;
  readonly enter: (room: string) => void;
}

/** The rooms with their players; a click watches one. */
export function Rooms({ rooms, current, enter }: RoomsProps) {
  return (
    <nav class="panel rooms" aria-label="Rooms">
      <h2>Rooms</h2>
      {rooms.length === 0 ? <p class="empty">No rooms yet: there are no players.</p> : null}
      <ul>
        {rooms.map(({ room, players }) => (
          <li key={room}>
            <button
              type="button"
              class="room"
              aria-current={room === current ? "true" : undefined}
              aria-label={`Room ${room}, ${showAmount(players, "player")}`}
              onClick={() => enter(room)}
            >
              <span class="room-name">Room {room}</span>
              <span class="count">{players}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
