/** The page of a relay: what passes between a client and a server that are not the page's, with map and verdicts. */
import { pageFolder, type RunningRelay, type RunningServer, startRelay, startServer } from "@wirewalk/server";
import { type Browser, chromium, type Page } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import { systemClock } from "wirewalk/net";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { PlainTcp } from "./clients.ts";
import { describeInBrowser, openPage, picture, WAIT } from "./page-tools.ts";

describeInBrowser("the page of a relay", () => {
  let server: RunningServer;
  let relay: RunningRelay;
  let browser: Browser;
  let page: Page;
  let client: PlainTcp;
  const complaints: string[] = [];

  const playersAre = async (count: number): Promise<void> => {
    while (server.worlds[0]?.host.players.size !== count) await new Promise((resolve) => setTimeout(resolve, 2));
  };

  beforeAll(async () => {
    const dialect = "documented";
    server = await startServer({ listeners: [{ protocol: slimeOnline2, dialect, port: 0 }], demo: true });
    relay = await startRelay({
      protocol: slimeOnline2,
      dialect,
      options: {},
      listen: { host: "127.0.0.1", port: 0 },
      to: { host: "127.0.0.1", port: server.listeners[0]?.port ?? 0 },
      clock: systemClock,
      epochMs: Date.now,
      onEvent: () => {},
      shadow: { seed: 1, demo: true },
      page: { http: 0, studioFolder: pageFolder() },
    });
    browser = await chromium.connect(inject("browser"));
    page = await openPage(browser, { viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
    page.on("pageerror", (error) => complaints.push(String(error.stack)));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    client = new PlainTcp(relay.address.port);
    await playersAre(1);
    const other = new PlainTcp(relay.address.port);
    await playersAre(2);
    return async () => {
      client.close();
      other.close();
      await browser.close();
      await relay.close();
      await server.close({ graceMs: 0 });
    };
  });

  test("shows where it connects to, and no way to join", async () => {
    await page.goto(`http://127.0.0.1:${relay.pageAddress?.port}/`);
    await page.getByText(`relay to 127.0.0.1:${server.listeners[0]?.port}`).waitFor(WAIT);
    await page.getByText("Connect a client to the relay: every message that passes").waitFor(WAIT);
    expect(await page.getByRole("button", { name: "Play", exact: true }).isDisabled()).toBe(true);
  });

  test("lists what passes in both directions, down to the bit, with its verdict, and the player in its room", async () => {
    // rightPress where players come in, at 220, 420; then far away.
    client.send("07 00 00 08 02 dc 00 a4 01");
    await page.getByText("connection 1").first().waitFor(WAIT);
    const wire = page.getByRole("region", { name: "Wire log" });
    await wire.getByText("movePlayer").first().waitFor(WAIT);
    await page.locator(".wire-client", { hasText: "connection 1" }).first().waitFor(WAIT);
    client.send("07 00 00 08 02 00 00 00 00");
    // Right is pressed already, and it is far away.
    await wire.locator(".wire-line .badge-reject").first().waitFor(WAIT);
    // What the server sent to the other client of the room.
    await page.locator(".wire-server", { hasText: "connection 2" }).first().waitFor(WAIT);
    await wire
      .getByRole("button", { name: /movePlayer/ })
      .first()
      .click();
    const card = page.getByRole("complementary", { name: "Inspector" });
    await card.getByText("playerId").or(card.getByText("code")).first().waitFor(WAIT);
    await picture(page, "relay");
    expect(complaints).toEqual([]);
  });

  test("gives its packets to the inspector's live list, of both directions, filtered and held", async () => {
    await page.getByRole("link", { name: "Inspect", exact: true }).click();
    await page.getByRole("button", { name: "Live packets" }).click();
    const list = page.getByRole("grid", { name: "Packets" });
    const status = page.locator(".list-status");
    const filter = page.getByLabel("Filter");
    await list.getByRole("row").nth(1).waitFor(WAIT);
    for (const direction of ["client", "server"]) {
      await filter.fill(`direction == ${direction} && flow contains player`);
      await list
        .getByRole("row", { name: new RegExp(direction) })
        .first()
        .waitFor(WAIT);
    }
    await filter.fill("direction == client && message == movePlayer && value.x == 220");
    await list
      .getByRole("row", { name: /movePlayer/ })
      .first()
      .click();
    await page.getByText("slime-online-2 documented · message").waitFor(WAIT);
    await page.getByRole("heading", { name: "movePlayer" }).waitFor(WAIT);
    await page.getByRole("button", { name: "Pause" }).click();
    await filter.fill("");
    await expect.poll(() => status.innerText(), WAIT).not.toContain(" of ");
    const before = await status.innerText();
    client.send("07 00 00 08 02 dc 00 a4 01");
    await page.waitForTimeout(300);
    expect(await status.innerText()).toBe(before);
    await page.getByRole("button", { name: "Resume" }).click();
    await expect.poll(() => status.innerText(), WAIT).not.toBe(before);
    expect(complaints).toEqual([]);
  });
});
