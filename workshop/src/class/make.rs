//! Synthetic submissions: rungs, wrong kernels, cheats, unusual files, attacks, and what is no submission at all.

use std::fs;
use std::io;
use std::path::Path;

use judge::exit::Stop;
use judge::labs;
use judge::workspace::{Workspace, cuda_files, current_folder};

use crate::attacks::files::all as attacks;

/// Attacks whose checks take their whole time: a class has few such.
const ATTACKS: usize = 12;

/// Writes a class of lab 1 with so many students, one folder each.
pub fn class(folder: &Path, students: usize) -> Result<(), Stop> {
    let failed = |error: io::Error| Stop::environment(format!("failed to write a class: {error}"));
    let lab = labs::find("lab1")?;
    let solutions = Workspace::find(&current_folder()?)?.solutions(lab);
    let mut texts: Vec<Vec<u8>> = vec![lab.skeleton().into()];
    for part in ["", "wrong", "unusual", "cheats"] {
        for path in cuda_files(&solutions.join(part))? {
            texts.push(fs::read(&path).map_err(failed)?);
        }
    }
    texts.extend(attacks().into_iter().step_by(3).take(ATTACKS).map(|file| file.text(folder).into_bytes()));
    texts.extend([
        Vec::new(),
        b"__global__ void f( {".to_vec(),
        b"\x7fELF\0\0\xff\xfe".to_vec(),
        b"print('hello')\n".to_vec(),
        vec![b' '; (1 << 20) + 1],
        b"#include \"/etc/passwd\"\n".to_vec(),
    ]);
    for index in 0..students {
        let own = folder.join(format!("student{index:03}"));
        fs::create_dir_all(&own).map_err(failed)?;
        match index % 25 {
            // Nothing, another language, two files, a link, another archive.
            20 => {}
            21 => fs::write(own.join("main.cpp"), "int main() {}").map_err(failed)?,
            22 => {
                ["a.cu", "b.cu"].iter().try_for_each(|name| fs::write(own.join(name), "")).map_err(failed)?;
            }
            23 => std::os::unix::fs::symlink("/etc/passwd", own.join(lab.file())).map_err(failed)?,
            24 => fs::write(own.join("mine.zip"), "PK\x03\x04 damaged").map_err(failed)?,
            _ => {
                // No two files are the same, so that no result is.
                let mut text = texts[index % texts.len()].clone();
                if index >= texts.len() {
                    text.extend(format!("\n// student {index}\n").bytes());
                }
                fs::write(own.join(lab.file()), text).map_err(failed)?;
            }
        }
    }
    Ok(())
}

/// Writes a small class whose checks are fast.
pub fn small(folder: &Path) -> io::Result<()> {
    let texts: [&[u8]; 8] = [
        b"__global__ void f( {",
        b"\xff",
        b"int x;",
        b"#include \"none.cuh\"\n",
        b"\xfe\xff",
        b"void grayscale(",
        b"\x80 <script>",
        b"=1+1 \xf0",
    ];
    for (index, text) in texts.iter().enumerate() {
        fs::write(folder.join(format!("s{index}.cu")), text)?;
    }
    fs::create_dir_all(folder.join("empty"))
}
