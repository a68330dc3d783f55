/** A Chromium for the tests of the page: the system's own, started with an empty profile and no talk to the network. */
import { existsSync } from "node:fs";
import { type BrowserServer, chromium } from "playwright-core";

const path = process.env.CHROMIUM ?? "/usr/bin/chromium";

/**
 * What Chromium does without. The first two load pages of the browser's own beside each tab, which took half of the processor time of
 * opening one (1.6 s, now 0.7). The others are Playwright's own choice (`disabledFeatures` in `playwright-core`): a second
 * `--disable-features` takes the place of its list.
 */
const disabledFeatures = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

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
      `--disable-features=${disabledFeatures.join()}`,
    ],
  });
}
