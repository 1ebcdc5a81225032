"""A validator's complaint in our words: the place first, then what is wrong with it."""

import re
from typing import Any, get_args, get_type_hints


def placed(error: Exception, kind: type[Any] | None = None) -> str:
    """`shoe: unknown key 'bauds'`, from msgspec's words; `kind` is where the choices of a key are read."""
    found = re.fullmatch(r"(.*?)(?: - at `(?:key in )?\$?\.?(.*?)`)?", str(error), re.DOTALL)
    text, place = (found[1], found[2] or "") if found else (str(error), "")
    text = re.sub(r"Object contains unknown field `(.*)`", r"unknown key '\1'", text)
    text = re.sub(r"Object missing required field `(.*)`", r"the key '\1' is missing", text)
    text = text.replace("Expected", "should be").replace("got", "is").replace("`", "")
    choices = get_args(get_type_hints(kind).get(place)) if kind else ()
    if text.startswith("Invalid enum value") and choices:
        text += f"; there are {', '.join(str(choice) for choice in choices)}"
    return f"{place}: {text}" if place else text
