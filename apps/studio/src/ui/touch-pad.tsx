/** A stick and buttons over the drawing, for hands without a keyboard: they press the game's keys. */
import { useRef } from "preact/hooks";
import type { TouchKeys } from "../games/game-view.ts";

/** From the middle of the stick, as a share of its radius. */
const THRESHOLD = 0.35;

/** A key of the game, as a keyboard presses it. */
function press(code: string, isDown: boolean): void {
  window.dispatchEvent(new KeyboardEvent(isDown ? "keydown" : "keyup", { code, bubbles: true, cancelable: true }));
}

export function TouchPad({ keys: { stick, buttons } }: { readonly keys: TouchKeys }) {
  return (
    <div class="touch-pad">
      <Stick codes={stick} />
      <div class="touch-buttons">
        {buttons.map(({ code, label }) => (
          <button
            key={code}
            type="button"
            onPointerDown={(event) => {
              event.preventDefault();
              event.currentTarget.setPointerCapture(event.pointerId);
              press(code, true);
            }}
            onLostPointerCapture={() => press(code, false)}
            onContextMenu={(event) => event.preventDefault()}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

function Stick({ codes }: { readonly codes: TouchKeys["stick"] }) {
  const held = useRef(new Set<string>());
  const knob = useRef<HTMLSpanElement>(null);
  const steer = (x: number, y: number): void => {
    const wanted = new Set<string>();
    if (x < -THRESHOLD) wanted.add(codes.left);
    if (x > THRESHOLD) wanted.add(codes.right);
    if (y < -THRESHOLD) wanted.add(codes.up);
    if (y > THRESHOLD) wanted.add(codes.down);
    for (const code of held.current) if (!wanted.has(code)) press(code, false);
    for (const code of wanted) if (!held.current.has(code)) press(code, true);
    held.current = wanted;
    const length = Math.max(1, Math.hypot(x, y));
    if (knob.current !== null) knob.current.style.translate = `${(x / length) * 30}px ${(y / length) * 30}px`;
  };
  const point = (event: PointerEvent): void => {
    const { currentTarget: stick } = event;
    if (!(stick instanceof HTMLElement) || !stick.hasPointerCapture(event.pointerId)) return;
    const { left, top, width, height } = stick.getBoundingClientRect();
    steer(((event.clientX - left) / width) * 2 - 1, ((event.clientY - top) / height) * 2 - 1);
  };
  return (
    // For fingers alone: a keyboard has the game's keys.
    <div
      class="touch-stick"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        point(event);
      }}
      onPointerMove={point}
      onLostPointerCapture={() => steer(0, 0)}
    >
      <span ref={knob} />
    </div>
  );
}
