import com.counter.CounterPortType;
import com.counter.CounterProperties;
import com.counter.UnacceptableInitialTerminationTimeFault;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.soap.Node;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPMessage;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Dispatch;
import jakarta.xml.ws.Endpoint;
import jakarta.xml.ws.Holder;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.WebServiceProvider;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.StringReader;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMResult;
import javax.xml.transform.stream.StreamSource;
import org.oasis_open.docs.wsn.b_2.CreatePullPoint;
import org.oasis_open.docs.wsn.b_2.DestroyPullPoint;
import org.oasis_open.docs.wsn.b_2.FilterType;
import org.oasis_open.docs.wsn.b_2.GetMessages;
import org.oasis_open.docs.wsn.b_2.NotificationMessageHolderType;
import org.oasis_open.docs.wsn.b_2.Notify;
import org.oasis_open.docs.wsn.b_2.ObjectFactory;
import org.oasis_open.docs.wsn.b_2.PauseSubscription;
import org.oasis_open.docs.wsn.b_2.Renew;
import org.oasis_open.docs.wsn.b_2.RenewResponse;
import org.oasis_open.docs.wsn.b_2.ResumeSubscription;
import org.oasis_open.docs.wsn.b_2.Subscribe;
import org.oasis_open.docs.wsn.b_2.Unsubscribe;
import org.oasis_open.docs.wsrf.rp_2.GetResourcePropertyDocument;
import org.oasis_open.docs.wsrf.rp_2.ResourcePropertyValueChangeNotificationType;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import understudy.services._1.CreatePullPointPortType;
import understudy.services._1.CreatePullPointService;
import understudy.services._1.PullPointPortType;
import understudy.services._1.PullPointService;
import understudy.services._1.SubscriptionManagerPortType;
import understudy.services._1.SubscriptionManagerService;

/**
 * WS-ResourceProperties, WS-ResourceLifetime and WS-BaseNotification by Metro, before and after a failover: by its generated
 * ports and types. JAXB binds all but the prefix in a topic expression's text: in Subscribe, which leaves filters open, that
 * element is DOM; GetCurrentMessage, which leaves its topic no such choice, goes by Dispatch.
 */
final class Standards {
  private static final String COUNTER = "http://counter.com";
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String CONCRETE = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete";
  private static final QName PORT = new QName(COUNTER, "CounterPort");
  private static final QName VALUE = new QName(COUNTER, "Value");
  private static final String NOBODY = "0".repeat(32);
  private static final int WAIT_S = 30;

  private final Session session;
  private final Service service;
  private final CounterPortType counter;
  private final SubscriptionManagerService managers;
  private final PullPointService points;
  private final CreatePullPointService factory;
  private final Consumer consumer = new Consumer();
  private final Endpoint endpoint;
  private SubscriptionManagerPortType subscription;
  private PullPointPortType point;

  Standards(Session session, Service service, CounterPortType counter) throws Exception {
    this.session = session;
    this.service = service;
    this.counter = counter;
    String wsdl = service.getWSDLDocumentLocation().toString();
    String services = wsdl.substring(0, wsdl.indexOf("/services/")) + "/services/";
    managers = new SubscriptionManagerService(new URL(services + "SubscriptionManager?wsdl"));
    points = new PullPointService(new URL(services + "PullPoint?wsdl"));
    factory = new CreatePullPointService(new URL(services + "CreatePullPoint?wsdl"));
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    endpoint = Endpoint.publish("http://127.0.0.1:" + port + "/consumer", consumer);
  }

  /** Hears notifications, by Metro's server; one that comes again under the same wsa:MessageID is dropped. */
  @WebServiceProvider
  @ServiceMode(Service.Mode.MESSAGE)
  public static final class Consumer implements Provider<SOAPMessage> {
    private static final QName MESSAGE_ID = new QName("http://www.w3.org/2005/08/addressing", "MessageID");

    private final Set<String> ids = new HashSet<>();
    private final List<Integer> values = new ArrayList<>();
    private final JAXBContext types;

    Consumer() throws JAXBException {
      types = JAXBContext.newInstance(Notify.class, ResourcePropertyValueChangeNotificationType.class,
          com.counter.ObjectFactory.class, org.oasis_open.docs.wsrf.rp_2.ObjectFactory.class);
    }

    @Override
    public synchronized SOAPMessage invoke(SOAPMessage message) {
      try {
        String id = ((Node) message.getSOAPHeader().getChildElements(MESSAGE_ID).next()).getValue();
        if (ids.add(id)) {
          Notify notify = (Notify) types.createUnmarshaller().unmarshal(message.getSOAPBody().extractContentAsDocument());
          values.addAll(newValues(notify.getNotificationMessage()));
          notifyAll();
        }
        return null;
      } catch (SOAPException | JAXBException e) {
        throw new WebServiceException(e);
      }
    }

    synchronized List<Integer> heard(int count) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
      while (values.size() < count && System.nanoTime() < end) {
        wait(100);
      }
      return new ArrayList<>(values);
    }
  }

  private static List<Integer> newValues(List<NotificationMessageHolderType> messages) {
    List<Integer> values = new ArrayList<>();
    for (NotificationMessageHolderType message : messages) {
      var change = (ResourcePropertyValueChangeNotificationType) ((JAXBElement<?>) message.getMessage().getAny()).getValue();
      change.getNewValues().getAny().forEach(value -> values.add(number(value)));
    }
    return values;
  }

  /** The counter's port knows the element's type; the pull point's does not, and leaves it DOM. */
  private static int number(Object value) {
    return value instanceof Element element ? Integer.parseInt(element.getTextContent().strip())
        : (Integer) ((JAXBElement<?>) value).getValue();
  }

  private static Subscribe subscribe(W3CEndpointReference consumer, String dialect, String topic) throws Exception {
    DocumentBuilderFactory documents = DocumentBuilderFactory.newInstance();
    documents.setNamespaceAware(true);
    Document document = documents.newDocumentBuilder().newDocument();
    Element expression = document.createElementNS(WSNT, "wsnt:TopicExpression");
    expression.setAttributeNS("http://www.w3.org/2000/xmlns/", "xmlns:c", COUNTER);
    expression.setAttribute("Dialect", dialect);
    expression.setTextContent(topic);
    Subscribe subscribe = new Subscribe();
    subscribe.setConsumerReference(consumer);
    subscribe.setFilter(new FilterType());
    subscribe.getFilter().getAny().add(expression);
    return subscribe;
  }

  private W3CEndpointReference me() {
    return endpoint.getEndpointReference(W3CEndpointReference.class);
  }

  private static long seconds(XMLGregorianCalendar from, XMLGregorianCalendar to) {
    long millis = to.toGregorianCalendar().getTimeInMillis() - from.toGregorianCalendar().getTimeInMillis();
    return Math.round(millis / 1000.0);
  }

  /** Which of the faults that the contract declares it was; Metro has read its detail by then. */
  private String fault(Object port, Callable<?> call) {
    try {
      return "no fault but " + session.call(port, call);
    } catch (Exception e) {
      return e.getClass().getSimpleName();
    }
  }

  void before(int total) throws Exception {
    List<Object> got = session.call(counter, () -> counter.getResourceProperty(VALUE)).getAny();
    Session.check("GetResourceProperty", List.of(total), got.stream().map(Standards::number).toList());
    Object document =
        session.call(counter, () -> counter.getResourcePropertyDocument(new GetResourcePropertyDocument())).getAny();
    Session.check("the property document has the value", total, ((CounterProperties) document).getValue());
    Holder<XMLGregorianCalendar> granted = new Holder<>();
    Holder<XMLGregorianCalendar> now = new Holder<>();
    session.call(counter, () -> {
      counter.setTerminationTime(null, DatatypeFactory.newInstance().newDuration("PT1H"), granted, now);
      return null;
    });
    Session.check("SetTerminationTime", 3600L, seconds(now.value, granted.value));
    W3CEndpointReference manager =
        session.call(counter, () -> counter.subscribe(subscribe(me(), CONCRETE, "c:Value"))).getSubscriptionReference();
    subscription = managers.getPort(manager, SubscriptionManagerPortType.class, Session.ADDRESSING);
    var maker = factory.getPort(CreatePullPointPortType.class, Session.ADDRESSING);
    W3CEndpointReference made = session.call(maker, () -> maker.createPullPoint(new CreatePullPoint())).getPullPoint();
    point = points.getPort(made, PullPointPortType.class, Session.ADDRESSING);
    session.call(counter, () -> counter.subscribe(subscribe(made, CONCRETE, "c:Value")));
    refusals();
  }

  private int current() throws Exception {
    Dispatch<Source> dispatch = service.createDispatch(PORT, Source.class, Service.Mode.PAYLOAD, Session.ADDRESSING);
    Map<String, Object> context = dispatch.getRequestContext();
    context.put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY,
        ((BindingProvider) counter).getRequestContext().get(BindingProvider.ENDPOINT_ADDRESS_PROPERTY));
    context.put(BindingProvider.SOAPACTION_USE_PROPERTY, true);
    context.put(BindingProvider.SOAPACTION_URI_PROPERTY,
        "http://docs.oasis-open.org/wsn/bw-2/NotificationProducer/GetCurrentMessageRequest");
    String request = "<w:GetCurrentMessage xmlns:w='" + WSNT + "' xmlns:c='" + COUNTER + "'><w:Topic Dialect='" + CONCRETE
        + "'>c:Value</w:Topic></w:GetCurrentMessage>";
    Source answer = session.call(dispatch, () -> dispatch.invoke(new StreamSource(new StringReader(request))));
    DOMResult document = new DOMResult();
    TransformerFactory.newInstance().newTransformer().transform(answer, document);
    return number(((Document) document.getNode()).getElementsByTagNameNS(COUNTER, "Value").item(0));
  }

  private void refusals() throws Exception {
    Session.check("unknown topic", "TopicNotSupportedFault",
        fault(counter, () -> counter.subscribe(subscribe(me(), CONCRETE, "c:Nothing"))));
    Session.check("unknown dialect", "TopicExpressionDialectUnknownFault",
        fault(counter, () -> counter.subscribe(subscribe(me(), "urn:none", "c:Value"))));
    Subscribe late = subscribe(me(), CONCRETE, "c:Value");
    late.setInitialTerminationTime(new ObjectFactory().createSubscribeInitialTerminationTime("2001-01-01T00:00:00Z"));
    try {
      session.call(counter, () -> counter.subscribe(late));
      Session.check("a time in the past", "a fault", "none");
    } catch (UnacceptableInitialTerminationTimeFault e) {
      Session.check("a time in the past", true, e.getFaultInfo().getMinimumTime().getYear() > 2001);
    }
    SubscriptionManagerPortType nobody = managers.getPort(SubscriptionManagerPortType.class, Session.ADDRESSING);
    ((BindingProvider) nobody).getRequestContext().compute(BindingProvider.ENDPOINT_ADDRESS_PROPERTY,
        (key, address) -> address + "/" + NOBODY);
    Session.check("unknown subscription", "ResourceUnknownFault",
        fault(nobody, () -> nobody.unsubscribe(new Unsubscribe())));
    Session.check("unknown property", "InvalidResourcePropertyQNameFault",
        fault(counter, () -> counter.getResourceProperty(new QName(COUNTER, "Nothing"))));
  }

  /** After the first two adds of the session. */
  void classic() throws Exception {
    Session.check("notifications of the classic session", List.of(3, 13), consumer.heard(2));
    Session.check("GetCurrentMessage", 13, current());
  }

  private List<Integer> fetch(int count) throws Exception {
    GetMessages some = new GetMessages();
    some.setMaximumNumber(BigInteger.valueOf(50));
    List<Integer> values = new ArrayList<>();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
    while (values.size() < count && System.nanoTime() < end) {
      values.addAll(newValues(session.call(point, () -> point.getMessages(some)).getNotificationMessage()));
    }
    return values;
  }

  /** Of long lists, the first difference is what one wants to read. */
  private static void same(String what, List<Integer> expected, List<Integer> actual) {
    int first = 0;
    while (first < expected.size() && first < actual.size() && expected.get(first).equals(actual.get(first))) {
      first++;
    }
    Session.check(what + " (" + actual.size() + ")", expected.subList(first, expected.size()),
        actual.subList(first, actual.size()));
  }

  /** The replica with which it began may be gone; nobody subscribes again. */
  void after(List<Integer> totals) throws Exception {
    same("the consumer heard every value, in order", totals, consumer.heard(totals.size()));
    same("the pull point kept every value, in order", totals, fetch(totals.size()));
    Session.check("GetCurrentMessage later", totals.get(totals.size() - 1), current());
    session.call(subscription, () -> subscription.pauseSubscription(new PauseSubscription()));
    session.call(counter, () -> counter.add(1));
    session.call(subscription, () -> subscription.resumeSubscription(new ResumeSubscription()));
    Renew renew = new Renew();
    renew.setTerminationTime("PT30M");
    RenewResponse renewed = session.call(subscription, () -> subscription.renew(renew));
    Session.check("Renew", 1800L, seconds(renewed.getCurrentTime(), renewed.getTerminationTime()));
    List<Integer> all = new ArrayList<>(totals);
    all.add(session.call(counter, () -> counter.add(1)));
    same("paused, it hears nothing; resumed, it does", all, consumer.heard(all.size()));
    session.call(subscription, () -> subscription.unsubscribe(new Unsubscribe()));
    Session.check("unsubscribed twice", "ResourceUnknownFault",
        fault(subscription, () -> subscription.unsubscribe(new Unsubscribe())));
    session.call(point, () -> point.destroyPullPoint(new DestroyPullPoint()));
    Session.check("a destroyed pull point", "ResourceUnknownFault",
        fault(point, () -> point.getMessages(new GetMessages())));
    session.call(counter, () -> {
      counter.destroy();
      return null;
    });
    Session.check("a destroyed counter", "ResourceUnknownFault",
        fault(counter, () -> counter.getResourceProperty(VALUE)));
    endpoint.stop();
  }
}
