/** The inspector as a chunk of the page: loaded when it is opened for the first time. */
import "./inspect.css";
import { h, type VNode } from "preact";
import { protocols } from "wirewalk/protocols";
import type { NamedFile } from "../files/file-kind.ts";
import { Inspector } from "./model/inspector.ts";
import type { CaptureWorker } from "./source/capture-source.ts";
import type { LivePackets } from "./source/live-source.ts";
import { liveSource } from "./source/live-source.ts";
import { InspectorView } from "./view/inspector-view.tsx";

/** What the page around the inspector gives it. */
export interface InspectorPage {
  readonly live: LivePackets;
  readonly play: (file: NamedFile) => void;
}

/** Opens the inspector of a page that has a server: the worker is a file beside the page's own. */
export function openInspector({ live, play }: InspectorPage): {
  readonly inspector: Inspector;
  readonly view: () => VNode;
} {
  const inspector = new Inspector({
    protocols,
    openWorker: () =>
      new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }) as unknown as CaptureWorker,
    live: liveSource(live),
    watched: () => live.served.peek(),
    play,
  });
  return { inspector, view: () => h(InspectorView, { inspector }) as VNode };
}
