"""Third list."""
from breaches2 import *
from breaches2 import _steal
BK = "GET /v3/bookings: Returns `{bookings: [...]}`"


def life(w, tags, f):
    for t in tags: f(R(w, t))


# S42 again, consistent
@b("S91", "S", "v4", "v4_sold_out", "search: second section starts elsewhere (recording ends there)", "Section (one flight leg inside a segment)")
def _(w): R(w, "search2")["offers"][0]["outboundSegment"]["sections"][1]["origin"] = "HHN"; w.ex = w.ex[:2]
@b("S92", "S", "v4", "v4_day_card", "confirm response is only id, status, reservationId", "response 200, order with `status` `BOOKED` and `reservationId`")
def _(w): x = R(w, "confirm2"); [x.pop(k) for k in list(x) if k not in ("id", "status", "reservationId")]
@b("S93", "S", "v4", "v4_day_card", "reservation.fare is an array", "fare | object | contents: not shown")
def _(w): R(w, "reservation_after")["fare"] = []
@b("S94", "S", "v4", "v4_sold_out", "technicalStops of the second section is a number", "technicalStops | array")
def _(w): R(w, "offer")["outboundSegment"]["sections"][1]["technicalStops"] = 0
@b("S95", "S", "v4", "v4_family_round", "weight of the second included bag is a string", "`weight` in kg; OPEN-62 number when present")
def _(w): R(w, "offer2")["cheapestFare"]["includedBaggage"][1]["descriptor"]["weight"] = "23"
@b("S96", "S", "v4", "v4_errors", "offers is null when nothing is found", "Response 200: `{offers: [offer]}`")
def _(w): R(w, "search_unserved")["offers"] = None
@b("S97", "S", "v4", "v4_day_card", "reservation id is no UUID (whole life)", "Identifiers of offer, fare, order, reservation | UUID strings")
def _(w):
    for t in ("confirm2", "get_order2_later"): R(w, t)["reservationId"] = "RES-000017"
    R(w, "reservation2")["id"] = "RES-000017"; e = ex(w, "reservation2"); e["url"] = e["url"].rsplit("/", 1)[0] + "/RES-000017"
@b("S98", "S", "v4", "v4_errors", "401 body without statusCode", "JSON object with `statusCode` (integer), `error`, `message`")
def _(w): R(w, "search_wrongkey").pop("statusCode")
@b("S99", "S", "v3", "v3_round_trip", "canceled is false, canceled_at is set (third passenger)", "`canceled` (boolean), `canceled_at`; Absent values are null.")
def _(w): R(w, "poll1")["bookings"][0]["passengers"][2]["canceled_at"] = "2026-11-20T11:10:00Z"
@b("S100", "S", "v3", "v3_changes", "updated_at of a change is before created_at", "created_at, updated_at | timestamps")
def _(w): R(w, "accepted")["bookings"][0]["flight_changes"][0]["updated_at"] = "2026-11-01T00:00:00Z"
@b("S101", "S", "v3", "v3_round_trip", "two passenger records have one id", "Passenger record: `id`")
def _(w): p = R(w, "bookings_ow")["bookings"][0]; q = R(w, "bookings_ow")["bookings"][1]; q["passengers"][0]["id"] = p["passengers"][0]["id"]; life(w, ("get_ow",), lambda r: r["bookings"][1]["passengers"][0].update(id=p["passengers"][0]["id"]))
@b("S102", "S", "v3", "v3_pages", "two flights on a page have one id", "id | integer | flight identifier, used in requests")
def _(w): r = R(w, "page2")["results"]; r[9]["id"] = r[8]["id"]
@b("S103", "S", "v3", "v3_pages", "roundTrips: outward_id names a return flight", "`outward_id` (integer), `return_id` (integer)")
def _(w): f = R(w, "rt2")["fares"][0]; f["outward_id"], f["return_id"] = f["return_id"], f["outward_id"]
@b("S104", "S", "v3", "v3_day_card", "duration does not fit the times (second flight and its segment say 03:20)", "duration | string | `HH:mm`")
def _(w): f = R(w, "flights")["results"][1]; f["duration"] = "03:20"
@b("S105", "S", "v3", "v3_round_trip", "roundTrips: price of the second fare is a string", "`price`, `infant_price` (number or null)")
def _(w): R(w, "round_trips")["fares"][1]["price"] = "90.00"
@b("S106", "S", "v3", "v3_day_card", "booking flight has no bags member", "flight | flight | original flight; bags | object")
def _(w): del R(w, "get2")["bookings"][0]["final_flight"]["bags"]
@b("S107", "S", "v3", "v3_day_card", "infant_price is absent in the second flight", "infant_price | number or null")
def _(w): del R(w, "flights")["results"][1]["infant_price"]
@b("S108", "S", "v2", "v2_customer_data", "v2: luggage price missing in second option of the third request's flight", "`luggage_options` (array of `{weight, quantity, price}`)")
def _(w): del R(w, "requests")["requests"][2]["flight"]["luggage_options"][1]["price"]
@b("S109", "S", "v2", "v2_customer_data", "v2 booking: confirmed is null in the second record of the second booking", "`confirmed` (boolean)")
def _(w): R(w, "get_bookings")["bookings"][1]["passengers"][1]["confirmed"] = None
# several
@b("M84", "M", "v4", "v4_family_round", "card order costs less than the fare and the shown fee, balance order of the same price does not show it", "fee ... is included in the order `totalPrice` when `card` is selected")
def _(w):
    for t in ("order2", "confirm2"): R(w, t)["totalPrice"]["amount"] -= 2.5
@b("M85", "M", "v4", "v4_day_card", "fares of a live own offer are empty", "Returns all available fares of the offer.")
def _(w): R(w, "fares2")["fares"] = []
@b("M86", "M", "v4", "v4_day_card", "baggage of a live own offer is not found", "Path: `offerId`. Response 200; stores the offer for 30 minutes")
def _(w): err(w, "baggage2", 404, err4(404, "offer not found"))
@b("M87", "M", "v4", "v4_day_card", "own order answered with 400", "400 | payload does not match the expected schema; Returns the latest persisted order")
def _(w): err(w, "get_order_after", 400, err4(400, "bad id"))
@b("M88", "M", "v3", "v3_day_card", "own booking answered with 404", BK)
def _(w): ex(w, "poll1").update(status=404, resp=NO, text="")
@b("M89", "M", "v3", "v3_day_card", "bags_fee of the request is less than the bags (whole life)", "bag prices come back in `bags_fee`; v3: `checked` and `cabin` amounts")
def _(w):
    life(w, ("requests",), lambda r: r["requests"][0]["bags_fee"].update(checked=32.5))
    life(w, ("bookings", "get_bookings", "poll1", "poll2", "poll3"), lambda r: r["bookings"][0]["bags_fee"].update(checked=32.5))
@b("M90", "M", "v3", "v3_day_card", "a confirmed passenger is unconfirmed later", "`confirmed` (boolean), `confirmed_at`")
def _(w): R(w, "poll3")["bookings"][0]["passengers"][0].update(confirmed=False, confirmed_at=None)
@b("M91", "M", "v3", "v3_self_psp", "final_flight departs an hour later, no flight change", "exposed by GET bookings in `flight_changes`, with the current flight in `final_flight`")
def _(w):
    f = R(w, "get2b")["bookings"][0]["final_flight"]
    for o in (f, f["segments"][0]): o.update(departure_date=o["departure_date"].replace("18:", "19:"), arrival_date=o["arrival_date"].replace("22:", "23:"))
@b("M92", "M", "v3", "v3_pages", "second page names its own cursor as the next", "cursor from the previous page; string or null; OPEN-80 end reached")
def _(w): R(w, "page2")["next_page_id"] = "cur = a/b+1"; drop(w, "page3")
@b("M93", "M", "v3", "v3_two_orgs", "bookings of two organisations share a reference", "cp_reference | booking reference shared by the up to two bookings of one order")
def _(w):
    c = R(w, "a_bookings")["bookings"][0]["cp_reference"]
    life(w, ("b_bookings", "b_get_bookings", "b_located"), lambda r: r["bookings"][0].update(cp_reference=c))
    for t in ("b_get_bookings", "b_located"): setq(ex(w, t), "cp_reference", c)
    drop(w, "a_foreign", "b_foreign")
@b("M94", "M", "v3", "v3_day_card", "second booking has the id of the first (whole life)", "id | integer (booking)")
def _(w):
    i = R(w, "bookings")["bookings"][0]["id"]
    def f(r): r["bookings"][0]["id"] = i; [p.update(booking_id=i) for p in r["bookings"][0]["passengers"]]
    life(w, ("bookings2", "get2", "get2b"), f)
@b("M95", "M", "v3", "v3_lifecycles", "request id is given again to a later request", "id | integer | request id")
def _(w):
    i = R(w, "requestsB")["requests"][0]["id"]; R(w, "requestsC")["requests"][0]["id"] = i
    for t in ("bookC", "book_again"): Q(w, t)["request_ids"] = [i]
    life(w, ("bookC", "get_bookings", "late_locator"), lambda r: r["bookings"][0].update(request_id=i)); ex(w, "cancel_booked")["url"] = ex(w, "cancel_aborted")["url"]
@b("M96", "M", "v3", "v3_day_card", "the same flight id is another flight in a later search", "id | integer | flight identifier, used in requests")
def _(w):
    f = R(w, "flights_start")["results"][0]; f["segments"][0].update(marketing_carrier_flight_number=7777, operating_carrier_flight_number=7777)
@b("M97", "M", "v3", "v3_day_card", "flight of the booking departs earlier than that of the request", "flight | flight | original flight")
def _(w): f = R(w, "bookings2")["bookings"][0]["flight"]; [o.update(departure_date="2027-01-13 11:30:00") for o in (f, f["segments"][0])]
@b("M98", "M", "v3", "v3_day_card", "date of birth of the second passenger is another day", "Passenger record: `date_of_birth`")
def _(w): R(w, "bookings")["bookings"][0]["passengers"][1]["date_of_birth"] = "1987-08-12"
@b("M99", "M", "v3", "v3_three_ds", "passport number of the record is another", "Passenger record: `passport_number`")
def _(w): R(w, "b200")["bookings"][0]["passengers"][0]["passport_number"] = "ZZ999"
@b("M100", "M", "v3", "v3_day_card", "passenger_count changes between look-ups", "passenger_count, infant_count | integer")
def _(w): R(w, "poll2")["bookings"][0]["passenger_count"] = 3
@b("M101", "M", "v4", "v4_day_card", "pricePerPiece is gone in the read order", "selectedBaggage ... each item additionally has `pricePerPiece` (money) in the response")
def _(w):
    for i in R(w, "get_order_booked")["selectedBaggage"]: [c.pop("pricePerPiece") for c in i["outboundSegmentBaggageSelection"]]
@b("M102", "M", "v4", "v4_family_round", "reservation numbers the passengers from 1, the order from 0", "passengers | `number` (reservation)")
def _(w): [p.update(number=p["number"] + 1) for p in R(w, "reservation")["passengers"]]
@b("M103", "M", "v4", "v4_family_round", "contact's phone number changes in the confirmation", "customerContact | object | as sent")
def _(w): R(w, "confirm")["customerContact"]["phone"]["number"] = "600112234"
@b("M104", "M", "v4", "v4_two_orgs", "two organisations get one order id", "id | UUID (order)")
def _(w):
    i = R(w, "a_order")["id"]; o = R(w, "b_order")["id"]
    for t in ("b_order", "b_confirm", "b_get_order"): R(w, t)["id"] = i
    R(w, "b_reservation")["orderId"] = i
    for t in ("b_confirm", "b_get_order", "a_order_get_foreign"): ex(w, t)["url"] = ex(w, t)["url"].replace(o, i)
    drop(w, "a_order_get_foreign", "b_order_get_foreign", "b_reservation_foreign")
@b("M105", "M", "v4", "v4_sold_out", "the repeated Get Offer returns the same offer id with another price", "stores the offer for 30 minutes; id | UUID | offer identifier")
def _(w): R(w, "offer_again")["cheapestFare"]["totalPrice"]["amount"] += 11
@b("M106", "M", "v4", "v4_day_card", "baggage price differs between order and read order (second passenger)", "Returns the latest persisted order")
def _(w): R(w, "get_order_after")["selectedBaggage"][1]["outboundSegmentBaggageSelection"][0]["pricePerPiece"]["amount"] = 31.0
@b("M107", "M", "v3", "v3_lifecycles", "after a decline the same request is booked by another card and 200 carries no bookings", "booking on an aborted request gives 403")
def _(w): ok(w, "aborted", dict(bookings=[]))
@b("M108", "M", "v3", "v3_round_trip", "price of the second booking's infant differs from the request", "holds seats and prices")
def _(w): R(w, "bookings")["bookings"][1]["infant_price"] = 25.0
@b("M109", "M", "v3", "v3_self_psp", "infant sold on a flight without infant tickets", "infant_price | null when infant tickets are unavailable")
def _(w):
    q = Q(w, "requests"); q["passengers"][2]["date_of_birth"] = "2026-03-03"; r = R(w, "requests")["requests"][0]; r["passengers"].update(adults=2, infants=1)
    for t in ("bookings", "get_bookings"): x = R(w, t)["bookings"][0]; x["infant_count"] = 1; x["passengers"][2].update(is_infant=True, date_of_birth="2026-03-03")
@b("M110", "M", "v2", "v2_changes", "record locator vanishes while CONFIRMED", "`CONFIRMED` | `pnr_airline` populated")
def _(w): R(w, "changed")["bookings"][0]["pnr_airline"] = None
@b("M111", "M", "v2", "v2_pages_3ds", "v2: bookings name three people for two requests of six", "passengers | array")
def _(w): [b_["passengers"].pop() for b_ in R(w, "bookings3")["bookings"][1:]]
@b("M112", "M", "v2", "v2_day_card", "v2 luggage of the look-up has another weight", "luggage (v2) | as booked")
def _(w): R(w, "get_bookings")["bookings"][0]["luggage"][1]["weight"] = 20
@b("M113", "M", "v2", "v2_errors", "expired v2 request is booked after 5:10", "a booking using an expired request is rejected")
def _(w): _steal(w, "expired", "requests2", "v2_day_card")
@b("M114", "M", "v4", "v4_expiry", "expired offer answers Create Order with 500", "30 minutes elapsed | any order created from it fails; OPEN-06 4xx")
def _(w): err(w, "orderA_expired", 500, err4(500, "x"))
@b("M115", "M", "v4", "v4_races", "GET order after a lost confirmation shows FAILED, reservation exists", "Order status; reservation created only when BOOKED")
def _(w): x = R(w, "get3"); x["status"] = "FAILED"; x.pop("reservationId")
# clients
@b("C37", "C", "payment", "v3_day_card", "provider call without credentials", "authenticated with the restricted provider token")
def _(w): e = ex(w, "pm"); e["headers"] = [h for h in e["headers"] if h[0] != "Authorization"]; e.update(status=401, resp=dict(error=dict(type="auth")))
@b("C38", "C", "payment", "v3_day_card", "provider call with a password", "sent as basic-auth user name, empty password")
def _(w):
    import base64
    e = ex(w, "pm"); e["headers"] = [(a, "Basic " + base64.b64encode(b"rk_test_9aaZ:hunter2").decode() if a == "Authorization" else v) for a, v in e["headers"]]
@b("C39", "C", "payment", "v3_day_card", "provider call without type", "`type` (string, `card`, required)")
def _(w): e = ex(w, "pm"); e["form"] = e["form"].replace("type=card&", ""); e.update(status=400, resp=dict(error=dict(type="x")))
@b("C40", "C", "payment", "v3_day_card", "provider call in JSON", "POST, form-encoded")
def _(w):
    e = ex(w, "pm"); e.update(form=None, body={"type": "card", "card": {"number": "4242424242424242", "exp_month": "09", "exp_year": "2031"}}); e["headers"] = [(a, "application/json" if a == "Content-Type" else v) for a, v in e["headers"]]
@b("C41", "C", "v4", "v4_day_card", "customerCode in the query of Get Order", "`customerCode` is a body field of Search Offers and Get Offer only; other v4 endpoints do not accept it.")
def _(w): ex(w, "get_order2_later")["query"].append(("customerCode", "VIAJES-77"))
@b("C42", "C", "v4", "v4_day_card", "both payment methods true", "exactly one of `{card: true}` or `{balance: true}`")
def _(w): Q(w, "order2")["paymentMethod"] = dict(card=True, balance=True); err(w, "order2", 400, err4(400, "x")); drop(w, "confirm2", "reservation2", "get_order2_later")
@b("C43", "C", "v3", "v3_pages", "round_trip with one flight", "`round_trip` is chosen to book a round-trip fare; OPEN-87 client-side finding")
def _(w): q = Q(w, "requests"); k = q["flight_ids"].pop(); q["bags"].pop(str(k)); err(w, "requests", 400, dict(e=1)); drop(w, "bookings", "get_bookings")
@b("C44", "C", "v3", "v3_round_trip", "round_trip for a pair without a fare", "`round_trip` is chosen to book a round-trip fare, otherwise `one_way`")
def _(w):
    for f in R(w, "round_trips")["fares"]: f["return_id"] = 31337
@b("C45", "C", "v3", "v3_day_card", "a removed version is used", "Versions 1.0 and 1.1 are officially deprecated and removed; only v2 and above are used.")
def _(w): e = ex(w, "flights_start"); e["url"] = e["url"].replace("/v3/", "/v1.1/"); e.update(status=404, resp=NO, text="")
@b("C46", "C", "v4", "v4_payments", "3DS version 2.3.0", "version | `1.0.2`, `2.1.0`, `2.2.0`")
def _(w): Q(w, "confirmD_06")["three_d_secure"]["version"] = "2.3.0"
@b("C47", "C", "v3", "v3_three_ds", "payment intent id as payment_method", "Payment method id from the provider: string beginning `pm_`.")
def _(w): Q(w, "b01")["payment_method"] = "pi_123"
@b("C48", "C", "v2", "v2_day_card", "v2 look-up with pnr_reference", "`cp_reference` (required); named `pnr_reference` before v2")
def _(w): e = ex(w, "get2"); e["query"] = [("pnr_reference", v) for a, v in e["query"]]; e.update(status=400, resp=NO, text="")
@b("C49", "C", "v4", "v4_family_round", "identification's issuing country has three letters (second adult)", "`issueCountryCode` (2-letter, required)")
def _(w): Q(w, "order")["passengers"][1]["identification"]["issueCountryCode"] = "ESP"; err(w, "order", 400, err4(400, "x")); drop(w, "get_order_open", "confirm", "get_order", "reservation", "reservation_by_order")
@b("C50", "C", "v4", "v4_day_card", "contact phone without countryCode", "phone | object | required, `number` and `countryCode`")
def _(w): Q(w, "order2")["customerContact"]["phone"].pop("countryCode"); err(w, "order2", 400, err4(400, "x")); drop(w, "confirm2", "reservation2", "get_order2_later")
@b("C51", "C", "v3", "v3_verify", "verify in October 2026", "no longer maintained from 25 September 2026")
def _(w):
    import datetime as dt
    for e in w.ex: e["t"] += dt.timedelta(days=30)
@b("C52", "C", "v3", "v3_day_card", "GET with the scheme Token", "`Authorization: Bearer <API_TOKEN>`")
def _(w): e = ex(w, "flights_start"); e["headers"] = [(a, "Token tok_prod_55d1" if a == "Authorization" else v) for a, v in e["headers"]]
@b("C53", "C", "v4", "v4_day_card", "key in the query, not in the header", "Every request carries the key in the `Authorization` header")
def _(w): e = ex(w, "get_order2_later"); e["headers"] = [h for h in e["headers"] if h[0] != "Authorization"]; e["query"].append(("api_key", "k_live_7731"))
@b("C54", "C", "v3", "v3_self_psp", "bag quantity is a string", "Checked option: `quantity` (number, required)")
def _(w): x = list(Q(w, "requests")["bags"].values())[0]["checked"][1]; x["quantity"] = "1"; err(w, "requests", 400, dict(e=1)); drop(w, "bookings", "get_bookings")
