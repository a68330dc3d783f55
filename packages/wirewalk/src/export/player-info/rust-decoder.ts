/**
 * The decoder of player info in Rust, as the standard has it. Names are those of `docs/protocols/osrs-player-info.md`; its sections stand
 * in comments. `L` stands for the lifetime of blocks that hold bytes of the packet.
 */
export const rustDecoder = (lifetime: string): string =>
  `/// Player slots of a world, slot 0 included, which is never a player: an index is 1..2047.
pub const SLOTS: usize = 2048;
/// The size of the client's buffer: a longer packet ends the client.
pub const MAX_PACKET_BYTES: usize = 40_000;
/// Bytes of an initialisation.
pub const INIT_BYTES: usize = 4608;

const WORLD_TILES: i32 = 16384;
const QUARTER_TILES: i32 = 8192;
const STOP_SPEED: i32 = 127;

/// Steps of a walk by direction: SW, S, SE, W, E, NW, N, NE (5.10).
const WALK_X: [i32; 8] = [-1, 0, 1, -1, 1, -1, 0, 1];
const WALK_Z: [i32; 8] = [-1, -1, -1, 0, 0, 1, 1, 1];
/// Steps of a run: the outer ring of 5 x 5 tiles, row by row from the south-west.
const RUN_X: [i32; 16] = [-2, -1, 0, 1, 2, -2, 2, -2, 2, -2, 2, -2, -1, 0, 1, 2];
const RUN_Z: [i32; 16] = [-2, -2, -2, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 2, 2, 2];

fn pack_quarter(level: i32, x: i32, z: i32) -> i32 {
    level << 28 | (x >> 13) << 14 | z >> 13
}

/// A packet was refused. Decoders give this and never panic, whatever the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What was wrong.
    pub code: Code,
    /// The field, as in \`sequence.delay\`; empty when no field was being read.
    pub path: String,
    /// Where, in bits from the start of the packet.
    pub bit_offset: usize,
    /// 1 to 4 are the passes, 0 what comes before them, 5 the masks and the end.
    pub pass: u8,
    /// The player that was read; 0 between players.
    pub index: u16,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = WireError::new(self.code, self.path.as_str(), self.bit_offset);
        write!(f, "{error}, pass {}, player {}", self.pass, self.index)
    }
}

/// How a player moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveType {
    Walk,
    Run,
    Near,
    Far,
}

/// One player's movement, as the client plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub index: u16,
    pub kind: MoveType,
    /// Where the player is now, in tiles.
    pub level: u8,
    pub x: u16,
    pub z: u16,
    /// Whether it is there at once, without a way.
    pub stops: bool,
    /// -1 and 0 crawl, 1 walk, 2 run.
    pub speed: i8,
}

/// The mask blocks of one player, in the order in which the client reads them.
#[derive(Clone, Debug, PartialEq)]
pub struct MasksL {
    pub index: u16,
    pub blocks: Vec<BlockL>,
}

/// A block that the layout allows and the client does not survive (8.8): the player and the block or its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    pub index: u16,
    pub path: &'static str,
}

/// The changes of one packet. Lists are in the order of the packet.
#[derive(Clone, Debug, PartialEq)]
pub struct UpdateL {
    /// Bits of each of the four passes, without alignment.
    pub pass_bits: [usize; 4],
    /// Bits of all masks.
    pub mask_bits: usize,
    /// Players that came into view. One that is removed and added again is in both lists.
    pub added: Vec<u16>,
    pub removed: Vec<u16>,
    pub moves: Vec<Move>,
    pub masks: Vec<MasksL>,
    pub crashes: Vec<Crash>,
}

/// What a client remembers of every player between two packets (3).
#[derive(Clone)]
struct Memory {
    x: Vec<i32>,
    z: Vec<i32>,
    level: Vec<u8>,
    quarter: Vec<i32>,
    target: Vec<i32>,
    kept_target: Vec<i32>,
    orientation: Vec<i16>,
    arriving: Vec<i16>,
    kept_orientation: Vec<i16>,
    flag: Vec<u8>,
    local: Vec<bool>,
    speed: Vec<i8>,
}

impl Memory {
    fn new() -> Self {
        Self {
            x: vec![0; SLOTS],
            z: vec![0; SLOTS],
            level: vec![0; SLOTS],
            quarter: vec![0; SLOTS],
            target: vec![0; SLOTS],
            kept_target: vec![0; SLOTS],
            orientation: vec![0; SLOTS],
            arriving: vec![0; SLOTS],
            kept_orientation: vec![0; SLOTS],
            flag: vec![0; SLOTS],
            local: vec![false; SLOTS],
            speed: vec![0; SLOTS],
        }
    }

    /// Becomes another one, in its own memory.
    fn take(&mut self, other: &Self) {
        self.x.copy_from_slice(&other.x);
        self.z.copy_from_slice(&other.z);
        self.level.copy_from_slice(&other.level);
        self.quarter.copy_from_slice(&other.quarter);
        self.target.copy_from_slice(&other.target);
        self.kept_target.copy_from_slice(&other.kept_target);
        self.orientation.copy_from_slice(&other.orientation);
        self.arriving.copy_from_slice(&other.arriving);
        self.kept_orientation.copy_from_slice(&other.kept_orientation);
        self.flag.copy_from_slice(&other.flag);
        self.local.copy_from_slice(&other.local);
        self.speed.copy_from_slice(&other.speed);
    }

    /// A player's orientation once it has arrived.
    fn facing(&self, index: usize) -> i16 {
        if self.arriving[index] == -1 { self.orientation[index] } else { self.arriving[index] }
    }

    fn appear(&mut self, index: usize, orientation: i16, target: i32) {
        self.local[index] = true;
        self.orientation[index] = orientation;
        self.arriving[index] = -1;
        self.target[index] = target;
    }
}

/// One observer's player info as its client reads it. A packet is read whole or refused, and a refused packet
/// changes nothing.
pub struct Decoder {
    memory: Memory,
    backup: Memory,
    appearances: Vec<Option<Vec<u8>>>,
    locals: Vec<u16>,
    externals: Vec<u16>,
    local_index: usize,
    scene_x: i32,
    scene_z: i32,
    drawn: Option<(i32, i32)>,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    pub fn new() -> Self {
        Self {
            memory: Memory::new(),
            backup: Memory::new(),
            appearances: vec![None; SLOTS],
            locals: Vec::new(),
            externals: Vec::new(),
            local_index: 0,
            scene_x: 0,
            scene_z: 0,
            drawn: None,
        }
    }

    /// The observer; 0 before the initialisation.
    pub fn local_index(&self) -> u16 {
        self.local_index as u16
    }

    /// Indices of the players in view, ascending.
    pub fn locals(&self) -> &[u16] {
        &self.locals
    }

    /// Whether a player is in view. An index is below \`SLOTS\`, here and in the functions below.
    pub fn is_local(&self, index: u16) -> bool {
        self.memory.local[index as usize]
    }

    /// Level, x and z of a player in view; of others where they were last seen.
    pub fn tile(&self, index: u16) -> (u8, u16, u16) {
        let index = index as usize;
        (self.memory.level[index], self.memory.x[index] as u16, self.memory.z[index] as u16)
    }

    /// Map quarter of a player out of view: level << 28 | x << 14 | z.
    pub fn quarter(&self, index: u16) -> i32 {
        self.memory.quarter[index as usize]
    }

    /// Whether the last packet skipped a player.
    pub fn is_skipped(&self, index: u16) -> bool {
        self.memory.flag[index as usize] == 1
    }

    /// The facing that the stream implies: 0 south, 512 west, 1024 north, 1536 east.
    pub fn orientation(&self, index: u16) -> i16 {
        self.memory.facing(index as usize)
    }

    /// The target of a player, or -1: an NPC's index, or a player's plus 32768 (revision 206) or 65536.
    pub fn target(&self, index: u16) -> i32 {
        self.memory.target[index as usize]
    }

    /// The kept move speed.
    pub fn speed(&self, index: u16) -> i8 {
        self.memory.speed[index as usize]
    }

    /// The appearance that the client has for an index, of whichever player.
    pub fn appearance(&self, index: u16) -> Option<&[u8]> {
        self.appearances[index as usize].as_deref()
    }

    /// The south-west tile of the part of the map that the client has loaded. Without it there is one around the observer.
    pub fn load_scene(&mut self, x: u16, z: u16) {
        self.scene_x = i32::from(x);
        self.scene_z = i32::from(z);
    }

    /// Where the observer is drawn, in units of 1/128 tile: nothing for the middle of its tile (7.2).
    pub fn set_drawn(&mut self, drawn: Option<(i32, i32)>) {
        self.drawn = drawn;
    }

    /// The initialisation (4), with the login and after a reconnect. Appearances and speeds are kept. Refused
    /// unless it has exactly 4,608 bytes and the index is one of a player.
    pub fn init(&mut self, packet: &[u8], observer: u16) -> Result<(), Refusal> {
        let mut reader = PassReader::new(self, packet);
        if packet.len() != INIT_BYTES {
            let code = if packet.len() < INIT_BYTES { Code::Truncated } else { Code::Trailing };
            return Err(reader.error(code));
        }
        let observer = usize::from(observer);
        if observer == 0 || observer >= SLOTS {
            return Err(reader.error(Code::BadValue));
        }
        let (level, x, z) = (reader.read(2, "level")?, reader.read(14, "x")?, reader.read(14, "z")?);
        let memory = &mut reader.client.memory;
        memory.flag.fill(0);
        memory.local.fill(false);
        memory.level[observer] = level as u8;
        memory.x[observer] = x;
        memory.z[observer] = z;
        memory.appear(observer, 0, -1);
        for player in 1..SLOTS {
            if player == observer {
                continue;
            }
            let level = reader.read(2, "quarters")?;
            let x = reader.read(8, "quarters")?;
            let z = reader.read(8, "quarters")?;
            let memory = &mut reader.client.memory;
            memory.quarter[player] = level << 28 | x << 14 | z;
            memory.kept_orientation[player] = 0;
            memory.kept_target[player] = -1;
        }
        self.local_index = observer;
        self.finish_lists();
        self.load_scene_around();
        Ok(())
    }

    /// Reads one packet (5).
    pub fn decode{A}(&mut self, packet: &{A_}[u8]) -> Result<UpdateL, Refusal> {
        let mut reader = PassReader::new(self, packet);
        if reader.client.local_index == 0 {
            return Err(reader.error(Code::BadState));
        }
        if packet.len() > MAX_PACKET_BYTES {
            return Err(reader.error(Code::Limit));
        }
        reader.client.backup.take(&reader.client.memory);
        let (pass_bits, mask_bits, masks) = match reader.read_all(packet) {
            Ok(read) => read,
            Err(refusal) => {
                self.memory.take(&self.backup);
                return Err(refusal);
            }
        };
        // From here on nothing can be refused any more.
        let PassReader { added, removed, mut moves, .. } = reader;
        let crashes = self.crashes_of(&masks);
        self.apply_masks(&masks, &mut moves);
        self.finish(!added.is_empty() || !removed.is_empty());
        Ok(Update { pass_bits, mask_bits, added, removed, moves, masks, crashes })
    }

    /// Whether the observer is drawn within 12 tiles of the edge of the loaded map (7.2).
    fn is_at_scene_edge(&self) -> bool {
        let at = self.local_index;
        let middle = (self.memory.x[at] * 128 + 64, self.memory.z[at] * 128 + 64);
        let (x, z) = self.drawn.unwrap_or(middle);
        let inside = 1536..104 * 128 - 1536;
        !(inside.contains(&(x - self.scene_x * 128)) && inside.contains(&(z - self.scene_z * 128)))
    }

    /// What the client could not survive, before the masks are applied (8.8).
    fn crashes_of(&self, masks: &[Masks]) -> Vec<Crash> {
        let mut crashes = Vec::new();
        for each in masks {
            let mut has = 0u32;
            for block in &each.blocks {
                let ordinal = block.ordinal();
                if let Some(path) = unmet_need(block) {
                    crashes.push(Crash { index: each.index, path });
                }
                // A block that comes in the same packet may come too late.
                let is_lacked = BLOCK_NEEDS[ordinal].is_some_and(|needed| {
                    self.appearances[usize::from(each.index)].is_none() && has & 1 << needed == 0
                });
                if is_lacked && (usize::from(each.index) == self.local_index || asks_for_name(block)) {
                    crashes.push(Crash { index: each.index, path: BLOCK_NAMES[ordinal] });
                }
                has |= 1 << ordinal;
            }
        }
        crashes
    }

    /// Speeds, targets, orientations and appearances (6.5); movements that waited get their speed (7.1).
    fn apply_masks(&mut self, masks: &[Masks], moves: &mut [Move]) {
        let mut next = vec![usize::MAX; if masks.is_empty() { 0 } else { SLOTS }];
        if !masks.is_empty() {
            for (at, each) in moves.iter().enumerate() {
                next[usize::from(each.index)] = at;
            }
        }
        for each in masks {
            let index = usize::from(each.index);
            let mut temporary = -1;
            for block in &each.blocks {
                apply(block, index, &mut self.memory, &mut self.appearances);
                temporary = temporary_speed(block).unwrap_or(temporary);
            }
            let Some(own) = moves.get_mut(next[index]).filter(|own| !own.stops) else {
                continue;
            };
            own.stops = temporary == STOP_SPEED;
            own.speed = if temporary == -1 { self.memory.speed[index] } else { temporary as i8 };
        }
    }

    /// The end of a packet (5.11).
    fn finish(&mut self, view_changed: bool) {
        for flag in &mut self.memory.flag {
            *flag >>= 1;
        }
        if view_changed {
            self.finish_lists();
        }
        let leaves = |tile: i32, start: i32| !(16..104 - 16).contains(&(tile - start));
        let (x, z) = (self.memory.x[self.local_index], self.memory.z[self.local_index]);
        if leaves(x, self.scene_x) || leaves(z, self.scene_z) {
            self.load_scene_around();
        }
    }

    fn finish_lists(&mut self) {
        self.locals.clear();
        self.externals.clear();
        for index in 1..SLOTS {
            let list = if self.memory.local[index] { &mut self.locals } else { &mut self.externals };
            list.push(index as u16);
        }
    }

    fn load_scene_around(&mut self) {
        self.scene_x = ((self.memory.x[self.local_index] >> 3) - 6) * 8;
        self.scene_z = ((self.memory.z[self.local_index] >> 3) - 6) * 8;
    }
}

/// What a packet holds: bits of the passes, bits of the masks, and these.
type ReadL = ([usize; 4], usize, Vec<MasksL>);

/// Reads one packet into a client's memory.
struct PassReader<'c, 'p> {
    client: &'c mut Decoder,
    bytes: &'p [u8],
    bit: usize,
    pass: u8,
    index: usize,
    pending: Vec<u16>,
    added: Vec<u16>,
    removed: Vec<u16>,
    moves: Vec<Move>,
}

impl<'c, 'p> PassReader<'c, 'p> {
    fn new(client: &'c mut Decoder, bytes: &'p [u8]) -> Self {
        Self {
            client,
            bytes,
            bit: 0,
            pass: 0,
            index: 0,
            pending: Vec::new(),
            added: Vec::new(),
            removed: Vec::new(),
            moves: Vec::new(),
        }
    }

    fn refusal(&self, code: Code, path: impl Into<String>, bit_offset: usize) -> Refusal {
        Refusal { code, path: path.into(), bit_offset, pass: self.pass, index: self.index as u16 }
    }

    fn error(&self, code: Code) -> Refusal {
        self.refusal(code, "", self.bit)
    }

    fn read(&mut self, width: usize, field: &str) -> Result<i32, Refusal> {
        if self.bytes.len() * 8 - self.bit < width {
            return Err(self.refusal(Code::Truncated, field, self.bit));
        }
        let mut at = self.bit >> 3;
        let used = self.bit & 7;
        let mut value = u32::from(self.bytes[at]) & 0xff >> used;
        let mut have = 8 - used;
        while have < width {
            at += 1;
            value = value << 8 | u32::from(self.bytes[at]);
            have += 8;
        }
        self.bit += width;
        Ok((value >> (have - width)) as i32)
    }

    fn read_signed(&mut self, width: usize, field: &str) -> Result<i32, Refusal> {
        Ok(self.read(width, field)? << (32 - width) >> (32 - width))
    }

    fn read_all{A}(&mut self, packet: &{A_}[u8]) -> Result<ReadL, Refusal> {
        let mut pass_bits = [0; 4];
        for pass in 1..=4 {
            self.pass = pass;
            let start = self.bit;
            self.read_pass(PASS_FLAGS[usize::from(pass) - 1], pass <= 2)?;
            pass_bits[usize::from(pass) - 1] = self.bit - start;
            if ALIGNS_PASSES || pass == 4 {
                self.bit = (self.bit + 7) & !7;
            }
        }
        let first_mask = self.bit >> 3;
        let masks = self.read_masks(packet)?;
        Ok((pass_bits, (packet.len() - first_mask) * 8, masks))
    }

    /// One pass over the players of a list whose activity flag is the pass's (5.2).
    fn read_pass(&mut self, flag: u8, is_local: bool) -> Result<(), Refusal> {
        let count = if is_local { self.client.locals.len() } else { self.client.externals.len() };
        let mut to_skip = 0;
        for at in 0..count {
            let own = if is_local { self.client.locals[at] } else { self.client.externals[at] };
            let player = usize::from(own);
            if self.client.memory.flag[player] & 1 != flag {
                continue;
            }
            if to_skip > 0 {
                self.client.memory.flag[player] |= 2;
                to_skip -= 1;
                continue;
            }
            self.index = player;
            if self.read(1, "update")? == 0 {
                self.client.memory.flag[player] |= 2;
                to_skip = self.read_skip()?;
            } else if is_local {
                self.read_local(player)?;
            } else {
                let kind = self.read(2, "type")?;
                self.read_external(player, kind, if FLAGS_ADDED { 2 } else { 0 })?;
            }
        }
        self.index = 0;
        if to_skip > 0 { Err(self.error(Code::BadLength)) } else { Ok(()) }
    }

    /// How many players after the present one are skipped too (5.3).
    fn read_skip(&mut self) -> Result<i32, Refusal> {
        match self.read(2, "skip.size")? {
            0 => Ok(0),
            1 => self.read(5, "skip.count"),
            2 => self.read(8, "skip.count"),
            _ => self.read(11, "skip.count"),
        }
    }

    /// A player in view (5.4).
    fn read_local(&mut self, player: usize) -> Result<(), Refusal> {
        let has_mask = self.read(1, "mask")? == 1;
        if has_mask {
            self.pending.push(player as u16);
        }
        let kind = self.read(2, "type")?;
        let (x, z) = (self.client.memory.x[player], self.client.memory.z[player]);
        match kind {
            0 if has_mask => Ok(()),
            0 => self.remove(player),
            1 => {
                let walk = self.read(3, "walk")? as usize;
                self.move_to(player, MoveType::Walk, 0, x + WALK_X[walk], z + WALK_Z[walk], has_mask)
            }
            2 => {
                let run = self.read(4, "run")? as usize;
                self.move_to(player, MoveType::Run, 0, x + RUN_X[run], z + RUN_Z[run], has_mask)
            }
            _ => self.read_teleport(player, x, z, has_mask),
        }
    }

    /// A teleport (5.5).
    fn read_teleport(&mut self, player: usize, x: i32, z: i32, has_mask: bool) -> Result<(), Refusal> {
        if self.read(1, "far")? == 0 {
            let level = self.read(2, "near.level")?;
            let to_x = x + self.read_signed(5, "near.x")?;
            let to_z = z + self.read_signed(5, "near.z")?;
            return self.move_to(player, MoveType::Near, level, to_x, to_z, has_mask);
        }
        let level = self.read(2, "far.level")?;
        let to_x = (x + self.read(14, "far.x")?) & (WORLD_TILES - 1);
        let to_z = (z + self.read(14, "far.z")?) & (WORLD_TILES - 1);
        self.move_to(player, MoveType::Far, level, to_x, to_z, has_mask)
    }

    fn move_to(
        &mut self,
        player: usize,
        kind: MoveType,
        levels: i32,
        x: i32,
        z: i32,
        has_mask: bool,
    ) -> Result<(), Refusal> {
        if x < 0 || z < 0 || x >= WORLD_TILES || z >= WORLD_TILES {
            return Err(self.error(Code::BadValue));
        }
        let stops = player == self.client.local_index && self.client.is_at_scene_edge();
        let memory = &mut self.client.memory;
        let level = (memory.level[player] + levels as u8) & 3;
        memory.level[player] = level;
        if let Some(facing) = orientation_of(x - memory.x[player], z - memory.z[player]) {
            memory.orientation[player] = facing;
        }
        memory.arriving[player] = -1;
        memory.x[player] = x;
        memory.z[player] = z;
        // With a mask pending the movement waits for it (7.1).
        let speed = if stops || has_mask { 0 } else { memory.speed[player] };
        self.moves.push(Move { index: player as u16, kind, level, x: x as u16, z: z as u16, stops, speed });
        Ok(())
    }

    /// A removal (5.6).
    fn remove(&mut self, player: usize) -> Result<(), Refusal> {
        if player == self.client.local_index {
            return Err(self.error(Code::BadValue));
        }
        let memory = &mut self.client.memory;
        let level = i32::from(memory.level[player]);
        memory.quarter[player] = pack_quarter(level, memory.x[player], memory.z[player]);
        memory.kept_orientation[player] = memory.facing(player);
        memory.kept_target[player] = memory.target[player];
        memory.local[player] = false;
        self.removed.push(player as u16);
        // The update that may follow is read like any external's. One that adds leaves the flag alone.
        if self.read(1, "quarterFollows")? == 0 {
            return Ok(());
        }
        let kind = self.read(2, "type")?;
        self.read_external(player, kind, 0)
    }

    /// A player out of view (5.7, 5.8).
    fn read_external(&mut self, player: usize, kind: i32, added_flag: u8) -> Result<(), Refusal> {
        if kind != 0 {
            return self.read_quarter(player, kind);
        }
        if self.read(1, "quarterFirst")? == 1 {
            let nested = self.read(2, "quarter.type")?;
            if nested == 0 {
                return Err(self.error(Code::BadValue));
            }
            self.read_quarter(player, nested)?;
        }
        let quarter = self.client.memory.quarter[player];
        let x = (quarter >> 14 & 0xff) * QUARTER_TILES + self.read(13, "x")?;
        let z = (quarter & 0xff) * QUARTER_TILES + self.read(13, "z")?;
        let has_mask = self.read(1, "mask")? == 1;
        if x >= WORLD_TILES || z >= WORLD_TILES {
            return Err(self.error(Code::BadValue));
        }
        if has_mask {
            self.pending.push(player as u16);
        }
        let memory = &mut self.client.memory;
        memory.level[player] = (quarter >> 28 & 3) as u8;
        memory.x[player] = x;
        memory.z[player] = z;
        memory.appear(player, memory.kept_orientation[player], memory.kept_target[player]);
        memory.flag[player] |= added_flag;
        self.added.push(player as u16);
        Ok(())
    }

    /// A change of map quarter (5.9).
    fn read_quarter(&mut self, player: usize, kind: i32) -> Result<(), Refusal> {
        let quarter = self.client.memory.quarter[player];
        let level = ((quarter >> 28) + self.read(2, "quarter.level")?) & 3;
        let mut x = quarter >> 14 & 0xff;
        let mut z = quarter & 0xff;
        if kind == 2 {
            let direction = self.read(3, "quarter.direction")? as usize;
            // The client does not keep these two sums within 8 bits. An add out there is refused.
            x += WALK_X[direction];
            z += WALK_Z[direction];
        } else if kind == 3 {
            x = (x + self.read(8, "quarter.x")?) & 0xff;
            z = (z + self.read(8, "quarter.z")?) & 0xff;
        }
        self.client.memory.quarter[player] = (x << 14) + z + (level << 28);
        Ok(())
    }

    /// The masks of the pending players, to the last byte (6).
    fn read_masks{A}(&mut self, packet: &{A_}[u8]) -> Result<Vec<MasksL>, Refusal> {
        self.pass = 5;
        let mut at = self.bit >> 3;
        let mut masks = Vec::with_capacity(self.pending.len());
        for place in 0..self.pending.len() {
            let index = self.pending[place];
            self.index = usize::from(index);
            let (blocks, next) = self.read_blocks(packet, at)?;
            masks.push(Masks { index, blocks });
            at = next;
        }
        self.index = 0;
        if at < packet.len() { Err(self.refusal(Code::Trailing, "", at * 8)) } else { Ok(masks) }
    }

    fn read_blocks{A}(&self, packet: &{A_}[u8], start: usize) -> Result<(Vec<BlockL>, usize), Refusal> {
        let mut at = start;
        let mut next = || {
            let byte = packet.get(at).copied();
            let place = at;
            at += 1;
            byte.map(u32::from).ok_or_else(|| self.refusal(Code::Truncated, "flags", place * 8))
        };
        let mut flags = next()?;
        if flags & SECOND_BYTE != 0 {
            flags |= next()? << 8;
        }
        if flags & THIRD_BYTE != 0 {
            flags |= next()? << 16;
        }
        let mut left = flags & !(SECOND_BYTE | THIRD_BYTE);
        let mut blocks = Vec::with_capacity(left.count_ones() as usize);
        for (ordinal, flag) in BLOCK_FLAGS.iter().enumerate() {
            if flags & flag == 0 {
                continue;
            }
            left &= !flag;
            let (block, end) = read_block(ordinal, packet, at).map_err(|error| {
                let error = error.within(BLOCK_NAMES[ordinal]);
                self.refusal(error.code, error.path, error.bit_offset)
            })?;
            blocks.push(block);
            at = end;
        }
        if left != 0 {
            return Err(self.refusal(Code::UnknownVariant, "flags", start * 8));
        }
        Ok((blocks, at))
    }
}

fn orientation_of(dx: i32, dz: i32) -> Option<i16> {
    match (dx.signum(), dz.signum()) {
        (0, 0) => None,
        (0, -1) => Some(0),
        (0, _) => Some(1024),
        (-1, -1) => Some(256),
        (-1, 0) => Some(512),
        (-1, _) => Some(768),
        (_, 1) => Some(1280),
        (_, 0) => Some(1536),
        _ => Some(1792),
    }
}`
    .replaceAll(/\b(Masks|Update|Block|Read)L\b/g, `$1${lifetime}`)
    .replaceAll("{A}", lifetime)
    .replaceAll("{A_}", lifetime === "" ? "" : "'a ");
