"""Breaches: each is one small change to one correct recording."""
import copy
from correct import RECS, OUT, OUT2, TDS, CONN
from world import NO, err4
B = []


def b(id, kind, iface, rec, what, sentence):
    def deco(f):
        B.append(dict(id=id, kind=kind, iface=iface, rec=rec, what=what, sentence=sentence, f=f)); return f
    return deco


def ex(w, tag): return next(e for e in w.ex if e["tag"] == tag)
def R(w, tag): return ex(w, tag)["resp"]
def Q(w, tag): return ex(w, tag)["body"]
def ok(w, tag, resp): e = ex(w, tag); e.update(status=200, resp=resp, text=None, ctype=None)
def setq(e, k, v): e["query"] = [(a, v if a == k else c) for a, c in e["query"]]


# ------------------------------------------------------------ S: responses of the service
@b("S01", "S", "v4", "v4_day_card", "search: second offer's flightNumber has 5 digits", "flightNumber | string | 1 to 4 digits")
def _(w): R(w, "search")["offers"][1]["outboundSegment"]["sections"][0]["flightNumber"] = "12345"
@b("S02", "S", "v4", "v4_day_card", "search: payment option of the second offer has type CARD", "paymentOptions | array | items: `type` (`card` or `balance`), `fee` (money)")
def _(w): R(w, "search")["offers"][1]["paymentOptions"][0]["type"] = "CARD"
@b("S03", "S", "v4", "v4_day_card", "search: totalAmount of the second offer is a string", "price | object | `totalAmount` (number), `sourceAmount` (number), `currency`")
def _(w): p = R(w, "search")["offers"][1]["fare"]["price"]; p["totalAmount"] = "%.2f" % p["totalAmount"]
@b("S04", "S", "v4", "v4_family_round", "Get Offer: tax of the infant in USD", "Money object | `amount` (number), `currency` (string, only `EUR`)")
def _(w): R(w, "offer")["cheapestFare"]["passengerPricingByPassengerType"]["infant"]["taxAmount"]["currency"] = "USD"
@b("S05", "S", "v4", "v4_day_card", "Get Offer: includedBaggage in the form of the search", "includedBaggage | array | items: `quantity` (integer), `descriptor` ...")
def _(w): R(w, "offer")["cheapestFare"]["includedBaggage"] = dict(checkedBaggageQuantity=0, cabinBaggageQuantity=1)
@b("S06", "S", "v4", "v4_family_round", "Get Offer: second included bag has type CHECKED", "`type` (`CHECK_IN` or `CABIN`)")
def _(w): R(w, "offer")["cheapestFare"]["includedBaggage"][1]["type"] = "CHECKED"
@b("S07", "S", "v4", "v4_family_round", "Get Offer: identification option DNI for child", "`providerIdentificationTypeOptions` (array of identification types); Identification type | `PASSPORT`, `NIE`, `NIF`, `NATIONAL_ID_CARD`, `BIRTH_DATE`")
def _(w): R(w, "offer")["providerAdditionalPassengerInformationByPassengerType"]["child"]["providerIdentificationTypeOptions"][1] = "DNI"
@b("S08", "S", "v4", "v4_sold_out", "Get Offer: arrival of the second section has a zone designator", "Date-time in sections | `YYYY-MM-DDTHH:mm:ss`, no zone designator")
def _(w): s = R(w, "offer")["outboundSegment"]["sections"][1]; s["arrivalDate"] += "Z"
@b("S09", "S", "v4", "v4_family_round", "Get Baggage: third outbound option's price has no currency", "`pricePerPiece` (money); Money object | `amount` (number), `currency` (string, only `EUR`)")
def _(w): del R(w, "baggage")["fareBaggageOptions"][0]["outboundSegmentOptions"][2]["pricePerPiece"]["currency"]
@b("S10", "S", "v4", "v4_day_card", "Create Order answers 201", "Response 200: order with status `OPEN`.")
def _(w): ex(w, "order2")["status"] = 201
@b("S11", "S", "v4", "v4_day_card", "Create Order: customerContact without zipCode", "customerContact | object | as sent")
def _(w): del R(w, "order")["customerContact"]["zipCode"]
@b("S12", "S", "v4", "v4_family_round", "Create Order: identification of the second adult is not echoed", "passengers | array | order passenger objects (see Create Order); identification is echoed")
def _(w): del R(w, "order")["passengers"][1]["identification"]
@b("S13", "S", "v4", "v4_day_card", "Create Order: no pricePerPiece anywhere", "selectedBaggage | array | as sent, each item additionally has `pricePerPiece` (money) in the response")
def _(w):
    for i in R(w, "order")["selectedBaggage"]:
        for s in i["outboundSegmentBaggageSelection"]: del s["pricePerPiece"]
@b("S14", "S", "v4", "v4_family_round", "reservation: birth date of the second passenger as DD/MM/YYYY", "birthDate | string | optional | `YYYY-MM-DD`")
def _(w): R(w, "reservation")["passengers"][1]["birthDate"] = "17/04/1981"
@b("S15", "S", "v4", "v4_day_card", "reservation: email is not the contact's", "email | string | contact e-mail")
def _(w): R(w, "reservation_by_order")["email"] = "noreply@skyhub.example"
@b("S16", "S", "v4", "v4_errors", "404 with error NotFoundException", "JSON object with `statusCode` (integer), `error` (HTTP status text) and `message` (string)")
def _(w): R(w, "order_missing")["error"] = "NotFoundException"
@b("S17", "S", "v4", "v4_errors", "search for BUSINESS returns offers", "A `travelClass` other than `ECONOMY` returns 200 with an empty `offers` array.")
def _(w): R(w, "search_business")["offers"] = copy.deepcopy(R(w, "search")["offers"])
@b("S18", "S", "v4", "v4_errors", "Get Fares of an unknown offer answers 404", "When the offer is missing, expired or belongs to another user, the response is 200 with an empty `fares` array, not an error.")
def _(w): ex(w, "fares_unknown").update(status=404, resp=err4(404, "offer not found"))
@b("S19", "S", "v3", "v3_verify", "flights: departure of the third segment in ISO form", "`departure_date`, `arrival_date` (`YYYY-MM-DD HH:mm:ss`")
def _(w): s = R(w, "flights")["results"][0]["segments"][2]; s["departure_date"] = s["departure_date"].replace(" ", "T")
@b("S20", "S", "v3", "v3_day_card", "flights: duration of the second flight in minutes", "duration | string | `HH:mm`")
def _(w): R(w, "flights")["results"][1]["duration"] = "80"
@b("S21", "S", "v3", "v3_day_card", "flights: cabin bag of the second flight has depth, not length", "`cabin`: array of `{dimensions: {width, height, length}, weight (optional), quantity, price}`")
def _(w): d = R(w, "flights")["results"][1]["bags"]["cabin"][0]["dimensions"]; d["depth"] = d.pop("length")
@b("S22", "S", "v3", "v3_pages", "flights: 101 results on the first page", "up to 100 results per page")
def _(w): R(w, "page1")["results"].append(copy.deepcopy(R(w, "page2")["results"][1]))
@b("S23", "S", "v3", "v3_round_trip", "requests: the second request counts 1 adult for 4 passengers", "passengers | object | `adults`, `children`, `infants` (integers)")
def _(w): R(w, "requests")["requests"][1]["passengers"]["adults"] = 1
@b("S24", "S", "v3", "v3_day_card", "bookings: booking_id of the second passenger is another", "Passenger record: `id`, `booking_id`, ...")
def _(w): R(w, "bookings")["bookings"][0]["passengers"][1]["booking_id"] += 1
@b("S25", "S", "v3", "v3_round_trip", "look-up: the second booking has type inbound", "type | string | `outward` or `return`, in retrieval responses")
def _(w): R(w, "get_bookings")["bookings"][1]["type"] = "inbound"
@b("S26", "S", "v3", "v3_changes", "change key with segment index 0", "Changed keys are prefixed `segment_{index}_` with index 1 to 3")
def _(w):
    for o in ("oldFlight", "newFlight"): d = R(w, "changed2")["bookings"][0]["flight_changes"][1]["data"][o]; d["segment_0_flight_number"] = d.pop("segment_1_flight_number")
@b("S27", "S", "v3", "v3_changes", "new flight number with five digits", "flight_number | string | 2-letter airline code plus up to four digits")
def _(w): R(w, "changed2")["bookings"][0]["flight_changes"][1]["data"]["newFlight"]["segment_1_flight_number"] = "LH11190"
@b("S28", "S", "v3", "v3_verify", "verify: infant_price although no infants", "`infant_price` (included only when infants > 0)")
def _(w): R(w, "verify1")["infant_price"] = 15.0
@b("S29", "S", "v2", "v2_day_card", "v2 requests carry bags_fee", "`{requests: [...]}` with `luggage_options` in flights, no `bags_fee`")
def _(w): R(w, "requests")["requests"][0]["bags_fee"] = dict(checked=0.0, cabin=0.0)
@b("S30", "S", "v2", "v2_day_card", "v2 bookings: luggage_fee is an object", "bags_fee (v3) / luggage_fee (v2) | object / number")
def _(w): x = R(w, "bookings")["bookings"][0]; x["luggage_fee"] = dict(checked=x["luggage_fee"])
@b("S31", "S", "v2", "v2_pages_3ds", "v2 flights: marketing flight number of the fifth flight is a string with the carrier", "`marketing_carrier_flight_number` (integer)")
def _(w): R(w, "page2")["results"][4]["segments"][0]["marketing_carrier_flight_number"] = "UX6010"
@b("S32", "S", "v2", "v2_changes", "v2 look-up: changed airport key with four letters in newFlight", "origin_airport | string | 3-letter IATA")
def _(w): R(w, "changed")["bookings"][0]["flight_changes"][0]["data"]["newFlight"]["segment_3_origin_airport"] = "LPPT"
@b("S33", "S", "v4", "v4_family_round", "Get Offer for a round trip: inboundSegment null", "`inboundSegment` exists for round trips")
def _(w): R(w, "offer2")["inboundSegment"] = None
@b("S34", "S", "v4", "v4_family_round", "Get Offer: 3 children priced where 2 were asked (second type)", "each value has `fareAmount` (money), `taxAmount` (money), `numberOfPassengers` (integer)")
def _(w): R(w, "offer")["cheapestFare"]["passengerPricingByPassengerType"]["child"]["numberOfPassengers"] = 3
@b("S35", "S", "v3", "v3_pages", "roundTrips: return_id of the second fare is a string", "`outward_id` (integer), `return_id` (integer)")
def _(w): f = R(w, "rt1")["fares"][1]; f["return_id"] = str(f["return_id"])
@b("S36", "S", "v3", "v3_lifecycles", "cancel: success is a string", "Response 200: `{success: true}`.")
def _(w): R(w, "cancel")["success"] = "true"
@b("S37", "S", "payment", "mixed_day", "provider's payment method id starts with card_", "The response contains `id` beginning `pm_`.")
def _(w):
    i = R(w, "pm")["id"]; n = "card_" + i[3:]; R(w, "pm")["id"] = n
    for e in w.ex:
        if isinstance(e["body"], dict) and e["body"].get("payment_method") == i: e["body"]["payment_method"] = n
@b("S38", "S", "v4", "v4_races", "reservation: carrier code with three letters in section", "marketingCarrierCode | string | 2-letter IATA")
def _(w): R(w, "reservation3")["outboundSegment"]["sections"][0]["marketingCarrierCode"] = "IBE"


# ------------------------------------------------------------ C: requests of the partner
@b("C01", "C", "v4", "v4_day_card", "Get Offer without customerCode", "`customerCode` (string, required)")
def _(w): del Q(w, "offer2")["customerCode"]
@b("C02", "C", "v4", "v4_expiry", "order with the fare of another offer", "`fareId` (UUID, required, a fare of that offer)")
def _(w): setq(ex(w, "orderB"), "fareId", R(w, "offerA")["cheapestFare"]["id"]); R(w, "orderB").clear(); ex(w, "orderB").update(status=404, resp=err4(404, "fare not found")); w.ex = [e for e in w.ex if e["tag"] not in ("confirmB", "reservationB")]
@b("C03", "C", "v4", "v4_day_card", "passenger numbers 1 and 3", "number | integer | required | sequential passenger number")
def _(w):
    for o in (Q(w, "order"), *[R(w, t) for t in ("order", "get_order_open", "confirm", "get_order_booked", "get_order_after", "reservation", "reservation_by_order", "reservation_after", "reservation_later")]):
        o["passengers"][1]["number"] = 3; o["selectedBaggage"][1]["passengerNumber"] = 3
@b("C04", "C", "v4", "v4_groups", "third child without birth date", "birthDate | ... | required for children and infants")
def _(w):
    for o in (Q(w, "order131"), R(w, "order131"), R(w, "confirm131"), R(w, "reservation131")): o["passengers"][3].pop("birthDate")
@b("C05", "C", "v4", "v4_day_card", "identification of the second passenger expired", "`expirationDate` (`YYYY-MM-DD`, required, must be in the future)")
def _(w):
    for o in (Q(w, "order"), *[R(w, t) for t in ("order", "get_order_open", "confirm", "get_order_booked", "get_order_after")]): o["passengers"][1]["identification"]["expirationDate"] = "2026-06-30"
@b("C06", "C", "v4", "v4_payments", "three_d_secure with indicator 07", "An indicator of `07` or `00` means authentication failed; the field group must then be left out")
def _(w): Q(w, "confirmD_06")["three_d_secure"]["electronic_commerce_indicator"] = "07"
@b("C07", "C", "v4", "v4_family_round", "cryptogram of 21 bytes (28 characters)", "cryptogram | string; 20 bytes base64-encoded into 28 characters")
def _(w): Q(w, "confirm2")["three_d_secure"]["cryptogram"] = "AAIBBYNoEwAAACcKhAJkdQAAAAAA"
@b("C08", "C", "v3", "v3_round_trip", "requests: one checked option of the second flight is not listed", "every checked and cabin option returned by the search must be listed, with `quantity` 0 when not wanted")
def _(w): x = Q(w, "requests")["bags"]; del x[list(x)[1]]["checked"][1]
@b("C09", "C", "v3", "v3_self_psp", "self_psp true together with payment_method", "books on deposit; then `payment_method` and `three_d_secure` are omitted")
def _(w): Q(w, "bookings2")["payment_method"] = "pm_1abcDEF"
@b("C10", "C", "v3", "v3_pages", "returnEnd is 4 days after returnStart", "`returnEnd` at most `returnStart` + 3 days")
def _(w): setq(ex(w, "rt1"), "returnEnd", "2027-02-12")
@b("C11", "C", "v2", "v2_day_card", "v2 flights with customerCode", "`seats`, `next_page_id`; no `customerCode`")
def _(w): ex(w, "flights")["query"].append(("customerCode", "VIAJES-77"))
@b("C12", "C", "v2", "v2_day_card", "v2 luggage keyed by the flight id", "`luggage` (object, required; keys equal request ids;")
def _(w): q = Q(w, "bookings"); q["luggage"] = {str(R(w, "requests")["requests"][0]["flight"]["id"]): list(q["luggage"].values())[0]}
@b("C13", "C", "payment", "v3_day_card", "card number with spaces", "`card[number]` (string, no separators, required)")
def _(w): ex(w, "pm")["form"] = ex(w, "pm")["form"].replace("4242424242424242", "4242+4242+4242+4242")
@b("C14", "C", "v4", "v4_family_round", "infant is three years old", "`infant` (infant = under 2 years)")
def _(w):
    for o in (Q(w, "order"), *[R(w, t) for t in ("order", "get_order_open", "confirm", "get_order", "reservation", "reservation_by_order")]): o["passengers"][4]["birthDate"] = "2023-11-10"
@b("C15", "C", "v4", "v4_day_card", "customerCode in the order body", "`customerCode` is a body field of Search Offers and Get Offer only; other v4 endpoints do not accept it.")
def _(w): Q(w, "order2")["customerCode"] = "VIAJES-77"


# ------------------------------------------------------------ M: several exchanges
@b("M01", "M", "v4", "v4_day_card", "BOOKED order is OPEN again an hour later", "`OPEN` -> `BOOKED`; `BOOKED` | Confirm Order (repeat) | any | unchanged")
def _(w): x = R(w, "get_order2_later"); x["status"] = "OPEN"; x.pop("reservationId")
@b("M02", "M", "v4", "v4_day_card", "order's total is 5 EUR higher when read", "Returns the latest persisted order (order shape).")
def _(w): R(w, "get_order_open")["totalPrice"]["amount"] += 5
@b("M03", "M", "v4", "v4_day_card", "reservation by order has another id than the confirmation named", "GET /reservation?orderId: Returns the same reservation shape as by id; reservationId | UUID | present after successful confirmation")
def _(w): R(w, "reservation_by_order")["id"] = w.id()
@b("M04", "M", "v4", "v4_day_card", "reservation belongs to the other order", "orderId | UUID (reservation)")
def _(w): R(w, "reservation2")["orderId"] = R(w, "order")["id"]
@b("M05", "M", "v4", "v4_day_card", "a second confirmation succeeds", "duplicate confirmation is rejected; An order can be confirmed once.")
def _(w): ok(w, "confirm_again", copy.deepcopy(R(w, "confirm")))
@b("M06", "M", "v4", "v4_expiry", "order from an offer of 33 minutes is created", "30 minutes elapsed | offer expired | any order created from it fails")
def _(w): x = copy.deepcopy(R(w, "orderA_live")); x["id"] = w.id(); ok(w, "orderA_expired", x)
@b("M07", "M", "v4", "v4_two_orgs", "fares of a foreign offer are delivered", "belongs to another user, the response is 200 with an empty `fares` array")
def _(w): ok(w, "b_fares_foreign", copy.deepcopy(R(w, "a_fares")))
@b("M08", "M", "v4", "v4_expiry", "fares of an expired offer are delivered", "When the offer is missing, expired ... the response is 200 with an empty `fares` array")
def _(w): ok(w, "faresA_expired", copy.deepcopy(R(w, "faresA_live")))
@b("M09", "M", "v4", "v4_two_orgs", "foreign reservation is delivered", "404 | offer, order or reservation not found; OPEN-59: not delivered")
def _(w): ok(w, "a_reservation_foreign", copy.deepcopy(R(w, "b_reservation")))
@b("M10", "M", "v4", "v4_family_round", "order total leaves the baggage out (whole life)", "totalPrice | money | includes baggage and, for `card`, the card-processing fee")
def _(w):
    for t in ("order", "get_order_open", "confirm", "get_order"): R(w, t)["totalPrice"]["amount"] = R(w, "offer")["cheapestFare"]["totalPrice"]["amount"]
@b("M11", "M", "v4", "v4_day_card", "order's pricePerPiece of the second passenger's second bag differs from Get Baggage (whole life, total follows)", "each item additionally has `pricePerPiece`; Get Baggage: `pricePerPiece` (money)")
def _(w):
    for t in ("order", "get_order_open", "confirm", "get_order_booked", "get_order_after", "reservation", "reservation_by_order", "reservation_after", "reservation_later"):
        x = R(w, t); x["selectedBaggage"][1]["outboundSegmentBaggageSelection"][1]["pricePerPiece"]["amount"] = 15.0
        if "totalPrice" in x: x["totalPrice"]["amount"] += 3
@b("M12", "M", "v4", "v4_day_card", "order holds another fare than fareId", "`fareId` (UUID, required, a fare of that offer); offer | object | `id`, `outboundSegment`, `fare` (with `id`)")
def _(w): R(w, "order")["offer"]["fare"]["id"] = R(w, "fares")["fares"][1]["id"]
@b("M13", "M", "v4", "v4_day_card", "read order shows another passenger name", "Returns the latest persisted order")
def _(w): R(w, "get_order_booked")["passengers"][1]["firstLastName"] = "Núñez"
@b("M14", "M", "v4", "v4_family_round", "reservation lacks the infant", "passengers | array | `number`, `type`, ... (reservation)")
def _(w): R(w, "reservation")["passengers"].pop()
@b("M15", "M", "v4", "v4_payments", "FAILED order has a reservation", "`OPEN` | Confirm Order | confirmation fails | `FAILED`; a reservation is created only when BOOKED; OPEN-60")
def _(w): x = copy.deepcopy(R(w, "reservationA")); x.update(id=w.id(), orderId=R(w, "orderB")["id"], pnr="QWE234"); ok(w, "reservationB", x)
@b("M16", "M", "v4", "v4_payments", "after the 422 the order is BOOKED", "`OPEN` | Confirm Order | confirmation fails | `FAILED`; OPEN-24: never BOOKED")
def _(w): R(w, "getB_failed").update(status="BOOKED", reservationId=w.id())
@b("M17", "M", "v4", "v4_day_card", "Get Offer returns another flight than asked for", "Verifies availability and price with the supplier, stores the offer ... and returns the full offer.")
def _(w): R(w, "offer2")["outboundSegment"]["sections"][0]["flightNumber"] = "79"
@b("M18", "M", "v4", "v4_day_card", "pnr differs between two reads", "pnr | string | booking reference")
def _(w): R(w, "reservation_later")["pnr"] = "ZZ9PZA"
@b("M19", "M", "v4", "v4_family_round", "paymentMethod of the read order is card, chosen was balance", "paymentMethod | object | `{card: true}` or `{balance: true}`; must equal the method chosen at Create Order")
def _(w): R(w, "get_order")["paymentMethod"] = dict(card=True)
@b("M20", "M", "v4", "v4_groups", "baggage echoed with one piece of two (first passenger)", "selectedBaggage | array | as sent")
def _(w): R(w, "order202")["selectedBaggage"][0]["outboundSegmentBaggageSelection"][0]["numberOfPieces"] = 1
@b("M21", "M", "v3", "v3_day_card", "CONFIRMED booking awaits the locator again", "`AWAITING_PNR_AIRLINE` | airline record locator received | ... | `CONFIRMED`")
def _(w):
    x = R(w, "poll3")["bookings"][0]; x.update(status="AWAITING_PNR_AIRLINE", pnr_airline=None)
@b("M22", "M", "v3", "v3_round_trip", "two bookings of one call have different references", "With several requests, the same `cp_reference` is issued for all bookings.")
def _(w): R(w, "bookings")["bookings"][1]["cp_reference"] = "QWERTYUI"
@b("M23", "M", "v3", "v3_changes", "original flight is overwritten by the change", "each with `flight` (original), `final_flight` (current) and `flight_changes`")
def _(w): x = R(w, "changed")["bookings"][0]; x["flight"] = copy.deepcopy(x["final_flight"])
@b("M24", "M", "v3", "v3_day_card", "total_price differs when read", "price, infant_price, total_price | number")
def _(w): R(w, "poll1")["bookings"][0]["total_price"] += 10
@b("M25", "M", "v3", "v3_changes", "schedule change disappears at the next look-up", "Schedule changes on a booked flight are recorded as flight changes ... and exposed by GET bookings in `flight_changes`")
def _(w): R(w, "accepted")["bookings"][0]["flight_changes"] = None
@b("M26", "M", "v3", "v3_changes", "final_flight does not show the new departure", "with the current flight in `final_flight`")
def _(w): x = R(w, "changed")["bookings"][0]; x["final_flight"] = copy.deepcopy(x["flight"])
@b("M27", "M", "v3", "v3_lifecycles", "booking on an aborted request succeeds", "booking on an aborted request gives 403; restart the flow")
def _(w): _steal(w, "aborted", "requestsB")
@b("M28", "M", "v3", "v3_lifecycles", "booking on an expired request succeeds after 5:20", "a booking using an expired request is rejected")
def _(w): _steal(w, "lateF", "requestsF")
@b("M29", "M", "v3", "v3_lifecycles", "booked request is cancelled", "Cancels a pending request only.")
def _(w): ok(w, "cancel_booked", dict(success=True))
@b("M30", "M", "v3", "v3_day_card", "a flight of another origin is found", "origin | string | required | airport IATA code")
def _(w):
    f = R(w, "flights")["results"][1]; o = dict(iata_code="BCN", city_name="Barcelona", country_name="Spain", timezone="Europe/Madrid"); f["origin"] = o; f["segments"][0]["origin"] = o
@b("M31", "M", "v3", "v3_round_trip", "external_id differs (second booking)", "external_id | string | client-side id sent at booking")
def _(w): R(w, "bookings")["bookings"][1]["external_id"] = "EXT-2"
@b("M32", "M", "v3", "v3_round_trip", "flight ids of the two bookings are swapped against their requests", "flight_id | integer; request_id | integer")
def _(w): x, y = R(w, "bookings")["bookings"]; x["flight_id"], y["flight_id"] = y["flight_id"], x["flight_id"]
@b("M33", "M", "v3", "v3_two_orgs", "request names the customer code of the other organisation", "customer_code | string (booking request); A customer code identifies the distributor")
def _(w): R(w, "a_requests")["requests"][0]["customer_code"] = "FLY-22"
@b("M34", "M", "v3", "v3_round_trip", "one request for two flight ids", "Creates one request per flight id, at once.")
def _(w): R(w, "requests_ow")["requests"].pop(); w.ex = [e for e in w.ex if e["tag"] not in ("bookings_ow", "get_ow", "pm#2")]
@b("M35", "M", "v3", "v3_day_card", "checked bag fee of the booking is higher than that of the request", "Creating a request holds seats and prices (seat and baggage prices) for a limited time.")
def _(w):
    for t in ("bookings", "get_bookings", "poll1", "poll2", "poll3"): x = R(w, t)["bookings"][0]; x["bags_fee"]["checked"] += 7; x["total_price"] = round(x["total_price"] + 7.21, 2)
@b("M36", "M", "v2", "v2_day_card", "luggage booked with one bag of two", "bags (v3) / luggage (v2) | object / array | as booked")
def _(w): R(w, "bookings")["bookings"][0]["luggage"][0]["quantity"] = 1
@b("M37", "M", "v2", "v2_day_card", "infant_count 0 although the request has an infant", "passenger_count, infant_count | integer")
def _(w): R(w, "bookings")["bookings"][0]["infant_count"] = 0
@b("M38", "M", "v2", "v2_day_card", "ids of passenger records change between look-ups", "Passenger record: `id`, ...")
def _(w): R(w, "poll")["bookings"][0]["passengers"][0]["id"] += 17
@b("M39", "M", "v2", "v2_day_card", "a flight with fewer seats than asked is found", "seats | integer | optional | minimum seats")
def _(w): R(w, "flights")["results"][1]["available_seats"] = 2
@b("M40", "M", "v2", "v2_errors", "v2 booking on an aborted request succeeds", "booking on an aborted request gives 403")
def _(w): _steal(w, "aborted", "requests", "v2_day_card")


def _steal(w, tag, req, other=None):
    """a success that is consistent with the request, made from another booking"""
    if other:
        o = RECS[other](); bk = copy.deepcopy(R(o, "bookings2")["bookings"][0])
    else: bk = copy.deepcopy(R(w, "bookC")["bookings"][0])
    r = R(w, req)["requests"][0]; bk.update(id=w.num(), request_id=r["id"], flight_id=r["flight"]["id"], flight=copy.deepcopy(r["flight"]), cp_reference="STOLENXX", price=r["price"], infant_price=r["infant_price"], created_at=ex(w, tag)["t"].strftime("%Y-%m-%dT%H:%M:%SZ"))
    for p in bk["passengers"]: p.update(id=w.num(), booking_id=bk["id"])
    ok(w, tag, dict(bookings=[bk]))
