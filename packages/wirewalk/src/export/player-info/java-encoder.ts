/** The encoder of player info in Java: a world of players, and each tick one packet for each observer. */
export const javaEncoder = `/** How an observer is shown a player. */
public enum Standing { FIRST, ORDINARY, NEVER }

/**
 * Player info as a server writes it: a world of up to 2047 players, and every tick one packet for each
 * observer. Wrong arguments throw {@code IllegalArgumentException} and change nothing. Not for many
 * threads at once.
 */
public static final class Encoder {
  private static final int WORDS = SLOTS / 64;
  private static final int KEPT = KEPT_BY_INDEX.length;
  private static final int BLOCKS = BLOCK_FLAGS.length;

  /** The bit of a combination for a player that comes into view; those below it are for blocks kept by index. */
  private static final int ENTERING = 16;
  private static final int COMBINATIONS = 32;

  // A view that has shrunk tries to grow once in so many ticks, into so many tenths of its limit.
  private static final int GROW_TICKS = 5;
  private static final int GROW_TENTHS = 9;

  // The order of players when a packet is full (8.7), in tiles of distance.
  private static final int FAR_TILES = 32;
  private static final int FIRST_TILES = 64;
  private static final int WAITED_TILES = 4;

  /** Deferring a player can lengthen the skips around it by a bit at most. */
  private static final int DEFERRED_BITS_BYTES = 256;

  private static final byte[] NO_BYTES = {};

  private final int viewDistance;
  private final int maxLocals;
  private int ticks;

  // By player.
  private final int[] x = new int[SLOTS];
  private final int[] z = new int[SLOTS];
  private final int[] level = new int[SLOTS];

  /** The tile of a player in clients that have it in view: as of the last tick. */
  private final int[] sentX = new int[SLOTS];
  private final int[] sentZ = new int[SLOTS];
  private final int[] sentLevel = new int[SLOTS];

  /** The map quarter that every client has for the slot while it is external. */
  private final int[] quarter = new int[SLOTS];
  private final boolean[] present = new boolean[SLOTS];
  private final boolean[] teleported = new boolean[SLOTS];
  private final boolean[] hidden = new boolean[SLOTS];

  // By observer.
  private final boolean[] observing = new boolean[SLOTS];
  private final int[] radius = new int[SLOTS];
  private final boolean[] owed = new boolean[SLOTS];
  private final boolean[] choosy = new boolean[SLOTS];
  private final byte[][] packets = new byte[SLOTS][];
  private final int[] packetLength = new int[SLOTS];
  private final long[] local = new long[SLOTS * WORDS];
  private final long[] flag = new long[SLOTS * WORDS];
  private final long[] first = new long[SLOTS * WORDS];
  private final long[] never = new long[SLOTS * WORDS];

  /** By block kept by index: players whose present block the observer has. */
  private final long[][] known = new long[KEPT][SLOTS * WORDS];
  private final java.util.HashMap<Integer, java.util.LinkedHashMap<Integer, byte[][]>> own =
      new java.util.HashMap<>();
  private final java.util.HashMap<Integer, java.util.LinkedHashMap<Integer, Waiting>> waiting =
      new java.util.HashMap<>();

  // Sets of the tick.
  private final long[] visible = new long[WORDS];
  private final long[] reused = new long[WORDS];
  private final long[] moved = new long[WORDS];
  private final long[] quarterMoved = new long[WORDS];
  private final long[] masked = new long[WORDS];

  // Mask blocks.
  private final int[] set = new int[SLOTS];
  private final byte[][] blocks = new byte[SLOTS * BLOCKS][];
  private final byte[][] kept = new byte[SLOTS * BLOCKS][];
  private final boolean[] everKept = new boolean[SLOTS * BLOCKS];
  private final long[][] has = new long[KEPT][WORDS];
  private final long[][] changed = new long[KEPT][WORDS];

  /** By block kept by index: players whose value since the last tick is their first. */
  private final long[][] fresh = new long[KEPT][WORDS];
  private final long[] enterKept = new long[WORDS];
  private byte[] composed = new byte[1 << 16];
  private int composedLength;
  private int maskStart;
  private int maskLength;
  private final int[] variantTick = new int[SLOTS * COMBINATIONS];
  private final int[] variantStart = new int[SLOTS * COMBINATIONS];
  private final int[] variantLength = new int[SLOTS * COMBINATIONS];

  // Bits of each player in this tick, the first one the highest.
  private final long[] moveBits = new long[SLOTS];
  private final byte[] moveLength = new byte[SLOTS];
  private final long[] quarterBits = new long[SLOTS];
  private final byte[] quarterLength = new byte[SLOTS];
  private final long[] leaveBits = new long[SLOTS];
  private final byte[] leaveLength = new byte[SLOTS];
  private final long[] enterBits = new long[SLOTS];
  private final byte[] enterLength = new byte[SLOTS];

  // The visible players, by level and along both axes.
  private final long[][] visibleOn = new long[4][WORDS];
  private final long[] xSets = new long[SLOTS * WORDS];
  private final long[] zSets = new long[SLOTS * WORDS];
  private final int[] xRank = new int[WORLD_TILES];
  private final int[] zRank = new int[WORLD_TILES];
  private final int[] counts = new int[WORLD_TILES + 1];
  private final int[] sorted = new int[SLOTS];
  private final int[] visiblePlayers = new int[SLOTS];

  // Of the observer whose packet is written.
  private long[] view = new long[WORDS];
  private long[] otherView = new long[WORDS];
  private final long[] farView = new long[WORDS];
  private final long[] ownMasked = new long[WORDS];
  private final long[] waits = new long[WORDS];
  private final long[] leaves = new long[WORDS];
  private final long[] enters = new long[WORDS];
  private final long[] acts = new long[WORDS];
  private final long[] quarters = new long[WORDS];
  private final long[] pending = new long[WORDS];
  private final long[] nextLocal = new long[WORDS];
  private final long[] nextFlag = new long[WORDS];
  private final byte[] out = new byte[MAX_PACKET_BYTES + 64];
  private int outAt;
  private long held;
  private int heldBits;
  private int passBytes;

  /** A player for which the last packet had no room: since when, and its blocks that may come later. */
  private record Waiting(int since, byte[][] blocks) {}

  private record Candidate(int index, int bytes, int points, boolean enters) {}

  /** Shows players within 15 tiles, at most 250. */
  public Encoder() {
    this(15, 250);
  }

  /**
   * @param viewDistance tiles along each axis; 16384 or more shows everybody on the same level
   * @param maxLocals players in view at most, the observer included, 1..2047
   */
  public Encoder(int viewDistance, int maxLocals) {
    if (viewDistance < 0 || maxLocals < 1 || maxLocals >= SLOTS) {
      throw new IllegalArgumentException("A view must have a distance from 0 on and 1..2047 players");
    }
    this.viewDistance = Math.min(viewDistance, WORLD_TILES);
    this.maxLocals = maxLocals;
  }

  // --- The world ---------------------------------------------------------------------------------

  /** Whether a slot has a player. */
  public boolean has(int index) {
    checkIndex(index);
    return present[index];
  }

  private void checkPresent(int index) {
    checkIndex(index);
    if (!present[index]) {
      throw new IllegalArgumentException("Slot " + index + " has no player");
    }
  }

  private static void checkTile(int level, int x, int z) {
    if (level < 0 || level > 3 || x < 0 || x >= WORLD_TILES || z < 0 || z >= WORLD_TILES) {
      throw new IllegalArgumentException(
          "A tile must be level 0..3 and x and z 0..16383, got " + level + ", " + x + ", " + z);
    }
  }

  /** A player enters the world. The slot's player before may have left in the same tick. */
  public void add(int index, int level, int x, int z) {
    checkIndex(index);
    checkTile(level, x, z);
    if (present[index]) {
      throw new IllegalArgumentException("Slot " + index + " has a player");
    }
    present[index] = true;
    hidden[index] = false;
    teleported[index] = false;
    this.x[index] = x;
    this.z[index] = z;
    this.level[index] = level;
    sentX[index] = x;
    sentZ[index] = z;
    sentLevel[index] = level;
    include(visible, 0, index);
    include(reused, 0, index);
    // Clients remember the blocks of the slot's player before.
    forgetBlocks(index);
    for (int ordinal : KEPT_BY_INDEX) {
      if (BLOCK_INITIAL[ordinal] != null && everKept[index * BLOCKS + ordinal]) {
        setBytes(index, ordinal, BLOCK_INITIAL[ordinal]);
      }
    }
  }

  /** A player leaves the world, and ends its observing. */
  public void remove(int index) {
    checkPresent(index);
    unobserve(index);
    present[index] = false;
    exclude(visible, 0, index);
    forgetBlocks(index);
    for (var players : own.values()) {
      players.remove(index);
    }
    for (var players : waiting.values()) {
      players.remove(index);
    }
    for (int observer = 1; observer < SLOTS; observer++) {
      if (choosy[observer]) {
        stand(observer, index, Standing.ORDINARY);
      }
    }
  }

  /** Moves a player on its level: by a walk or a run if it is one step away, otherwise by a teleport. */
  public void move(int index, int x, int z) {
    checkPresent(index);
    checkTile(0, x, z);
    this.x[index] = x;
    this.z[index] = z;
  }

  /** Puts a player on a tile. Clients do not walk it there, if the revision has {@code temporaryMoveSpeed}. */
  public void teleport(int index, int level, int x, int z) {
    checkPresent(index);
    checkTile(level, x, z);
    this.x[index] = x;
    this.z[index] = z;
    this.level[index] = level;
    teleported[index] = true;
  }

  /** Sets a mask block of a player for the next tick's packets. It replaces the one that was set for that tick. */
  public void setBlock(int index, Block block) {
    checkPresent(index);
    setBytes(index, block.ordinal(), bytesOf(block));
  }

  /** The same for one observer, instead of the block for all: of the blocks of hits, bars and tinting. */
  public void setBlockFor(int observer, int index, Block block) {
    checkIndex(observer);
    checkPresent(index);
    if (!BLOCK_PER_OBSERVER[block.ordinal()]) {
      throw new IllegalArgumentException(block.documentName() + " is the same for every observer");
    }
    byte[] bytes = bytesOf(block);
    if (observing[observer]) {
      own.computeIfAbsent(observer, key -> new java.util.LinkedHashMap<>())
          .computeIfAbsent(index, key -> new byte[BLOCKS][])[block.ordinal()] = bytes;
    }
  }

  private static byte[] bytesOf(Block block) {
    byte[] bytes = new byte[sizeOfBlock(block)];
    writeBlock(block, bytes, 0);
    String unmet = unmetNeed(block);
    if (unmet != null) {
      throw new IllegalArgumentException("Cannot write " + unmet + ": the client cannot use it");
    }
    return bytes;
  }

  /** Hides a player from all observers but itself, or shows it again. */
  public void hide(int index, boolean isHidden) {
    checkPresent(index);
    hidden[index] = isHidden;
    if (isHidden) {
      exclude(visible, 0, index);
    } else {
      include(visible, 0, index);
    }
  }

  /** Sets how an observer is shown a player, until either leaves. */
  public void setStanding(int observer, int index, Standing standing) {
    checkPresent(observer);
    checkPresent(index);
    if (observer != index) {
      stand(observer, index, standing);
    }
  }

  private void stand(int observer, int index, Standing standing) {
    int base = observer * WORDS;
    exclude(first, base, index);
    exclude(never, base, index);
    if (standing != Standing.ORDINARY) {
      include(standing == Standing.FIRST ? first : never, base, index);
    }
    long any = 0;
    for (int word = base; word < base + WORDS; word++) {
      any |= first[word] | never[word];
    }
    choosy[observer] = any != 0;
  }

  /** A player begins to observe, or begins again after a reconnect. Gives the initialisation: its client counts as knowing nothing. */
  public byte[] observe(int index) {
    checkPresent(index);
    int base = index * WORDS;
    Arrays.fill(local, base, base + WORDS, 0);
    Arrays.fill(flag, base, base + WORDS, 0);
    for (long[] each : known) {
      Arrays.fill(each, base, base + WORDS, 0);
    }
    include(local, base, index);
    owed[index] = true;
    waiting.remove(index);
    own.remove(index);
    observing[index] = true;
    radius[index] = viewDistance;
    packetLength[index] = 0;
    byte[] init = new byte[INIT_BYTES];
    startBits(0);
    putBits((long) sentLevel[index] << 28 | sentX[index] << 14 | sentZ[index], 30);
    for (int slot = 1; slot < SLOTS; slot++) {
      if (slot != index) {
        int packed = quarter[slot];
        putBits((packed >> 28) << 16 | (packed >> 14 & 0xff) << 8 | (packed & 0xff), 18);
      }
    }
    align();
    System.arraycopy(out, 0, init, 0, INIT_BYTES);
    return init;
  }

  /** No more packets for this player. */
  public void unobserve(int index) {
    checkIndex(index);
    if (!observing[index]) {
      return;
    }
    observing[index] = false;
    int base = index * WORDS;
    Arrays.fill(first, base, base + WORDS, 0);
    Arrays.fill(never, base, base + WORDS, 0);
    choosy[index] = false;
    waiting.remove(index);
    own.remove(index);
    packetLength[index] = 0;
  }

  /** Tiles at which the observer's view ends at present. */
  public int viewDistanceOf(int observer) {
    return radius[observer];
  }

  /** Whether the observer has a player in view. */
  public boolean sees(int observer, int index) {
    return observing[observer] && contains(local, observer * WORDS, index);
  }

  /** Players for which the last packet had no room: their masks, or they themselves, come later. */
  public int[] waitingFor(int observer) {
    var players = waiting.get(observer);
    return players == null ? new int[0] : players.keySet().stream().mapToInt(each -> each).toArray();
  }

  /** How many bytes the observer's packet of the last tick has. */
  public int packetLength(int observer) {
    return packetLength[observer];
  }

  /** Copies the observer's packet of the last tick, and gives the place after it. */
  public int copyPacket(int observer, byte[] to, int offset) {
    System.arraycopy(packets[observer] == null ? NO_BYTES : packets[observer], 0, to, offset, packetLength[observer]);
    return offset + packetLength[observer];
  }

  /** The observer's packet of the last tick. */
  public byte[] packet(int observer) {
    return packets[observer] == null ? NO_BYTES : Arrays.copyOf(packets[observer], packetLength[observer]);
  }

  /** One tick: makes the packets of all observers. */
  public void tick() {
    ticks += 1;
    for (int index = 1; index < SLOTS; index++) {
      // Unless another speed was set.
      if (teleported[index] && present[index] && STOP_BLOCK >= 0 && (set[index] & 1 << STOP_BLOCK) == 0) {
        setBytes(index, STOP_BLOCK, STOP_BYTES);
      }
    }
    makeBits();
    composedLength = 0;
    endStandingBlocks();
    sortVisible();
    for (int observer = 1; observer < SLOTS; observer++) {
      if (observing[observer]) {
        chooseView(observer);
        writePacket(observer);
      }
    }
    for (int index = 1; index < SLOTS; index++) {
      teleported[index] = false;
      if (present[index]) {
        sentX[index] = x[index];
        sentZ[index] = z[index];
        sentLevel[index] = level[index];
        quarter[index] = packQuarter(level[index], x[index], z[index]);
      }
    }
    Arrays.fill(reused, 0);
    endBlocks();
    own.clear();
  }

  // --- Sets --------------------------------------------------------------------------------------

  private static void include(long[] set, int base, int index) {
    set[base + (index >> 6)] |= 1L << index;
  }

  private static void exclude(long[] set, int base, int index) {
    set[base + (index >> 6)] &= ~(1L << index);
  }

  private static boolean contains(long[] set, int base, int index) {
    return (set[base + (index >> 6)] >>> index & 1) != 0;
  }

  // --- Bits --------------------------------------------------------------------------------------

  private static final java.lang.invoke.VarHandle LONGS =
      java.lang.invoke.MethodHandles.byteArrayViewVarHandle(long[].class, java.nio.ByteOrder.BIG_ENDIAN);

  private void startBits(int at) {
    outAt = at;
    held = 0;
    heldBits = 0;
  }

  /** Appends bits of which the first one is the highest, at most 56. */
  private void put(long bits, int length) {
    held |= bits >>> heldBits;
    LONGS.set(out, outAt, held);
    int used = heldBits + length;
    outAt += used >> 3;
    held <<= used & 0x38;
    heldBits = used & 7;
  }

  private void putBits(long value, int length) {
    put(value << 64 - length, length);
  }

  private void align() {
    outAt += heldBits > 0 ? 1 : 0;
    held = 0;
    heldBits = 0;
  }

  /** Makes the bits of every player in the world, and the sets of players that move or change their map quarter. */
  private void makeBits() {
    Arrays.fill(moved, 0);
    Arrays.fill(quarterMoved, 0);
    for (int index = 1; index < SLOTS; index++) {
      if (!present[index]) {
        // A player who left the world leaves the view. Its quarter stays the same.
        leaveBits[index] = 0b10000L << 59;
        leaveLength[index] = 5;
        continue;
      }
      int dx = x[index] - sentX[index];
      int dz = z[index] - sentZ[index];
      int levels = (level[index] - sentLevel[index]) & 3;
      if (teleported[index] || (dx | dz | levels) != 0) {
        include(moved, 0, index);
      }
      makeMovement(index, dx, dz, levels);
      int from = quarter[index];
      int to = packQuarter(level[index], x[index], z[index]);
      boolean changes = from != to;
      if (changes) {
        include(quarterMoved, 0, index);
      }
      makeQuarter(index, from, to);
      // A removal is 1000, and then an external's update or a 0.
      leaveBits[index] = 0b1000L << 60 | (changes ? quarterBits[index] >>> 4 : 0);
      leaveLength[index] = (byte) (changes ? quarterLength[index] + 4 : 5);
      long enter = 0b100;
      int length = 3;
      if (changes) {
        length += quarterLength[index];
        enter = enter << quarterLength[index] | quarterBits[index] >>> 64 - quarterLength[index];
      } else {
        length += 1;
        enter <<= 1;
      }
      enter = (enter << 13 | x[index] & QUARTER_TILES - 1) << 13 | z[index] & QUARTER_TILES - 1;
      enterLength[index] = (byte) (length + 27);
      enterBits[index] = enter << 64 - length - 26;
    }
  }

  private void makeMovement(int index, int dx, int dz, int levels) {
    boolean isStep = !teleported[index] && levels == 0;
    long code;
    int length;
    if (isStep && dx >= -1 && dx <= 1 && dz >= -1 && dz <= 1) {
      int place = (dz + 1) * 3 + dx + 1;
      // Without a step it has masks: 1, mask, 00.
      boolean stands = place == 4;
      code = stands ? 0b1000 : 0b1001L << 3 | (place > 4 ? place - 1 : place);
      length = stands ? 4 : 7;
    } else if (isStep && dx >= -2 && dx <= 2 && dz >= -2 && dz <= 2) {
      code = 0b1010L << 4 | runDirection(dx, dz);
      length = 8;
    } else if (dx >= -16 && dx <= 15 && dz >= -16 && dz <= 15) {
      code = 0b10110L << 12 | levels << 10 | (dx & 31) << 5 | dz & 31;
      length = 17;
    } else {
      code = (0b10111L << 2 | levels) << 28 | (dx & WORLD_TILES - 1) << 14 | dz & WORLD_TILES - 1;
      length = 35;
    }
    moveBits[index] = code << 64 - length;
    moveLength[index] = (byte) length;
  }

  private static int runDirection(int dx, int dz) {
    if (dz == -2) {
      return dx + 2;
    }
    return dz == 2 ? dx + 13 : 5 + (dz + 1) * 2 + (dx > 0 ? 1 : 0);
  }

  private void makeQuarter(int index, int from, int to) {
    int levels = (to >> 28) - (from >> 28) & 3;
    int dx = (to >> 14 & 0xff) - (from >> 14 & 0xff);
    int dz = (to & 0xff) - (from & 0xff);
    long code;
    int length;
    if (dx == 0 && dz == 0) {
      code = 0b101 << 2 | levels;
      length = 5;
    } else if (dx >= -1 && dx <= 1 && dz >= -1 && dz <= 1) {
      int place = (dz + 1) * 3 + dx + 1;
      code = 0b110 << 5 | levels << 3 | (place > 4 ? place - 1 : place);
      length = 8;
    } else {
      code = 0b111 << 18 | levels << 16 | (dx & 0xff) << 8 | dz & 0xff;
      length = 21;
    }
    quarterBits[index] = code << 64 - length;
    quarterLength[index] = (byte) length;
  }

  // --- Views -------------------------------------------------------------------------------------

  /** Sorts the visible players along both axes. */
  private void sortVisible() {
    for (long[] each : visibleOn) {
      Arrays.fill(each, 0);
    }
    int count = 0;
    for (int word = 0; word < WORDS; word++) {
      for (long left = visible[word]; left != 0; left &= left - 1) {
        int index = (word << 6) + Long.numberOfTrailingZeros(left);
        include(visibleOn[level[index]], 0, index);
        visiblePlayers[count++] = index;
      }
    }
    sortAlong(x, count, xSets, xRank);
    sortAlong(z, count, zSets, zRank);
  }

  /** Entry n of the sets holds the players with one of the n smallest coordinates. */
  private void sortAlong(int[] coordinate, int count, long[] sets, int[] rank) {
    Arrays.fill(counts, 0);
    for (int at = 0; at < count; at++) {
      counts[coordinate[visiblePlayers[at]] + 1] += 1;
    }
    int before = 0;
    int different = 0;
    for (int tile = 0; tile < WORLD_TILES; tile++) {
      int here = counts[tile + 1];
      counts[tile] = before;
      before += here;
      different += here > 0 ? 1 : 0;
      rank[tile] = different;
    }
    for (int at = 0; at < count; at++) {
      sorted[counts[coordinate[visiblePlayers[at]]]++] = visiblePlayers[at];
    }
    Arrays.fill(sets, 0, WORDS, 0);
    int base = 0;
    int last = -1;
    for (int at = 0; at < count; at++) {
      int index = sorted[at];
      if (coordinate[index] != last) {
        last = coordinate[index];
        System.arraycopy(sets, base, sets, base + WORDS, WORDS);
        base += WORDS;
      }
      include(sets, base, index);
    }
  }

  private static int setBefore(int[] rank, int coordinate) {
    return coordinate < 0 ? 0 : rank[Math.min(coordinate, WORLD_TILES - 1)] * WORDS;
  }

  /** Visible players of a level within a distance; gives their number. */
  private int within(long[] into, int observer, int distance) {
    long[] on = visibleOn[level[observer]];
    int count = 0;
    if (distance >= WORLD_TILES) {
      for (int word = 0; word < WORDS; word++) {
        into[word] = on[word];
        count += Long.bitCount(on[word]);
      }
      return count;
    }
    int west = setBefore(xRank, x[observer] - distance - 1);
    int east = setBefore(xRank, x[observer] + distance);
    int south = setBefore(zRank, z[observer] - distance - 1);
    int north = setBefore(zRank, z[observer] + distance);
    for (int word = 0; word < WORDS; word++) {
      long seen = on[word] & xSets[east + word] & ~xSets[west + word] & zSets[north + word] & ~zSets[south + word];
      into[word] = seen;
      count += Long.bitCount(seen);
    }
    return count;
  }

  /** Puts the players that the observer is to have in view into {@code view} (8.2). */
  private void chooseView(int observer) {
    int own = radius[observer];
    int count = viewAt(observer, own, view);
    if (count > maxLocals) {
      if (shrink(observer, own) > maxLocals) {
        crowd(observer);
      }
    } else if (own < viewDistance) {
      int side = own * 2 + 1;
      boolean fits = (long) count * (side + 2) * (side + 2) * 10 <= (long) maxLocals * GROW_TENTHS * side * side;
      if (fits || (ticks + observer) % GROW_TICKS == 0) {
        int more = viewAt(observer, own + 1, otherView);
        if (more * 10 <= maxLocals * GROW_TENTHS) {
          radius[observer] = own + 1;
          long[] swapped = view;
          view = otherView;
          otherView = swapped;
        }
      }
    }
  }

  /** Shrinks a view to the greatest distance that fits, or to 0: one tile if that is enough, otherwise by binary search. */
  private int shrink(int observer, int own) {
    int low = 0;
    int high = own - 1;
    int middle = high;
    while (low < high) {
      if (viewAt(observer, middle, view) <= maxLocals) {
        low = middle;
      } else {
        high = middle - 1;
      }
      middle = (low + high + 1) >> 1;
    }
    radius[observer] = low;
    return viewAt(observer, low, view);
  }

  private int viewAt(int observer, int distance, long[] into) {
    int count = within(into, observer, distance);
    if (!contains(into, 0, observer)) {
      include(into, 0, observer);
      count += 1;
    }
    if (!choosy[observer]) {
      return count;
    }
    int base = observer * WORDS;
    within(farView, observer, viewDistance);
    count = 0;
    for (int word = 0; word < WORDS; word++) {
      into[word] = (into[word] | farView[word] & first[base + word]) & ~never[base + word];
      count += Long.bitCount(into[word]);
    }
    return count;
  }

  /**
   * One tile has more players than the view may hold: takes the observer, players shown first, players in
   * view, then others by index from a start that differs by observer and tick.
   */
  private void crowd(int observer) {
    long[] wanted = view.clone();
    Arrays.fill(view, 0);
    include(view, 0, observer);
    int start = (observer * 37 + ticks * 11) & (SLOTS - 1);
    int base = observer * WORDS;
    int count = take(wanted, first, base, start, 1);
    count = take(wanted, local, base, start, count);
    take(wanted, wanted, 0, start, count);
  }

  private int take(long[] wanted, long[] from, int base, int start, int taken) {
    int count = taken;
    for (int step = 0; step < SLOTS && count < maxLocals; step++) {
      int index = (start + step) & (SLOTS - 1);
      if (contains(wanted, 0, index) && contains(from, base, index) && !contains(view, 0, index)) {
        include(view, 0, index);
        count += 1;
      }
    }
    return count;
  }

  // --- Packets -----------------------------------------------------------------------------------

  private void writePacket(int observer) {
    var mine = own.get(observer);
    var late = waiting.get(observer);
    if (!owed[observer] && mine == null && late == null && write(observer, masked, null, null)) {
      learn(observer);
      accept(observer);
      return;
    }
    writeOwn(observer, mine, late);
    accept(observer);
  }

  /** The packet is written: the client knows what it says. */
  private void accept(int observer) {
    System.arraycopy(nextLocal, 0, local, observer * WORDS, WORDS);
    System.arraycopy(nextFlag, 0, flag, observer * WORDS, WORDS);
    byte[] packet = packets[observer];
    if (packet == null || packet.length < outAt) {
      packet = new byte[Math.max(256, outAt + outAt / 2)];
      packets[observer] = packet;
    }
    System.arraycopy(out, 0, packet, 0, outAt);
    packetLength[observer] = outAt;
  }

  /** Writes the packet for {@code view}; false where it would be over the limit. */
  private boolean write(
      int observer,
      long[] withMasks,
      java.util.Map<Integer, byte[][]> mine,
      java.util.Map<Integer, Waiting> late) {
    decide(observer, withMasks);
    startBits(0);
    for (int pass = 1; pass <= 4; pass++) {
      writePass(observer, pass);
      if (ALIGNS_PASSES || pass == 4) {
        align();
      }
    }
    passBytes = outAt;
    for (int pass = 1; pass <= 4; pass++) {
      for (int word = 0; word < WORDS; word++) {
        for (long left = pending[word] & membersOf(observer, pass, word); left != 0; left &= left - 1) {
          int index = (word << 6) + Long.numberOfTrailingZeros(left);
          int combination = combinationOf(observer, index, contains(enters, 0, index));
          if (mine == null && late == null) {
            variant(index, combination);
          } else {
            composeFor(index, combination, mine, late);
          }
          if (maskLength > MAX_PACKET_BYTES - outAt) {
            return false;
          }
          System.arraycopy(composed, maskStart, out, outAt, maskLength);
          outAt += maskLength;
        }
      }
    }
    return outAt <= MAX_PACKET_BYTES;
  }

  /** The players of a pass (5.2), of one word. */
  private long membersOf(int observer, int pass, int word) {
    int at = observer * WORDS + word;
    long side = pass <= 2 ? local[at] : ~local[at];
    long flagged = PASS_FLAGS[pass - 1] == 1 ? flag[at] : ~flag[at];
    // Slot 0 is never a player.
    return side & flagged & (word == 0 ? ~1L : -1L);
  }

  /** Who leaves, enters, moves, has masks or changes the map quarter; and what the client knows afterwards. */
  private void decide(int observer, long[] withMasks) {
    for (int word = 0; word < WORDS; word++) {
      int at = observer * WORDS + word;
      long isLocal = local[at];
      long sees = view[word];
      long stale = reused[word];
      // A new player of a slot is new to all observers but itself.
      if (word == observer >> 6) {
        stale &= ~(1L << observer);
      }
      long stay = isLocal & sees & ~stale;
      long leaving = isLocal & ~stay;
      long entering = sees & ~isLocal;
      // The slot has a new player in view: one packet removes the old one and adds the new one.
      long returning = leaving & sees;
      long changing = quarterMoved[word] & ~isLocal & ~entering;
      long acting = stay & (moved[word] | withMasks[word]);
      leaves[word] = leaving;
      enters[word] = entering | returning;
      acts[word] = acting;
      quarters[word] = changing;
      nextLocal[word] = stay | entering | returning;
      nextFlag[word] = ~(leaving | acting | entering | changing) | (FLAGS_ADDED ? entering : 0);
      long has = nextLocal[word] & withMasks[word];
      if (entering != 0) {
        long lacks = enterKept[word];
        for (int which = 0; which < KEPT; which++) {
          lacks |= this.has[which][word] & ~known[which][at];
        }
        has |= entering & lacks;
      }
      pending[word] = has;
    }
  }

  private void writePass(int observer, int pass) {
    int run = 0;
    for (int word = 0; word < WORDS; word++) {
      long members = membersOf(observer, pass, word);
      if (members == 0) {
        continue;
      }
      long events = members & (leaves[word] | enters[word] | acts[word] | quarters[word]);
      for (; events != 0; events &= events - 1) {
        long low = events & -events;
        run += Long.bitCount(members & low - 1);
        members &= -low << 1;
        if (run > 0) {
          putSkip(run);
          run = 0;
        }
        writePlayer(word, low);
      }
      run += Long.bitCount(members);
    }
    if (run > 0) {
      putSkip(run);
    }
  }

  private void writePlayer(int word, long low) {
    int index = (word << 6) + Long.numberOfTrailingZeros(low);
    long mask = (pending[word] & low) != 0 ? 1 : 0;
    boolean isEntering = (enters[word] & low) != 0;
    if ((acts[word] & low) != 0) {
      put(moveBits[index] | mask << 62, moveLength[index]);
    } else if ((leaves[word] & low) == 0 && !isEntering) {
      put(quarterBits[index], quarterLength[index]);
    } else if (!isEntering) {
      put(leaveBits[index], leaveLength[index]);
    } else {
      if ((leaves[word] & low) != 0) {
        putBits(0b1000, 4);
      }
      put(enterBits[index] | mask << 64 - enterLength[index], enterLength[index]);
    }
  }

  /** 0, two bits for the size of the number, and the number of players after the first (5.3). */
  private void putSkip(int count) {
    int more = count - 1;
    int size = more == 0 ? 0 : more < 1 << 5 ? 1 : more < 1 << 8 ? 2 : 3;
    int width = size == 0 ? 0 : size == 1 ? 5 : size == 2 ? 8 : 11;
    putBits((long) size << width | more, 3 + width);
  }

  /** The blocks of a player that an observer lacks beside those of this tick. */
  private int combinationOf(int observer, int index, boolean isEntering) {
    int combination = isEntering && contains(enterKept, 0, index) ? ENTERING : 0;
    for (int which = 0; which < KEPT; which++) {
      if (contains(has[which], 0, index) && !contains(known[which], observer * WORDS, index)) {
        combination |= 1 << which;
      }
    }
    return combination;
  }

  /** After a packet with the blocks for all: the observer has the kept blocks of all players in view. */
  private void learn(int observer) {
    for (int which = 0; which < KEPT; which++) {
      long[] knows = known[which];
      for (int word = 0; word < WORDS; word++) {
        int at = observer * WORDS + word;
        long entering = nextLocal[word] & ~local[at];
        long news = changed[which][word];
        long sent = (entering | nextLocal[word] & news) & has[which][word];
        knows[at] = knows[at] & ~news | sent;
      }
    }
  }

  /** A packet that only this observer gets: with blocks for it alone, blocks that it is owed, or without room for all. */
  private void writeOwn(
      int observer,
      java.util.LinkedHashMap<Integer, byte[][]> mine,
      java.util.LinkedHashMap<Integer, Waiting> late) {
    java.util.Map<Integer, byte[][]> forIt = mine == null ? java.util.Map.of() : mine;
    java.util.Map<Integer, Waiting> before = late == null ? java.util.Map.of() : late;
    for (int word = 0; word < WORDS; word++) {
      int at = observer * WORDS + word;
      long lacks = masked[word];
      for (int which = 0; which < KEPT; which++) {
        lacks |= has[which][word] & ~known[which][at] & local[at];
      }
      ownMasked[word] = lacks;
    }
    for (int index : forIt.keySet()) {
      include(ownMasked, 0, index);
    }
    for (var each : before.entrySet()) {
      for (byte[] block : each.getValue().blocks()) {
        if (block != null) {
          include(ownMasked, 0, each.getKey());
        }
      }
    }
    Arrays.fill(waits, 0);
    if (write(observer, ownMasked, forIt, before)) {
      waiting.remove(observer);
      owed[observer] = false;
    } else {
      defer(observer, forIt, before);
    }
    for (int which = 0; which < KEPT; which++) {
      for (int word = 0; word < WORDS; word++) {
        int at = observer * WORDS + word;
        long sent = nextLocal[word] & ~waits[word];
        known[which][at] = known[which][at] & ~changed[which][word] | sent & has[which][word];
      }
    }
  }

  /** Masks wait, and players who would come into view with a mask wait too, so that the rest fits (8.7). */
  private void defer(int observer, java.util.Map<Integer, byte[][]> mine, java.util.Map<Integer, Waiting> late) {
    ArrayList<Candidate> candidates = new ArrayList<>();
    for (int index = 1; index < SLOTS; index++) {
      if (contains(pending, 0, index)) {
        boolean isEntering = contains(enters, 0, index);
        composeFor(index, combinationOf(observer, index, isEntering), mine, late);
        candidates.add(new Candidate(index, maskLength, pointsOf(observer, index, late), isEntering));
      }
    }
    candidates.sort(
        java.util.Comparator.comparingInt(Candidate::points).thenComparingInt(Candidate::index));
    int room = MAX_PACKET_BYTES - passBytes - DEFERRED_BITS_BYTES;
    var deferred = new java.util.LinkedHashMap<Integer, Waiting>();
    for (Candidate each : candidates) {
      if (each.bytes() <= room) {
        room -= each.bytes();
        continue;
      }
      int index = each.index();
      include(waits, 0, index);
      exclude(ownMasked, 0, index);
      if (each.enters()) {
        exclude(view, 0, index);
      }
      Waiting before = late.get(index);
      byte[][] blocks =
          each.enters() ? new byte[BLOCKS][] : before == null ? new byte[BLOCKS][] : before.blocks().clone();
      if (!each.enters()) {
        takeLate(index, mine.get(index), blocks);
      }
      deferred.put(index, new Waiting(before == null ? ticks : before.since(), blocks));
    }
    if (!write(observer, ownMasked, mine, late)) {
      throw new IllegalStateException("A packet is too long although its size was known");
    }
    waiting.put(observer, deferred);
    owed[observer] = true;
  }

  private int pointsOf(int observer, int index, java.util.Map<Integer, Waiting> late) {
    int distance = Math.max(Math.abs(x[index] - x[observer]), Math.abs(z[index] - z[observer]));
    Waiting before = late.get(index);
    int waited = before == null ? 0 : ticks - before.since();
    boolean isFirst = index == observer || contains(first, observer * WORDS, index);
    return Math.min(distance, FAR_TILES) - (isFirst ? FIRST_TILES : 0) - waited * WAITED_TILES;
  }

  // --- Mask blocks -------------------------------------------------------------------------------

  private void setBytes(int index, int ordinal, byte[] bytes) {
    int at = index * BLOCKS + ordinal;
    blocks[at] = bytes;
    set[index] |= 1 << ordinal;
    include(masked, 0, index);
    if (BLOCK_KEPT[ordinal] == NOT_KEPT) {
      return;
    }
    boolean isFirst = kept[at] == null;
    kept[at] = bytes;
    everKept[at] = true;
    int which = keptPlace(ordinal);
    if (which < 0) {
      include(enterKept, 0, index);
      return;
    }
    if (isFirst) {
      include(fresh[which], 0, index);
    }
    include(has[which], 0, index);
    include(changed[which], 0, index);
  }

  /** The number of a block among those kept by index, or -1. */
  private static int keptPlace(int ordinal) {
    for (int which = 0; which < KEPT; which++) {
      if (KEPT_BY_INDEX[which] == ordinal) {
        return which;
      }
    }
    return -1;
  }

  private void forgetBlocks(int index) {
    set[index] = 0;
    exclude(masked, 0, index);
    exclude(enterKept, 0, index);
    for (int which = 0; which < KEPT; which++) {
      exclude(has[which], 0, index);
      exclude(fresh[which], 0, index);
    }
    Arrays.fill(kept, index * BLOCKS, index * BLOCKS + BLOCKS, null);
  }

  /** Blocks that hold while a player stands end when it moves, unless they were set in the same tick. */
  private void endStandingBlocks() {
    for (int word = 0; word < WORDS; word++) {
      for (long left = moved[word] & enterKept[word]; left != 0; left &= left - 1) {
        int index = (word << 6) + Long.numberOfTrailingZeros(left);
        boolean isLeft = false;
        for (int ordinal = 0; ordinal < BLOCKS; ordinal++) {
          int at = index * BLOCKS + ordinal;
          if (kept[at] == null) {
            continue;
          }
          if (BLOCK_KEPT[ordinal] == KEPT_STANDING && (set[index] & 1 << ordinal) == 0) {
            kept[at] = null;
          } else if (BLOCK_KEPT[ordinal] != KEPT_INDEX) {
            isLeft = true;
          }
        }
        if (!isLeft) {
          exclude(enterKept, 0, index);
        }
      }
    }
  }

  /** The end of a tick: what needed a block that came with it for the first time comes a tick later. */
  private void endBlocks() {
    Arrays.fill(masked, 0);
    for (int index = 1; index < SLOTS; index++) {
      int left = 0;
      for (int ordinal = 0; ordinal < BLOCKS; ordinal++) {
        int needed = BLOCK_NEEDS[ordinal] < 0 ? -1 : keptPlace(BLOCK_NEEDS[ordinal]);
        if (needed >= 0 && (set[index] & 1 << ordinal) != 0 && contains(fresh[needed], 0, index)) {
          left |= 1 << ordinal;
        }
      }
      set[index] = left;
      if (left != 0) {
        include(masked, 0, index);
      }
    }
    for (int which = 0; which < KEPT; which++) {
      Arrays.fill(changed[which], 0);
      Arrays.fill(fresh[which], 0);
    }
  }

  /** Composes the masks of a player with more blocks than those of this tick, once for all observers. */
  private void variant(int index, int combination) {
    int at = index * COMBINATIONS + combination;
    if (variantTick[at] != ticks) {
      compose(index, ordinalsOf(index, combination), null, null);
      variantTick[at] = ticks;
      variantStart[at] = maskStart;
      variantLength[at] = maskLength;
    }
    maskStart = variantStart[at];
    maskLength = variantLength[at];
  }

  private int ordinalsOf(int index, int combination) {
    int ordinals = 0;
    for (int which = 0; which < KEPT; which++) {
      ordinals |= (combination >> which & 1) << KEPT_BY_INDEX[which];
    }
    for (int ordinal = 0; ordinal < BLOCKS && (combination & ENTERING) != 0; ordinal++) {
      boolean isKept = BLOCK_KEPT[ordinal] == KEPT_PLAYER || BLOCK_KEPT[ordinal] == KEPT_STANDING;
      if (isKept && kept[index * BLOCKS + ordinal] != null) {
        ordinals |= 1 << ordinal;
      }
    }
    return ordinals;
  }

  /** The same for one observer: its own blocks come before all others, those that waited last. */
  private void composeFor(
      int index, int combination, java.util.Map<Integer, byte[][]> mine, java.util.Map<Integer, Waiting> late) {
    byte[][] itsOwn = mine.get(index);
    Waiting waited = late.get(index);
    byte[][] itsLate = waited == null ? null : waited.blocks();
    int ordinals = ordinalsOf(index, combination);
    for (int ordinal = 0; ordinal < BLOCKS; ordinal++) {
      if (itsOwn != null && itsOwn[ordinal] != null || itsLate != null && itsLate[ordinal] != null) {
        ordinals |= 1 << ordinal;
      }
    }
    // It is used at once, so it needs no place of its own.
    int end = composedLength;
    compose(index, ordinals, itsOwn, itsLate);
    composedLength = end;
  }

  private void compose(int index, int more, byte[][] itsOwn, byte[][] itsLate) {
    int ordinals = set[index] | more;
    for (int ordinal = 0; ordinal < BLOCKS; ordinal++) {
      int needed = BLOCK_NEEDS[ordinal];
      if (needed >= 0 && (ordinals & 1 << ordinal) != 0) {
        int which = keptPlace(needed);
        boolean isLacked =
            (more & 1 << needed) != 0
                || kept[index * BLOCKS + needed] == null
                || which >= 0 && contains(fresh[which], 0, index);
        ordinals &= isLacked ? ~(1 << ordinal) : -1;
      }
    }
    int flags = 0;
    for (int left = ordinals; left != 0; left &= left - 1) {
      flags |= BLOCK_FLAGS[Integer.numberOfTrailingZeros(left)];
    }
    flags |= flags > 0xffff ? THIRD_BYTE : 0;
    flags |= flags > 0xff ? SECOND_BYTE : 0;
    maskStart = composedLength;
    append(flags);
    if (flags > 0xff) {
      append(flags >> 8);
    }
    if (flags > 0xffff) {
      append(flags >> 16);
    }
    for (int left = ordinals; left != 0; left &= left - 1) {
      int ordinal = Integer.numberOfTrailingZeros(left);
      int at = index * BLOCKS + ordinal;
      byte[] bytes;
      if (itsOwn != null && itsOwn[ordinal] != null) {
        bytes = itsOwn[ordinal];
      } else if ((set[index] & 1 << ordinal) != 0) {
        bytes = blocks[at];
      } else {
        bytes = itsLate != null && itsLate[ordinal] != null ? itsLate[ordinal] : kept[at];
      }
      reserve(bytes.length);
      System.arraycopy(bytes, 0, composed, composedLength, bytes.length);
      composedLength += bytes.length;
    }
    maskLength = composedLength - maskStart;
  }

  private void append(int value) {
    reserve(1);
    composed[composedLength++] = (byte) value;
  }

  private void reserve(int count) {
    if (composedLength + count > composed.length) {
      composed = Arrays.copyOf(composed, Math.max(composedLength + count, composed.length * 2));
    }
  }

  /** The blocks of this tick that may be sent later. */
  private void takeLate(int index, byte[][] itsOwn, byte[][] into) {
    for (int ordinal = 0; ordinal < BLOCKS; ordinal++) {
      // A block kept by index stays owed until the observer has it.
      if (BLOCK_DROPS[ordinal] || BLOCK_KEPT[ordinal] == KEPT_INDEX) {
        continue;
      }
      if (itsOwn != null && itsOwn[ordinal] != null) {
        into[ordinal] = itsOwn[ordinal];
      } else if ((set[index] & 1 << ordinal) != 0) {
        into[ordinal] = blocks[index * BLOCKS + ordinal];
      }
    }
  }
}`;
