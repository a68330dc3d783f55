/** A Chromium for the tests of the page: the system's own, started with an empty profile and no talk to the network. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const path = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Why there is no browser; undefined when there is one. On CI a missing browser is an error. */
export function missingChromium(): string | undefined {
  if (existsSync(path)) return undefined;
  const reason = `no Chromium at ${path} (set CHROMIUM to its place)`;
  if (process.env.CI !== undefined && process.env.CI !== "") throw new Error(`Cannot test the page: ${reason}`);
  return reason;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
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
