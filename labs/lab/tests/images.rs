//! The pictures are the same everywhere, and every photograph has its provenance on record.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use lab::{Case, Image, PHOTOGRAPHS, Picture, standard_cases};
use pretty_assertions::assert_eq;
use sha2::{Digest, Sha256};

fn sha256(bytes: &[u8]) -> String {
    let mut hexadecimal = String::new();
    for byte in Sha256::digest(bytes) {
        write!(hexadecimal, "{byte:02x}").expect("writing to a string cannot fail");
    }
    hexadecimal
}

fn images() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../images")
}

/// The cells of the README's table, header and rule left out.
fn provenance() -> Vec<Vec<String>> {
    let readme = std::fs::read_to_string(images().join("README.md")).expect("labs/images has a README");
    let rows = readme.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect())
        .collect()
}

#[test]
fn every_photograph_is_recorded_with_author_licence_and_hash() {
    let mut expected: Vec<Vec<String>> = Vec::new();
    for photograph in PHOTOGRAPHS {
        let image = image::load_from_memory(photograph.file).expect("a photograph decodes");
        let channels = if image.color().channel_count() == 3 { "RGB" } else { "gray" };
        let size = format!("{}×{} {channels}", image.width(), image.height());
        expected.push(vec![format!("{}.png", photograph.name), size, sha256(photograph.file)]);
    }
    let rows = provenance();
    let found: Vec<Vec<String>> =
        rows.iter().map(|row| vec![row[0].clone(), row[1].clone(), row[5].clone()]).collect();
    assert_eq!(found, expected);
    for row in rows {
        assert!(row[2..5].iter().all(|cell| !cell.is_empty()), "{} lacks subject, author or licence", row[0]);
    }
}

#[test]
fn every_file_of_the_folder_is_embedded() {
    let entries = std::fs::read_dir(images()).expect("labs/images exists");
    let mut files: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    files.retain(|file| file != "README.md");
    files.sort();
    let embedded: Vec<String> =
        PHOTOGRAPHS.iter().map(|photograph| format!("{}.png", photograph.name)).collect();
    assert_eq!(files, embedded);
}

/// Hashes noted on x86-64; any machine that disagrees would be given other scores.
#[test]
fn pictures_are_bit_identical_everywhere() {
    let hash = |picture| sha256(&Case::new("", picture).image(42).expect("a picture").data)[..16].to_owned();
    let noted = [
        (Picture::Noise { width: 123, height: 45, colours: 5 }, "a7b5df131a35b36f"),
        (Picture::Noise { width: 123, height: 45, colours: 256 }, "dd4e24d20d9c6343"),
        (Picture::Scene { width: 640, height: 427 }, "342f9dc2fecd17a3"),
        (Picture::HorizontalStripes { width: 30, height: 40, period: 1 }, "aae20a7fd62db4d2"),
        (Picture::VerticalStripes { width: 70, height: 4, period: 32 }, "a04b30aeb377f35f"),
        (Picture::Photograph("coffee"), "0ce2b51640b9c95f"),
        (Picture::Photograph("camera"), "13e2b4aa92cb1649"),
    ];
    let found = noted.clone().map(|(picture, _)| (hash(picture.clone()), picture));
    assert_eq!(found, noted.map(|(picture, expected)| (expected.to_owned(), picture)));
}

#[test]
fn every_standard_case_makes_an_image_of_three_channels() {
    let cases = standard_cases();
    for case in &cases {
        let image = case.image(9).expect("a picture");
        assert_eq!((image.channels, image.data.len()), (3, image.pixels() * 3), "{}", case.name);
        assert_eq!(case.size().expect("a size"), (image.width, image.height), "{}", case.name);
    }
    let mut names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), cases.len(), "two cases share a name");
}

/// What breaks a kernel, and so must be among the standard cases.
#[test]
fn the_standard_cases_hold_every_awkward_kind() {
    let cases = standard_cases();
    let images: Vec<Image> = cases.iter().map(|case| case.image(1).expect("a picture")).collect();
    let size = |test: fn(usize, usize) -> bool| images.iter().any(|i| test(i.width, i.height));
    assert!(size(|w, h| w == 1 && h == 1), "1x1");
    assert!(size(|w, h| w == 1 && h > 32), "1xN");
    assert!(size(|w, h| w > 32 && h == 1), "Nx1");
    assert!(size(|w, h| w > 1 && h > 1 && w * h < 32), "fewer pixels than a warp");
    assert!(size(|w, h| w % 2 == 1 && h % 2 == 1 && w * h > 256), "odd");
    assert!(size(|w, h| w % 32 == 0 && (w * h) % 256 == 0), "whole blocks");
    assert!(size(|w, h| w * h > 1_000_000 && (w * h) % 256 != 0), "large");
    for remainder in 0..4 {
        assert!(images.iter().any(|i| i.pixels() % 4 == remainder), "{remainder} pixels over a word");
    }
    let picture = |test: fn(&Picture) -> bool| cases.iter().any(|case| test(&case.picture));
    assert!(picture(|p| matches!(p, Picture::Flat { .. })), "flat");
    assert!(picture(|p| matches!(p, Picture::HorizontalStripes { period: 1, .. })), "1-row stripes");
    assert!(picture(|p| matches!(p, Picture::VerticalStripes { period: 32, .. })), "32-column stripes");
    assert!(picture(|p| matches!(p, Picture::Noise { .. })), "noise");
    assert!(picture(|p| matches!(p, Picture::Photograph(_))), "a photograph");
}

#[test]
fn a_saved_image_reads_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("saved.png");
    let colour =
        Case::new("", Picture::Noise { width: 7, height: 5, colours: 256 }).image(3).expect("a picture");
    colour.save(&file).expect("saves");
    assert_eq!(image::open(&file).expect("reads").into_rgb8().into_raw(), colour.data);
    let gray = Image { width: 3, height: 2, channels: 1, data: vec![0, 50, 100, 150, 200, 250] };
    gray.save(&file).expect("saves");
    assert_eq!(image::open(&file).expect("reads").into_luma8().into_raw(), gray.data);
    let error = Image { channels: 3, ..gray }.save(&file).expect_err("6 bytes are no RGB image of 3x2");
    assert_eq!(error.to_string(), "failed to store 6 bytes as an image of 3x2 pixels with 3 channels");
}

#[test]
fn an_unknown_photograph_is_named() {
    let error = Case::new("", Picture::Photograph("lena")).image(0).expect_err("unknown");
    assert_eq!(error.to_string(), "no standard image named `lena`");
}
