"""Sixth list: variants of what was missed."""
from breaches5 import *


@b("M149", "M", "v2", "v2_day_card", "v2: the wrong passenger is marked as infant although is_infant was sent", "`is_infant` (boolean), sent and returned")
def _(w):
    for t in ("bookings", "get_bookings", "poll"): p = R(w, t)["bookings"][0]["passengers"]; p[2]["is_infant"], p[0]["is_infant"] = False, True
@b("M150", "M", "v4", "v4_family_round", "reservation swaps the numbers of two passengers", "`number` (reservation)")
def _(w): p = R(w, "reservation")["passengers"]; p[0]["number"], p[1]["number"] = 1, 0
@b("S137", "S", "v2", "v2_day_card", "v2 booking's flight has no luggage_options", "v2 flight: same, but `bags` is replaced by `luggage_options`")
def _(w): del R(w, "get2")["bookings"][0]["flight"]["luggage_options"]
@b("S138", "S", "v3", "v3_day_card", "look-up: flight's bags is null", "bags | object")
def _(w): R(w, "get2")["bookings"][0]["flight"]["bags"] = None
@b("M151", "M", "v4", "v4_day_card", "confirmation of an order answers 404, the order is OPEN when read", "404 | offer, order or reservation not found")
def _(w): err(w, "confirm2", 404, err4(404, "order not found")); drop(w, "reservation2"); x = R(w, "get_order2_later"); x["status"] = "OPEN"; x.pop("reservationId")
@b("M152", "M", "v4", "v4_day_card", "order costs less than its fare (whole life)", "totalPrice | money | includes baggage and, for `card`, the card-processing fee")
def _(w):
    for t in ("order2", "confirm2", "get_order2_later"): R(w, t)["totalPrice"]["amount"] -= 12.5
@b("M153", "M", "v4", "v4_expiry", "baggage of an expired offer is fine (control, OPEN-58), order from it 31 minutes later succeeds", "offer is kept for 30 minutes")
def _(w): x = copy.deepcopy(R(w, "orderA_live")); x["id"] = w.id(); ok(w, "orderA_expired", x); e = ex(w, "orderA_expired"); import datetime as dt; e["t"] -= dt.timedelta(seconds=125)
@b("M154", "M", "v3", "v3_pages", "a returned flight of roundTrips departs from another airport than asked", "origin | airport IATA code")
def _(w): f = R(w, "rt1")["flights"][0]; f["origin"] = f["segments"][0]["origin"] = loc("BCN")
@b("M155", "M", "v2", "v2_pages_3ds", "v2: a flight of another destination is found", "destination | required | airport IATA code")
def _(w): f = R(w, "page2")["results"][2]; f["destination"] = f["segments"][0]["destination"] = loc("LIS")
@b("M156", "M", "v3", "v3_pages", "half of the flights of a page are of another route", "origin, destination | required")
def _(w):
    for f in R(w, "page2")["results"][::2]: f["destination"] = f["segments"][0]["destination"] = loc("LIS")
@b("M157", "M", "v3", "v3_two_orgs", "A's cancel of B's request succeeds", "cancel; organisations")
def _(w): ok(w, "b_cancel_foreign", dict(success=True))
@b("M158", "M", "v3", "v3_two_orgs", "A books B's request", "organisations; request of another customer code")
def _(w):
    x = copy.deepcopy(R(w, "b_bookings")["bookings"][0]); x.update(id=w.num(), cp_reference="FOREIGNA"); [p.update(id=w.num(), booking_id=x["id"]) for p in x["passengers"]]; ok(w, "a_book_foreign", dict(bookings=[x])); drop(w, "b_bookings", "b_get_bookings", "b_located", "a_foreign", "b_foreign")
