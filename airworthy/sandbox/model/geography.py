"""Real airports, cities and carriers."""

from dataclasses import dataclass
from math import asin, cos, radians, sin, sqrt

# airport, city, country, latitude, longitude, hours from UTC, terminals, name
_AIRPORTS = """
MAD MAD ES 40.47 -3.56 1 1,2,4,4S Madrid-Barajas
BCN BCN ES 41.30 2.08 1 1,2 Barcelona-El Prat
PMI PMI ES 39.55 2.74 1 - Palma de Mallorca
AGP AGP ES 36.67 -4.50 1 2,3 Málaga
SVQ SVQ ES 37.42 -5.89 1 - Sevilla
VLC VLC ES 39.49 -0.48 1 - Valencia
BIO BIO ES 43.30 -2.91 1 - Bilbao
ALC ALC ES 38.28 -0.56 1 - Alicante
IBZ IBZ ES 38.87 1.37 1 - Ibiza
LPA LPA ES 27.93 -15.39 0 - Gran Canaria
TFN TCI ES 28.48 -16.34 0 - Tenerife Norte
TFS TCI ES 28.04 -16.57 0 - Tenerife Sur
LIS LIS PT 38.77 -9.13 0 1,2 Lisboa
OPO OPO PT 41.24 -8.68 0 - Porto
LHR LON GB 51.47 -0.45 0 2,3,4,5 London Heathrow
LGW LON GB 51.15 -0.19 0 N,S London Gatwick
STN LON GB 51.89 0.24 0 - London Stansted
MAN MAN GB 53.35 -2.27 0 1,2,3 Manchester
EDI EDI GB 55.95 -3.37 0 - Edinburgh
DUB DUB IE 53.42 -6.27 0 1,2 Dublin
CDG PAR FR 49.01 2.55 1 1,2E,2F,3 Paris Charles de Gaulle
ORY PAR FR 48.72 2.36 1 1,2,3,4 Paris Orly
NCE NCE FR 43.66 7.22 1 1,2 Nice
AMS AMS NL 52.31 4.76 1 - Amsterdam Schiphol
BRU BRU BE 50.90 4.48 1 A,B Brussels
FRA FRA DE 50.03 8.56 1 1,2 Frankfurt
MUC MUC DE 48.35 11.79 1 1,2 München
BER BER DE 52.37 13.50 1 1,2 Berlin Brandenburg
HAM HAM DE 53.63 9.99 1 1,2 Hamburg
ZRH ZRH CH 47.46 8.55 1 - Zürich
GVA GVA CH 46.24 6.11 1 1 Genève
VIE VIE AT 48.11 16.57 1 1,3 Wien
MXP MIL IT 45.63 8.72 1 1,2 Milano Malpensa
LIN MIL IT 45.45 9.28 1 - Milano Linate
FCO ROM IT 41.80 12.25 1 1,3 Roma Fiumicino
CIA ROM IT 41.80 12.59 1 - Roma Ciampino
ATH ATH GR 37.94 23.95 2 - Athína
CPH CPH DK 55.62 12.66 1 2,3 København
ARN STO SE 59.65 17.92 1 2,4,5 Stockholm Arlanda
OSL OSL NO 60.19 11.10 1 - Oslo Gardermoen
HEL HEL FI 60.32 24.96 2 2 Helsinki
WAW WAW PL 52.17 20.97 1 - Warszawa
PRG PRG CZ 50.10 14.26 1 1,2 Praha
BUD BUD HU 47.44 19.26 1 2A,2B Budapest
"""

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
_CANARIES = ("LPA", "TFN", "TFS")
# city, name where it is not that of its only airport
_CITIES = """
MAD Madrid
BCN Barcelona
LPA Las Palmas
TCI Tenerife
LON London
PAR Paris
AMS Amsterdam
BER Berlin
MIL Milano
ROM Roma
STO Stockholm
OSL Oslo
"""

# carrier, hub through which it connects
_CARRIERS = """
IB MAD Iberia
UX MAD Air Europa
VY BCN Vueling
TP LIS TAP Air Portugal
AF CDG Air France
KL AMS KLM
LH FRA Lufthansa
LX ZRH SWISS
OS VIE Austrian
SN BRU Brussels Airlines
BA LHR British Airways
EI DUB Aer Lingus
AZ FCO ITA Airways
SK CPH SAS
AY HEL Finnair
LO WAW LOT
U2 LGW easyJet
W6 BUD Wizz Air
3O MXP Air Arabia Maroc
"""


@dataclass(frozen=True, slots=True)
class Airport:
    """An airport; ``utc_offset`` is in hours of standard time, ``terminals`` is empty if there is only one.

    ``city_name``, ``country_name`` and ``timezone`` are what v3 and v2 return next to its code.
    """

    code: str
    city: str
    country: str
    latitude: float
    longitude: float
    utc_offset: int
    terminals: tuple[str, ...]
    name: str
    city_name: str
    country_name: str
    timezone: str


@dataclass(frozen=True, slots=True)
class Carrier:
    """An airline with the airport through which it connects."""

    code: str
    hub: str
    name: str


def _rows(text: str, columns: int) -> list[list[str]]:
    return [line.split(maxsplit=columns - 1) for line in text.strip().splitlines()]


_ZONES = {code: (name, zone) for code, zone, name in _rows(_COUNTRIES, 3)}
_CITY_NAMES = dict(_rows(_CITIES, 2))


def _airport(row: list[str]) -> Airport:
    code, city, country, latitude, longitude, offset, terminals, name = row
    places = () if terminals == "-" else tuple(terminals.split(","))
    country_name, zone = _ZONES[country]
    timezone = "Atlantic/Canary" if code in _CANARIES else zone
    where = (float(latitude), float(longitude), int(offset))
    return Airport(code, city, country, *where, places, name, _CITY_NAMES.get(city, name), country_name, timezone)


AIRPORTS = {each.code: each for each in map(_airport, _rows(_AIRPORTS, 8))}
CARRIERS = tuple(Carrier(*row) for row in _rows(_CARRIERS, 3))


def airports_of(code: str, kind: str) -> tuple[Airport, ...]:
    """Return the airports of a location: one for AIRPORT, all of the city for CITY, none for an unknown code."""
    if kind == "CITY":
        return tuple(each for each in AIRPORTS.values() if each.city == code)
    return (AIRPORTS[code],) if code in AIRPORTS else ()


def kilometres(origin: Airport, destination: Airport) -> float:
    """Return the great-circle distance."""
    height = sin(radians(destination.latitude - origin.latitude) / 2) ** 2
    width = sin(radians(destination.longitude - origin.longitude) / 2) ** 2
    scale = cos(radians(origin.latitude)) * cos(radians(destination.latitude))
    return 2 * 6371 * asin(sqrt(height + scale * width))
