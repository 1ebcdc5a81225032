"""The words, the money and the numbers of a screen in one language.

The source of every text is English, in the code and the templates; `catalogues/` holds Spanish and Chinese.
Spanish is what a dealer sees unless somebody chooses otherwise.
"""

import gettext
import io
from collections.abc import Mapping
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, get_currency_precision, get_currency_symbol

CATALOGUES = Path(__file__).parent / "catalogues"

LOCALES: Mapping[str, str] = {"es": "es_PE", "en": "en_US", "zh": "zh_Hans_CN"}
"""The languages of the screens, the first of them first."""

NAMES: Mapping[str, str] = {"es": "Español", "en": "English", "zh": "中文"}


class Language:
    """One language with its formats."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.locale = Locale.parse(LOCALES[code])
        self._words = _catalogue(code)

    def say(self, text: str, **values: object) -> str:
        """The text in this language, with its `{values}`."""
        said = self._words.gettext(text)
        return said.format(**values) if values else said

    @lru_cache(maxsize=4096)  # noqa: B019 - there are three languages, and they live as long as the process
    def amount(self, minor: int, currency: str) -> str:
        """An amount without its currency: `1 225` or `12.50`; minor units in, no float."""
        digits = get_currency_precision(currency)
        value = Decimal(minor).scaleb(-digits)
        whole = value == value.to_integral_value()
        pattern = "#,##0" if whole else "#,##0." + "0" * digits
        return format_decimal(value, format=pattern, locale=self.locale)

    def money(self, minor: int, currency: str) -> str:
        """An amount with its currency: `S/ 1 225`."""
        return f"{self.symbol(currency)} {self.amount(minor, currency)}"

    @lru_cache(maxsize=64)  # noqa: B019 - as above
    def symbol(self, currency: str) -> str:
        """The sign of a currency as it is written where the table stands, in every language."""
        return get_currency_symbol(currency, locale=LOCALES["es"])

    def number(self, value: float, digits: int = 0) -> str:
        """A plain number."""
        return format_decimal(Decimal(repr(value)), format="#,##0." + "0" * digits, locale=self.locale)


@cache
def language(code: str) -> Language:
    """The language of that code; an unknown one is Spanish."""
    return Language(code if code in LOCALES else "es")


def _catalogue(code: str) -> gettext.NullTranslations:
    """The catalogue, read from its text: nothing is compiled before and can be out of date."""
    path = CATALOGUES / f"{code}.po"
    if not path.exists():
        return gettext.NullTranslations()
    with path.open("rb") as file:
        catalogue = read_po(file, locale=LOCALES[code], abort_invalid=True)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
