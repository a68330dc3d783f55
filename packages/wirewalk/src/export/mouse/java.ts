/** The memory of the mouse stream in Java. */
export const javaTracker = `/** Whether a pause or a wrong place is possible or certain. */
public enum Suspicion { NONE, POSSIBLE, CERTAIN }

/**
 * A record of the mouse with the place and time that the session's memory gives it.
 *
 * @param x Pixels of the window, -1 outside; relative to an unknown place while it is not known.
 * @param y Like x.
 * @param isKnown Whether x and y are a place.
 * @param isOutside The pointer is outside the window, as far as is known.
 * @param atMs Milliseconds since the session's first record.
 * @param sinceMs Milliseconds since the record before.
 * @param isFirst The first record of the client's process: no time has passed before it.
 * @param pause A pause of 163.84 s or more, which the time on the wire does not show.
 * @param drift The place may be wrong, until a record carries one.
 */
public record MousePoint(
    {Record} record,
    int x,
    int y,
    boolean isKnown,
    boolean isOutside,
    long atMs,
    long sinceMs,
    boolean isFirst,
    Suspicion pause,
    Suspicion drift) {}

/** A server's memory of one session: places and times out of packets that carry neither. Not for many threads at once. */
public static final class MouseTracker {
  private static final boolean IS_ABSOLUTE = {absolute};
  private static final boolean HAS_WINDOW = {window};
  private static final boolean STARTS_OUTSIDE = {startsOutside};
  private static final int CYCLE_MS = 20;
  private static final int FIRST_DT = 0x1fff;
  private static final int QUICK_CYCLES = 32;
  private static final long WRAP_MS = 0x2000L * CYCLE_MS;

  /** By how much two packets may arrive nearer to each other than they were sent. */
  private static final int EARLY_MS = 20_000;

  private int x;
  private int y;
  private boolean isKnown;
  private Suspicion drift;
  private long atMs;
  private long arrivedMs = -1;

  public MouseTracker() {
    relogin();
  }

  /** The same player logs in again: the place is unknown until a record carries one. Time goes on. */
  public void relogin() {
    x = STARTS_OUTSIDE ? -1 : 0;
    y = x;
    isKnown = STARTS_OUTSIDE;
    drift = Suspicion.NONE;
  }

  /** Takes a packet into the memory. Pauses that the wire leaves open are the shortest that it allows. */
  public List<MousePoint> read({MouseMove} packet) {
    return read(packet, -1);
  }

  /** The same with the milliseconds at which it arrived, on any clock that does not go back: they give the length of pauses. */
  public List<MousePoint> read({MouseMove} packet, long arrivedMs) {
    int records = packet.records().size();
    long residueMs = HAS_WINDOW ? 0 : (long) packet.average() * records + packet.excess();
    boolean hasGap = arrivedMs >= 0 && this.arrivedMs >= 0;
    long gapMs = hasGap ? arrivedMs - this.arrivedMs : 0;
    long startMs = atMs;
    long addedMs = 0;
    long cycles = 0;
    int untimed = 0;
    List<MousePoint> points = new ArrayList<>(records);
    for (int index = 0; index < records; index++) {
      {Record} record = packet.records().get(index);
      boolean isFull = record.form() == {Form}.FULL;
      boolean isFirst = index == 0 && !HAS_WINDOW && isFull && record.dt() == FIRST_DT;
      move(record);
      Suspicion pointDrift = drift;
      // The writer goes on from the coordinate that was inside, if there was one.
      if (record.outside() && IS_ABSOLUTE) {
        drift = Suspicion.POSSIBLE;
      }
      Suspicion pause = Suspicion.NONE;
      if (isFirst) {
        untimed = 1;
        addedMs += Math.max(gapMs, 0);
      } else {
        cycles += record.dt();
        if (isFull && !HAS_WINDOW) {
          pause = record.dt() < QUICK_CYCLES ? Suspicion.CERTAIN : Suspicion.POSSIBLE;
          long wraps = pause == Suspicion.CERTAIN ? 1 : 0;
          if (index == 0 && hasGap) {
            wraps = Math.max(wraps, Math.floorDiv(gapMs - record.dt() * CYCLE_MS + EARLY_MS, WRAP_MS));
          }
          addedMs += wraps * WRAP_MS;
        }
      }
      int timed = index + 1 - untimed;
      long spreadMs = timed == 0 ? 0 : Math.floorDiv(residueMs * timed, (long) (records - untimed));
      long nowMs = startMs + addedMs + CYCLE_MS * cycles + spreadMs;
      boolean isOutside = isKnown && (x < 0 || y < 0);
      points.add(
          new MousePoint(record, x, y, isKnown, isOutside, nowMs, nowMs - atMs, isFirst, pause, pointDrift));
      atMs = nowMs;
    }
    if (packet.cut().length > 0) {
      drift = Suspicion.CERTAIN;
    }
    if (arrivedMs >= 0) {
      this.arrivedMs = arrivedMs;
    }
    return points;
  }

  private void move({Record} record) {
    boolean isLarge = record.form() == {Form}.LARGE_QUICK || record.form() == {Form}.FULL;
    if (record.outside() || (IS_ABSOLUTE && isLarge)) {
      x = record.x();
      y = record.y();
      isKnown = true;
      drift = Suspicion.NONE;
    } else {
      x += record.x();
      y += record.y();
    }
  }
}`;
