import type { FeedRoom } from "@wirewalk/server/feed";
import { useEffect, useRef } from "preact/hooks";
import { showAmount } from "./format.ts";
import { moveFocus } from "./roving.ts";

export interface RoomsProps {
  readonly rooms: readonly FeedRoom[];
  readonly current: string | undefined;
  readonly enter: (room: string) => void;
}

/** The rooms with their players; a click watches one. */
export function Rooms({ rooms, current, enter }: RoomsProps) {
  const row = useRef<HTMLElement>(null);
  const isThere = rooms.some(({ room }) => room === current);
  useEffect(() => {
    row.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current, isThere]);
  return (
    <nav
      ref={row}
      class="rooms"
      aria-label="Rooms"
      onKeyDown={(event) => moveFocus(event, { rows: ".room", isAcross: true })}
    >
      {rooms.length === 0 ? <p class="hint">No rooms yet: there are no players.</p> : null}
      <ul>
        {rooms.map(({ room, players }, index) => (
          <li key={room}>
            <button
              type="button"
              class="room"
              tabIndex={room === current || (current === undefined && index === 0) ? 0 : -1}
              aria-current={room === current ? "true" : undefined}
              aria-label={`Room ${room}, ${showAmount(players, "player")}`}
              onClick={() => enter(room)}
            >
              {roomTitle(room)} <span class="count">{players}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** `Room 1`; a room with a name of its own, such as `mouse`, needs no word before it. */
function roomTitle(room: string): string {
  return /^\d/.test(room) ? `Room ${room}` : room.charAt(0).toUpperCase() + room.slice(1);
}
