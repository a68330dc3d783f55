/** A recording on the page: the same views as of a live server, and the bar that plays it. */
import { pageFolder, type RunningPlayback, startPlayback } from "@wirewalk/server";
import { type Browser, chromium, type Page } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../packages/recording/src/testing/record-play.ts";
import { axe } from "./axe.ts";
import { checkReadable, describeInBrowser, openList, openPage, picture, WAIT } from "./page-tools.ts";

/** It plays while the page is opened and looked at: so long that a busy machine does not get to its end. */
const LASTS_MS = 300_000;

describeInBrowser("the page of a recording", () => {
  let running: RunningPlayback;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    const protocol = protocols["slime-online-2"] as PlayableProtocol;
    const { sink } = await recordPlay({ protocol, bots: 6, durationMs: LASTS_MS });
    running = await startPlayback({
      recording: sink.recording(),
      protocols,
      file: "play.mcap",
      http: 0,
      studioFolder: pageFolder(),
    });
    browser = await chromium.connect(inject("browser"));
    page = await openPage(browser, { viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
    page.on("pageerror", (error) => complaints.push(error.stack ?? String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    await page.goto(`http://127.0.0.1:${running.address.port}/`);
    return async () => {
      await browser.close();
      await running.close();
    };
  });

  const bar = () => page.getByRole("region", { name: "Playback" });
  const time = (): Promise<string | null> => bar().locator("time").textContent();

  /** Plays from the start at the recording's own speed, or stands there. */
  const atStart = async (isPlaying: boolean): Promise<void> => {
    if (running.state.isPlaying) await bar().getByRole("button", { name: "Pause" }).click(WAIT);
    await bar().getByRole("slider", { name: "Time in the recording" }).focus();
    await page.keyboard.press("Home");
    await expect.poll(() => running.state, WAIT).toMatchObject({ atMs: 0, isSeeking: false, isPlaying: false });
    await bar().getByLabel("Speed").selectOption("1");
    if (isPlaying) await bar().getByRole("button", { name: "Play", exact: true }).click(WAIT);
  };

  test("shows which recording, its players, its messages of both directions, and no way to join", async () => {
    await page.getByText("play.mcap").waitFor(WAIT);
    await bar().getByRole("button", { name: "Pause" }).waitFor(WAIT);
    await page.getByText("bot-0").first().waitFor(WAIT);
    await page
      .locator(".wire-client", { hasText: /bot-\d/ })
      .first()
      .waitFor(WAIT);
    await page
      .locator(".wire-server", { hasText: /bot-\d|all/ })
      .first()
      .waitFor(WAIT);
    const play = page.getByRole("banner").getByRole("button", { name: "Play", exact: true });
    expect(await play.count()).toBe(0);
    // It is not live, and its times are those of the recording.
    await page.getByRole("status").getByText("Viewing a recording", { exact: true }).waitFor(WAIT);
    expect(await page.locator(".wire-time").first().textContent()).toMatch(/^[0-4]:\d\d\.\d{3}$/);
    await picture(page, "playback");
  });

  test("is paused, stepped and set to another speed by buttons", async () => {
    await atStart(true);
    await bar().getByRole("button", { name: "Pause" }).click(WAIT);
    await bar().getByRole("button", { name: "Play", exact: true }).waitFor(WAIT);
    const before = running.state.atMs;
    await bar().getByRole("button", { name: "+ tick" }).click();
    await expect.poll(() => running.state.atMs, WAIT).toBeGreaterThan(before);
    await bar().getByLabel("Speed").selectOption("4");
    await expect.poll(() => running.state.speed, WAIT).toBe(4);
  });

  test("goes to any second by the keyboard alone, and shows the players of then", async () => {
    await atStart(false);
    const slider = bar().getByRole("slider", { name: "Time in the recording" });
    await slider.focus();
    await page.keyboard.press("End");
    await expect.poll(() => running.state.atMs, WAIT).toBeGreaterThan(0.75 * LASTS_MS);
    await page.keyboard.press("Home");
    await expect.poll(() => running.state, WAIT).toMatchObject({ atMs: 0, isSeeking: false });
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => running.state, WAIT).toMatchObject({ atMs: 2_000, isSeeking: false });
    await expect.poll(time, WAIT).toBe("0:02.0");
    expect(await slider.getAttribute("aria-valuetext")).toBe("2 seconds");
    await openList(page, "Players");
    await slider.focus();
    await page.getByText("bot-0").first().waitFor(WAIT);
    await page.keyboard.press(" ");
    await bar().getByRole("button", { name: "Pause" }).waitFor(WAIT);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press(" ");
    await bar().getByRole("button", { name: "Play", exact: true }).waitFor(WAIT);
  });

  test("marks the verdicts of the recording, and goes to the next one", async () => {
    await bar()
      .getByRole("img", { name: /^Verdicts of the recording: [1-9]/ })
      .waitFor(WAIT);
    await atStart(false);
    const before = running.state.atMs;
    await bar().getByRole("button", { name: "Next verdict" }).click();
    await expect.poll(() => running.state.atMs, WAIT).toBeGreaterThan(before);
    // The verdicts up to there are those of the list.
    await openList(page, "Verdicts");
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.locator(".verdicts .verdict").first().waitFor(WAIT);
  });

  test("opens a verdict in its seconds, which are played again and again, and plays on from there", async () => {
    const moment = page.getByRole("region", { name: "Seconds of the verdict" });
    // A second try begins where the first has ended.
    if (await moment.isVisible()) await moment.getByRole("button", { name: "Play on" }).click(WAIT);
    await openList(page, "Verdicts");
    await page.locator(".verdicts .verdict", { hasText: "corrected" }).first().click(WAIT);
    await moment.waitFor(WAIT);
    const story = page.getByRole("region", { name: "What happened" });
    await story.getByText("How sure it is").waitFor(WAIT);
    await moment.getByText(/wirewalk verdict export play\.mcap \d+-[0-9a-f]{8}/).waitFor(WAIT);
    await openList(page, "Wire");
    await page.locator(".wire-client", { hasText: "corrected" }).first().waitFor(WAIT);
    // From the end of the seconds it goes on at their beginning.
    await bar().getByLabel("Speed").selectOption("16");
    const before = running.state.jump;
    await expect.poll(() => running.state.jump, WAIT).toBeGreaterThan(before + 1);
    await bar().getByLabel("Speed").selectOption("1");
    await moment.getByRole("button", { name: "Play on" }).click(WAIT);
    await moment.waitFor({ ...WAIT, state: "detached" });
    expect(running.state.isPlaying).toBe(true);
  });

  test("controls one playback for all pages", async () => {
    const other = await openPage(browser, {});
    await other.goto(`http://127.0.0.1:${running.address.port}/`);
    const control = other.getByRole("region", { name: "Playback" });
    await control.getByRole("button", { name: "Pause" }).click(WAIT);
    await expect.poll(() => running.state.isPlaying, WAIT).toBe(false);
    await control.getByRole("button", { name: "Play", exact: true }).click(WAIT);
    await bar().getByRole("button", { name: "Pause" }).click(WAIT);
    await expect.poll(() => running.state.isPlaying, WAIT).toBe(false);
    await other.close();
  });

  test("has no fault that axe can find, fits a phone, and complains about nothing", async () => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect((await axe(page, ".playback")) ?? [], colorScheme).toEqual([]);
    }
    await checkReadable(page, "playback");
    expect(complaints).toEqual([]);
  });
});
