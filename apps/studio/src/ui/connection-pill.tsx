import { useEffect, useState } from "preact/hooks";
import type { Connection } from "../feed/feed-client.ts";

export interface ConnectionPillProps {
  readonly connection: Connection;
  /** What is shown is a recording: it comes from a server, and is not live. */
  readonly isRecorded: boolean;
  readonly now: () => number;
  readonly retry: () => void;
}

/** How the feed stands, in words; with a way to try again at once while it is lost, and to load the page anew once it is refused. */
export function ConnectionPill({ connection, isRecorded, now, retry }: ConnectionPillProps) {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (connection.state !== "lost") return undefined;
    const timer = setInterval(() => redraw((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [connection]);
  return (
    <div class="connection">
      <span class={`pill pill-${connection.state} ${isRecorded ? "pill-recorded" : ""}`} role="status">
        <span class="dot" aria-hidden="true" />
        <span class="pill-words">{words(connection, isRecorded)}</span>
      </span>
      {connection.state === "lost" ? (
        <button type="button" class="quiet" onClick={retry}>
          {/* The countdown is outside the status: a screen reader would read it every second. */}
          Try now <span class="hint countdown">{secondsLeft(connection.retryAtMs - now())}</span>
        </button>
      ) : null}
      {connection.state === "refused" ? (
        <button type="button" class="quiet" onClick={() => window.location.reload()}>
          Reload
        </button>
      ) : null}
    </div>
  );
}

function words(connection: Connection, isRecorded: boolean): string {
  switch (connection.state) {
    case "connecting":
      return "Connecting";
    case "open":
      return isRecorded ? "Viewing a recording" : "Live";
    case "lost":
      return "Disconnected";
    case "refused":
      return "Refused";
  }
}

function secondsLeft(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / 1000))} s`;
}
