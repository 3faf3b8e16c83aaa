"""A session with the Counter by zeep. Arguments: the WSDL's URL at each replica, first the one to begin with."""

import select
import sys
import time
from urllib.parse import urlsplit

import requests
from zeep import Client, Settings
from zeep.exceptions import Fault
from zeep.transports import Transport

from standards import Standards

COUNTER = "http://counter.com"
ATTEMPTS = 200
PAUSE_S = 0.05
FEWEST_ADDS = 20


class Wanderer(Transport):
    """POSTs the same bytes, MessageID and all, to the next replica when a connection fails."""

    def __init__(self, replicas):
        super().__init__(timeout=30, operation_timeout=60)
        self.replicas = [urlsplit(replica).netloc for replica in replicas]
        self.at = None
        self.times = 1
        self.retried = 0

    def post(self, address, message, headers):
        answers = 0
        for _ in range(ATTEMPTS):
            target = urlsplit(address)
            if self.at is not None:
                target = target._replace(netloc=self.replicas[self.at])
            try:
                answer = super().post(target.geturl(), message, headers)
                answers += 1
                if answers >= self.times:
                    return answer
            except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError):
                self.retried += 1
                known = target.netloc in self.replicas
                self.at = (self.replicas.index(target.netloc) + 1) % len(self.replicas) if known else 0
                time.sleep(PAUSE_S)
        raise SystemExit(f"WRONG no replica answers; tried {ATTEMPTS} times")


def check(what, expected, actual):
    if expected != actual:
        raise SystemExit(f"WRONG {what}: expected {expected!r}, got {actual!r}")
    print(f"ok {what}: {actual!r}", flush=True)


def told_to_go_on():
    return select.select([sys.stdin], [], [], 0)[0] and sys.stdin.readline() is not None


def unknown(counter):
    try:
        counter.add(1)
    except Fault as fault:
        detail = fault.detail.find(f"{{{COUNTER}}}UnknownCounterFault")
        return detail is not None and detail.findtext(f"{{{COUNTER}}}message")
    return None


def main(wsdls):
    transport = Wanderer(wsdls)
    client = Client(wsdls[0], transport=transport, settings=Settings(strict=True))

    def port(binding, address):
        return client.create_service(f"{{{COUNTER}}}{binding}", address)

    reference = client.service.createCounter()
    address = reference.Address._value_1
    parameters = [element.text for element in reference.ReferenceParameters._value_1]
    check("the id is in the URL and in the reference parameters", address.rsplit("/", 1)[1], parameters[0])
    counter = port("CounterSoap11", address)
    standards = Standards(wsdls[0], transport, counter, check)
    standards.before(0)
    transport.times = 2
    check("add 3, sent twice with one MessageID", 3, counter.add(3))
    transport.times = 1
    check("add 10", 13, counter.add(10))
    check("value", 13, counter.getValue())
    standards.classic()
    newer = client.bind("CounterService", "CounterPort12")
    other = port("CounterSoap12", newer.createCounter().Address._value_1)
    check("add 1 to another counter by SOAP 1.2", 1, other.add(1))
    check("value of the other by SOAP 1.2", 1, other.getValue())
    check("value of the first by SOAP 1.2", 13, port("CounterSoap12", address).getValue())
    nowhere = address.rsplit("/", 1)[0] + "/" + "0" * 32
    for binding in ("CounterSoap11", "CounterSoap12"):
        check(f"{binding} tells an unknown counter", True, "0" * 32 in (unknown(port(binding, nowhere)) or ""))

    print("busy", flush=True)
    adds = 0
    go_on = False
    while not go_on or adds < FEWEST_ADDS:
        adds += 1
        time.sleep(PAUSE_S / 5)
        total = counter.add(1)
        if total != 13 + adds:
            check(f"add {adds} while busy", 13 + adds, total)
        go_on = go_on or told_to_go_on()
    check("value after being busy", 13 + adds, counter.getValue())
    check("value of the other", 1, other.getValue())
    check("add 100", 113 + adds, counter.add(100))
    standards.after([3] + list(range(13, 14 + adds)) + [113 + adds])
    print(f"retried {transport.retried}", flush=True)
    print("end", flush=True)


main(sys.argv[1:])
