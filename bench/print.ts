/** A report as text for the terminal. */
import { cellText, type Report, type Table } from "./report.ts";

export function printReport({ method, tables, promises, notes }: Report): void {
  console.log(method);
  for (const table of tables) {
    console.log(table.title);
    printTable(table);
  }
  for (const note of notes) console.log(note);
  for (const { promise, measured, held } of promises) {
    console.log(`${held ? "PROMISE HELD" : "PROMISE NOT HELD"}: ${promise}; measured ${measured}`);
  }
}

/** Columns of text, the first to the left and the others to the right. */
function printTable({ rowTitle, columns, rows }: Table): void {
  const lines = [
    [rowTitle, ...columns.map(({ title }) => title)],
    ...rows.map(({ name, cells }) => [name, ...columns.map((column) => cellText(column, cells[column.key]))]),
  ];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    const cells = line.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(`  ${cells.join("  ")}`);
  }
}
