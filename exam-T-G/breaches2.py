"""Second, harder list. Same form."""
from breaches import *
from breaches import _steal
from breaches import b as _b
from v23 import loc


def b(id, kind, iface, rec, what, sentence): return _b(id, kind, iface, rec, what, sentence)
def err(w, tag, status, resp=None, text=None): ex(w, tag).update(status=status, resp=NO if text is not None else resp if resp is not None else err4(status, "x"), text=text)
def drop(w, *tags): w.ex = [e for e in w.ex if e["tag"] not in tags]


V4M = "Errors: JSON object with `statusCode` (integer), `error` (HTTP status text) and `message` (string)"
S = "Get Order: Returns the latest persisted order (order shape)."
# ---- responses, v4
@b("S39", "S", "v4", "v4_family_round", "search: infant counted 0 in the second offer, 1 asked", "`numberOfPassengers` (integer); infants as asked")
def _(w): R(w, "search")["offers"][1]["fare"]["passengerPricingByPassengerType"]["infant"]["numberOfPassengers"] = 0
@b("S40", "S", "v4", "v4_day_card", "search: second offer departs from another airport", "`outboundSegment`: `origin` and `destination` (each `{code, type: AIRPORT or CITY}`)")
def _(w): R(w, "search")["offers"][1]["outboundSegment"]["sections"][0]["origin"] = "TOJ"; drop(w, "offer2", "fares2", "baggage2", "order2", "confirm2", "reservation2", "get_order2_later")
@b("S41", "S", "v4", "v4_day_card", "search: second offer departs a day later", "`departureDate` (`YYYY-MM-DD`)")
def _(w):
    s = R(w, "search")["offers"][1]["outboundSegment"]["sections"][0]
    for k in ("departureDate", "arrivalDate"): s[k] = s[k].replace("01-12", "01-13")
    drop(w, "offer2", "fares2", "baggage2", "order2", "confirm2", "reservation2", "get_order2_later")
@b("S42", "S", "v4", "v4_sold_out", "search: second section starts at another airport than the first ends", "Section (one flight leg inside a segment)")
def _(w): R(w, "search2")["offers"][0]["outboundSegment"]["sections"][1]["origin"] = "HHN"; drop(w, "gone")
@b("S43", "S", "v4", "v4_day_card", "search: both offers have one id", "id | UUID | offer identifier")
def _(w): o = R(w, "search")["offers"]; o[1]["id"] = o[0]["id"]
@b("S44", "S", "v4", "v4_day_card", "search: section's class BUSINESS in the second offer", "travelClass | string | `ECONOMY`")
def _(w): R(w, "search")["offers"][1]["outboundSegment"]["sections"][0]["travelClass"] = "BUSINESS"
@b("S45", "S", "v4", "v4_family_round", "search: fee of the second payment option is a string", "`fee` (money); `amount` (number)")
def _(w): R(w, "search")["offers"][1]["paymentOptions"][1]["fee"]["amount"] = "0.00"
@b("S46", "S", "v4", "v4_family_round", "Get Offer: providerRequiredAdditionalFields of the infant is a string", "`providerRequiredAdditionalFields` (array of field names)")
def _(w): R(w, "offer2")["providerAdditionalPassengerInformationByPassengerType"]["infant"]["providerRequiredAdditionalFields"] = "BIRTH_DATE"
@b("S47", "S", "v4", "v4_family_round", "Get Offer: pricing has a key youth", "passengerPricingByPassengerType | object | keys `adult`, `child`, `infant`")
def _(w): p = R(w, "offer2")["cheapestFare"]["passengerPricingByPassengerType"]; p["youth"] = dict(p["child"], numberOfPassengers=0)
@b("S48", "S", "v4", "v4_family_round", "Get Baggage: pieces of the second inbound option is 1.5", "`maxPiecesPerPassenger` (integer)")
def _(w):
    x = R(w, "baggage")["fareBaggageOptions"][0]; x["inboundSegmentOptions"] = copy.deepcopy(x["inboundSegmentOptions"]); x["inboundSegmentOptions"][1]["maxPiecesPerPassenger"] = 1.5
@b("S49", "S", "v4", "v4_day_card", "Get Offer: depth of the cabin bag is a string", "for cabin also `dimensions` with `width`, `height`, `depth`; OPEN-62 number when present")
def _(w): R(w, "offer2")["cheapestFare"]["includedBaggage"][0]["descriptor"]["dimensions"]["depth"] = "20cm"
@b("S50", "S", "v4", "v4_day_card", "Create Order: selectedBaggage drops the passenger without bags", "selectedBaggage | array | as sent")
def _(w): R(w, "order2")["selectedBaggage"] = []
@b("S51", "S", "v4", "v4_payments", "confirmation answers 200 with status OPEN", "Success: response 200, order with `status` `BOOKED` and `reservationId`.")
def _(w): R(w, "confirmC")["status"] = "OPEN"
@b("S52", "S", "v4", "v4_day_card", "confirmation answers 200 with an empty body", "Success: response 200, order with `status` `BOOKED` and `reservationId`.")
def _(w): ex(w, "confirm2").update(resp=NO, text="")
@b("S53", "S", "v4", "v4_day_card", "OPEN order already has a reservationId", "reservationId | UUID | present after successful confirmation")
def _(w): R(w, "get_order_open")["reservationId"] = R(w, "confirm")["reservationId"]
@b("S54", "S", "v4", "v4_payments", "FAILED order has a reservationId (200 FAILED)", "reservationId | UUID | present after successful confirmation")
def _(w): R(w, "getD")["reservationId"] = w.id()
@b("S55", "S", "v4", "v4_errors", "422 with statusCode 400 in the body", V4M)
def _(w): R(w, "confirm_both")["statusCode"] = 400
@b("S56", "S", "v4", "v4_errors", "400 with an array as message", V4M)
def _(w): R(w, "order_no_fare")["message"] = ["fareId is required"]
@b("S57", "S", "v4", "v4_errors", "404 as HTML", V4M)
def _(w): ex(w, "reservation_missing").update(resp=NO, text="<h1>Not Found</h1>", ctype="text/html")
@b("S58", "S", "v4", "v4_errors", "unknown order answered with 400", "404 | Not Found | offer, order or reservation not found")
def _(w): err(w, "order_missing", 400, err4(400, "order not found"))
@b("S59", "S", "v4", "v4_day_card", "identification number masked in the read order", "passengers | ...; identification is echoed")
def _(w): R(w, "get_order_booked")["passengers"][0]["identification"]["identificationNumber"] = "*****4560"
@b("S60", "S", "v4", "v4_day_card", "contact phone loses its countryCode in the reservation", "customerContact (reservation); phone: `number` and `countryCode`")
def _(w): R(w, "reservation_after")["customerContact"]["phone"].pop("countryCode")
@b("S61", "S", "v4", "v4_sold_out", "reservation lacks the second section", "outboundSegment | segment (reservation)")
def _(w): R(w, "reservation_by_order")["outboundSegment"]["sections"].pop()
@b("S62", "S", "v4", "v4_groups", "reservation: title of the tenth passenger MISS", "Passenger title | `MR`, `MRS`, `MS`")
def _(w): R(w, "reservation990")["passengers"][9]["title"] = "MISS"
# ---- responses, v3
@b("S63", "S", "v3", "v3_day_card", "flight's arrival differs from its last segment", "departure_date, arrival_date; one, two or three segments")
def _(w): R(w, "flights")["results"][1]["arrival_date"] = "2027-01-13 13:25:00"; drop(w, "requests2", "bookings2", "get2", "get2b", "pm#2")
@b("S64", "S", "v3", "v3_verify", "flight's destination is that of its second segment", "origin, destination | object")
def _(w): R(w, "flights")["results"][0]["destination"] = copy.deepcopy(R(w, "flights")["results"][0]["segments"][1]["destination"])
@b("S65", "S", "v3", "v3_verify", "third segment does not start where the second ended", "A flight has one, two or three segments (up to two stop-overs).")
def _(w): R(w, "flights")["results"][0]["segments"][2]["origin"] = loc("CDG")
@b("S66", "S", "v3", "v3_pages", "next_page_id is absent on the last page", "Response 200: `{results: [flight], next_page_id: string or null}`")
def _(w): del R(w, "page3")["next_page_id"]
@b("S67", "S", "v3", "v3_pages", "a flight on page 2 is after end", "end | date | optional | at most start + 3 days")
def _(w):
    f = R(w, "page2")["results"][7]
    for o in (f, f["segments"][0]):
        for k in ("departure_date", "arrival_date"): o[k] = "2027-02-05" + o[k][10:]
@b("S68", "S", "v3", "v3_day_card", "created_at of a request is not ISO 8601", "created_at | string | ISO 8601 timestamp")
def _(w): R(w, "requests2")["requests"][0]["created_at"] = "20/11/2026 09:40"
@b("S69", "S", "v3", "v3_round_trip", "customer of the second request: is_company is a string", "customer | object | `name`, `email`, `is_company`, ...")
def _(w): R(w, "requests")["requests"][1]["customer"]["is_company"] = "yes"
@b("S70", "S", "v3", "v3_round_trip", "company_codes is a string", "`company_codes` (array)")
def _(w): R(w, "requests")["requests"][1]["customer"]["company_codes"] = "V77"
@b("S71", "S", "v3", "v3_day_card", "canceled_at is absent in the second passenger record", "Absent values are null.")
def _(w): del R(w, "get_bookings")["bookings"][0]["passengers"][1]["canceled_at"]
@b("S72", "S", "v3", "v3_day_card", "is_infant is 0 in the second passenger record", "`is_infant` (boolean)")
def _(w): R(w, "get_bookings")["bookings"][0]["passengers"][1]["is_infant"] = 0
@b("S73", "S", "v3", "v3_round_trip", "the infant's record is not marked as infant (second booking)", "`is_infant` (boolean); infant_count")
def _(w): R(w, "bookings")["bookings"][1]["passengers"][3]["is_infant"] = False
@b("S74", "S", "v3", "v3_day_card", "final_flight is absent in a look-up", "each with `flight` (original), `final_flight` (current) and `flight_changes`")
def _(w): del R(w, "poll1")["bookings"][0]["final_flight"]
@b("S75", "S", "v3", "v3_changes", "timezone without airport in newFlight", "origin_timezone | string | present only with `origin_airport`")
def _(w): R(w, "changed2")["bookings"][0]["flight_changes"][1]["data"]["newFlight"]["segment_1_origin_timezone"] = "Europe/Berlin"
@b("S76", "S", "v3", "v3_changes", "airline_name without airline_iata_code in oldFlight", "airline_name | string | present only with `airline_iata_code`")
def _(w):
    for o in ("oldFlight", "newFlight"): R(w, "changed2")["bookings"][0]["flight_changes"][1]["data"][o]["segment_1_airline_name"] = "Lufthansa"
@b("S77", "S", "v3", "v3_changes", "flight_id of the change is another flight's", "data | object with `oldFlight` and `newFlight`, listing only keys that changed, plus `flight_id`")
def _(w): R(w, "changed")["bookings"][0]["flight_changes"][0]["data"]["flight_id"] += 1
@b("S78", "S", "v3", "v3_changes", "a key that did not change is listed in both", "listing only keys that changed")
def _(w):
    for o in ("oldFlight", "newFlight"): R(w, "changed")["bookings"][0]["flight_changes"][0]["data"][o]["segment_1_destination_airport"] = "FRA"
@b("S79", "S", "v3", "v3_day_card", "look-up shows another reference than asked", "Query: `cp_reference` (string, required). Returns `{bookings: [...]}`")
def _(w): R(w, "poll1")["bookings"][0]["cp_reference"] = "XXXXYYYY"
@b("S80", "S", "v3", "v3_round_trip", "both bookings of a round trip have type outward", "type | string | `outward` or `return`")
def _(w): R(w, "poll1")["bookings"][1]["type"] = "outward"
@b("S81", "S", "v3", "v3_round_trip", "three bookings in a look-up", "Bookings per reference | up to 2")
def _(w): x = copy.deepcopy(R(w, "poll2")["bookings"][0]); x["id"] += 5; [p.update(id=p["id"] + 9, booking_id=x["id"]) for p in x["passengers"]]; R(w, "poll2")["bookings"].append(x)
@b("S82", "S", "v3", "v3_errors", "v3 wrong key answered with 403", "a wrong key gives 401")
def _(w): ex(w, "wrongkey").update(status=403)
@b("S83", "S", "v3", "v3_lifecycles", "aborted request answered with 409", "booking on an aborted request gives 403")
def _(w): ex(w, "aborted").update(status=409)
@b("S84", "S", "v3", "v3_errors", "missing fare_type answered with 500", "400 | Bad Request | payload does not match the request signature")
def _(w): ex(w, "nofare").update(status=500)
@b("S85", "S", "v3", "v3_lifecycles", "declined payment answered with 500", "422 | validation error; these are payment-related errors; OPEN-91: 4xx")
def _(w): ex(w, "declined").update(status=500)
@b("S86", "S", "v3", "v3_day_card", "operating carrier of the second flight has three letters", "`operating_carrier` (`name`, `iata_code`)")
def _(w): R(w, "flights")["results"][1]["segments"][0]["operating_carrier"]["iata_code"] = "IBE"; drop(w, "requests2", "bookings2", "get2", "get2b", "pm#2")
@b("S87", "S", "v3", "v3_pages", "roundTrips: checked prices under the earlier name", "The first v3 release named the arrays `luggage_prices` and `cabin_prices`.")
def _(w): f = R(w, "rt2")["fares"][1]; f["luggage_prices"] = f.pop("checked_bags_prices")
@b("S88", "S", "v2", "v2_changes", "v2 booking with pnr_reference instead of cp_reference", "cp_reference (named `pnr_reference` before v2)")
def _(w): x = R(w, "located")["bookings"][0]; x["pnr_reference"] = x.pop("cp_reference")
@b("S89", "S", "v2", "v2_pages_3ds", "v2 flight: segments with via_airport at top level and a fourth segment", "Segments per flight | 1 to 3")
def _(w): f = R(w, "page2")["results"][3]; f["segments"] = [copy.deepcopy(f["segments"][0]) for _ in range(4)]
@b("S90", "S", "v2", "v2_customer_data", "v2 request: passengers is an array", "passengers | object | `adults`, `children`, `infants` (integers)")
def _(w): R(w, "requests")["requests"][2]["passengers"] = [1, 1, 0]
# ---- several, v4
@b("M41", "M", "v4", "v4_day_card", "read order departs an hour later", S)
def _(w): R(w, "get_order_booked")["offer"]["outboundSegment"]["sections"][0]["departureDate"] = "2027-01-12T09:00:00"
@b("M42", "M", "v4", "v4_day_card", "order's fare has another total than the stored offer (same fare id; whole life)", "stores the offer for 30 minutes; offer | `fare` (with `id`)")
def _(w):
    d = 20
    for t in ("order2", "confirm2", "get_order2_later"): x = R(w, t); x["offer"]["fare"]["totalPrice"]["amount"] += d; x["totalPrice"]["amount"] += d
    R(w, "reservation2")["fare"]["totalPrice"]["amount"] += d
@b("M43", "M", "v4", "v4_unusual", "two orders get one reservation id", "a reservation is created; Reservation: id, orderId")
def _(w):
    i = R(w, "confirm")["reservationId"]; R(w, "confirm_second")["reservationId"] = i; R(w, "reservation_by_order")["id"] = i
@b("M44", "M", "v4", "v4_day_card", "card fee is not in the total (whole life)", "a card-processing fee may be exposed in `paymentOptions` and is included in the order `totalPrice` when `card` is selected")
def _(w):
    for t in ("order2", "confirm2", "get_order2_later"): R(w, t)["totalPrice"]["amount"] -= 2.5
@b("M45", "M", "v4", "v4_day_card", "baggage options of the second offer name the fare of the first", "`fareBaggageOptions`: array of items with `fareId`")
def _(w): R(w, "baggage2")["fareBaggageOptions"][0]["fareId"] = R(w, "offer")["cheapestFare"]["id"]
@b("M46", "M", "v4", "v4_day_card", "own order is not found a second after creation", S)
def _(w): err(w, "get_order_open", 404, err4(404, "order not found"))
@b("M47", "M", "v4", "v4_day_card", "own reservation is not found", "Returns the reservation.")
def _(w): err(w, "reservation_later", 404, err4(404, "reservation not found"))
@b("M48", "M", "v4", "v4_day_card", "order 5 seconds after Get Offer refused as expired", "offer is kept for 30 minutes")
def _(w): err(w, "order2", 404, err4(404, "offer expired")); drop(w, "confirm2", "reservation2", "get_order2_later")
@b("M49", "M", "v4", "v4_day_card", "a valid search is refused with 400", "400 | payload does not match the expected schema")
def _(w): err(w, "search", 400, err4(400, "invalid request"))
@b("M50", "M", "v4", "v4_two_orgs", "foreign order is delivered", "OPEN-59: not delivered (non-2xx); 404 not found")
def _(w): ok(w, "b_order_get_foreign", copy.deepcopy(R(w, "a_order")))
@b("M51", "M", "v4", "v4_two_orgs", "an order is created from a foreign offer", "Get Fares: belongs to another user; 404 offer not found")
def _(w):
    x = copy.deepcopy(R(w, "a_order")); o = R(w, "b_offer"); x.update(id=w.id()); x["offer"] = dict(id=o["id"], outboundSegment=o["outboundSegment"], fare=o["cheapestFare"]); ok(w, "a_order_foreign", x)
@b("M52", "M", "v4", "v4_payments", "confirmation with indicator 06 is BOOKED", "Indicators `06` and `01` lead to a payment error.")
def _(w):
    x = copy.deepcopy(R(w, "orderD")); x.update(status="BOOKED", reservationId=w.id()); ok(w, "confirmD_06", x); y = copy.deepcopy(x); ex(w, "getD")["resp"] = y
@b("M53", "M", "v4", "v4_errors", "confirmation with the other payment method is BOOKED", "paymentMethod | must equal the method chosen at Create Order")
def _(w):
    x = copy.deepcopy(R(w, "order")); x.update(status="BOOKED", reservationId=w.id()); del Q(w, "confirm_mismatch")["payment_method"]; ok(w, "confirm_mismatch", x); ex(w, "get_order")["resp"] = copy.deepcopy(x)
@b("M54", "M", "v4", "v4_family_round", "order total changes at confirmation (lower by the bags)", "totalPrice | money | includes baggage")
def _(w): R(w, "confirm")["totalPrice"]["amount"] -= 22.5
@b("M55", "M", "v4", "v4_family_round", "reservation's birth date of the second child differs", "passengers | `birthDate` (reservation)")
def _(w): R(w, "reservation")["passengers"][3]["birthDate"] = "2019-05-02"
@b("M56", "M", "v4", "v4_family_round", "reservation lost the inbound bags", "selectedBaggage | array (reservation)")
def _(w): R(w, "reservation")["selectedBaggage"][0]["inboundSegmentBaggageSelection"] = []
@b("M57", "M", "v4", "v4_sold_out", "the balance-less organisation: order echoes method balance", "paymentMethod | object | `{card: true}` or `{balance: true}`")
def _(w): R(w, "order")["paymentMethod"] = dict(balance=True)
@b("M58", "M", "v4", "v4_races", "old reservation names no order that was seen, id differs from path", "GET /reservation/{reservationId}: Returns the reservation.")
def _(w): R(w, "old_reservation")["id"] = w.id()
@b("M59", "M", "v4", "v4_races", "GET order returns another order", "GET /order/{orderId}: Returns the latest persisted order")
def _(w): x = R(w, "get2"); x.clear(); x.update(copy.deepcopy(R(w, "get_booked")))
# ---- several, v3 / v2
@b("M60", "M", "v3", "v3_day_card", "own booking is not found", "GET /v3/bookings: Returns `{bookings: [...]}` with one or two bookings")
def _(w): ok(w, "poll1", dict(bookings=[]))
@b("M61", "M", "v3", "v3_lifecycles", "booked request is booked again", "409 | flight already booked; OPEN-88: 4xx rejection")
def _(w): _steal(w, "book_again", "requestsC")
@b("M62", "M", "v3", "v3_lifecycles", "cancelled request is booked", "request (pending) | cancel | cancelled | a new flow can start; OPEN-88: 4xx rejection")
def _(w): _steal(w, "book_cancelled", "requests")
@b("M63", "M", "v3", "v3_two_orgs", "pending request cannot be cancelled a second after creation", "Cancels a pending request only. Response 200: `{success: true}`.")
def _(w): err(w, "b_cancel", 409, dict(e=1))
@b("M64", "M", "v3", "v3_round_trip", "the two requests have one id", "id | integer | request id")
def _(w): r = R(w, "requests_ow")["requests"]; r[1]["id"] = r[0]["id"]; drop(w, "bookings_ow", "get_ow", "pm#2")
@b("M65", "M", "v3", "v3_round_trip", "a request holds another flight than asked", "Creates one request per flight id; flight | flight | the flight")
def _(w): R(w, "requests_ow")["requests"][1]["flight"]["id"] += 1; drop(w, "bookings_ow", "get_ow", "pm#2")
@b("M66", "M", "v3", "v3_round_trip", "both bookings name the first request", "request_id | integer")
def _(w): x, y = R(w, "bookings_ow")["bookings"]; y["request_id"] = x["request_id"]
@b("M67", "M", "v3", "v3_round_trip", "cabin bags of the second booking are missing", "bags (v3) | object | as booked")
def _(w): R(w, "bookings")["bookings"][1]["bags"]["cabin"] = []
@b("M68", "M", "v3", "v3_day_card", "record locator changes between two look-ups", "pnr_airline | airline record locator when available")
def _(w): R(w, "poll3")["bookings"][0]["pnr_airline"] = "NEWPNR"
@b("M69", "M", "v3", "v3_day_card", "created_at of the booking changes", "created_at | string")
def _(w): x = R(w, "poll2")["bookings"][0]; x["created_at"] = x["created_at"].replace("T09", "T10")
@b("M70", "M", "v3", "v3_changes", "the date of a recorded change is rewritten", "Schedule changes ... are recorded as flight changes; created_at | timestamps")
def _(w): R(w, "refused")["bookings"][0]["flight_changes"][0]["created_at"] = "2026-11-01T00:00:00Z"
@b("M71", "M", "v3", "v3_changes", "a recorded change shows another new time", "Schedule changes ... are recorded as flight changes")
def _(w): R(w, "refused")["bookings"][0]["flight_changes"][0]["data"]["newFlight"]["segment_2_departure_date"] = "2027-01-12 10:45:00"
@b("M72", "M", "v3", "v3_changes", "oldFlight does not match the original flight", "oldFlight and newFlight, listing only keys that changed; `flight` (original)")
def _(w): R(w, "changed")["bookings"][0]["flight_changes"][0]["data"]["oldFlight"]["segment_2_departure_date"] = "2027-01-12 09:50:00"
@b("M73", "M", "v3", "v3_pages", "the price in a round-trip's flights differs from the search", "flights without bags (cache) - not firm, control")
def _(w): R(w, "rt1")["flights"][0]["price"] += 1
@b("M74", "M", "v3", "v3_pages", "the second page repeats the first", "next_page_id | cursor from the previous page; OPEN-80 control (soft)")
def _(w): R(w, "page2")["results"] = copy.deepcopy(R(w, "page1")["results"])
@b("M75", "M", "v3", "v3_self_psp", "last name of a passenger is another person", "Passenger record: first_name, last_name")
def _(w): R(w, "bookings")["bookings"][0]["passengers"][2]["last_name"] = "SCHMIDT"
@b("M76", "M", "v3", "v3_self_psp", "a passenger is missing in the second booking", "passengers | array; passenger_count")
def _(w): R(w, "get2b")["bookings"][0]["passengers"].pop(1)
@b("M77", "M", "v3", "v3_two_orgs", "look-up of organisation B shows A's passenger", "GET bookings: passengers")
def _(w): R(w, "b_get_bookings")["bookings"][0]["passengers"] = [dict(p, booking_id=R(w, "b_bookings")["bookings"][0]["id"]) for p in copy.deepcopy(R(w, "a_bookings")["bookings"][0]["passengers"])]
@b("M78", "M", "v3", "v3_verify", "verify's total_price is lower than the price of one adult for 2 adults, 1 child", "`total_price`; OPEN-96 formula open: control")
def _(w): R(w, "verify2")["total_price"] = 15.0
@b("M79", "M", "v3", "v3_round_trip", "bags_fee of a request is not zero without bags", "bags_fee | object | v3: `checked` and `cabin` amounts")
def _(w): R(w, "requests_ow")["requests"][0]["bags_fee"]["checked"] = 20.0; drop(w, "bookings_ow", "get_ow", "pm#2")
@b("M80", "M", "v2", "v2_day_card", "luggage_fee is not the sum of the luggage (whole life)", "v2: luggage_fee | number; luggage `{weight, price, quantity}`")
def _(w):
    for t in ("bookings", "get_bookings", "poll"): R(w, t)["bookings"][0]["luggage_fee"] = 32.5
@b("M81", "M", "v2", "v2_changes", "v2 look-up: flight_id differs from that of the booking", "flight_id | integer")
def _(w): R(w, "located")["bookings"][0]["flight_id"] += 1
@b("M82", "M", "v2", "v2_pages_3ds", "v2 booking with indicator 06 succeeds", "`06` and `01` give a payment error")
def _(w): x = copy.deepcopy(R(w, "bookings")["bookings"][0]); r = R(w, "requests2")["requests"][0]; x.update(id=w.num(), request_id=r["id"], flight_id=r["flight"]["id"], flight=copy.deepcopy(r["flight"]), price=r["price"], cp_reference="ECIZEROS", external_id="EXT-1", total_price=round(r["price"] * 1.03, 2), created_at=ex(w, "eci06")["t"].strftime("%Y-%m-%dT%H:%M:%SZ")); [p.update(id=w.num(), booking_id=x["id"]) for p in x["passengers"]]; ok(w, "eci06", dict(bookings=[x]))
@b("M83", "M", "v2", "v2_customer_data", "customer of the request belongs to another company at the second call", "control: customer object; not firm")
def _(w): R(w, "requests2")["requests"][1]["customer"]["name"] = "Otra S.A."
# ---- requests
@b("C16", "C", "v4", "v4_family_round", "six passengers for an offer of five", "passengers | array | required (OPEN-67 count mismatch as client finding)")
def _(w): p = Q(w, "order2")["passengers"]; p.append(dict(p[3], number=5)); Q(w, "order2")["selectedBaggage"].append(dict(Q(w, "order2")["selectedBaggage"][3], passengerNumber=5)); err(w, "order2", 400, err4(400, "x")); drop(w, "confirm2", "reservation2")
@b("C17", "C", "v4", "v4_day_card", "selectedBaggage lacks the second passenger", "selectedBaggage | array | required | one item per passenger")
def _(w): Q(w, "order")["selectedBaggage"].pop(); err(w, "order", 400, err4(400, "x")); drop(w, *[e["tag"] for e in w.ex[5:13]], "reservation_later")
@b("C18", "C", "v4", "v4_day_card", "baggage for passenger number 7", "`passengerNumber` (integer, required)")
def _(w): Q(w, "order2")["selectedBaggage"][0]["passengerNumber"] = 7; err(w, "order2", 400, err4(400, "x")); drop(w, "confirm2", "reservation2", "get_order2_later")
@b("C19", "C", "v4", "v4_day_card", "card data in the confirmation", "card data never sent to the service")
def _(w): q = Q(w, "confirm2"); q.pop("payment_intent_id"); q["card"] = dict(number="4242424242424242", exp_month="09", exp_year="2031", cvc="123"); err(w, "confirm2", 400, err4(400, "x")); drop(w, "reservation2", "get_order2_later")
@b("C20", "C", "v4", "v4_day_card", "POST without Content-Type application/json", "JSON; header `Content-Type: application/json` on POST")
def _(w): e = ex(w, "offer2"); e["headers"] = [(a, "text/plain" if a == "Content-Type" else v) for a, v in e["headers"]]
@b("C21", "C", "v4", "v4_day_card", "order id used as reservation id", "Path: `reservationId` (UUID)")
def _(w): e = ex(w, "reservation_later"); e["url"] = e["url"].replace(R(w, "confirm")["reservationId"], R(w, "order")["id"]); err(w, "reservation_later", 404, err4(404, "reservation not found"))
@b("C22", "C", "v4", "v4_day_card", "order created with the id of the search offer", "offerId: Get Offer ... `cheapestFare.id` the `fareId` used by Create Order; OPEN-57 use of the Get Offer id")
def _(w): setq(ex(w, "order2"), "offerId", R(w, "search")["offers"][1]["id"]); err(w, "order2", 404, err4(404, "offer not found")); drop(w, "confirm2", "reservation2", "get_order2_later")
@b("C23", "C", "v3", "v3_round_trip", "bags keyed by another id", "`bags` keys equal the ids in `flight_ids`.")
def _(w): x = Q(w, "requests_ow")["bags"]; k = list(x)[1]; x["999"] = x.pop(k); err(w, "requests_ow", 400, dict(e=1)); drop(w, "bookings_ow", "get_ow", "pm#2")
@b("C24", "C", "v3", "v3_self_psp", "third passenger without date of birth", "`date_of_birth` (required)")
def _(w): Q(w, "requests2")["passengers"][2].pop("date_of_birth"); err(w, "requests2", 400, dict(e=1)); drop(w, "bookings2", "get2", "get2b")
@b("C25", "C", "v3", "v3_self_psp", "v3 passengers with is_infant", "v3 dropped `is_infant`.")
def _(w): Q(w, "requests2")["passengers"][2]["is_infant"] = True
@b("C26", "C", "v3", "v3_day_card", "v3 booking with passengers", "`/bookings` no longer takes `passengers` or `luggage`")
def _(w): Q(w, "bookings2")["passengers"] = Q(w, "requests2")["passengers"]
@b("C27", "C", "v3", "v3_three_ds", "three_d_secure without transaction_id", "three_d_secure (all required: ... `transaction_id`")
def _(w): Q(w, "b01")["three_d_secure"].pop("transaction_id")
@b("C28", "C", "v3", "v3_pages", "start as DD.MM.YYYY", "start | date | `YYYY-MM-DD`")
def _(w): setq(ex(w, "back"), "start", "08.02.2027")
@b("C29", "C", "v2", "v2_pages_3ds", "luggage item without price", "values arrays of `{weight, price, quantity}` all required numbers")
def _(w): list(Q(w, "bookings3")["luggage"].values())[1][1].pop("price"); err(w, "bookings3", 400, dict(e=1)); drop(w, "get3")
@b("C30", "C", "v2", "v2_customer_data", "customer_data without email and no code", "`first_name`, `last_name`, `gender`, `email`, `phonenumber` required")
def _(w): Q(w, "bookings2")["customer_data"].pop("email"); err(w, "bookings2", 400, dict(e=1)); drop(w, "get2")
@b("C31", "C", "payment", "v3_day_card", "provider call with Bearer token", "sent as basic-auth user name, empty password")
def _(w): e = ex(w, "pm"); e["headers"] = [(a, "Bearer rk_test_9aaZ" if a == "Authorization" else v) for a, v in e["headers"]]
@b("C32", "C", "payment", "v3_day_card", "provider call with two-digit year", "`card[exp_year]` (number, four digits, required)")
def _(w): ex(w, "pm")["form"] = ex(w, "pm")["form"].replace("2031", "31")
@b("C33", "C", "v2", "v2_customer_data", "four flights in one v2 request", "`flights` (array, required, up to three ids)")
def _(w): Q(w, "requests")["flights"].append(7); err(w, "requests", 400, dict(e=1)); drop(w, "bookings", "get_bookings", "get_third", "poll")
@b("C34", "C", "v3", "v3_two_orgs", "B books with A's customer code", "customer_code | must be known to the service; identifies the distributor")
def _(w): Q(w, "b_bookings")["customer_code"] = "VIAJES-77"
@b("C35", "C", "v4", "v4_day_card", "Get Offer: departure time without seconds", "departureDate | `YYYY-MM-DDTHH:mm:ss`")
def _(w): Q(w, "offer2")["outboundSegment"]["sections"][0]["departureDate"] = "2027-01-12T18:30"
@b("C36", "C", "v3", "v3_self_psp", "card data of another customer: provider token sent to the service", "v2 and v3 use Bearer tokens; separate restricted token for the payment provider")
def _(w): e = ex(w, "get3"); e["headers"] = [(a, "Bearer rk_test_9aaZ" if a == "Authorization" else v) for a, v in e["headers"]]; e.update(status=401, resp=NO, text="")
