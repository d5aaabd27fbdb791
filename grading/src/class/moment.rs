//! A moment, as somebody wrote it down with its offset from UTC. Without the offset nobody knows which hour is meant, so that a
//! time alone is no moment.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use toml::value::{Datetime, Offset};

/// A day in nanoseconds. Days are 24 hours, also where a clock is put forward or back.
const DAY: i128 = 86_400_000_000_000;

/// A moment. It is shown as it was written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Moment {
    text: String,
    /// Since 1970.
    nanoseconds: i128,
}

impl Moment {
    /// Days from `due` to this moment, each one that has begun: 0 at the very moment, 1 just after it.
    pub fn days_after(&self, due: &Self) -> u32 {
        let late = (self.nanoseconds - due.nanoseconds).max(0);
        u32::try_from((late + DAY - 1) / DAY).unwrap_or(u32::MAX)
    }
}

impl FromStr for Moment {
    type Err = String;

    /// Reads `2027-01-31T23:59:00+01:00` and what learning platforms write: a space for the `T`, a space before the offset, an
    /// offset without a colon, `UTC`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is not a day, a time and the offset from UTC, such as 2027-01-31T23:59:00+01:00"
            )
        };
        let text = text.trim();
        let strict = strict(text);
        let read: Datetime = strict.parse().map_err(|_| wrong())?;
        let (Some(date), Some(time), Some(offset)) = (read.date, read.time, read.offset) else {
            return Err(wrong());
        };
        let east = match offset {
            Offset::Z => 0,
            Offset::Custom { minutes } => i64::from(minutes),
        };
        let clock = |part: Option<u8>| i64::from(part.unwrap_or(0));
        let minutes = 60 * (24 * days(date.year, date.month, date.day) + i64::from(time.hour))
            + i64::from(time.minute)
            - east;
        let seconds = 60 * minutes + clock(time.second);
        let nanoseconds =
            i128::from(seconds) * 1_000_000_000 + i128::from(time.nanosecond.unwrap_or_default());
        Ok(Self { text: strict, nanoseconds })
    }
}

/// The text as RFC 3339 has it.
fn strict(text: &str) -> String {
    let (day, rest) = text.split_at_checked(10).unwrap_or((text, ""));
    let rest = rest.strip_prefix([' ', 'T', 't']).unwrap_or(rest);
    let at = rest.find(|c: char| !(c.is_ascii_digit() || ".:".contains(c))).unwrap_or(rest.len());
    let (time, zone) = rest.split_at(at);
    let zone = match zone.trim_start() {
        "UTC" | "z" => "Z".to_owned(),
        short if short.len() == 5 && short.is_ascii() && !short.contains(':') => {
            format!("{}:{}", &short[..3], &short[3..])
        }
        other => other.to_owned(),
    };
    if time.is_empty() { text.to_owned() } else { format!("{day}T{time}{zone}") }
}

/// Days from 1970-01-01 to this day of the Gregorian calendar.
fn days(year: u16, month: u8, day: u8) -> i64 {
    // A year that begins in March has its leap day at its end.
    let years = i64::from(year) - i64::from(month < 3);
    let months = (i64::from(month) + 9) % 12;
    365 * years + years.div_euclid(4) - years.div_euclid(100)
        + years.div_euclid(400)
        + (153 * months + 2) / 5
        + i64::from(day)
        - 719_469
}

impl PartialEq for Moment {
    fn eq(&self, other: &Self) -> bool {
        self.nanoseconds == other.nanoseconds
    }
}

impl Eq for Moment {}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> Self {
        moment.text
    }
}

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        text.parse().unwrap_or_else(|what| panic!("{what}"))
    }

    #[test]
    fn one_moment_has_many_spellings() {
        let noon = moment("2026-11-20T12:00:00Z");
        assert_eq!(noon.nanoseconds, 1_795_176_000_000_000_000);
        for spelling in [
            "2026-11-20 12:00:00.000000000 Z",
            "2026-11-20 12:00:00 UTC",
            "2026-11-20 04:00:00 -0800",
            "2026-11-20 13:00:00 +01:00",
            " 2026-11-20t12:00:00.0z ",
            "2026-11-21T00:45:00+12:45",
        ] {
            assert_eq!(moment(spelling), noon, "{spelling}");
        }
        assert_eq!(moment("2026-11-20 04:00:00 -0800").to_string(), "2026-11-20T04:00:00-08:00");
        assert_eq!(moment("2024-03-01T00:00:00Z").days_after(&moment("2024-02-28T00:00:00Z")), 2);
        assert_eq!(moment("2027-01-01T00:00:00Z").days_after(&moment("2026-01-01T00:00:00Z")), 365);
    }

    #[test]
    fn what_leaves_the_hour_open_is_no_moment() {
        for text in [
            "",
            "soon",
            "2026-11-20",
            "2026-11-20T12:00:00",
            "12:00:00Z",
            "2026-02-29T12:00:00Z",
            "2026-11-20T25:00:00Z",
            "2026-11-20 12:00:00 CET",
            "20/11/2026 12:00:00Z",
            "2026-11-20T12:00:00é+01",
            "ünicode 20",
        ] {
            assert!(text.parse::<Moment>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_day_is_late_as_soon_as_it_has_begun() {
        let due = moment("2026-10-24T23:59:00+02:00");
        let late = |text: &str| moment(text).days_after(&due);
        assert_eq!(late("2026-10-20T00:00:00+02:00"), 0);
        assert_eq!(late("2026-10-24T21:59:00Z"), 0, "the very moment, in another zone");
        assert_eq!(late("2026-10-24 21:59:00.000000001 Z"), 1);
        assert_eq!(late("2026-10-25 07:00:00 +0900"), 1, "1 minute late, on another day's calendar");
        // That night the clocks were put back: 24 hours later they showed 22:59.
        assert_eq!((late("2026-10-25T22:59:00+01:00"), late("2026-10-25T23:00:00+01:00")), (1, 2));
        assert_eq!(late("9999-12-31T00:00:00Z"), 2_912_146);
    }
}
