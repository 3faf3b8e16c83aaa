"""WS-ResourceProperties, WS-ResourceLifetime and WS-BaseNotification by zeep, before and after a failover."""

import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from lxml import etree
from zeep import Client, Settings
from zeep.exceptions import Fault

COUNTER = "http://counter.com"
WSNT = "http://docs.oasis-open.org/wsn/b-2"
WSRF_R = "http://docs.oasis-open.org/wsrf/r-2"
WSRF_RP = "http://docs.oasis-open.org/wsrf/rp-2"
CONCRETE = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete"
VALUE = etree.QName(COUNTER, "Value")
WAIT_S = 30


class Consumer:
    """Hears notifications; one that comes again under the same wsa:MessageID is dropped."""

    def __init__(self):
        self.changed = threading.Condition()
        self.ids = set()
        self.values = []
        consumer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                consumer.hear(etree.fromstring(body.encode()))
                self.send_response(202)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/"

    def hear(self, envelope):
        message_id = envelope.findtext(".//{http://www.w3.org/2005/08/addressing}MessageID")
        with self.changed:
            if message_id not in self.ids:
                self.ids.add(message_id)
                self.values += new_values(envelope)
                self.changed.notify_all()

    def heard(self, count):
        with self.changed:
            self.changed.wait_for(lambda: len(self.values) >= count, WAIT_S)
            return list(self.values)


def new_values(tree):
    return [int(value.text) for value in tree.iterfind(f".//{{{WSRF_RP}}}NewValues/{{{COUNTER}}}Value")]


def topic(expression="c:Value", dialect=CONCRETE):
    element = etree.Element(f"{{{WSNT}}}TopicExpression", nsmap={"c": COUNTER}, Dialect=dialect)
    element.text = expression
    return {"_value_1": [element]}


def fault(what, call):
    try:
        call()
    except Fault as fault:
        return etree.QName(fault.detail[0]).localname
    return f"{what} is no fault"


def address_of(reference):
    return reference.Address._value_1


class Standards:
    """One session; the counter is at ``total`` when it begins."""

    def __init__(self, wsdl, transport, counter, check):
        self.transport = transport
        self.counter = counter
        self.check = check
        self.services = wsdl.split("/services/")[0] + "/services/"
        self.consumer = Consumer()
        self.managers = self.client("SubscriptionManager")
        self.points = self.client("PullPoint")

    def client(self, name):
        return Client(f"{self.services}{name}?wsdl", transport=self.transport, settings=Settings(strict=True))

    @staticmethod
    def at(client, address):
        binding = next(str(name) for name in client.wsdl.bindings if re.search("11|Soap$", str(name)))
        return client.create_service(binding, address)

    def before(self, total):
        check, counter = self.check, self.counter
        got = counter.GetResourceProperty(VALUE)
        check("GetResourceProperty", [str(total)], texts(got))
        document = counter.GetResourcePropertyDocument()
        check("the property document has the value", total, document_value(document))
        granted = counter.SetTerminationTime(RequestedLifetimeDuration="PT1H")
        check("SetTerminationTime", 3600, round((granted.NewTerminationTime - granted.CurrentTime).total_seconds()))
        self.subscription = self.at(
            self.managers,
            address_of(
                counter.Subscribe(ConsumerReference={"Address": self.consumer.address}, Filter=topic()).SubscriptionReference
            ),
        )
        made = self.client("CreatePullPoint").service.CreatePullPoint()
        self.point = self.at(self.points, address_of(made.PullPoint))
        counter.Subscribe(ConsumerReference={"Address": address_of(made.PullPoint)}, Filter=topic())
        self.refusals()

    def refusals(self):
        check, counter = self.check, self.counter
        me = {"Address": self.consumer.address}
        check("unknown topic", "TopicNotSupportedFault",
              fault("topic", lambda: counter.Subscribe(ConsumerReference=me, Filter=topic("c:Nothing"))))
        check("unknown dialect", "TopicExpressionDialectUnknownFault",
              fault("dialect", lambda: counter.Subscribe(ConsumerReference=me, Filter=topic(dialect="urn:none"))))
        check("a time in the past", "UnacceptableInitialTerminationTimeFault",
              fault("time", lambda: counter.Subscribe(
                  ConsumerReference=me, Filter=topic(), InitialTerminationTime="2001-01-01T00:00:00Z")))
        nobody = self.at(self.managers, f"{self.services}SubscriptionManager/{'0' * 32}")
        check("unknown subscription", "ResourceUnknownFault", fault("subscription", lambda: nobody.Unsubscribe()))
        check("unknown property", "InvalidResourcePropertyQNameFault",
              fault("property", lambda: counter.GetResourceProperty(etree.QName(COUNTER, "Nothing"))))

    def classic(self):
        """Create, add 3, notification 3, add 10, notification 13; the first two adds of the session do it."""
        self.check("notifications of the classic session", [3, 13], self.consumer.heard(2)[:2])

    def fetch(self, count):
        values = []
        end = time.monotonic() + WAIT_S
        while len(values) < count and time.monotonic() < end:
            for message in self.point.GetMessages(MaximumNumber=50).NotificationMessage or []:
                values += new_values(element_of(message))
        return values

    def same(self, what, expected, actual):
        """Of long lists, the first difference is what one wants to read."""
        both = zip(expected + [None] * len(actual), actual + [None] * len(expected))
        first = next(((n, e, a) for n, (e, a) in enumerate(both) if e != a), None)
        self.check(f"{what} ({len(actual)})", None, first)

    def after(self, totals):
        """The replica with which it began may be gone; nobody subscribes again."""
        check, counter = self.check, self.counter
        self.same("the consumer heard every value, in order", totals, self.consumer.heard(len(totals)))
        self.same("the pull point kept every value, in order", totals, self.fetch(len(totals)))
        self.subscription.PauseSubscription()
        total = counter.add(1)
        self.subscription.ResumeSubscription()
        renewed = self.subscription.Renew(TerminationTime="PT30M")
        check("Renew", 1800, round((renewed.TerminationTime - renewed.CurrentTime).total_seconds()))
        total = counter.add(1)
        self.same("paused, it hears nothing; resumed, it does", totals + [total], self.consumer.heard(len(totals) + 1))
        self.subscription.Unsubscribe()
        check("unsubscribed twice", "ResourceUnknownFault", fault("subscription", lambda: self.subscription.Unsubscribe()))
        self.point.DestroyPullPoint()
        check("a destroyed pull point", "ResourceUnknownFault",
              fault("pull point", lambda: self.point.GetMessages(MaximumNumber=1)))
        counter.Destroy()
        check("a destroyed counter", "ResourceUnknownFault",
              fault("counter", lambda: counter.GetResourceProperty(VALUE)))


def texts(response):
    found = response if isinstance(response, list) else [response]
    return [str(getattr(value, "text", value)) for value in found]


def document_value(document):
    found = document.CounterProperties if hasattr(document, "CounterProperties") else document
    return found.Value


def element_of(message):
    """The message as XML, whatever of it zeep has made objects of."""
    content = message.Message._value_1 if hasattr(message.Message, "_value_1") else message.Message
    if not etree.iselement(content):
        raise SystemExit(f"WRONG a message that is no XML: {content!r}")
    return content
