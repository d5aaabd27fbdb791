//! Gradings that are disturbed, and continued.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use judge::exit::{self, Stop};
use records::{Faults, Whole};

use super::machine::{Clock, Disk, Memory};
use super::{make, outcome};

/// Times that a grading is continued before it counts as lost.
const MOST_RESUMES: usize = 20;

type Files = BTreeMap<PathBuf, Vec<u8>>;

fn failed(error: &io::Error) -> Stop {
    Stop::environment(format!("failed to try a class: {error}"))
}

/// A class, and the program that grades it.
struct Subject<'a> {
    checker: &'a Path,
    folder: &'a Path,
}

impl Subject<'_> {
    fn start(&self, out: &Path, resume: bool) -> io::Result<Child> {
        self.started(out, resume, None)
    }

    fn started(&self, out: &Path, resume: bool, clock: Option<&Clock>) -> io::Result<Child> {
        let mut command = Command::new(self.checker);
        command.args(["grade", "class", "--lab", "lab1", "--secret-seed", "a class of its own"]);
        command.arg("--out").arg(out).args(resume.then_some("--resume"));
        if let Some(clock) = clock {
            clock.give(&mut command);
        }
        command
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    }

    /// Grades until there is a result for all. `None`: there never was.
    fn finish(&self, out: &Path, resume: bool) -> io::Result<Option<Files>> {
        for attempt in 0..MOST_RESUMES {
            let status = self.start(out, resume || attempt > 0)?.wait()?;
            if [exit::PASSED, exit::FAILED].iter().any(|code| status.code() == Some((*code).into())) {
                return outcome::files(out).map(Some);
            }
        }
        Ok(None)
    }
}

/// Grades a large class twice, and once with a kill in the middle.
pub fn whole(checker: &Path, students: usize) -> Result<Vec<Whole>, Stop> {
    if students == 0 {
        return Ok(Vec::new());
    }
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    make::class(&folder.path().join("class"), students)?;
    let subject = Subject { checker, folder: folder.path() };
    let mut first = None;
    let mut all = Vec::new();
    for how in ["undisturbed", "undisturbed, again", "killed in the middle and resumed"] {
        let out = folder.path().join(how.replace(' ', "-"));
        eprintln!("grading {students} students: {how}");
        let start = Instant::now();
        if how.starts_with("killed") {
            let half = all.first().map_or(1.0, |first: &Whole| first.seconds / 2.0);
            let mut child = subject.start(&out, false).map_err(|error| failed(&error))?;
            std::thread::sleep(Duration::from_secs_f64(half));
            child.kill().and_then(|()| child.wait()).map_err(|error| failed(&error))?;
        }
        let files = subject.finish(&out, how.starts_with("killed")).map_err(|error| failed(&error))?;
        let same = files.is_some() && first.as_ref().is_none_or(|first| *first == files);
        all.push(Whole { how: how.to_owned(), seconds: start.elapsed().as_secs_f64(), same });
        first.get_or_insert(files);
    }
    Ok(all)
}

/// What disturbs a grading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Grader,
    Check,
    Full,
    ReadOnly,
    Memory,
    Clock,
}

const KINDS: [(Fault, &str); 6] = [
    (Fault::Grader, "the grader is killed"),
    (Fault::Check, "a process of a check is killed"),
    (Fault::Full, "the disk is full"),
    (Fault::ReadOnly, "the folder becomes read-only"),
    (Fault::Memory, "the machine has no more memory"),
    (Fault::Clock, "the clock jumps, by up to ten years"),
];

impl Fault {
    /// Whether this machine can have it: most need the rights of root, the last one the library `libfaketime`.
    fn is_possible(self, below: &Path) -> io::Result<bool> {
        Ok(match self {
            Self::Grader | Self::Check => true,
            Self::Full | Self::ReadOnly => Disk::new(below.join("disk"), "64m")?.is_some(),
            Self::Memory => Memory::new().is_some(),
            Self::Clock => Clock::new(below)?.is_some(),
        })
    }
}

/// Grades a small class so many times, with a fault at a random moment of each.
pub fn all(checker: &Path, runs: usize) -> Result<Vec<Faults>, Stop> {
    if runs == 0 {
        return Ok(Vec::new());
    }
    tried(checker, runs).map_err(|error| failed(&error))
}

fn tried(checker: &Path, runs: usize) -> io::Result<Vec<Faults>> {
    let folder = tempfile::tempdir()?;
    fs::create_dir(folder.path().join("class"))?;
    make::small(&folder.path().join("class"))?;
    let subject = Subject { checker, folder: folder.path() };
    let start = Instant::now();
    let undisturbed = subject.finish(&folder.path().join("undisturbed"), false)?;
    let length = start.elapsed();
    let mut kinds = Vec::new();
    for kind in &KINDS {
        let place = tempfile::tempdir_in(folder.path())?;
        if kind.0.is_possible(place.path())? {
            kinds.push(kind);
        } else {
            eprintln!("{}: not on this machine", kind.1);
        }
    }
    let mut all: Vec<Faults> = kinds
        .iter()
        .map(|(_, kind)| Faults { kind: (*kind).to_owned(), runs: 0, struck: 0, same: 0 })
        .collect();
    let mut random = 1_u64;
    for run in 0..runs {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let part = (random >> 40) as f64 / f64::from(1 << 24);
        let row = run % kinds.len();
        eprint!("\r{} of {runs} faults", run + 1);
        let (struck, files) = disturbed(&subject, kinds[row].0, length.mul_f64(part), part)?;
        all[row].runs += 1;
        all[row].struck += usize::from(struck);
        all[row].same += usize::from(files.is_some() && files == undisturbed);
    }
    eprintln!();
    Ok(all)
}

/// Whether the fault struck, and the files in the end.
fn disturbed(
    subject: &Subject<'_>,
    fault: Fault,
    after: Duration,
    part: f64,
) -> io::Result<(bool, Option<Files>)> {
    let place = tempfile::tempdir_in(subject.folder)?;
    let size =
        if fault == Fault::Full { format!("{}k", 8 + (part * 300.0) as u64) } else { "64m".to_owned() };
    let disk = match fault {
        Fault::Full | Fault::ReadOnly => Disk::new(place.path().join("disk"), &size)?,
        _ => None,
    };
    let memory = if fault == Fault::Memory { Memory::new() } else { None };
    let clock = if fault == Fault::Clock { Clock::new(place.path())? } else { None };
    let out = disk.as_ref().map_or(place.path(), |disk| &disk.0).join("out");
    let mut child = subject.started(&out, false, clock.as_ref())?;
    if let Some(memory) = &memory {
        memory.take(child.id())?;
        // From too little for any check to what is almost enough.
        memory.limit(Some(((10.0 + 60.0 * part) * 1e6) as u64))?;
    }
    let struck = if fault == Fault::Full {
        child.wait()?.code() == Some(exit::ENVIRONMENT.into())
    } else {
        std::thread::sleep(after);
        match fault {
            Fault::Check => kill_descendant(child.id())?,
            Fault::ReadOnly => disk.as_ref().is_some_and(Disk::cover),
            Fault::Memory => match &memory {
                Some(memory) => {
                    memory.limit(None)?;
                    memory.has_killed()?
                }
                None => false,
            },
            Fault::Clock => match &clock {
                Some(clock) => {
                    clock.jump(part)?;
                    child.try_wait()?.is_none()
                }
                None => false,
            },
            Fault::Grader | Fault::Full => {
                let runs = child.try_wait()?.is_none();
                child.kill()?;
                runs
            }
        }
    };
    let ended = child.wait()?.code();
    // Read-only too late, after the last file was written, is no fault.
    let struck = struck && (fault != Fault::ReadOnly || ended == Some(exit::ENVIRONMENT.into()));
    match &disk {
        Some(disk) if fault == Fault::ReadOnly => disk.uncover(),
        Some(disk) => disk.grow(),
        None => {}
    }
    let files = subject.finish(&out, true)?;
    Ok((struck, files))
}

/// Kills one process below this one. `false`: there is none.
fn kill_descendant(of: u32) -> io::Result<bool> {
    let mut parents = BTreeMap::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let Ok(process) = name.parse::<u32>() else { continue };
        // It may have ended meanwhile.
        let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { continue };
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1)?.parse::<u32>().ok());
        parents.extend(parent.map(|parent| (process, parent)));
    }
    let is_below = |process: u32| {
        std::iter::successors(parents.get(&process), |parent| parents.get(parent)).any(|parent| *parent == of)
    };
    let Some(victim) = parents.keys().copied().rfind(|process| is_below(*process)) else {
        return Ok(false);
    };
    Ok(Command::new("kill").args(["-9", &victim.to_string()]).stderr(Stdio::null()).status()?.success())
}
