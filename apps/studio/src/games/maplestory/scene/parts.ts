/** The elements that the scene is made of. */

export interface Parts {
  readonly root: HTMLElement;
  readonly bar: HTMLElement;
  readonly map: HTMLCanvasElement;
  /** Over the map: what of it is shown, and what is not known of it. */
  readonly viewBar: HTMLElement;
  readonly card: HTMLElement;
  /** Scrolls the lanes and the canvas beside them. */
  readonly line: HTMLElement;
  readonly lanes: HTMLElement;
  readonly time: HTMLCanvasElement;
}

export function openParts(element: HTMLElement): Parts {
  const create = <K extends keyof HTMLElementTagNameMap>(tag: K, className: string): HTMLElementTagNameMap[K] => {
    const node = document.createElement(tag);
    node.className = className;
    return node;
  };
  const root = create("div", "maple-scene");
  const layout = create("div", "maple-layout");
  const bar = create("div", "maple-bar");
  const frame = create("div", "maple-frame");
  const map = create("canvas", "maple-map");
  const viewBar = create("div", "maple-view");
  const card = create("div", "maple-side");
  const line = create("div", "maple-line");
  const lanes = create("div", "maple-lanes");
  const time = create("canvas", "maple-time");
  // Lists and cards have the same as text.
  for (const canvas of [map, time]) canvas.setAttribute("aria-hidden", "true");
  frame.append(map, viewBar);
  line.append(lanes, time);
  layout.append(frame, bar, card, line);
  root.append(layout);
  element.append(root);
  return { root, bar, map, viewBar, card, line, lanes, time };
}
