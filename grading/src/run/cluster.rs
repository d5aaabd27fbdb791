//! Checks on a cluster that Slurm manages: job arrays, whose tasks publish their results in the folder that all nodes share.
//!
//! Nothing depends on what Slurm says of a job but how long to wait: a result is there when its file is, each is published
//! once, and what is missing when the jobs are gone is submitted again. So a lost node, a restarted controller or a killed
//! grader cost time alone.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::batch::Batch;
use super::queue::{Event, Queues, Work};
use super::store::Store;
use super::unit::{Engine, Unit};
use crate::{Error, hash};

/// Times that a check is submitted.
const ROUNDS: usize = 4;
/// Most tasks of an array: what Slurm takes if its configuration does not say otherwise.
const MOST_TASKS: usize = 1000;
/// Time to start and to end a task.
const AROUND: Duration = Duration::from_secs(300);
/// How a message of a command begins that could not reach the controller.
const UNREACHABLE: [&str; 5] =
    ["contact slurm controller", "Connection refused", "timed out", "not respond", "Zero Bytes"];

/// A cluster, and how to use it.
#[derive(Debug, Clone)]
pub struct Cluster {
    /// The folder of Slurm's commands; empty: they are found as other commands.
    pub commands: PathBuf,
    /// What a task runs: a program and its arguments. The path of the batch and the task's number follow.
    pub worker: Vec<String>,
    /// Checks of a task.
    pub per_task: usize,
    /// More options of `sbatch`.
    pub options: Vec<String>,
    /// How long to wait before another look at most: at first, ten times less.
    pub look: Duration,
    /// How long the controller may not answer.
    pub patience: Duration,
}

/// Why a command of Slurm failed.
enum Failed {
    /// It may work later.
    Unreachable(String),
    /// It will not.
    Refused(String),
}

impl Cluster {
    /// Makes all checks, and tells each result as it comes. Returns those without a result, and why.
    pub fn run(
        &self,
        queues: &Queues,
        work: &[Work],
        store: &mut Store,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<(Unit, String)>, Error> {
        let out = std::path::absolute(store.out()).map_err(|error| Error::at("find", store.out(), &error))?;
        let folder = out.join("checks/cluster");
        fs::create_dir_all(&folder).map_err(|error| Error::at("make the folder", &folder, &error))?;
        let name = format!("warpbook-{}", &hash::of(out.to_string_lossy().as_bytes())[..12]);
        // Jobs of a grader that was killed; their results so far are kept.
        let jobs = Jobs { cluster: self, name: &name };
        jobs.cancel();
        let mut open: Vec<&Work> = work.iter().collect();
        for round in 0..ROUNDS {
            if open.is_empty() {
                break;
            }
            // What was lost may have taken others along: it goes alone.
            let per_task = if round == 0 { self.per_task.max(1) } else { 1 };
            let mut batches = Vec::new();
            for engine in [Engine::Sim, Engine::Gpu] {
                let of_engine: Vec<&Work> =
                    open.iter().copied().filter(|work| work.unit.engine == engine).collect();
                if !of_engine.is_empty() {
                    let path = folder.join(format!("{}-{round}.json", engine.name()));
                    let batch = batch(&out, queues, &of_engine, per_task);
                    batch.write(&path)?;
                    self.submit(&name, engine, &batch, &path)?;
                    batches.push(path);
                }
            }
            open = self.collected(open, &name, store, tell)?;
            // They may hold the secret seed, and no job reads them any more.
            batches.iter().try_for_each(|path| {
                fs::remove_file(path).map_err(|error| Error::at("remove", path, &error))
            })?;
        }
        if open.is_empty() {
            // Logs tell nothing that a result does not.
            fs::remove_dir_all(&folder).map_err(|error| Error::at("remove", &folder, &error))?;
        }
        let why = format!("{ROUNDS} jobs ended without a result; their logs are in `{}`", folder.display());
        Ok(open
            .into_iter()
            .map(|work| {
                tell(Event::Broken(&work.unit, &why));
                (work.unit.clone(), why.clone())
            })
            .collect())
    }

    /// Waits until all checks have results or no job is left. Returns those without.
    fn collected<'a>(
        &self,
        mut open: Vec<&'a Work>,
        name: &str,
        store: &mut Store,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<&'a Work>, Error> {
        let mut answered = Instant::now();
        let mut gone = false;
        let mut pause = self.look / 10;
        loop {
            let mut found = HashSet::new();
            for work in &open {
                if let Some(checked) = store.find(&work.unit)? {
                    tell(Event::Done(&work.unit, &checked));
                    found.insert(work.unit.name());
                }
            }
            open.retain(|work| !found.contains(&work.unit.name()));
            // A node's last file may appear here later than the end of its job.
            if open.is_empty() || gone {
                return Ok(open);
            }
            std::thread::sleep(pause);
            pause = self.look.min(2 * pause);
            match self.command("squeue", &["--noheader", "--name", name, "--format", "%i"], "") {
                Ok(jobs) => {
                    answered = Instant::now();
                    gone = jobs.trim().is_empty();
                }
                Err(Failed::Refused(why)) => return Err(Error::Environment(why)),
                Err(Failed::Unreachable(why)) => self.give_up(answered, &why)?,
            }
        }
    }

    fn submit(&self, name: &str, engine: Engine, batch: &Batch, path: &Path) -> Result<(), Error> {
        let longest = batch.tasks.iter().map(Vec::len).max().unwrap_or(1) as u32;
        let patience = if engine == Engine::Gpu { batch.gpu.as_ref() } else { Some(&batch.simulator) };
        let patience = patience.map_or(AROUND, |program| program.patience);
        let minutes = (patience * longest + AROUND).as_secs().div_ceil(60);
        let mut options = vec![
            "--parsable".to_owned(),
            format!("--job-name={name}"),
            format!("--array=0-{}", batch.tasks.len() - 1),
            format!("--time={minutes}"),
            "--ntasks=1".to_owned(),
            "--cpus-per-task=1".to_owned(),
            "--mem=4G".to_owned(),
            format!("--output={}-%a.log", path.with_extension("").display()),
        ];
        if engine == Engine::Gpu {
            options.push("--gres=gpu:1".to_owned());
        }
        options.extend(self.options.iter().cloned());
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let command: Vec<String> = self.worker.iter().map(|word| quoted(word)).collect();
        let script = format!(
            "#!/bin/sh\nexec {} {} \"$SLURM_ARRAY_TASK_ID\"\n",
            command.join(" "),
            quoted(&path.to_string_lossy())
        );
        let started = Instant::now();
        loop {
            match self.command("sbatch", &options, &script) {
                Ok(_) => return Ok(()),
                Err(Failed::Refused(why)) => return Err(Error::Environment(why)),
                Err(Failed::Unreachable(why)) => self.give_up(started, &why)?,
            }
            std::thread::sleep(self.look);
        }
    }

    fn give_up(&self, since: Instant, why: &str) -> Result<(), Error> {
        if since.elapsed() < self.patience {
            return Ok(());
        }
        let minutes = self.patience.as_secs() / 60;
        Err(Error::Environment(format!(
            "Slurm has not answered for {minutes} minutes ({why}): grade again with `--resume` when it does"
        )))
    }

    fn command(&self, name: &str, arguments: &[&str], input: &str) -> Result<String, Failed> {
        let refused = |error: std::io::Error| {
            Failed::Refused(format!(
                "failed to run `{name}`: {error}; start this on a machine of the cluster"
            ))
        };
        let mut command = Command::new(self.commands.join(name));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(refused)?;
        if let Some(mut stdin) = child.stdin.take() {
            // A command that does not read says why.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output().map_err(refused)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = format!("`{name}`: {}", cuda::text::clean(said.trim()));
        let later = UNREACHABLE.iter().any(|text| said.contains(text));
        Err(if later { Failed::Unreachable(said) } else { Failed::Refused(said) })
    }
}

/// The jobs of a grading, which end with it: a grader that is killed leaves them, one that gives up does not.
struct Jobs<'a> {
    cluster: &'a Cluster,
    name: &'a str,
}

impl Jobs<'_> {
    fn cancel(&self) {
        // Jobs that cannot be ended now publish nothing twice.
        let _ = self.cluster.command("scancel", &["--name", self.name], "");
    }
}

impl Drop for Jobs<'_> {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn batch(out: &Path, queues: &Queues, work: &[&Work], per_task: usize) -> Batch {
    let per_task = per_task.max(work.len().div_ceil(MOST_TASKS));
    let of_node = |work: &&Work| {
        // Nodes have another current folder.
        let folder = std::path::absolute(&work.folder).unwrap_or_else(|_| work.folder.clone());
        Work { folder, ..(*work).clone() }
    };
    Batch {
        out: out.to_path_buf(),
        simulator: queues.simulator.0.clone(),
        gpu: queues.gpus.first().cloned(),
        illustrator: queues.illustrator.clone(),
        tasks: work.chunks(per_task).map(|chunk| chunk.iter().map(of_node).collect()).collect(),
    }
}

/// A word of a shell's command.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::run::Program;

    #[test]
    fn words_stay_words() {
        assert_eq!(quoted("/home/o'hara/my class"), "'/home/o'\\''hara/my class'");
    }

    /// `sbatch` cannot reach its controller at first, and then refuses the partition.
    #[test]
    #[cfg(unix)]
    fn a_controller_may_be_away_for_a_while() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let away = format!("cd '{}' && mkdir tried", folder.path().display());
        let script = format!(
            "#!/bin/sh\nif {away} 2>/dev/null; then echo 'Unable to contact slurm controller' >&2; else \
             echo 'invalid partition' >&2; fi; exit 1\n"
        );
        let path = folder.path().join("sbatch");
        fs::write(&path, script).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
        let cluster = Cluster {
            commands: folder.path().into(),
            worker: vec!["true".into()],
            per_task: 8,
            options: Vec::new(),
            look: Duration::from_millis(1),
            patience: Duration::from_secs(60),
        };
        let program = Program {
            path: "true".into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            patience: Duration::from_secs(60),
        };
        let unit = Unit::new("a", Engine::Sim, b"", &[]);
        let work = [Work { unit, folder: folder.path().into(), file: "x.cu".into() }];
        let queues = Queues { simulator: (program, 1), gpus: Vec::new(), illustrator: None };
        let mut store = Store::open(folder.path()).expect("a store");
        let ended = cluster.run(&queues, &work, &mut store, &mut |_| {});
        assert_eq!(ended, Err(Error::Environment("`sbatch`: invalid partition".into())));
    }
}
