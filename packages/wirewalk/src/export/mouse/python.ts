/** The memory of the mouse stream in Python. */
export const pythonTracker = `class Suspicion(Enum):
    """Whether a pause or a wrong place is possible or certain."""

    NONE = "none"
    POSSIBLE = "possible"
    CERTAIN = "certain"


@dataclass(slots=True)
class MousePoint:
    """A record of the mouse with the place and time that the session's memory gives it."""

    record: {Record}
    # Pixels of the window, -1 outside; relative to an unknown place while it is not known.
    x: int
    y: int
    # Whether x and y are a place.
    is_known: bool
    # The pointer is outside the window, as far as is known.
    is_outside: bool
    # Milliseconds since the session's first record.
    at_ms: int
    # Milliseconds since the record before.
    since_ms: int
    # The first record of the client's process: no time has passed before it.
    is_first: bool
    # A pause of 163.84 s or more, which the time on the wire does not show.
    pause: Suspicion
    # The place may be wrong, until a record carries one.
    drift: Suspicion


_IS_ABSOLUTE = {absolute}
_HAS_WINDOW = {window}
_STARTS_OUTSIDE = {startsOutside}
_CYCLE_MS = 20
_FIRST_DT = 0x1FFF
_QUICK_CYCLES = 32
_WRAP_MS = 0x2000 * _CYCLE_MS
# By how much two packets may arrive nearer to each other than they were sent.
_EARLY_MS = 20_000


class MouseTracker:
    """A server's memory of one session: places and times out of packets that carry neither."""

    __slots__ = ("_arrived_ms", "_at_ms", "_drift", "_is_known", "_x", "_y")

    def __init__(self) -> None:
        self._at_ms = 0
        self._arrived_ms: int | None = None
        self.relogin()

    def relogin(self) -> None:
        """The same player logs in again: the place is unknown until a record carries one. Time goes on."""
        self._x = -1 if _STARTS_OUTSIDE else 0
        self._y = self._x
        self._is_known = _STARTS_OUTSIDE
        self._drift = Suspicion.NONE

    def read(self, packet: {MouseMove}, arrived_ms: int | None = None) -> list[MousePoint]:
        """Takes a packet into the memory. arrived_ms, on any clock that does not go back, gives the length of
        pauses; without it they are the shortest that the wire allows."""
        records = len(packet.records)
        residue_ms = 0 if _HAS_WINDOW else packet.average * records + packet.excess
        has_gap = arrived_ms is not None and self._arrived_ms is not None
        gap_ms = arrived_ms - self._arrived_ms if has_gap else 0
        start_ms = self._at_ms
        added_ms = cycles = untimed = 0
        points: list[MousePoint] = []
        for index, record in enumerate(packet.records):
            is_full = record.form is {Form}.FULL and not _HAS_WINDOW
            is_first = index == 0 and is_full and record.dt == _FIRST_DT
            self._move(record)
            drift = self._drift
            # The writer goes on from the coordinate that was inside, if there was one.
            if record.outside and _IS_ABSOLUTE:
                self._drift = Suspicion.POSSIBLE
            pause = Suspicion.NONE
            if is_first:
                untimed = 1
                added_ms += max(gap_ms, 0)
            else:
                cycles += record.dt
                if is_full:
                    pause = Suspicion.CERTAIN if record.dt < _QUICK_CYCLES else Suspicion.POSSIBLE
                    wraps = 1 if pause is Suspicion.CERTAIN else 0
                    if index == 0 and has_gap:
                        wraps = max(wraps, (gap_ms - record.dt * _CYCLE_MS + _EARLY_MS) // _WRAP_MS)
                    added_ms += wraps * _WRAP_MS
            timed = index + 1 - untimed
            spread_ms = 0 if timed == 0 else residue_ms * timed // (records - untimed)
            at_ms = start_ms + added_ms + _CYCLE_MS * cycles + spread_ms
            is_outside = self._is_known and (self._x < 0 or self._y < 0)
            points.append(
                MousePoint(
                    record,
                    self._x,
                    self._y,
                    self._is_known,
                    is_outside,
                    at_ms,
                    at_ms - self._at_ms,
                    is_first,
                    pause,
                    drift,
                )
            )
            self._at_ms = at_ms
        if len(packet.cut) > 0:
            self._drift = Suspicion.CERTAIN
        if arrived_ms is not None:
            self._arrived_ms = arrived_ms
        return points

    def _move(self, record: {Record}) -> None:
        is_large = record.form in ({Form}.LARGE_QUICK, {Form}.FULL)
        if record.outside or (_IS_ABSOLUTE and is_large):
            self._x = record.x
            self._y = record.y
            self._is_known = True
            self._drift = Suspicion.NONE
        else:
            self._x += record.x
            self._y += record.y`;
