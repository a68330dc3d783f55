/** Scrap Mechanic in a real browser: bots watched, a character played by keys and mouse, predicted, and seen by others. */
import type { Locator, Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type Client, connectClient } from "wirewalk/client";
import { connectWebSocket } from "wirewalk/net";
import {
  type CharacterUpdate,
  type ScrapClientMessage,
  type ScrapServerMessage,
  ScrapWorld,
  scrapMechanic,
} from "wirewalk/scrap-mechanic";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import {
  checkReadable,
  describeInBrowser,
  join,
  leave,
  openList,
  openStudio,
  picture,
  type Studio,
  WAIT,
} from "./page-tools.ts";

/** Metres a second. */
const WALK_SPEED = 4;

/** One percent of a walking step, in millimetres. */
const CLOSE_MM = 1;

/** Another client in the room: keeps the server's last update of each character. */
class Onlooker {
  readonly #client: Client<ScrapClientMessage>;
  readonly #seen = new Map<number, CharacterUpdate>();

  static async enter(origin: string): Promise<Onlooker> {
    const url = `${origin.replace("http", "ws")}/ws/scrap-mechanic?room=1&account=onlooker`;
    return new Onlooker(await connectWebSocket(url));
  }

  private constructor(transport: Awaited<ReturnType<typeof connectWebSocket>>) {
    this.#client = connectClient<ScrapClientMessage, ScrapServerMessage>({
      protocol: scrapMechanic,
      dialect: "documented",
      transport,
      onMessage: (message) => {
        if (message.message !== "unreliableUpdate") return;
        for (const update of message.value.updates) if (update.kind === "character") this.#seen.set(update.id, update);
      },
    });
    this.#client.send({ message: "hello", value: { version: 1 } });
  }

  sees(character: number): CharacterUpdate {
    const update = this.#seen.get(character);
    if (update === undefined) throw new Error(`No update of character ${character} has arrived`);
    return update;
  }

  close(): void {
    this.#client.close();
  }
}

describeInBrowser("the page of Scrap Mechanic", () => {
  let studio: Studio;
  let page: Page;
  let onlooker: Onlooker | undefined;

  const canvas = (): Locator => page.locator(".scrap-frame canvas");
  const prediction = (): Locator => page.getByRole("region", { name: "Prediction" });
  const buffers = (): Locator => page.getByRole("region", { name: "Input buffers" });

  /** The own place, as the server's track has it: whole metres. */
  const ownPlace = async (): Promise<number[]> =>
    (await page.locator(".roster .self .place").innerText()).split(", ").map(Number);

  /** A length of the panel, in millimetres. */
  const millimetres = async (name: string): Promise<number> => {
    const [, value = "", unit = ""] = /([\d.]+) (mm|m)$/.exec(await page.locator(name).innerText()) ?? [];
    return Number(value) * (unit === "m" ? 1_000 : 1);
  };

  /** What the last ten seconds had: corrections, and words of the server. */
  const corrected = async (): Promise<number[]> => {
    const words = await prediction().locator("dd", { hasText: " of " }).innerText();
    return words.split(" of ").map(Number);
  };

  /** What the other client sees of a character. */
  const sees = (character: number): CharacterUpdate => {
    if (onlooker === undefined) throw new Error("There is no other client");
    return onlooker.sees(character);
  };

  /** The page's own character, in the room with the other client, whatever the test before has left. */
  const playing = async (): Promise<number> => {
    onlooker ??= studio.closeLater(await Onlooker.enter(studio.origin));
    await join(page);
    await page.locator(".scene").focus();
    await expect.poll(() => sees(own()).id, WAIT).toBeGreaterThan(0);
    return own();
  };

  /** The page's own character. */
  const own = (): number => {
    for (const world of studio.server.worlds) {
      for (const [player, { name }] of world.host.players) if (name.startsWith("guest-")) return player;
    }
    throw new Error("The page's player is not there");
  };

  beforeAll(async () => {
    studio = await openStudio([slimeOnline2, scrapMechanic].map((protocol) => ({ protocol, port: 0 })));
    page = studio.page;
    for (let number = 0; number < 5; number++) {
      const cheat = number === 4 ? "pitch" : "none";
      await studio.startBot({ protocol: scrapMechanic, room: "1", number, cheat });
    }
    return studio.close;
  });

  // A test that fails in the middle of a walk leaves its keys down.
  afterEach(async () => {
    for (const key of ["KeyW", "KeyA", "KeyS", "KeyD", "KeyC", "Space", "Shift"]) await page.keyboard.up(key);
  });

  test("draws the moving players with the inputs that the server has buffered", async () => {
    await page.goto(`${studio.origin}/#scrap-mechanic/1`);
    await page.getByRole("button", { name: "Room 1, 5 players" }).waitFor(WAIT);
    await page.getByText("Play to have a character").waitFor(WAIT);
    const drawn = (): Promise<string> => canvas().evaluate((node) => (node as HTMLCanvasElement).toDataURL());
    const first = await drawn();
    await expect.poll(drawn, WAIT).not.toBe(first);
    await expect.poll(() => buffers().locator(".scrap-buffer").count(), WAIT).toBe(5);
    const row = buffers().locator(".scrap-buffer", { hasText: "bot 0" });
    await expect.poll(() => row.locator(".scrap-ticks").innerText(), WAIT).toMatch(/^\d+\/\d+$/);
    await picture(page, "scrap-watching-dark", { afterMs: 5_000 });
    await picture(page.locator(".stage"), "scrap-stage");
  });

  test("follows the chosen player", async () => {
    await buffers().locator(".scrap-buffer", { hasText: "bot 2" }).click();
    const follow = page.getByRole("button", { name: "Follow", exact: true });
    await expect.poll(() => follow.getAttribute("aria-pressed"), WAIT).toBe("true");
    await picture(page.locator(".stage"), "scrap-stage-followed", { afterMs: 600 });
    await page.getByRole("group", { name: "Camera" }).getByRole("button", { name: "All" }).click();
    await expect.poll(() => follow.getAttribute("aria-pressed"), WAIT).toBe("false");
  });

  test("keys move the own character on the server, and others see it", async () => {
    await openList(page, "Players");
    const character = await playing();
    await page.locator(".roster .self").waitFor(WAIT);
    await expect.poll(async () => (await ownPlace()).every(Number.isFinite), WAIT).toBe(true);
    const [startX = 0, startY = 0] = await ownPlace();
    const start = sees(character).position;
    // Towards the seats of the next test.
    await page.keyboard.down("KeyS");
    await page.keyboard.down("Shift");
    await expect.poll(async () => (await ownPlace())[1], WAIT).toBeLessThan(startY - 5);
    expect((await ownPlace())[0]).toBe(startX);
    expect(sees(character).position.y).toBeLessThan(start.y - 5);
    expect(sees(character).keys).toMatchObject({ horizontal: true, sprint: true });
    await page.locator(".roster .self", { hasText: "sprint" }).waitFor(WAIT);
    await picture(page, "scrap-playing-dark");
    await page.keyboard.up("Shift");
    await page.keyboard.up("KeyS");
    await page.keyboard.down("KeyC");
    await page.locator(".roster .self", { hasText: "crouch" }).waitFor(WAIT);
    await page.keyboard.up("KeyC");
    await page.keyboard.down("Space");
    await expect.poll(() => sees(character).position.z, WAIT).toBeGreaterThan(1);
    await picture(page.locator(".stage"), "scrap-stage-jump");
    await page.keyboard.up("Space");
  });

  test("E sits down on a seat and stands up, and a tumbling character gets up by itself", async () => {
    const character = await playing();
    await openList(page, "Players");
    const place = (): { x: number; y: number } => sees(character).position;
    /** Runs close to a range of one coordinate, then walks into it for the time that takes: what is seen of it comes too late to stop. */
    const goTo = async (axis: "x" | "y", low: number, high: number, keys: readonly [string, string]): Promise<void> => {
      const below = (): number => low - place()[axis];
      const above = (): number => place()[axis] - high;
      while (below() > 0 || above() > 0) {
        const [key, left] = below() > 0 ? [keys[1], below] : [keys[0], above];
        if (left() > 2) {
          await page.keyboard.down("Shift");
          await page.keyboard.down(key);
          await expect.poll(left, { ...WAIT, interval: 20 }).toBeLessThan(2);
          await page.keyboard.up(key);
          await page.keyboard.up("Shift");
        } else {
          await page.keyboard.press(key, { delay: (1000 * (left() + (high - low) / 2)) / WALK_SPEED });
        }
        await expect.poll(() => sees(character).keys.horizontal, WAIT).toBe(false);
        // It comes to rest within some ticks.
        await page.waitForTimeout(150);
      }
    };
    const status = page.locator(".scrap-status");
    if ((await status.innerText()).startsWith("Seated")) await page.keyboard.press("KeyE");
    await goTo("x", 3.5, 4.5, ["KeyA", "KeyD"]);
    await goTo("y", -18.4, -17.2, ["KeyS", "KeyW"]);
    await expect.poll(() => status.innerText(), WAIT).toBe("E sits down.");
    // A bot may have the seat for some seconds.
    await expect
      .poll(async () => {
        await page.keyboard.press("KeyE");
        await page.waitForTimeout(400);
        return await status.innerText();
      }, WAIT)
      .toBe("Seated: E stands up.");
    await page.locator(".roster .self", { hasText: "seated" }).waitFor(WAIT);
    expect(sees(character).position).toMatchObject({ y: -18.5, z: Math.fround(0.9) });
    await page.keyboard.down("KeyW");
    await page.waitForTimeout(100);
    expect(sees(character)).toMatchObject({ keys: { horizontal: false }, position: { y: -18.5 } });
    await page.keyboard.up("KeyW");
    await picture(page.locator(".stage"), "scrap-stage-seated");
    await page.keyboard.press("KeyE");
    await expect.poll(() => sees(character).position.y, WAIT).toBe(-17);
    for (const { host } of studio.server.worlds) {
      if (host.world instanceof ScrapWorld) host.world.tumble(character, { x: 0, y: 5, z: 2 });
    }
    await expect.poll(() => status.innerText(), WAIT).toContain("Tumbling");
    await picture(page.locator(".stage"), "scrap-stage-tumbling");
    await expect.poll(() => status.innerText(), WAIT).not.toContain("Tumbling");
    await expect.poll(() => sees(character).position.y, WAIT).toBeGreaterThan(-16);
  });

  test("the mouse turns the look, and its right button aims", async () => {
    const character = await playing();
    const { yaw, pitch } = sees(character);
    const box = await canvas().boundingBox();
    if (box === null) throw new Error("The drawing is not shown");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    // Left by a quarter of a turn would be 600 pixels; 150 are a sixteenth, 16 of 256. Up is towards the sky.
    await page.mouse.move(x - 150, y - 75, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => sees(character).yaw, WAIT).toBe((yaw + 16) & 255);
    expect(sees(character).pitch).toBe(pitch + 8);
    await page.mouse.down({ button: "right" });
    await expect.poll(() => sees(character).keys.aim, WAIT).toBe(true);
    await picture(page.locator(".stage"), "scrap-stage-aim");
    await page.mouse.up({ button: "right" });
    await expect.poll(() => sees(character).keys.aim, WAIT).toBe(false);
  });

  test("a click takes the mouse, which then looks without being held", async () => {
    const character = await playing();
    await canvas().click();
    await page.getByText("The mouse looks; Esc gives it back.").waitFor(WAIT);
    const { yaw } = sees(character);
    const box = await canvas().boundingBox();
    await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 100, { steps: 4 });
    await expect.poll(() => sees(character).yaw, WAIT).not.toBe(yaw);
    await page.evaluate(() => document.exitPointerLock());
    await page.getByText("Click the ground to look with the mouse").waitFor(WAIT);
  });

  test("prediction and server agree within one percent of a step", async () => {
    for (const key of ["KeyW", "KeyA", "KeyS", "KeyD"]) {
      await page.keyboard.down(key);
      await page.waitForTimeout(300);
      await page.keyboard.up(key);
    }
    await expect.poll(async () => (await corrected())[1], WAIT).toBeGreaterThan(80);
    expect(await millimetres(".scrap-left")).toBeLessThanOrEqual(CLOSE_MM);
    await expect.poll(() => millimetres(".scrap-error"), WAIT).toBeLessThanOrEqual(CLOSE_MM);
    const waiting = page.locator(".scrap-buffer", { hasText: "inputs" }).locator(".scrap-ticks");
    expect(await waiting.innerText()).toMatch(/^\d+\/\d+$/);
    // The rate of a clock takes five seconds.
    const rate = buffers().locator(".scrap-buffer", { hasText: "bot 0" }).locator(".scrap-rate");
    await expect.poll(() => rate.innerText(), WAIT).toMatch(/^(0\.99|1\.00)\d×$/);
    await picture(page.locator(".stage"), "scrap-stage-agreed");
  });

  test("on a line that is made bad it is corrected, and agrees again", async () => {
    const line = page.getByRole("region", { name: "Your line" });
    await line.getByRole("button", { name: "Bad" }).click();
    let corrections = 0;
    for (let turn = 0; turn < 40 && corrections < 3; turn++) {
      await page.keyboard.down("KeyW");
      await page.waitForTimeout(200);
      await page.keyboard.up("KeyW");
      await page.keyboard.down("KeyD");
      await page.waitForTimeout(200);
      await page.keyboard.up("KeyD");
      [corrections = 0] = await corrected();
    }
    expect(corrections).toBeGreaterThanOrEqual(3);
    expect(await line.innerText()).toMatch(/[1-9]\d* of \d+ packets lost/);
    expect(await millimetres(".scrap-left")).toBeLessThanOrEqual(CLOSE_MM);
    await picture(page, "scrap-corrected-dark");
    await line.getByRole("button", { name: "As it is" }).click();
    await line.getByText("as it is", { exact: true }).waitFor(WAIT);
    await expect.poll(() => millimetres(".scrap-error"), WAIT).toBeLessThanOrEqual(CLOSE_MM);
  });

  test("a slider of the line takes no keys from the game", async () => {
    const character = await playing();
    await page.getByRole("slider", { name: "delay" }).click();
    await page.keyboard.down("KeyW");
    await expect.poll(() => sees(character).keys.horizontal, WAIT).toBe(true);
    await page.keyboard.up("KeyW");
    await page.getByRole("region", { name: "Your line" }).getByRole("button", { name: "As it is" }).click();
  });

  test("in a hidden tab the character stands, and goes on afterwards", async () => {
    const character = await playing();
    await page.keyboard.down("KeyW");
    await expect.poll(() => sees(character).keys.horizontal, WAIT).toBe(true);
    // No frame is drawn any more, as in a tab behind another.
    await page.evaluate(() => {
      const { requestAnimationFrame: draw } = window;
      const held: FrameRequestCallback[] = [];
      window.requestAnimationFrame = (callback) => held.push(callback);
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
      window.addEventListener("shown", () => {
        window.requestAnimationFrame = draw;
        Reflect.deleteProperty(document, "visibilityState");
        for (const callback of held) draw(callback);
      });
    });
    try {
      await expect.poll(() => sees(character).keys.horizontal, WAIT).toBe(false);
      await page.waitForTimeout(1_500);
    } finally {
      await page.evaluate(() => window.dispatchEvent(new Event("shown")));
    }
    const { x, y } = sees(character).position;
    await page.keyboard.up("KeyW");
    await page.keyboard.down("KeyW");
    const walked = (): number => {
      const { position } = sees(character);
      return Math.hypot(position.x - x, position.y - y);
    };
    await expect.poll(walked, WAIT).toBeGreaterThan(2);
    await page.keyboard.up("KeyW");
    await expect.poll(() => millimetres(".scrap-error"), WAIT).toBeLessThanOrEqual(CLOSE_MM);
    expect(await millimetres(".scrap-left")).toBeLessThanOrEqual(CLOSE_MM);
  });

  test("a packet opens from its bits to what it did to the prediction", async () => {
    await openList(page, "Wire");
    await page.getByRole("button", { name: "Sent", exact: true }).click();
    await page.locator(".wire-line", { hasText: "stands" }).first().click();
    const view = page.locator(".inspector .message-view");
    await view.locator(".field", { hasText: "keys" }).hover();
    expect(await view.locator(".byte.hot .byte-hex").innerText()).toBe("00");
    expect(await view.locator(".state").innerText()).toContain("onGround");
    await page.getByRole("button", { name: "Received", exact: true }).click();
    await page.locator(".wire-line", { hasText: "unreliableUpdate" }).first().click();
    await view.locator(".state", { hasText: "outcome" }).waitFor(WAIT);
    await picture(page, "scrap-inspecting-dark");
  });

  test("the verdict on a look beyond straight up is shown", async () => {
    await page.getByRole("group", { name: "Camera" }).getByRole("button", { name: "All" }).click();
    await openList(page, "Verdicts");
    await page.locator(".verdict", { hasText: "pitch" }).first().waitFor(WAIT);
    await picture(page.locator(".stage"), "scrap-stage-verdict", { afterMs: 600 });
  });

  test("is readable in light, wide, and on a phone", async () => {
    await checkReadable(page, "scrap", 600);
  });

  test("shows what to do in an empty room", async () => {
    await leave(page);
    await expect.poll(() => prediction().count(), WAIT).toBe(0);
    onlooker?.close();
    studio.stopBots();
    await page.getByText("Nobody is here.").waitFor(WAIT);
    await page.getByText("Nobody sends inputs.").waitFor(WAIT);
    await picture(page, "scrap-empty-dark");
  });

  test("the console has no errors", () => {
    expect(studio.complaints).toEqual([]);
  });
});
