/** The pictures of messages in the standards as drawings that go with a table: a field marks its bits, a cell its row. */
import { diagramFields, messageDiagram } from "wirewalk/export";
import type { Side } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";

/** `![…](diagrams/maplestory.v62.client.movePlayer.svg)` on a line of its own. */
const PICTURE = /^!\[[^\]]*\]\(diagrams\/([\w-]+)\.([\w-]+)\.(client|server)\.(\w+)\.svg\)$/gm;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The drawing and its table, as HTML in one line. */
export function diagramHtml(game: string, dialect: string, sender: Side, message: string): string {
  const protocol = protocols[game];
  if (protocol === undefined) throw new Error(`No game ${game}`);
  // The style sheet of the site has the styles: a page may have many drawings.
  const drawing = messageDiagram(protocol, dialect, sender, message).replace(/<style>.*?<\/style>\n/, "");
  const fields = diagramFields(protocol, dialect, sender, message);
  let groups = "";
  const rows = fields.map(({ number, name, groups: around, bits, detail, meaning, section }) => {
    const title = around.join(" › ");
    const heading =
      title === groups
        ? ""
        : `<tr class="group"><th colspan="4" scope="rowgroup">${escapeHtml(title || "then")}</th></tr>`;
    groups = title;
    const said = [meaning, section === "" ? "" : `section ${section}`].filter((each) => each !== "").join("; ");
    const cells = [name, bits === undefined ? "varies" : `${bits}`, detail, said];
    const [first = "", ...rest] = cells.map(escapeHtml);
    return `${heading}<tr data-field="${number}" tabindex="${number === 0 ? 0 : -1}"><th scope="row"><code>${first}</code></th>${rest.map((each) => `<td>${each}</td>`).join("")}</tr>`;
  });
  const table =
    rows.length === 0
      ? ""
      : `<div class="fields"><table><thead><tr><th>field</th><th>bits</th><th>type</th><th>meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
  return `<figure class="diagram"><div class="drawing" tabindex="0">${drawing.replaceAll("\n", "")}</div>${table}</figure>`;
}

/** A standard with its drawings: blocks of the language `drawing`, which the site shows as they are. */
export function withDiagrams(text: string): string {
  return text.replace(PICTURE, (_, game: string, dialect: string, sender: Side, message: string) =>
    ["```drawing", diagramHtml(game, dialect, sender, message), "```"].join("\n"),
  );
}
