/** A Chromium for the tests of the page: the system's own, started with an empty profile and no talk to the network. */
import { existsSync } from "node:fs";
import { type BrowserServer, chromium } from "playwright-core";

const path = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Why there is no browser; undefined when there is one. */
export function missingChromium(): string | undefined {
  return existsSync(path) ? undefined : `no Chromium at ${path} (set CHROMIUM to its place)`;
}

/** Starts one that test files of any process can connect to. */
export function launchChromium(): Promise<BrowserServer> {
  return chromium.launchServer({
    executablePath: path,
    host: "127.0.0.1",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
