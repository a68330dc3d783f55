/** The moment of a verdict as a chunk of the page: loaded when the first one is opened. */
import "./moment.css";

export { MomentBar } from "./moment-bar.tsx";
export { openOverlay } from "./overlay.ts";
export { Story } from "./story.tsx";
