/**
 * The page in a real browser, against the real server with bots: watched, played, judged, photographed.
 */
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { PlainTcp } from "./clients.ts";
import {
  checkReadable,
  describeInBrowser,
  frames,
  join,
  leave,
  openList,
  openStudio,
  picture,
  type Studio,
  WAIT,
} from "./page-tools.ts";

/** Without logins: a page plays at once. */
const dialect = "documented";

/** The own x, as the server has it. */
async function ownX(page: Page): Promise<number> {
  return Number.parseInt(await page.locator(".roster .self .place").innerText(), 10);
}

function littleEndian(player: number): string {
  return Buffer.from([player & 255, player >> 8]).toString("hex");
}

describeInBrowser("the page", () => {
  let studio: Studio;
  let page: Page;
  let tcp: PlainTcp;

  /** The id of the page's player, from the server. */
  const pagePlayer = (): number => {
    for (const [player, { name }] of studio.server.worlds[0]?.host.players ?? [])
      if (name.startsWith("guest-")) return player;
    throw new Error("The page's player is not there");
  };

  beforeAll(async () => {
    studio = await openStudio([{ protocol: slimeOnline2, dialect, port: 0 }], { banLoopback: true });
    page = studio.page;
    for (let number = 0; number < 10; number++) {
      await studio.startBot({ protocol: slimeOnline2, dialect, room: String(1 + (number % 2)), number });
    }
    return studio.close;
  });

  // A test that fails in the middle of a walk leaves its keys down.
  afterEach(async () => {
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp"]) await page.keyboard.up(key);
  });

  test("lists the rooms with their players and draws slimes that move", async () => {
    await page.goto(`${studio.origin}/#slime-online-2/1`);
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor(WAIT);
    await page.getByRole("button", { name: "Room 1, 5 players" }).waitFor(WAIT);
    await page.getByRole("button", { name: "Room 2, 5 players" }).waitFor(WAIT);
    await openList(page, "Players");
    await expect.poll(() => page.locator(".roster tbody tr").count(), WAIT).toBe(5);

    const places = async (): Promise<string> => (await page.locator(".roster td.place").allInnerTexts()).join(" ");
    const first = await places();
    await expect.poll(places, WAIT).not.toBe(first);
    const drawn = (): Promise<string> =>
      page.locator(".scene-canvas").evaluate((node) => (node as HTMLCanvasElement).toDataURL());
    const firstDrawn = await drawn();
    await expect.poll(drawn, WAIT).not.toBe(firstDrawn);

    await picture(page.locator(".roster"), "element-players");
    await openList(page, "Traffic");
    // Three seconds of rates, so that there is a line to see.
    await expect.poll(() => page.locator(".rate dd").first().innerText(), WAIT).not.toContain("–");
    await picture(page.locator(".rates"), "element-traffic", { afterMs: 3_000 });
    await openList(page, "Wire");
    await picture(page, "watching-dark");
    await picture(page.locator(".rooms"), "element-rooms");
    await picture(page.locator(".stage"), "element-stage");
    await openList(page, "Players");
  });

  test("another room is a click away, and the address leads back", async () => {
    await page.getByRole("button", { name: "Room 2, 5 players" }).click();
    await page.getByRole("region", { name: "Room 2" }).waitFor(WAIT);
    expect(page.url()).toContain("#slime-online-2/2");
    await picture(page.locator(".stage"), "element-stage-water", { afterMs: 600 });
    await page.goBack();
    await page.getByRole("region", { name: "Room 1" }).waitFor(WAIT);
  });

  test("a room can be played however late the last one is cleared away", async () => {
    // Whatever waits for a frame or a timer waits on: the next room is rendered again before that.
    await page.evaluate(() => {
      const { setTimeout: wait, requestAnimationFrame: draw } = window;
      const held: (() => void)[] = [];
      const hold = (call: () => void): number => held.push(call);
      Object.assign(window, { setTimeout: hold, requestAnimationFrame: hold });
      window.addEventListener("calm", () => {
        Object.assign(window, { setTimeout: wait, requestAnimationFrame: draw });
        for (const call of held) draw(call);
      });
    });
    const legend = page.getByRole("button", { name: "Legend" });
    try {
      for (const room of ["2", "1"]) {
        await page.getByRole("button", { name: `Room ${room}, 5 players` }).click();
        await page.getByRole("region", { name: `Room ${room}` }).waitFor(WAIT);
        await legend.click();
        await legend.click();
      }
    } finally {
      await page.evaluate(() => window.dispatchEvent(new Event("calm")));
    }
    await frames(page, 3);
    expect(await page.getByRole("button", { name: "Play", exact: true }).isEnabled()).toBe(true);
  });

  test("a key in the page is bytes at a TCP client, and its bytes are a message in the page", async () => {
    // Again after a failure: the landing below is a new player's.
    await leave(page);
    await openList(page, "Players");
    tcp = studio.closeLater(new PlainTcp(studio.server.listeners[0]?.port ?? 0));
    await join(page);
    await page.locator(".roster .self").waitFor(WAIT);
    const id = littleEndian(pagePlayer());
    // The landing comes by itself, and says where the slime is.
    await expect.poll(() => tcp.received, WAIT).toContain(`09000008${id}09`);

    await expect.poll(() => ownX(page), WAIT).toBeGreaterThan(0);
    const startX = await ownX(page);
    await page.keyboard.down("ArrowRight");
    await expect.poll(() => tcp.received, WAIT).toContain(`09000008${id}02`);
    await page.keyboard.down("ArrowUp");
    await expect.poll(() => tcp.received, WAIT).toContain(`07000008${id}03`);
    await expect.poll(() => ownX(page), WAIT).toBeGreaterThan(startX + 40);
    await picture(page, "playing-dark");
    await page.keyboard.up("ArrowUp");
    await page.keyboard.up("ArrowRight");
    await expect.poll(() => tcp.received, WAIT).toMatch(new RegExp(`0008${id}(06|0d)`));

    await openList(page, "Wire");
    tcp.send("0700 0008 02 DC00 A401");
    await page.locator(".wire-server", { hasText: "code rightPress, x 220, y 420" }).first().click(WAIT);
    await page
      .getByRole("complementary", { name: "Inspector" })
      .getByRole("img", { name: /00 08 .. .. 02 DC 00 A4 01/ })
      .waitFor(WAIT);
  });

  test("no key stays down when the page loses the keyboard", async () => {
    await join(page);
    await page.locator(".scene").focus();
    const id = littleEndian(pagePlayer());
    const releases = (): number => tcp.received.match(new RegExp(`0008${id}(05|0c)`, "g"))?.length ?? 0;
    const before = releases();
    await page.keyboard.down("ArrowLeft");
    await expect.poll(() => tcp.received, WAIT).toMatch(new RegExp(`0008${id}(01|0a)`));
    await page.evaluate(() => window.dispatchEvent(new Event("blur")));
    await expect.poll(releases, WAIT).toBe(before + 1);
    await page.keyboard.up("ArrowLeft");
  });

  test("a message opens to its verdict, its fields, its bits and its effect", async () => {
    await page.getByRole("button", { name: "Sent", exact: true }).click();
    await page.locator(".wire-line", { hasText: "you" }).filter({ hasText: "rightPress" }).first().click();
    const view = page.locator(".inspector .message-view");
    await view.locator(".field", { hasText: "code" }).hover();
    expect(await view.locator(".byte.hot").count()).toBe(1);
    expect(await view.locator(".byte.hot .byte-hex").innerText()).toBe("02");
    await view.locator(".byte-hex").nth(3).hover();
    expect(await view.locator(".field.hot").innerText()).toMatch(/^x/);
    expect(await view.locator(".byte.hot").count()).toBe(2);
    expect(await view.locator(".state .changed").first().innerText()).toMatch(/iright\s+false\s+true/);
    expect(await view.locator(".step-verdict").innerText()).toContain("No rule objected");
    await picture(page, "inspecting-dark");
    await picture(page.locator(".wire"), "element-wire");
  });

  test("a client that teleports is judged before our eyes, and banned in the end", async () => {
    await studio.startBot({ protocol: slimeOnline2, dialect, room: "1", number: 90, cheat: "key-spam" });
    // Again after a failure: the ban may be there.
    studio.server.bans.lift("slime-online-2", "address:127.0.0.1");
    const cheat = await connectCheat(studio.origin);
    cheat.claim(220);
    cheat.claim(4000);
    await openList(page, "Verdicts");
    const verdict = page.locator(".verdict", { hasText: "teleport" }).first();
    await verdict.waitFor(WAIT);
    await picture(page.locator(".stage"), "element-stage-verdict", { afterMs: 300 });
    // The list holds still under the pointer; before that a line may move away from it.
    await page.locator(".verdict-rows").hover({ position: { x: 2, y: 2 } });
    await verdict.click();
    const card = page.locator(".inspector");
    await card.getByText("For the developer").waitFor(WAIT);
    await card.locator(".step-fields").getByText("landing").waitFor(WAIT);
    expect(await card.locator(".bytes").getAttribute("aria-label")).toBe("7 bytes: 00 08 09 A0 0F A4 01");
    const finding = await card.locator(".step-verdict").innerText();
    // The reason has both numbers, and so has the scale below it.
    expect(finding).toMatch(/Moved 3,780 px where [\d,.]+ px were possible\./);
    expect(finding).toMatch(/allowed [\d,.]+ px\s+3,780 px/);
    expect(finding).toContain("other players did not see it, and the player was put back");
    expect(await card.locator(".step-effect").innerText()).toContain("None on the server: the player was put back.");
    await picture(page, "judging-dark");
    await picture(page.locator(".verdicts"), "element-verdicts");
    await openList(page, "Bans");
    // To and fro: one way is short for a player that has stood still for some seconds.
    const bans = async (): Promise<number> => {
      cheat.claim(220);
      cheat.claim(4000);
      return page.locator(".bans li", { hasText: "the cheat" }).count();
    };
    await expect.poll(bans, { ...WAIT, interval: 250 }).toBe(1);
    await picture(page, "judged-dark", { afterMs: 300 });
    await picture(page.locator(".bans"), "element-bans");
    cheat.close();
    // A page that comes later has it too.
    await page.reload();
    await openList(page, "Bans");
    const ban = page.locator(".bans li", { hasText: "the cheat" });
    await ban.getByText("teleport: Multiple speed violations").waitFor(WAIT);
    studio.server.bans.lift("slime-online-2", "address:127.0.0.1");
    await page.getByText("Nobody is banned.").waitFor(WAIT);
  });

  test("is readable in light, on a phone, and on a sharp display", async () => {
    await checkReadable(page, "judged");
    // A window that is moved to a sharp display.
    const display = await studio.context.newCDPSession(page);
    const metrics = { width: 1280, height: 800, deviceScaleFactor: 2, mobile: false };
    await display.send("Emulation.setDeviceMetricsOverride", metrics);
    const pixels = (): Promise<number> =>
      page.locator(".scene-canvas").evaluate((node) => (node as HTMLCanvasElement).width / node.clientWidth);
    await expect.poll(pixels, WAIT).toBe(2);
    await display.send("Emulation.setDeviceMetricsOverride", { ...metrics, deviceScaleFactor: 1 });
    await expect.poll(pixels, WAIT).toBe(1);
    await display.detach();
  });

  test("the server's correction wins over the prediction, and is shown", async () => {
    const corrected = await studio.context.newPage();
    let forge = (_bytes: Buffer): void => {};
    await corrected.routeWebSocket(/\/ws\/slime-online-2/, (socket) => {
      const upstream = socket.connectToServer();
      forge = (bytes) => upstream.send(bytes);
    });
    await corrected.goto(`${studio.origin}/#slime-online-2/4`);
    await openList(corrected, "Wire");
    await corrected.getByRole("button", { name: "Play", exact: true }).click();
    await corrected.locator(".wire-line", { hasText: "landing" }).first().waitFor(WAIT);
    await corrected.keyboard.down("ArrowLeft");
    await corrected.waitForTimeout(400);
    // The page's own socket claims a place that cannot be: the server answers with the last one that it believed.
    forge(Buffer.from("00080988 13A401".replaceAll(" ", ""), "hex"));
    await corrected.locator(".wire-server", { hasText: "landing" }).first().waitFor(WAIT);
    await picture(corrected.locator(".stage"), "element-stage-corrected", { afterMs: 250 });
    // From there it goes on, and the server believes it.
    await corrected.keyboard.up("ArrowLeft");
    await corrected.waitForTimeout(300);
    await openList(corrected, "Players");
    await corrected.locator(".scene").focus();
    const x = await ownX(corrected);
    await corrected.keyboard.down("ArrowRight");
    await expect.poll(() => ownX(corrected), WAIT).toBeGreaterThan(x + 30);
    await openList(corrected, "Wire");
    const report = corrected.locator(".wire-client", { hasText: "rightPress" });
    await report.first().waitFor(WAIT);
    expect(await corrected.locator(".wire-server", { hasText: "landing" }).count()).toBe(1);
    await corrected.keyboard.up("ArrowRight");
    await corrected.close();
  });

  test("the console has no errors", () => {
    expect(studio.complaints).toEqual([]);
  });

  test("says that the server is gone, and joins again under the same name when it is back", async () => {
    studio.stopBots();
    await studio.restart();
    await join(page);
    await openList(page, "Wire");
    await page.getByPlaceholder(/^Search/).fill("half a wo");
    await openList(page, "Players");
    await page.locator(".roster .self").waitFor(WAIT);
    const name = await page.locator(".roster .self .hint").innerText();
    await openList(page, "Wire");
    await studio.stop();
    await page.getByText("Disconnected").waitFor(WAIT);
    await page.getByText("You join again when it is back.").waitFor(WAIT);
    await page.getByRole("button", { name: /Try now/ }).waitFor(WAIT);
    await picture(page, "disconnected-dark", { afterMs: 300 });
    await studio.restart();
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor(WAIT);
    await page.getByRole("button", { name: "Leave" }).waitFor(WAIT);
    const names = (): readonly (string | null)[] =>
      Array.from(studio.server.worlds[0]?.host.players.values() ?? [], (player) => player.name);
    await expect.poll(names, WAIT).toEqual([name]);
    // What was typed is still there.
    expect(await page.getByPlaceholder(/^Search/).inputValue()).toBe("half a wo");
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByText("Nobody is here").waitFor(WAIT);
    await picture(page, "empty-room-dark");
    // The page left by itself: when the server is back, it does not join again.
    await studio.stop();
    await page.getByText("Disconnected").waitFor(WAIT);
    await studio.restart();
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor(WAIT);
    await page.getByText("Nobody is here").waitFor(WAIT);
    expect(names()).toEqual([]);
  });
});

/** A client of its own account that claims places on the ground. */
async function connectCheat(origin: string): Promise<{ claim(x: number): void; close(): void }> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/ws/slime-online-2?room=1&account=the%20cheat`);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  return {
    claim: (x) => socket.send(Buffer.from([0, 8, 9, x & 255, x >> 8, 420 & 255, 420 >> 8])),
    close: () => socket.close(),
  };
}

describeInBrowser("the page behind an admin token", () => {
  const adminToken = "correct-horse-battery";
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio([{ protocol: slimeOnline2, dialect }], { adminToken });
    return studio.close;
  });

  test("asks for it once, and keeps a cookie that no script can read", async () => {
    const { page, origin } = studio;
    const logIn = async (token: string): Promise<void> => {
      await page.goto(`${origin}/`);
      await page.getByLabel("Admin token").fill(token);
      await page.getByRole("button", { name: "Open the page" }).click();
    };
    await studio.context.clearCookies();
    await logIn("not-the-token-at-all");
    await page.getByText("This is not the admin token").waitFor(WAIT);
    await logIn(adminToken);
    // Page, script, style and feed: all of them come with the cookie.
    await page.getByRole("tab", { name: /^Bans/ }).waitFor(WAIT);
    await expect.poll(() => studio.server.stats().sessions, WAIT).toBe(1);
    expect(await page.evaluate(() => document.cookie)).toBe("");
    expect(await studio.context.cookies()).toMatchObject([{ httpOnly: true, sameSite: "Strict", expires: -1 }]);
    await page.reload();
    await page.getByRole("tab", { name: /^Bans/ }).waitFor(WAIT);
  });
});
