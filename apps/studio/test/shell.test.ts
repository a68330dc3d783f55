/** What all games have in common on the page: its lists, tour, keys, sizes, fingers, and that axe finds nothing wrong in any view. */
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type PlayableProtocol, quantityText } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { axe } from "./axe.ts";
import { describeInBrowser, frames, openList, openStudio, type Studio, WAIT } from "./page-tools.ts";

const slime = protocols["slime-online-2"] as PlayableProtocol;
const dialect = "documented";

describeInBrowser("the shell of the page", () => {
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    // Nothing here compares what is drawn with what arrives: few frames cost two thirds of many.
    studio = await openStudio(
      [
        { protocol: slime, dialect },
        ...["osrs", "maplestory", "scrap-mechanic"].map((name) => ({ protocol: protocols[name] as PlayableProtocol })),
      ],
      { framesPerSecond: 6 },
    );
    page = studio.page;
    await studio.startBots(2, { protocol: slime, dialect, room: "1" });
    await studio.startBot({ protocol: slime, dialect, room: "1", number: 5, cheat: "speed-1.5" });
    await studio.startBot({ protocol: protocols.osrs as PlayableProtocol, room: "mouse", number: 1 });
    await studio.startBot({ protocol: protocols.osrs as PlayableProtocol, room: "world", number: 2 });
    await studio.startBot({ protocol: protocols.maplestory as PlayableProtocol, room: "1", number: 3 });
    await studio.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: studio.origin });
    return studio.close;
  });

  // Tests share one page. One that is tried again begins with a new one.
  beforeEach(async ({ task }) => {
    if ((task.result?.retryCount ?? 0) === 0) return;
    await page.goto("about:blank");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(`${studio.origin}/#slime-online-2/1`);
    await openList(page, "Wire");
    await page.locator(".wire-line").nth(3).waitFor(WAIT);
  });

  const inspector = () => page.getByRole("complementary", { name: "Inspector" });
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

  test("is alive at the first visit: a bot is followed, its newest message is open, a sentence says what this is", async () => {
    await page.goto(`${studio.origin}/`);
    await page.getByText(/You are watching bot/).waitFor(WAIT);
    await inspector()
      .getByText(/the newest message/)
      .waitFor(WAIT);
    expect(await page.locator(".wire-line[aria-pressed=true]").count()).toBeLessThanOrEqual(1);
  });

  test("every list and the inspector of whatever is selected have no fault that axe can find, light and dark", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await openList(page, "Wire");
    await page.locator(".wire-line").nth(3).click(WAIT);
    expect((await axe(page)) ?? []).toEqual([]);
    await openList(page, "Verdicts");
    await page.locator(".verdict").first().click(WAIT);
    await inspector().getByText("For the developer").waitFor(WAIT);
    expect((await axe(page, ".work")) ?? []).toEqual([]);
    await inspector().getByRole("button", { name: "The rule" }).click();
    await inspector().getByRole("table").first().waitFor(WAIT);
    await openList(page, "Traffic");
    await page.emulateMedia({ colorScheme: "light" });
    expect((await axe(page)) ?? []).toEqual([]);
    await openList(page, "Players");
    await page.locator(".roster-follow").first().click(WAIT);
    expect((await axe(page, ".work")) ?? []).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
  });

  test("a rule says its limits with units and sources, as the game defines them", async () => {
    await openList(page, "Verdicts");
    await page.getByRole("button", { name: "Rules" }).click();
    const { rules = [], settings } = slime.capabilities ?? {};
    await inspector().getByText(`${rules.length} rules of Slime Online 2`).waitFor(WAIT);
    const isOpen = inspector().locator("details[open]", { hasText: "rate-limit" });
    if (!(await isOpen.isVisible())) await inspector().locator("summary", { hasText: "rate-limit" }).click();
    const { summary = "", default: limit = 0, unit, source = "" } = settings?.values.maxMovesPerSecond ?? {};
    const row = inspector().locator("details[open] tr", { hasText: summary });
    expect(await row.innerText()).toMatch(new RegExp(`${quantityText(limit, unit ?? "")}.*${source}`, "s"));
  });

  test("keys lead everywhere: a list of them, one stop in each list, arrows within it, a search", async () => {
    await page.locator("h1").click();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keys" });
    await sheet.getByText("search the messages").waitFor(WAIT);
    expect((await axe(page, "dialog")) ?? []).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await sheet.count()).toBe(0);
    await page.keyboard.press("2");
    await page.locator(".roster-follow").nth(1).waitFor(WAIT);
    expect(await page.locator(".roster-follow[tabindex='0']").count()).toBe(1);
    await page.locator(".roster-follow[tabindex='0']").focus();
    await page.keyboard.press("Home");
    const name = await page.locator(".roster-follow").nth(1).innerText();
    await page.keyboard.press("ArrowDown");
    await inspector().getByRole("heading", { name, level: 2 }).waitFor(WAIT);
    await page.keyboard.press("/");
    await page.locator(".search:focus").fill("");
    await page.keyboard.type("no such message");
    await expect.poll(() => page.locator(".wire-line").count(), WAIT).toBe(0);
    await page.locator(".search").fill("rightPress");
    await expect.poll(() => page.locator(".wire-line").count(), WAIT).toBeGreaterThan(0);
    const rows = await page.locator(".wire-line").allInnerTexts();
    expect(rows.filter((row) => !row.includes("rightPress"))).toEqual([]);
  });

  test("a live room is held, looked at as it was, and goes on", async () => {
    await page.locator("h1").click();
    await page.keyboard.press("k");
    await page.getByRole("button", { name: "Resume" }).waitFor(WAIT);
    const time = page.getByRole("slider", { name: "Time", exact: true });
    const shown = async (): Promise<string> => (await time.getAttribute("aria-valuetext")) ?? "";
    const drawn = (): Promise<string> =>
      page.locator(".scene-canvas").evaluate((node) => (node as HTMLCanvasElement).toDataURL());
    const held = await shown();
    expect(held).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
    await time.focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => (await shown()) < held, WAIT).toBe(true);
    await frames(page, 3);
    // What is held stands still.
    const still = await drawn();
    await frames(page, 5);
    expect(await drawn()).toBe(still);
    await page.keyboard.press("End");
    await expect.poll(shown, WAIT).toBe("now");
    await expect.poll(drawn, WAIT).not.toBe(still);
  });

  test("what is found is copied, and a message as hex and as JSON", async () => {
    await page.locator(".search").fill("rightPress");
    await page.locator(".wire-line", { hasText: "rightPress" }).first().waitFor(WAIT);
    await page.locator(".wire .list-tools").getByRole("button", { name: "Copy", exact: true }).click();
    await expect.poll(clipboard, WAIT).toContain("rightPress");
    await page.locator(".search").fill("");
    await page.locator(".wire-line").first().click();
    const bytes = (await inspector().locator(".bytes").getAttribute("aria-label")) ?? "";
    await inspector().getByRole("button", { name: "Copy as hex" }).click();
    await inspector().getByText("Hex copied").waitFor(WAIT);
    expect((await clipboard()).toUpperCase()).toBe(bytes.split(": ")[1]);
    await inspector().getByRole("button", { name: "as JSON" }).click();
    await inspector().getByText("JSON copied").waitFor(WAIT);
    expect(JSON.parse(await clipboard())).toMatchObject({ protocol: "slime-online-2", dialect, message: "movePlayer" });
  });

  test("the wire is a table for those who have it read out, and holds still", async () => {
    await page.getByRole("button", { name: "Table", exact: true }).click();
    const table = page.getByRole("table", { name: "Messages, newest first" });
    const rows = (): Promise<readonly string[]> => table.getByRole("row").allInnerTexts();
    await table.waitFor(WAIT);
    expect(await table.getByRole("columnheader").allInnerTexts()).toContain("message");
    const before = await rows();
    expect((await axe(page, ".wire")) ?? []).toEqual([]);
    const second = table.getByRole("rowheader").nth(1);
    const number = await second.innerText();
    await second.getByRole("button").click();
    await inspector()
      .getByText(`message ${Number(number).toLocaleString("en")}`)
      .waitFor(WAIT);
    expect(await rows()).toEqual(before);
    await page.getByRole("button", { name: "Table", exact: true }).click();
    await page.locator(".wire-line").first().waitFor(WAIT);
  });

  test("edges move by keys and by pointer, and the layout is kept", async () => {
    const sentence = page.getByRole("button", { name: "Close this sentence" });
    // Again after a failure: the layout of the first try is kept.
    if (!(await sentence.isVisible())) {
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await sentence.waitFor(WAIT);
    }
    const width = async (): Promise<number> => (await inspector().boundingBox())?.width ?? 0;
    const before = await width();
    const edge = page.getByRole("separator", { name: "Width of the inspector" });
    await edge.focus();
    await page.keyboard.press("ArrowLeft");
    const isAt = async (px: number): Promise<boolean> => Math.abs((await width()) - px) <= 1;
    await expect.poll(() => isAt(before + 24), WAIT).toBe(true);
    const box = (await edge.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + 2, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 52, box.y + 210, { steps: 2 });
    await page.mouse.up();
    await expect.poll(() => isAt(before - 26), WAIT).toBe(true);
    await openList(page, "Bans");
    // Nothing moves up into the place of a sentence that is closed.
    const height = async (): Promise<number> => (await page.locator(".stage").boundingBox())?.height ?? 0;
    const low = await height();
    await sentence.click();
    await expect.poll(height, WAIT).toBeGreaterThan(low);
    await page.reload();
    await page.getByRole("tab", { name: /^Bans/, selected: true }).waitFor(WAIT);
    expect(await isAt(before - 26)).toBe(true);
  });

  test("the own line becomes bad by choice, from a seed", async () => {
    await page.locator(".line-menu summary").click();
    await page.getByRole("button", { name: "Mobile" }).click();
    await page.getByText("Your line: mobile").waitFor(WAIT);
    await page.getByLabel("seed").fill("7");
    const latency = page.locator(".menu-slider", { hasText: "latency" });
    await latency.getByRole("slider").fill("300");
    expect(await latency.locator("output").innerText()).toBe("300 ms each way");
    await page.getByText("Your line: changed").waitFor(WAIT);
    expect((await axe(page, ".line-menu")) ?? []).toEqual([]);
    await page.getByRole("button", { name: "As it is" }).click();
    await page.locator(".line-menu summary").click();
  });

  test("the tour leads through all games, and each scene measures", async () => {
    const tour = page.getByRole("region", { name: "Tour" });
    const figure = (name: string) => tour.locator(".tour-figures div", { hasText: name }).locator("dd");
    const number = async (name: string): Promise<number> =>
      Number.parseFloat((await figure(name).innerText()).replaceAll(",", ""));
    await page.getByRole("banner").getByRole("button", { name: "Tour" }).click();
    await tour.getByRole("button", { name: "Let a cheat teleport" }).click(WAIT);
    await figure("claimed at once").waitFor(WAIT);
    expect(await number("claimed at once")).toBeGreaterThan(await number("allowed"));
    expect(await figure("refused").innerText()).toMatch(/^(\d+) of \1$/);
    await tour.getByRole("button", { name: "Next" }).click();
    await figure("saved").waitFor(WAIT);
    // One bit says that a player does nothing, two that no count follows.
    expect(await number("one by one")).toBe(3 * (await number("places skipped")));
    expect(await number("saved")).toBe((await number("one by one")) - (await number("as runs")));
    expect((await axe(page, ".left")) ?? []).toEqual([]);
    await tour.getByRole("button", { name: "Next" }).click();
    await page.getByRole("region", { name: "Room 1" }).waitFor(WAIT);
    await tour.getByRole("button", { name: "Make the network bad" }).click(WAIT);
    await tour.getByText("+ 500 ms, stalls").waitFor(WAIT);
    expect((await axe(page, ".left")) ?? []).toEqual([]);
    await tour.getByRole("button", { name: "Next" }).click();
    await tour.getByRole("button", { name: "Walk on a bad network" }).click(WAIT);
    await figure("drift").waitFor(WAIT);
    await expect.poll(() => number("packets lost"), WAIT).toBeGreaterThan(0);
    expect((await axe(page, ".left")) ?? []).toEqual([]);
    await tour.getByRole("button", { name: "Next" }).click();
    await page.getByRole("region", { name: "Room mouse" }).waitFor(WAIT);
    await tour.getByText("The first score comes after ten strokes.").waitFor(WAIT);
    expect((await axe(page, ".left")) ?? []).toEqual([]);
    await tour.getByRole("button", { name: "End the tour" }).click();
    expect(await tour.count()).toBe(0);
  });

  test("fingers play: a stick and buttons for slimes, a drawn line for the mouse", async () => {
    // Two pages that draw cost twice as much.
    await page.goto("about:blank");
    const phone = await studio.openContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const touched = await phone.newPage();
    const fingers = await phone.newCDPSession(touched);
    const touch = (
      type: "touchStart" | "touchMove" | "touchEnd",
      ...touchPoints: readonly { x: number; y: number }[]
    ) => fingers.send("Input.dispatchTouchEvent", { type, touchPoints: [...touchPoints] });
    const play = () => touched.getByRole("banner").getByRole("button", { name: "Play", exact: true }).tap();
    const middle = async (selector: string): Promise<{ x: number; y: number }> => {
      const box = (await touched.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    await touched.goto(`${studio.origin}/#slime-online-2/2`);
    await touched.getByRole("region", { name: "Room 2" }).waitFor(WAIT);
    await play();
    await touched.locator(".wire-line", { hasText: "landing" }).first().waitFor(WAIT);
    const stick = await middle(".touch-stick");
    await touch("touchStart", stick);
    await touch("touchMove", { x: stick.x + 50, y: stick.y });
    await touched.locator(".wire-client", { hasText: "rightPress" }).first().waitFor(WAIT);
    await touch("touchEnd");
    await touched
      .locator(".wire-client", { hasText: /rightRelease/ })
      .first()
      .waitFor(WAIT);
    await touched.locator(".touch-buttons button", { hasText: "jump" }).tap();
    await touched.locator(".wire-client", { hasText: "upPress" }).first().waitFor(WAIT);
    expect(await touched.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await touched.goto(`${studio.origin}/#osrs/mouse`);
    await touched.getByRole("region", { name: "Room mouse" }).waitFor(WAIT);
    await play();
    await touched.locator(".mouse-recording").waitFor(WAIT);
    const from = await middle(".mouse-window");
    await touch("touchStart", { x: from.x - 80, y: from.y });
    for (let step = -4; step <= 4; step++) await touch("touchMove", { x: from.x + step * 20, y: from.y + step * 4 });
    await touch("touchEnd");
    const sent = touched.locator(".wire-client", { hasText: /records × \d/ }).first();
    await sent.waitFor(WAIT);
    // The page did not scroll under the finger.
    expect(await touched.evaluate(() => window.scrollY)).toBe(0);
    await phone.close();
  });

  test("the console has no errors", () => {
    expect(studio.complaints).toEqual([]);
  });

  test("a game that the page does not know is drawn by its tracks", async () => {
    await page.routeWebSocket(/\/ws\/studio/, (socket) => {
      const feed = socket.connectToServer();
      feed.onMessage((message) => {
        const isHello = typeof message === "string" && message.includes('"type":"hello"');
        socket.send(isHello ? message.replaceAll('"protocol":"slime-online-2"', '"protocol":"my-game"') : message);
      });
    });
    await page.goto("about:blank");
    await page.goto(`${studio.origin}/#slime-online-2/1`);
    await page.locator(".scene-canvas").waitFor(WAIT);
    const drawn = (): Promise<string> =>
      page.locator(".scene-canvas").evaluate((node) => (node as HTMLCanvasElement).toDataURL());
    const first = await drawn();
    await expect.poll(drawn, WAIT).not.toBe(first);
    await openList(page, "Players");
    await page
      .locator(".roster td.doing", { hasText: /walk|stand|jump|fall/ })
      .first()
      .waitFor(WAIT);
  });
});
