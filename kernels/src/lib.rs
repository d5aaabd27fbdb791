//! CUDA source shared by all labs, embedded in the binary: the headers that a student may include, the host-side shim
//! that turns CUDA runtime calls into trapped calls, the yardstick kernels; and the rewriting of `kernel<<<…>>>(…)`.

mod conditional;
mod device_code;
mod device_properties;
mod digest;
mod editor;
mod entries;
mod error;
mod functions;
mod headers;
mod hint;
mod host_call;
mod includes;
mod launch;
mod lexer;
mod nesting;
mod overloads;
mod plain_call;
mod region;
mod rewrite;
mod statics;
mod templates;
mod unit;
mod variables;
mod versions;
mod yardstick;

pub use device_properties::DeviceProperties;
pub use digest::{DIGEST, DigestShape, digest, digest_shape};
pub use editor::{EDITOR_PRELUDE, editor_headers};
pub use entries::{Entry, explain_entry_errors};
pub use error::RewriteError;
pub use functions::{Function, Side, functions};
pub use headers::{HEADERS, Header};
pub use hint::{explain_undefined, hint};
pub use host_call::HostCall;
pub use includes::refused_include;
pub use lexer::{tokens_alone, tokens_at};
pub use rewrite::{rewrite_launches, source_column, unclosed_brace};
pub use statics::{is_lasting, rewrite_lasting};
pub use unit::{ENTRY_FILE, Pass, options, translation_unit};
pub use variables::host_variables;
pub use versions::{version_function, version_name, versions_unit};
pub use yardstick::{YARDSTICK, YardstickShape, yardstick_shape};
