"""One thing that is wrong with a transaction, before it becomes a finding."""

from dataclasses import dataclass

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json, Pointer


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing that is wrong with a request or a response.

    ``path`` leads to it in the body. ``where`` replaces it for what is not in the body (``query:NAME``,
    ``header:NAME``, ``path``, ``status``).
    A ``soft`` defect only warns. A ``tolerable`` one is the client's: a conforming service may accept the request all
    the same. A ``deprecated`` one is allowed by the documents, but no longer recommended.
    ``keyword`` and ``value`` are the schema keyword that failed and the value that failed it.
    ``rule`` is the id of the rule that is violated; defects of coded rules get it from the registry. ``earlier`` is the
    id of the exchange that showed what a rule on several exchanges judges by.
    """

    path: Pointer
    message: str
    expected: str = ""
    actual: str = ""
    where: str = ""
    soft: bool = False
    tolerable: bool = False
    deprecated: bool = False
    keyword: str = ""
    value: Json = None
    rule: str = ""
    earlier: str = ""

    @property
    def pointer(self) -> str:
        """The location as findings show it."""
        return self.where or wording.pointer(self.path)
