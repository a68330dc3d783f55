/** Positions of a recording in words, and where a playback is between two messages about it. Pure. */
import type { FeedPlayback, FeedRecording } from "@wirewalk/server/feed";

/** A state of the playback, and the page's time at which it came. */
export interface ReceivedPlayback extends FeedPlayback {
  readonly receivedMs: number;
}

/** Where the playback is now. */
export function positionAt(state: ReceivedPlayback, { lastMs }: Pick<FeedRecording, "lastMs">, nowMs: number): number {
  if (!state.isPlaying || state.isHeld || state.isSeeking) return state.atMs;
  return Math.min(lastMs, state.atMs + (nowMs - state.receivedMs) * state.speed);
}

/** `0:05.2`, `12:00.0`, `1:02:03.4`; with 3 digits `0:05.213`. */
export function showPosition(atMs: number, digits: 1 | 3 = 1): string {
  // What is left of the last digit is cut: a position is not shown before it is reached.
  const unit = 10 ** digits;
  const parts = Math.max(0, Math.floor((atMs * unit) / 1_000));
  const whole = Math.floor(parts / unit);
  const [hours, minutes, seconds] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${String(seconds).padStart(2, "0")}.${String(parts % unit).padStart(digits, "0")}`;
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, "0")}:${tail}`;
}

/** `1 hour 2 minutes 3.4 seconds`, for those who hear it. */
export function sayPosition(atMs: number): string {
  const tenths = Math.floor(atMs / 100);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(tenths / 36_000), "hour"],
    [Math.floor(tenths / 600) % 60, "minute"],
    [(tenths % 600) / 10, "second"],
  ];
  const words = parts.flatMap(([count, unit], index) =>
    count === 0 && index < 2 ? [] : [`${count} ${unit}${count === 1 ? "" : "s"}`],
  );
  return words.join(" ");
}
