/** Records of a capture as Parquet: typed columns, in groups of rows that are written when they are full. */
import type { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { CaptureRecord } from "wirewalk/capture";
import { formatHex } from "wirewalk/wire";
import type { OutputFile, RecordExport } from "./output-file.ts";

/** Rows of a group at most, and characters of its values: so much is held in memory. */
const GROUP_ROWS = 20_000;
const GROUP_CHARACTERS = 8_000_000;
const NS_PER_SECOND = 1_000_000_000n;

type Cell = string | number | bigint | null;

interface Column {
  readonly name: string;
  readonly type: "STRING" | "INT32" | "INT64";
  readonly nullable: boolean;
  cell(record: CaptureRecord): Cell;
}

const text = (name: string, nullable: boolean, cell: Column["cell"]): Column => ({
  name,
  type: "STRING",
  nullable,
  cell,
});

/** The columns; docs/inspect.md describes them. */
const columns: readonly Column[] = [
  {
    name: "time_ns",
    type: "INT64",
    nullable: false,
    cell: ({ time }) => BigInt(time.seconds) * NS_PER_SECOND + BigInt(time.nanoseconds),
  },
  { name: "packet", type: "INT64", nullable: false, cell: ({ packet }) => BigInt(packet) },
  text("kind", false, ({ kind }) => kind),
  text("flow", false, ({ flow }) => flow),
  text("direction", false, ({ direction }) => direction),
  text("protocol", true, ({ protocol }) => protocol),
  text("dialect", true, ({ dialect }) => dialect),
  text("message", true, (record) => (record.kind === "message" ? record.message : null)),
  text("value", true, (record) => (record.kind === "message" ? JSON.stringify(record.value) : null)),
  {
    name: "bytes",
    type: "INT32",
    nullable: true,
    cell: (record) => (record.kind === "gap" ? null : record.payload.length),
  },
  text("hex", true, (record) => (record.kind === "gap" ? null : formatHex(record.payload, { separator: "" }))),
  text("error_code", true, (record) => (record.kind === "refused" ? record.error.code : null)),
  text("error_path", true, (record) => (record.kind === "refused" ? record.error.path : null)),
  text("error", true, (record) => (record.kind === "refused" ? record.error.message : null)),
  {
    name: "gap",
    type: "INT64",
    nullable: true,
    cell: (record) => (record.kind === "gap" ? BigInt(record.gap) : null),
  },
];

/** The library is loaded here, so that no other command waits for it. */
export async function openParquet(file: OutputFile): Promise<RecordExport> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer");
  const schema = schemaFromColumnData({
    columnData: columns.map(({ name, type, nullable }) => ({ name, type, nullable, data: [] })),
  });
  const bytes = new ByteWriter();
  return new ParquetExport(file, bytes, new ParquetWriter({ writer: bytes, schema, createdBy: "wirewalk" }));
}

class ParquetExport implements RecordExport {
  readonly #file: OutputFile;
  readonly #bytes: ByteWriter;
  readonly #writer: ParquetWriter;
  #cells: Cell[][] = columns.map(() => []);
  #rows = 0;
  #characters = 0;

  constructor(file: OutputFile, bytes: ByteWriter, writer: ParquetWriter) {
    this.#file = file;
    this.#bytes = bytes;
    this.#writer = writer;
  }

  add(record: CaptureRecord): void {
    for (const [index, column] of columns.entries()) {
      const cell = column.cell(record);
      this.#cells[index]?.push(cell);
      if (typeof cell === "string") this.#characters += cell.length;
    }
    this.#rows += 1;
    if (this.#rows >= GROUP_ROWS || this.#characters >= GROUP_CHARACTERS) this.#writeGroup();
  }

  async flush(): Promise<void> {
    this.#writeBytes();
  }

  async end(): Promise<void> {
    if (this.#rows > 0) this.#writeGroup();
    this.#writer.finish();
    this.#writeBytes();
    this.#file.close();
  }

  #writeGroup(): void {
    const columnData = columns.map(({ name, type, nullable }, index) => ({
      name,
      type,
      nullable,
      data: this.#cells[index] as Cell[],
    }));
    this.#writer.write({ columnData, rowGroupSize: this.#rows });
    this.#cells = columns.map(() => []);
    this.#rows = 0;
    this.#characters = 0;
  }

  /** What the writer has made: its places in the file go on counting. */
  #writeBytes(): void {
    if (this.#bytes.index === 0) return;
    this.#file.write(this.#bytes.getBytes());
    this.#bytes.index = 0;
  }
}
