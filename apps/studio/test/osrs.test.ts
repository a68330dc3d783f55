/** The mice of Old School RuneScape in a real browser: bots watched and classified, and the visitor's own mouse sent. */
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { osrs } from "wirewalk/osrs";
import { GAME_HEIGHT, GAME_WIDTH } from "wirewalk/osrs/mouse";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { fasterClock, PlainTcp } from "./clients.ts";
import {
  checkReadable,
  describeInBrowser,
  join,
  leave,
  openList,
  openStudio,
  picture,
  type Studio,
  takesPictures,
  WAIT,
} from "./page-tools.ts";

/** Ten strokes, sent in fives, and the 2.5 seconds after which a stroke is shown. */
const WAIT_FOR_SCORES = { timeout: 180_000 };

/** Bots at eight times the pace: a score comes from the times in the packets, and ten strokes would take 20 s. */
const BOT_PACE = 8;

/** Places along a line at which something drawn is looked for. */
const LOOKED_AT = 40;

describeInBrowser("the page of osrs", () => {
  let studio: Studio;
  let page: Page;
  let tcp: PlainTcp | undefined;

  const windowOf = (): Locator => page.locator(".mouse-window");
  const row = (name: string): Locator => page.locator(".mouse-row", { hasText: name });

  /** Moves the real mouse to a pixel of the game's window, as slowly as a hand. */
  const moveTo = async (x: number, y: number): Promise<void> => {
    const box = await windowOf().boundingBox();
    if (box === null) throw new Error("The window is not shown");
    const target = { x: box.x + 1 + (x + 0.5) * ((box.width - 2) / GAME_WIDTH), y: 0 };
    target.y = box.y + 1 + (y + 0.5) * ((box.height - 2) / GAME_HEIGHT);
    const [fromX, fromY] = at;
    for (let step = 1; step <= 15; step++) {
      await page.mouse.move(fromX + ((target.x - fromX) * step) / 15, fromY + ((target.y - fromY) * step) / 15);
      await page.waitForTimeout(40);
    }
    at = [target.x, target.y];
  };
  let at: readonly [number, number] = [0, 0];

  /** How much of a straight line from left to right differs from the bare window behind it. */
  const drawnShare = (fromX: number, toX: number, y: number): Promise<number> =>
    windowOf().evaluate(
      (node, { from, to, row: atY, samples, width, height }) => {
        const shown = node as HTMLCanvasElement;
        // A copy, to be read again and again: the shown one stays where it is fast to draw.
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [shown.width, shown.height];
        const context = canvas.getContext("2d", { willReadFrequently: true });
        context?.drawImage(shown, 0, 0);
        const [scaleX, scaleY] = [canvas.width / width, canvas.height / height];
        // The bare window, which has no path along its edge.
        const bare = context?.getImageData(8, 3, 1, 1).data;
        let drawn = 0;
        for (let sample = 0; sample < samples; sample++) {
          const x = (from + ((to - from) * (sample + 0.5)) / samples) * scaleX;
          const data = context?.getImageData(Math.round(x), Math.round(atY * scaleY) - 1, 1, 3).data ?? [];
          const far = Array.from(data, (value, index) => Math.abs(value - (bare?.[index % 4] ?? 0)));
          if (Math.max(...far) > 40) drawn += 1;
        }
        return drawn / samples;
      },
      { from: fromX, to: toX, row: y, samples: LOOKED_AT, width: GAME_WIDTH, height: GAME_HEIGHT },
    );

  beforeAll(async () => {
    studio = await openStudio([slimeOnline2, osrs].map((protocol) => ({ protocol, port: 0 })));
    page = studio.page;
    for (let number = 0; number < 4; number++) {
      const cheat = number === 3 ? "linear" : "none";
      await studio.startBot({ protocol: osrs, room: "mouse", number, cheat, clock: fasterClock(BOT_PACE) });
    }
    return studio.close;
  });

  test("another protocol is a choice away, and the address leads back", async () => {
    await page.goto(`${studio.origin}/#slime-online-2/1`);
    await page.getByRole("region", { name: "Room 1" }).waitFor(WAIT);
    const games = page.getByRole("navigation", { name: "Games" });
    await games.getByRole("link", { name: "Old School RuneScape" }).click();
    await page.getByRole("region", { name: "Room mouse" }).waitFor(WAIT);
    expect(page.url()).toContain("#osrs/mouse");
    await page.goBack();
    await page.getByRole("region", { name: "Room 1" }).waitFor(WAIT);
    expect(await games.locator("[aria-current=page]").innerText()).toBe("Slime Online 2");
    await page.goForward();
    await page.getByRole("region", { name: "Room mouse" }).waitFor(WAIT);
    await page.reload();
    await page.getByRole("button", { name: "Room mouse, 4 players" }).waitFor(WAIT);
  });

  test("draws the mice of all sessions, and distinguishes humans from bots", async () => {
    await expect.poll(() => page.locator(".mouse-row").count(), WAIT).toBe(4);
    const drawn = (): Promise<string> => windowOf().evaluate((node) => (node as HTMLCanvasElement).toDataURL());
    const first = await drawn();
    await expect.poll(drawn, WAIT).not.toBe(first);
    await row("linear 3").getByText("like a machine").waitFor(WAIT_FOR_SCORES);
    for (const number of [0, 1, 2]) await row(`bot ${number}`).getByText("like a hand").waitFor(WAIT_FOR_SCORES);
    await picture(page, "osrs-watching-dark");
    await picture(page.locator(".stage"), "osrs-stage");
  });

  test("a session opens to its kinematics, with the evidence for its score", async () => {
    await row("linear 3").click();
    const card = page.getByRole("region", { name: "Kinematics of linear 3" });
    await card.getByText("straight lines", { exact: true }).waitFor(WAIT);
    const text = await card.innerText();
    expect(text).toMatch(/score (1\.00|0\.\d\d)/);
    expect(text).toMatch(/strokes are straight lines with no correction\. A hand stays under 35 %/);
    expect(text).toContain("never a ban");
    expect(text).toMatch(/straightness\s+(99|100) %/);
    await picture(page.locator(".stage"), "osrs-stage-machine", { afterMs: 2_000 });
    await page.getByRole("button", { name: "‹ All" }).click();
    await row("bot 0").click();
    await page.getByText("No rule has found anything unusual.").waitFor(WAIT);
    await picture(page.locator(".stage"), "osrs-stage-hand");
    await page.getByRole("button", { name: "‹ All" }).click();
  });

  test("a mouse sent over TCP is at its packet's position, and a click there selects it", async () => {
    tcp?.close();
    tcp = studio.closeLater(
      new PlainTcp(studio.server.listeners.find(({ protocol }) => protocol === "osrs")?.port ?? 0),
    );
    // Opcode, size, residues; the process's first record: full, at (700,40).
    tcp.send("22 08 0000 ffff 0028 02bc");
    await openList(page, "Players");
    await page.locator(".roster tr", { hasText: "700, 40" }).waitFor(WAIT);
    const [bitmap, width, height] = await windowOf().evaluate((node) => [
      (node as HTMLCanvasElement).width,
      node.clientWidth,
      node.clientHeight,
    ]);
    expect(bitmap).toBe(width);
    await windowOf().click({
      position: { x: (700 / GAME_WIDTH) * (width ?? 0), y: (40 / GAME_HEIGHT) * (height ?? 0) },
    });
    await page.getByRole("region", { name: "Kinematics of player" }).waitFor(WAIT);
  });

  test("the own mouse goes out as packets, and its path comes back from the server", async () => {
    await join(page);
    await page.getByRole("checkbox", { name: "Server’s view" }).check();
    await page.getByRole("region", { name: "Kinematics of your mouse" }).waitFor(WAIT);
    // Before the moves: its tab lies outside of the window.
    await openList(page, "Players");
    await moveTo(80, 470);
    await moveTo(680, 470);
    await picture(page.locator(".stage"), "osrs-stage-untold");
    await page.mouse.down();
    await page.mouse.up();
    // The server's own word: its track, half a pixel of the page's scale off at most.
    const place = async (): Promise<number[]> =>
      (await page.locator(".roster .self .place").innerText()).split(", ").map(Number);
    await expect.poll(place, WAIT).toEqual([expect.closeTo(680, -0.5), expect.closeTo(470, -0.5)]);
    await expect.poll(() => drawnShare(100, 660, 470), WAIT).toBeGreaterThan(0.9);
    await picture(page, "osrs-playing-dark");
    // Not its own drawing: without what came back there is nothing there.
    await page.getByRole("checkbox", { name: "Server’s view" }).uncheck();
    await expect.poll(() => drawnShare(100, 660, 470), WAIT).toBeLessThan(0.5);
    await page.getByRole("checkbox", { name: "Server’s view" }).check();
    await openList(page, "Wire");
    await page
      .locator(".wire-client", { hasText: /mouseMove.*records × \d/ })
      .first()
      .waitFor(WAIT);
    await openList(page, "Players");
  });

  test("outside the window the pointer has no position, and the page sends that", async () => {
    await page.mouse.move(640, 20);
    await page.locator(".roster .self", { hasText: "outside" }).waitFor(WAIT);
    await page.locator(".mouse-profile b", { hasText: "outside" }).waitFor(WAIT);
    await picture(page.locator(".stage"), "osrs-stage-outside");
  });

  test("a sent packet opens from its bits to its records and what they did", async () => {
    await openList(page, "Wire");
    await page
      .locator(".wire-client", { hasText: /mouseMove.*records × \d/ })
      .last()
      .click();
    const view = page.locator(".inspector .message-view");
    await view.locator(".field", { hasText: "records[0].form" }).hover();
    expect((await view.locator(".bits.hot").allTextContents()).join("")).toHaveLength(3);
    expect(await view.locator(".field.hot").innerText()).toContain("full");
    await view.locator(".field", { hasText: "records[0].x" }).hover();
    expect((await view.locator(".bits.hot").allTextContents()).join("")).toHaveLength(16);
    expect(await view.locator(".state .changed").first().innerText()).toMatch(/^x\s+null\s+\d+/);
    expect(await view.locator(".step-verdict").innerText()).toContain("No rule objected");
    await picture(page, "osrs-inspecting-dark");
    await picture(page.locator(".wire"), "osrs-wire");
  });

  test("is readable in light, wide, and on a phone", async () => {
    if (takesPictures) {
      await moveTo(300, 250);
      await moveTo(500, 120);
    }
    await checkReadable(page, "osrs", 2_700);
  });

  test("shows what to do in an empty room", async () => {
    await leave(page);
    studio.stopBots();
    tcp?.close();
    await page.getByText("No mouse is here.").waitFor(WAIT);
    await page.getByText("Nobody is here.").waitFor(WAIT);
    await picture(page, "osrs-empty-dark");
  });

  test("the console has no errors", () => {
    expect(studio.complaints).toEqual([]);
  });
});
