//! The checker from outside: the real binary, its output and exit codes; the worker; the shim's units.

mod causes;
mod commands;
mod common;
mod differential;
mod machine;
mod messages;
mod reports;
mod scores;
mod solution;
mod swapped;
mod units;
mod usage;
mod worker;
