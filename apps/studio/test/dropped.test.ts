/** A recording that is dropped on the page of a live server: it is played in the page, and nothing of it is sent. */
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { recordPlay } from "../../../packages/recording/src/testing/record-play.ts";
import { axe } from "./axe.ts";
import { drop } from "./drop.ts";
import { checkReadable, describeInBrowser, openList, openStudio, picture, type Studio, WAIT } from "./page-tools.ts";

describeInBrowser("a recording that is dropped on the page", () => {
  let studio: Studio;
  let page: Page;
  let bytes: Uint8Array;
  const sent: string[] = [];

  beforeAll(async () => {
    const { sink } = await recordPlay({ protocol: slimeOnline2 as PlayableProtocol, bots: 6, durationMs: 20_000 });
    bytes = sink.bytes();
    studio = await openStudio([{ protocol: slimeOnline2, port: 0 }]);
    page = studio.page;
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(`${request.method()} ${request.url()}`);
    });
    page.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => {
        if (payload.length > 200) sent.push(`${payload.length} bytes to ${socket.url()}`);
      });
    });
    await page.goto(`${studio.origin}/#slime-online-2/2`);
    await page.getByRole("region", { name: "Room 2" }).waitFor(WAIT);
    return studio.close;
  });

  const head = () => page.getByRole("region", { name: "Recording" });
  const bar = () => page.getByRole("region", { name: "Playback" });
  /** Milliseconds since 1970. The slider has whole seconds. */
  const atMs = async (): Promise<number> => Date.parse((await bar().locator("time").getAttribute("datetime")) ?? "");
  /** Plays from the start, or stands there. */
  const fromStart = async (isPlaying: boolean): Promise<void> => {
    const pause = bar().getByRole("button", { name: "Pause" });
    if ((await pause.count()) > 0) await pause.click(WAIT);
    await bar().getByRole("slider").focus();
    await page.keyboard.press("Home");
    await expect.poll(() => bar().locator("time").textContent(), WAIT).toBe("0:00.0");
    if (isPlaying) await bar().getByRole("button", { name: "Play", exact: true }).click(WAIT);
  };
  /** Where the list of players says that they are. */
  const places = async (): Promise<string> => (await page.locator(".roster").innerText()).replaceAll(/\s+/g, " ");

  test("is played at once, with its name, game, dialect, length and players, and the address stays", async () => {
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File([], "x"));
      document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await page.getByText("Drop a recording to play it").waitFor(WAIT);
    await drop(page, "play.mcap", bytes);
    await head().getByText("play.mcap").waitFor(WAIT);
    await head()
      .getByText(/Slime Online 2 · dialect v0106 · 0:\d\d\.\d · \d players/)
      .waitFor(WAIT);
    expect(await page.getByText("Drop a recording to play it").count()).toBe(0);
    await bar().getByRole("button", { name: "Pause" }).waitFor(WAIT);
    await page.getByRole("status").getByText("Viewing a recording", { exact: true }).waitFor(WAIT);
    await page
      .locator(".wire-client", { hasText: /bot-\d/ })
      .first()
      .waitFor(WAIT);
    expect(new URL(page.url()).hash).toBe("#slime-online-2/2");
    await picture(page, "dropped", { afterMs: 1_500 });
  });

  test("shows its players as they move, at any speed", async () => {
    await openList(page, "Players");
    await fromStart(true);
    await page.getByText("bot-0").first().waitFor(WAIT);
    const before = await places();
    await expect.poll(places, WAIT).not.toBe(before);
    await bar().getByLabel("Speed").selectOption("4");
    await expect.poll(() => bar().getByLabel("Speed").inputValue(), WAIT).toBe("4");
  });

  test("is paused, stepped, and goes to any second", async () => {
    await fromStart(false);
    const start = await places();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => bar().locator("time").textContent(), WAIT).toBe("0:02.0");
    await expect.poll(places, WAIT).not.toBe(start);
    const before = await atMs();
    await bar().getByRole("button", { name: "+ tick" }).click();
    await expect.poll(atMs, WAIT).toBeGreaterThan(before);
  });

  test("has marks of its verdicts, and leads to the next one", async () => {
    await bar()
      .getByRole("img", { name: /^Verdicts of the recording: [1-9]/ })
      .waitFor(WAIT);
    expect(await bar().locator(".playback-marks rect").count()).toBeGreaterThan(0);
    await fromStart(false);
    const before = await atMs();
    await bar().getByRole("button", { name: "Next verdict" }).click();
    await expect.poll(atMs, WAIT).toBeGreaterThan(before);
    await openList(page, "Verdicts");
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.locator(".verdicts .verdict").first().waitFor(WAIT);
  });

  test("has its messages in the inspector, which plays it too", async () => {
    await head().getByRole("button", { name: "Inspect its messages" }).click();
    await page
      .locator(".list-status")
      .getByText(/recording: [\d,]+ messages/)
      .waitFor(WAIT);
    expect(new URL(page.url()).hash).toBe("#inspect");
    await page.getByRole("region", { name: "Packets" }).getByRole("button", { name: "Play", exact: true }).click();
    await bar().getByRole("button", { name: "Pause" }).waitFor(WAIT);
    await expect.poll(() => new URL(page.url()).hash, WAIT).toBe("#slime-online-2/2");
  });

  test("has no fault that axe can find, and fits a phone", async () => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect((await axe(page)) ?? [], colorScheme).toEqual([]);
    }
    await checkReadable(page, "dropped");
  });

  test("is closed, and the page is live again", async () => {
    await head().getByRole("button", { name: "Close" }).click();
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor(WAIT);
    await page.getByRole("region", { name: "Room 2" }).waitFor(WAIT);
    expect(await bar().count()).toBe(0);
  });

  test("may be chosen with the keyboard too", async () => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("banner").getByRole("button", { name: "Open", exact: true }).focus();
    await page.keyboard.press("Enter");
    await (await chooser).setFiles({ name: "chosen.mcap", mimeType: "", buffer: Buffer.from(bytes) });
    await head().getByText("chosen.mcap").waitFor(WAIT);
    await bar().getByRole("button", { name: "Pause" }).waitFor(WAIT);
    await head().getByRole("button", { name: "Close" }).click();
  });

  test("leaves no session that is played: it goes on behind the recording", async () => {
    const banner = page.getByRole("banner");
    await banner.getByRole("button", { name: "Play", exact: true }).click(WAIT);
    await banner.getByRole("button", { name: "Leave" }).waitFor(WAIT);
    // The page's feed and its player.
    await expect.poll(() => studio.server.stats().sessions, WAIT).toBe(2);
    await drop(page, "play.mcap", bytes);
    await bar().getByRole("button", { name: "Pause" }).waitFor(WAIT);
    expect(await banner.getByRole("button", { name: "Leave" }).count()).toBe(0);
    expect((await axe(page)) ?? []).toEqual([]);
    expect(studio.server.stats().sessions).toBe(2);
    await head().getByRole("button", { name: "Close" }).click();
    await banner.getByRole("button", { name: "Leave" }).click(WAIT);
    await banner.getByRole("button", { name: "Play", exact: true }).waitFor(WAIT);
  });

  test("says what is wrong with a damaged file, and where", async () => {
    await drop(page, "broken.mcap", bytes.subarray(0, 40));
    await page.getByText("Cannot replay: the recording has no readable key frame").waitFor(WAIT);
    await picture(page, "dropped-broken");
    // A chunk in the middle is lost: the rest is played.
    const damaged = bytes.slice();
    damaged.fill(0x55, damaged.length >> 1, (damaged.length >> 1) + 64);
    await drop(page, "damaged.mcap", damaged);
    await bar()
      .getByText(/cannot be read: (?:first )?bytes \d+ to \d+/)
      .waitFor(WAIT);
    await head().getByRole("button", { name: "Close" }).click();
  });

  test("a file of another kind goes to the inspector", async () => {
    await drop(page, "bytes.bin", Uint8Array.of(2, 0, 2, 0xc0, 1, 0xa0, 0));
    await page.getByText("bytes.bin: 7 bytes").waitFor(WAIT);
    expect(new URL(page.url()).hash).toBe("#inspect");
    expect(studio.complaints).toEqual([]);
  });

  test("nothing of any file is sent", () => {
    expect(sent).toEqual([]);
  });
});
