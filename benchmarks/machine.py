"""Describe the machine on which a measurement ran."""

from __future__ import annotations

import os
import platform

import mlxtend
import numpy as np


def machine() -> str:
    """Name the processor, if the system reports it, and the software."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    name = names[0] if names else platform.processor() or platform.machine()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{name}, {os.cpu_count()} cores{load}, {platform.system()}, Python {platform.python_version()}, "
        f"numpy {np.__version__}, mlxtend {mlxtend.__version__}"
    )
