/** The memory of the mouse stream in C#. */
export const csharpTracker = `/// <summary>Whether a pause or a wrong place is possible or certain.</summary>
public enum Suspicion
{
    None,
    Possible,
    Certain,
}

/// <summary>A record of the mouse with the place and time that the session's memory gives it.</summary>
public sealed class MousePoint
{
    public {Record} Record { get; internal set; }
    /// <summary>Pixels of the window, -1 outside; relative to an unknown place while it is not known.</summary>
    public int X { get; internal set; }
    public int Y { get; internal set; }
    /// <summary>Whether X and Y are a place.</summary>
    public bool IsKnown { get; internal set; }
    /// <summary>The pointer is outside the window, as far as is known.</summary>
    public bool IsOutside { get; internal set; }
    /// <summary>Milliseconds since the session's first record.</summary>
    public long AtMs { get; internal set; }
    /// <summary>Milliseconds since the record before.</summary>
    public long SinceMs { get; internal set; }
    /// <summary>The first record of the client's process: no time has passed before it.</summary>
    public bool IsFirst { get; internal set; }
    /// <summary>A pause of 163.84 s or more, which the time on the wire does not show.</summary>
    public Suspicion Pause { get; internal set; }
    /// <summary>The place may be wrong, until a record carries one.</summary>
    public Suspicion Drift { get; internal set; }
}

/// <summary>
/// A server's memory of one session: places and times out of packets that carry neither. Not for many threads at once.
/// </summary>
public sealed class MouseTracker
{
    private static readonly bool IsAbsolute = {absolute};
    private static readonly bool HasWindow = {window};
    private static readonly bool StartsOutside = {startsOutside};
    private const int CycleMs = 20;
    private const int FirstDt = 0x1fff;
    private const int QuickCycles = 32;
    private const long WrapMs = 0x2000L * CycleMs;
    // By how much two packets may arrive nearer to each other than they were sent.
    private const int EarlyMs = 20000;

    private int x;
    private int y;
    private bool isKnown;
    private Suspicion drift;
    private long atMs;
    private long? arrivedMs;

    public MouseTracker()
    {
        Relogin();
    }

    /// <summary>The same player logs in again: the place is unknown until a record carries one. Time goes on.</summary>
    public void Relogin()
    {
        x = StartsOutside ? -1 : 0;
        y = x;
        isKnown = StartsOutside;
        drift = Suspicion.None;
    }

    /// <summary>
    /// Takes a packet into the memory. The milliseconds at which it arrived, on any clock that does not go back, give the
    /// length of pauses; without them they are the shortest that the wire allows.
    /// </summary>
    public List<MousePoint> Read({MouseMove} packet, long? arrived = null)
    {
        int records = packet.Records.Count;
        long residueMs = HasWindow ? 0 : (long)packet.Average * records + packet.Excess;
        bool hasGap = arrived != null && arrivedMs != null;
        long gapMs = hasGap ? arrived.Value - arrivedMs.Value : 0;
        long startMs = atMs;
        long addedMs = 0;
        long cycles = 0;
        int untimed = 0;
        var points = new List<MousePoint>(records);
        for (int index = 0; index < records; index++)
        {
            {Record} record = packet.Records[index];
            bool isFull = record.Form == {Form}.Full && !HasWindow;
            bool isFirst = index == 0 && isFull && record.Dt == FirstDt;
            Move(record);
            var point = new MousePoint { Record = record, X = x, Y = y, IsKnown = isKnown, IsFirst = isFirst, Drift = drift };
            point.IsOutside = isKnown && (x < 0 || y < 0);
            // The writer goes on from the coordinate that was inside, if there was one.
            if (record.Outside && IsAbsolute)
            {
                drift = Suspicion.Possible;
            }
            if (isFirst)
            {
                untimed = 1;
                addedMs += Math.Max(gapMs, 0);
            }
            else
            {
                cycles += record.Dt;
                if (isFull)
                {
                    bool isCertain = record.Dt < QuickCycles;
                    point.Pause = isCertain ? Suspicion.Certain : Suspicion.Possible;
                    long wraps = isCertain ? 1 : 0;
                    if (index == 0 && hasGap)
                    {
                        wraps = Math.Max(wraps, FloorOf(gapMs - (long)record.Dt * CycleMs + EarlyMs, WrapMs));
                    }
                    addedMs += wraps * WrapMs;
                }
            }
            int timed = index + 1 - untimed;
            long spreadMs = timed == 0 ? 0 : FloorOf(residueMs * timed, records - untimed);
            point.AtMs = startMs + addedMs + CycleMs * cycles + spreadMs;
            point.SinceMs = point.AtMs - atMs;
            atMs = point.AtMs;
            points.Add(point);
        }
        if (packet.Cut.Length > 0)
        {
            drift = Suspicion.Certain;
        }
        arrivedMs = arrived ?? arrivedMs;
        return points;
    }

    private static long FloorOf(long value, long divisor)
    {
        long quotient = value / divisor;
        return value % divisor < 0 ? quotient - 1 : quotient;
    }

    private void Move({Record} record)
    {
        bool isLarge = record.Form == {Form}.LargeQuick || record.Form == {Form}.Full;
        if (record.Outside || (IsAbsolute && isLarge))
        {
            x = (int)record.X;
            y = (int)record.Y;
            isKnown = true;
            drift = Suspicion.None;
        }
        else
        {
            x += (int)record.X;
            y += (int)record.Y;
        }
    }
}`;
