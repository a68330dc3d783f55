/** The memory of the mouse stream in Rust. */
export const rustTracker = `/// Whether a pause or a wrong place is possible or certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspicion {
    None,
    Possible,
    Certain,
}

/// A record of the mouse with the place and time that the session's memory gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct MousePoint {
    pub record: {Record},
    /// Pixels of the window, -1 outside; relative to an unknown place while it is not known.
    pub x: i64,
    pub y: i64,
    /// Whether x and y are a place.
    pub is_known: bool,
    /// The pointer is outside the window, as far as is known.
    pub is_outside: bool,
    /// Milliseconds since the session's first record.
    pub at_ms: i64,
    /// Milliseconds since the record before.
    pub since_ms: i64,
    /// The first record of the client's process: no time has passed before it.
    pub is_first: bool,
    /// A pause of 163.84 s or more, which the time on the wire does not show.
    pub pause: Suspicion,
    /// The place may be wrong, until a record carries one.
    pub drift: Suspicion,
}

const IS_ABSOLUTE: bool = {absolute};
const HAS_WINDOW: bool = {window};
const STARTS_OUTSIDE: bool = {startsOutside};
const CYCLE_MS: i64 = 20;
const FIRST_DT: i64 = 0x1fff;
const QUICK_CYCLES: i64 = 32;
const WRAP_MS: i64 = 0x2000 * CYCLE_MS;
/// By how much two packets may arrive nearer to each other than they were sent.
const EARLY_MS: i64 = 20_000;

/// A server's memory of one session: places and times out of packets that carry neither.
#[derive(Clone, Debug)]
pub struct MouseTracker {
    x: i64,
    y: i64,
    is_known: bool,
    drift: Suspicion,
    at_ms: i64,
    arrived_ms: Option<u32>,
}

impl Default for MouseTracker {
    fn default() -> Self {
        Self::new()
    }
}

impl MouseTracker {
    pub fn new() -> Self {
        let at = if STARTS_OUTSIDE { -1 } else { 0 };
        Self { x: at, y: at, is_known: STARTS_OUTSIDE, drift: Suspicion::None, at_ms: 0, arrived_ms: None }
    }

    /// The same player logs in again: the place is unknown until a record carries one. Time goes on.
    pub fn relogin(&mut self) {
        *self = Self { at_ms: self.at_ms, arrived_ms: self.arrived_ms, ..Self::new() };
    }

    /// Takes a packet into the memory. \`arrived_ms\`, on any clock that does not go back, gives the length of
    /// pauses; without it they are the shortest that the wire allows.
    pub fn read(&mut self, packet: &{MouseMove}, arrived_ms: Option<u32>) -> Vec<MousePoint> {
        let records = packet.records.len() as i64;
        let residue = i64::from(packet.average) * records + i64::from(packet.excess);
        let residue_ms = if HAS_WINDOW { 0 } else { residue };
        let gap_ms = arrived_ms.zip(self.arrived_ms).map(|(now, before)| i64::from(now) - i64::from(before));
        let start_ms = self.at_ms;
        let mut added_ms = 0;
        let mut cycles = 0;
        let mut untimed = 0;
        let mut points = Vec::with_capacity(packet.records.len());
        for (index, record) in packet.records.iter().enumerate() {
            let dt = i64::from(record.dt);
            let is_full = record.form == {Form}::Full && !HAS_WINDOW;
            let is_first = index == 0 && is_full && dt == FIRST_DT;
            self.go(record);
            let drift = self.drift;
            // The writer goes on from the coordinate that was inside, if there was one.
            if record.outside && IS_ABSOLUTE {
                self.drift = Suspicion::Possible;
            }
            let mut pause = Suspicion::None;
            if is_first {
                untimed = 1;
                added_ms += gap_ms.unwrap_or(0).max(0);
            } else {
                cycles += dt;
                if is_full {
                    pause = if dt < QUICK_CYCLES { Suspicion::Certain } else { Suspicion::Possible };
                    let mut wraps = if dt < QUICK_CYCLES { 1 } else { 0 };
                    if let Some(gap) = gap_ms.filter(|_| index == 0) {
                        wraps = wraps.max((gap - dt * CYCLE_MS + EARLY_MS).div_euclid(WRAP_MS));
                    }
                    added_ms += wraps * WRAP_MS;
                }
            }
            let timed = index as i64 + 1 - untimed;
            let spread_ms = if timed == 0 { 0 } else { (residue_ms * timed).div_euclid(records - untimed) };
            let at_ms = start_ms + added_ms + CYCLE_MS * cycles + spread_ms;
            points.push(MousePoint {
                record: record.clone(),
                x: self.x,
                y: self.y,
                is_known: self.is_known,
                is_outside: self.is_known && (self.x < 0 || self.y < 0),
                at_ms,
                since_ms: at_ms - self.at_ms,
                is_first,
                pause,
                drift,
            });
            self.at_ms = at_ms;
        }
        if !packet.cut.is_empty() {
            self.drift = Suspicion::Certain;
        }
        self.arrived_ms = arrived_ms.or(self.arrived_ms);
        points
    }

    fn go(&mut self, record: &{Record}) {
        let is_large = matches!(record.form, {Form}::LargeQuick | {Form}::Full);
        if record.outside || (IS_ABSOLUTE && is_large) {
            self.x = i64::from(record.x);
            self.y = i64::from(record.y);
            self.is_known = true;
            self.drift = Suspicion::None;
        } else {
            self.x += i64::from(record.x);
            self.y += i64::from(record.y);
        }
    }
}`;
