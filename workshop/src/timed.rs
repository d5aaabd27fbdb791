//! Times and states of the checker in the form of records.

use records::State;

use judge::exit::Stop;
use judge::performance::Timed;
use judge::report::Performance;
use judge::score;

/// The times of a task, or why there are none.
pub fn performance(timed: Timed, name: &str, task: &str) -> Result<Performance, Stop> {
    timed.performance.ok_or_else(|| {
        let reason = timed.findings.first().map(|finding| finding.message.clone()).unwrap_or_default();
        Stop::environment(format!("failed to time `{name}`, task `{task}`: {reason}"))
    })
}

/// Whether times can be believed.
pub fn state(state: score::State) -> State {
    match state {
        score::State::Stable => State::Stable,
        score::State::Unstable => State::Unstable,
        score::State::Suspect => State::Suspect,
    }
}

/// The same as the checker scores it.
pub fn scored(state: State) -> score::State {
    match state {
        State::Stable => score::State::Stable,
        State::Unstable => score::State::Unstable,
        State::Suspect => score::State::Suspect,
    }
}
