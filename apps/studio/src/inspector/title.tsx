/** What is selected, and a line of facts about it. */
import type { ComponentChildren } from "preact";

export interface TitleProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function Title({ title, children }: TitleProps) {
  return (
    <div class="insp-title">
      <h2>{title}</h2>
      <p class="hint inspected">{children}</p>
    </div>
  );
}
