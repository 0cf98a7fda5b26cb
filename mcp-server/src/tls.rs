//! TLS for outgoing connections: to a PostgreSQL server, to an identity provider.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::Mutex;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use x509_cert::der::Decode;

/// Trusts the machine's certificates. Independent of the process's default crypto provider.
pub(crate) fn client_config() -> ClientConfig {
    let provider = provider();
    let builder =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    match builder {
        Ok(builder) => (builder.with_root_certificates(machine())).with_no_client_auth(),
        Err(error) => unreachable!("ring knows the default protocol versions: {error}"),
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// The authorities that this machine trusts.
fn machine() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    for certificate in rustls_native_certs::load_native_certs().certs {
        // Skip invalid certificates: nothing can match them.
        let _ = roots.add(certificate);
    }
    roots
}

/// What of a PostgreSQL server's certificate is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Verification {
    /// Nothing: the connection is encrypted if the server can, and may be with anybody.
    #[default]
    Nothing,
    /// It is signed by an authority that is trusted.
    Authority,
    /// The same, and it has the name of the address.
    Name,
}

/// The authorities of an address cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("sslrootcert {}: {cause}", path.display())]
pub struct RootsError {
    path: PathBuf,
    cause: String,
}

/// The certificate of the last server that was connected to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Option<CertificateDer<'static>>>>);

impl Seen {
    /// When the certificate ends; `None` if none was seen, or it cannot be read.
    pub(crate) fn end(&self) -> Option<Timestamp> {
        let seen = self.0.lock();
        let certificate = x509_cert::Certificate::from_der(seen.as_ref()?).ok()?;
        let end = certificate.tbs_certificate.validity.not_after;
        let seconds = end.to_unix_duration().as_secs();
        Timestamp::from_second(i64::try_from(seconds).ok()?).ok()
    }
}

/// The configuration for a PostgreSQL server, and what it sees. `roots` is a file of authorities in place of the machine's.
///
/// # Errors
/// [`RootsError`] if the file has no certificate.
pub(crate) fn of_database(
    verification: Verification,
    roots: Option<&Path>,
) -> Result<(ClientConfig, Seen), RootsError> {
    let (trusted, pinned) = match roots {
        Some(path) => read(path)?,
        None if verification == Verification::Nothing => (RootCertStore::empty(), Vec::new()),
        None => (machine(), Vec::new()),
    };
    let provider = provider();
    let webpki = match verification {
        Verification::Nothing => None,
        // It fails without an authority: then nothing is trusted.
        _ => Some(
            WebPkiServerVerifier::builder_with_provider(trusted.into(), Arc::clone(&provider))
                .build()
                .map_err(|error| RootsError {
                    path: roots.unwrap_or(Path::new("system")).to_owned(),
                    cause: error.to_string(),
                })?,
        ),
    };
    let seen = Seen::default();
    let verifier = Verifier {
        verification,
        webpki,
        pinned,
        provider: Arc::clone(&provider),
        seen: seen.clone(),
    };
    let builder =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = match builder {
        Ok(builder) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        Err(error) => unreachable!("ring knows the default protocol versions: {error}"),
    };
    Ok((config, seen))
}

/// The certificates of a file, as authorities and as they are.
fn read(path: &Path) -> Result<(RootCertStore, Vec<CertificateDer<'static>>), RootsError> {
    let refused = |cause: String| RootsError {
        path: path.to_owned(),
        cause,
    };
    let file = CertificateDer::pem_file_iter(path).map_err(|error| refused(error.to_string()))?;
    let certificates: Result<Vec<_>, _> = file.collect();
    let certificates = certificates.map_err(|error| refused(error.to_string()))?;
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(certificates.iter().cloned());
    match added {
        0 => Err(refused("there is no certificate in PEM format".to_owned())),
        _ => Ok((roots, certificates)),
    }
}

/// Verifies what libpq verifies.
#[derive(Debug)]
struct Verifier {
    verification: Verification,
    webpki: Option<Arc<WebPkiServerVerifier>>,
    /// Certificates that are trusted although no authority has signed them: a server's own, as Debian makes one.
    pinned: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
    seen: Seen,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        status: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let mut seen = self.seen.0.lock();
        *seen = Some(certificate.clone().into_owned());
        let Some(webpki) = &self.webpki else {
            return Ok(ServerCertVerified::assertion());
        };
        let verified = webpki.verify_server_cert(certificate, intermediates, name, status, now);
        let has_to_have_name = self.verification == Verification::Name;
        match verified {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !has_to_have_name => Ok(ServerCertVerified::assertion()),
            // Not one that has ended, which is another error.
            Err(Error::InvalidCertificate(
                CertificateError::UnknownIssuer | CertificateError::Other(_),
            )) if self.pinned.contains(certificate) => {
                if has_to_have_name {
                    verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
                }
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let known = &self.provider.signature_verification_algorithms;
        known.supported_schemes()
    }
}
