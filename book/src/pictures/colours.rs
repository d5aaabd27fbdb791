//! Readers who see fewer colours tell the classes of a picture apart, and the steps of its scale.

use std::collections::BTreeMap;

type Rgb = [f64; 3];

/// What a reader without one kind of cone sees of linear RGB.
/// Source: Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
/// IEEE TVCG 15(6), 2009, severity 1.0.
const SIGHTS: [(&str, [Rgb; 3]); 4] = [
    ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

/// The fills of `theme/pictures.css`, by class.
fn fills() -> BTreeMap<String, Rgb> {
    let css = include_str!("../../theme/pictures.css");
    let fill = |line: &str| {
        let (class, rest) = line.strip_prefix("figure.picture .")?.split_once(" { fill: #")?;
        let byte = |at: usize| u8::from_str_radix(rest.get(at..at + 2)?, 16).ok();
        Some((class.to_owned(), [linear(byte(0)?), linear(byte(2)?), linear(byte(4)?)]))
    };
    css.lines().filter_map(fill).collect()
}

/// The light of a value of sRGB. Source: IEC 61966-2-1.
fn linear(value: u8) -> f64 {
    let value = f64::from(value) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Lightness, green to red, and blue to yellow. Source: CIELAB 1976 with the white of D65.
fn lab(rgb: Rgb) -> Rgb {
    let [r, g, b] = rgb;
    let root = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    let x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    let y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
    let z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// A colour in the eyes of this reader.
fn seen(sight: &[Rgb; 3], colour: Rgb) -> Rgb {
    let sum = |row: &Rgb| row.iter().zip(colour).map(|(share, light)| share * light).sum::<f64>();
    lab(sight.each_ref().map(|row| sum(row).clamp(0.0, 1.0)))
}

/// The difference of two colours; people notice one of 2.3. Source: Mahy, Van Eycken, Oosterlinck, 1994.
fn difference(left: Rgb, right: Rgb) -> f64 {
    left.iter().zip(right).map(|(left, right)| (left - right).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn every_reader_tells_classes_and_steps_apart() {
    let fills = fills();
    let of = |kind: char| fills.iter().filter(move |(class, _)| class.starts_with(kind)).map(|(_, rgb)| *rgb);
    assert!(of('c').count() >= 5 && of('h').count() >= 6, "no colours found");
    for (sight, matrix) in SIGHTS {
        let classes: Vec<Rgb> = of('c').map(|rgb| seen(&matrix, rgb)).collect();
        for (at, left) in classes.iter().enumerate() {
            for (more, right) in classes[at + 1..].iter().enumerate() {
                let apart = difference(*left, *right);
                assert!(apart > 15.0, "{sight}: c{at} and c{} are {apart:.1} apart", at + 1 + more);
            }
        }
        let steps: Vec<f64> = of('h').map(|rgb| seen(&matrix, rgb)[0]).collect();
        assert!(steps.is_sorted_by(|less, more| more - less > 10.0), "{sight}: lightness {steps:.0?}");
    }
}
