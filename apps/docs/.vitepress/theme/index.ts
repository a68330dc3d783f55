/** VitePress's own theme with the diagrams of messages. */
import { type Theme, withBase } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { h, type VNode } from "vue";
import { followFields } from "./fields.ts";
import "./style.css";

/** Instead of the theme's own page, which is outside of every landmark. */
function notFound(): VNode {
  return h("main", { class: "vp-doc not-found" }, [
    h("h1", "This page does not exist"),
    h("p", [
      "It may have another name now: the search finds it, and so do the ",
      h("a", { href: withBase("/") }, "contents"),
      ".",
    ]),
  ]);
}

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "not-found": notFound }),
  enhanceApp() {
    if (typeof document !== "undefined") followFields(document);
  },
} satisfies Theme;
