"""Bytes and members of whatever the user hands over; knows archives, knows no log format."""

from analyzer.bundle.limits import Limits, StreamCutError
from analyzer.bundle.members import Member, Refused
from analyzer.bundle.open import Bundle, open_bundle
from analyzer.bundle.streams import ByteStream

__all__ = ["Bundle", "ByteStream", "Limits", "Member", "Refused", "StreamCutError", "open_bundle"]
