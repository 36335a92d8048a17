"""Fifth list."""
from breaches4 import *
import datetime as dt


@b("S114", "S", "v3", "v3_day_card", "cc_fee of the second flight is 3.0, not a fraction", "cc_fee | number | credit-card fee as a fraction (default 0.03 = 3%)")
def _(w): R(w, "flights")["results"][1]["cc_fee"] = 3.0
@b("S115", "S", "v3", "v3_pages", "cc_fees of the third fare is 3", "`cc_fees` (fraction, default 0.03)")
def _(w): R(w, "rt1")["fares"][2]["cc_fees"] = 3
@b("S116", "S", "v3", "v3_day_card", "included tax exceeds the price (second flight)", "included_airport_tax | number | taxes included in price")
def _(w): R(w, "flights")["results"][1]["included_airport_tax"] = 99.0
@b("S117", "S", "v3", "v3_changes", "second segment's origin has a four-letter code", "`iata_code`")
def _(w): R(w, "flights")["results"][0]["segments"][1]["origin"]["iata_code"] = "EDDF"
@b("S118", "S", "v3", "v3_verify", "verify prices in USD", "priced in `EUR` only")
def _(w): R(w, "verify2")["currency"] = "USD"
@b("S119", "S", "v3", "v3_day_card", "passenger_count is a string", "passenger_count, infant_count | integer")
def _(w): R(w, "get2b")["bookings"][0]["passenger_count"] = "1"
@b("S120", "S", "v4", "v4_day_card", "search: arrival of the second offer without seconds", "`YYYY-MM-DDTHH:mm:ss`")
def _(w): s = R(w, "search")["offers"][1]["outboundSegment"]["sections"][0]; s["arrivalDate"] = s["arrivalDate"][:-3]
@b("S121", "S", "v4", "v4_groups", "reservation: nationality... birth country of fourth child three letters", "nationalityCountryCode | 2-letter")
def _(w): R(w, "reservation131")["passengers"][3]["nationalityCountryCode"] = "ESP"
@b("S122", "S", "v4", "v4_family_round", "search for a round trip: second offer without inbound segment", "`inboundSegment` exists for round trips")
def _(w): R(w, "search")["offers"][1]["inboundSegment"] = None
@b("S123", "S", "v4", "v4_day_card", "one-way offer has an inbound segment", "`inboundSegment` exists for round trips")
def _(w): o = R(w, "offer2"); o["inboundSegment"] = dict(sections=[dict(o["outboundSegment"]["sections"][0], origin="BCN", destination="MAD", departureDate="2027-01-19T08:00:00", arrivalDate="2027-01-19T09:10:00")])
@b("S124", "S", "v4", "v4_day_card", "one-way offer has inbound bag options", "`inboundSegmentOptions` (array or `null`); OPEN-58 null or [] on one-way")
def _(w): x = R(w, "baggage2")["fareBaggageOptions"][0]; x["inboundSegmentOptions"] = x["outboundSegmentOptions"][:1]
@b("S125", "S", "v4", "v4_family_round", "Get Offer: no price for the infant that was asked", "keys `adult`, `child`, `infant`")
def _(w): del R(w, "offer2")["cheapestFare"]["passengerPricingByPassengerType"]["infant"]
@b("S126", "S", "v4", "v4_day_card", "Get Order answers 200 with an error body", "Returns the latest persisted order (order shape).")
def _(w): ex(w, "get_order2_later")["resp"] = err4(404, "order not found")
@b("S127", "S", "v4", "v4_races", "plain HTTP is served", "requests over plain HTTP fail")
def _(w): ex(w, "http").update(status=200, resp=copy.deepcopy(R(w, "get3")), text=None, rh=[])
@b("S128", "S", "v3", "v3_errors", "clamped window returns a flight 8 days after start", "end | at most start + 3 days; OPEN-78 none beyond start + 3 days")
def _(w):
    f = copy.deepcopy(R(w, "clamp")["results"][0]); f["id"] += 1
    for o in (f, f["segments"][0]):
        for k in ("departure_date", "arrival_date"): o[k] = "2027-01-20" + o[k][10:]
    R(w, "clamp")["results"].append(f)
@b("S129", "S", "v3", "v3_errors", "quantity above the passengers is accepted", "quantity of each kind must not exceed the number of passengers; OPEN-86 rejected")
def _(w): r = copy.deepcopy(R(w, "requests")); r["requests"][0].update(id=w.num(), bags_fee=dict(checked=60.0, cabin=0.0)); ok(w, "bagsabove", r)
@b("S130", "S", "v4", "v4_errors", "two infants with one adult: offers", "infants integer 0..adults")
def _(w): ok(w, "search_infants", dict(offers=[]))
@b("S131", "S", "v4", "v4_errors", "earlier revision's type beside message in a 404", "There is no custom `type` field.")
def _(w): R(w, "order_missing")["type"] = "ORDER_NOT_FOUND"
@b("S132", "S", "v4", "v4_two_orgs", "confirmed order has status CONFIRMING", "An earlier revision: order status `CONFIRMING`")
def _(w): R(w, "b_confirm")["status"] = "CONFIRMING"
@b("S133", "S", "v2", "v2_day_card", "v2 look-up carries bags_fee", "bags_fee (v3) / luggage_fee (v2)")
def _(w): x = R(w, "poll")["bookings"][0]; x["bags_fee"] = dict(checked=x.pop("luggage_fee"), cabin=0)
@b("S134", "S", "v4", "v4_day_card", "Get Offer: payment options missing", "paymentOptions | array")
def _(w): del R(w, "offer2")["paymentOptions"]
@b("S135", "S", "v4", "v4_day_card", "Get Offer: additional information missing", "providerAdditionalPassengerInformationByPassengerType | object | Get Offer only")
def _(w): del R(w, "offer2")["providerAdditionalPassengerInformationByPassengerType"]
@b("S136", "S", "v4", "v4_groups", "Get Offer: fareId of the baggage... quantity of an included bag is a fraction", "`quantity` (integer)")
def _(w): R(w, "offer202")["cheapestFare"]["includedBaggage"][0]["quantity"] = 0.5
# several
@b("M135", "M", "v3", "v3_round_trip", "types swapped: outbound is return", "type | `outward` or `return`")
def _(w): x, y = R(w, "poll1")["bookings"]; x["type"], y["type"] = "return", "outward"
@b("M136", "M", "v3", "v3_round_trip", "look-up of two bookings shows one", "Returns `{bookings: [...]}` with one or two bookings (round trip)")
def _(w): R(w, "poll1")["bookings"].pop()
@b("M137", "M", "v3", "v3_round_trip", "the wrong passenger is marked as infant (whole life, first booking)", "`is_infant` (boolean)")
def _(w):
    for t in ("bookings", "get_bookings", "poll1", "poll2"): p = R(w, t)["bookings"][0]["passengers"]; p[3]["is_infant"], p[0]["is_infant"] = False, True
@b("M138", "M", "v3", "v3_self_psp", "gender of the second passenger flips", "Passenger record: `gender`")
def _(w):
    for t in ("bookings", "get_bookings"): R(w, t)["bookings"][0]["passengers"][1]["gender"] = "male"
@b("M139", "M", "v4", "v4_family_round", "reservation: the infant is a child", "passengers | `type` (reservation)")
def _(w): R(w, "reservation_by_order")["passengers"][4]["type"] = "child"
@b("M140", "M", "v4", "v4_day_card", "reservationId of the order changes", "reservationId | UUID")
def _(w): R(w, "get_order_after")["reservationId"] = w.id()
@b("M141", "M", "v3", "v3_lifecycles", "an expired request (5:20) is cancelled with success", "Cancels a pending request only.")
def _(w):
    e = copy.deepcopy(ex(w, "cancel")); i = R(w, "requestsF")["requests"][0]["id"]; l = ex(w, "lateF"); e.update(tag="cancelF", t=l["t"] + dt.timedelta(seconds=2), url=e["url"].rsplit("/", 2)[0] + "/%d/cancel" % i); w.ex.insert(w.ex.index(l) + 1, e)
@b("M142", "M", "v4", "v4_family_round", "response swaps the bags of two passengers", "selectedBaggage | array | as sent")
def _(w): b_ = R(w, "order")["selectedBaggage"]; b_[0]["passengerNumber"], b_[3]["passengerNumber"] = b_[3]["passengerNumber"], b_[0]["passengerNumber"]
@b("M143", "M", "v3", "v3_changes", "flight change belongs to a segment the flight does not have (3 of 2)", "Changed keys are prefixed `segment_{index}_`")
def _(w):
    for o in ("oldFlight", "newFlight"): d = R(w, "changed2")["bookings"][0]["flight_changes"][1]["data"][o]; d["segment_3_flight_number"] = d.pop("segment_1_flight_number")
@b("M144", "M", "v3", "v3_two_orgs", "booking of B names the request of A", "request_id | integer")
def _(w):
    for t in ("b_bookings", "b_get_bookings", "b_located"): R(w, t)["bookings"][0]["request_id"] = R(w, "a_requests")["requests"][0]["id"]
@b("M145", "M", "v3", "v3_round_trip", "bookings: an extra booking for one request", "Response 200: `{bookings: [booking]}`")
def _(w): x = R(w, "bookings_ow")["bookings"]; y = copy.deepcopy(x[0]); y["id"] += 3; [p.update(id=p["id"] + 3, booking_id=y["id"]) for p in y["passengers"]]; x.append(y)
@b("M146", "M", "v4", "v4_day_card", "reservation carries the e-mail and contact of the other order's customer", "customerContact; email")
def _(w): x = R(w, "reservation_later"); x["customerContact"]["name"] = "Zoë"; x["customerContact"]["address"] = "Other street 9"
@b("M147", "M", "v2", "v2_day_card", "v2 request answers another number of infants than asked", "passengers | `adults`, `children`, `infants`")
def _(w): R(w, "requests")["requests"][0]["passengers"] = dict(adults=2, children=1, infants=0)
@b("M148", "M", "v2", "v2_day_card", "v2 flight found departs a day after `end`", "start..end")
def _(w):
    g = R(w, "flights")["results"][0]; h = copy.deepcopy(g); h["id"] += 1
    for o in (h, h["segments"][0]):
        for k in ("departure_date", "arrival_date"): o[k] = "2027-01-16" + o[k][10:]
    R(w, "flights")["results"].append(h)
# clients
@b("C55", "C", "v4", "v4_day_card", "field of the earlier revision in Get Offer", "An earlier revision required `isResidentDiscountEligible`")
def _(w): Q(w, "offer2")["isResidentDiscountEligible"] = False
@b("C56", "C", "v2", "v2_day_card", "v2 request with flight_ids", "`flights` is renamed `flight_ids` (v3)")
def _(w): q = Q(w, "requests2"); q["flight_ids"] = q.pop("flights"); err(w, "requests2", 400, dict(e=1)); drop(w, "bookings2", "get2", "pm#2")
@b("C57", "C", "v3", "v3_round_trip", "three request ids in one booking", "Requests per booking | v3 up to 2")
def _(w): Q(w, "bookings_ow")["request_ids"].append(R(w, "requests")["requests"][0]["id"]); err(w, "bookings_ow", 400, dict(e=1)); drop(w, "get_ow")
@b("C58", "C", "v3", "v3_self_psp", "cabin option without quantity", "Cabin option: `quantity` (required)")
def _(w): list(Q(w, "requests")["bags"].values())[0]["cabin"][0].pop("quantity"); err(w, "requests", 400, dict(e=1)); drop(w, "bookings", "get_bookings")
@b("C59", "C", "v4", "v4_sold_out", "10 adults", "adults integer 1..9")
def _(w): Q(w, "search")["adults"] = 10; err(w, "search", 400, err4(400, "x"))
@b("C60", "C", "v4", "v4_family_round", "round trip without an inbound segment", "inboundSegment | required when `tripType` is `ROUND_TRIP`")
def _(w): Q(w, "search")["inboundSegment"] = None; err(w, "search", 400, err4(400, "x"))
@b("C61", "C", "v3", "v3_day_card", "GET POST mix: Accept header text/html on a booking", "Headers: `Accept: application/json`")
def _(w): e = ex(w, "bookings2"); e["headers"] = [(a, "text/html" if a == "Accept" else v) for a, v in e["headers"]]
@b("C62", "C", "v3", "v3_self_psp", "gender missing for the booker", "first_name, last_name, gender, email, phonenumber | required | booker")
def _(w): Q(w, "bookings2").pop("gender"); err(w, "bookings2", 400, dict(e=1)); drop(w, "get2", "get2b")
