/** Display names of players: the number distinguishes players of a room with the same name. */
import type { FeedPlayer } from "@wirewalk/server/feed";
import type { PlayerId } from "wirewalk/motion";

/** What to call each player of a room. */
export function playerNames(players: Iterable<FeedPlayer>): ReadonlyMap<PlayerId, string> {
  const all = [...players];
  const times = new Map<string, number>();
  for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1);
  return new Map(
    all.map(({ player, name }) => [
      player,
      name === "" || (times.get(name) ?? 0) > 1 ? `${name} #${player}`.trim() : name,
    ]),
  );
}
