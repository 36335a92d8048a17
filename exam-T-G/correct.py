"""Correct recordings. Every docstring lists the unusual permitted choices."""
from v23 import *
import datetime as dt, os, json
D = lambda *a: dt.datetime(*a)
RECS = {}


def rec(start, seed, **st):
    def deco(f):
        def make():
            w = W(f.__name__, seed, start, Style(**st)); f(w); return w
        make.__doc__ = f.__doc__; RECS[f.__name__] = make
        return make
    return deco


DAY = "2027-01-12"
OUT = [sec("MAD", "BCN", DAY + "T08:00:00", DAY + "T09:15:00", "1234", "IB"), ]
OUT2 = [sec("MAD", "BCN", DAY + "T18:30:00", DAY + "T19:45:00", "77", "VY", "IB")]
BACK = [sec("BCN", "MAD", "2027-01-19T20:00:00", "2027-01-19T21:20:00", "1235", "IB")]
CONN = [sec("MAD", "FRA", DAY + "T06:10:00", DAY + "T08:50:00", "3160", "LH"), sec("FRA", "LIS", DAY + "T10:00:00", DAY + "T12:05:00", "1166", "LH")]
TDS = dict(version="2.2.0", electronic_commerce_indicator="05", cryptogram="AAIBBYNoEwAAACcKhAJkdQAAAAA=", transaction_id="f25084f0-5b16-4c0a-ae5d-b24808a95e4b")
TDS_MC = dict(TDS, electronic_commerce_indicator="02", version="2.1.0", cryptogram="kAPPcAzVCVdBAAAAAAAAAAAAAAA=")


@rec(D(2026, 11, 20, 9, 0, 0), 1)
def v4_day_card(w):
    """Plain: cards, baggage, look-ups, a duplicate confirmation (OPEN-07: 409), second offer not bought; plain keys."""
    c = V4(w)
    c.search("MAD", "BCN", DAY, [(OUT, None, 60.0), (OUT2, None, 48.4)], (2, 0, 0))
    o = c.offer((OUT, None, 60.0), (2, 0, 0)); c.fares(o); c.baggage(o)
    r = c.order(o, {0: ([("CHECK_IN", 1, 23)], []), 1: ([("CHECK_IN", 2, 23), ("CABIN", 1, 10)], [])})
    c.get_order(r, "get_order_open")
    pm = pay_method(w)
    c.confirm(r, dict(payment_method=pm)); c.get_order(r, "get_order_booked"); c.get_reservation(r); c.get_reservation(r, "order")
    c.confirm(dict(r), dict(payment_method=pm), "rejected", "confirm_again", 409, "the order is already confirmed")
    c.get_order(r, "get_order_after"); c.get_reservation(r, "order", "reservation_after")
    o2 = c.offer((OUT2, None, 48.4), (1, 0, 0), tag="offer2"); c.fares(o2, "fares2"); c.baggage(o2, "baggage2")
    r2 = c.order(o2, tag="order2"); c.confirm(r2, dict(payment_intent_id="pi_3PqAB"), tag="confirm2"); c.get_reservation(r2, tag="reservation2")
    w.wait(3600); c.get_order(r2, "get_order2_later"); c.get_reservation(r, tag="reservation_later")


@rec(D(2026, 11, 20, 10, 0, 0), 2, keys="shuffle", h2=True, gzip=True, offset=1)
def v4_family_round(w):
    """Round trip, 2 adults 2 children 1 infant, balance enabled. OPEN-44 pricePerPiece on both levels; OPEN-66 numbers from 0; OPEN-63 zero keys absent;
    OPEN-69 {card: true, balance: false} in request accepted; OPEN-02 inboundSegment in order and reservation; HTTP/2, gzip, shuffled keys, offset +01:00."""
    c = V4(w); c.balance, c.zero_keys = True, False
    pax = (2, 2, 1); f = (OUT, BACK, 80.0)
    c.search("MAD", "BCN", DAY, [f, (OUT2, BACK, 77.7)], pax, back="2027-01-19")
    o = c.offer(f, pax); c.baggage(o); c.fares(o)
    r = c.order(o, {0: ([("CHECK_IN", 1, 15)], [("CHECK_IN", 2, 23)]), 3: ([("CABIN", 1, 10)], [])}, method="balance", first=0, level="both")
    c.get_order(r, "get_order_open"); c.confirm(r); c.get_order(r); c.get_reservation(r); c.get_reservation(r, "order")
    o2 = c.offer((OUT2, BACK, 77.7), pax, tag="offer2")
    r2 = c.order(o2, tag="order2", first=0, level="item"); w.ex[-1]["body"]["paymentMethod"] = dict(card=True, balance=False)
    c.confirm(r2, dict(payment_method="pm_card_visa", three_d_secure=TDS), tag="confirm2"); c.get_reservation(r2, "order", "reservation2")


@rec(D(2026, 11, 21, 23, 50, 0), 3, sci=True, chunked=True, charset="; charset=UTF-8")
def v4_errors(w):
    """Errors. OPEN-32 missing key 403; OPEN-31 unknown code 404; OPEN-55 past date 404; OPEN-49 malformed ids 404/200; OPEN-54 class at Get Offer 200 other shape -> 404; OPEN-41 html 5xx; OPEN-09 429;
    OPEN-75 415/405; OPEN-76 lower-case reason phrases; numbers in scientific notation, chunked, charset; crosses midnight."""
    c = V4(w); bare = [h for h in c.hp if h[0] != "Authorization"]
    c.search("MAD", "BCN", DAY, [(OUT, None, 100.0)], cls="ECONOMY")
    c.search("MAD", "BCN", DAY, [], cls="BUSINESS", tag="search_business")
    c.search("MAD", "BCN", DAY, [], tag="search_nokey", headers=bare, status=403, resp=err4(403, "no key"))
    c.search("MAD", "BCN", DAY, [], tag="search_wrongkey", headers=[("Authorization", "nonsense")] + bare, status=401, resp=err4(401, "API key wrong"))
    c.code, keep = "NOBODY", c.code
    c.search("MAD", "BCN", DAY, [], tag="search_code", status=404, resp=err4(404, "customer code unknown")); c.code = keep
    c.search("MAD", "BCN", "2026-01-01", [], tag="search_past", status=404, resp=err4(404, "no flights"))
    c.search("MAD", "QQX", DAY, [], tag="search_unserved")
    c.search("MAD", "BCN", DAY, [], pax=(0, 0, 0), tag="search_zero", status=400, resp=dict(err4(400, "adults must be 1 to 9"), error="bad request"))
    c.search("MAD", "BCN", DAY, [], pax=(1, 0, 2), tag="search_infants", status=400, resp=err4(400, ["infants"][0]))
    c.search("MAD", "BCN", DAY, [], tag="search_500", status=500, resp=NO, text="<html><h1>500</h1></html>", ctype="text/html")
    c.search("MAD", "BCN", DAY, [], tag="search_429", status=429, resp=NO, text="slow down", ctype="text/plain", rh=[("Retry-After", "2")])
    w.wait(3)
    o = c.offer((OUT, None, 100.0)); g = w.id()
    c.offer((OUT2, None, 1.0), tag="offer_gone", status=422, resp=err4(422, "no longer sold"))
    c.fares(g, "fares_unknown"); c.fares("not-a-uuid", "fares_malformed"); c.baggage(g, "baggage_unknown", status=404, resp=err4(404, "offer not found"))
    c.baggage("123", "baggage_malformed", status=400, resp=err4(400, "offerId must be a UUID"))
    c.order(o, tag="order_unknown_fare", query=dict(offerId=o["id"], fareId=w.id()), status=422, resp=err4(422, "fare is not of the offer"))
    c.order(o, tag="order_unknown_offer", query=dict(offerId=w.id(), fareId=o["cheapestFare"]["id"]), status=404, resp=err4(404, "offer not found"))
    c.order(o, tag="order_no_fare", query=dict(offerId=o["id"]), status=400, resp=err4(400, "fareId is required"))
    c.get_order(w.id(), "order_missing", status=404, resp=err4(404, "order not found"))
    c.x("reservation_missing", "GET", "/reservation/" + w.id(), status=404, resp=err4(404, "reservation not found"))
    c.x("reservation_noq", "GET", "/reservation", status=405, resp=err4(405, "x"))
    r = c.order(o)
    c.x("reservation_open", "GET", "/reservation", query=dict(orderId=r["id"]), status=404, resp=err4(404, "no reservation"))
    c.confirm(r, tag="confirm_none", outcome="r", status=400, message="exactly one of payment_method and payment_intent_id")
    c.confirm(r, dict(payment_method="pm_x", payment_intent_id="pi_x"), tag="confirm_both", outcome="r", status=422, message="exactly one")
    c.confirm(r, dict(payment_intent_id="pi_x", three_d_secure=TDS), tag="confirm_3ds", outcome="r", status=400, message="not together")
    c.confirm(r, dict(payment_method="pm_x"), method="balance", tag="confirm_mismatch", outcome="r", status=400, message="method does not match")
    c.get_order(r)
    c.x("confirm_missing", "POST", "/order/%s/confirm" % w.id(), body=dict(paymentMethod=dict(card=True), payment_method="pm_a"), status=404, resp=err4(404, "order not found"))
    c.search("MAD", "BCN", DAY, [], tag="search_503", status=503, resp=dict(message="maintenance"))


@rec(D(2026, 11, 22, 8, 0, 0), 4, keys="sorted", esc=True)
def v4_payments(w):
    """OPEN-24: 406 leaves OPEN then success; 422 then FAILED; 200 FAILED; OPEN-52 ECI 06 -> 422; OPEN-05: FAILED order confirmed again with success; 403 balance, order left OPEN then FAILED. JSON escapes."""
    c = V4(w)
    def mk(n, m="card"):
        o = c.offer((OUT, None, 60.0), tag="offer" + n); return c.order(o, method=m, tag="order" + n)
    c.search("MAD", "BCN", DAY, [(OUT, None, 60.0)])
    r = mk("A"); pm = pay_method(w, number="4000002760003184", cvc=None)
    c.confirm(r, dict(payment_method=pm), "rejected", "confirmA_406", 406, "needs verification"); c.get_order(r, "getA_open")
    c.confirm(r, dict(payment_method=pm, three_d_secure=TDS_MC), tag="confirmA"); c.get_order(r, "getA_booked"); c.get_reservation(r, tag="reservationA")
    r = mk("B"); c.confirm(r, dict(payment_method=pay_method(w, number="4000000000000002")), "failed", "confirmB_422", 422, "card declined"); c.get_order(r, "getB_failed")
    c.x("reservationB", "GET", "/reservation", query=dict(orderId=r["id"]), status=404, resp=err4(404, "none"))
    r = mk("C"); c.confirm(r, dict(payment_method="pm_card_chargeDeclined"), "failed200", "confirmC"); c.get_order(r, "getC")
    c.confirm(r, dict(payment_method=pay_method(w)), tag="confirmC_again"); c.get_order(r, "getC_booked"); c.get_reservation(r, "order", "reservationC")
    r = mk("D"); c.confirm(r, dict(payment_method="pm_q", three_d_secure=dict(TDS, electronic_commerce_indicator="06")), "failed", "confirmD_06", 422, "attempt only"); c.get_order(r, "getD")
    r = mk("E", "balance"); c.confirm(r, None, "failed", "confirmE_403", 403, "balance is not enabled"); c.get_order(r, "getE")
    r = mk("F"); c.confirm(r, dict(payment_intent_id="pi_wrongamount"), "rejected", "confirmF_422", 422, "amount differs"); c.get_order(r, "getF")
    r = mk("G"); c.confirm(r, dict(payment_intent_id="pi_notready"), "rejected", "confirmG_406", 406, "not ready to capture")
    c.confirm(r, dict(payment_intent_id="pi_notready"), tag="confirmG"); c.get_reservation(r, tag="reservationG")


@rec(D(2026, 11, 22, 12, 0, 0), 5, query="shuffle")
def v4_expiry(w):
    """Offer expires: order 410 (OPEN-06), fares empty, baggage 404 (OPEN-58); an order created in time is confirmed 50 minutes later (OPEN-27, OPEN-71); an order at 29:50 works."""
    c = V4(w)
    c.search("MAD", "BCN", DAY, [(OUT, None, 60.0), (OUT2, None, 30.0)])
    a = c.offer((OUT, None, 60.0), tag="offerA"); b = c.offer((OUT2, None, 30.0), tag="offerB"); t = w.now
    r = c.order(b, tag="orderB"); w.wait(1700); c.fares(a, "faresA_live"); r1 = c.order(a, tag="orderA_live")
    w.wait(300); c.fares(a["id"], "faresA_expired"); c.baggage(a, "baggageA_expired", status=404, resp=err4(404, "offer expired"))
    c.order(a, tag="orderA_expired", status=410, resp=err4(410, "offer expired"))
    w.wait(1200); c.confirm(r, dict(payment_method="pm_card_visa"), tag="confirmB"); c.get_reservation(r, tag="reservationB")
    c.confirm(r1, dict(payment_method="pm_card_visa"), "rejected", "confirmA_late", 422, "offer expired"); c.get_order(r1, "getA")
    a2 = c.offer((OUT, None, 60.0), tag="offerA2"); c.baggage(a2, "baggageA2"); r2 = c.order(a2, tag="orderA2"); c.confirm(r2, dict(payment_method="pm_card_visa"), tag="confirmA2"); c.get_reservation(r2, "order", "reservationA2")


@rec(D(2026, 11, 23, 7, 0, 0), 6, h2=True, b64=True)
def v4_two_orgs(w):
    """Two organisations: foreign offer fares 200 [], baggage 403, foreign order 403/404, reservation 401 (OPEN-58/59); second has balance; Content base64 in HAR."""
    a, b = V4(w, p="a_"), V4(w, "k_live_9902", "FLY-22", "b_"); b.balance = True
    for c in (a, b): c.search("MAD", "BCN", DAY, [(OUT, None, 60.0), (OUT2, None, 48.0)])
    oa, ob = a.offer((OUT, None, 60.0)), b.offer((OUT, None, 60.0))
    b.fares(oa["id"], "fares_foreign"); a.fares(ob["id"], "fares_foreign"); a.baggage(ob["id"], "baggage_foreign", status=403, resp=err4(403, "not yours"))
    a.fares(oa); b.fares(ob); a.baggage(oa); b.baggage(ob)
    a.order(ob, tag="order_foreign", status=404, resp=err4(404, "offer not found"))
    ra, rb = a.order(oa), b.order(ob, method="balance")
    a.get_order(rb["id"], "order_get_foreign", status=404, resp=err4(404, "order not found")); b.get_order(ra["id"], "order_get_foreign", status=403, resp=err4(403, "not yours"))
    a.confirm(ra, dict(payment_method="pm_a1")); b.confirm(rb)
    a.x("reservation_foreign", "GET", "/reservation/" + rb["reservationId"], status=404, resp=err4(404, "reservation not found"))
    b.x("reservation_foreign", "GET", "/reservation", query=dict(orderId=ra["id"]), status=401, resp=err4(401, "no"))
    a.get_reservation(ra); b.get_reservation(rb); a.get_order(ra); b.get_order(rb)


@rec(D(2026, 11, 23, 14, 0, 0), 7, indent=True, keys="shuffle")
def v4_unusual(w):
    """City search, connections, codes with digits (OPEN-64), technicalStops objects/strings/absent (OPEN-01), inboundSegment another structure (OPEN-02), extra members (OPEN-46),
    no card fee (OPEN-36), additional fields in other case (OPEN-68), search id = offer id (OPEN-57), several orders from one offer (OPEN-73), order without inboundSegment, fares of other shape (OPEN-03), reservation.fare {} (OPEN-04), password dropped (OPEN-70), old key with Bearer prefix (OPEN-34)."""
    c = V4(w, auth="Bearer k_live_7731"); c.card_fee, c.extra, c.zero_keys = None, True, False
    u2 = [sec("ORY", "LIS", DAY + "T08:00:00", DAY + "T09:35:00", "0042", "U2")]; con = [sec("MAD", "FRA", DAY + "T23:10:00", "2027-01-13T01:50:00", "3160", "LH"), sec("FRA", "LIS", "2027-01-13T07:00:00", "2027-01-13T09:05:00", "1", "LH", "TP")]
    fs = c.search(("PAR", "CITY"), ("LIS", "CITY"), DAY, [(u2, None, 60.0), (u2, None, 65.0)])
    o = c.offer((u2, None, 60.0), stops=[dict(airport="OPO", minutes=40)], term=False, add={"adult": dict(providerIdentificationTypeOptions=[], providerRequiredAdditionalFields=["birth_date", "nationality"])})
    w.ex[-1]["resp"]["id"] = fs[0]["id"]; o["id"] = fs[0]["id"]
    c.fares(o, resp=dict(fares=[dict(name="LIGHT", cost=1), dict(name="FLEX", cost=2)], more=False)); c.baggage(o)
    w.ex[-1]["resp"]["fareBaggageOptions"][0]["inboundSegmentOptions"] = []
    r = c.order(o, people=c.people((1, 0, 0), ident=False), contact=dict(c.CONTACT, carrierPortalCredentials=dict(username="u", password="p")))
    rr = c.order(o, tag="order_second", people=c.people((1, 0, 0), ident=False))
    c.confirm(r, dict(payment_method="pm_1")); c.get_reservation(r); w.ex[-1]["resp"]["fare"] = {}
    c.confirm(rr, dict(payment_method="pm_1"), tag="confirm_second"); c.get_reservation(rr, "order")
    c.search("MAD", "LIS", DAY, [(con, BACK, 90.0)], back="2027-01-19", tag="search_rt"); w.ex[-1]["resp"]["offers"][0]["inboundSegment"] = dict(legs=[dict(f="LIS-MAD")])
    w.ex[-1]["body"]["inboundSegment"]["departureDate"] = "2027-01-19"
    BK = [sec("LIS", "MAD", "2027-01-19T20:00:00", "2027-01-19T22:20:00", "1235", "TP")]
    o = c.offer((con, BK, 90.0), stops=None, tag="offer_rt"); c.fares(o, tag="fares_rt"); c.baggage(o, "baggage_rt")
    r = c.order(o, {0: ([], [("CHECK_IN", 1, 15)])}, inb_in_order=False, tag="order_rt"); c.confirm(r, dict(payment_intent_id="whatever-id"), tag="confirm_rt"); c.get_reservation(r, tag="reservation_rt")
    c.x("undocumented", "GET", "/orders", status=404, resp=err4(404, "Cannot GET /v4/orders")); c.x("health", "GET", "/health", resp=dict(ok=True))


@rec(D(2026, 11, 24, 6, 0, 0), 8)
def v4_groups(w):
    """Groups of 9 with 9 children; 2 with 2 infants; adult without birth date accepted (OPEN-43); empty baggage arrays; infants without keys; changed price at Get Offer (OPEN-56); zero fee."""
    c = V4(w); c.card_fee = 0.0
    for pax in ((9, 9, 0), (2, 0, 2), (9, 0, 9), (1, 3, 1)):
        n = "%d%d%d" % pax
        c.search("MAD", "BCN", DAY, [(OUT, None, 20.0)], pax, tag="search" + n)
        o = c.offer((OUT, None, 25.5), pax, tag="offer" + n, add={t: dict(providerIdentificationTypeOptions=["PASSPORT"], providerRequiredAdditionalFields=[]) for t in ("adult", "child", "infant")})
        c.baggage(o, "baggage" + n)
        pp = c.people(pax)
        for i, p in enumerate(pp):
            if p["type"] == "infant": p["birthDate"] = "2026-0%d-11" % (1 + i % 9)
            if p["type"] == "child": p["birthDate"] = "2019-03-1%d" % (i % 9)
            if p["type"] == "adult": p.pop("birthDate"); p.pop("nationalityCountryCode")
        r = c.order(o, {0: ([("CHECK_IN", 2, 23)], [])}, tag="order" + n, people=pp); c.confirm(r, dict(payment_method=pay_method(w, "pm" + n)), tag="confirm" + n); c.get_reservation(r, tag="reservation" + n)


def L(o, d, day, a, b, c, n, day2=None): return (o, d, day + " " + a, (day2 or day) + " " + b, c, n)


@rec(D(2026, 11, 20, 9, 0, 0), 21)
def v3_day_card(w):
    """Plain: search, request, card, booking, poll until locator after 40 minutes, other people's look-ups."""
    c = V23(w); fl = [c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)]), c.flight([L("MAD", "PMI", "2027-01-13", "12:00:00", "13:20:00", "IB", 3918)], 61.3, seats=4)]
    c.flights(dict(origin="MAD", destination="PMI", start=DAY, end="2027-01-14", seats=2, customerCode=c.code), fl)
    r = c.requests([fl[0]], (2, 0, 0), {0: {("checked", 1): 2, ("cabin", 0): 1}}); pm = pay_method(w); b = c.book(r, pm)
    c.look(b); w.wait(600); c.look(b, "poll1"); w.wait(1800); c.locate(b); c.look(b, "poll2"); w.wait(86400); c.look(b, "poll3")
    r2 = c.requests([fl[1]], tag="requests2"); b2 = c.book(r2, pay_method(w), tag="bookings2", ext=None, drop=("address", "postal_code")); w.wait(60); c.look(b2, "get2"); c.locate(b2); w.wait(7000); c.look(b2, "get2b")
    c.flights(dict(origin="MAD", destination="PMI"), [], tag="flights_default"); c.flights(dict(origin="MAD", destination="PMI", start=DAY), fl[:1], tag="flights_start")


@rec(D(2026, 11, 20, 11, 0, 0), 22, keys="shuffle", h2=True, gzip=True, offset=1)
def v3_round_trip(w):
    """Round trip with special fare, two requests, one reference; family; OPEN-95 prices as objects, OPEN-93, OPEN-10 date format DD/MM/YYYY, OPEN-18 bare token in POST, OPEN-83 M/F, shuffled keys, HTTP/2."""
    c = V23(w, bare_post=True, dob="%d/%m/%Y"); c.gender = ("M", "F")
    a = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)]); z = c.flight([L("PMI", "MAD", "2027-01-19", "18:00:00", "19:25:00", "UX", 6072)], 44.0)
    c.flights(dict(origin="MAD", destination="PMI", start=DAY, end=DAY), [a]); c.flights(dict(origin="PMI", destination="MAD", start="2027-01-19", end="2027-01-20"), [z], tag="flights_back")
    fare = dict(outward_id=a["id"], return_id=z["id"], price=80.0, infant_price=20.0, checked_bags_prices=[dict(weight=15, price=30.0), dict(weight=23, price=55.0)], cabin_bags_prices=[dict(price=15.0)], included_airport_tax=18.8, cc_fees=0.03, available_seats=9)
    c.round_trips(dict(origin="MAD", destination="PMI", start=DAY, end="2027-01-13", returnStart="2027-01-19", returnEnd="2027-01-20"), [fare, dict(fare, price=90.0, infant_price=None, checked_bags_prices=[], cabin_bags_prices=[5.0])], [a, z])
    r = c.requests([a, z], (2, 1, 1), {0: {("checked", 0): 1}, 1: {("checked", 0): 1, ("cabin", 0): 3}}, fare="round_trip")
    b = c.book(r, pay_method(w)); c.look(b); w.wait(900); c.locate(b[:1]); c.look(b, "poll1"); w.wait(900); c.locate(b[1:]); c.look(b, "poll2")
    c.round_trips(dict(origin="MAD", destination="LIS", start=DAY), [], [], tag="round_trips_none")
    r = c.requests([a, z], (1, 0, 0), tag="requests_ow"); b = c.book(r, pay_method(w), tag="bookings_ow"); c.look(b, "get_ow")


@rec(D(2026, 11, 21, 9, 0, 0), 23, chunked=True)
def v3_errors(w):
    """OPEN-14 bodies: empty, text, arrays; OPEN-20 409/404; OPEN-29 422 for quantity; OPEN-32 400 for missing; OPEN-78 clamp; OPEN-92 200 empty; OPEN-89 {success: false}; OPEN-90 403; OPEN-09 429; html 500."""
    c = V23(w); f = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)])
    q = dict(origin="MAD", destination="PMI", start=DAY)
    c.flights(q, [], tag="nokey", headers=[("Accept", "application/json")], status=400, resp=NO, text="", ctype="")
    c.flights(q, [], tag="wrongkey", headers=[("Authorization", "Bearer nope"), ("Accept", "application/json")], status=401, resp=NO, text="unauthorized", ctype="text/plain")
    c.flights(q, [f]); c.flights(dict(origin="MAD"), [], tag="nodest", status=400, resp=[dict(field="destination", rule="required")])
    c.flights(dict(q, destination="LON"), [], tag="city"); c.flights(dict(q, end="2027-03-01"), [f], tag="clamp"); c.flights(dict(q, end="2026-12-01"), [], tag="order", status=422, resp=dict(error="end"))
    c.flights(q, [], tag="err500", status=500, resp=NO, text="<h1>oops</h1>", ctype="text/html"); c.flights(q, [], tag="e429", status=429, resp=NO, text="", ctype="")
    ghost = dict(f, id=424242); c.requests([ghost], tag="ghost", status=409, resp=dict(message="not in the cache")); c.requests([ghost], tag="ghost404", status=404, resp=NO, text="")
    c.requests([f], tag="bagsabove", bags={0: {("checked", 0): 3}}, status=422, resp=[["bags"]])
    e = c.requests([f], tag="nobags", status=400, resp=dict(error="bags")); w.ex[-1]["body"]["bags"] = {}
    c.requests([f], tag="nofare", status=400, resp=dict(error="fare_type")); del w.ex[-1]["body"]["fare_type"]
    r = c.requests([f]); c.book(r, "pm_x", tag="noemail", drop=("email",), status=400, resp=dict(error="email"))
    r2 = c.requests([f], tag="requests2"); c.code, k = "WHO", c.code; c.book(r2, "pm_x", tag="badcode", status=403, resp=dict(error="code")); c.code = k
    c.book(r2, None, tag="nopsp", status=403, resp=dict(error="self_psp"))
    r3 = c.requests([f], tag="requests3"); c.book(r3, "pm_x", tag="gone", status=409, resp=dict(error="no longer available"))
    c.x("look_unknown", "GET", "/bookings", query=dict(cp_reference="ZZZZ"), resp=dict(bookings=[])); c.x("look_unknown404", "GET", "/bookings", query=dict(cp_reference="ZZZY"), status=404, resp=NO, text="")
    c.x("look_noref", "GET", "/bookings", status=400, resp="cp_reference"); c.x("cancel_unknown", "POST", "/requests/77/cancel", resp=dict(success=False)); c.x("cancel_text", "POST", "/requests/abc/cancel", status=404, resp=NO, text="")


@rec(D(2026, 11, 21, 15, 0, 0), 24, sci=True)
def v3_lifecycles(w):
    """Cancel (no body), cancel twice 409, book cancelled 404; decline 402 then 403; expiry between 3 and 5 minutes refused (OPEN-15) and one used at 2:50, one at 4:00 accepted; cancel of booked 400; price numbers in scientific notation."""
    c = V23(w); f = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)], 100.0)
    c.flights(dict(origin="MAD", destination="PMI", start=DAY), [f])
    r = c.requests([f]); c.cancel(r[0]); c.cancel(r[0], "cancel2", status=409, resp=NO, text=""); c.book(r, "pm_x", tag="book_cancelled", status=404, resp=NO, text="")
    r = c.requests([f], tag="requestsB"); c.book(r, pay_method(w, number="4000000000000002"), tag="declined", status=402, resp=dict(code="card_declined")); c.book(r, pay_method(w), tag="aborted", status=403, resp=dict(message="aborted"))
    c.cancel(r[0], "cancel_aborted", resp=dict(success=False))
    r = c.requests([f], tag="requestsC"); w.wait(165); b = c.book(r, pay_method(w), tag="bookC"); c.cancel(r[0], "cancel_booked", status=400, resp=dict(e=1)); c.book(r, "pm_x", tag="book_again", status=409, resp=dict(e="already booked"))
    r = c.requests([f], tag="requestsD"); w.wait(230); c.book(r, "pm_x", tag="lateD", status=409, resp=dict(e="expired"))
    r = c.requests([f], tag="requestsE"); w.wait(240); c.book(r, "pm_x", tag="lateE")
    r = c.requests([f], tag="requestsF"); w.wait(320); c.book(r, "pm_x", tag="lateF", status=400, resp=dict(e="expired")); c.look(b); w.wait(10000); c.look(b, "late_locator")


def change(b, i, old, new, status, t, fid=True):
    ch = dict(status=status, data=dict(oldFlight=old, newFlight=new), created_at=t, updated_at=t)
    if fid: ch["data"]["flight_id"] = b["flight_id"]
    return ch


@rec(D(2026, 11, 22, 9, 0, 0), 25, h2=True)
def v3_changes(w):
    """Schedule changes: status CHANGED, flight_changes list grows, statuses SEEN first (OPEN-13), back to CONFIRMED, CANCELED (OPEN-11); destination_timezone with destination_airport (OPEN-21); flight_id in newFlight (OPEN-94)."""
    c = V23(w); f = c.flight([L("MAD", "FRA", DAY, "06:00:00", "08:40:00", "LH", 1111), L("FRA", "CDG", DAY, "10:00:00", "11:15:00", "LH", 1112)], 120.0, need_apis=False)
    c.flights(dict(origin="MAD", destination="CDG", start=DAY), [f]); r = c.requests([f], (1, 1, 0), {0: {("cabin", 0): 2}}); b = c.book(r, pay_method(w)); c.look(b); w.wait(3600); c.locate(b); c.look(b, "located")
    w.wait(86400 * 2); x = b[0]; x["final_flight"]["segments"][1].update(departure_date=DAY + " 10:30:00", arrival_date=DAY + " 11:45:00"); x["final_flight"].update(arrival_date=DAY + " 11:45:00", duration="05:45")
    x["flight_changes"] = [change(x, 2, dict(segment_2_departure_date=DAY + " 10:00:00", segment_2_arrival_date=DAY + " 11:15:00"), dict(segment_2_departure_date=DAY + " 10:30:00", segment_2_arrival_date=DAY + " 11:45:00"), "SEEN", c.stamp())]; x["status"] = "CHANGED"; c.look(b, "changed")
    w.wait(86400); x["flight_changes"][0].update(status="ACCEPTED", updated_at=c.stamp()); x["status"] = "CONFIRMED"; c.look(b, "accepted")
    w.wait(86400); x["final_flight"]["segments"][0].update(marketing_carrier_flight_number=1119, operating_carrier_flight_number=1119)
    n = change(x, 1, dict(segment_1_flight_number="LH1111", segment_1_origin_terminal_label="4"), dict(segment_1_flight_number="LH1119", segment_1_origin_terminal_label="4S", flight_id=x["flight_id"]), "WAITING", c.stamp(), False)
    x["flight_changes"] = x["flight_changes"] + [n]; c.look(b, "changed2"); w.wait(9000); x["flight_changes"][1].update(status="REFUSED", updated_at=c.stamp()); c.look(b, "refused")
    w.wait(9000); x["status"] = "CANCELED"
    for p in x["passengers"]: p.update(canceled=True, canceled_at=c.stamp(), updated_at=c.stamp())
    c.look(b, "canceled")


@rec(D(2026, 11, 23, 9, 0, 0), 26, esc=True, keys="sorted")
def v3_self_psp(w):
    """Deposit, explicit self_psp; a card booking by the same (OPEN-26); corporate; charter CONFIRMED at once without locator (OPEN-39); 'Bearer' both; stamps with +00:00; JSON escapes."""
    c = V23(w, self_psp=True, iso_z="+00:00"); f = c.flight([L("MAD", "TFS", DAY, "08:00:00", "09:55:00", "IB", 1)], 200.0, None); g = c.flight([L("TFS", "MAD", DAY, "18:00:00", "22:00:00", "VY", 9999)], bags=False)
    c.flights(dict(origin="MAD", destination="TFS", start=DAY, seats=1), [f]); c.flights(dict(origin="TFS", destination="MAD", start=DAY), [g], tag="flights2")
    r = c.requests([f], (3, 0, 0), {0: {("checked", 0): 3, ("checked", 1): 1, ("cabin", 0): 3}}); b = c.book(r, None, charter=True); c.look(b, types=False)
    r = c.requests([g], (2, 0, 1), tag="requests2"); b2 = c.book(r, None, tag="bookings2"); c.look(b2, "get2"); w.wait(7300); c.locate(b2); c.look(b2, "get2b")
    r = c.requests([f], tag="requests3"); b3 = c.book(r, pay_method(w), tag="bookings3"); c.look(b3, "get3")


@rec(D(2026, 11, 23, 18, 0, 0), 27)
def v3_three_ds(w):
    """3DS: 422 then restart with results; ECI 02; ECI 01 -> payment error 422; pm reused (OPEN-100); passports; need_apis."""
    c = V23(w); f = c.flight([L("MAD", "LIS", DAY, "08:00:00", "08:25:00", "UX", 6071)], need_apis=True)
    c.flights(dict(origin="MAD", destination="LIS", start=DAY), [f]); pm = pay_method(w, number="4000002760003184")
    pp = [dict(p, passport_number="XD123", passport_expiry_date="2031-01-01", passport_country_of_issue="ES", nationality="ES", birth_country="ES", middle_name="M") for p in c.people((1, 0, 0))]
    r = c.requests([f], people=pp); c.book(r, pm, tag="b422", status=422, resp=dict(error="authentication_required")); c.book(r, pm, TDS, tag="b403", status=403, resp=dict(error="aborted"))
    r = c.requests([f], people=pp, tag="requests2"); b = c.book(r, pm, TDS, tag="b200"); c.look(b)
    r = c.requests([f], people=pp, tag="requests3"); c.book(r, pm, dict(TDS, electronic_commerce_indicator="01", version="2.1.0"), tag="b01", status=422, resp=dict(error="x"))
    r = c.requests([f], people=pp, tag="requests4"); b = c.book(r, pm, TDS_MC, tag="b02"); c.look(b, "get4")
    r = c.requests([f], people=pp, tag="requests5"); b = c.book(r, pm, dict(TDS, version="1.0.2", transaction_id="MDAwMDAwMDAwMDAwMDAwMzIyNzY="), tag="b102"); c.look(b, "get5")


@rec(D(2026, 9, 1, 9, 0, 0), 28, charset=";charset=utf-8")
def v3_verify(w):
    """verify before 25 September 2026 (permitted, deprecated), with and without infants; the price of the request differs from search (OPEN-37); three segments; over midnight durations above 24 h (OPEN-81)."""
    c = V23(w); d = "2026-10-12"; f = c.flight([L("MAD", "BCN", d, "08:00:00", "09:25:00", "IB", 10), L("BCN", "FRA", d, "12:00:00", "14:10:00", "VY", 11), L("FRA", "LIS", "2026-10-13", "09:00:00", "11:05:00", "LH", 12)], 150.0)
    f["segments"][0]["via_airport"] = None
    f["segments"][1]["via_airport"] = "BCN"; f["segments"][2]["via_airport"] = "FRA"
    c.flights(dict(origin="MAD", destination="LIS", start=d), [f])
    for n, pax in (("1", (1, 0, 0)), ("2", (2, 1, 1))):
        resp = dict(price=150.0, currency="EUR", total_price=pax[0] * 150.0 + pax[1] * 150.0 + pax[2] * 15, included_airport_tax=30.0)
        if pax[2]: resp["infant_price"] = 15.0
        c.x("verify" + n, "POST", "/flights/verify", body=dict(flight_id=f["id"], passengers=dict(adults=pax[0], **(dict(children=1, infants=1) if pax[2] else {})), customer_code=c.code), resp=resp)
    g = dict(f, price=155.5, available_seats=3); r = c.requests([g], (2, 1, 1)); b = c.book(r, pay_method(w)); c.look(b); w.wait(3000); c.locate(b); c.look(b, "get2")
    c.x("verify_gone", "POST", "/flights/verify", body=dict(flight_id=1, passengers=dict(adults=1), customer_code=c.code), status=404, resp=NO, text="")


@rec(D(2026, 11, 24, 9, 0, 0), 29, gzip=True, query="shuffle")
def v3_pages(w):
    """130 flights on three pages: 100, 29 and an empty-ish last; a duplicate across pages (OPEN-80); round trips over two pages; cursor with spaces and =; window of 3 days."""
    c = V23(w); days = ["2027-02-0%d" % i for i in (1, 2, 3, 4)]
    fl = [c.flight([L("MAD", "PMI", days[i % 4], "%02d:%02d:00" % (6 + i // 20, i % 20 * 3), "%02d:%02d:00" % (7 + i // 20, 59), "UX", 1000 + i)], 30.0 + i, seats=1 + i % 9) for i in range(130)]
    q = dict(origin="MAD", destination="PMI", start=days[0], end=days[3], seats=1)
    c.flights(q, fl[:100], "cur = a/b+1", tag="page1"); c.flights(dict(q, next_page_id="cur = a/b+1"), fl[99:128], "p3", tag="page2"); c.flights(dict(q, next_page_id="p3"), fl[128:], None, tag="page3")
    back = [c.flight([L("PMI", "MAD", "2027-02-09", "%02d:00:00" % (7 + i), "%02d:20:00" % (8 + i), "UX", 2000 + i)], 33.0) for i in range(5)]
    fares = [dict(outward_id=fl[i]["id"], return_id=back[i]["id"], price=60.0, infant_price=None, checked_bags_prices=[30.0, 60.0], cabin_bags_prices=[], included_airport_tax=10.0, cc_fees=0.03, available_seats=2) for i in range(5)]
    q2 = dict(origin="MAD", destination="PMI", start=days[0], end=days[3], returnStart="2027-02-08", returnEnd="2027-02-11", seats=1)
    c.round_trips(q2, fares[:3], fl[:3] + back[:3], "n2", tag="rt1"); c.round_trips(dict(q2, next_page_id="n2"), fares[3:], fl[3:5] + back[3:], None, tag="rt2")
    c.flights(dict(origin="PMI", destination="MAD", start="2027-02-08", end="2027-02-11"), back, tag="back")
    r = c.requests([fl[0], back[0]], (1, 0, 0), fare="round_trip"); b = c.book(r, pay_method(w)); c.look(b)


@rec(D(2026, 11, 24, 16, 0, 0), 30)
def v3_two_orgs(w):
    """Two organisations search the same cached flights; each books; foreign look-up 404/200 empty; foreign request cancel refused; cancel with {} body."""
    a, b = V23(w, p="a_"), V23(w, "v3", "tok_prod_B", "FLY-22", "b_", True)
    f = a.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)]); q = dict(origin="MAD", destination="PMI", start=DAY)
    a.flights(q, [f]); b.flights(q, [f]); ra = a.requests([f], (1, 0, 1)); rb = b.requests([f], (1, 1, 0))
    b.cancel(ra[0], "cancel_foreign", status=404, resp=NO, text=""); a.book(rb, "pm_x", tag="book_foreign", status=403, resp=dict(e=1))
    ba, bb = a.book(ra, pay_method(w)), b.book(rb, pay_method(w, token="rk_test_B")); a.look(ba); b.look(bb)
    a.look(bb, "foreign", status=404, resp=NO, text=""); b.look(ba, "foreign", resp=dict(bookings=[]))
    rc = b.requests([f], tag="requests2"); b.cancel(rc[0], "cancel", body={}); w.wait(4000); a.locate(ba); a.look(ba, "located"); b.locate(bb); b.look(bb, "located")


@rec(D(2026, 11, 20, 9, 0, 0), 41)
def v2_day_card(w):
    """v2 plain: luggage options, card, polls."""
    c = V23(w, "v2"); f = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)]); g = c.flight([L("MAD", "PMI", DAY, "18:00:00", "19:25:00", "UX", 6073)], 33.33, None)
    c.flights(dict(origin="MAD", destination="PMI", start=DAY, end="2027-01-15", seats=3), [f, g]); r = c.requests([f], (2, 0, 1)); b = c.book(r, pay_method(w), luggage={0: [2, 1]}); c.look(b); w.wait(1200); c.locate(b); c.look(b, "poll")
    r = c.requests([g], tag="requests2"); b = c.book(r, pay_method(w), tag="bookings2"); c.look(b, "get2")


@rec(D(2026, 11, 20, 13, 0, 0), 42, h2=True, keys="shuffle")
def v2_customer_data(w):
    """v2 without customer code, customer_data; three requests in one booking (OPEN-19: two references); luggage empty arrays; dates DD.MM.YYYY; response customer_code null."""
    c = V23(w, "v2", code=None, dob="%d.%m.%Y"); fl = [c.flight([L(o, d, "2027-01-1%d" % (2 + i), "08:00:00", "09:25:00", "VY", 100 + i)]) for i, (o, d) in enumerate((("MAD", "PMI"), ("PMI", "BCN"), ("BCN", "MAD")))]
    for i, f in enumerate(fl): c.flights(dict(origin=f["origin"]["iata_code"], destination=f["destination"]["iata_code"], start=f["departure_date"][:10]), [f], tag="flights%d" % i)
    cd = dict(first_name="Eva", last_name="Sol", gender="female", email="eva@sol.example", phonenumber="+34911", address="x", city_name="Madrid", country_code="ES", postal_code="28001", registration_number="R1", vat_number="V1", is_company=True)
    r = c.requests(fl, (1, 1, 0)); b = c.book(r, pay_method(w), customer_data=cd, luggage={1: [1, 0]}); b2 = [b[2]]; b2[0]["cp_reference"] = "OTHERREF"; w.ex[-1]["resp"]["bookings"][2]["cp_reference"] = "OTHERREF"
    c.look(b[:2]); c.look(b2, "get_third"); w.wait(5000); c.locate(b); c.look(b[:2], "poll")
    r = c.requests(fl[:2], tag="requests2"); b = c.book(r, pay_method(w), customer_data=dict(cd, is_company=False), tag="bookings2"); c.look(b, "get2")


@rec(D(2026, 11, 21, 9, 0, 0), 43, chunked=True)
def v2_errors(w):
    """Errors of v2: as v3; cancel in v2 404 (OPEN-89); declined 422, aborted 403; expiry."""
    c = V23(w, "v2"); f = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)]); q = dict(origin="MAD", destination="PMI", start=DAY)
    c.flights(q, [], tag="wrongkey", headers=[("Authorization", "Bearer nope"), ("Accept", "application/json")], status=401, resp=dict(m=1)); c.flights(q, [f]); c.flights(dict(origin="MAD"), [], tag="nodest", status=422, resp=NO, text="")
    c.requests([dict(f, id=5)], tag="ghost", status=404, resp=NO, text=""); r = c.requests([f]); c.book(r, pay_method(w, number="4000000000000002"), tag="declined", status=422, resp=dict(code="card_declined")); c.book(r, "pm_x", tag="aborted", status=403, resp=NO, text="")
    r = c.requests([f], tag="requests2"); w.wait(310); c.book(r, "pm_x", tag="expired", status=409, resp=dict(m="expired")); c.x("cancel", "POST", "/requests/%d/cancel" % r[0]["id"], status=404, resp=NO, text="")
    r = c.requests([f], tag="requests3"); c.book(r, "pm_x", tag="nocode", drop=("customer_code",), status=400, resp=dict(m=1)); r = c.requests([f], tag="requests4"); c.book(r, "pm_x", tag="toomuch", luggage={0: [2, 0]}, status=422, resp=dict(m=1))
    c.x("look_unknown", "GET", "/bookings", query=dict(cp_reference="NONE"), status=404, resp=NO, text=""); c.requests([f], tag="requests5"); c.x("verify_v2", "POST", "/flights/verify", body={}, status=404, resp=NO, text="")


@rec(D(2026, 11, 22, 9, 0, 0), 44, gzip=True)
def v2_changes(w):
    """v2 schedule change with airport change, origin_timezone; self_psp; three segments; flight_changes [] before."""
    c = V23(w, "v2", self_psp=True, bare_post=True); f = c.flight([L("MAD", "BCN", DAY, "06:00:00", "07:15:00", "VY", 1111), L("BCN", "FRA", DAY, "09:00:00", "11:15:00", "LH", 7), L("FRA", "CDG", DAY, "13:00:00", "14:15:00", "LH", 1112)], 120.0)
    c.flights(dict(origin="MAD", destination="CDG", start=DAY), [f]); r = c.requests([f], (1, 0, 0)); b = c.book(r, None, luggage={0: [1, 0]}); b[0]["flight_changes"] = []; c.look(b); w.wait(3600); c.locate(b); c.look(b, "located"); w.wait(99999); x = b[0]
    s = x["final_flight"]["segments"]; s[1]["destination"] = loc("LIS"); s[2]["origin"] = loc("LIS"); s[2].update(departure_date=DAY + " 12:00:00", duration="01:15"); s[1]["via_airport"] = "LIS"
    n = change(x, 2, dict(segment_2_destination_airport="FRA", segment_2_destination_timezone="Europe/Berlin", segment_3_origin_airport="FRA", segment_3_origin_timezone="Europe/Berlin", segment_3_departure_date=DAY + " 13:00:00"),
               dict(segment_2_destination_airport="LIS", segment_2_destination_timezone="Europe/Lisbon", segment_3_origin_airport="LIS", segment_3_origin_timezone="Europe/Lisbon", segment_3_departure_date=DAY + " 12:00:00"), "WAITING", c.stamp())
    x["flight_changes"] = [n]; c.look(b, "changed"); w.wait(5000); n["data"]["newFlight"]["need_apis"] = True; n["data"]["oldFlight"]["need_apis"] = False; x["final_flight"]["need_apis"] = True; n["updated_at"] = c.stamp(); n["status"] = "ACCEPTED"; x["status"] = "CHANGED"; c.look(b, "accepted")


@rec(D(2026, 11, 23, 9, 0, 0), 45, keys="sorted", indent=True)
def v2_pages_3ds(w):
    """v2: two pages; 3DS as in v3; null external_id; a request without counts of children and infants (OPEN-99)."""
    c = V23(w, "v2"); fl = [c.flight([L("MAD", "PMI", DAY, "%02d:00:00" % (6 + i), "%02d:25:00" % (7 + i), "UX", 6000 + i)], 40.0 + i) for i in range(12)]; q = dict(origin="MAD", destination="PMI", start=DAY, end=DAY)
    c.flights(q, fl[:6], "n/2", tag="page1"); c.flights(dict(q, next_page_id="n/2"), fl[6:], None, tag="page2")
    r = c.requests([fl[7]]); w.ex[-1]["body"]["passengers"] = dict(adults=1); b = c.book(r, pay_method(w), TDS, ext=None); c.look(b)
    r = c.requests([fl[8]], tag="requests2"); c.book(r, "pm_x", dict(TDS, electronic_commerce_indicator="06"), tag="eci06", status=422, resp=dict(e=1)); r = c.requests([fl[8], fl[9]], (2, 2, 2), tag="requests3"); b = c.book(r, pay_method(w), TDS_MC, luggage={0: [4, 2]}, tag="bookings3"); c.look(b, "get3")


@rec(D(2026, 11, 25, 9, 0, 0), 51, offset=-5)
def mixed_day(w):
    """One partner uses v2, v3 and v4 on one day; the provider refuses a card (402); unrelated hosts; offset -05:00; the same customer."""
    a, b, c = V4(w, p="4_"), V23(w, p="3_"), V23(w, "v2", "tok_v2_x", p="2_")
    w.x("other", "GET", "https://cdn.example/app.js", text="1", ctype="text/javascript")
    f3 = b.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)]); f2 = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)], fid=f3["id"]); q = dict(origin="MAD", destination="PMI", start=DAY)
    a.search("MAD", "BCN", DAY, [(OUT, None, 60.0)]); b.flights(q, [f3]); c.flights(q, [f2]); o = a.offer((OUT, None, 60.0)); r3 = b.requests([f3]); r2 = c.requests([f2]); ro = a.order(o)
    pay_method(w, "pm_refused", "4000000000000069", status=402, error=dict(error=dict(code="expired_card", type="card_error")))
    a.confirm(ro, dict(payment_method=pay_method(w))); b3 = b.book(r3, pay_method(w)); b2 = c.book(r2, pay_method(w)); a.get_reservation(ro); b.look(b3); c.look(b2); w.wait(4000); b.locate(b3); c.locate(b2); b.look(b3, "poll"); c.look(b2, "poll"); a.get_order(ro)


@rec(D(2026, 11, 26, 9, 0, 0), 52)
def v4_sold_out(w):
    """Get Offer refuses 404/409; search empty; the same itinerary twice gives the same offer id (OPEN-73); order refused 400 for passengers; then booked."""
    c = V4(w); c.search("MAD", "LIS", DAY, []); c.search("MAD", "LIS", DAY, [(CONN, None, 70.0)], (1, 1, 0), tag="search2"); c.offer((CONN, None, 70.0), (1, 1, 0), tag="gone", status=409, resp=err4(409, "sold out"))
    o = c.offer((CONN, None, 70.0), (1, 1, 0)); w.ex.append(dict(copy.deepcopy(w.ex[-1]), tag="offer_again", t=w.now)); w.wait(2); c.baggage(o); c.fares(o)
    r = c.order(o, {1: ([("CHECK_IN", 1, 23)], [])}, people=c.people((1, 1, 0))[:2]); c.get_order(r); c.confirm(r, dict(payment_intent_id="pi_1")); c.get_reservation(r); c.get_reservation(r, "order"); c.get_order(r, "get_order2")


@rec(D(2026, 11, 27, 9, 0, 0), 61, query="encoded")
def v4_races(w):
    """Overlapping calls (a GET started before the confirmation ends still shows OPEN); confirmation answered by 502 or lost (status 0), then repeated: 409 or read as BOOKED; key rotated within one organisation;
    upper-case UUIDs in the path; %2D in the query; OPTIONS preflight; 304; plain http redirected (OPEN-33); recording that starts in the middle; echo with null members and 23.0 for 23."""
    c = V4(w); c.search("MAD", "BCN", DAY, [(OUT, None, 60.0)])
    w.x("preflight", "OPTIONS", BASE + "/v4/offer", headers=[("Origin", "https://shop.example"), ("Access-Control-Request-Method", "POST")], status=204, resp=NO, text="", ctype="")
    o = c.offer((OUT, None, 60.0)); r = c.order(o)
    t = w.now; e = c.get_order(r, "get_slow", dur=4000); w.now = t + dt.timedelta(seconds=1); c.confirm(r, dict(payment_method="pm_1"), dur=1000); w.now = t + dt.timedelta(seconds=6)
    c.get_order(r, "get_booked"); c.x("get_upper", "GET", "/order/" + r["id"].upper(), resp={a: b for a, b in r.items() if a[0] != "_"}); c.get_reservation(r)
    c.x("etag", "GET", "/order/" + r["id"], status=304, resp=NO, text="", ctype="")
    r = c.order(o, tag="order2"); k = dict(r); c.confirm(r, dict(payment_method="pm_1"), tag="confirm2_502", status=502, resp=NO, text="<html>bad gateway</html>", ctype="text/html")
    c.get_order(r, "get2"); c.get_reservation(r, "order", "reservation2")
    r = c.order(o, tag="order3"); c.confirm(r, dict(payment_method="pm_1"), tag="confirm3_lost", resp=NO, text="", ctype="", status=0, dur=30000)
    c.confirm(dict(r), dict(payment_method="pm_1"), "rejected", "confirm3_again", 409, "already confirmed"); c.get_order(r, "get3"); c.get_reservation(r, tag="reservation3")
    n = V4(w, "k_live_rotated", c.code, "n_"); n.search("MAD", "BCN", DAY, [(OUT, None, 60.0)]); n.get_order(r, "get3"); n.get_reservation(r)
    w.x("http", "GET", "http://api.skyhub.example/v4/order/" + r["id"], headers=c.h, status=301, resp=NO, text="", rh=[("Location", BASE + "/v4/order/" + r["id"])])
    old = dict(copy.deepcopy(r), id=w.id(), reservationId=w.id(), _pnr="OLD123"); c.get_order(old, "old_order"); c.get_reservation(old, tag="old_reservation")
    old2 = dict(copy.deepcopy(r), id=w.id(), status="OPEN", _pnr="x"); old2.pop("reservationId"); c.confirm(old2, dict(payment_intent_id="pi_9"), tag="old_confirm"); c.get_reservation(old2, "order", "old2_reservation")
    o = c.offer((OUT, BACK, 60.0), (1, 0, 1), tag="offer4"); r = c.order(o, {0: ([("CHECK_IN", 1, 23)], [])}, tag="order4"); x = w.ex[-1]
    for it in x["body"]["selectedBaggage"]: it.pop("inboundSegmentBaggageSelection")
    for it in x["resp"]["selectedBaggage"]:
        it["inboundSegmentBaggageSelection"] = None
        for q in it["outboundSegmentBaggageSelection"]: q["kilosPerPiece"] = 23.0
    for p in x["resp"]["passengers"]: p.update(middleName=None, secondLastName=None, phone=None)
    x["resp"]["customerContact"]["carrierPortalCredentials"] = None; x["resp"]["reservationId"] = None; x["resp"]["offer"]["inboundSegment"] = None
    r.update({a: copy.deepcopy(b) for a, b in x["resp"].items() if a != "reservationId"}); c.confirm(r, dict(payment_method="pm_1"), tag="confirm4"); c.get_reservation(r, tag="reservation4")


@rec(D(2026, 11, 27, 12, 0, 0), 62)
def v3_liberties(w):
    """Requests and bookings answered in another order; passengers reversed; only one of two requests booked, the other expires; two requests booked by two calls under two references; look-up with return first;
    boolean transaction_id (OPEN-17); cabin option by dimensions only (OPEN-16); self_psp false with payment_method (OPEN-26); token rotated; integers for prices; infant_price 0; final_flight with another id (OPEN-93);
    booking read through the other version; look-up of an old booking; 504; bags without the empty kind (OPEN-28); infants beyond adults (OPEN-84)."""
    c = V23(w); a = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)], 50, 0); z = c.flight([L("PMI", "MAD", "2027-01-19", "18:00:00", "19:25:00", "UX", 6072)], 44, 0)
    c.flights(dict(origin="MAD", destination="PMI", start=DAY), [a]); c.flights(dict(origin="PMI", destination="MAD", start="2027-01-19"), [z], tag="flights_back")
    r = c.requests([a, z], (2, 0, 0)); w.ex[-1]["resp"]["requests"].reverse(); b = c.book(r, pay_method(w)); w.ex[-1]["resp"]["bookings"].reverse(); w.ex[-1]["resp"]["bookings"][0]["passengers"].reverse()
    c.look(b); w.ex[-1]["resp"]["bookings"].reverse(); b[0]["final_flight"]["id"] = 999; c.look(b, "other_id")
    r = c.requests([a, z], tag="requests2"); b1 = c.book(r[:1], pay_method(w), dict(TDS, transaction_id=True), tag="book_first"); c.look(b1, "get_first"); b2 = c.book(r[1:], pay_method(w), tag="book_second"); c.look(b2, "get_second")
    r = c.requests([a, z], (1, 0, 2), tag="requests3"); w.wait(100); b3 = c.book(r[1:], "pm_again", tag="book_one"); w.wait(300); c.look(b3, "get_one")
    r = c.requests([a], tag="requests4"); q = w.ex[-1]["body"]["bags"][str(a["id"])]["cabin"][0]; del q["weight"]
    b4 = c.book(r, pay_method(w), tag="book_psp_false"); w.ex[-1]["body"]["self_psp"] = False; n = V23(w, token="tok_new", p="n_"); n.look(b4); w.wait(3000); n.locate(b4); n.look(b4, "located")
    old = copy.deepcopy(b4); old[0].update(id=7, request_id=8, cp_reference="OLDREF", external_id=None, address=None)
    for p in old[0]["passengers"]: p["booking_id"] = 7
    c.look(old, "old")
    nb = c.flight([L("MAD", "TFS", DAY, "08:00:00", "09:55:00", "IB", 1)], 20, None, bags=False); c.flights(dict(origin="MAD", destination="TFS", start=DAY), [nb], tag="flights_nobags"); r = c.requests([nb], tag="requests5")
    del w.ex[-1]["body"]["bags"][str(nb["id"])]["cabin"]; c.x("t504", "POST", "/bookings", body=dict(request_ids=[r[0]["id"]], customer_code=c.code, payment_method="pm_x", **c.BOOKER), status=502, resp=NO, text="", ctype=""); b5 = c.book(r, "pm_x", tag="book5"); c.look(b5, "get5")


@rec(D(2026, 11, 27, 15, 0, 0), 63)
def v2_liberties(w):
    """passengers {} (OPEN-99); both customer_code and customer_data (OPEN-23); v3 reads a v2 booking; luggage key of a request with no options; registration null; luggage option left out (OPEN-99); infants 0 and infant_price null in the booking (OPEN-82)."""
    c = V23(w, "v2"); f = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)], 50, None); g = c.flight([L("PMI", "MAD", "2027-01-20", "08:00:00", "09:25:00", "UX", 6071)], 50, 1, bags=False)
    c.flights(dict(origin="MAD", destination="PMI", start=DAY), [f]); c.flights(dict(origin="PMI", destination="MAD", start="2027-01-20"), [g], tag="back")
    r = c.requests([f]); w.ex[-1]["body"]["passengers"] = dict(adults=1, children=0, infants=0); b = c.book(r, pay_method(w), customer_data=dict(first_name="E", last_name="S", gender="f", email="e@s.example", phonenumber="1"), luggage={0: [0, 1]})
    del w.ex[-1]["body"]["luggage"][str(r[0]["id"])][0]; c.look(b); w.wait(20); v = V23(w, p="v3_"); x = copy.deepcopy(b)
    for i in x:
        i["bags"] = dict(checked=i.pop("luggage"), cabin=[]); i["bags_fee"] = dict(checked=i.pop("luggage_fee"), cabin=0)
        for k in ("flight", "final_flight"): i[k] = {**i[k], "bags": dict(checked=i[k]["luggage_options"], cabin=[])}; i[k].pop("luggage_options")
    v.look(x); r = c.requests([f, g], (1, 0, 0), tag="requests2"); b = c.book(r, pay_method(w), tag="bookings2"); c.look(b, "get2"); w.wait(999); c.locate(b); c.look(b, "get2b")


@rec(D(2026, 11, 27, 18, 0, 0), 71)
def v3_moving(w):
    """Normalisation only in the look-up (POST echoes as typed); final_flight with current price, seats and booking class; booking price as total of all, cc_fee as an amount (OPEN-82); seats of the original flight unchanged;
    flight_changes null, then []; POST passengers' date format other than sent (OPEN-10); start omitted near midnight, end = local today + 3; request cc_fee as amount."""
    c = V23(w); f = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)], 50.0, 10.0)
    c.flights(dict(origin="MAD", destination="PMI", start=DAY), [f]); r = c.requests([f], (2, 0, 1), {0: {("checked", 0): 2}}); w.ex[-1]["resp"]["requests"][0]["cc_fee"] = 4.5
    b = c.book(r, pay_method(w)); x = b[0]; e = w.ex[-1]["resp"]["bookings"][0]; x["price"] = e["price"] = 110.0; x["cc_fee"] = e["cc_fee"] = 4.5
    e.update(first_name="Ana María", last_name="O'Neill", phonenumber="+34600112233", email="Ana@Agency.example")
    for i, p in enumerate(e["passengers"]): q = w.ex[-1]["body"]; p.update(first_name=("José", "Ana María", "Zoë")[i], last_name=("Núñez", "O'Neill", "Brontë")[i])
    for p in x["passengers"]: p["date_of_birth"] += "T00:00:00Z"
    x["email"] = "ana@agency.example"; x["final_flight"] = copy.deepcopy(x["flight"]); x["final_flight"].update(price=66.0, available_seats=2, infant_price=12.0, booking_class="K"); c.look(b); x["flight_changes"] = []; w.wait(900); x["final_flight"].update(available_seats=0); c.locate(b); c.look(b, "poll")
    w.now = D(2026, 11, 27, 23, 30, 0).replace(tzinfo=UTC); d = "2026-12-01"; g = c.flight([L("MAD", "PMI", d, "08:00:00", "09:25:00", "UX", 6071)]); c.flights(dict(origin="MAD", destination="PMI", end=d), [g], tag="midnight")


@rec(D(2026, 11, 28, 9, 0, 0), 72)
def v4_moving(w):
    """Reservation with names in the airline's form (upper case, no accents), e-mail lower-cased, selectedBaggage [] when nothing was chosen; an infant who turns two before travel (OPEN-67);
    406 leaves the order FAILED (OPEN-24), 403 leaves it OPEN; card and balance order from one offer; reservation without prices in selectedBaggage."""
    c = V4(w); c.balance = True; c.search("MAD", "BCN", DAY, [(OUT, None, 60.0)], (1, 0, 1)); o = c.offer((OUT, None, 60.0), (1, 0, 1)); c.baggage(o)
    pp = c.people((1, 0, 1)); pp[1]["birthDate"] = "2024-12-20"; ct = dict(c.CONTACT, email="Ana.ONeill@Agency.Example")
    r = c.order(o, people=pp, contact=ct); c.confirm(r, dict(payment_method="pm_1")); c.get_reservation(r); v = w.ex[-1]["resp"]
    for p, n in zip(v["passengers"], (("JOSE", "NUNEZ"), ("ANA MARIA", "ONEILL"))): p.update(name=n[0], firstLastName=n[1])
    v["email"] = v["email"].lower(); v["selectedBaggage"] = []
    r = c.order(o, {0: ([("CHECK_IN", 1, 23)], [])}, people=pp, method="balance", tag="order_balance"); c.confirm(r, tag="confirm_balance"); c.get_reservation(r, tag="reservation_balance")
    for i in w.ex[-1]["resp"]["selectedBaggage"]: [q.pop("pricePerPiece", None) for q in i["outboundSegmentBaggageSelection"]]
    r = c.order(o, {0: ([("CHECK_IN", 1, 23)], [])}, people=pp, tag="order_card"); c.confirm(r, dict(payment_method="pm_3ds"), "failed", "confirm_406", 406, "verification"); c.get_order(r, "get_failed")
    n = V4(w, "k_other", "NOBAL-1", "n_"); o = n.offer((OUT, None, 60.0)); r = n.order(o, method="balance"); n.confirm(r, None, "rejected", "confirm_403", 403, "balance is not enabled"); n.get_order(r)


@rec(D(2026, 11, 28, 12, 0, 0), 73)
def v4_schedule(w):
    """Days after the booking the reservation shows the airline's new times (v4 documents are silent on schedule changes); the order still shows the old ones."""
    c = V4(w); c.search("MAD", "BCN", DAY, [(OUT, None, 60.0)]); o = c.offer((OUT, None, 60.0)); r = c.order(o); c.confirm(r, dict(payment_method="pm_1")); c.get_reservation(r); w.wait(86400 * 3)
    c.get_reservation(r, tag="reservation_later"); w.ex[-1]["resp"]["outboundSegment"]["sections"][0].update(departureDate=DAY + "T08:10:00", arrivalDate=DAY + "T09:25:00", departureTerminal="T2"); c.get_order(r)


@rec(D(2026, 11, 28, 15, 0, 0), 81)
def v3_formats(w):
    """Look-up with another time format for the same instant, gender as M/F although male/female was sent (OPEN-83), dates DD.MM.YYYY (OPEN-10), names in the airline's form (MUELLER, middle name joined, no hyphen or apostrophe),
    bags as booked with the options of quantity 0, passenger_count without infants (OPEN-82), infant_price null in the booking."""
    c = V23(w); f = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)], 50.0, 10.0); c.flights(dict(origin="MAD", destination="PMI", start=DAY), [f])
    pp = c.people((3, 0, 1)); pp[0].update(first_name="Jürgen", last_name="Müller", middle_name="Karl"); pp[1].update(last_name="Brontë-Smith"); pp[2].update(first_name="Łukasz", last_name="Ørsted"); pp[3].update(last_name="d'Angelo")
    r = c.requests([f], (3, 0, 1), {0: {("checked", 0): 2}}, people=pp); b = c.book(r, pay_method(w)); x = b[0]
    for p, n in zip(x["passengers"], (("JUERGEN KARL", "MUELLER"), ("ANA MARIA", "BRONTE SMITH"), ("LUKASZ", "OERSTED"), ("LI", "DANGELO"))):
        p.update(first_name=n[0], last_name=n[1], gender=p["gender"][0].upper(), date_of_birth=".".join(reversed(p["date_of_birth"].split("-"))))
        for k in ("created_at", "updated_at"): p[k] = p[k].replace("Z", ".000000+00:00")
    x["created_at"] = x["created_at"].replace("Z", ".000000Z"); x["passenger_count"] = 3; x["infant_price"] = None
    x["bags"] = dict(checked=[dict(weight=15, quantity=2, price=20.0), dict(weight=23, quantity=0, price=32.5)], cabin=[dict(dimensions=dict(width=40, height=55, length=20), quantity=0, price=9.0)])
    w.ex[-1]["resp"]["bookings"][0].update(passenger_count=3, infant_price=None); c.look(b)


@rec(D(2026, 11, 20, 15, 0, 0), 82)
def v3_changes_more(w):
    """AWAITING -> CHANGED -> AWAITING -> CONFIRMED -> CHANGED -> CANCELED without locator -> CONFIRMED (OPEN-11); changes newest first, a superseding change, a change back to the original; a change to three segments (OPEN-94)."""
    c = V23(w); f = c.flight([L("MAD", "FRA", DAY, "06:00:00", "08:40:00", "LH", 1111), L("FRA", "CDG", DAY, "10:00:00", "11:15:00", "LH", 1112)], 120.0); c.flights(dict(origin="MAD", destination="CDG", start=DAY), [f])
    r = c.requests([f], (1, 0, 0)); b = c.book(r, pay_method(w)); x = b[0]; c.look(b); ff = x["final_flight"]; w.wait(100)
    def dep(t, dur): ff["segments"][0].update(departure_date=DAY + " " + t); ff.update(departure_date=DAY + " " + t, duration=dur); ff["segments"][0]["duration"] = "02:%02d" % (40 - int(t[3:5]) if t < "06:40" else 0)
    dep("06:10:00", "05:05"); ch1 = change(x, 1, dict(segment_1_departure_date=DAY + " 06:00:00"), dict(segment_1_departure_date=DAY + " 06:10:00"), "WAITING", c.stamp()); x.update(status="CHANGED", flight_changes=[ch1]); c.look(b, "c1")
    w.wait(300); x["status"] = "AWAITING_PNR_AIRLINE"; ch1["status"] = "REFUSED"; c.look(b, "c2"); w.wait(300); c.locate(b); c.look(b, "c3"); w.wait(86400)
    dep("06:20:00", "04:55"); ch2 = change(x, 1, dict(segment_1_departure_date=DAY + " 06:10:00"), dict(segment_1_departure_date=DAY + " 06:20:00"), "WAITING", c.stamp()); x.update(status="CHANGED", flight_changes=[ch2, ch1]); c.look(b, "c4"); w.wait(86400)
    dep("06:00:00", "05:15"); ch3 = change(x, 1, dict(segment_1_departure_date=DAY + " 06:20:00"), dict(segment_1_departure_date=DAY + " 06:00:00"), "SEEN", c.stamp()); x.update(flight_changes=[ch3, ch2, ch1]); c.look(b, "c5"); w.wait(86400)
    x.update(status="CANCELED", pnr_airline=None); c.look(b, "c6"); w.wait(5000); x.update(status="CONFIRMED", pnr_airline="NEWLOC"); c.look(b, "c7"); w.wait(5000)
    s = ff["segments"]; s[1].update(destination=loc("LIS"), arrival_date=DAY + " 12:05:00", duration="03:05", via_airport="LIS"); s.append(dict(copy.deepcopy(s[1]), via_airport=None, origin=loc("LIS"), destination=loc("CDG"), departure_date=DAY + " 14:00:00", arrival_date=DAY + " 17:30:00", duration="02:30", marketing_carrier_flight_number=99, operating_carrier_flight_number=99)); ff.update(arrival_date=DAY + " 17:30:00", duration="11:30")
    ch4 = change(x, 2, dict(segment_2_destination_airport="CDG", segment_2_arrival_date=DAY + " 11:15:00"), dict(segment_2_destination_airport="LIS", segment_2_arrival_date=DAY + " 12:05:00", segment_3_origin_airport="LIS", segment_3_destination_airport="CDG", segment_3_departure_date=DAY + " 14:00:00", segment_3_arrival_date=DAY + " 17:30:00", segment_3_flight_number="LH99"), "WAITING", c.stamp())
    x.update(status="CHANGED", flight_changes=[ch4, ch3, ch2, ch1]); c.look(b, "c8")


@rec(D(2026, 11, 28, 18, 0, 0), 83)
def v4_fee_percent(w):
    """The card fee is a percentage of what is paid: it grows with the baggage (OPEN-61 fee formula: any). Two orders by card from one offer, with and without a bag. An OPEN order is FAILED two hours later without a confirmation (OPEN-71)."""
    c = V4(w); c.card_fee = 2.25; c.search("MAD", "BCN", DAY, [(OUT, None, 60.0)]); o = c.offer((OUT, None, 60.0)); c.baggage(o)
    r = c.order(o); r2 = c.order(o, {0: ([("CHECK_IN", 1, 23)], [])}, tag="order2"); r2["totalPrice"]["amount"] = w.ex[-1]["resp"]["totalPrice"]["amount"] = round(105 * 1.03, 2)
    c.confirm(r2, dict(payment_method="pm_1")); c.get_reservation(r2); w.wait(7200); r["status"] = "FAILED"; c.get_order(r)


@rec(D(2026, 11, 29, 8, 0, 0), 91)
def v4_lenient(w):
    """A service that accepts what it may accept; the client is careless. OPEN-25 object on ONE_WAY and absent key, OPEN-35, OPEN-47, OPEN-55 same airport, OPEN-64 lower case and leading zeros, OPEN-65 pieces above the maximum,
    OPEN-67 count mismatch, title/gender, e-mail, OPEN-68 identification type, OPEN-75 no Content-Type, OPEN-30 BIRTH_DATE identification without expiry, OPEN-54 BUSINESS at Get Offer, OPEN-43 adult without birth date though listed."""
    c = V4(w); c.search("MAD", "BCN", DAY, [(OUT, None, 60.0)]); del w.ex[-1]["body"]["inboundSegment"]
    c.search("MAD", "BCN", DAY, [(OUT, None, 60.0)], tag="search_inb"); w.ex[-1]["body"]["inboundSegment"] = dict(origin=dict(code="BCN", type="AIRPORT"), destination=dict(code="MAD", type="AIRPORT"), departureDate="2027-01-19")
    c.search("MAD", "MAD", DAY, [], tag="search_same"); c.search("mad", "bcn", DAY, [(OUT, None, 60.0)], tag="search_lower"); c.search("MAD", "BCN", DAY, [(OUT, None, 60.0)], tag="search_extra"); w.ex[-1]["body"]["currency"] = "EUR"
    c.search("MAD", "BCN", DAY, [], (9, 9, 9), tag="search_27")
    o = c.offer((OUT, None, 60.0)); del w.ex[-1]["body"]["inboundSegment"]; w.ex[-1]["headers"] = c.h
    z = c.offer(([dict(OUT[0], flightNumber="0123")], None, 60.0), tag="offer_zero"); c.offer((OUT, None, 60.0), tag="offer_business"); w.ex[-1]["body"]["travelClass"] = "BUSINESS"
    c.baggage(o)
    def go(n, f, bags=None, level="selection"):
        pp = c.people((1, 0, 0)); f(pp); r = c.order(o, bags, people=pp, tag="order_" + n); c.confirm(r, dict(payment_method="pm_1"), tag="confirm_" + n); c.get_reservation(r, tag="reservation_" + n)
    go("pieces", lambda p: None, {0: ([("CHECK_IN", 5, 23)], [])}); go("two", lambda p: p.append(dict(p[0], number=2, name="Eva")))
    go("title", lambda p: p[0].update(title="MRS", gender="MALE")); go("ident", lambda p: p[0]["identification"].update(type="NATIONAL_ID_CARD")); go("noident", lambda p: p[0].pop("identification"))
    go("nobirth", lambda p: p[0].pop("birthDate"))
    c.order(o, tag="order_code", contact=dict(c.CONTACT, email="not an email", phone=dict(number="x", countryCode="ES"))); w.ex[-1]["body"]["customerCode"] = c.code
    c.order(o, tag="order_kilos"); w.ex[-1]["body"]["selectedBaggage"][0]["outboundSegmentBaggageSelection"] = [dict(type="CABIN", numberOfPieces=0, kilosPerPiece=99)]; w.ex[-1]["resp"]["selectedBaggage"][0]["outboundSegmentBaggageSelection"] = [dict(type="CABIN", numberOfPieces=0, kilosPerPiece=99)]


@rec(D(2026, 11, 29, 9, 0, 0), 92)
def v3_lenient(w):
    """As v4_lenient. OPEN-85 no passport, OPEN-86 quantity up to all passengers, unknown option and price inside options, OPEN-87 round_trip with one id and in reverse order, OPEN-90 self_psp with payment_method and unknown code at requests,
    OPEN-98 two requests with different passengers, a repeated id, OPEN-78 end before start, seats as 0, OPEN-47 extra fields, v2 drift fields ignored."""
    c = V23(w); a = c.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)], need_apis=True); z = c.flight([L("PMI", "MAD", "2027-01-19", "18:00:00", "19:25:00", "UX", 6072)], 44.0)
    c.flights(dict(origin="MAD", destination="PMI", start=DAY), [a]); c.flights(dict(origin="PMI", destination="MAD", start="2027-01-19"), [z], tag="back"); c.flights(dict(origin="MAD", destination="PMI", start=DAY, end="2027-01-10"), [], tag="order")
    r = c.requests([a], (1, 0, 1), {0: {("checked", 0): 2}}); k = list(w.ex[-1]["body"]["bags"].values())[0]; k["checked"][0]["price"] = 20.0; k["checked"].append(dict(weight=99, quantity=0)); c.book(r, pay_method(w)); w.ex[-1]["body"]["self_psp"] = True; w.ex[-1]["body"]["luggage"] = {}
    r = c.requests([a], tag="rt_one", fare="round_trip"); c.book(r, "pm_1", tag="book_rt_one"); r = c.requests([z, a], tag="rt_rev", fare="round_trip"); b = c.book(r, "pm_1", tag="book_rt_rev"); c.look(b)
    c.code, k = "NOBODY", c.code; r = c.requests([a], tag="req_code"); c.code = k
    r1 = c.requests([a], (1, 0, 0), tag="r1"); r2 = c.requests([z], (2, 0, 0), tag="r2"); b = c.book(r1 + r2, "pm_1", tag="book_pair"); b[1]["passengers"] = [dict(b[1]["passengers"][0]), dict(b[1]["passengers"][0], id=w.num(), first_name="ANA MARIA", last_name="O'NEILL", gender="female", date_of_birth="1986-08-12")]; b[1]["passenger_count"] = 2
    w.ex[-1]["resp"]["bookings"][1] = copy.deepcopy(b[1]); c.look(b, "get_pair")
    r = c.requests([a], tag="r3"); w.ex[-1]["body"].update(note="x", passengers=[dict(p, is_infant=False) for p in w.ex[-1]["body"]["passengers"]]); b = c.book(r, "pm_1", tag="book_dup"); w.ex[-1]["body"]["request_ids"] *= 2; c.look(b, "get_dup")
    v = V23(w, "v2", p="v2_"); f = v.flight([L("MAD", "PMI", DAY, "08:00:00", "09:25:00", "UX", 6071)]); v.flights(dict(origin="MAD", destination="PMI", start=DAY), [f]); r = v.requests([f], (1, 0, 0)); w.ex[-1]["body"]["flights"] = [str(f["id"])]; b = v.book(r, "pm_1"); w.ex[-1]["body"]["requests"] = [str(r[0]["id"])]; w.ex[-1]["body"]["card_token"] = "tok_1"; v.look(b)


if __name__ == "__main__":
    import sys
    os.makedirs("har", exist_ok=True)
    tot = 0
    for n, m in RECS.items():
        w = m(); tot += len(w.ex); json.dump(har(w), open(f"har/{n}.har", "w"), ensure_ascii=False)
        print(n, len(w.ex))
    print(len(RECS), tot)
