/** What is photographed: each state of the page as a visitor comes to it. */
import type { Page } from "playwright-core";

export interface StateOf {
  readonly name: string;
  /** Where the page begins: a room, the inspector. */
  readonly hash: string;
  /** Which server: the one with bots, one that plays a recording, or one that is ended before the picture. */
  readonly at?: "serve" | "replay" | "doomed";
  /** Pixels from which on there is such a state: keys for a keyboard, a stick for fingers. */
  readonly widths?: readonly number[];
  /** Leads from the opened page to the state. */
  readonly reach?: (page: Page) => Promise<void>;
  /** How long it goes on before the picture, so that there is something to see. */
  readonly settleMs?: number;
}

const slime = "#slime-online-2/1";

const tab = (name: string) => async (page: Page) => {
  const found = page.getByRole("tab", { name: new RegExp(`^${name}`) });
  if ((await found.getAttribute("aria-selected")) !== "true") await found.click();
};

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

const play = (page: Page) => page.getByRole("banner").getByRole("button", { name: "Play", exact: true }).click();

const openVerdict = async (page: Page): Promise<void> => {
  await tab("Verdicts")(page);
  await page.getByRole("button", { name: "Refused", exact: true }).click();
  await page.locator(".verdict").first().click();
};

const tour = (scene: number) => async (page: Page) => {
  await page.getByRole("banner").getByRole("button", { name: "Tour" }).click();
  for (let next = 1; next < scene; next++) await page.locator(".tour").getByRole("button", { name: "Next" }).click();
};

export const states: readonly StateOf[] = [
  { name: "first-visit", hash: "" },
  { name: "slime", hash: slime },
  { name: "player-info", hash: "#osrs/world", settleMs: 4_000 },
  { name: "mouse", hash: "#osrs/mouse", settleMs: 6_000 },
  { name: "maplestory", hash: "#maplestory/1", settleMs: 4_000 },
  { name: "scrap", hash: "#scrap-mechanic/1" },
  { name: "players", hash: slime, reach: tab("Players") },
  { name: "verdicts", hash: slime, reach: tab("Verdicts") },
  { name: "verdict", hash: slime, reach: openVerdict },
  {
    name: "rules",
    hash: slime,
    reach: async (page) => {
      await tab("Verdicts")(page);
      await press("Rules")(page);
    },
  },
  { name: "bans", hash: slime, reach: tab("Bans") },
  { name: "traffic", hash: slime, reach: tab("Traffic"), settleMs: 6_000 },
  {
    name: "player",
    hash: slime,
    reach: async (page) => {
      await tab("Players")(page);
      await page.locator(".roster-follow").first().click();
    },
  },
  { name: "paused", hash: slime, settleMs: 500, reach: press("Pause") },
  { name: "folded", hash: slime, reach: press("Fold the list") },
  { name: "legend", hash: slime, reach: press("Legend") },
  { name: "line", hash: slime, reach: (page) => page.locator(".line-menu summary").click() },
  { name: "keys", hash: slime, reach: press("List of keys"), widths: [820, 1440, 2560] },
  { name: "about", hash: slime, reach: press("What is this?") },
  { name: "playing-slime", hash: "#slime-online-2/2", reach: play, settleMs: 3_000 },
  { name: "playing-maplestory", hash: "#maplestory/1", reach: play, settleMs: 4_000 },
  { name: "playing-scrap", hash: "#scrap-mechanic/1", reach: play, settleMs: 4_000 },
  { name: "playing-mouse", hash: "#osrs/mouse", reach: play, settleMs: 2_000 },
  ...[1, 2, 3, 4, 5].map((scene) => ({ name: `tour-${scene}`, hash: slime, reach: tour(scene), settleMs: 6_000 })),
  { name: "inspect", hash: "#inspect" },
  {
    name: "inspect-example",
    hash: "#inspect",
    reach: async (page) => {
      await page.locator(".examples button, .example").first().click();
    },
  },
  { name: "recording", hash: "", at: "replay", settleMs: 4_000 },
  { name: "empty-room", hash: "#slime-online-2/77" },
  { name: "lost", hash: slime, at: "doomed", settleMs: 2_000 },
];
