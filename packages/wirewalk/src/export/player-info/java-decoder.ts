/** The decoder of player info in Java, as the standard has it. Names in `docs/protocols/osrs-player-info.md`; sections stand in comments. */
export const javaDecoder = `/** Player slots of a world, slot 0 included, which is never a player: an index is 1..2047. */
public static final int SLOTS = 2048;

/** The size of the client's buffer: a longer packet ends the client. */
public static final int MAX_PACKET_BYTES = 40_000;

/** Bytes of an initialisation. */
public static final int INIT_BYTES = 4608;

private static final int WORLD_TILES = 16384;
private static final int QUARTER_TILES = 8192;
private static final int STOP_SPEED = 127;

/** Steps of a walk by direction: SW, S, SE, W, E, NW, N, NE (5.10). */
private static final int[] WALK_X = {-1, 0, 1, -1, 1, -1, 0, 1};
private static final int[] WALK_Z = {-1, -1, -1, 0, 0, 1, 1, 1};

/** Steps of a run: the outer ring of 5 x 5 tiles, row by row from the south-west. */
private static final int[] RUN_X = {-2, -1, 0, 1, 2, -2, 2, -2, 2, -2, 2, -2, -1, 0, 1, 2};
private static final int[] RUN_Z = {-2, -2, -2, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 2, 2, 2};

private static int packQuarter(int level, int x, int z) {
  return level << 28 | (x >> 13) << 14 | z >> 13;
}

private static void checkIndex(int index) {
  if (index < 1 || index >= SLOTS) {
    throw new IllegalArgumentException("A player's index must be in 1..2047, got " + index);
  }
}

/** How a player moved. */
public enum MoveType { WALK, RUN, NEAR, FAR }

/**
 * One player's movement, as the client plays it.
 *
 * @param level Where the player is now.
 * @param x Tiles.
 * @param z Tiles.
 * @param stops Whether it is there at once, without a way.
 * @param speed -1 and 0 crawl, 1 walk, 2 run.
 */
public record Move(int index, MoveType type, int level, int x, int z, boolean stops, int speed) {}

/** The mask blocks of one player, in the order in which the client reads them. */
public record Masks(int index, List<Block> blocks) {}

/** A block that the layout allows and the client does not survive (8.8): the player and the block or its field. */
public record Crash(int index, String path) {}

/**
 * The changes of one packet. Lists are in the order of the packet.
 *
 * @param passBits Bits of each of the four passes, without alignment.
 * @param maskBits Bits of all masks.
 * @param added Players that came into view. One that is removed and added again is in both lists.
 */
public record Update(
    int[] passBits,
    int maskBits,
    int[] added,
    int[] removed,
    List<Move> moves,
    List<Masks> masks,
    List<Crash> crashes) {}

/** What a client remembers of every player between two packets (3). */
private static final class Memory {
  final int[] x = new int[SLOTS];
  final int[] z = new int[SLOTS];
  final byte[] level = new byte[SLOTS];
  final int[] quarter = new int[SLOTS];
  final int[] target = new int[SLOTS];
  final int[] keptTarget = new int[SLOTS];
  final short[] orientation = new short[SLOTS];
  final short[] arriving = new short[SLOTS];
  final short[] keptOrientation = new short[SLOTS];
  final byte[] flag = new byte[SLOTS];
  final boolean[] local = new boolean[SLOTS];
  final byte[] speed = new byte[SLOTS];

  void take(Memory other) {
    System.arraycopy(other.x, 0, x, 0, SLOTS);
    System.arraycopy(other.z, 0, z, 0, SLOTS);
    System.arraycopy(other.level, 0, level, 0, SLOTS);
    System.arraycopy(other.quarter, 0, quarter, 0, SLOTS);
    System.arraycopy(other.target, 0, target, 0, SLOTS);
    System.arraycopy(other.keptTarget, 0, keptTarget, 0, SLOTS);
    System.arraycopy(other.orientation, 0, orientation, 0, SLOTS);
    System.arraycopy(other.arriving, 0, arriving, 0, SLOTS);
    System.arraycopy(other.keptOrientation, 0, keptOrientation, 0, SLOTS);
    System.arraycopy(other.flag, 0, flag, 0, SLOTS);
    System.arraycopy(other.local, 0, local, 0, SLOTS);
    System.arraycopy(other.speed, 0, speed, 0, SLOTS);
  }

  /** A player's orientation once it has arrived. */
  short facing(int index) {
    return arriving[index] == -1 ? orientation[index] : arriving[index];
  }

  void appear(int index, short itsOrientation, int itsTarget) {
    local[index] = true;
    orientation[index] = itsOrientation;
    arriving[index] = -1;
    target[index] = itsTarget;
  }
}

/**
 * One observer's player info as its client reads it. A packet is read whole or refused with {@link
 * WireError}, and a refused packet changes nothing. Not for many threads at once.
 */
public static final class Decoder {
  private final Memory memory = new Memory();
  private final Memory backup = new Memory();
  private final byte[][] appearances = new byte[SLOTS][];
  private int[] locals = new int[0];
  private int[] externals = new int[0];
  private int localIndex;
  private int sceneX;
  private int sceneZ;
  private int drawnX = -1;
  private int drawnZ = -1;

  // Of the packet that is read.
  private byte[] bytes;
  private long startBit;
  private long endBit;
  private long bit;
  private int pass;
  private int index;
  private final int[] pending = new int[SLOTS];
  private final int[] added = new int[SLOTS];
  private final int[] removed = new int[SLOTS];
  private int pendingCount;
  private int addedCount;
  private int removedCount;
  private final ArrayList<Move> moves = new ArrayList<>();

  /** Where a player's movement stands among them, if it has one in this packet. */
  private final int[] moveOf = new int[SLOTS];

  /** The observer; 0 before the initialisation. */
  public int localIndex() {
    return localIndex;
  }

  /** Indices of the players in view, ascending. */
  public int[] locals() {
    return locals.clone();
  }

  /** Whether a player is in view. */
  public boolean isLocal(int player) {
    return memory.local[player];
  }

  /** Tiles of a player in view; of others those where they were last seen. */
  public int x(int player) {
    return memory.x[player];
  }

  public int z(int player) {
    return memory.z[player];
  }

  public int level(int player) {
    return memory.level[player];
  }

  /** Map quarter of a player out of view: level << 28 | x << 14 | z. */
  public int quarter(int player) {
    return memory.quarter[player];
  }

  /** Whether the last packet skipped a player. */
  public boolean isSkipped(int player) {
    return memory.flag[player] == 1;
  }

  /** The facing that the stream implies: 0 south, 512 west, 1024 north, 1536 east. */
  public int orientation(int player) {
    return memory.facing(player);
  }

  /** The target of a player, or -1: an NPC's index, or a player's plus 32768 (revision 206) or 65536. */
  public int target(int player) {
    return memory.target[player];
  }

  /** The kept move speed. */
  public int speed(int player) {
    return memory.speed[player];
  }

  /** The appearance that the client has for an index, of whichever player; null for none. */
  public byte[] appearance(int player) {
    return appearances[player];
  }

  /** The south-west tile of the part of the map that the client has loaded. Without it there is one around the observer. */
  public void loadScene(int x, int z) {
    sceneX = x;
    sceneZ = z;
  }

  /** Where the observer is drawn, in units of 1/128 tile: -1 for the middle of its tile (7.2). */
  public void setDrawn(int x, int z) {
    drawnX = x;
    drawnZ = z;
  }

  /**
   * The initialisation (4), with the login and after a reconnect. Appearances and speeds are kept.
   *
   * @throws WireError unless it has exactly 4,608 bytes
   */
  public void init(byte[] packet, int offset, int length, int observer) {
    java.util.Objects.checkFromIndexSize(offset, length, packet.length);
    checkIndex(observer);
    if (length != INIT_BYTES) {
      throw new WireError(length < INIT_BYTES ? Code.TRUNCATED : Code.TRAILING, "", 0, 0, 0);
    }
    begin(packet, offset, length);
    localIndex = observer;
    java.util.Arrays.fill(memory.flag, (byte) 0);
    java.util.Arrays.fill(memory.local, false);
    memory.level[observer] = (byte) read(2, "level");
    memory.x[observer] = read(14, "x");
    memory.z[observer] = read(14, "z");
    memory.appear(observer, (short) 0, -1);
    for (int player = 1; player < SLOTS; player++) {
      if (player != observer) {
        int level = read(2, "quarters");
        int x = read(8, "quarters");
        memory.quarter[player] = level << 28 | x << 14 | read(8, "quarters");
        memory.keptOrientation[player] = 0;
        memory.keptTarget[player] = -1;
      }
    }
    finishLists();
    loadSceneAround();
  }

  /**
   * Reads one packet (5).
   *
   * @throws WireError for anything that is not exactly one packet for what the client knows
   */
  public Update decode(byte[] packet, int offset, int length) {
    java.util.Objects.checkFromIndexSize(offset, length, packet.length);
    begin(packet, offset, length);
    if (localIndex == 0) {
      throw error(Code.BAD_STATE);
    }
    if (length > MAX_PACKET_BYTES) {
      throw error(Code.LIMIT);
    }
    backup.take(memory);
    try {
      int[] passBits = new int[4];
      for (pass = 1; pass <= 4; pass++) {
        long start = bit;
        boolean isLocal = pass <= 2;
        readPass(isLocal ? locals : externals, PASS_FLAGS[pass - 1], isLocal);
        passBits[pass - 1] = (int) (bit - start);
        if (ALIGNS_PASSES || pass == 4) {
          bit = (bit + 7) & ~7L;
        }
      }
      int firstMask = (int) (bit >> 3);
      ArrayList<Masks> masks = readMasks();
      // From here on nothing can be refused any more.
      ArrayList<Crash> crashes = crashesOf(masks);
      applyMasks(masks);
      finish();
      return new Update(
          passBits,
          (offset + length - firstMask) * 8,
          Arrays.copyOf(added, addedCount),
          Arrays.copyOf(removed, removedCount),
          List.copyOf(moves),
          masks,
          crashes);
    } catch (WireError error) {
      memory.take(backup);
      throw error;
    }
  }

  private void begin(byte[] packet, int offset, int length) {
    bytes = packet;
    startBit = offset * 8L;
    bit = startBit;
    endBit = startBit + length * 8L;
    pass = 0;
    index = 0;
    pendingCount = 0;
    addedCount = 0;
    removedCount = 0;
    moves.clear();
  }

  private WireError error(Code code) {
    return new WireError(code, "", bit - startBit, pass, index);
  }

  private int read(int width, String field) {
    if (endBit - bit < width) {
      throw new WireError(Code.TRUNCATED, field, bit - startBit, pass, index);
    }
    int at = (int) (bit >> 3);
    int used = (int) (bit & 7);
    int value = (bytes[at] & 0xff) & 0xff >> used;
    int have = 8 - used;
    while (have < width) {
      value = value << 8 | (bytes[++at] & 0xff);
      have += 8;
    }
    bit += width;
    return value >> (have - width);
  }

  private int readSigned(int width, String field) {
    return read(width, field) << (32 - width) >> (32 - width);
  }

  /** One pass over the players of a list whose activity flag is the pass's (5.2). */
  private void readPass(int[] list, int flag, boolean isLocal) {
    byte[] flags = memory.flag;
    int toSkip = 0;
    for (int at = 0; at < list.length; at++) {
      int player = list[at];
      if ((flags[player] & 1) != flag) {
        continue;
      }
      if (toSkip > 0) {
        flags[player] |= 2;
        toSkip -= 1;
        continue;
      }
      index = player;
      if (read(1, "update") == 0) {
        flags[player] |= 2;
        toSkip = readSkip();
      } else if (isLocal) {
        readLocal(player);
      } else {
        readExternal(player, read(2, "type"), FLAGS_ADDED ? 2 : 0);
      }
    }
    index = 0;
    if (toSkip > 0) {
      throw error(Code.BAD_LENGTH);
    }
  }

  /** How many players after the present one are skipped too (5.3). */
  private int readSkip() {
    int size = read(2, "skip.size");
    return size == 0 ? 0 : read(size == 1 ? 5 : size == 2 ? 8 : 11, "skip.count");
  }

  /** A player in view (5.4). */
  private void readLocal(int player) {
    boolean hasMask = read(1, "mask") == 1;
    if (hasMask) {
      pending[pendingCount++] = player;
    }
    switch (read(2, "type")) {
      case 0 -> {
        // With a mask: no movement.
        if (!hasMask) {
          remove(player);
        }
      }
      case 1 -> {
        int walk = read(3, "walk");
        int x = memory.x[player] + WALK_X[walk];
        move(player, MoveType.WALK, 0, x, memory.z[player] + WALK_Z[walk], hasMask);
      }
      case 2 -> {
        int run = read(4, "run");
        move(player, MoveType.RUN, 0, memory.x[player] + RUN_X[run], memory.z[player] + RUN_Z[run], hasMask);
      }
      default -> readTeleport(player, hasMask);
    }
  }

  /** A teleport (5.5). */
  private void readTeleport(int player, boolean hasMask) {
    if (read(1, "far") == 0) {
      int level = read(2, "near.level");
      int x = memory.x[player] + readSigned(5, "near.x");
      int z = memory.z[player] + readSigned(5, "near.z");
      move(player, MoveType.NEAR, level, x, z, hasMask);
      return;
    }
    int level = read(2, "far.level");
    int x = (memory.x[player] + read(14, "far.x")) & (WORLD_TILES - 1);
    int z = (memory.z[player] + read(14, "far.z")) & (WORLD_TILES - 1);
    move(player, MoveType.FAR, level, x, z, hasMask);
  }

  private void move(int player, MoveType type, int levels, int x, int z, boolean hasMask) {
    if (x < 0 || z < 0 || x >= WORLD_TILES || z >= WORLD_TILES) {
      throw error(Code.BAD_VALUE);
    }
    boolean stops = player == localIndex && isAtSceneEdge();
    memory.level[player] = (byte) ((memory.level[player] + levels) & 3);
    int facing = orientationOf(x - memory.x[player], z - memory.z[player]);
    if (facing >= 0) {
      memory.orientation[player] = (short) facing;
    }
    memory.arriving[player] = -1;
    memory.x[player] = x;
    memory.z[player] = z;
    // With a mask pending the movement waits for it (7.1).
    int speed = stops || hasMask ? 0 : memory.speed[player];
    moveOf[player] = moves.size();
    moves.add(new Move(player, type, memory.level[player], x, z, stops, speed));
  }

  /** -1 without a step. */
  private static int orientationOf(int dx, int dz) {
    if (dx == 0) {
      return dz == 0 ? -1 : dz < 0 ? 0 : 1024;
    }
    if (dx < 0) {
      return dz < 0 ? 256 : dz == 0 ? 512 : 768;
    }
    return dz > 0 ? 1280 : dz == 0 ? 1536 : 1792;
  }

  /** A removal (5.6). */
  private void remove(int player) {
    if (player == localIndex) {
      throw error(Code.BAD_VALUE);
    }
    memory.quarter[player] = packQuarter(memory.level[player], memory.x[player], memory.z[player]);
    memory.keptOrientation[player] = memory.facing(player);
    memory.keptTarget[player] = memory.target[player];
    memory.local[player] = false;
    removed[removedCount++] = player;
    // The update that may follow is read like any external's. One that adds leaves the flag alone.
    if (read(1, "quarterFollows") == 1) {
      readExternal(player, read(2, "type"), 0);
    }
  }

  /** A player out of view (5.7, 5.8). */
  private void readExternal(int player, int type, int addedFlag) {
    if (type != 0) {
      readQuarter(player, type);
      return;
    }
    if (read(1, "quarterFirst") == 1) {
      int nested = read(2, "quarter.type");
      if (nested == 0) {
        throw error(Code.BAD_VALUE);
      }
      readQuarter(player, nested);
    }
    int quarter = memory.quarter[player];
    int x = (quarter >> 14 & 0xff) * QUARTER_TILES + read(13, "x");
    int z = (quarter & 0xff) * QUARTER_TILES + read(13, "z");
    boolean hasMask = read(1, "mask") == 1;
    if (x >= WORLD_TILES || z >= WORLD_TILES) {
      throw error(Code.BAD_VALUE);
    }
    if (hasMask) {
      pending[pendingCount++] = player;
    }
    memory.level[player] = (byte) (quarter >> 28 & 3);
    memory.x[player] = x;
    memory.z[player] = z;
    memory.appear(player, memory.keptOrientation[player], memory.keptTarget[player]);
    added[addedCount++] = player;
    memory.flag[player] |= (byte) addedFlag;
  }

  /** A change of map quarter (5.9). */
  private void readQuarter(int player, int type) {
    int quarter = memory.quarter[player];
    int level = ((quarter >> 28) + read(2, "quarter.level")) & 3;
    int x = quarter >> 14 & 0xff;
    int z = quarter & 0xff;
    if (type == 2) {
      int direction = read(3, "quarter.direction");
      // The client does not keep these two sums within 8 bits. An add out there is refused.
      x += WALK_X[direction];
      z += WALK_Z[direction];
    } else if (type == 3) {
      x = (x + read(8, "quarter.x")) & 0xff;
      z = (z + read(8, "quarter.z")) & 0xff;
    }
    memory.quarter[player] = (x << 14) + z + (level << 28);
  }

  /** Whether the observer is drawn within 12 tiles of the edge of the loaded map (7.2). */
  private boolean isAtSceneEdge() {
    int x = drawnX >= 0 ? drawnX : memory.x[localIndex] * 128 + 64;
    int z = drawnX >= 0 ? drawnZ : memory.z[localIndex] * 128 + 64;
    return !(isInside(x - sceneX * 128) && isInside(z - sceneZ * 128));
  }

  private static boolean isInside(int units) {
    return units >= 1536 && units < 104 * 128 - 1536;
  }

  /** The masks of the pending players, to the last byte (6). */
  private ArrayList<Masks> readMasks() {
    pass = 5;
    In in = new In(bytes, (int) (startBit >> 3));
    in.at = (int) (bit >> 3);
    int end = (int) (endBit >> 3);
    ArrayList<Masks> masks = new ArrayList<>(pendingCount);
    for (int at = 0; at < pendingCount; at++) {
      index = pending[at];
      masks.add(new Masks(index, readBlocks(in, end)));
    }
    index = 0;
    if (in.at < end) {
      throw new WireError(Code.TRAILING, "", in.at * 8L - startBit, pass, 0);
    }
    return masks;
  }

  private List<Block> readBlocks(In in, int end) {
    int start = in.at;
    int flags = flagByte(in, end);
    if ((flags & SECOND_BYTE) != 0) {
      flags |= flagByte(in, end) << 8;
    }
    if ((flags & THIRD_BYTE) != 0) {
      flags |= flagByte(in, end) << 16;
    }
    int left = flags & ~(SECOND_BYTE | THIRD_BYTE);
    ArrayList<Block> blocks = new ArrayList<>(Integer.bitCount(left));
    for (int ordinal = 0; ordinal < BLOCK_FLAGS.length; ordinal++) {
      if ((flags & BLOCK_FLAGS[ordinal]) == 0) {
        continue;
      }
      left &= ~BLOCK_FLAGS[ordinal];
      Block block = readBlock(ordinal, in, end);
      if (block == null) {
        in.within(BLOCK_NAMES[ordinal]);
        throw new WireError(in.code, in.path, in.bit, pass, index);
      }
      blocks.add(block);
    }
    if (left != 0) {
      throw new WireError(Code.UNKNOWN_VARIANT, "flags", start * 8L - startBit, pass, index);
    }
    return blocks;
  }

  private int flagByte(In in, int end) {
    if (in.at >= end) {
      throw new WireError(Code.TRUNCATED, "flags", in.at * 8L - startBit, pass, index);
    }
    return bytes[in.at++] & 0xff;
  }

  /** What the client could not survive, before the masks are applied (8.8). */
  private ArrayList<Crash> crashesOf(List<Masks> masks) {
    ArrayList<Crash> crashes = new ArrayList<>(0);
    for (Masks each : masks) {
      int has = 0;
      for (Block block : each.blocks()) {
        int ordinal = block.ordinal();
        String unmet = unmetNeed(block);
        if (unmet != null) {
          crashes.add(new Crash(each.index(), unmet));
        }
        int needed = BLOCK_NEEDS[ordinal];
        // A block that comes in the same packet may come too late.
        boolean isLacked = needed >= 0 && appearances[each.index()] == null && (has & 1 << needed) == 0;
        if (isLacked && (each.index() == localIndex || asksForName(block))) {
          crashes.add(new Crash(each.index(), BLOCK_NAMES[ordinal]));
        }
        has |= 1 << ordinal;
      }
    }
    return crashes;
  }

  /** Speeds, targets, orientations and appearances (6.5); movements that waited get their speed (7.1). */
  private void applyMasks(List<Masks> masks) {
    for (Masks each : masks) {
      int player = each.index();
      int temporary = -1;
      for (Block block : each.blocks()) {
        apply(block, player, memory, appearances);
        temporary = block.ordinal() == STOP_BLOCK ? temporarySpeed(block) : temporary;
      }
      int at = moveOf[player];
      Move move = at < moves.size() ? moves.get(at) : null;
      if (move != null && move.index() == player && !move.stops()) {
        boolean stops = temporary == STOP_SPEED;
        int speed = temporary == -1 ? memory.speed[player] : temporary;
        moves.set(at, new Move(player, move.type(), move.level(), move.x(), move.z(), stops, speed));
      }
    }
  }

  /** The end of a packet (5.11). */
  private void finish() {
    for (int player = 1; player < SLOTS; player++) {
      memory.flag[player] >>= 1;
    }
    if (addedCount + removedCount > 0) {
      finishLists();
    }
    if (leavesScene(memory.x[localIndex], sceneX) || leavesScene(memory.z[localIndex], sceneZ)) {
      loadSceneAround();
    }
  }

  private void finishLists() {
    int count = 0;
    for (int player = 1; player < SLOTS; player++) {
      count += memory.local[player] ? 1 : 0;
    }
    locals = new int[count];
    externals = new int[SLOTS - 1 - count];
    int local = 0;
    int external = 0;
    for (int player = 1; player < SLOTS; player++) {
      if (memory.local[player]) {
        locals[local++] = player;
      } else {
        externals[external++] = player;
      }
    }
  }

  private void loadSceneAround() {
    sceneX = ((memory.x[localIndex] >> 3) - 6) * 8;
    sceneZ = ((memory.z[localIndex] >> 3) - 6) * 8;
  }

  private static boolean leavesScene(int tile, int start) {
    int within = tile - start;
    return within < 16 || within >= 104 - 16;
  }
}`;
