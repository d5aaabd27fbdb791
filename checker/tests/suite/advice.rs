//! The idea that a rung of a ladder is told next: one of a later rung.

use judge::build;
use judge::labs;
use judge::prediction;
use judge::progress::Progress;
use judge::rung::Rung;
use judge::setup::{EngineChoice, Setup};
use judge::submission;
use judge::workspace::Workspace;
use lab::{Lab, Task, next_idea};
use rayon::prelude::*;

use crate::common::root;

/// The ideas for each task of a rung, by their rungs.
fn told(setup: &Setup, lab: &'static dyn Lab, rung: &Rung) -> Vec<(&'static str, Option<u32>)> {
    let submission = submission::read(&rung.path, "rung.cu", lab, "").expect("a rung");
    let tasks: Vec<&dyn Task> = rung.tasks.iter().map(|task| *task as &dyn Task).collect();
    let Ok(build) = build::build(&setup.compiler, &submission, &tasks, setup.targets) else {
        panic!("{} does not compile", rung.name());
    };
    let simulation = build.simulation(setup.simulated_gpu());
    let tell = |task: &'static dyn Task| {
        let case = task.timed_case();
        let counted = prediction::counted(task, &case, &build.program, &simulation, 1).expect("it runs");
        (task.name(), next_idea(task.ideas(), &counted.signs).map(|idea| idea.rung))
    };
    rung.tasks.iter().map(|task| tell(*task)).collect()
}

/// Asserts that every rung of these labs is told an idea of a later rung, and that hardly any is told nothing.
fn follows(labs: &[&'static dyn Lab]) {
    let workspace = Workspace::find(&root()).expect("a checkout");
    let setup = Setup::new(EngineChoice::Simulator, &simulator::model::gpus()[0], &Progress::new());
    let setup = setup.expect("a compiler");
    let rungs: Vec<(&'static dyn Lab, Rung)> = labs
        .iter()
        .flat_map(|lab| workspace.rungs(*lab).expect("a ladder").into_iter().map(move |rung| (*lab, rung)))
        .collect();
    let all: Vec<(u32, &str, Option<u32>)> = rungs
        .par_iter()
        .flat_map_iter(|(lab, rung)| {
            let number: u32 = rung.number.parse().expect("a number");
            told(&setup, *lab, rung).into_iter().map(move |(task, idea)| (number, task, idea))
        })
        .collect();
    let stale: Vec<_> = all.iter().filter(|(rung, _, idea)| idea.is_some_and(|idea| idea <= *rung)).collect();
    assert!(stale.is_empty(), "{stale:#?}");
    // Rungs that earn all points may be told nothing, and hardly any other.
    let silent = all.iter().filter(|(_, _, idea)| idea.is_none()).count();
    assert!(4 * silent < all.len(), "{silent} of {} are told nothing", all.len());
}

#[test]
fn every_rung_of_lab_2_is_told_an_idea_of_a_later_rung() {
    follows(&[labs::find("lab2").expect("a lab")]);
}

#[test]
#[ignore = "a minute of two cores: run it after a change of an idea, a rung or the counters"]
fn every_rung_is_told_an_idea_of_a_later_rung() {
    follows(&labs::all());
}

#[test]
fn the_ideas_of_a_task_rise_and_each_is_one_of_its_rungs() {
    let workspace = Workspace::find(&root()).expect("a checkout");
    for lab in labs::all() {
        let rungs = workspace.rungs(lab).expect("a ladder");
        for task in lab.tasks() {
            let ideas = task.ideas();
            assert!(!ideas.is_empty(), "{} has no ideas", task.name());
            assert!(ideas.is_sorted_by(|one, next| one.rung < next.rung), "{}", task.name());
            for idea in ideas {
                let known = |rung: &&Rung| rung.number.parse() == Ok(idea.rung) && rung.is_about(*task);
                assert!(rungs.iter().any(|rung| known(&rung)), "{}: no rung {}", task.name(), idea.rung);
                let texts = [idea.idea, idea.sketch, idea.code];
                assert!(texts.iter().all(|text| !text.trim().is_empty()), "{}", idea.name);
                assert!(!idea.idea.ends_with('.'), "{}", idea.idea);
                assert!(idea.code.lines().all(|line| line.chars().count() <= 94), "{}", idea.code);
            }
        }
    }
}
