//! Every analysis of a launch as one type, so that one executor serves them all: each more that is compiled costs as much as
//! the rest of the simulator.

use crate::model::{Counting, CriticalPaths};
use crate::observe::{Both, Initialisation, Races, Touched};

/// Every analysis there is, each present or not.
pub(crate) type All<'a> =
    Both<Both<Option<Counters>, Option<Touched>>, Both<Option<Initialisation<'a>>, Option<Races<'a>>>>;

/// Those that count.
pub(crate) type Counters = Both<Counting, CriticalPaths>;
