/** The places of a verdict's moment on the page: empty, and nothing of it loaded, until one is opened. */
import { effect, signal } from "@preact/signals";
import type { FeedMoment, FeedVerdict } from "@wirewalk/server/feed";
import { useEffect } from "preact/hooks";
import { isSame, verdictKey } from "../app/inspected.ts";
import type { Studio } from "../app/studio.ts";
import type { SceneSurface } from "../games/game-view.ts";
import { lazy } from "../ui/lazy.tsx";
import type * as Loaded from "./index.ts";
import type { MomentOverlay } from "./overlay.ts";

const loaded = signal<typeof Loaded | undefined>(undefined);
const fault = signal<string | undefined>(undefined);

async function load(): Promise<void> {
  try {
    loaded.value ??= await import("./index.ts");
  } catch {
    fault.value = "The drawing of the verdict could not be loaded. Reload the page.";
  }
}

/** Draws the moment over a scene, while there is one. */
export function drawMoment(
  studio: Studio,
  surface: SceneSurface | undefined,
): { readonly draw: (atMs: number) => void; readonly close: () => void } {
  let overlay: MomentOverlay | undefined;
  const stop = effect(() => {
    const isOpen = studio.moment.value !== undefined;
    if (isOpen) void load();
    overlay?.close();
    overlay = isOpen && surface !== undefined ? loaded.value?.openOverlay(surface, studio) : undefined;
  });
  return {
    draw(atMs) {
      overlay?.draw(atMs);
    },
    close() {
      stop();
      overlay?.close();
    },
  };
}

interface MomentBarProps {
  readonly studio: Studio;
  /** Whose verdict it is: the live world, where the seconds are those of a verdict of it. */
  readonly verdictStudio: Studio;
  readonly now: () => number;
}

/** The clock of the moment, under the drawing. */
export function MomentBar({ studio, verdictStudio, now }: MomentBarProps) {
  const moment = studio.moment.value;
  useEffect(() => {
    if (moment !== undefined) void load();
  }, [moment]);
  const Bar = loaded.value?.MomentBar;
  if (moment === undefined) return null;
  if (Bar === undefined) {
    return (
      <p class="empty" role="status">
        {fault.value ?? "Loading the drawing of the verdict."}
      </p>
    );
  }
  return <Bar studio={studio} verdictStudio={verdictStudio} moment={moment} now={now} />;
}

const Actions = lazy(async () => (await import("./actions.tsx")).Actions, "what can be done");

export interface MomentStoryProps {
  readonly studio: Studio;
  readonly verdict: FeedVerdict;
  /** The name of the live world that it is of; undefined for a verdict of a recording or a relay. */
  readonly live: string | undefined;
}

/** The story of a verdict with what can be done about it, once its moment is open; before that the way there. */
export function MomentStory({ studio, verdict, live }: MomentStoryProps) {
  const moment = studio.moment.value;
  const Story = loaded.value?.Story;
  if (moment !== undefined && isOf(moment, verdict)) {
    return Story === undefined ? null : <Story key={moment.id} moment={moment} verdict={verdict} live={live} />;
  }
  const notice = studio.momentNotice.value;
  return (
    <>
      <p class="insp-steps">
        {notice === undefined ? (
          <button type="button" class="quiet" onClick={() => studio.showMoment(verdict)}>
            Show its seconds
          </button>
        ) : (
          <span class="hint">{notice}</span>
        )}
      </p>
      {live === undefined || verdict.kind === "benign" ? null : (
        <Actions key={verdictKey(verdict)} world={live} verdict={verdict} />
      )}
    </>
  );
}

/** Whether the story of a verdict is shown. */
export function isShownMoment(studio: Studio, verdict: FeedVerdict): boolean {
  return loaded.value !== undefined && isOf(studio.moment.value, verdict);
}

function isOf(moment: FeedMoment | undefined, verdict: FeedVerdict): boolean {
  return moment !== undefined && isSame({ kind: "verdict", verdict: moment.verdict }, { kind: "verdict", verdict });
}
