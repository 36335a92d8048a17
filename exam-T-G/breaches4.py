"""Fourth list: closer variants of what was missed."""
from breaches3 import *


@b("M116", "M", "v3", "v3_day_card", "two passengers of one booking have one id (whole life)", "Passenger record: `id`")
def _(w):
    i = R(w, "bookings")["bookings"][0]["passengers"][0]["id"]
    life(w, ("bookings", "get_bookings", "poll1", "poll2", "poll3"), lambda r: r["bookings"][0]["passengers"][1].update(id=i))
@b("M117", "M", "v4", "v4_family_round", "created order numbers the passengers from 1, sent from 0", "passengers | order passenger objects (see Create Order); number | sequential passenger number")
def _(w): [p.update(number=p["number"] + 1) for p in R(w, "get_order_open")["passengers"]]
@b("M118", "M", "v4", "v4_payments", "a reservation read by id belongs to an order that is FAILED", "reservation is created only when BOOKED")
def _(w):
    x = R(w, "reservationA"); x["orderId"] = R(w, "confirmC")["id"]
    e = ex(w, "reservationA"); y = copy.deepcopy(e); y["tag"] = "reservationC_id"; e["resp"]["orderId"] = R(w, "orderA")["id"]
    i = w.id(); y["url"] = y["url"].rsplit("/", 1)[0] + "/" + i; y["resp"].update(id=i, pnr="AB12CD"); g = ex(w, "getC"); k = w.ex.index(g); import datetime as dt
    y["t"] = g["t"] + dt.timedelta(seconds=1); w.ex.insert(k + 1, y)
@b("M119", "M", "v4", "v4_moving", "card order costs the same as the balance order of the same offer and bags, fee 2.50 shown", "fee ... is included in the order `totalPrice` when `card` is selected; OPEN-61 soft")
def _(w):
    for t in ("order_card", "get_failed"): R(w, t)["totalPrice"]["amount"] -= 2.5
@b("M120", "M", "v4", "v4_moving", "a second order from one offer with one bag more costs the same (balance)", "totalPrice | includes baggage; OPEN-61 may assert")
def _(w):
    for t in ("order_balance", "confirm_balance"): R(w, t)["totalPrice"]["amount"] -= 30
@b("S110", "S", "v3", "v3_day_card", "booking's flight has no bags", "flight | flight; Flight: bags | object")
def _(w): del R(w, "bookings2")["bookings"][0]["flight"]["bags"]
@b("S111", "S", "v3", "v3_day_card", "final_flight has no segments", "final_flight | flight | current flight")
def _(w): del R(w, "poll2")["bookings"][0]["final_flight"]["segments"]
@b("S112", "S", "v3", "v3_day_card", "final_flight's segment: departure date with a T", "departure_date | `YYYY-MM-DD HH:mm:ss`")
def _(w): s = R(w, "poll2")["bookings"][0]["final_flight"]["segments"][0]; s["departure_date"] = s["departure_date"].replace(" ", "T")
@b("S113", "S", "v3", "v3_day_card", "request's flight has no bags", "flight | flight | the flight (v3 with bags and prices)")
def _(w): del R(w, "requests2")["requests"][0]["flight"]["bags"]
@b("M121", "M", "v2", "v2_day_card", "v2: infant requested on and sold for a flight whose infant_price is null", "infant_price | null when infant tickets are unavailable")
def _(w):
    Q(w, "requests2")["passengers"]["infants"] = 1; R(w, "requests2")["requests"][0]["passengers"]["infants"] = 1
    q = Q(w, "bookings2")["passengers"]; q.append(dict(q[0], first_name="Zoe", is_infant=True, date_of_birth="2026-03-03"))
    for t in ("bookings2", "get2"):
        x = R(w, t)["bookings"][0]; x.update(infant_count=1, passenger_count=2); x["passengers"].append(dict(x["passengers"][0], id=x["passengers"][0]["id"] + 1, first_name="ZOE", is_infant=True, date_of_birth="2026-03-03"))
@b("M122", "M", "v3", "v3_round_trip", "the request's own infant_price is null though an infant was counted", "infant_price | number or null | null when infant tickets are unavailable")
def _(w): x = R(w, "requests")["requests"][0]; x["infant_price"] = None; x["flight"]["infant_price"] = None
@b("M123", "M", "v3", "v3_pages", "roundTrips: second page names its own cursor", "next_page_id; OPEN-80 end reached")
def _(w): R(w, "rt2")["next_page_id"] = "n2"
@b("M124", "M", "v3", "v3_day_card", "request id repeated for a later pending request", "id | integer | request id")
def _(w):
    i = R(w, "requests")["requests"][0]["id"]; R(w, "requests2")["requests"][0]["id"] = i; Q(w, "bookings2")["request_ids"] = [i]
    life(w, ("bookings2", "get2", "get2b"), lambda r: r["bookings"][0].update(request_id=i))
@b("M125", "M", "v4", "v4_day_card", "Create Order 3 s after Get Offer: 404 with the words offer not found", "offer is kept for 30 minutes; Create Order: offer valid, fare in offer -> OPEN")
def _(w): err(w, "order2", 404, err4(404, "offer not found")); drop(w, "confirm2", "reservation2", "get_order2_later")
@b("M126", "M", "v4", "v4_day_card", "Confirm of an OPEN order: 404", "404 order not found; Get Order returns it")
def _(w): err(w, "confirm2", 404, err4(404, "order not found")); drop(w, "reservation2", "get_order2_later")
@b("M127", "M", "v3", "v3_round_trip", "booking one second after the request: 404", "404 | data not found; request lives 3 minutes at least")
def _(w): ex(w, "bookings_ow").update(status=404, resp=NO, text=""); drop(w, "get_ow")
@b("M128", "M", "v3", "v3_day_card", "request for a flight of the search a second ago: 400", "400 | payload does not match the request signature")
def _(w): ex(w, "requests2").update(status=400, resp=NO, text="bad"); drop(w, "bookings2", "get2", "get2b", "pm#2")
@b("M129", "M", "v3", "v3_day_card", "look-up shows only AWAITING with a locator", "AWAITING_PNR_AIRLINE until the locator is received; then CONFIRMED, `pnr_airline` populated")
def _(w): R(w, "poll2")["bookings"][0]["status"] = "AWAITING_PNR_AIRLINE"
@b("M130", "M", "v3", "v3_self_psp", "look-up lost the third bag (quantity 2 of 3)", "bags (v3) | as booked")
def _(w): R(w, "get_bookings")["bookings"][0]["bags"]["checked"][0]["quantity"] = 2
@b("M131", "M", "v4", "v4_races", "a reservation appears while the order is still OPEN (slow GET after the end)", "reservation created at confirmation")
def _(w): R(w, "get_booked").update(status="OPEN"); R(w, "get_booked").pop("reservationId")
@b("M132", "M", "v4", "v4_day_card", "offer from search shows 2 adults priced, tax currency missing in the second type", "money")
def _(w): del R(w, "search")["offers"][1]["fare"]["passengerPricingByPassengerType"]["infant"]["taxAmount"]["currency"]
@b("M133", "M", "v2", "v2_pages_3ds", "v2: one booking for two requests", "`{bookings: [...]}`; POST bookings; two requests")
def _(w): R(w, "bookings3")["bookings"].pop(); R(w, "get3")["bookings"].pop()
@b("M134", "M", "v2", "v2_day_card", "v2: flight of the look-up is another flight number", "flight | flight | original flight")
def _(w): R(w, "get2")["bookings"][0]["flight"]["segments"][0]["marketing_carrier_flight_number"] += 1
