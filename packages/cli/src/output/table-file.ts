/** One table as a file: Parquet in groups of rows, or JSON lines. */
import type { OutputFile } from "./output-file.ts";
import type { Cell, TableColumn } from "./recording-tables.ts";

export interface TableFile {
  add(row: readonly Cell[]): void;
  end(): void;
}

/** Rows of a group: so much is held in memory. */
const GROUP_ROWS = 20_000;

/** JSON has no 64 bits: times in nanoseconds are texts there. */
export function openJsonLines(file: OutputFile, columns: readonly TableColumn[]): TableFile {
  let lines: string[] = [];
  const flush = (): void => {
    file.write(Buffer.from(lines.join("")));
    lines = [];
  };
  return {
    add: (row) => {
      const entries = columns.map(({ name }, index) => {
        const cell = row[index] ?? null;
        return [name, typeof cell === "bigint" ? String(cell) : cell];
      });
      lines.push(`${JSON.stringify(Object.fromEntries(entries))}\n`);
      if (lines.length >= GROUP_ROWS) flush();
    },
    end: () => {
      flush();
      file.close();
    },
  };
}

/** The library is loaded here, so that no other command waits for it. */
export async function openParquetTable(file: OutputFile, columns: readonly TableColumn[]): Promise<TableFile> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer");
  const schema = schemaFromColumnData({ columnData: columns.map((each) => ({ ...each, data: [] })) });
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: "wirewalk" });
  let cells: Cell[][] = columns.map(() => []);
  let rows = 0;
  const writeBytes = (): void => {
    if (bytes.index === 0) return;
    file.write(bytes.getBytes());
    bytes.index = 0;
  };
  const writeGroup = (): void => {
    const columnData = columns.map((each, index) => ({ ...each, data: cells[index] as Cell[] }));
    writer.write({ columnData, rowGroupSize: rows });
    cells = columns.map(() => []);
    rows = 0;
    writeBytes();
  };
  return {
    add: (row) => {
      for (const index of columns.keys()) cells[index]?.push(row[index] ?? null);
      rows += 1;
      if (rows >= GROUP_ROWS) writeGroup();
    },
    end: () => {
      if (rows > 0) writeGroup();
      writer.finish();
      writeBytes();
      file.close();
    },
  };
}
