/** The pages of the site in the order in which a new reader needs them: the side bar, and what is copied. */

/** One page: its file in the repository, and its name in the side bar. */
export interface PageEntry {
  /** `docs/start.md`. Pages that are made have the path that they would have there. */
  readonly file: string;
  readonly title: string;
}

export interface PageGroup {
  readonly title: string;
  readonly pages: readonly PageEntry[];
  /** Shown closed: its pages are looked up, not read in order. */
  readonly isCollapsed?: true;
}

export const contents: readonly PageGroup[] = [
  {
    title: "Begin here",
    pages: [
      { file: "docs/README.md", title: "Contents" },
      { file: "docs/start.md", title: "Five-minute start" },
      { file: "docs/concepts.md", title: "Concepts" },
      { file: "docs/library.md", title: "The library" },
      { file: "docs/packages.md", title: "Packages" },
    ],
  },
  {
    title: "Guides",
    pages: [
      { file: "docs/guides/README.md", title: "All guides" },
      { file: "docs/guides/1-your-own-server.md", title: "Inside your own server" },
      { file: "docs/guides/2-player-info.md", title: "Player info for your world" },
      { file: "docs/guides/3-another-language.md", title: "Beside another language" },
      { file: "docs/guides/4-relay.md", title: "Between client and server" },
      { file: "docs/guides/5-your-own-maps.md", title: "Your own maps" },
      { file: "docs/guides/6-your-own-client.md", title: "Your own client" },
      { file: "docs/tutorial-new-game.md", title: "A game of your own" },
    ],
  },
  {
    title: "Games",
    pages: [
      { file: "docs/slime-online-2.md", title: "Slime Online 2" },
      { file: "docs/osrs-player-info.md", title: "RuneScape: player info" },
      { file: "docs/osrs-mouse.md", title: "RuneScape: mouse" },
      { file: "docs/maplestory.md", title: "MapleStory" },
      { file: "docs/maplestory-playback.md", title: "MapleStory: playback" },
      { file: "docs/scrap-mechanic.md", title: "Scrap Mechanic" },
    ],
  },
  {
    title: "Protocol standards",
    pages: [
      { file: "docs/protocols/README.md", title: "How to read them" },
      { file: "docs/protocols/slime-online-2.md", title: "Slime Online 2" },
      { file: "docs/protocols/osrs-player-info.md", title: "RuneScape: player info" },
      { file: "docs/protocols/osrs-mouse.md", title: "RuneScape: mouse" },
      { file: "docs/protocols/maplestory.md", title: "MapleStory" },
      { file: "docs/protocols/scrap-mechanic.md", title: "Scrap Mechanic" },
      { file: "docs/messages.md", title: "Every message" },
    ],
  },
  {
    title: "Tools",
    pages: [
      { file: "docs/inspect.md", title: "Inspect packets, captures" },
      { file: "docs/relay.md", title: "Relay" },
      { file: "docs/recordings.md", title: "Recordings" },
      { file: "docs/recordings-elsewhere.md", title: "Recordings of other tools" },
      { file: "docs/verdicts.md", title: "Verdicts and bans" },
      { file: "docs/export.md", title: "Export descriptions" },
      { file: "docs/languages/csharp.md", title: "A codec in C#" },
      { file: "docs/languages/go.md", title: "A codec in Go" },
      { file: "docs/languages/java.md", title: "A codec in Java" },
      { file: "docs/languages/python.md", title: "A codec in Python" },
      { file: "docs/languages/rust.md", title: "A codec in Rust" },
      { file: "docs/wireshark.md", title: "Wireshark" },
      { file: "docs/engine.md", title: "Engine over lines" },
      { file: "docs/player-info-core.md", title: "Core in WebAssembly" },
      { file: "docs/feed.md", title: "Feed of the page" },
    ],
  },
  {
    title: "Look up",
    pages: [
      { file: "docs/layouts.md", title: "Layouts: kinds of fields" },
      { file: "docs/rules.md", title: "Rules one by one" },
      { file: "docs/errors.md", title: "Errors one by one" },
      { file: "docs/reference/README.md", title: "API reference" },
    ],
  },
  {
    title: "Operations",
    pages: [
      { file: "docs/operations.md", title: "Run a server for others" },
      { file: "docs/monitoring.md", title: "Metrics and alerts" },
      { file: "docs/scale.md", title: "Several machines" },
      { file: "docs/reliability.md", title: "Reliability" },
    ],
  },
  {
    title: "How it is made",
    pages: [
      { file: "ARCHITECTURE.md", title: "Architecture" },
      { file: "docs/performance.md", title: "Performance" },
      { file: "bench/RESULTS.md", title: "Benchmark results" },
      { file: "docs/fairness.md", title: "Fairness" },
      { file: "docs/hands.md", title: "Hands and machines" },
      { file: "docs/searching-cheats.md", title: "Searching for cheats" },
      { file: "docs/long-runs.md", title: "Long runs" },
    ],
  },
];

/** Where a file of the repository is in the site's folder of pages: `docs/guides/README.md` is `guides/index.md`. */
export function pagePath(file: string): string {
  const moved: Readonly<Record<string, string>> = {
    "ARCHITECTURE.md": "architecture.md",
    "bench/RESULTS.md": "results.md",
  };
  return (moved[file] ?? file.replace(/^docs\//, "")).replace(/(^|\/)README\.md$/, "$1index.md");
}

/** The address of a page below the site's base: `guides/`, `rules.html`. */
export function pageLink(file: string): string {
  return `/${pagePath(file)
    .replace(/(^|\/)index\.md$/, "$1")
    .replace(/\.md$/, ".html")}`;
}
