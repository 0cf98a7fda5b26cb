//! Stands in for the crate `bindgen` (see `[patch.crates-io]` in the workspace): the build script of `wasmer` asks for it
//! on each target, and uses it only with the engine V8, which Frontdesk does not have.
