"""City, country and time zone of each airport, which v3 and v2 return next to its code."""

from dataclasses import dataclass

from airworthy.sandbox.model.geography import AIRPORTS

# country, IANA time zone, name
_COUNTRIES = """
AT Europe/Vienna Austria
BE Europe/Brussels Belgium
CH Europe/Zurich Switzerland
CZ Europe/Prague Czechia
DE Europe/Berlin Germany
DK Europe/Copenhagen Denmark
ES Europe/Madrid Spain
FI Europe/Helsinki Finland
FR Europe/Paris France
GB Europe/London United Kingdom
GR Europe/Athens Greece
HU Europe/Budapest Hungary
IE Europe/Dublin Ireland
IT Europe/Rome Italy
NL Europe/Amsterdam Netherlands
NO Europe/Oslo Norway
PL Europe/Warsaw Poland
PT Europe/Lisbon Portugal
SE Europe/Stockholm Sweden
"""
_ELSEWHERE = dict.fromkeys(("LPA", "TFN", "TFS"), "Atlantic/Canary")

# city, name
_CITIES = """
MAD Madrid
BCN Barcelona
PMI Palma de Mallorca
AGP Málaga
SVQ Sevilla
VLC Valencia
BIO Bilbao
ALC Alicante
IBZ Ibiza
LPA Las Palmas
TCI Tenerife
LIS Lisboa
OPO Porto
LON London
MAN Manchester
EDI Edinburgh
DUB Dublin
PAR Paris
NCE Nice
AMS Amsterdam
BRU Brussels
FRA Frankfurt
MUC München
BER Berlin
HAM Hamburg
ZRH Zürich
GVA Genève
VIE Wien
MIL Milano
ROM Roma
ATH Athína
CPH København
STO Stockholm
OSL Oslo
HEL Helsinki
WAW Warszawa
PRG Praha
BUD Budapest
"""


@dataclass(frozen=True, slots=True)
class AirportLocation:
    """The location of an airport."""

    city: str
    country: str
    timezone: str


def _table() -> dict[str, AirportLocation]:
    countries = {code: (zone, name) for code, zone, name in (line.split(maxsplit=2) for line in _lines(_COUNTRIES))}
    cities = dict(line.split(maxsplit=1) for line in _lines(_CITIES))
    return {
        code: AirportLocation(cities[airport.city], name, _ELSEWHERE.get(code, zone))
        for code, airport in AIRPORTS.items()
        for zone, name in (countries[airport.country],)
    }


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


LOCATIONS = _table()
