"""The types of bodies and answers, by surface: `from roadworthy.types import external`, then `external.Device`. Dicts with the names of the wire."""

from .generated import engine_types as engine
from .generated import external_types as external
from .generated import platform_types as platform
from .generated import published_types as published
from .generated import sim_billing_types as sim_billing

__all__ = ["engine", "external", "platform", "published", "sim_billing"]
