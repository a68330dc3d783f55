/** A verdict of a live world in its seconds: opened from the list and from its address, exported, and what the list is cut down to. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  let dismissedFolder = "";
  /** Where the verdict is that was opened. */
  let link = "";

  beforeAll(async () => {
    dismissedFolder = mkdtempSync(join(tmpdir(), "wirewalk-dismissed-"));
    const listeners = [{ protocol: slimeOnline2, dialect, port: 0 }];
    studio = await openStudio(listeners, { evidence: true, adminToken, dismissedFolder });
    page = studio.page;
    await page.context().request.post(`${studio.origin}/login`, { form: { token: adminToken } });
    for (const [number, cheat] of ["none", "none", "teleport", "teleport"].entries()) {
      await studio.startBot({ protocol: slimeOnline2, dialect, room: "1", number, cheat });
    }
    await page.goto(`${studio.origin}/#slime-online-2/1`);
    await openList(page, "Verdicts");
    return async () => {
      await studio.close();
      rmSync(dismissedFolder, { recursive: true });
    };
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
    await expect
      .poll(() => fresh.title(), WAIT)
      .toMatch(/^teleport of teleport \d - room 1 - Slime Online 2 - Wirewalk$/);
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

  interface Kept {
    readonly actions: readonly { readonly action: string; readonly reason: string; readonly result: string }[];
  }

  /** What the server says was done about the verdicts of the chosen player. */
  async function kept(): Promise<Kept["actions"]> {
    const [, player = ""] = /player=(\d+)/.exec(page.url()) ?? [];
    const search = new URLSearchParams({ world: "slime-online-2", player, rule: "chat-rate" });
    const headers = { authorization: `Bearer ${adminToken}` };
    const answer = await fetch(`${studio.origin}/verdicts?${search}`, { headers });
    return ((await answer.json()) as { readonly verdicts: readonly Kept[] }).verdicts.flatMap(({ actions }) => actions);
  }

  /** Presses a button under the verdict, and compares what the server has then. */
  async function act(label: string, action: string, done: string, reason = ""): Promise<void> {
    const actions = shown().getByRole("region", { name: "Actions" });
    await actions.getByRole("button", { name: label, exact: true }).click(WAIT);
    await actions.getByLabel("Reason").fill(reason);
    await actions.getByRole("button", { name: "Do it" }).click(WAIT);
    await actions
      .getByRole("listitem")
      .filter({ hasText: `${done} by page` })
      .waitFor(WAIT);
    expect(await kept(), label).toContainEqual(expect.objectContaining({ action, reason, result: "done" }));
  }

  /** Opens the newest verdict about chat. Who writes too much is not banned for it. */
  async function chooseChat(name: string): Promise<void> {
    await page.getByLabel("By which rule").selectOption("chat-rate");
    await page.getByLabel("Of which player").selectOption({ label: name });
    await page.locator(".verdict-rows").hover({ position: { x: 2, y: 2 } });
    await page.locator(".verdicts .verdict").first().click(WAIT);
    await shown().getByRole("region", { name: "Actions" }).waitFor(WAIT);
  }

  test("is noted, answered and dismissed by the buttons under what is advised, as the server then has it; what cannot be done says why", async () => {
    await studio.startBot({ protocol: slimeOnline2, dialect, room: "1", number: 4, cheat: "chat-flood" });
    await chooseChat("chat-flood 4");
    await act("Add a note", "note", "noted", "looked at by hand");
    await act("Warn the player", "warn", "warned", "please do not");
    await act("This was wrong", "dismiss", "dismissed as false", "a script of ours moved it");
    await expect
      .poll(() => readdirSync(dismissedFolder).filter((name) => name.endsWith(".mcap")), WAIT)
      .toHaveLength(1);
    // Of this machine no address is banned, and the dialect has no logins.
    const actions = shown().getByRole("region", { name: "Actions" });
    await actions.getByRole("button", { name: "Ban for a time" }).click(WAIT);
    await actions.getByLabel("For").selectOption({ label: "1 week" });
    await actions.getByRole("button", { name: "Do it" }).click(WAIT);
    await actions.getByText("the player has no login and no address that may be banned").waitFor(WAIT);
    await actions.getByRole("button", { name: "Lift the ban" }).click(WAIT);
    await actions.getByRole("button", { name: "Do it" }).click(WAIT);
    await actions.getByText("the player is not banned").waitFor(WAIT);
    const failed = (await kept()).filter(({ result }) => result === "failed");
    expect(failed.map(({ action }) => action)).toEqual(["ban", "lift"]);
    expect(studio.server.bans.list()).toEqual([]);
  });

  test("its player is disconnected by its button", async () => {
    await studio.startBot({ protocol: slimeOnline2, dialect, room: "1", number: 5, cheat: "chat-flood" });
    await openList(page, "Verdicts");
    await chooseChat("chat-flood 5");
    const before = studio.server.stats().sessions;
    await act("Disconnect the player", "kick", "kicked");
    await expect.poll(() => studio.server.stats().sessions, WAIT).toBeLessThan(before);
    expect(studio.complaints).toEqual([]);
  });
});
