"""What the generated tables say of an operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Batch(NamedTuple):
    """The array of a body that is sent in parts, and the most items and bytes of a part."""

    key: str
    max_items: int
    max_bytes: int


@dataclass(frozen=True)
class Route(Generic[T]):
    """`T` is what a 200 answers."""

    method: str
    path: str
    """With its parameters in braces, as in the document."""
    items: str | None = None
    """The array of a list that has pages."""
    batch: Batch | None = None
    answers: tuple[str, ...] = ("json",)
    """How a 200 is read: `json`, `text`, `bytes`, `lines` or `events`."""
    takes_key: bool = False
    """Whether the service looks at `Idempotency-Key`."""
    is_repeatable: bool = True
    """False where a second call might do the thing twice."""
    binary_type: str | None = None
    """The type of a body that is bytes, where there is one only."""

    @property
    def operation(self) -> str:
        """For errors. The template, because some paths hold a secret."""
        return f"{self.method} {self.path}"
