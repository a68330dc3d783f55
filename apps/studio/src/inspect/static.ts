/**
 * The inspector alone, in one file that needs no server: this script is the page, and in a worker of its own it is what reads captures.
 * A page that was opened from a folder may load no other script.
 */
import "../style/studio.css";
import "./inspect.css";
import { h, render } from "preact";
import { protocols } from "wirewalk/protocols";
import { Inspector } from "./model/inspector.ts";
import type { CaptureWorker } from "./source/capture-source.ts";
import { serveCapture } from "./source/capture-worker.ts";
import type { FromWorker, Port, ToWorker } from "./source/worker-messages.ts";
import { StaticPage } from "./view/static-page.tsx";

if (typeof document === "undefined") serveCapture(globalThis as unknown as Port<FromWorker, ToWorker>, protocols);
else openPage(document.currentScript?.textContent ?? "");

function openPage(script: string): void {
  const root = document.getElementById("studio");
  if (root === null) throw new Error("the page has no element with the id studio");
  const inspector = new Inspector({ protocols, openWorker: () => openWorker(script) });
  inspector.openLink(window.location.hash);
  window.addEventListener("hashchange", () => inspector.openLink(window.location.hash));
  render(h(StaticPage, { inspector }), root);
}

function openWorker(script: string): CaptureWorker {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker as unknown as CaptureWorker;
}
