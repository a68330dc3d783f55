/** The installed command serves the page from an empty folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { plainEnv, run } from "./run.ts";

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

/** Starts the command of an image on this machine and asks its health check until it answers well; empty when it does and the server ends with 0. */
export async function problemsOfImage(
  command: readonly string[],
  check: string,
  cwd: string,
): Promise<readonly string[]> {
  const [program = "", ...args] = command;
  // Ports that are free, in place of those of an image of its own.
  const ports = args.map((arg) => arg.replace(/=5555$/, "=0"));
  const child = spawn(program, [...ports, "--http", "7499"], { cwd, env: plainEnv, stdio: ["ignore", "pipe", "pipe"] });
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes) => {
      written += bytes;
    });
  const exited = once(child, "exit");
  try {
    for (let tries = 0; tries < 120; tries += 1) {
      const { code } = await run("sh", ["-c", check.replaceAll("7400", "7499")], cwd);
      if (code === 0) {
        child.kill("SIGTERM");
        const [ended] = await exited;
        return ended === 0 ? [] : [`it ended with ${ended}: ${written}`];
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    return [`its health check never answers: ${written}`];
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
  // With and without an encoding: the package has each file compressed alone.
  for (const encoding of ["br", "identity"]) {
    const docs = await fetch(new URL("/docs/", page), { headers: { "accept-encoding": encoding } });
    const isDocs = docs.status === 200 && (await docs.text()).includes("Wirewalk");
    if (!isDocs) problems.push(`/docs/ answers ${docs.status} for accept-encoding ${encoding}`);
  }
  const feed = new WebSocket(new URL("/ws/studio", page.replace("http", "ws")));
  const opened = await Promise.race([once(feed, "message").then(() => true), once(feed, "error").then(() => false)]);
  feed.close();
  if (!opened) problems.push("the page's feed does not answer");
  return problems;
}
