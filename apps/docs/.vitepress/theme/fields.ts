/**
 * Diagrams of messages: the field under the pointer, or the row with the focus, is marked in the drawing and in the table beside it.
 * Within a table the arrow keys go from row to row, and the table is one tab stop.
 */

const MARK = "is-marked";

function fieldOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest(".diagram [data-field]") : null;
}

function mark(field: Element | null): void {
  for (const each of field?.ownerDocument.querySelectorAll(`.${MARK}`) ?? []) each.classList.remove(MARK);
  const number = field?.getAttribute("data-field");
  const diagram = field?.closest(".diagram");
  if (number === undefined || number === null || diagram === null || diagram === undefined) return;
  for (const each of diagram.querySelectorAll(`[data-field="${number}"]`)) each.classList.add(MARK);
}

/** The row of a field, within the scrolled part of its table. */
function showRow(field: Element): void {
  const list = field.closest(".diagram")?.querySelector(".fields");
  const row = list?.querySelector(`tr[data-field="${field.getAttribute("data-field")}"]`);
  if (!(list instanceof HTMLElement) || !(row instanceof HTMLElement)) return;
  const top = row.offsetTop - list.clientHeight / 2;
  if (list.scrollHeight > list.clientHeight) list.scrollTop = top;
}

/** The rows of a table that can have the focus; the first one is its tab stop until another one had it. */
function rowsOf(element: Element): readonly HTMLElement[] {
  const rows = [...(element.closest(".fields")?.querySelectorAll<HTMLElement>("tr[data-field]") ?? [])];
  return rows;
}

/** Listens in the whole document, also for pages that are opened later. */
export function followFields(document: Document): void {
  let held: Element | null = null;
  const clear = (): void => {
    for (const each of document.querySelectorAll(`.${MARK}`)) each.classList.remove(MARK);
  };
  document.addEventListener("pointerover", ({ target }) => {
    const field = fieldOf(target);
    if (field === null) {
      if (held === null) clear();
      else mark(held);
      return;
    }
    mark(field);
    if (field instanceof SVGElement) showRow(field);
  });
  // A finger has no hover: a tap stays.
  document.addEventListener("click", ({ target }) => {
    const field = fieldOf(target);
    held = field;
    if (field === null) return;
    mark(field);
    if (field instanceof SVGElement) showRow(field);
  });
  document.addEventListener("focusin", ({ target }) => {
    const field = fieldOf(target);
    if (field === null) return;
    held = field;
    mark(field);
    for (const row of rowsOf(field)) row.tabIndex = row === field ? 0 : -1;
  });
  document.addEventListener("focusout", ({ target }) => {
    if (fieldOf(target) === null) return;
    held = null;
    clear();
  });
  document.addEventListener("keydown", (event) => {
    const field = fieldOf(event.target);
    if (!(field instanceof HTMLTableRowElement)) return;
    const rows = rowsOf(field);
    const at = rows.indexOf(field);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    const row = next === undefined ? undefined : rows[next];
    if (row === undefined) return;
    event.preventDefault();
    row.focus();
  });
}
