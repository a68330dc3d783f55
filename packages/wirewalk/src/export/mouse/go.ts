/** The memory of the mouse stream in Go. */
export const goTracker = `// Suspicion says whether a pause or a wrong place is possible or certain.
type Suspicion uint8

const (
	SuspicionNone Suspicion = iota
	SuspicionPossible
	SuspicionCertain
)

// MousePoint is a record of the mouse with the place and time that the session's memory gives it.
type MousePoint struct {
	Record {Record}
	// Pixels of the window, -1 outside; relative to an unknown place while it is not known.
	X, Y int64
	// Whether X and Y are a place.
	IsKnown bool
	// The pointer is outside the window, as far as is known.
	IsOutside bool
	// Milliseconds since the session's first record.
	AtMs int64
	// Milliseconds since the record before.
	SinceMs int64
	// The first record of the client's process: no time has passed before it.
	IsFirst bool
	// A pause of 163.84 s or more, which the time on the wire does not show.
	Pause Suspicion
	// The place may be wrong, until a record carries one.
	Drift Suspicion
}

const (
	isAbsolute    = {absolute}
	hasWindow     = {window}
	startsOutside = {startsOutside}
	cycleMs       = 20
	firstDt       = 0x1fff
	quickCycles   = 32
	wrapMs        = 0x2000 * cycleMs
	// By how much two packets may arrive nearer to each other than they were sent.
	earlyMs = 20000
)

// MouseTracker is a server's memory of one session: places and times out of packets that carry neither. It is not for
// many goroutines at once.
type MouseTracker struct {
	x, y       int64
	isKnown    bool
	drift      Suspicion
	atMs       int64
	arrivedMs  int64
	hasArrived bool
}

// NewMouseTracker begins a session.
func NewMouseTracker() *MouseTracker {
	t := &MouseTracker{}
	t.Relogin()
	return t
}

// Relogin is called when the same player logs in again: the place is unknown until a record carries one. Time goes on.
func (t *MouseTracker) Relogin() {
	t.x, t.y, t.isKnown, t.drift = 0, 0, startsOutside, SuspicionNone
	if startsOutside {
		t.x, t.y = -1, -1
	}
}

// Read takes a packet into the memory. Pauses that the wire leaves open are the shortest that it allows.
func (t *MouseTracker) Read(packet *{MouseMove}) []MousePoint {
	return t.read(packet, 0, false)
}

// ReadAt is Read with the milliseconds at which the packet arrived, on any clock that does not go back: they give the
// length of pauses.
func (t *MouseTracker) ReadAt(packet *{MouseMove}, arrivedMs int64) []MousePoint {
	return t.read(packet, arrivedMs, true)
}

func (t *MouseTracker) read(packet *{MouseMove}, arrivedMs int64, hasArrived bool) []MousePoint {
	records := int64(len(packet.Records))
	residueMs := int64(packet.Average)*records + int64(packet.Excess)
	if hasWindow {
		residueMs = 0
	}
	hasGap := hasArrived && t.hasArrived
	gapMs := int64(0)
	if hasGap {
		gapMs = arrivedMs - t.arrivedMs
	}
	startMs, addedMs, cycles, untimed := t.atMs, int64(0), int64(0), int64(0)
	points := make([]MousePoint, 0, len(packet.Records))
	for index, record := range packet.Records {
		dt := int64(record.Dt)
		isFull := record.Form == {Form}Full && !hasWindow
		isFirst := index == 0 && isFull && dt == firstDt
		t.move(record)
		point := MousePoint{Record: record, X: t.x, Y: t.y, IsKnown: t.isKnown, IsFirst: isFirst, Drift: t.drift}
		point.IsOutside = t.isKnown && (t.x < 0 || t.y < 0)
		// The writer goes on from the coordinate that was inside, if there was one.
		if record.Outside && isAbsolute {
			t.drift = SuspicionPossible
		}
		if isFirst {
			untimed = 1
			if gapMs > 0 {
				addedMs += gapMs
			}
		} else {
			cycles += dt
			if isFull {
				point.Pause = SuspicionPossible
				wraps := int64(0)
				if dt < quickCycles {
					point.Pause = SuspicionCertain
					wraps = 1
				}
				if index == 0 && hasGap {
					if found := floorOf(gapMs-dt*cycleMs+earlyMs, wrapMs); found > wraps {
						wraps = found
					}
				}
				addedMs += wraps * wrapMs
			}
		}
		timed := int64(index) + 1 - untimed
		spreadMs := int64(0)
		if timed > 0 {
			spreadMs = floorOf(residueMs*timed, records-untimed)
		}
		point.AtMs = startMs + addedMs + cycleMs*cycles + spreadMs
		point.SinceMs = point.AtMs - t.atMs
		t.atMs = point.AtMs
		points = append(points, point)
	}
	if len(packet.Cut) > 0 {
		t.drift = SuspicionCertain
	}
	if hasArrived {
		t.arrivedMs, t.hasArrived = arrivedMs, true
	}
	return points
}

func floorOf(value, divisor int64) int64 {
	quotient := value / divisor
	if value%divisor < 0 {
		quotient--
	}
	return quotient
}

func (t *MouseTracker) move(record {Record}) {
	isLarge := record.Form == {Form}LargeQuick || record.Form == {Form}Full
	if record.Outside || (isAbsolute && isLarge) {
		t.x, t.y = int64(record.X), int64(record.Y)
		t.isKnown = true
		t.drift = SuspicionNone
	} else {
		t.x += int64(record.X)
		t.y += int64(record.Y)
	}
}`;
