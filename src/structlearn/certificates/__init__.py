"""What a fit claims, in a file that others can check."""

from structlearn.certificates.certificate import Certificate
from structlearn.certificates.findings import Finding, Verdict
from structlearn.certificates.table import about

__all__ = ["Certificate", "Finding", "Verdict", "about"]
