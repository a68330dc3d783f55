/** A verdict of a live world in its seconds: opened from the list and from its address, exported, and what the list is cut down to. */
import { text } from "node:stream/consumers";
import { judgeCase, readCase } from "@wirewalk/recording";
import { nodeDecompress } from "@wirewalk/recording/node";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { axe } from "./axe.ts";
import { checkReadable, describeInBrowser, openList, openStudio, picture, type Studio, WAIT } from "./page-tools.ts";

const dialect = "documented";
const adminToken = "a-token-of-many-letters";

describeInBrowser("a verdict of a live world", () => {
  let studio: Studio;
  let page: Page;
  /** Where the verdict is that was opened. */
  let link = "";

  beforeAll(async () => {
    studio = await openStudio([{ protocol: slimeOnline2, dialect, port: 0 }], { evidence: true, adminToken });
    page = studio.page;
    await page.context().request.post(`${studio.origin}/login`, { form: { token: adminToken } });
    for (const [number, cheat] of ["none", "none", "teleport", "teleport"].entries()) {
      await studio.startBot({ protocol: slimeOnline2, dialect, room: "1", number, cheat });
    }
    await page.goto(`${studio.origin}/#slime-online-2/1`);
    await openList(page, "Verdicts");
    return studio.close;
  });

  const shown = (of = page) => of.locator(".work:not([hidden])");
  const bar = (of = page) => of.getByRole("region", { name: "Seconds of the verdict" });

  test("opens at its moment, with its story, its clock and its message, beside the list of the world", async () => {
    // By its rule: the players have names of cheats, and other verdicts.
    const rule = page.locator(".hint", { hasText: /^teleport$/ });
    const row = page.locator(".verdicts .verdict-correct").filter({ has: rule }).first();
    await row.waitFor(WAIT);
    await page.locator(".verdict-rows").hover({ position: { x: 2, y: 2 } });
    await row.click();
    await bar().waitFor(WAIT);
    link = page.url();
    expect(link).toMatch(/#slime-online-2\/1\?player=\d+&verdict=\d+$/);
    const story = shown().getByRole("region", { name: "What happened" });
    await story.getByText("How the number comes about", { exact: true }).waitFor(WAIT);
    expect(await story.innerText()).toMatch(
      /^teleport \d says that it is [\d,]+ px (left|right) of its last accepted place/,
    );
    expect(await shown().locator(".moment-overlay").count()).toBe(1);
    expect(await shown().locator(".verdicts .verdict").count()).toBeGreaterThan(0);
    await openList(page, "Wire");
    await shown().locator(".wire-client", { hasText: "teleport" }).first().waitFor(WAIT);
    await picture(page, "moment");
  });

  /** A tab of a browser that has given the token. */
  async function freshPage(): Promise<Page> {
    const context = await studio.openContext({});
    await context.request.post(`${studio.origin}/login`, { form: { token: adminToken } });
    return context.newPage();
  }

  test("its address leads a fresh browser there", async () => {
    const fresh = await freshPage();
    await fresh.goto(link);
    await bar(fresh).waitFor(WAIT);
    await fresh.context().close();
  });

  test("has the message that decided in sight and selected, and what the server knew in words", async () => {
    const judged = shown().locator('.wire-line[aria-pressed="true"]');
    await judged.getByText("corrected").waitFor(WAIT);
    expect(await judged.count()).toBe(1);
    const [row, list] = await Promise.all([judged.boundingBox(), shown().locator(".wire-rows").boundingBox()]);
    if (row === null || list === null) throw new Error("nothing is drawn");
    expect(row.y).toBeGreaterThanOrEqual(list.y);
    expect(row.y + row.height).toBeLessThanOrEqual(list.y + list.height);
    const known = shown().getByRole("region", { name: "What the server knew" });
    await known.getByText("Last accepted place").waitFor(WAIT);
    expect(await known.innerText()).not.toMatch(/savedSeconds|baseline|assumedLanded|leadX/);
    const raw = shown().getByText("by the names of the program");
    expect(await raw.evaluate((summary) => (summary.parentElement as HTMLDetailsElement).open)).toBe(false);
  });

  test("has no fault that axe can find, and fits a phone", async () => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axe(page, ".moment-bar"), colorScheme).toEqual([]);
      expect(await axe(page, ".moment-story"), colorScheme).toEqual([]);
    }
    await checkReadable(page, "moment");
  });

  test("is exported as the file that the command writes", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download", WAIT),
      bar().getByRole("button", { name: "Export" }).click(WAIT),
    ]);
    expect(download.suggestedFilename()).toMatch(/^slime-online-2-\d+-[0-9a-f]{8}\.html$/);
    const file = await readCase(await text(await download.createReadStream()));
    const { isFound, digest } = judgeCase(file, { protocols, decompress: nodeDecompress });
    expect([file.damage, isFound, digest]).toEqual([[], true, file.facts.digest]);
    expect([file.facts.others, file.facts.player.name.startsWith("teleport")]).toEqual(["pseudonyms", true]);
  });

  test("an address outlives the form that asks for the token", async () => {
    const context = await studio.openContext({});
    const fresh = await context.newPage();
    const address = `${studio.origin}/#slime-online-2/2`;
    await fresh.goto(address);
    await fresh.getByLabel("Admin token").fill(adminToken, WAIT);
    await fresh.getByRole("button", { name: "Open the page" }).click(WAIT);
    await expect.poll(() => fresh.title(), WAIT).toBe("room 2 - Slime Online 2 - Wirewalk");
    expect(fresh.url()).toBe(address);
    await context.close();
  });

  test.each([
    ["game", "", /^room \d - Slime Online 2 - Wirewalk$/],
    ["room", "/2", /^room 2 - Slime Online 2 - Wirewalk$/],
    ["player", "/1?player=1", /^bot 0 - room 1 - Slime Online 2 - Wirewalk$/],
  ])("the address of a %s leads a fresh browser there, and its title names it", async (_, path, title) => {
    const fresh = await freshPage();
    await fresh.goto(`${studio.origin}/#slime-online-2${path}`);
    await expect.poll(() => fresh.title(), WAIT).toMatch(title);
    await fresh.context().close();
  });

  test("an address of a verdict that is gone says so", async () => {
    const fresh = await freshPage();
    await fresh.goto(`${studio.origin}/#slime-online-2/1?player=60000&verdict=1`);
    await fresh.getByText("no longer in the server's memory").first().waitFor(WAIT);
    await fresh.context().close();
  });

  test("goes back to the live world, whose list is cut down by player, rule and time, in its address", async () => {
    await page.getByRole("button", { name: "Back to live" }).click(WAIT);
    await bar().waitFor({ ...WAIT, state: "detached" });
    await openList(page, "Verdicts");
    await page.getByLabel("By which rule").selectOption("teleport");
    await page.getByLabel("Since when").selectOption("600");
    await expect.poll(() => page.url(), WAIT).toMatch(/rule=teleport&last=600$/);
    const rules = await page.locator(".verdicts .verdict").allInnerTexts();
    expect(rules.filter((text) => !text.includes("teleport"))).toEqual([]);
    await page.getByLabel("Of which player").selectOption({ label: "teleport 2" });
    await expect.poll(() => page.locator(".verdicts .verdict").count(), WAIT).toBeGreaterThan(0);
    const names = await page.locator(".verdicts .verdict-who").allInnerTexts();
    expect(names.filter((text) => !text.startsWith("teleport 2"))).toEqual([]);
    expect(studio.complaints).toEqual([]);
  });
});
