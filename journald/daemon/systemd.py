"""What a `Type=notify` service tells systemd: datagrams to $NOTIFY_SOCKET, see sd_notify(3)."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from datetime import timedelta


class Notifier:
    """Talks to systemd; says nothing where there is none."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._watchdog = environment.get("WATCHDOG_USEC", "")

    @property
    def ping_every(self) -> timedelta | None:
        """How often the watchdog wants to be fed: half of its patience; None without one."""
        if not self._address or not self._watchdog.isdigit() or int(self._watchdog) == 0:
            return None
        return timedelta(microseconds=int(self._watchdog)) / 2

    def ready(self, status: str) -> None:
        """Say that the daemon is up."""
        self._send(f"READY=1\nSTATUS={status}")

    def status(self, status: str) -> None:
        """Say what it does, in a line for people."""
        self._send(f"STATUS={status}")

    def stopping(self) -> None:
        """Say that it is on its way out."""
        self._send("STOPPING=1\nSTATUS=stopping")

    def alive(self) -> None:
        """Feed the watchdog."""
        self._send("WATCHDOG=1")

    def extend(self, by: timedelta) -> None:
        """Ask for more time to start or to stop, counted from now."""
        self._send(f"EXTEND_TIMEOUT_USEC={by // timedelta(microseconds=1)}")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # A leading @ stands for the abstract namespace, whose names begin with a NUL.
        address = "\0" + self._address[1:] if self._address[0] == "@" else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
            try:
                channel.sendto(message.encode(), address)
            except OSError:
                # sd_notify(3): a service is not to care whether it is heard.
                return
