import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.xml.namespace.QName;
import org.apache.cxf.BusFactory;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.headers.Header;
import org.apache.cxf.interceptor.OneWayProcessorInterceptor;
import org.apache.cxf.jaxb.JAXBDataBinding;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.wsn.client.Consumer;
import org.apache.cxf.wsn.client.CreatePullPoint;
import org.apache.cxf.wsn.client.NotificationBroker;
import org.apache.cxf.wsn.client.PullPoint;
import org.apache.cxf.wsn.client.Registration;
import org.apache.cxf.wsn.client.Subscription;
import org.oasis_open.docs.wsn.b_2.NotificationMessageHolderType;
import org.w3c.dom.Element;

/**
 * A session with the broker by CXF's own client of WS-Notification. Arguments: the WSDL's URL at each replica, first the one
 * to begin with; the client has its contracts in its jar, and takes no more of them than where the service is.
 */
public final class Session {
  /** Held, lest its level be forgotten. */
  private static final Logger QUIET = Logger.getLogger("org");
  private static final QName MESSAGE_ID = new QName("http://www.w3.org/2005/08/addressing", "MessageID");
  private static final QName PRICE = new QName("urn:understudy:interop", "price");
  /** Without a prefix: JAXB would lose what it means. */
  private static final String TOPIC = "news";

  private static final String NOBODY = "0".repeat(32);
  private static final int ATTEMPTS = 200;
  private static final int PAUSE_MS = 50;
  private static final int FEWEST = 20;
  private static final int WAIT_S = 30;

  private final String services;
  private final List<String> replicas;
  private final NotificationBroker broker;
  private final List<Integer> heard = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private int at = -1;
  private int retried;

  private Session(List<String> wsdls) {
    services = wsdls.get(0).substring(0, wsdls.get(0).indexOf("/services/")) + "/services/";
    replicas = wsdls.stream().map(wsdl -> URI.create(wsdl).getAuthority()).toList();
    broker = new NotificationBroker(services + "NotificationBroker");
  }

  public static void main(String[] wsdls) {
    QUIET.setLevel(Level.WARNING);
    // Else what comes one-way is acknowledged first and handled by any thread later, in any order.
    BusFactory.getDefaultBus().setProperty(OneWayProcessorInterceptor.USE_ORIGINAL_THREAD, true);
    try {
      new Session(List.of(wsdls)).run();
      System.exit(0);
    } catch (Exception e) {
      e.printStackTrace(System.out);
      System.out.println("WRONG " + e.getMessage());
      System.exit(1);
    }
  }

  private static void check(String what, Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new IllegalStateException(what + ": expected " + expected + ", got " + actual);
    }
    System.out.println("ok " + what + ": " + actual);
  }

  /** Of long lists, what follows the first difference is what one wants to read. */
  private static void same(String what, List<Integer> expected, List<Integer> actual) {
    int first = 0;
    while (first < expected.size() && first < actual.size() && expected.get(first).equals(actual.get(first))) {
      first++;
    }
    check(what + " (" + actual.size() + ")", expected.subList(first, expected.size()),
        actual.subList(first, actual.size()));
  }

  private interface Operation {
    void carryOut() throws Exception;
  }

  private void run(Object port, Operation operation) throws Exception {
    call(port, 1, () -> {
      operation.carryOut();
      return null;
    });
  }

  /** One call: the same MessageID at the next replica when a connection fails. A fault is an answer. */
  private <T> T call(Object port, int times, Callable<T> call) throws Exception {
    Map<String, Object> context = ((BindingProvider) port).getRequestContext();
    context.put(Header.HEADER_LIST, messageId());
    int answers = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      URI target = URI.create((String) context.get(BindingProvider.ENDPOINT_ADDRESS_PROPERTY));
      if (at >= 0) {
        target = URI.create(target.toString().replace(target.getAuthority(), replicas.get(at)));
        context.put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, target.toString());
      }
      try {
        T answer = call.call();
        if (++answers == times) {
          return answer;
        }
      } catch (WebServiceException e) {
        if (!isConnectionLost(e)) {
          throw e;
        }
        retried++;
        at = (replicas.indexOf(target.getAuthority()) + 1) % replicas.size();
        Thread.sleep(PAUSE_MS);
      }
    }
    throw new IllegalStateException("no replica answers; tried " + ATTEMPTS + " times");
  }

  private static List<Header> messageId() throws JAXBException {
    return List.of(new Header(MESSAGE_ID, "urn:uuid:" + UUID.randomUUID(), new JAXBDataBinding(String.class)));
  }

  private static boolean isConnectionLost(Throwable e) {
    return e != null && (e instanceof IOException || isConnectionLost(e.getCause()));
  }

  private void hear(NotificationMessageHolderType message) {
    Header id = ((SoapMessage) PhaseInterceptorChain.getCurrentMessage()).getHeader(MESSAGE_ID);
    synchronized (heard) {
      if (ids.add(((Element) id.getObject()).getTextContent())) {
        heard.add(price(message));
        heard.notifyAll();
      }
    }
  }

  private static int price(NotificationMessageHolderType message) {
    return Integer.parseInt(((Element) message.getMessage().getAny()).getTextContent().strip());
  }

  private List<Integer> heard(int count) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
    synchronized (heard) {
      while (heard.size() < count && System.nanoTime() < end) {
        heard.wait(100);
      }
      return new ArrayList<>(heard);
    }
  }

  private List<Integer> fetch(PullPoint point, int count) throws Exception {
    List<Integer> prices = new ArrayList<>();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
    while (prices.size() < count && System.nanoTime() < end) {
      call(point.getPullPoint(), 1, () -> point.getMessages(50)).forEach(message -> prices.add(price(message)));
    }
    return prices;
  }

  private void publish(int price, int times) throws Exception {
    call(broker.getBroker(), times, () -> {
      broker.notify(TOPIC, new JAXBElement<>(PRICE, Integer.class, price));
      return null;
    });
  }

  private int current() throws Exception {
    List<Object> current = call(broker.getBroker(), 1, () -> broker.getCurrentMessage(TOPIC));
    return Integer.parseInt(((Element) current.get(0)).getTextContent().strip());
  }

  private PullPoint newPullPoint() throws Exception {
    CreatePullPoint factory = new CreatePullPoint(services + "CreatePullPoint");
    return call(factory.getCreatePullPoint(), 1, factory::create);
  }

  private String fault(Object port, Operation operation) {
    try {
      run(port, operation);
      return "no fault";
    } catch (Exception e) {
      return e.getClass().getSimpleName();
    }
  }

  private static List<Integer> range(int count, int step) {
    List<Integer> range = new ArrayList<>();
    for (int i = step; i <= count; i += step) {
      range.add(i);
    }
    return range;
  }

  private void refusals(Consumer consumer) {
    Object port = broker.getBroker();
    check("an unknown topic", "TopicNotSupportedFault", fault(port, () -> broker.getCurrentMessage("nothing")));
    check("no topic expression", "InvalidTopicExpressionFault", fault(port, () -> broker.subscribe(consumer, "news/")));
    check("no query", "InvalidMessageContentExpressionFault",
        fault(port, () -> broker.subscribe(consumer, TOPIC, "((")));
    check("a time in the past", "UnacceptableInitialTerminationTimeFault",
        fault(port, () -> broker.subscribe(consumer, TOPIC, null, false, "2001-01-01T00:00:00Z")));
    Subscription nobody = new Subscription(services + "SubscriptionManager/" + NOBODY);
    check("an unknown subscription", "ResourceUnknownFault", fault(nobody.getSubscription(), nobody::unsubscribe));
  }

  private void run() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Consumer consumer = new Consumer(this::hear, "http://127.0.0.1:" + port + "/consumer");
    publish(1, 1);
    check("the current message", 1, current());
    Subscription subscription = call(broker.getBroker(), 1, () -> broker.subscribe(consumer, TOPIC));
    PullPoint point = newPullPoint();
    run(broker.getBroker(), () -> broker.subscribe(point, TOPIC));
    PullPoint tens = newPullPoint();
    run(broker.getBroker(), () -> broker.subscribe(tens, TOPIC, "number(.) mod 10 = 0"));
    Registration registration = call(broker.getBroker(), 1, () -> broker.registerPublisher(consumer, TOPIC));
    publish(2, 2);
    publish(3, 1);
    check("what the consumer heard", List.of(2, 3), heard(2));
    refusals(consumer);

    System.out.println("busy");
    int last = 3;
    while (last < FEWEST || System.in.available() == 0) {
      // A pull point holds 1,000 messages by default: nobody fetches for now.
      Thread.sleep(PAUSE_MS / 5);
      publish(++last, 1);
    }
    List<Integer> all = range(last, 1).subList(1, last);
    same("the consumer heard every message, in order", all, heard(all.size()));
    same("the pull point kept every message, in order", all, fetch(point, all.size()));
    same("the other kept what its query selects", range(last, 10), fetch(tens, last / 10));
    check("the current message later", last, current());
    run(subscription.getSubscription(), subscription::pause);
    publish(++last, 1);
    run(subscription.getSubscription(), subscription::resume);
    run(subscription.getSubscription(), () -> subscription.renew("PT30M"));
    publish(++last, 1);
    all = new ArrayList<>(all);
    all.add(last);
    same("paused, it hears nothing; resumed, it does", all, heard(all.size()));
    run(subscription.getSubscription(), subscription::unsubscribe);
    check("unsubscribed twice", "ResourceUnknownFault",
        fault(subscription.getSubscription(), subscription::unsubscribe));
    run(tens.getPullPoint(), tens::destroy);
    run(point.getPullPoint(), point::destroy);
    check("a destroyed pull point", "ResourceUnknownFault", fault(point.getPullPoint(), () -> point.getMessages(1)));
    run(registration.getRegistration(), registration::destroy);
    check("a destroyed registration", "ResourceUnknownFault",
        fault(registration.getRegistration(), registration::destroy));
    consumer.stop();
    System.out.println("retried " + retried);
    System.out.println("end");
  }
}
