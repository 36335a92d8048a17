"""Recorder: a recording is a list of exchange dicts, written as HAR 1.2."""
import base64, copy, datetime as dt, json, random, uuid
from decimal import Decimal
from urllib.parse import quote, urlencode

BASE = "https://api.skyhub.example"
PAY = "https://pay.provider.example"
UTC = dt.timezone.utc


class Style:
    def __init__(s, keys="plain", sci=False, esc=False, indent=None, h2=False, charset="", gzip=False, chunked=False,
                 offset=0, b64=False, query="plain"):
        s.__dict__.update(locals())


def dumps(o, st, rng):
    def num(x):
        if isinstance(x, bool): return "true" if x else "false"
        if isinstance(x, int): return str(x)
        if st.sci: return format(Decimal(repr(x)), "E") if x else "0e0"
        return repr(x)

    def text(t):
        if not st.esc: return json.dumps(t, ensure_ascii=False)
        r = json.dumps(t)[1:-1].replace("/", "\\/")
        return '"' + r + '"' if not t or not t[0].isalpha() else '"\\u%04x' % ord(t[0]) + json.dumps(t[1:])[1:-1].replace("/", "\\/") + '"'

    def go(v):
        if v is None: return "null"
        if isinstance(v, (bool, int, float)): return num(v)
        if isinstance(v, str): return text(v)
        sep = ",\n  " if st.indent else ","
        if isinstance(v, list): return "[" + sep.join(go(i) for i in v) + "]"
        items = list(v.items())
        if st.keys == "shuffle": rng.shuffle(items)
        elif st.keys == "sorted": items.sort(key=lambda i: i[0])
        return "{" + sep.join((text(k) if st.esc and 0 else json.dumps(k)) + (" : " if st.indent else ":") + go(i) for k, i in items) + "}"
    return go(o)


class _No:
    def __deepcopy__(s, m): return s
    def __bool__(s): return False


NO = _No()


class W:
    def __init__(s, name, seed, start, style=None):
        s.name, s.rng, s.now, s.style, s.ex, s.n = name, random.Random(seed), start.replace(tzinfo=UTC), style or Style(), [], 0

    def id(s): return str(uuid.UUID(int=s.rng.getrandbits(128), version=4))
    def num(s): return s.rng.randrange(10**5, 10**8)
    def wait(s, sec): s.now += dt.timedelta(seconds=sec)

    def x(s, tag, method, url, query=None, headers=None, body=NO, form=None, status=200, resp=NO, text=None, rh=None, dur=None, ctype=None):
        dur = dur or s.rng.randrange(40, 900)
        tags = [e["tag"] for e in s.ex]
        base, n = tag, 2
        while tag in tags: tag, n = f"{base}#{n}", n + 1
        e = dict(tag=tag, t=s.now, dur=dur, method=method, url=url, query=list(query.items()) if isinstance(query, dict) else list(query or []),
                 headers=list(headers or []), body=copy.deepcopy(body), form=form, status=status, resp=copy.deepcopy(resp), text=text,
                 rh=list(rh or []), ctype=ctype)
        s.ex.append(e)
        s.wait(dur / 1000 + s.rng.uniform(0.2, 3))
        return e


REASON = {0: "", 204: "No Content", 301: "Moved Permanently", 304: "Not Modified", 200: "OK", 201: "Created", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
          405: "Method Not Allowed", 406: "Not Acceptable", 409: "Conflict", 410: "Gone", 422: "Unprocessable Entity", 429: "Too Many Requests",
          500: "Internal Server Error", 503: "Service Unavailable", 502: "Bad Gateway"}


def iso(t, off=0):
    if not off: return t.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (t.microsecond // 1000)
    l = t.astimezone(dt.timezone(dt.timedelta(hours=off)))
    return l.strftime("%Y-%m-%dT%H:%M:%S.") + "%03d" % (l.microsecond // 1000) + "%+03d:00" % off


def har(w, exchanges=None):
    st, rng, entries = w.style, random.Random(7), []
    for e in exchanges if exchanges is not None else w.ex:
        q = list(e["query"])
        if st.query == "shuffle": rng.shuffle(q)
        qs = urlencode(q, quote_via=quote)
        if st.query == "encoded": qs = qs.replace("-", "%2D")
        url = e["url"] + ("?" + qs if qs else "")
        low = (lambda h: h.lower()) if st.h2 else (lambda h: h)
        rq = [dict(name=low(a), value=b) for a, b in e["headers"]]
        if st.h2: rq = [dict(name=a, value=b) for a, b in ((":method", e["method"]), (":path", url.split("/", 3)[-1].join(["/", ""])), (":scheme", "https"), (":authority", url.split("/")[2]))] + rq
        else: rq.insert(0, dict(name="Host", value=url.split("/")[2]))
        req = dict(method=e["method"], url=url, httpVersion="HTTP/2" if st.h2 else "HTTP/1.1", cookies=[], headers=rq,
                   queryString=[dict(name=a, value=str(b)) for a, b in q], headersSize=-1, bodySize=0)
        ct = next((b for a, b in e["headers"] if a.lower() == "content-type"), "")
        if e["form"] is not None: req["postData"] = dict(mimeType=ct, text=e["form"], params=[])
        elif e["body"] is not NO: req["postData"] = dict(mimeType=ct or "application/json", text=e["body"] if isinstance(e["body"], str) else dumps(e["body"], st, rng))
        if "postData" in req: req["bodySize"] = len(req["postData"]["text"].encode())
        body = e["text"] if e["text"] is not None else ("" if e["resp"] is NO else dumps(e["resp"], st, rng))
        mime = e["ctype"] if e["ctype"] is not None else ("application/json" + st.charset)
        end = e["t"] + dt.timedelta(milliseconds=e["dur"])
        rh = [("Date", end.strftime("%a, %d %b %Y %H:%M:%S GMT"))]
        if mime: rh.append(("Content-Type", mime))
        if st.gzip: rh.append(("Content-Encoding", "gzip"))
        if st.chunked and not st.h2: rh.append(("Transfer-Encoding", "chunked"))
        elif not st.gzip: rh.append(("Content-Length", str(len(body.encode()))))
        for a, b in e["rh"]:
            rh = [(i, j) for i, j in rh if i.lower() != a.lower()] + ([(a, b)] if b is not None else [])
        content = dict(size=len(body.encode()), mimeType=mime or "x-unknown", text=body)
        if st.b64: content.update(text=base64.b64encode(body.encode()).decode(), encoding="base64")
        entries.append(dict(startedDateTime=iso(e["t"], st.offset), time=e["dur"], request=req,
                            response=dict(status=e["status"], statusText="" if st.h2 else REASON.get(e["status"], ""), httpVersion=req["httpVersion"], cookies=[],
                                          headers=[dict(name=low(a), value=b) for a, b in rh], content=content, redirectURL="", headersSize=-1, bodySize=-1),
                            cache={}, timings=dict(send=1, wait=e["dur"] - 2, receive=1)))
    return dict(log=dict(version="1.2", creator=dict(name="recorder", version="1"), entries=entries))


def err4(status, message):
    return dict(statusCode=status, error=REASON[status], message=message)


# ---------------------------------------------------------------- payment provider
def pay_method(w, tag="pm", number="4242424242424242", status=200, cvc="123", token="rk_test_9aaZ", error=None):
    f = [("type", "card"), ("card[number]", number), ("card[exp_month]", "09"), ("card[exp_year]", "2031")]
    if cvc: f.append(("card[cvc]", cvc))
    pm = "pm_1" + "".join(w.rng.choice("abcdefghijkLMNOP0123456789") for _ in range(22))
    resp = error or dict(id=pm, object="payment_method", billing_details=dict(address=None, email=None), card=dict(brand="visa", exp_month=9, exp_year=2031, last4=number[-4:]),
                         created=int(w.now.timestamp()), customer=None, livemode=False, metadata={}, type="card")
    w.x(tag, "POST", PAY + "/v1/payment_methods", headers=[("Authorization", "Basic " + base64.b64encode((token + ":").encode()).decode()),
        ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "*/*")], form=urlencode(f), status=status, resp=resp)
    return pm


# ---------------------------------------------------------------- v4
def sec(o, d, dep, arr, fn, op="IB", mk=None, cls="ECONOMY"):
    return dict(origin=o, destination=d, departureDate=dep, arrivalDate=arr, travelClass=cls, flightNumber=fn, operatingCarrierCode=op, marketingCarrierCode=mk or op)


def money(a): return dict(amount=round(float(a), 2), currency="EUR")


class V4:
    """One partner at the service. The service's answers are made here, from the documents."""
    def __init__(s, w, key="k_live_7731", code="VIAJES-77", p="", auth=None):
        s.w, s.key, s.code, s.p = w, key, code, p
        s.h = [("Authorization", auth or key), ("Accept", "application/json")]
        s.hp = s.h + [("Content-Type", "application/json")]
        s.card_fee, s.balance, s.extra, s.zero_keys = 2.5, False, False, True
        s.orders = {}

    def x(s, tag, method, path, **k):
        if "headers" not in k: k["headers"] = s.hp if method == "POST" else s.h
        return s.w.x(s.p + tag, method, BASE + "/v4" + path, **k)

    def options(s):
        o = [dict(type="card", fee=money(s.card_fee))] if s.card_fee is not None else [dict(type="card")]
        if s.balance: o.append(dict(type="balance", fee=money(0)))
        return o

    def pricing(s, pax, base):
        r = {}
        for t, n, f in (("adult", pax[0], 1), ("child", pax[1], .75), ("infant", pax[2], .1)):
            if n or s.zero_keys: r[t] = dict(fareAmount=money(base * f), taxAmount=money(base * f / 4), numberOfPassengers=n)
        return r

    def total(s, pax, base):
        return round(sum(v["numberOfPassengers"] * (v["fareAmount"]["amount"] + v["taxAmount"]["amount"]) for v in s.pricing(pax, base).values()), 2)

    def search(s, o, d, day, flights, pax=(1, 0, 0), back=None, cls=None, tag="search", **k):
        """flights: list of (sections out, sections back or None, base)"""
        loc = lambda c: dict(code=c[0], type=c[1]) if isinstance(c, tuple) else dict(code=c, type="AIRPORT")
        body = dict(adults=pax[0], children=pax[1], infants=pax[2], tripType="ROUND_TRIP" if back else "ONE_WAY", customerCode=s.code,
                    outboundSegment=dict(origin=loc(o), destination=loc(d), departureDate=day),
                    inboundSegment=dict(origin=loc(d), destination=loc(o), departureDate=back) if back else None)
        if cls: body["travelClass"] = cls
        offers = []
        for out, inb, base in flights:
            seg = lambda ss: dict(sections=[dict(x, availableSeats=s.w.rng.randrange(4, 10) if sum(pax) < 4 else 9, technicalStops=[]) for x in ss])
            f = dict(id=s.w.id(), outboundSegment=seg(out), inboundSegment=seg(inb) if inb else None,
                     fare=dict(passengerPricingByPassengerType=s.pricing(pax, base), includedBaggage=dict(checkedBaggageQuantity=0, cabinBaggageQuantity=1),
                               price=dict(totalAmount=s.total(pax, base), sourceAmount=s.total(pax, base), currency="EUR")), paymentOptions=s.options())
            if s.extra: f["sourceSystem"] = dict(name="x", hops=[1, 2])
            offers.append(f)
        k.setdefault("resp", dict(offers=offers))
        s.x(tag, "POST", "/search", body=body, **k)
        return offers

    def offer(s, flight, pax=(1, 0, 0), tag="offer", add=None, stops=NO, term=True, **k):
        out, inb, base = flight
        strip = lambda ss: dict(sections=[{a: b for a, b in x.items()} for x in ss])
        body = dict(adults=pax[0], children=pax[1], infants=pax[2], tripType="ROUND_TRIP" if inb else "ONE_WAY", customerCode=s.code,
                    outboundSegment=strip(out), inboundSegment=strip(inb) if inb else None)
        def seg(ss):
            r = []
            for x in ss:
                y = dict(x, departureTerminal="T4" if term else None, arrivalTerminal="1" if term else None)
                if stops is not None: y["technicalStops"] = [] if stops is NO else stops
                r.append(y)
            return dict(sections=r)
        inc = [dict(quantity=1, descriptor=dict(weight=10, dimensions=dict(width=40, height=55, depth=20)), type="CABIN"),
               dict(quantity=0, descriptor=dict(weight=23), type="CHECK_IN")]
        o = dict(id=s.w.id(), outboundSegment=seg(out), inboundSegment=seg(inb) if inb else None,
                 cheapestFare=dict(id=s.w.id(), passengerPricingByPassengerType=s.pricing(pax, base), includedBaggage=inc, totalPrice=money(s.total(pax, base))),
                 providerAdditionalPassengerInformationByPassengerType=add if add is not None else {
                     t: dict(providerIdentificationTypeOptions=["PASSPORT", "NIF"], providerRequiredAdditionalFields=["BIRTH_DATE"] if t == "adult" else [])
                     for t, n in zip(("adult", "child", "infant"), pax) if n},
                 paymentOptions=s.options())
        if s.extra: o["x-internal"] = None
        k.setdefault("resp", o)
        s.x(tag, "POST", "/offer", body=body, **k)
        return dict(o, _pax=pax)

    def fares(s, o, tag="fares", **k):
        k.setdefault("resp", dict(fares=[o["cheapestFare"], dict(o["cheapestFare"], id=s.w.id(), totalPrice=money(o["cheapestFare"]["totalPrice"]["amount"] + 35))] if isinstance(o, dict) else []))
        return s.x(tag, "GET", "/offer/%s/fares" % (o["id"] if isinstance(o, dict) else o), **k)

    BAGS = (("CHECK_IN", 2, 23, 30.0), ("CHECK_IN", 1, 15, 22.5), ("CABIN", 1, 10, 12.0))

    def bagopts(s, o):
        opts = [dict(type=t, maxPiecesPerPassenger=m, maxKilosPerPiece=k, pricePerPiece=money(p)) for t, m, k, p in s.BAGS]
        return [dict(fareId=o["cheapestFare"]["id"], outboundSegmentOptions=opts, inboundSegmentOptions=opts if o["inboundSegment"] else None)]

    def baggage(s, o, tag="baggage", **k):
        k.setdefault("resp", dict(fareBaggageOptions=s.bagopts(o) if isinstance(o, dict) else []))
        return s.x(tag, "GET", "/offer/%s/baggage" % (o["id"] if isinstance(o, dict) else o), **k)

    NAMES = (("MR", "José", "Núñez", "MALE"), ("MRS", "Ana María", "O'Neill", "FEMALE"), ("MS", "Zoë", "Brontë-Smith", "FEMALE"), ("MR", "李", "Wáng", "MALE"))

    def people(s, pax, first=1, ident=True):
        r = []
        for t, n in zip(("adult", "child", "infant"), pax):
            for i in range(n):
                ti, na, la, g = s.NAMES[len(r) % 4]
                p = dict(number=first + len(r), type=t, title=ti, name=na, firstLastName=la, gender=g,
                         birthDate={"adult": "198%d-04-17" % (i % 9), "child": "2019-0%d-05" % (i + 1), "infant": "2026-01-1%d" % i}[t], nationalityCountryCode="ES")
                if ident and t == "adult":
                    p["identification"] = dict(type="PASSPORT", identificationNumber="XDA12345%d" % i, expirationDate="2031-06-30", issueCountryCode="ES")
                    p["secondLastName"] = None
                r.append(p)
        return r

    CONTACT = dict(name="Ana María", lastNames="O'Neill Núñez", gender="FEMALE", email="ana.oneill+flights@agency.example", countryCode="ES",
                   phone=dict(number="600112233", countryCode="ES"), address="C/ Alcalá 1, 2º", cityName="Madrid", zipCode="28013")

    def order(s, o, bags=None, method="card", first=1, tag="order", people=None, contact=None, level="selection", inb_in_order=True, **k):
        """bags: {index of passenger: (outbound selections, inbound selections)}, selections: list of (type, pieces, kilos)"""
        people = people if people is not None else s.people(o["_pax"], first)
        price = {(t, kg): p for t, _, kg, p in s.BAGS}
        sel = lambda l: [dict(type=t, numberOfPieces=n, kilosPerPiece=kg) for t, n, kg in l]
        sb, rb, total = [], [], o["cheapestFare"]["totalPrice"]["amount"]
        for i, p in enumerate(people):
            a, b = (bags or {}).get(i, ([], []))
            item = dict(passengerNumber=p["number"], outboundSegmentBaggageSelection=sel(a))
            if o["inboundSegment"]: item["inboundSegmentBaggageSelection"] = sel(b)
            ri = copy.deepcopy(item)
            for l in ("outboundSegmentBaggageSelection", "inboundSegmentBaggageSelection"):
                for c in ri.get(l) or []:
                    pp = price[(c["type"], c["kilosPerPiece"])]
                    total += pp * c["numberOfPieces"]
                    if level in ("selection", "both"): c["pricePerPiece"] = money(pp)
                    if level in ("item", "both"): ri["pricePerPiece"] = money(pp)
            sb.append(item); rb.append(ri)
        if method == "card" and s.card_fee: total += s.card_fee
        contact = contact or s.CONTACT
        body = dict(passengers=people, selectedBaggage=sb, customerContact=contact, paymentMethod={method: True})
        off = dict(id=o["id"], outboundSegment=o["outboundSegment"], fare=o["cheapestFare"])
        if inb_in_order and o["inboundSegment"]: off["inboundSegment"] = o["inboundSegment"]
        rc = {a: b for a, b in contact.items() if a != "carrierPortalCredentials"}
        r = dict(id=s.w.id(), offer=off, passengers=people, selectedBaggage=rb, customerContact=rc, paymentMethod={method: True}, status="OPEN", totalPrice=money(total))
        fail = k.get("status", 200) != 200
        k.setdefault("resp", r)
        k.setdefault("query", dict(offerId=o["id"], fareId=o["cheapestFare"]["id"]))
        s.x(tag, "POST", "/order", body=body, **k)
        if not fail: s.orders[r["id"]] = r
        return r

    def confirm(s, r, pay=None, outcome="booked", tag="confirm", status=None, message="not possible", method=None, **k):
        body = dict(paymentMethod={method or next(iter(r["paymentMethod"])): True}, **(pay or {}))
        if outcome == "booked":
            r["status"], r["reservationId"] = "BOOKED", s.w.id()
            r["_pnr"] = "".join(s.w.rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(6))
        elif outcome == "failed200": r["status"] = "FAILED"
        if outcome in ("booked", "failed200"):
            if status is not None: k["status"] = status
            k.setdefault("resp", {a: b for a, b in r.items() if a[0] != "_"})
        else:
            k.setdefault("resp", err4(status, message)); k["status"] = status
            if outcome == "failed": r["status"] = "FAILED"
        return s.x(tag, "POST", "/order/%s/confirm" % r["id"], body=body, **k)

    def get_order(s, r, tag="get_order", **k):
        k.setdefault("resp", {a: b for a, b in r.items() if a[0] != "_"} if isinstance(r, dict) else NO)
        return s.x(tag, "GET", "/order/%s" % (r["id"] if isinstance(r, dict) else r), **k)

    def reservation(s, r):
        keep = ("number", "type", "title", "name", "firstLastName", "gender", "birthDate", "nationalityCountryCode")
        v = dict(id=r["reservationId"], orderId=r["id"], pnr=r["_pnr"], email=r["customerContact"]["email"], outboundSegment=r["offer"]["outboundSegment"],
                 passengers=[{a: b for a, b in p.items() if a in keep} for p in r["passengers"]], selectedBaggage=r["selectedBaggage"], customerContact=r["customerContact"], fare=r["offer"]["fare"])
        if "inboundSegment" in r["offer"]: v["inboundSegment"] = r["offer"]["inboundSegment"]
        return v

    def get_reservation(s, r, by="id", tag=None, **k):
        k.setdefault("resp", s.reservation(r) if k.get("status", 200) == 200 else NO)
        if by == "id": return s.x(tag or "reservation", "GET", "/reservation/%s" % r["reservationId"], **k)
        return s.x(tag or "reservation_by_order", "GET", "/reservation", query=dict(orderId=r["id"]), **k)
