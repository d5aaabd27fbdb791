//! The messages between parent and worker: a length, a JSON header, then raw bytes.
//!
//! The channel is a socket on the worker's standard input. Standard output and error carry only what the student's code
//! prints, so that no printed text can be taken for an answer.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::job::{Failure, Job, Outcome};
use crate::timing::{TimeRequest, Timed};

/// The engine that the worker opens.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Target {
    /// The GPU with this index; the device image is a cubin.
    Gpu(u32),
    /// The simulator of this GPU; the device image is PTX. For tests without a GPU.
    Simulator(String),
}

/// The first request. Bytes: the host PTX, the student's device image (both empty if only the yardstick is
/// wanted), the yardstick's image.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Open {
    /// The engine.
    pub target: Target,
}

/// A request of the parent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Request {
    /// Load a submission.
    Open(Open),
    /// Call a host function; answered by [`Response::Ran`]. Bytes: the inputs.
    Run(Job),
    /// Call host functions one after another, each on what those before have left in variables; answered by [`Response::Ran`] for the
    /// last. Bytes: the inputs of all.
    RunAll(Vec<Job>),
    /// Time it beside the yardstick; answered by [`Response::Timed`]. Bytes: the inputs.
    Time(TimeRequest),
    /// Time the yardstick alone; answered by [`Response::Seconds`].
    Yardstick {
        /// Bytes read.
        read: u64,
        /// Bytes written.
        write: u64,
    },
}

/// An answer of the worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Response {
    /// Loaded.
    Opened,
    /// The outcome of a call. Bytes: the outputs, call by call.
    Ran {
        /// The outcome without the outputs.
        outcome: Outcome,
        /// Number of calls whose outputs follow.
        calls: usize,
    },
    /// Times. Bytes: the outputs of one of the timed calls.
    Timed(Timed),
    /// Seconds of each run of the yardstick.
    Seconds(Vec<f64>),
    /// The request failed; the worker ends.
    Failed(Failure),
}

/// Longest header that is read.
const MAX_HEADER: u32 = 16 << 20;
/// Most bytes that follow one header.
const MAX_BYTES: u64 = 8 << 30;

#[derive(Serialize, Deserialize)]
struct Frame<T> {
    message: T,
    lengths: Vec<u64>,
}

/// Sends a message and the bytes that go with it.
pub fn send<T: Serialize>(to: &mut impl Write, message: &T, bytes: &[&[u8]]) -> io::Result<()> {
    let lengths = bytes.iter().map(|bytes| bytes.len() as u64).collect();
    let header = serde_json::to_vec(&Frame { message, lengths })?;
    to.write_all(&(header.len() as u32).to_le_bytes())?;
    to.write_all(&header)?;
    bytes.iter().try_for_each(|bytes| to.write_all(bytes))?;
    to.flush()
}

/// Receives a message and the bytes that go with it. Lengths that the other side announces are checked against limits.
pub fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<(T, Vec<Vec<u8>>)> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > MAX_HEADER {
        return Err(invalid("the header is too long"));
    }
    let mut header = vec![0; length as usize];
    from.read_exact(&mut header)?;
    let frame: Frame<T> = serde_json::from_slice(&header)?;
    let total = frame.lengths.iter().try_fold(0_u64, |sum, length| sum.checked_add(*length));
    if total.is_none_or(|total| total > MAX_BYTES) {
        return Err(invalid("too many bytes"));
    }
    let mut bytes = Vec::with_capacity(frame.lengths.len());
    for length in frame.lengths {
        // The buffer grows as bytes arrive, not to the announced length.
        let mut part = Vec::new();
        if from.by_ref().take(length).read_to_end(&mut part)? as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.push(part);
    }
    Ok((frame.message, bytes))
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_arrives_with_its_bytes_and_a_cut_one_does_not() {
        let mut wire = Vec::new();
        send(&mut wire, &"hello", &[b"abc", b""]).expect("writes to memory do not fail");
        let (message, bytes): (String, _) = receive(&mut wire.as_slice()).expect("a whole message");
        assert_eq!((message.as_str(), bytes), ("hello", vec![b"abc".to_vec(), Vec::new()]));
        let cut = &wire[..wire.len() - 1];
        assert!(receive::<String>(&mut &*cut).is_err());
    }

    #[test]
    fn a_boast_of_bytes_is_refused() {
        let header = br#"{"message":"x","lengths":[18446744073709551615,2]}"#;
        let mut wire = (header.len() as u32).to_le_bytes().to_vec();
        wire.extend_from_slice(header);
        assert_eq!(
            receive::<String>(&mut wire.as_slice()).expect_err("too many").kind(),
            io::ErrorKind::InvalidData
        );
    }
}
