//! TLS for outgoing connections: to a PostgreSQL server, to an identity provider.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

/// Trusts the machine's certificates. Independent of the process's default crypto provider.
pub(crate) fn client_config() -> ClientConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    for certificate in rustls_native_certs::load_native_certs().certs {
        // Skip invalid certificates: nothing can match them.
        let _ = roots.add(certificate);
    }
    let builder =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    match builder {
        Ok(builder) => builder.with_root_certificates(roots).with_no_client_auth(),
        Err(error) => unreachable!("ring knows the default protocol versions: {error}"),
    }
}
