import copy, datetime as dt
from world import *

CITY = dict(MAD=("Madrid", "Spain", "Europe/Madrid"), BCN=("Barcelona", "Spain", "Europe/Madrid"), PMI=("Palma de Mallorca", "Spain", "Europe/Madrid"),
            LIS=("Lisbon", "Portugal", "Europe/Lisbon"), FRA=("Frankfurt", "Germany", "Europe/Berlin"), TFS=("Tenerife", "Spain", "Atlantic/Canary"), CDG=("Paris", "France", "Europe/Paris"))
OFF = dict(MAD=1, BCN=1, PMI=1, LIS=0, FRA=1, TFS=0, CDG=1)
AIR = dict(IB="Iberia", VY="Vueling", UX="Air Europa", FR="Ryanair", U2="easyJet", LH="Lufthansa")


def loc(c): return dict(iata_code=c, city_name=CITY[c][0], country_name=CITY[c][1], timezone=CITY[c][2])


def hm(m): return "%02d:%02d" % divmod(int(m), 60)


class V23:
    def __init__(s, w, v="v3", token="tok_prod_55d1", code="VIAJES-77", p="", bare_post=False, self_psp=False, dob="%Y-%m-%d", iso_z="Z"):
        s.w, s.v, s.token, s.code, s.p, s.psp, s.dob = w, v, token, code, p, self_psp, dob
        s.hg = [("Authorization", "Bearer " + token), ("Accept", "application/json")]
        s.hp = [("Authorization", token if bare_post else "Bearer " + token), ("Accept", "application/json"), ("Content-Type", "application/json")]
        s.iso_z, s.kind, s.gender = iso_z, "one_way", ("male", "female")
        s.seen = {}

    def x(s, tag, method, path, **k):
        if "headers" not in k: k["headers"] = s.hp if method == "POST" else s.hg
        return s.w.x(s.p + tag, method, BASE + "/" + s.v + path, **k)

    def stamp(s): return s.w.now.strftime("%Y-%m-%dT%H:%M:%S") + s.iso_z

    def flight(s, legs, price=50.0, infant=15.0, bags=True, seats=9, op=None, fid=None, need_apis=False, durations=True):
        """legs: list of (o, d, dep, arr, carrier, number), local times"""
        P = lambda t: dt.datetime.strptime(t, "%Y-%m-%d %H:%M:%S")
        mins = lambda o, d, a, b: (P(b) - P(a)).total_seconds() / 60 + 60 * (OFF[o] - OFF[d])
        segs = []
        for i, (o, d, a, b, c, n) in enumerate(legs):
            q = dict(via_airport=None if i == len(legs) - 1 else d, origin=loc(o), destination=loc(d), operating_carrier_flight_number=n,
                     operating_carrier=dict(name=AIR[op or c], iata_code=op or c), marketing_carrier_flight_number=n, marketing_carrier=dict(name=AIR[c], iata_code=c),
                     departure_date=a, arrival_date=b)
            if durations: q["duration"] = hm(mins(o, d, a, b))
            segs.append(q)
        f = dict(id=fid or s.w.num(), need_apis=need_apis, cabin_class="economy", booking_class="Y", included_airport_tax=round(price / 5, 2),
                 duration=hm(mins(legs[0][0], legs[-1][1], legs[0][2], legs[-1][3])))
        checked = [dict(weight=15, quantity=1, price=20.0), dict(weight=23, quantity=1, price=32.5)] if bags else []
        if s.v == "v3": f["bags"] = dict(checked=checked, cabin=[dict(dimensions=dict(width=40, height=55, length=20), weight=10, quantity=1, price=9.0)] if bags else [])
        else: f["luggage_options"] = checked
        f.update(departure_date=legs[0][2], arrival_date=legs[-1][3], origin=loc(legs[0][0]), destination=loc(legs[-1][1]), segments=segs, available_seats=seats,
                 price=price, infant_price=infant, cc_fee=0.03)
        return f

    def flights(s, q, results, nxt=None, tag="flights", **k):
        k.setdefault("resp", dict(results=results, next_page_id=nxt))
        return s.x(tag, "GET", "/flights", query=q, **k)

    def round_trips(s, q, fares, flights, nxt=None, tag="round_trips", **k):
        return s.x(tag, "GET", "/roundTrips", query=q, resp=dict(fares=fares, flights=[{a: b for a, b in f.items() if a != "bags"} for f in flights], next_page_id=nxt), **k)

    def customer(s):
        return dict(name="Viajes 77 S.L.", email="it@viajes77.example", is_company=True, company_codes=["V77"], verified=True, phonenumber="+34910000000", gender=None,
                    address="Gran Vía 1", postal_code="28013", city_name="Madrid", country_code="ES", country_name="Spain", vat_number="ESB12345678", registration_number="M-77",
                    created_at="2024-02-01T10:00:00" + s.iso_z, updated_at="2026-05-01T10:00:00" + s.iso_z)

    def people(s, pax):
        r = []
        for kind, n, y in (("a", pax[0], 1985), ("c", pax[1], 2018), ("i", pax[2], 2025)):
            for i in range(n):
                na, la = (("José", "Núñez"), ("Ana María", "O'Neill"), ("Zoë", "Brontë"), ("Li", "Wang"))[len(r) % 4]
                p = dict(first_name=na, last_name=la, gender=s.gender[len(r) % 2], date_of_birth=dt.date(y + (i if kind == "a" else 0), 8, 11 + i).strftime(s.dob))
                if s.v == "v2": p["is_infant"] = kind == "i"
                r.append(p)
        return r

    def requests(s, fl, pax=(1, 0, 0), bags=None, fare="one_way", tag="requests", people=None, bagspec=None, **k):
        """bags: {flight index: {('checked', option index): quantity}}"""
        people = people or s.people(pax)
        rs, sent = [], {}
        for i, f in enumerate(fl):
            fees = dict(checked=0.0, cabin=0.0); bk = dict(checked=[], cabin=[])
            if s.v == "v3":
                for kind in ("checked", "cabin"):
                    for j, o in enumerate(f["bags"][kind]):
                        q = (bags or {}).get(i, {}).get((kind, j), 0)
                        fees[kind] += q * o["price"]
                        c = {a: b for a, b in o.items() if a != "price"}; c["quantity"] = q
                        bk[kind].append(c)
                sent[str(f["id"])] = bk
            r = dict(id=s.w.num(), passengers=dict(adults=pax[0], children=pax[1], infants=pax[2]), price=f["price"], infant_price=f["infant_price"],
                     bags_fee={a: round(b, 2) for a, b in fees.items()}, cc_fee=0.03, customer_code=s.code, created_at=s.stamp(), flight=f, customer=s.customer())
            if s.v == "v2": del r["bags_fee"]
            rs.append(dict(r, _people=people, _bags=bk, _fees=fees))
        if s.v == "v3": body = dict(flight_ids=[f["id"] for f in fl], customer_code=s.code, passengers=people, bags=sent, fare_type=fare)
        else:
            body = dict(flights=[f["id"] for f in fl], customer_code=s.code, passengers=dict(zip(("adults", "children", "infants"), pax)))
            if s.code is None:
                del body["customer_code"]
        k.setdefault("resp", dict(requests=[{a: b for a, b in r.items() if a[0] != "_"} for r in rs]))
        s.x(tag, "POST", "/requests", body=body, **k)
        return rs

    def cancel(s, r, tag="cancel", **k):
        k.setdefault("resp", dict(success=True))
        return s.x(tag, "POST", "/requests/%d/cancel" % r["id"], **k)

    BOOKER = dict(first_name="Ana María", last_name="O'Neill", gender="female", email="ana@agency.example", phonenumber="+34600112233",
                  address="C/ Alcalá 1", city_name="Madrid", country_code="ES", postal_code="28014")

    def book(s, rs, pm=None, tds=None, ext="EXT-1", tag="bookings", luggage=None, customer_data=None, pnr=None, charter=False, drop=(), **k):
        """luggage (v2): {request index: [quantity per option]}"""
        ids = [r["id"] for r in rs]
        pay = dict(self_psp=True) if pm is None else dict(payment_method=pm)
        if tds: pay["three_d_secure"] = tds
        body = dict(external_id=ext, **({"customer_code": s.code} if s.code else {}), **s.BOOKER, **pay)
        body["request_ids" if s.v == "v3" else "requests"] = ids
        if ext is None: del body["external_id"]
        for d in drop: body.pop(d, None)
        people = rs[0]["_people"]
        if s.v == "v2":
            pax = rs[0]["passengers"]
            people = s.people((pax["adults"], pax["children"], pax["infants"]))
            body["passengers"] = people
            body["luggage"] = {str(r["id"]): [dict(weight=o["weight"], price=o["price"], quantity=q) for o, q in
                               zip(r["flight"]["luggage_options"], (luggage or {}).get(i, [0] * len(r["flight"]["luggage_options"])))] for i, r in enumerate(rs)}
            if customer_data: body["customer_data"] = customer_data
        ref, out = "".join(s.w.rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(8)), []
        for i, r in enumerate(rs):
            bid, pax = s.w.num(), r["passengers"]
            inf = pax["infants"]
            recs = []
            for j, p in enumerate(people):
                recs.append(dict(id=s.w.num(), booking_id=bid, gender=p["gender"], last_name=p["last_name"].upper(), first_name=p["first_name"].upper(), is_infant=j >= len(people) - inf,
                                 date_of_birth=p["date_of_birth"], nationality=p.get("nationality"), confirmed=charter, confirmed_at=s.stamp() if charter else None, canceled=False, canceled_at=None,
                                 passport_number=p.get("passport_number"), passport_expiry_date=p.get("passport_expiry_date"), passport_country_of_issue=p.get("passport_country_of_issue"), created_at=s.stamp(),
                                 updated_at=s.stamp(), birth_country=p.get("birth_country")))
            b = dict(id=bid, flight_id=r["flight"]["id"], request_id=r["id"], cp_reference=ref, pnr_airline=None, status="CONFIRMED" if charter else "AWAITING_PNR_AIRLINE",
                     first_name="ANA MARIA", last_name="ONEILL", gender="female", email="ana@agency.example", phonenumber="0034600112233", address="C/ Alcala 1", country_code="ES",
                     postal_code="28014", passenger_count=len(people), infant_count=inf, passengers=recs, cc_fee=0.03, created_at=s.stamp(), price=r["price"],
                     infant_price=r["infant_price"], external_id=ext, flight=r["flight"])
            if s.v == "v3":
                b["bags"] = {kk: [dict(c, price=o["price"]) for c, o in zip(r["_bags"][kk], r["flight"]["bags"][kk]) if c["quantity"]] for kk in ("checked", "cabin")}
                b["bags_fee"] = {a: round(c, 2) for a, c in r["_fees"].items()}
                fee = sum(r["_fees"].values())
            else:
                b["luggage"] = [l for l in body["luggage"][str(r["id"])] if l["quantity"]]
                b["luggage_fee"] = fee = round(sum(l["price"] * l["quantity"] for l in b["luggage"]), 2)
            tot = (pax["adults"] + pax["children"]) * r["price"] + inf * (r["infant_price"] or 0) + fee
            b["total_price"] = round(tot * (1.03 if pm else 1), 2)
            out.append(b)
        k.setdefault("resp", dict(bookings=out))
        s.x(tag, "POST", "/bookings", body=body, **k)
        return out

    def look(s, bs, tag="get_bookings", types=True, **k):
        r = []
        for i, b in enumerate(bs):
            b.setdefault("final_flight", copy.deepcopy(b["flight"])); b.setdefault("flight_changes", None)
            r.append(dict(b, type=("outward", "return")[i % 2] if types else None))
        k.setdefault("resp", dict(bookings=r))
        return s.x(tag, "GET", "/bookings", query=dict(cp_reference=bs[0]["cp_reference"]), **k)

    def locate(s, bs):
        for i, b in enumerate(bs):
            b["pnr_airline"] = "".join(s.w.rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(6)); b["status"] = "CONFIRMED"
            for p in b["passengers"]: p.update(confirmed=True, confirmed_at=s.stamp(), updated_at=s.stamp())
