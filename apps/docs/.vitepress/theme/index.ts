/** VitePress's own theme with the diagrams of messages. */
import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { followFields } from "./fields.ts";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp() {
    if (typeof document !== "undefined") followFields(document);
  },
} satisfies Theme;
