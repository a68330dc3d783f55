/** The page of the inspector without a server. */
import type { Inspector } from "../model/inspector.ts";
import { InspectorView } from "./inspector-view.tsx";

export function StaticPage({ inspector }: { readonly inspector: Inspector }) {
  return (
    <div class="app inspecting">
      <header class="bar-top">
        <h1>Wirewalk inspector</h1>
      </header>
      <InspectorView inspector={inspector} />
    </div>
  );
}
