/** The program of the proof of player info in Java: see `tools/proof/README.md` for its commands. */
import { printJson } from "../../compile/java/driver.ts";
import { javaPackage } from "../../compile/java/module.ts";
import { Lines } from "../../compile/lines.ts";
import { blocksOf, type PlayerInfoSource } from "./passes.ts";

/** The text of the program of a class. */
export function javaDriver(className: string, source: PlayerInfoSource): string {
  const lines = new Lines();
  lines.add(
    `package ${javaPackage};`,
    "",
    "import java.io.*;",
    "import java.util.*;",
    `import ${javaPackage}.${className}.*;`,
    "",
  );
  lines.block(`public final class ${className}Proof {`, () => {
    lines.list.push(
      ...program(className)
        .split("\n")
        .map((line) => (line === "" ? "" : `  ${line}`)),
    );
    printJson(className, source.dialect, [["Block", blocksOf(source).map(({ message }) => message)]], lines);
  });
  return `${lines.toString()}\n`;
}

const program = (className: string): string => `static final java.lang.management.ThreadMXBean CLOCK =
    java.lang.management.ManagementFactory.getThreadMXBean();
static DataOutputStream out;
static Encoder encoder;
static final Map<Integer, Decoder> decoders = new HashMap<>();
static final Set<Integer> observers = new TreeSet<>();
static long encodeNs;
static long decodeNs;

public static void main(String[] args) throws IOException {
  DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
  out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
  while (true) {
    int length;
    try {
      length = in.readInt();
    } catch (EOFException end) {
      break;
    }
    if (length == 0) {
      out.flush();
      continue;
    }
    byte[] frame = new byte[length];
    in.readFully(frame);
    try {
      run(frame[0], new DataInputStream(new ByteArrayInputStream(frame, 1, length - 1)), frame);
    } catch (RuntimeException error) {
      StringWriter trace = new StringWriter();
      error.printStackTrace(new PrintWriter(trace));
      answer(2, trace.toString().getBytes("UTF-8"));
    }
  }
  out.flush();
}

static void answer(int kind, byte[] bytes) throws IOException {
  out.writeInt(bytes.length + 1);
  out.writeByte(kind);
  out.write(bytes);
}

static void run(int command, DataInputStream in, byte[] frame) throws IOException {
  switch (command) {
    case 0 -> {
      encoder = new Encoder(in.readInt(), in.readInt());
      decoders.clear();
      observers.clear();
    }
    case 1 -> encoder.add(in.readShort(), in.readByte(), in.readShort(), in.readShort());
    case 2 -> {
      int index = in.readShort();
      encoder.remove(index);
      observers.remove(index);
    }
    case 3 -> encoder.move(in.readShort(), in.readShort(), in.readShort());
    case 4 -> encoder.teleport(in.readShort(), in.readByte(), in.readShort(), in.readShort());
    case 5 -> encoder.setBlock(in.readShort(), block(in, frame, 4));
    case 6 -> encoder.setBlockFor(in.readShort(), in.readShort(), block(in, frame, 6));
    case 7 -> encoder.hide(in.readShort(), in.readByte() == 1);
    case 8 -> encoder.setStanding(in.readShort(), in.readShort(), Standing.values()[in.readByte()]);
    case 9 -> {
      int index = in.readShort();
      observers.add(index);
      answer(0, encoder.observe(index));
    }
    case 10 -> {
      int index = in.readShort();
      encoder.unobserve(index);
      observers.remove(index);
    }
    case 11 -> tick();
    case 12 -> answer(0, encoder.packet(in.readShort()));
    case 13 -> {
      int slot = in.readShort();
      int index = in.readShort();
      Decoder decoder = decoders.computeIfAbsent(slot, key -> new Decoder());
      try {
        decoder.init(frame, 5, frame.length - 5, index);
        answer(0, new byte[0]);
      } catch (${className}.WireError error) {
        refuse(error);
      }
    }
    case 14 -> decode(decoders.computeIfAbsent((int) in.readShort(), key -> new Decoder()), frame);
    case 15 -> answer(0, (encodeNs + " " + decodeNs).getBytes("UTF-8"));
    case 16 -> decoders.remove((int) in.readShort());
    default -> throw new IllegalStateException("unknown command " + command);
  }
}

/** A block as it stands in a packet. */
static Block block(DataInputStream in, byte[] frame, int skipped) throws IOException {
  int ordinal = in.readByte();
  return ${className}.blockOf(ordinal, frame, skipped, frame.length - skipped);
}

static void tick() throws IOException {
  long start = CLOCK.getCurrentThreadCpuTime();
  encoder.tick();
  encodeNs += CLOCK.getCurrentThreadCpuTime() - start;
  ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  DataOutputStream answer = new DataOutputStream(bytes);
  for (int observer : observers) {
    byte[] packet = encoder.packet(observer);
    int hash = 0x811c9dc5;
    for (byte each : packet) {
      hash = (hash ^ each & 0xff) * 16777619;
    }
    answer.writeShort(observer);
    answer.writeInt(packet.length);
    answer.writeInt(hash);
  }
  answer(0, bytes.toByteArray());
}

static void refuse(${className}.WireError error) throws IOException {
  String text = error.code.text + " " + error.path + " " + error.bitOffset + " " + error.pass + " " + error.index;
  answer(1, text.getBytes("UTF-8"));
}

static void decode(Decoder decoder, byte[] frame) throws IOException {
  Update update;
  long start = CLOCK.getCurrentThreadCpuTime();
  try {
    update = decoder.decode(frame, 3, frame.length - 3);
  } catch (${className}.WireError error) {
    refuse(error);
    return;
  } finally {
    decodeNs += CLOCK.getCurrentThreadCpuTime() - start;
  }
  StringBuilder out = new StringBuilder();
  out.append(Arrays.toString(update.passBits())).append(' ').append(update.maskBits());
  out.append(' ').append(Arrays.toString(update.added())).append(' ').append(Arrays.toString(update.removed()));
  for (Move move : update.moves()) {
    out.append('\\n').append(move.index()).append(' ').append(move.type().name().toLowerCase()).append(' ');
    out.append(move.level()).append(' ').append(move.x()).append(' ').append(move.z()).append(' ');
    out.append(move.stops()).append(' ').append(move.speed());
  }
  for (Masks masks : update.masks()) {
    out.append('\\n').append(masks.index());
    for (Block block : masks.blocks()) {
      out.append(' ');
      json(out, block);
    }
  }
  for (Crash crash : update.crashes()) {
    out.append('\\n').append(crash.index()).append(' ').append(crash.path());
  }
  int hash = 0x811c9dc5;
  for (int index = 1; index < ${className}.SLOTS; index++) {
    hash = mixed(hash, decoder.x(index));
    hash = mixed(hash, decoder.z(index));
    hash = mixed(hash, decoder.level(index));
    hash = mixed(hash, decoder.quarter(index));
    hash = mixed(hash, decoder.isSkipped(index) ? 1 : 0);
    hash = mixed(hash, decoder.isLocal(index) ? 1 : 0);
    byte[] appearance = decoder.appearance(index);
    hash = mixed(hash, appearance == null ? -1 : appearance.length);
    if (decoder.isLocal(index)) {
      hash = mixed(hash, decoder.orientation(index));
      hash = mixed(hash, decoder.target(index));
      hash = mixed(hash, decoder.speed(index));
    }
  }
  out.append('\\n').append(decoder.locals().length).append(' ').append(hash);
  answer(0, out.toString().getBytes("UTF-8"));
}

static int mixed(int hash, int value) {
  return (hash ^ value) * 16777619;
}
`;
