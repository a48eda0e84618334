"""How is the dashboard encrypted without anybody but this machine? A certificate that it makes and keeps itself."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import platformdirs
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from referee.text import say
from referee.text.faults import RefereeError

FOLDER: Final = platformdirs.user_data_path("table-referee") / "certificate"
DAYS: Final = 397
"""Browsers refuse longer-lived ones."""
RENEW: Final = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and its key.

    Attributes:
        chain, key: the two PEM files.
        fingerprint: SHA-256 of the certificate as browsers show it, `AB:CD:…`, to compare before one accepts it.
    """

    chain: Path
    key: Path
    fingerprint: str


def certificate_for(address: str, folder: Path = FOLDER) -> Certificate:
    """This machine's certificate, good for loopback, its names and `address`; made anew when it is not, or runs out.

    Raises:
        RefereeError: `folder` cannot be written.
    """
    chain, key = folder / "certificate.pem", folder / "key.pem"
    names = _names(address)
    try:
        if not _good(chain, key, names):
            folder.mkdir(parents=True, exist_ok=True)
            _make(chain, key, names)
        made = x509.load_pem_x509_certificate(chain.read_bytes())
    except OSError as fault:
        raise RefereeError(say("cli.certificate", folder=folder, why=fault.strerror)) from None
    digest = hashlib.sha256(made.public_bytes(serialization.Encoding.DER)).hexdigest().upper()
    return Certificate(chain, key, ":".join(digest[i : i + 2] for i in range(0, len(digest), 2)))


def until(address: str, folder: Path = FOLDER) -> datetime | None:
    """When the certificate that is kept runs out; None when there is none that is good for `address`."""
    chain = folder / "certificate.pem"
    if not _good(chain, folder / "key.pem", _names(address)):
        return None
    return x509.load_pem_x509_certificate(chain.read_bytes()).not_valid_after_utc


def _names(address: str) -> list[x509.GeneralName]:
    host = socket.gethostname().lower().removesuffix(".local")
    names = ["localhost", host, f"{host}.local"]
    addresses = dict.fromkeys(["127.0.0.1", "::1", address])
    return [*(x509.DNSName(name) for name in names), *(x509.IPAddress(ipaddress.ip_address(a)) for a in addresses)]


def _good(chain: Path, key: Path, names: list[x509.GeneralName]) -> bool:
    """Whether the certificate there is the key's, and good for `names` and for a while."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(chain, key)
        kept = x509.load_pem_x509_certificate(chain.read_bytes())
        known = list(kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value)
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    return all(name in known for name in names) and kept.not_valid_after_utc - RENEW > datetime.now(UTC)


def _make(chain: Path, key: Path, names: list[x509.GeneralName]) -> None:
    secret = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"referee on {socket.gethostname()}"[:64])])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=DAYS - 1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(secret, hashes.SHA256())
    )
    pem = secret.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with os.fdopen(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(pem)
    key.chmod(0o600)
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
