/** The program of the proof of player info in Rust: see `tools/proof/README.md` for its commands. */
import { Lines } from "../../compile/lines.ts";
import { printJson } from "../../compile/rust/driver.ts";
import { blocksOf, type PlayerInfoSource } from "./passes.ts";

/** The text of the program for a file. */
export function rustDriver(module: string, source: PlayerInfoSource): string {
  const lines = new Lines(0, "    ");
  lines.add("#![allow(dead_code, unused_variables, unused_parens)]", `#[path = "${module}.rs"]`, "mod codec;", "");
  lines.add("use codec::*;", "use std::collections::{BTreeSet, HashMap};", "use std::io::{self, Read, Write};");
  lines.add("use std::time::Instant;");
  printJson(source.dialect, [["Block", blocksOf(source).map(({ message }) => message)]], lines);
  lines.list.push(...program.split("\n"));
  return lines.toString();
}

const program = `
/// Nanoseconds of the processor that this thread has had, where the system says so.
fn cpu_ns(start: Instant) -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let own = text.split(' ').next().and_then(|number| number.parse().ok());
    own.unwrap_or_else(|| start.elapsed().as_nanos() as u64)
}

/// The fields of a command.
struct Fields<'f>(&'f [u8]);

impl<'f> Fields<'f> {
    fn take(&mut self, count: usize) -> &'f [u8] {
        let (own, rest) = self.0.split_at(count);
        self.0 = rest;
        own
    }

    fn u8(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn u16(&mut self) -> u16 {
        u16::from_be_bytes(self.take(2).try_into().unwrap())
    }

    fn u32(&mut self) -> u32 {
        u32::from_be_bytes(self.take(4).try_into().unwrap())
    }
}

fn hash_of(bytes: &[u8]) -> i32 {
    bytes.iter().fold(0x811c_9dc5_u32 as i32, |hash, byte| mixed(hash, i32::from(*byte)))
}

fn mixed(hash: i32, value: i32) -> i32 {
    (hash ^ value).wrapping_mul(16_777_619)
}

fn refused(own: &Refusal) -> Vec<u8> {
    let text = format!("{} {} {} {} {}", own.code.text(), own.path, own.bit_offset, own.pass, own.index);
    [&[1], text.as_bytes()].concat()
}

struct World {
    start: Instant,
    encoder: Encoder,
    decoders: HashMap<u16, Decoder>,
    observers: BTreeSet<u16>,
    encode_ns: u64,
    decode_ns: u64,
}

impl World {
    fn run(&mut self, command: u8, mut f: Fields) -> Option<Vec<u8>> {
        let encoder = &mut self.encoder;
        match command {
            0 => {
                let distance = f.u32() as u16;
                *encoder = Encoder::new(distance, f.u32() as u16).unwrap();
                self.decoders.clear();
                self.observers.clear();
            }
            1 => encoder.add(f.u16(), f.u8(), f.u16(), f.u16()).unwrap(),
            2 => {
                let index = f.u16();
                encoder.remove(index).unwrap();
                self.observers.remove(&index);
            }
            3 => encoder.walk(f.u16(), f.u16(), f.u16()).unwrap(),
            4 => encoder.teleport(f.u16(), f.u8(), f.u16(), f.u16()).unwrap(),
            5 => {
                let index = f.u16();
                let ordinal = usize::from(f.u8());
                encoder.set_block(index, &Block::read(ordinal, f.0).unwrap()).unwrap();
            }
            6 => {
                let (observer, index) = (f.u16(), f.u16());
                let ordinal = usize::from(f.u8());
                encoder.set_block_for(observer, index, &Block::read(ordinal, f.0).unwrap()).unwrap();
            }
            7 => encoder.hide(f.u16(), f.u8() == 1).unwrap(),
            8 => {
                let (observer, index) = (f.u16(), f.u16());
                let standing = [Standing::First, Standing::Ordinary, Standing::Never][usize::from(f.u8())];
                encoder.set_standing(observer, index, standing).unwrap();
            }
            9 => {
                let index = f.u16();
                self.observers.insert(index);
                return Some([&[0], &*encoder.observe(index).unwrap()].concat());
            }
            10 => {
                let index = f.u16();
                encoder.unobserve(index).unwrap();
                self.observers.remove(&index);
            }
            11 => return Some(self.tick()),
            12 => return Some([&[0], encoder.packet(f.u16())].concat()),
            13 => {
                let decoder = self.decoders.entry(f.u16()).or_default();
                let index = f.u16();
                return Some(decoder.init(f.0, index).map_or_else(|error| refused(&error), |()| vec![0]));
            }
            14 => return Some(self.decode(f)),
            15 => return Some(format!("\\0{} {}", self.encode_ns, self.decode_ns).into_bytes()),
            16 => {
                self.decoders.remove(&f.u16());
            }
            _ => panic!("unknown command {command}"),
        }
        None
    }

    fn tick(&mut self) -> Vec<u8> {
        let before = cpu_ns(self.start);
        self.encoder.tick();
        self.encode_ns += cpu_ns(self.start) - before;
        let mut out = vec![0];
        for observer in &self.observers {
            let packet = self.encoder.packet(*observer);
            out.extend_from_slice(&observer.to_be_bytes());
            out.extend_from_slice(&(packet.len() as u32).to_be_bytes());
            out.extend_from_slice(&hash_of(packet).to_be_bytes());
        }
        out
    }

    fn decode(&mut self, mut f: Fields) -> Vec<u8> {
        let decoder = self.decoders.entry(f.u16()).or_default();
        let before = cpu_ns(self.start);
        let read = decoder.decode(f.0);
        self.decode_ns += cpu_ns(self.start) - before;
        let update = match read {
            Ok(update) => update,
            Err(error) => return refused(&error),
        };
        let mut out = format!("\\0{:?} {} {:?} {:?}", update.pass_bits, update.mask_bits, update.added, update.removed);
        for own in &update.moves {
            let kind = format!("{:?}", own.kind).to_lowercase();
            let tile = format!("{} {} {}", own.level, own.x, own.z);
            out.push_str(&format!("\\n{} {kind} {tile} {} {}", own.index, own.stops, own.speed));
        }
        for masks in &update.masks {
            out.push_str(&format!("\\n{}", masks.index));
            for block in &masks.blocks {
                out.push(' ');
                block.json(&mut out);
            }
        }
        for crash in &update.crashes {
            out.push_str(&format!("\\n{} {}", crash.index, crash.path));
        }
        let mut hash = 0x811c_9dc5_u32 as i32;
        for index in 1..SLOTS as u16 {
            let (level, x, z) = decoder.tile(index);
            let flags = [decoder.is_skipped(index), decoder.is_local(index)].map(i32::from);
            let appearance = decoder.appearance(index).map_or(-1, |own| own.len() as i32);
            for value in [i32::from(x), i32::from(z), i32::from(level), decoder.quarter(index), flags[0], flags[1], appearance] {
                hash = mixed(hash, value);
            }
            if decoder.is_local(index) {
                hash = mixed(hash, i32::from(decoder.orientation(index)));
                hash = mixed(hash, decoder.target(index));
                hash = mixed(hash, i32::from(decoder.speed(index)));
            }
        }
        out.push_str(&format!("\\n{} {hash}", decoder.locals().len()));
        out.into_bytes()
    }
}

fn main() -> io::Result<()> {
    let mut source = io::BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut sink = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut world = World {
        start: Instant::now(),
        encoder: Encoder::new(15, 250).unwrap(),
        decoders: HashMap::new(),
        observers: BTreeSet::new(),
        encode_ns: 0,
        decode_ns: 0,
    };
    let mut head = [0; 4];
    while source.read_exact(&mut head).is_ok() {
        let length = u32::from_be_bytes(head) as usize;
        if length == 0 {
            sink.flush()?;
            continue;
        }
        let mut frame = vec![0; length];
        source.read_exact(&mut frame)?;
        if let Some(out) = world.run(frame[0], Fields(&frame[1..])) {
            sink.write_all(&(out.len() as u32).to_be_bytes())?;
            sink.write_all(&out)?;
        }
    }
    sink.flush()
}
`;
