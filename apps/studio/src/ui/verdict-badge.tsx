import type { VerdictKind } from "wirewalk/motion";
import { kindWords } from "./kind-words.ts";

/** A shape for each kind, so that no two differ by colour alone. */
const shapes: Readonly<Record<VerdictKind, string>> = {
  accept: "✓",
  benign: "○",
  flag: "⚑",
  correct: "↺",
  reject: "✕",
};

/** A verdict's kind: shape, colour, word. */
export function VerdictBadge({ kind }: { readonly kind: VerdictKind }) {
  return (
    <span class={`badge badge-${kind}`}>
      <span aria-hidden="true">{shapes[kind]}</span> {kindWords[kind]}
    </span>
  );
}
