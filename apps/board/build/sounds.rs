//! The sounds of the board, computed from formulas: knocks of filtered noise for wood on wood, and
//! tones that fade for bells.

/// All sounds, by what they are for.
pub const NAMES: [&str; 6] = ["move", "capture", "check", "end", "low", "refused"];

/// Samples a second. The knocks have nothing above half of it.
const RATE: u32 = 16_000;

/// Bytes of a sample: one channel, 16 bits.
const WIDTH: u16 = 2;

/// A knock or a tone.
#[derive(Clone, Copy)]
struct Part {
    kind: Kind,
    /// When it begins, in seconds.
    at: f64,
    /// Its frequency, in hertz; that of a knock is the middle of its band.
    pitch: f64,
    /// How long it lasts, in seconds.
    long: f64,
    /// The greatest swing, of 1.
    loud: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Knock,
    Tone,
}

const fn knock(at: f64, pitch: f64, long: f64, loud: f64) -> Part {
    Part { kind: Kind::Knock, at, pitch, long, loud }
}

const fn tone(at: f64, pitch: f64, long: f64, loud: f64) -> Part {
    Part { kind: Kind::Tone, at, pitch, long, loud }
}

fn parts(name: &str) -> Vec<Part> {
    match name {
        "move" => vec![knock(0.0, 620.0, 0.09, 0.8)],
        "capture" => vec![knock(0.0, 1100.0, 0.06, 0.7), knock(0.045, 450.0, 0.11, 0.9)],
        "check" => vec![knock(0.0, 620.0, 0.09, 0.8), tone(0.03, 740.0, 0.28, 0.25)],
        "end" => {
            vec![
                tone(0.0, 523.25, 0.5, 0.2),
                tone(0.13, 659.25, 0.5, 0.2),
                tone(0.26, 784.0, 0.6, 0.2),
            ]
        }
        "low" => vec![tone(0.0, 980.0, 0.12, 0.3), tone(0.16, 980.0, 0.14, 0.3)],
        _ => vec![tone(0.0, 180.0, 0.15, 0.35)],
    }
}

/// A sound as a file: WAV, one channel of 16 bits.
pub fn wav(name: &str) -> Vec<u8> {
    let parts = parts(name);
    let end = parts.iter().map(|part| part.at + part.long).fold(0.0, f64::max);
    let mut sum = vec![0.0; count(end)];
    for part in &parts {
        let own = match part.kind {
            Kind::Knock => knocked(part),
            Kind::Tone => toned(part),
        };
        for (sample, value) in sum.iter_mut().skip(count(part.at)).zip(own) {
            *sample += value;
        }
    }
    let loudest = f64::from(i16::MAX);
    let samples = sum.iter().map(|value| (value.clamp(-1.0, 1.0) * loudest) as i16);
    file(samples.flat_map(i16::to_le_bytes).collect())
}

/// The number of samples in `seconds` seconds.
fn count(seconds: f64) -> usize {
    (seconds * f64::from(RATE)) as usize
}

/// Noise that decays, through a resonator of two poles: as loud as the part says at its peak.
fn knocked(part: &Part) -> Vec<f64> {
    let length = count(part.long);
    let radius = 0.9;
    let turn = 2.0 * radius * (std::f64::consts::TAU * part.pitch / f64::from(RATE)).cos();
    let (mut random, mut last, mut before) = (0x5EED_u32, 0.0, 0.0);
    let step = |index: usize| {
        // Source: the constants of Numerical Recipes' quick generator.
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = f64::from(random) / f64::from(u32::MAX) * 2.0 - 1.0;
        let fades = (1.0 - index as f64 / length as f64).powi(6);
        let value = noise * fades + turn * last - radius * radius * before;
        (before, last) = (last, value);
        // The resonator rings on: it too is silent at the end.
        value * (1.0 - index as f64 / length as f64)
    };
    let samples: Vec<f64> = (0..length).map(step).collect();
    let peak = samples.iter().fold(f64::MIN_POSITIVE, |peak, value| peak.max(value.abs()));
    samples.iter().map(|value| value / peak * part.loud).collect()
}

/// A sine that swells for a hundredth of a second and fades away.
fn toned(part: &Part) -> Vec<f64> {
    let length = count(part.long);
    let swell = count(0.01) as f64;
    let value = |index: usize| {
        let time = index as f64 / f64::from(RATE);
        let fades = (-5.0 * time / part.long).exp() * (1.0 - index as f64 / length as f64);
        let swells = (index as f64 / swell).min(1.0);
        (std::f64::consts::TAU * part.pitch * time).sin() * swells * fades * part.loud
    };
    (0..length).map(value).collect()
}

/// Samples with the head of a WAV file.
///
/// Source: Microsoft's "Multimedia Programming Interface and Data Specifications 1.0", RIFF WAVE.
fn file(samples: Vec<u8>) -> Vec<u8> {
    let length = samples.len() as u32;
    let mut bytes = Vec::with_capacity(44 + samples.len());
    bytes.extend(b"RIFF");
    bytes.extend((36 + length).to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend(16_u32.to_le_bytes());
    // PCM, one channel.
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(RATE.to_le_bytes());
    bytes.extend((RATE * u32::from(WIDTH)).to_le_bytes());
    bytes.extend(WIDTH.to_le_bytes());
    bytes.extend((8 * WIDTH).to_le_bytes());
    bytes.extend(b"data");
    bytes.extend(length.to_le_bytes());
    bytes.extend(samples);
    bytes
}
