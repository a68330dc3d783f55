import { expect, test } from "vitest";
import { isTyping, listenToKeys } from "./keyboard.ts";

class FakeDocument extends EventTarget {
  visibilityState: DocumentVisibilityState = "visible";
}

function setUp() {
  const window = new EventTarget();
  const document = new FakeDocument();
  const calls: string[] = [];
  const stop = listenToKeys(
    {
      codes: { ArrowLeft: "left", ArrowRight: "right" },
      onKey: (key, down) => calls.push(`${key} ${down ? "down" : "up"}`),
    },
    { window, document: document as unknown as Document },
  );
  const press = (type: "keydown" | "keyup", code: string, more: object = {}): Event => {
    const event = Object.assign(new Event(type, { cancelable: true }), { code, ...more });
    window.dispatchEvent(event);
    return event;
  };
  return { window, document, calls, stop, press };
}

test("reports edges, not auto-repeat, and keeps the page from scrolling", () => {
  const { calls, press } = setUp();
  expect(press("keydown", "ArrowLeft").defaultPrevented).toBe(true);
  expect(press("keydown", "ArrowLeft").defaultPrevented).toBe(true);
  press("keyup", "ArrowLeft");
  press("keyup", "ArrowLeft");
  expect(calls).toEqual(["left down", "left up"]);
});

test("leaves other keys, and shortcuts with modifiers, to the browser", () => {
  const { calls, press } = setUp();
  expect(press("keydown", "KeyA").defaultPrevented).toBe(false);
  expect(press("keydown", "ArrowLeft", { altKey: true }).defaultPrevented).toBe(false);
  expect(calls).toEqual([]);
});

test("lets go of everything when the page loses the keyboard", () => {
  const { window, calls, press } = setUp();
  press("keydown", "ArrowLeft");
  press("keydown", "ArrowRight");
  window.dispatchEvent(new Event("blur"));
  expect(calls).toEqual(["left down", "right down", "left up", "right up"]);
});

test("lets go of everything when the page is hidden", () => {
  const { document, calls, press } = setUp();
  press("keydown", "ArrowLeft");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(calls).toEqual(["left down"]);
  document.visibilityState = "hidden";
  document.dispatchEvent(new Event("visibilitychange"));
  expect(calls).toEqual(["left down", "left up"]);
});

test("releases all keys at the end and ignores later ones", () => {
  const { calls, press, stop } = setUp();
  press("keydown", "ArrowLeft");
  stop();
  press("keydown", "ArrowRight");
  expect(calls).toEqual(["left down", "left up"]);
});

test.each([
  [{ tagName: "INPUT", type: "text" }, true],
  [{ tagName: "INPUT", type: "checkbox" }, false],
  [{ tagName: "SELECT", type: "select-one" }, true],
  [{ tagName: "TEXTAREA" }, true],
  [{ tagName: "DIV", isContentEditable: true }, true],
  [{ tagName: "BUTTON", type: "button" }, false],
  [null, false],
])("%j takes the keys: %s", (target, typing) => {
  expect(isTyping(target)).toBe(typing);
});
