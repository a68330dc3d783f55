/** Asks the page's server for the seconds of a verdict, and for the file that is sent to others. */
import type { SoughtVerdict } from "../app/studio.ts";
import type { NamedFile } from "../files/file-kind.ts";

/** Another request of this browser may still be on its way. */
const TRIES = 4;
const AGAIN_MS = 500;
const BUSY = 429;

/** Gives a file that the page plays, or a sentence that says why there is none. Rejects with a `DOMException` when the signal is aborted. */
export async function fetchMoment(verdict: SoughtVerdict, signal: AbortSignal): Promise<NamedFile | string> {
  return fetchFile(`${pathOf(verdict)}${verdict.rule === undefined ? "?" : "&"}for=page`, signal);
}

/** Gives the file to send, or a sentence that says why there is none. */
export async function fetchCase(verdict: SoughtVerdict): Promise<NamedFile | string> {
  return fetchFile(pathOf(verdict));
}

function pathOf({ world, player, atMs, rule }: SoughtVerdict): string {
  const path = `/cases/${encodeURIComponent(world)}/${player}/${atMs}`;
  return rule === undefined ? path : `${path}?rule=${encodeURIComponent(rule)}`;
}

async function fetchFile(path: string, signal?: AbortSignal): Promise<NamedFile | string> {
  for (let left = TRIES; ; left -= 1) {
    let response: Response;
    try {
      response = await fetch(path, { cache: "no-store", ...(signal && { signal }) });
    } catch (error) {
      if (signal?.aborted === true) throw error;
      return "The server cannot be reached.";
    }
    const type = response.headers.get("content-type") ?? "";
    if (response.ok && type.startsWith("text/html")) return new File([await response.blob()], nameOf(response));
    const reason = (await response.text()).trim();
    const isBusy = response.status === BUSY || response.headers.has("retry-after");
    if (!isBusy || left <= 1)
      return type.startsWith("text/plain") && reason !== ""
        ? reason
        : `The server answered with status ${response.status}.`;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** As the server calls it. */
function nameOf({ headers }: Response): string {
  return /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? "verdict.html";
}
