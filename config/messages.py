"""A validator's complaint in our words: the place first, then what is wrong with it."""

import re
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec


def placed(error: Exception, kind: type[Any] | None = None, tables: Mapping[str, Any] | None = None) -> str:
    """`shoe: unknown key 'bauds'`, from msgspec's words.

    `kind` is what was to be read, for the choices of a key; `tables` is what it was read from, for the keys
    of free sections, which msgspec does not name.
    """
    found = re.fullmatch(r"(.*?)(?: - at `(?:key in )?\$?\.?(.*?)`)?", str(error), re.DOTALL)
    text, place = (found[1], found[2] or "") if found else (str(error), "")
    text = re.sub(r"Object contains unknown field `(.*)`", r"unknown key '\1'", text)
    text = re.sub(r"Object missing required field `(.*)`", r"the key '\1' is missing", text)
    text = text.replace("Expected", "should be").replace("got", "is").replace("`", "")
    if kind and tables and "[...]" in place:
        place = place.replace("[...]", f".{_free_key(place, kind, tables)}", 1)
    choices = _choices(kind, place)
    if text.startswith("Invalid enum value") and choices:
        text += f"; there are {', '.join(str(choice) for choice in choices)}"
    return f"{place}: {text}" if place else text


def _free_key(place: str, kind: type[Any], tables: Mapping[str, Any]) -> str:
    """Which key of a free section is wrong: the one that is wrong on its own."""
    names = place.partition("[...]")[0].split(".")
    section: Any = tables
    for name in names:
        section = section[name]
    for key in section:
        try:
            msgspec.convert(_with_only(tables, names, key), kind)
        except msgspec.ValidationError:
            return str(key)
    return "?"


def _with_only(tables: Mapping[str, Any], names: list[str], key: str) -> dict[str, Any]:
    """The tables, with that key alone in the section of those names."""
    name, *inner = names
    part = _with_only(tables[name], inner, key) if inner else {key: tables[name][key]}
    return {**tables, name: part}


def _choices(kind: Any, place: str) -> tuple[Any, ...]:
    """What may stand at a place, where the types list it."""
    for name in place.split("."):
        if get_origin(kind) is Mapping:
            kind = get_args(kind)[1]
            continue
        record = next((one for one in (kind, *get_args(kind)) if hasattr(one, "__annotations__")), None)
        kind = get_type_hints(record).get(name) if record else None
    return get_args(kind) if get_origin(kind) is Literal else ()


def line(text: str, message: str) -> str:
    """`:12` for the line of a TOML file that a message speaks of, where that is known.

    It stands under the place that the message begins with; else it is the only line with a word that the
    message quotes.
    """
    quoted = message.replace("`", "'").split("'")[1::2]
    place = re.sub(r"\[\d+\]", "", re.split(r": | = ", message, maxsplit=1)[0])
    places = _places(text)
    for name in (*(f"{place}.{key}" for key in quoted), place):
        if name in places:
            return f":{places[name]}"
    for word in quoted if "is missing" not in message else ():
        at = [number for number, row in enumerate(text.splitlines(), start=1) if word in row]
        if len(at) == 1:
            return f":{at[0]}"
    return ""


def _places(text: str) -> dict[str, int]:
    """The lines of the sections and keys of a TOML file; what stands within brackets is passed over."""
    section, found = "", dict[str, int]()
    for number, row in enumerate(text.splitlines(), start=1):
        if header := re.fullmatch(r"\s*\[([^\[\]]+)\]\s*(#.*)?", row):
            section = header[1].replace('"', "").strip()
            found.setdefault(section, number)
        elif key := re.match(r'\s*"?([^"=\s]+)"?\s*=', row):
            found.setdefault(f"{section}.{key[1]}".strip("."), number)
    return found
