//! Errors of the simulated device as engine errors.

use simulator::DeviceError;

use super::interface::EngineError;
use crate::codes;

impl From<DeviceError> for EngineError {
    fn from(error: DeviceError) -> Self {
        let reason = error.to_string();
        match error {
            DeviceError::NotAllocated(_) | DeviceError::OutOfBounds { .. } => {
                Self::Refused { code: codes::INVALID_VALUE, reason }
            }
            DeviceError::OutOfMemory(_) => Self::Refused { code: codes::MEMORY_ALLOCATION, reason },
            DeviceError::NoKernel(_) => Self::Refused { code: codes::INVALID_DEVICE_FUNCTION, reason },
            DeviceError::WrongArguments(_) => Self::Broken(reason),
        }
    }
}
