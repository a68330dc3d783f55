/** The installed command serves the page from an empty folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { plainEnv } from "./run.ts";

/** Node 22 writes this when SQLite is loaded, which worker threads need. */
const EXPERIMENTAL = /^.*ExperimentalWarning: SQLite is an experimental feature.*\n.*--trace-warnings.*\n/gm;

/**
 * Starts `wirewalk serve` and asks for the page and all that it links; empty when everything is there and the server ends with 0
 * after SIGTERM.
 */
export async function problemsOfServer(
  node: string,
  bin: string,
  cwd: string,
  flags: readonly string[] = [],
): Promise<readonly string[]> {
  const args = ["serve", "--http", "0", "--listen", "slime-online-2=0", "--log-level", "warn", ...flags];
  const child = spawn(node, [bin, ...args], { cwd, env: plainEnv, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (bytes) => {
    stderr += bytes;
  });
  const exited = once(child, "exit");
  try {
    const page = await pageAddress(child.stdout);
    if (page === undefined) return [`serve printed no page: ${stderr.trim() || "the page is not built"}`];
    const problems = await problemsOfPage(page);
    child.kill("SIGTERM");
    const [code] = await exited;
    if (code !== 0) problems.push(`serve ended with ${code}`);
    const wrote = stderr.replaceAll(EXPERIMENTAL, "");
    if (wrote !== "") problems.push(`serve wrote to standard error: ${wrote.trim()}`);
    return problems;
  } finally {
    child.kill("SIGKILL");
  }
}

async function pageAddress(stdout: NodeJS.ReadableStream): Promise<string | undefined> {
  let printed = "";
  for await (const chunk of stdout) {
    printed += chunk;
    const page = /^The page is at (http:\S+)$/m.exec(printed)?.[1];
    if (page !== undefined) return page;
    if (/ at http:/.test(printed)) return undefined;
  }
  return undefined;
}

async function problemsOfPage(page: string): Promise<string[]> {
  const response = await fetch(page);
  const html = await response.text();
  const links = Array.from(html.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, link = ""]) => link);
  const problems = response.status === 200 && html.includes("Wirewalk") ? [] : [`${page} answers ${response.status}`];
  if (!links.some((link) => link.endsWith(".js"))) problems.push("the page has no script");
  for (const link of links) {
    const { status } = await fetch(new URL(link, page));
    if (status !== 200) problems.push(`${link} of the page answers ${status}`);
  }
  const feed = new WebSocket(new URL("/ws/studio", page.replace("http", "ws")));
  const opened = await Promise.race([once(feed, "message").then(() => true), once(feed, "error").then(() => false)]);
  feed.close();
  if (!opened) problems.push("the page's feed does not answer");
  return problems;
}
