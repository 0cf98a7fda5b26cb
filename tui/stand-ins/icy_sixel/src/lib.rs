//! Stands in for the crate `icy_sixel` (see `[patch.crates-io]` in the workspace), of which `ratatui-image` uses one
//! function: its libraries for colours take longer to compile than all else that draws pictures in a terminal.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// The maximum number of colours in a palette.
const COLORS: usize = 256;
/// The lowest opacity of a pixel that is drawn.
const OPAQUE: u8 = 128;
/// Colours that are the same without so many low bits share a colour of the palette.
const ROUGH: u32 = 2;
/// The share of a pixel's error that its neighbours take over. With all of it, flat areas become noisy.
const DIFFUSED: f32 = 0.875;
/// The neighbours that take over an error, to the right and down, with their shares.
const NEIGHBOURS: [(isize, usize, f32); 4] = [
    (1, 0, 7.0 / 16.0),
    (-1, 1, 3.0 / 16.0),
    (0, 1, 5.0 / 16.0),
    (1, 1, 1.0 / 16.0),
];

/// Options of the encoder: there are none.
#[derive(Debug, Clone, Default)]
pub struct EncodeOptions;

/// Why a picture cannot be encoded.
#[derive(Debug, thiserror::Error)]
pub enum SixelError {
    /// The picture does not have as many bytes as its size says.
    #[error("{width}x{height} pixels do not have {actual} bytes")]
    Size {
        /// In pixels.
        width: usize,
        /// In pixels.
        height: usize,
        /// The number of bytes.
        actual: usize,
    },
}

/// A picture with at most 256 colours.
struct Indexed {
    palette: Vec<[u8; 3]>,
    /// The colour of each pixel; `None` for a transparent one.
    pixels: Vec<Option<usize>>,
}

/// Encodes RGBA pixels as Sixel. Transparent pixels keep what is below them.
///
/// # Errors
/// The picture is empty, or its size is not that of the bytes.
pub fn sixel_encode(
    rgba: &[u8],
    width: usize,
    height: usize,
    _: &EncodeOptions,
) -> Result<String, SixelError> {
    let bytes = width.checked_mul(height).and_then(|it| it.checked_mul(4));
    if rgba.is_empty() || bytes != Some(rgba.len()) {
        let actual = rgba.len();
        return Err(SixelError::Size {
            width,
            height,
            actual,
        });
    }
    let pixels: Vec<[u8; 4]> = rgba.as_chunks().0.to_vec();
    let indexed = exact(&pixels).unwrap_or_else(|| dithered(&pixels, width));
    // Square pixels, and nothing drawn where the picture is transparent. Multiplexers drop the first and keep the
    // ratio that is repeated before the size.
    let mut text = format!("\x1bP9;1;0q\"1;1;{width};{height}");
    for (at, color) in indexed.palette.iter().enumerate() {
        let [red, green, blue] = color.map(|it| u32::from(it) * 100 / 255);
        let _ = write!(text, "#{at};2;{red};{green};{blue}");
    }
    for band in indexed.pixels.chunks(width * 6) {
        let mut rows: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for (at, color) in band.iter().enumerate() {
            if let Some(color) = color {
                let row = rows.entry(*color).or_insert_with(|| vec![0; width]);
                row[at % width] |= 1 << (at / width);
            }
        }
        for (color, row) in rows {
            let _ = write!(text, "#{color}");
            for run in row.chunk_by(|one, next| one == next) {
                let sixel = char::from(b'?' + run[0]);
                match run.len() {
                    count @ ..=3 => text.extend(std::iter::repeat_n(sixel, count)),
                    count => {
                        let _ = write!(text, "!{count}{sixel}");
                    }
                }
            }
            text.push('$');
        }
        text.push('-');
    }
    text.push_str("\x1b\\");
    Ok(text)
}

/// The picture in its own colours, if these are few.
fn exact(pixels: &[[u8; 4]]) -> Option<Indexed> {
    let mut known: BTreeMap<[u8; 3], usize> = BTreeMap::new();
    let mut palette = Vec::new();
    let mut indexes = Vec::with_capacity(pixels.len());
    for [red, green, blue, alpha] in pixels {
        if *alpha < OPAQUE {
            indexes.push(None);
            continue;
        }
        let color = [*red, *green, *blue];
        let index = *known.entry(color).or_insert_with(|| {
            palette.push(color);
            palette.len() - 1
        });
        if palette.len() > COLORS {
            return None;
        }
        indexes.push(Some(index));
    }
    Some(Indexed {
        palette,
        pixels: indexes,
    })
}

/// The picture in the colours that suit it best. What a pixel's colour lacks is given to its neighbours.
fn dithered(pixels: &[[u8; 4]], width: usize) -> Indexed {
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for [red, green, blue, alpha] in pixels {
        if *alpha >= OPAQUE {
            *counts.entry([*red, *green, *blue].map(rough)).or_default() += 1;
        }
    }
    let palette = palette(counts);
    let mut nearest: HashMap<[u8; 3], usize> = HashMap::new();
    let mut errors = vec![[0.0_f32; 3]; pixels.len()];
    let mut indexes = Vec::with_capacity(pixels.len());
    for (at, pixel) in pixels.iter().enumerate() {
        if pixel[3] < OPAQUE {
            indexes.push(None);
            continue;
        }
        let wanted: [f32; 3] = std::array::from_fn(|it| f32::from(pixel[it]) + errors[at][it]);
        let asked = wanted.map(|it| rough(it.round() as u8));
        let index = *nearest
            .entry(asked)
            .or_insert_with(|| closest(&palette, asked));
        indexes.push(Some(index));
        for (right, down, share) in NEIGHBOURS {
            let column = (at % width).checked_add_signed(right);
            let Some(column) = column.filter(|column| *column < width) else {
                continue;
            };
            if let Some(error) = errors.get_mut((at / width + down) * width + column) {
                for (it, error) in error.iter_mut().enumerate() {
                    let drawn = f32::from(palette[index][it]);
                    *error += (wanted[it].clamp(0.0, 255.0) - drawn) * share * DIFFUSED;
                }
            }
        }
    }
    Indexed {
        palette,
        pixels: indexes,
    }
}

/// The channel without its low bits, from 0 to 255 like before.
fn rough(channel: u8) -> u8 {
    let kept = channel >> ROUGH << ROUGH;
    kept | kept >> (u8::BITS - ROUGH)
}

/// The index of the colour with the least distance.
fn closest(palette: &[[u8; 3]], color: [u8; 3]) -> usize {
    let distance = |other: &[u8; 3]| -> u32 {
        let channels = color.iter().zip(other);
        channels
            .map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2))
            .sum()
    };
    let colors = palette.iter().enumerate();
    let closest = colors.min_by_key(|(_, other)| distance(other));
    closest.map_or(0, |(at, _)| at)
}

/// Some of the colours of a picture.
struct Part {
    colors: Vec<([u8; 3], usize)>,
    mean: [f32; 3],
    /// The channel in which the colours differ most, and the sum of their squared distances from its mean.
    widest: (usize, f32),
}

impl Part {
    fn new(colors: Vec<([u8; 3], usize)>) -> Part {
        let sum = |of: &dyn Fn(&[u8; 3]) -> f32| -> f32 {
            let colors = colors.iter();
            colors.map(|(color, count)| of(color) * *count as f32).sum()
        };
        let count = sum(&|_| 1.0);
        let mean = [0, 1, 2].map(|it| sum(&|color| f32::from(color[it])) / count);
        let spreads = [0, 1, 2].map(|it| sum(&|color| (f32::from(color[it]) - mean[it]).powi(2)));
        let widest = (0..3).map(|it| (it, spreads[it]));
        let widest = widest.fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
        Part {
            colors,
            mean,
            widest,
        }
    }
}

/// The colours that suit a picture with so many pixels of each colour: the part of its colours that differs most is halved
/// until there are enough parts.
fn palette(counts: HashMap<[u8; 3], usize>) -> Vec<[u8; 3]> {
    let mut colors: Vec<([u8; 3], usize)> = counts.into_iter().collect();
    // The same picture always gets the same palette.
    colors.sort_unstable();
    let mut parts = vec![Part::new(colors)];
    while parts.len() < COLORS {
        let spread = |part: &Part| part.widest.1;
        let all = parts.iter().enumerate();
        let most = all.max_by(|(_, a), (_, b)| spread(a).total_cmp(&spread(b)));
        let Some(at) = most
            .filter(|(_, part)| spread(part) > 0.0)
            .map(|(at, _)| at)
        else {
            break;
        };
        let part = parts.swap_remove(at);
        let (channel, middle) = (part.widest.0, part.mean[part.widest.0]);
        let colors = part.colors.into_iter();
        let (low, high) = colors.partition(|(color, _)| f32::from(color[channel]) <= middle);
        parts.extend([Part::new(low), Part::new(high)]);
    }
    let means = parts.iter().map(|part| part.mean);
    means.map(|mean| mean.map(|it| it.round() as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(rgba: &[u8], width: usize, height: usize) -> String {
        sixel_encode(rgba, width, height, &EncodeOptions).expect("Sixel")
    }

    #[test]
    fn few_colours_are_kept() {
        let (red, blue, clear) = ([255, 0, 0, 255], [0, 0, 255, 255], [9, 9, 9, 0]);
        let picture = [red, red, red, red, blue, clear, blue, blue].concat();
        assert_eq!(
            encoded(&picture, 4, 2),
            "\x1bP9;1;0q\"1;1;4;2#0;2;100;0;0#1;2;0;0;100#0!4@$#1A?AA$-\x1b\\"
        );
        let column = [[0, 255, 0, 255]; 7].concat();
        assert_eq!(
            encoded(&column, 1, 7),
            "\x1bP9;1;0q\"1;1;1;7#0;2;0;100;0#0~$-#0@$-\x1b\\"
        );
    }

    #[test]
    fn many_colours_are_close_to_the_picture() {
        let (width, height) = (64, 48);
        let pixels: Vec<[u8; 4]> = (0..width * height)
            .map(|at| (at % width * 4, at / width * 5))
            .map(|(x, y)| [x as u8, y as u8, (255 - x) as u8, 255])
            .collect();
        assert!(exact(&pixels).is_none());
        let indexed = dithered(&pixels, width);
        assert!(indexed.palette.len() <= COLORS);
        // Over some pixels, errors cancel out.
        for (row, drawn) in pixels.chunks(16).zip(indexed.pixels.chunks(16)) {
            for it in 0..3 {
                let wanted: i32 = row.iter().map(|pixel| i32::from(pixel[it])).sum();
                let drawn = drawn.iter().flatten();
                let drawn: i32 = drawn.map(|at| i32::from(indexed.palette[*at][it])).sum();
                assert!((wanted - drawn).abs() < 16 * 12, "{wanted} {drawn}");
            }
        }
        assert!(encoded(pixels.as_flattened(), width, height).ends_with("$-\x1b\\"));
    }

    #[test]
    fn a_wrong_size_is_refused() {
        assert!(sixel_encode(&[0; 16], 10, 10, &EncodeOptions).is_err());
        assert!(sixel_encode(&[], 0, 4, &EncodeOptions).is_err());
    }
}
