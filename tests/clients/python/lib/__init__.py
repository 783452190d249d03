"""What the checks share: where the streams are, and how a difference is told."""

import os
from collections.abc import Callable

BASE = os.environ["WADI_STREAMS"]


def url(name: str) -> str:
    """The URL of a stream."""
    return f"{BASE}/{name}"


def same(what: str, actual: object, expected: object) -> None:
    """Fails unless `actual` is `expected`; says what was checked otherwise."""
    if actual != expected or type(actual) is not type(expected):
        raise AssertionError(f"{what}: {actual!r:.2000} is not {expected!r:.2000}")
    print(f"ok {what}")


def fails(what: str, error: type[Exception], action: Callable[[], object]) -> None:
    """Fails unless `action` raises `error`."""
    try:
        action()
    except error:
        print(f"ok {what}")
        return
    raise AssertionError(f"{what}: it did not fail")


def pattern(length: int, start: int = 0) -> bytes:
    """Bytes that repeat only after 251: no accidental alignment."""
    return bytes((start + at * 7) % 251 for at in range(length))
