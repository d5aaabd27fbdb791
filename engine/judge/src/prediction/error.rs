//! Why there is no prediction.

use lab::ImageError;
use runtime::job::Failure;

/// Why there is no prediction.
#[derive(Debug, thiserror::Error)]
pub enum PredictError {
    /// The picture could not be created.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The call failed.
    #[error(transparent)]
    Failure(#[from] Failure),
}
