/** The encoder of player info in Rust: a world of players, and each tick one packet for each observer. */
export const rustEncoder = `/// How an observer is shown a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    First,
    Ordinary,
    Never,
}

/// A call of the encoder was wrong: then nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// It is no index of a player, no tile of the world, or no distance and number of a view.
    OutOfRange,
    /// The slot has no player.
    NoPlayer,
    /// The slot has a player.
    Occupied,
    /// The block is the same for every observer.
    SameForAll,
    /// The block's value does not fit its fields.
    Unfit(WriteError),
    /// The client cannot use a field: its path.
    Unusable(&'static str),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange => write!(f, "the index, tile or view is out of range"),
            Self::NoPlayer => write!(f, "the slot has no player"),
            Self::Occupied => write!(f, "the slot has a player"),
            Self::SameForAll => write!(f, "the block is the same for every observer"),
            Self::Unfit(error) => write!(f, "{error}"),
            Self::Unusable(path) => write!(f, "Cannot write {path}: the client cannot use it"),
        }
    }
}

const WORDS: usize = SLOTS / 64;
const KEPT: usize = KEPT_BY_INDEX.len();
const BLOCKS: usize = BLOCK_FLAGS.len();
/// The bit of a combination for a player that comes into view; those below it are for blocks kept by index.
const ENTERING: usize = 16;
const COMBINATIONS: usize = 32;
// A view that has shrunk tries to grow once in so many ticks, into so many tenths of its limit.
const GROW_TICKS: usize = 5;
const GROW_TENTHS: i64 = 9;
// The order of players when a packet is full (8.7), in tiles of distance.
const FAR_TILES: i32 = 32;
const FIRST_TILES: i32 = 64;
const WAITED_TILES: i32 = 4;
/// Deferring a player can lengthen the skips around it by a bit at most.
const DEFERRED_BITS_BYTES: usize = 256;

type Set = [u64; WORDS];
const NOBODY: Set = [0; WORDS];
type OwnBlocks = BTreeMap<usize, Vec<u8>>;

fn include(set: &mut [u64], index: usize) {
    set[index >> 6] |= 1 << (index & 63);
}

fn exclude(set: &mut [u64], index: usize) {
    set[index >> 6] &= !(1 << (index & 63));
}

fn contains(set: &[u64], index: usize) -> bool {
    set[index >> 6] >> (index & 63) & 1 != 0
}

/// The players of a set, ascending.
fn each_of(set: &[u64], mut run: impl FnMut(usize)) {
    for (word, bits) in set.iter().enumerate() {
        let mut left = *bits;
        while left != 0 {
            run((word << 6) + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// Bits of which the first one is the highest.
#[derive(Clone, Copy, Default)]
struct Bits {
    bits: u64,
    length: u32,
}

impl Bits {
    fn of(value: u64, length: u32) -> Self {
        Self { bits: value << (64 - length), length }
    }
}

/// The packet that is written.
struct Output {
    bytes: Vec<u8>,
    held: u64,
    held_bits: u32,
}

impl Output {
    fn start(&mut self) {
        self.bytes.clear();
        self.held = 0;
        self.held_bits = 0;
    }

    /// Appends at most 56 bits.
    fn put(&mut self, Bits { bits, length }: Bits) {
        self.held |= bits >> self.held_bits;
        let used = self.held_bits + length;
        self.bytes.extend_from_slice(&self.held.to_be_bytes()[..(used >> 3) as usize]);
        self.held <<= used & 0x38;
        self.held_bits = used & 7;
    }

    fn align(&mut self) {
        if self.held_bits > 0 {
            self.bytes.push((self.held >> 56) as u8);
        }
        self.held = 0;
        self.held_bits = 0;
    }

    /// 0, two bits for the size of the number, and the number of players after the first (5.3).
    fn put_skip(&mut self, count: u32) {
        let more = count - 1;
        let (size, width) = match more {
            0 => (0, 0),
            1..=31 => (1, 5),
            32..=255 => (2, 8),
            _ => (3, 11),
        };
        self.put(Bits::of(size << width | u64::from(more), 3 + width));
    }
}

/// A player: where it is, where clients have it, and its bits in this tick.
#[derive(Clone, Copy, Default)]
struct Player {
    x: i32,
    z: i32,
    level: i32,
    /// The tile in clients that have it in view: as of the last tick.
    sent_x: i32,
    sent_z: i32,
    sent_level: i32,
    /// The map quarter that every client has for the slot while it is external.
    quarter: i32,
    present: bool,
    teleported: bool,
    hidden: bool,
    move_bits: Bits,
    quarter_bits: Bits,
    leave_bits: Bits,
    enter_bits: Bits,
    /// Blocks of this tick, a bit for each.
    set: u32,
}

/// What an observer's client has, and its packet of the last tick.
struct Observer {
    radius: i32,
    owed: bool,
    local: Set,
    flag: Set,
    /// By block kept by index: players whose present block the observer has.
    known: [Set; KEPT],
    first: Set,
    never: Set,
    choosy: bool,
    /// Blocks of this tick for it alone, and players for which its last packet had no room; by player.
    own: BTreeMap<usize, OwnBlocks>,
    has_own: bool,
    waiting: Option<BTreeMap<usize, Waiting>>,
    packet: Vec<u8>,
}

/// A player for which the last packet had no room: since when, and its blocks that may come later.
#[derive(Clone, Default)]
struct Waiting {
    since: usize,
    blocks: OwnBlocks,
}

/// What a packet says of whom.
struct Decision {
    leaves: Set,
    enters: Set,
    acts: Set,
    quarters: Set,
    pending: Set,
    local: Set,
    flag: Set,
}

/// Place and length of composed masks.
type Span = (usize, usize);

/// The mask blocks of all players.
struct MaskStore {
    blocks: Vec<Vec<u8>>,
    kept: Vec<Option<Vec<u8>>>,
    ever_kept: Vec<bool>,
    masked: Set,
    has: [Set; KEPT],
    changed: [Set; KEPT],
    /// By block kept by index: players whose value since the last tick is their first.
    fresh: [Set; KEPT],
    enter_kept: Set,
    composed: Vec<u8>,
    variants: Vec<(usize, Span)>,
}

/// The visible players, by level and along both axes.
struct Views {
    on: [Set; 4],
    x_sets: Vec<Set>,
    z_sets: Vec<Set>,
    x_rank: Vec<u16>,
    z_rank: Vec<u16>,
}

/// Player info as a server writes it: a world of up to 2047 players, and every tick one packet for each observer.
pub struct Encoder {
    view_distance: i32,
    max_locals: u32,
    ticks: usize,
    players: Vec<Player>,
    observers: Vec<Option<Box<Observer>>>,
    visible: Set,
    reused: Set,
    moved: Set,
    quarter_moved: Set,
    masks: MaskStore,
    views: Views,
    out: Output,
}

impl Encoder {
    /// \`view_distance\`: tiles along each axis, 15 in the game; 16384 or more shows everybody on the same level.
    /// \`max_locals\`: players in view at most, the observer included, 1..=2047; clients draw 250 without trouble.
    pub fn new(view_distance: u16, max_locals: u16) -> Result<Self, CallError> {
        if max_locals < 1 || usize::from(max_locals) >= SLOTS {
            return Err(CallError::OutOfRange);
        }
        Ok(Self {
            view_distance: i32::from(view_distance).min(WORLD_TILES),
            max_locals: u32::from(max_locals),
            ticks: 0,
            players: vec![Player::default(); SLOTS],
            observers: (0..SLOTS).map(|_| None).collect(),
            visible: NOBODY,
            reused: NOBODY,
            moved: NOBODY,
            quarter_moved: NOBODY,
            masks: MaskStore::new(),
            views: Views {
                on: [NOBODY; 4],
                x_sets: Vec::new(),
                z_sets: Vec::new(),
                x_rank: vec![0; WORLD_TILES as usize],
                z_rank: vec![0; WORLD_TILES as usize],
            },
            out: Output { bytes: Vec::new(), held: 0, held_bits: 0 },
        })
    }

    fn slot(&self, index: u16) -> Result<usize, CallError> {
        let slot = usize::from(index);
        if slot == 0 || slot >= SLOTS { Err(CallError::OutOfRange) } else { Ok(slot) }
    }

    fn present(&self, index: u16) -> Result<usize, CallError> {
        let slot = self.slot(index)?;
        if self.players[slot].present { Ok(slot) } else { Err(CallError::NoPlayer) }
    }

    fn tile(level: u8, x: u16, z: u16) -> Result<(i32, i32, i32), CallError> {
        let tile = (i32::from(level), i32::from(x), i32::from(z));
        if level > 3 || tile.1 >= WORLD_TILES || tile.2 >= WORLD_TILES {
            return Err(CallError::OutOfRange);
        }
        Ok(tile)
    }

    /// Whether a slot has a player.
    pub fn has(&self, index: u16) -> bool {
        self.present(index).is_ok()
    }

    /// A player enters the world. The slot's player before may have left in the same tick.
    pub fn add(&mut self, index: u16, level: u8, x: u16, z: u16) -> Result<(), CallError> {
        let slot = self.slot(index)?;
        let (level, x, z) = Self::tile(level, x, z)?;
        if self.players[slot].present {
            return Err(CallError::Occupied);
        }
        let player = &mut self.players[slot];
        player.present = true;
        player.hidden = false;
        player.teleported = false;
        (player.level, player.x, player.z) = (level, x, z);
        (player.sent_level, player.sent_x, player.sent_z) = (level, x, z);
        include(&mut self.visible, slot);
        include(&mut self.reused, slot);
        // Clients remember the blocks of the slot's player before.
        self.forget_blocks(slot);
        for ordinal in KEPT_BY_INDEX {
            let initial = BLOCK_INITIAL[ordinal].filter(|_| self.masks.ever_kept[slot * BLOCKS + ordinal]);
            if let Some(bytes) = initial {
                self.set_bytes(slot, ordinal, bytes.to_vec());
            }
        }
        Ok(())
    }

    /// A player leaves the world, and ends its observing.
    pub fn remove(&mut self, index: u16) -> Result<(), CallError> {
        let slot = self.present(index)?;
        self.observers[slot] = None;
        self.players[slot].present = false;
        exclude(&mut self.visible, slot);
        self.forget_blocks(slot);
        for observer in self.observers.iter_mut().flatten() {
            observer.own.remove(&slot);
            if let Some(waiting) = &mut observer.waiting {
                waiting.remove(&slot);
            }
            if observer.choosy {
                observer.stand(slot, Standing::Ordinary);
            }
        }
        Ok(())
    }

    fn forget_blocks(&mut self, slot: usize) {
        self.players[slot].set = 0;
        self.masks.forget(slot);
    }

    /// Moves a player on its level: by a walk or a run if it is one step away, otherwise by a teleport.
    pub fn walk(&mut self, index: u16, x: u16, z: u16) -> Result<(), CallError> {
        let slot = self.present(index)?;
        let (_, x, z) = Self::tile(0, x, z)?;
        (self.players[slot].x, self.players[slot].z) = (x, z);
        Ok(())
    }

    /// Puts a player on a tile. Clients do not walk it there, if the revision has \`temporaryMoveSpeed\`.
    pub fn teleport(&mut self, index: u16, level: u8, x: u16, z: u16) -> Result<(), CallError> {
        let slot = self.present(index)?;
        let (level, x, z) = Self::tile(level, x, z)?;
        let player = &mut self.players[slot];
        (player.level, player.x, player.z) = (level, x, z);
        player.teleported = true;
        Ok(())
    }

    /// Sets a mask block of a player for the next tick's packets. It replaces the one that was set for that tick.
    pub fn set_block(&mut self, index: u16, block: &Block) -> Result<(), CallError> {
        let slot = self.present(index)?;
        let bytes = bytes_of(block)?;
        self.set_bytes(slot, block.ordinal(), bytes);
        Ok(())
    }

    fn set_bytes(&mut self, slot: usize, ordinal: usize, bytes: Vec<u8>) {
        self.players[slot].set |= 1 << ordinal;
        self.masks.set(slot, ordinal, bytes);
    }

    /// The same for one observer, instead of the block for all: of the blocks of hits, bars and tinting.
    pub fn set_block_for(&mut self, observer: u16, index: u16, block: &Block) -> Result<(), CallError> {
        let observer = self.slot(observer)?;
        let slot = self.present(index)?;
        if !BLOCK_PER_OBSERVER[block.ordinal()] {
            return Err(CallError::SameForAll);
        }
        let bytes = bytes_of(block)?;
        if let Some(own) = &mut self.observers[observer] {
            own.has_own = true;
            own.own.entry(slot).or_default().insert(block.ordinal(), bytes);
        }
        Ok(())
    }

    /// Hides a player from all observers but itself, or shows it again.
    pub fn hide(&mut self, index: u16, is_hidden: bool) -> Result<(), CallError> {
        let slot = self.present(index)?;
        self.players[slot].hidden = is_hidden;
        if is_hidden {
            exclude(&mut self.visible, slot);
        } else {
            include(&mut self.visible, slot);
        }
        Ok(())
    }

    /// Sets how an observer is shown a player, until either leaves. Nothing happens for one that does not observe.
    pub fn set_standing(&mut self, observer: u16, index: u16, standing: Standing) -> Result<(), CallError> {
        let observer = self.present(observer)?;
        let slot = self.present(index)?;
        if observer != slot {
            if let Some(own) = &mut self.observers[observer] {
                own.stand(slot, standing);
            }
        }
        Ok(())
    }

    /// A player begins to observe, or begins again after a reconnect. Gives the initialisation: its client counts as knowing nothing.
    pub fn observe(&mut self, index: u16) -> Result<Vec<u8>, CallError> {
        let slot = self.present(index)?;
        let before = self.observers[slot].take();
        let (first, never, choosy) = before.map_or((NOBODY, NOBODY, false), |own| (own.first, own.never, own.choosy));
        let mut local = NOBODY;
        include(&mut local, slot);
        self.observers[slot] = Some(Box::new(Observer {
            radius: self.view_distance,
            owed: true,
            local,
            flag: NOBODY,
            known: [NOBODY; KEPT],
            first,
            never,
            choosy,
            own: BTreeMap::new(),
            has_own: false,
            waiting: None,
            packet: Vec::new(),
        }));
        let own = &self.players[slot];
        self.out.start();
        self.out.put(Bits::of((own.sent_level << 28 | own.sent_x << 14 | own.sent_z) as u64, 30));
        for (other, player) in self.players.iter().enumerate().skip(1) {
            if other != slot {
                let packed = player.quarter;
                let bits = (packed >> 28) << 16 | (packed >> 14 & 0xff) << 8 | packed & 0xff;
                self.out.put(Bits::of(bits as u64, 18));
            }
        }
        self.out.align();
        Ok(self.out.bytes.clone())
    }

    /// No more packets for this player.
    pub fn unobserve(&mut self, index: u16) -> Result<(), CallError> {
        let slot = self.slot(index)?;
        self.observers[slot] = None;
        Ok(())
    }

    fn observer(&self, index: u16) -> Option<&Observer> {
        self.observers.get(usize::from(index))?.as_deref()
    }

    /// Tiles at which the observer's view ends at present.
    pub fn view_distance_of(&self, observer: u16) -> Option<u16> {
        Some(self.observer(observer)?.radius as u16)
    }

    /// Whether the observer has a player in view.
    pub fn sees(&self, observer: u16, index: u16) -> bool {
        usize::from(index) < SLOTS && self.observer(observer).is_some_and(|own| contains(&own.local, usize::from(index)))
    }

    /// Players for which the last packet had no room: their masks, or they themselves, come later.
    pub fn waiting_for(&self, observer: u16) -> Vec<u16> {
        let waiting = self.observer(observer).and_then(|own| own.waiting.as_ref());
        waiting.map_or_else(Vec::new, |players| players.keys().map(|index| *index as u16).collect())
    }

    /// The observer's packet of the last tick; empty before the first.
    pub fn packet(&self, observer: u16) -> &[u8] {
        self.observer(observer).map_or(&[], |own| &own.packet)
    }

    /// One tick: makes the packets of all observers.
    pub fn tick(&mut self) {
        self.ticks += 1;
        if let Some(stop) = STOP_BLOCK {
            for slot in 1..SLOTS {
                let player = &self.players[slot];
                // Unless another speed was set.
                if player.teleported && player.present && player.set & 1 << stop == 0 {
                    self.set_bytes(slot, stop, STOP_BYTES.to_vec());
                }
            }
        }
        self.make_bits();
        self.masks.composed.clear();
        self.masks.end_standing(&self.players, &self.moved);
        self.views.sort(&self.players, &self.visible);
        for index in 1..SLOTS {
            if let Some(mut observer) = self.observers[index].take() {
                let view = self.choose_view(index, &mut observer);
                self.write_packet(index, &mut observer, view);
                self.observers[index] = Some(observer);
            }
        }
        for player in &mut self.players {
            player.teleported = false;
            if player.present {
                (player.sent_level, player.sent_x, player.sent_z) = (player.level, player.x, player.z);
                player.quarter = pack_quarter(player.level, player.x, player.z);
            }
        }
        self.reused = NOBODY;
        self.masks.end_tick(&mut self.players);
        for observer in self.observers.iter_mut().flatten() {
            observer.own.clear();
            observer.has_own = false;
        }
    }

    // --- Bits ----------------------------------------------------------------------------------------------------

    /// Makes the bits of every player in the world, and the sets of players that move or change their map quarter.
    fn make_bits(&mut self) {
        self.moved = NOBODY;
        self.quarter_moved = NOBODY;
        for (index, player) in self.players.iter_mut().enumerate().skip(1) {
            if !player.present {
                // A player who left the world leaves the view. Its quarter stays the same.
                player.leave_bits = Bits::of(0b10000, 5);
                continue;
            }
            let (dx, dz) = (player.x - player.sent_x, player.z - player.sent_z);
            let levels = (player.level - player.sent_level) & 3;
            if player.teleported || dx | dz | levels != 0 {
                include(&mut self.moved, index);
            }
            player.move_bits = movement(dx, dz, levels, player.teleported);
            let to = pack_quarter(player.level, player.x, player.z);
            let changes = player.quarter != to;
            if changes {
                include(&mut self.quarter_moved, index);
            }
            let quarter = quarter_change(player.quarter, to);
            player.quarter_bits = quarter;
            // A removal is 1000, and then an external's update or a 0.
            player.leave_bits = if changes {
                Bits { bits: 0b1000 << 60 | quarter.bits >> 4, length: quarter.length + 4 }
            } else {
                Bits::of(0b10000, 5)
            };
            let (start, length) = if changes {
                (0b100 << quarter.length | quarter.bits >> (64 - quarter.length), 3 + quarter.length)
            } else {
                (0b1000, 4)
            };
            let tile = ((player.x & (QUARTER_TILES - 1)) << 13 | player.z & (QUARTER_TILES - 1)) as u64;
            player.enter_bits = Bits::of((start << 26 | tile) << 1, length + 27);
        }
    }

    // --- Views ---------------------------------------------------------------------------------------------------

    /// The players that the observer is to have in view (8.2).
    fn choose_view(&self, index: usize, observer: &mut Observer) -> Set {
        let limit = i64::from(self.max_locals);
        let (view, count) = self.view_at(index, observer, observer.radius);
        if count > self.max_locals {
            return self.shrink(index, observer);
        }
        if observer.radius < self.view_distance {
            let side = i64::from(observer.radius) * 2 + 1;
            let fits = i64::from(count) * (side + 2) * (side + 2) * 10 <= limit * GROW_TENTHS * side * side;
            if fits || (self.ticks + index) % GROW_TICKS == 0 {
                let (wider, more) = self.view_at(index, observer, observer.radius + 1);
                if i64::from(more) * 10 <= limit * GROW_TENTHS {
                    observer.radius += 1;
                    return wider;
                }
            }
        }
        view
    }

    /// Shrinks a view to the greatest distance that fits, or to 0: one tile if that is enough, otherwise by binary search.
    fn shrink(&self, index: usize, observer: &mut Observer) -> Set {
        let mut low = 0;
        let mut high = observer.radius - 1;
        let mut middle = high;
        while low < high {
            if self.view_at(index, observer, middle).1 <= self.max_locals {
                low = middle;
            } else {
                high = middle - 1;
            }
            middle = (low + high + 1) >> 1;
        }
        observer.radius = low;
        let (view, count) = self.view_at(index, observer, low);
        if count > self.max_locals { self.crowd(index, observer, &view) } else { view }
    }

    fn view_at(&self, index: usize, observer: &Observer, distance: i32) -> (Set, u32) {
        let own = &self.players[index];
        let mut view = self.views.within(own, distance);
        include(&mut view, index);
        if observer.choosy {
            let far = self.views.within(own, self.view_distance);
            for word in 0..WORDS {
                view[word] = (view[word] | far[word] & observer.first[word]) & !observer.never[word];
            }
        }
        (view, view.iter().map(|word| word.count_ones()).sum())
    }

    /// One tile has more players than the view may hold: takes the observer, players shown first, players in
    /// view, then others by index from a start that differs by observer and tick.
    fn crowd(&self, index: usize, observer: &Observer, wanted: &Set) -> Set {
        let mut view = NOBODY;
        include(&mut view, index);
        let mut count = 1;
        let start = (index * 37 + self.ticks * 11) & (SLOTS - 1);
        for from in [&observer.first, &observer.local, wanted] {
            for step in 0..SLOTS {
                let other = (start + step) & (SLOTS - 1);
                if count >= self.max_locals {
                    break;
                }
                if contains(wanted, other) && contains(from, other) && !contains(&view, other) {
                    include(&mut view, other);
                    count += 1;
                }
            }
        }
        view
    }

    // --- Packets -------------------------------------------------------------------------------------------------

    fn write_packet(&mut self, index: usize, observer: &mut Observer, view: Set) {
        let is_ordinary = !observer.owed && !observer.has_own && observer.waiting.is_none();
        if is_ordinary {
            let decision = self.decide(index, observer, &view, &self.masks.masked);
            if self.write(observer, &decision, None).is_ok() {
                self.masks.learn(observer, &decision);
                self.accept(observer, &decision);
                return;
            }
        }
        self.write_own(index, observer, view);
    }

    /// The packet is written: the client knows what it says.
    fn accept(&mut self, observer: &mut Observer, decision: &Decision) {
        observer.local = decision.local;
        observer.flag = decision.flag;
        observer.packet.clear();
        observer.packet.extend_from_slice(&self.out.bytes);
    }

    /// Who leaves, enters, moves, has masks or changes the map quarter; and what the client knows afterwards.
    fn decide(&self, index: usize, observer: &Observer, view: &Set, with_masks: &Set) -> Decision {
        let mut own = Decision {
            leaves: NOBODY,
            enters: NOBODY,
            acts: NOBODY,
            quarters: NOBODY,
            pending: NOBODY,
            local: NOBODY,
            flag: NOBODY,
        };
        let mut reused = self.reused;
        // A new player of a slot is new to all observers but itself.
        exclude(&mut reused, index);
        for word in 0..WORDS {
            let is_local = observer.local[word];
            let sees = view[word];
            let stay = is_local & sees & !reused[word];
            let leaving = is_local & !stay;
            let entering = sees & !is_local;
            // The slot has a new player in view: one packet removes the old one and adds the new one.
            let returning = leaving & sees;
            let changing = self.quarter_moved[word] & !is_local & !entering;
            let acting = stay & (self.moved[word] | with_masks[word]);
            own.leaves[word] = leaving;
            own.enters[word] = entering | returning;
            own.acts[word] = acting;
            own.quarters[word] = changing;
            own.local[word] = stay | entering | returning;
            own.flag[word] = !(leaving | acting | entering | changing) | if FLAGS_ADDED { entering } else { 0 };
            let mut lacks = self.masks.enter_kept[word];
            for which in 0..KEPT {
                lacks |= self.masks.has[which][word] & !observer.known[which][word];
            }
            own.pending[word] = own.local[word] & with_masks[word] | entering & lacks;
        }
        own
    }

    /// Writes a packet into \`out\`. Where it would be over the limit: how many bytes its passes have.
    fn write(
        &mut self,
        observer: &Observer,
        decision: &Decision,
        own: Option<&BTreeMap<usize, Waiting>>,
    ) -> Result<(), usize> {
        self.out.start();
        for pass in 0..4 {
            self.write_pass(observer, decision, pass);
            if ALIGNS_PASSES || pass == 3 {
                self.out.align();
            }
        }
        let pass_bytes = self.out.bytes.len();
        for pass in 0..4 {
            for word in 0..WORDS {
                let mut left = decision.pending[word] & members_of(observer, pass, word);
                while left != 0 {
                    let index = (word << 6) + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let (start, length) = self.compose_for(index, observer, decision, own);
                    if length > MAX_PACKET_BYTES - self.out.bytes.len() {
                        return Err(pass_bytes);
                    }
                    self.out.bytes.extend_from_slice(&self.masks.composed[start..start + length]);
                    if own.is_some() {
                        self.masks.composed.truncate(start);
                    }
                }
            }
        }
        Ok(())
    }

    /// The masks of a player for an observer: those for all, or with its own blocks and those that waited.
    fn compose_for(
        &mut self,
        index: usize,
        observer: &Observer,
        decision: &Decision,
        own: Option<&BTreeMap<usize, Waiting>>,
    ) -> Span {
        let combination = self.masks.combination_of(observer, index, contains(&decision.enters, index));
        let set = self.players[index].set;
        match own {
            None => self.masks.variant(index, set, combination, self.ticks),
            Some(late) => {
                let its_own = observer.own.get(&index);
                let its_late = late.get(&index).map(|waiting| &waiting.blocks);
                self.masks.compose_own(index, set, combination, its_own, its_late)
            }
        }
    }

    fn write_pass(&mut self, observer: &Observer, decision: &Decision, pass: usize) {
        let mut run = 0;
        for word in 0..WORDS {
            let mut members = members_of(observer, pass, word);
            if members == 0 {
                continue;
            }
            let acting = decision.leaves[word] | decision.enters[word] | decision.acts[word];
            let mut events = members & (acting | decision.quarters[word]);
            while events != 0 {
                let low = events & events.wrapping_neg();
                events &= events - 1;
                run += (members & (low - 1)).count_ones();
                members &= !(low | (low - 1));
                if run > 0 {
                    self.out.put_skip(run);
                    run = 0;
                }
                self.write_player(decision, word, low);
            }
            run += members.count_ones();
        }
        if run > 0 {
            self.out.put_skip(run);
        }
    }

    fn write_player(&mut self, decision: &Decision, word: usize, low: u64) {
        let player = &self.players[(word << 6) + low.trailing_zeros() as usize];
        let mask = u64::from(decision.pending[word] & low != 0);
        let is_leaving = decision.leaves[word] & low != 0;
        if decision.acts[word] & low != 0 {
            let Bits { bits, length } = player.move_bits;
            self.out.put(Bits { bits: bits | mask << 62, length });
        } else if decision.enters[word] & low != 0 {
            if is_leaving {
                self.out.put(Bits::of(0b1000, 4));
            }
            let Bits { bits, length } = player.enter_bits;
            self.out.put(Bits { bits: bits | mask << (64 - length), length });
        } else if is_leaving {
            self.out.put(player.leave_bits);
        } else {
            self.out.put(player.quarter_bits);
        }
    }

    /// A packet that only this observer gets: with blocks for it alone, blocks that it is owed, or without room for all.
    fn write_own(&mut self, index: usize, observer: &mut Observer, mut view: Set) {
        let late = observer.waiting.take().unwrap_or_default();
        let mut with_masks = self.masks.masked;
        for word in 0..WORDS {
            for which in 0..KEPT {
                let lacks = self.masks.has[which][word] & !observer.known[which][word];
                with_masks[word] |= lacks & observer.local[word];
            }
        }
        for player in observer.own.keys() {
            include(&mut with_masks, *player);
        }
        for (player, waiting) in &late {
            if !waiting.blocks.is_empty() {
                include(&mut with_masks, *player);
            }
        }
        let decision = self.decide(index, observer, &view, &with_masks);
        match self.write(observer, &decision, Some(&late)) {
            Ok(()) => {
                observer.owed = false;
                self.masks.learn_own(observer, &decision, &NOBODY);
                self.accept(observer, &decision);
            }
            Err(pass_bytes) => {
                let deferred = self.defer(index, observer, &decision, &late, pass_bytes);
                let mut waits = NOBODY;
                for player in deferred.keys() {
                    include(&mut waits, *player);
                    exclude(&mut with_masks, *player);
                    if contains(&decision.enters, *player) {
                        exclude(&mut view, *player);
                    }
                }
                let decision = self.decide(index, observer, &view, &with_masks);
                // Its size was known: it fits.
                let _ = self.write(observer, &decision, Some(&late));
                observer.waiting = Some(deferred);
                observer.owed = true;
                self.masks.learn_own(observer, &decision, &waits);
                self.accept(observer, &decision);
            }
        }
    }

    /// Masks wait, and players who would come into view with a mask wait too, so that the rest fits (8.7).
    fn defer(
        &mut self,
        index: usize,
        observer: &Observer,
        decision: &Decision,
        late: &BTreeMap<usize, Waiting>,
        pass_bytes: usize,
    ) -> BTreeMap<usize, Waiting> {
        let mut pending = Vec::new();
        each_of(&decision.pending, |player| pending.push(player));
        let mut candidates = Vec::with_capacity(pending.len());
        for player in pending {
            let (start, length) = self.compose_for(player, observer, decision, Some(late));
            self.masks.composed.truncate(start);
            candidates.push((self.points_of(index, player, observer, late), player, length));
        }
        candidates.sort_unstable();
        let mut room = MAX_PACKET_BYTES - pass_bytes - DEFERRED_BITS_BYTES;
        let mut deferred = BTreeMap::new();
        for (_, player, length) in candidates {
            if length <= room {
                room -= length;
                continue;
            }
            let before = late.get(&player);
            let mut blocks = OwnBlocks::new();
            if !contains(&decision.enters, player) {
                blocks = before.map_or_else(OwnBlocks::new, |waiting| waiting.blocks.clone());
                self.masks.take_late(player, self.players[player].set, observer.own.get(&player), &mut blocks);
            }
            deferred.insert(player, Waiting { since: before.map_or(self.ticks, |waiting| waiting.since), blocks });
        }
        deferred
    }

    fn points_of(&self, index: usize, player: usize, observer: &Observer, late: &BTreeMap<usize, Waiting>) -> i32 {
        let (own, other) = (&self.players[index], &self.players[player]);
        let distance = (other.x - own.x).abs().max((other.z - own.z).abs());
        let waited = late.get(&player).map_or(0, |waiting| self.ticks - waiting.since);
        let is_first = player == index || contains(&observer.first, player);
        distance.min(FAR_TILES) - if is_first { FIRST_TILES } else { 0 } - waited as i32 * WAITED_TILES
    }
}

/// The players of a pass (5.2), of one word.
fn members_of(observer: &Observer, pass: usize, word: usize) -> u64 {
    let side = if pass < 2 { observer.local[word] } else { !observer.local[word] };
    let flagged = if PASS_FLAGS[pass] == 1 { observer.flag[word] } else { !observer.flag[word] };
    // Slot 0 is never a player.
    side & flagged & if word == 0 { !1 } else { !0 }
}

fn movement(dx: i32, dz: i32, levels: i32, jumps: bool) -> Bits {
    let is_step = !jumps && levels == 0;
    if is_step && dx == 0 && dz == 0 {
        // It has masks: 1, mask, 00.
        return Bits::of(0b1000, 4);
    }
    let direction = |xs: &[i32], zs: &[i32]| xs.iter().zip(zs).position(|(x, z)| *x == dx && *z == dz);
    if is_step {
        if let Some(walk) = direction(&WALK_X, &WALK_Z) {
            return Bits::of(0b1001 << 3 | walk as u64, 7);
        }
        if let Some(run) = direction(&RUN_X, &RUN_Z) {
            return Bits::of(0b1010 << 4 | run as u64, 8);
        }
    }
    let near = -16..16;
    if near.contains(&dx) && near.contains(&dz) {
        return Bits::of(0b10110 << 12 | (levels << 10 | (dx & 31) << 5 | dz & 31) as u64, 17);
    }
    let tiles = (dx & (WORLD_TILES - 1)) << 14 | dz & (WORLD_TILES - 1);
    Bits::of((0b10111 << 2 | levels as u64) << 28 | tiles as u64, 35)
}

fn quarter_change(from: i32, to: i32) -> Bits {
    let levels = (((to >> 28) - (from >> 28)) & 3) as u64;
    let dx = (to >> 14 & 0xff) - (from >> 14 & 0xff);
    let dz = (to & 0xff) - (from & 0xff);
    if dx == 0 && dz == 0 {
        return Bits::of(0b101 << 2 | levels, 5);
    }
    match WALK_X.iter().zip(WALK_Z).position(|(x, z)| *x == dx && z == dz) {
        Some(step) => Bits::of(0b110 << 5 | levels << 3 | step as u64, 8),
        None => Bits::of(0b111 << 18 | levels << 16 | ((dx & 0xff) << 8 | dz & 0xff) as u64, 21),
    }
}

fn bytes_of(block: &Block) -> Result<Vec<u8>, CallError> {
    let mut bytes = vec![0; block.size().map_err(CallError::Unfit)?];
    block.write(&mut bytes).map_err(CallError::Unfit)?;
    unmet_need(block).map_or(Ok(bytes), |path| Err(CallError::Unusable(path)))
}

/// The number of a block among those kept by index.
fn kept_place(ordinal: usize) -> Option<usize> {
    KEPT_BY_INDEX.iter().position(|each| *each == ordinal)
}

impl Observer {
    fn stand(&mut self, index: usize, standing: Standing) {
        exclude(&mut self.first, index);
        exclude(&mut self.never, index);
        match standing {
            Standing::First => include(&mut self.first, index),
            Standing::Never => include(&mut self.never, index),
            Standing::Ordinary => {}
        }
        self.choosy = self.first.iter().chain(&self.never).any(|word| *word != 0);
    }
}

impl Views {
    /// Sorts the visible players along both axes.
    fn sort(&mut self, players: &[Player], visible: &Set) {
        self.on = [NOBODY; 4];
        let mut indices = Vec::new();
        each_of(visible, |index| {
            include(&mut self.on[players[index].level as usize & 3], index);
            indices.push(index);
        });
        sort_along(&mut indices, |index| players[index].x as usize, &mut self.x_sets, &mut self.x_rank);
        sort_along(&mut indices, |index| players[index].z as usize, &mut self.z_sets, &mut self.z_rank);
    }

    /// Visible players of a player's level within a distance.
    fn within(&self, own: &Player, distance: i32) -> Set {
        let mut view = self.on[own.level as usize & 3];
        if distance >= WORLD_TILES {
            return view;
        }
        let west = set_before(&self.x_sets, &self.x_rank, own.x - distance - 1);
        let east = set_before(&self.x_sets, &self.x_rank, own.x + distance);
        let south = set_before(&self.z_sets, &self.z_rank, own.z - distance - 1);
        let north = set_before(&self.z_sets, &self.z_rank, own.z + distance);
        for word in 0..WORDS {
            view[word] &= east[word] & !west[word] & north[word] & !south[word];
        }
        view
    }
}

/// Entry n of the sets holds the players with one of the n smallest coordinates.
fn sort_along(indices: &mut [usize], at: impl Fn(usize) -> usize, sets: &mut Vec<Set>, rank: &mut [u16]) {
    indices.sort_unstable_by_key(|index| at(*index));
    sets.clear();
    sets.push(NOBODY);
    let mut tile = 0;
    for index in indices.iter() {
        let own = at(*index);
        let mut set = *sets.last().unwrap_or(&NOBODY);
        if own >= tile {
            rank[tile..own].fill(sets.len() as u16 - 1);
            tile = own + 1;
            include(&mut set, *index);
            sets.push(set);
            rank[own] = sets.len() as u16 - 1;
        } else if let Some(last) = sets.last_mut() {
            include(last, *index);
        }
    }
    rank[tile..].fill(sets.len() as u16 - 1);
}

fn set_before<'s>(sets: &'s [Set], rank: &[u16], coordinate: i32) -> &'s Set {
    if coordinate < 0 {
        return &NOBODY;
    }
    &sets[usize::from(rank[coordinate.min(WORLD_TILES - 1) as usize])]
}

impl MaskStore {
    fn new() -> Self {
        Self {
            blocks: vec![Vec::new(); SLOTS * BLOCKS],
            kept: vec![None; SLOTS * BLOCKS],
            ever_kept: vec![false; SLOTS * BLOCKS],
            masked: NOBODY,
            has: [NOBODY; KEPT],
            changed: [NOBODY; KEPT],
            fresh: [NOBODY; KEPT],
            enter_kept: NOBODY,
            composed: Vec::new(),
            variants: vec![(0, (0, 0)); SLOTS * COMBINATIONS],
        }
    }

    fn set(&mut self, index: usize, ordinal: usize, bytes: Vec<u8>) {
        let at = index * BLOCKS + ordinal;
        include(&mut self.masked, index);
        if BLOCK_KEPT[ordinal] != Keeping::Tick {
            let is_first = self.kept[at].is_none();
            self.kept[at] = Some(bytes.clone());
            self.ever_kept[at] = true;
            match kept_place(ordinal) {
                None => include(&mut self.enter_kept, index),
                Some(which) => {
                    if is_first {
                        include(&mut self.fresh[which], index);
                    }
                    include(&mut self.has[which], index);
                    include(&mut self.changed[which], index);
                }
            }
        }
        self.blocks[at] = bytes;
    }

    /// A player has left.
    fn forget(&mut self, index: usize) {
        exclude(&mut self.masked, index);
        exclude(&mut self.enter_kept, index);
        for set in self.has.iter_mut().chain(&mut self.fresh) {
            exclude(set, index);
        }
        self.kept[index * BLOCKS..(index + 1) * BLOCKS].fill(None);
    }

    /// Blocks that hold while a player stands end when it moves, unless they were set in the same tick.
    fn end_standing(&mut self, players: &[Player], moved: &Set) {
        let mut both = *moved;
        for word in 0..WORDS {
            both[word] &= self.enter_kept[word];
        }
        each_of(&both, |index| {
            let mut is_left = false;
            for ordinal in 0..BLOCKS {
                let kept = &mut self.kept[index * BLOCKS + ordinal];
                if kept.is_none() {
                    continue;
                }
                if BLOCK_KEPT[ordinal] == Keeping::Standing && players[index].set & 1 << ordinal == 0 {
                    *kept = None;
                } else if BLOCK_KEPT[ordinal] != Keeping::Index {
                    is_left = true;
                }
            }
            if !is_left {
                exclude(&mut self.enter_kept, index);
            }
        });
    }

    /// The end of a tick: what needed a block that came with it for the first time comes a tick later.
    fn end_tick(&mut self, players: &mut [Player]) {
        self.masked = NOBODY;
        for (index, player) in players.iter_mut().enumerate() {
            let mut left = 0;
            for ordinal in 0..BLOCKS {
                let which = BLOCK_NEEDS[ordinal].and_then(kept_place);
                if player.set & 1 << ordinal != 0 && which.is_some_and(|own| contains(&self.fresh[own], index)) {
                    left |= 1 << ordinal;
                }
            }
            player.set = left;
            if left != 0 {
                include(&mut self.masked, index);
            }
        }
        self.changed = [NOBODY; KEPT];
        self.fresh = [NOBODY; KEPT];
    }

    /// The blocks of a player that an observer lacks beside those of this tick.
    fn combination_of(&self, observer: &Observer, index: usize, is_entering: bool) -> usize {
        let mut combination = if is_entering && contains(&self.enter_kept, index) { ENTERING } else { 0 };
        for which in 0..KEPT {
            if contains(&self.has[which], index) && !contains(&observer.known[which], index) {
                combination |= 1 << which;
            }
        }
        combination
    }

    /// After a packet with the blocks for all: the observer has the kept blocks of all players in view.
    fn learn(&self, observer: &mut Observer, decision: &Decision) {
        for which in 0..KEPT {
            for word in 0..WORDS {
                let entering = decision.local[word] & !observer.local[word];
                let news = self.changed[which][word];
                let sent = (entering | decision.local[word] & news) & self.has[which][word];
                let knows = &mut observer.known[which][word];
                *knows = *knows & !news | sent;
            }
        }
    }

    /// The same after a packet for this observer alone: it may have brought what the observer was owed.
    fn learn_own(&self, observer: &mut Observer, decision: &Decision, waits: &Set) {
        for which in 0..KEPT {
            for word in 0..WORDS {
                let sent = decision.local[word] & !waits[word] & self.has[which][word];
                let knows = &mut observer.known[which][word];
                *knows = *knows & !self.changed[which][word] | sent;
            }
        }
    }

    /// Composes the masks of a player with more blocks than those of this tick, once for all observers.
    fn variant(&mut self, index: usize, set: u32, combination: usize, tick: usize) -> Span {
        let at = index * COMBINATIONS + combination;
        if self.variants[at].0 != tick {
            let ordinals = self.ordinals_of(index, combination);
            self.variants[at] = (tick, self.compose(index, set, ordinals, None, None));
        }
        self.variants[at].1
    }

    fn ordinals_of(&self, index: usize, combination: usize) -> u32 {
        let mut ordinals = 0;
        for (which, ordinal) in KEPT_BY_INDEX.iter().enumerate() {
            ordinals |= (combination as u32 >> which & 1) << ordinal;
        }
        if combination & ENTERING != 0 {
            for ordinal in 0..BLOCKS {
                let is_kept = matches!(BLOCK_KEPT[ordinal], Keeping::Player | Keeping::Standing);
                if is_kept && self.kept[index * BLOCKS + ordinal].is_some() {
                    ordinals |= 1 << ordinal;
                }
            }
        }
        ordinals
    }

    /// The same for one observer: its own blocks come before all others, those that waited last.
    fn compose_own(
        &mut self,
        index: usize,
        set: u32,
        combination: usize,
        own: Option<&OwnBlocks>,
        late: Option<&OwnBlocks>,
    ) -> Span {
        let mut ordinals = self.ordinals_of(index, combination);
        for ordinal in own.into_iter().chain(late).flat_map(|blocks| blocks.keys()) {
            ordinals |= 1 << ordinal;
        }
        self.compose(index, set, ordinals, own, late)
    }

    fn compose(
        &mut self,
        index: usize,
        set: u32,
        more: u32,
        own: Option<&OwnBlocks>,
        late: Option<&OwnBlocks>,
    ) -> Span {
        let mut ordinals = set | more;
        for (ordinal, needs) in BLOCK_NEEDS.iter().enumerate() {
            let Some(needed) = *needs else { continue };
            let is_lacked = more & 1 << needed != 0
                || self.kept[index * BLOCKS + needed].is_none()
                || kept_place(needed).is_some_and(|which| contains(&self.fresh[which], index));
            if is_lacked {
                ordinals &= !(1 << ordinal);
            }
        }
        let has = |ordinal: usize| ordinals & 1 << ordinal != 0;
        let mut flags = 0;
        for (ordinal, flag) in BLOCK_FLAGS.iter().enumerate() {
            flags |= if has(ordinal) { *flag } else { 0 };
        }
        flags |= if flags > 0xffff { THIRD_BYTE } else { 0 };
        flags |= if flags > 0xff { SECOND_BYTE } else { 0 };
        let start = self.composed.len();
        self.composed.push(flags as u8);
        if flags > 0xff {
            self.composed.push((flags >> 8) as u8);
        }
        if flags > 0xffff {
            self.composed.push((flags >> 16) as u8);
        }
        for ordinal in 0..BLOCKS {
            if !has(ordinal) {
                continue;
            }
            let at = index * BLOCKS + ordinal;
            let bytes = match own.and_then(|blocks| blocks.get(&ordinal)) {
                Some(bytes) => Some(bytes),
                None if set & 1 << ordinal != 0 => Some(&self.blocks[at]),
                None => late.and_then(|blocks| blocks.get(&ordinal)).or(self.kept[at].as_ref()),
            };
            self.composed.extend_from_slice(bytes.map_or(&[], |own| own));
        }
        (start, self.composed.len() - start)
    }

    /// The blocks of this tick that may be sent later.
    fn take_late(&self, index: usize, set: u32, own: Option<&OwnBlocks>, into: &mut OwnBlocks) {
        for ordinal in 0..BLOCKS {
            // A block kept by index stays owed until the observer has it.
            if BLOCK_DROPS[ordinal] || BLOCK_KEPT[ordinal] == Keeping::Index {
                continue;
            }
            if let Some(bytes) = own.and_then(|blocks| blocks.get(&ordinal)) {
                into.insert(ordinal, bytes.clone());
            } else if set & 1 << ordinal != 0 {
                into.insert(ordinal, self.blocks[index * BLOCKS + ordinal].clone());
            }
        }
    }
}`;
