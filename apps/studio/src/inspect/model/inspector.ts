/** What the inspector knows: the input, how it is read, which packet is looked at and what it is compared with. No drawing. */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type InputFormat, parseInput } from "wirewalk/inspect";
import type { Side } from "wirewalk/protocol";
import { formatHex } from "wirewalk/wire";
import { isPlayable, kindOf, type NamedFile } from "../../files/file-kind.ts";
import { CaptureSource, type CaptureWorker } from "../source/capture-source.ts";
import { MemorySource } from "../source/memory-source.ts";
import type { PacketSource } from "../source/packet-source.ts";
import { memoryPackets } from "../source/read-packets.ts";
import { type Inspectable, inspectable } from "./inspectable.ts";
import { pastedPacket } from "./pasted-packet.ts";
import { readLink, writeLink } from "./permalink.ts";
import {
  type Attempt,
  allReadings,
  attempts,
  type Protocols,
  type Reading,
  type ReadPacket,
  readPackets,
  sameReading,
  streamName,
  type Watched,
} from "./reading.ts";

/** What a person has chosen of a reading; what is undefined is tried. */
export interface Choice {
  /** `slime-online-2`, `osrs/mouse`. */
  readonly stream?: string;
  readonly dialect?: string;
  readonly sender?: Side;
  readonly framed?: boolean;
}

/** The pasted bytes, or why the text cannot be read. */
export interface Pasted {
  readonly format: InputFormat | undefined;
  readonly packets: readonly Uint8Array[];
  /** The other way in which lines of text may divide the bytes. */
  readonly alternative: readonly Uint8Array[] | undefined;
  readonly fault: string | undefined;
}

/** The pasted bytes as they are read. */
export interface PastedReading {
  readonly attempts: readonly Attempt[];
  /** The reading that is shown: the likeliest, otherwise the one that came furthest. */
  readonly reading: Reading | undefined;
  readonly packets: readonly ReadPacket[];
}

export interface InspectorOptions {
  readonly protocols: Protocols;
  readonly openWorker: () => CaptureWorker;
  /** Packets of the live wire, where the page has one. */
  readonly live?: PacketSource | undefined;
  /** Which world the page around the inspector shows, where it shows one. */
  readonly watched?: () => Watched | undefined;
  /** Plays a recording, where the page can. */
  readonly play?: ((file: NamedFile) => void) | undefined;
}

const noBytes: Pasted = { format: undefined, packets: [], alternative: undefined, fault: undefined };

/** Bytes that are pasted at most: their text stands in the page. A file of any size can be dropped. */
export const MAX_PASTED_BYTES = 1_048_576;

/** Packets that are pasted at most: each is traced while the page waits, which takes 0.7 ms. A capture is read by a worker. */
export const MAX_PASTED_PACKETS = 2_000;

export class Inspector {
  readonly protocols: Protocols;
  readonly live: PacketSource | undefined;
  readonly text: Signal<string> = signal("");
  /** Bytes of a file that is no text. They stand in the place of `text`. */
  readonly binary: Signal<{ readonly name: string; readonly bytes: Uint8Array } | undefined> = signal(undefined);
  readonly choice: Signal<Choice> = signal({});
  readonly pasted: ReadonlySignal<Pasted>;
  readonly read: ReadonlySignal<PastedReading>;
  /** The packets in the list; undefined while one packet is looked at that was pasted. */
  readonly source: Signal<PacketSource | undefined> = signal(undefined);
  /** The row of `source` that is looked at. */
  readonly row: Signal<number> = signal(-1);
  readonly shown: Signal<Inspectable | undefined> = signal(undefined);
  /** The packet that others are compared with. */
  readonly pinned: Signal<Inspectable | undefined> = signal(undefined);
  /** Another dialect that the shown packet is read by, beside its own. */
  readonly otherDialect: Signal<string | undefined> = signal(undefined);
  /** Why a file cannot be opened. */
  readonly fault: Signal<string | undefined> = signal(undefined);
  readonly #openWorker: () => CaptureWorker;
  readonly #play: ((file: NamedFile) => void) | undefined;
  readonly #watched: () => Watched | undefined;
  readonly #pastedSource: PacketSource;

  constructor({ protocols, openWorker, live, play, watched = () => undefined }: InspectorOptions) {
    this.protocols = protocols;
    this.live = live;
    this.#openWorker = openWorker;
    this.#play = play;
    this.#watched = watched;
    this.pasted = computed(() => parsePasted(this.binary.value?.bytes ?? this.text.value));
    this.read = computed(() => this.#read(this.pasted.value, this.choice.value));
    this.#pastedSource = new MemorySource({
      title: "Pasted packets",
      packets: computed(() => memoryPackets(this.read.value.packets, this.read.value.reading)),
      text: (count) => `${count} packets in the pasted bytes`,
    });
    effect(() => {
      const { packets, reading } = this.read.value;
      // A capture or the live wire stays until bytes are pasted again.
      if (this.source.peek() !== undefined && this.source.peek() !== this.#pastedSource) return;
      batch(() => this.#showPasted(packets, reading));
    });
  }

  /** Reads a text: what is in the text area. */
  paste(text: string): void {
    batch(() => {
      this.#leaveSource();
      this.fault.value = undefined;
      this.binary.value = undefined;
      this.text.value = text;
    });
  }

  /** Shows an example or a link: bytes with their reading. */
  open(bytes: Uint8Array, reading: Reading | undefined): void {
    batch(() => {
      this.paste(formatHex(bytes));
      this.choice.value =
        reading === undefined
          ? {}
          : { stream: streamName(reading), dialect: reading.dialect, sender: reading.sender, framed: reading.framed };
    });
  }

  /** Opens a file: a capture or a recording is read by a worker; a text is pasted; anything else is bytes. */
  async openFile(file: NamedFile): Promise<void> {
    this.fault.value = undefined;
    const kind = await kindOf(file);
    if (kind !== undefined) {
      const play = isPlayable(kind) && this.#play !== undefined ? () => this.#play?.(file) : undefined;
      this.#use(new CaptureSource(file, this.#openWorker(), play));
      return;
    }
    if (file.size > MAX_PASTED_BYTES) {
      this.fault.value = `${file.name} is no capture (pcap or pcapng), no recording (mcap) and no session of RSProx or MapleShark, and has more than ${MAX_PASTED_BYTES} bytes.`;
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { format } = parsePasted(bytes);
    if (format !== undefined && format !== "binary") {
      this.paste(new TextDecoder().decode(bytes));
      return;
    }
    batch(() => {
      this.#leaveSource();
      this.text.value = "";
      this.binary.value = { name: file.name, bytes };
    });
  }

  /** Shows the packets of the live wire. */
  openLive(): void {
    if (this.live !== undefined) this.#use(this.live);
  }

  isPasted(source: PacketSource): boolean {
    return source === this.#pastedSource;
  }

  /** Back to the pasted bytes. */
  closeSource(): void {
    batch(() => {
      this.#leaveSource();
      this.#showPasted(this.read.peek().packets, this.read.peek().reading);
    });
  }

  async chooseRow(row: number): Promise<void> {
    const source = this.source.peek();
    this.row.value = row;
    const packet = await source?.packet(row);
    // Another row or another source was chosen meanwhile.
    if (this.row.peek() !== row || this.source.peek() !== source) return;
    batch(() => {
      this.shown.value = packet;
      this.otherDialect.value = undefined;
    });
  }

  /** Opens the packet of an address. False for an address without one. */
  openLink(hash: string): boolean {
    const linked = readLink(hash);
    if (linked === undefined) return false;
    this.open(linked.bytes, this.#known(linked.reading));
    return true;
  }

  /** The address of the shown packet; undefined without one, and for one that may not leave the page or has more bytes than a link holds. */
  get link(): string | undefined {
    const { reading, exported } = this.shown.value ?? {};
    return exported === undefined ? undefined : writeLink({ reading, bytes: exported.bytes });
  }

  /** The shown packet as another dialect of its protocol reads it. */
  readBy(packet: Inspectable, dialect: string): Inspectable | undefined {
    const { reading } = packet;
    const protocol = reading === undefined ? undefined : this.protocols[reading.protocol];
    if (reading === undefined || protocol === undefined) return undefined;
    const other = { ...reading, dialect, framed: false };
    const [read] = readPackets(protocol, other, [packet.parts[0].bytes]);
    if (read === undefined) return undefined;
    const { bytes, trace, json, notes } = read;
    const origin = `the same bytes, read as ${dialect}`;
    return inspectable({
      key: `${packet.key} ${dialect}`,
      origin,
      reading: other,
      sender: packet.sender,
      bytes,
      trace,
      json,
      notes,
    });
  }

  #known(reading: Reading | undefined): Reading | undefined {
    const known = reading === undefined ? [] : allReadings(this.protocols).filter((each) => sameReading(each, reading));
    return known[0];
  }

  #use(source: PacketSource): void {
    batch(() => {
      this.#leaveSource();
      this.source.value = source;
      this.shown.value = undefined;
    });
  }

  #leaveSource(): void {
    const source = this.source.peek();
    if (source !== this.live) source?.close();
    this.source.value = undefined;
    this.row.value = -1;
    this.otherDialect.value = undefined;
  }

  #showPasted(packets: readonly ReadPacket[], reading: Reading | undefined): void {
    this.otherDialect.value = undefined;
    this.source.value = packets.length > 1 ? this.#pastedSource : undefined;
    this.row.value = packets.length === 0 ? -1 : 0;
    this.shown.value = pastedPacket(packets, 0, reading);
  }

  #read({ packets, alternative }: Pasted, choice: Choice): PastedReading {
    const none: PastedReading = { attempts: [], reading: undefined, packets: [] };
    if (packets.every(({ length }) => length === 0)) return none;
    const readings = allReadings(this.protocols, this.#watched()).filter((reading) => isChosen(reading, choice));
    let inputs = packets;
    let tried = attempts(this.protocols, readings, inputs);
    if (tried[0]?.trial.error !== undefined && alternative !== undefined) {
      const other = attempts(this.protocols, readings, alternative);
      if (other[0]?.trial.error === undefined) [tried, inputs] = [other, alternative];
    }
    const reading = tried[0]?.reading;
    const protocol = this.protocols[reading?.protocol ?? ""];
    if (reading === undefined || protocol === undefined) return { ...none, attempts: tried };
    return { attempts: tried, reading, packets: readPackets(protocol, reading, inputs) };
  }
}

function isChosen(reading: Reading, { stream, dialect, sender, framed }: Choice): boolean {
  return (
    (stream === undefined || stream === streamName(reading)) &&
    (dialect === undefined || dialect === reading.dialect) &&
    (sender === undefined || sender === reading.sender) &&
    (framed === undefined || framed === reading.framed)
  );
}

function parsePasted(input: string | Uint8Array): Pasted {
  if (input.length === 0) return noBytes;
  try {
    const { format, packets, alternative } = parseInput(input);
    const bytesOf = (each: readonly { readonly bytes: Uint8Array }[]): readonly Uint8Array[] =>
      each.map(({ bytes }) => bytes);
    const size = packets.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (size > MAX_PASTED_BYTES)
      return { ...noBytes, fault: `More than ${MAX_PASTED_BYTES} bytes: drop a file instead.` };
    if (packets.length > MAX_PASTED_PACKETS)
      return { ...noBytes, fault: `More than ${MAX_PASTED_PACKETS} packets: drop a capture instead (pcap, pcapng).` };
    return {
      format,
      packets: bytesOf(packets),
      alternative: alternative === undefined ? undefined : bytesOf(alternative),
      fault: undefined,
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...noBytes, fault: error.message };
  }
}
