"""Confirmations of v4 where the documents are silent."""

from unit.contract.examples import RETURNED, THREE_D, changed, exchange, put, rejected
from unit.contract.open_questions.stories import Stories, rejections, sending

FAILED = changed(RETURNED["createOrder"], put("status", "FAILED"))
AGAIN = exchange("confirmOrder", after=1, name="3")
FAILED_3DS = THREE_D | {"electronic_commerce_indicator": "07"}


CONFORMING: Stories = {
    "OPEN-05": [
        [exchange("createOrder"), exchange("confirmOrder", returned=FAILED), again]
        for again in (AGAIN, rejected(AGAIN, 409, "Conflict"))
    ],
    "OPEN-07": rejections(
        exchange("confirmOrder", after=5, name="2"), 400, 403, 404, 409, 422, before=[exchange("confirmOrder")]
    ),
    "OPEN-24": [
        *rejections(exchange("confirmOrder"), 403, 406, 422),
        [exchange("confirmOrder", returned=FAILED)],
        *[
            [
                exchange("createOrder"),
                *rejections(exchange("confirmOrder", after=1), status)[0],
                exchange("getOrder", returned=changed(FAILED, put("status", left)), after=2),
            ]
            for status in (403, 406, 422)
            for left in ("FAILED", "OPEN")
        ],
    ],
    "OPEN-27": [
        [exchange("getOffer"), exchange("createOrder", after=20), exchange("confirmOrder", after=50)],
        *rejections(
            exchange("confirmOrder", after=50),
            404,
            422,
            before=[exchange("getOffer"), exchange("createOrder", after=20)],
        ),
    ],
    "OPEN-51": [
        *rejections(
            sending("confirmOrder", put("paymentMethod", {"balance": True})),
            400,
            403,
            422,
            before=[exchange("createOrder")],
        ),
        *rejections(sending("confirmOrder", put("payment_intent_id", "pi_1")), 400, 422),
    ],
    "OPEN-52": [
        *rejections(sending("confirmOrder", put("three_d_secure", FAILED_3DS)), 400, 406, 422),
        *[
            [exchange("confirmOrder", sent=put("three_d_secure", results), returned=FAILED)]
            for results in (FAILED_3DS, THREE_D | {"electronic_commerce_indicator": "06"})
        ],
    ],
    "OPEN-71": [
        [exchange("createOrder"), exchange("confirmOrder", after=20)],
        *rejections(exchange("confirmOrder", after=20), 404, 422, before=[exchange("createOrder")]),
    ],
    "OPEN-72": [[exchange("confirmOrder", sent={"paymentMethod": {"card": True}, "payment_intent_id": "whatever"})]],
}
