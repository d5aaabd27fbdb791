//! When a submission came, as far as anyone says.

use super::moment::Moment;

/// What the export and the roster say. The roster is the instructor's word: it counts before the export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arrival {
    /// When it came, and who says so.
    pub at: Option<(Moment, &'static str)>,
    /// Who marks it as late without a time.
    pub marked_by: Option<&'static str>,
    /// The days that it is late, as the roster says: then no time counts.
    pub days: Option<u32>,
    /// Late days that cost this student nothing; without it, as many as for all.
    pub free_days: Option<u32>,
    /// When it is due for this student; without it, as for all.
    pub due: Option<Moment>,
}
