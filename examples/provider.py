#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write events from Python through the C functions; needs no Python package.

    evnt record -p '*Example-Python' -o python.etl -- ./provider.py
"""
import ctypes
import struct

evntprov = ctypes.CDLL("libevntprov.so.1")


class EventDescriptor(ctypes.Structure):
    """EVENT_DESCRIPTOR"""
    _fields_ = [("id", ctypes.c_uint16), ("version", ctypes.c_uint8),
                ("channel", ctypes.c_uint8), ("level", ctypes.c_uint8),
                ("opcode", ctypes.c_uint8), ("task", ctypes.c_uint16),
                ("keyword", ctypes.c_uint64)]


class EventDataDescriptor(ctypes.Structure):
    """EVENT_DATA_DESCRIPTOR"""
    _fields_ = [("ptr", ctypes.c_uint64), ("size", ctypes.c_uint32),
                ("type", ctypes.c_uint32)]


DATA_EVENT_METADATA = 1
DATA_PROVIDER_METADATA = 2
CHANNEL_TRACELOGGING = 11
PROVIDER_SET_TRAITS = 2

# Type of a field, and how its value is packed
INT32 = (7, lambda value: struct.pack("<i", value))
DOUBLE = (12, lambda value: struct.pack("<d", value))
UTF8 = (2, lambda value: value.encode() + b"\0")
OUT_UTF8 = 35


class Provider:
    """A provider of self-describing events, as with TraceLogging"""

    def __init__(self, name):
        guid = (ctypes.c_uint8 * 16)()
        self.handle = ctypes.c_uint64()
        evntprov.EvntProviderIdFromName(name.encode(), guid)
        error = evntprov.EventRegister(guid, None, None,
                                       ctypes.byref(self.handle))
        if error:
            raise OSError(f"EventRegister: error {error}")
        text = name.encode() + b"\0"
        self.traits = struct.pack("<H", 2 + len(text)) + text
        evntprov.EventSetInformation(self.handle, PROVIDER_SET_TRAITS,
                                     self.traits, len(self.traits))

    def is_enabled(self, level, keyword):
        """Return whether the event is enabled; check before costly work"""
        return evntprov.EventProviderEnabled(
            self.handle, ctypes.c_uint8(level), ctypes.c_uint64(keyword))

    def write(self, name, level, keyword, **fields):
        """Write an event; fields have a type and a value: n=(INT32, 5)"""
        if not self.is_enabled(level, keyword):
            return
        schema = b"\0" + name.encode() + b"\0"
        data = b""
        for field, ((kind, pack), value) in fields.items():
            schema += field.encode() + b"\0"
            schema += (bytes([kind | 0x80, OUT_UTF8]) if kind == 2 else
                       bytes([kind]))
            data += pack(value)
        schema = struct.pack("<H", 2 + len(schema)) + schema
        blocks = [(self.traits, DATA_PROVIDER_METADATA),
                  (schema, DATA_EVENT_METADATA), (data, 0)]
        kept = [ctypes.create_string_buffer(block, len(block))
                for block, kind in blocks]
        descriptors = (EventDataDescriptor * len(blocks))(*(
            EventDataDescriptor(ctypes.addressof(memory), len(block), kind)
            for memory, (block, kind) in zip(kept, blocks)))
        event = EventDescriptor(channel=CHANNEL_TRACELOGGING, level=level,
                                keyword=keyword)
        evntprov.EventWriteTransfer(self.handle, ctypes.byref(event), None,
                                    None, len(blocks), descriptors)

    def close(self):
        """Unregister"""
        evntprov.EventUnregister(self.handle)


def main():
    """Write ten events"""
    provider = Provider("Example-Python")
    for number in range(10):
        provider.write("Square", 4, 0x1, number=(INT32, number),
                       root=(DOUBLE, round(number ** 0.5, 3)),
                       text=(UTF8, f"{number} * {number} = {number ** 2}"))
    provider.close()


if __name__ == "__main__":
    main()
