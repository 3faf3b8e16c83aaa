import com.counter.CounterPortType;
import com.counter.CounterService;
import com.counter.UnknownCounter;
import com.sun.xml.ws.api.message.Headers;
import com.sun.xml.ws.developer.JAXWSProperties;
import com.sun.xml.ws.developer.WSBindingProvider;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.WebServiceFeature;
import jakarta.xml.ws.soap.AddressingFeature;
import jakarta.xml.ws.soap.SOAPFaultException;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import javax.xml.transform.stream.StreamResult;

/** A session with the Counter by Metro. Arguments: the WSDL's URL at each replica, first the one to begin with. */
public final class Session {
  private static final QName MESSAGE_ID = new QName("http://www.w3.org/2005/08/addressing", "MessageID");
  private static final QName PORT12 = new QName("http://counter.com", "CounterPort12");
  /** An answer without WS-Addressing's headers is refused by Metro. */
  static final WebServiceFeature ADDRESSING = new AddressingFeature(true, true);

  private static final String NOBODY = "0".repeat(32);
  private static final int ATTEMPTS = 200;
  private static final int PAUSE_MS = 50;
  private static final int FEWEST_ADDS = 20;

  private final List<String> wsdls;
  private final List<String> replicas;
  private int at = -1;
  private int retried;

  private Session(List<String> wsdls) {
    this.wsdls = wsdls;
    this.replicas = wsdls.stream().map(wsdl -> URI.create(wsdl).getAuthority()).toList();
  }

  public static void main(String[] wsdls) throws Exception {
    try {
      new Session(List.of(wsdls)).run();
    } catch (Exception e) {
      e.printStackTrace(System.out);
      System.out.println("WRONG " + e.getMessage());
      System.exit(1);
    }
  }

  static void check(String what, Object expected, Object actual) {
    if (!Objects.equals(expected, actual)) {
      throw new IllegalStateException(what + ": expected " + expected + ", got " + actual);
    }
    System.out.println("ok " + what + ": " + actual);
  }

  /** One call: the same MessageID at the next replica when a connection fails. A fault is an answer. */
  <T> T call(Object port, Callable<T> call) throws Exception {
    return call(port, 1, call);
  }

  private <T> T call(Object port, int times, Callable<T> call) throws Exception {
    Map<String, Object> context = ((BindingProvider) port).getRequestContext();
    // A port makes a new one for each call, unless it is given: JAXWSProperties.ADDRESSING_MESSAGEID is not heeded.
    ((WSBindingProvider) port).setOutboundHeaders(Headers.create(MESSAGE_ID, "urn:uuid:" + UUID.randomUUID()));
    context.put(JAXWSProperties.CONNECT_TIMEOUT, 30_000);
    context.put("com.sun.xml.ws.request.timeout", 60_000);
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
      } catch (SOAPFaultException e) {
        throw e;
      } catch (WebServiceException e) {
        if (!(e.getCause() instanceof IOException)) {
          throw e;
        }
        retried++;
        at = (replicas.indexOf(target.getAuthority()) + 1) % replicas.size();
        Thread.sleep(PAUSE_MS);
      }
    }
    throw new IllegalStateException("no replica answers; tried " + ATTEMPTS + " times");
  }

  private int add(CounterPortType port, int value) throws Exception {
    return call(port, () -> port.add(value));
  }

  private int value(CounterPortType port) throws Exception {
    return call(port, port::getValue);
  }

  private W3CEndpointReference create(CounterPortType port) throws Exception {
    return call(port, () -> port.createCounter(null));
  }

  private static String text(W3CEndpointReference reference) {
    java.io.StringWriter text = new java.io.StringWriter();
    reference.writeTo(new StreamResult(text));
    return text.toString();
  }

  private String toldUnknown(CounterPortType port, String address) throws Exception {
    ((BindingProvider) port).getRequestContext().put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, address);
    try {
      return "no fault but " + add(port, 1);
    } catch (UnknownCounter e) {
      return e.getFaultInfo().getMessage();
    }
  }

  private void run() throws Exception {
    CounterService service = new CounterService(new URL(wsdls.get(0)));
    CounterPortType soap11 = service.getCounterPort(ADDRESSING);
    CounterPortType soap12 = service.getPort(PORT12, CounterPortType.class, ADDRESSING);
    // The standard way: a port of the endpoint reference, which sends the reference parameters.
    W3CEndpointReference made = create(soap11);
    CounterPortType first = service.getPort(made, CounterPortType.class, ADDRESSING);
    String address = (String) ((BindingProvider) first).getRequestContext().get(BindingProvider.ENDPOINT_ADDRESS_PROPERTY);
    String id = address.substring(address.lastIndexOf('/') + 1);
    check("the id is in the URL and in the reference parameters", true,
        text(made).matches("(?s).*ReferenceParameters.*>" + id + "<.*ReferenceParameters.*"));
    Standards standards = new Standards(this, service, first);
    standards.before(0);
    check("add 3, sent twice with one MessageID", 3, call(first, 2, () -> first.add(3)));
    check("add 10", 13, add(first, 10));
    check("value", 13, value(first));
    standards.classic();
    W3CEndpointReference another = create(soap12);
    CounterPortType other = service.getPort(another, CounterPortType.class, ADDRESSING);
    check("add 1 to another counter", 1, add(other, 1));
    ((BindingProvider) soap12).getRequestContext().put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, address);
    check("value of the first by SOAP 1.2", 13, value(soap12));
    check("add 2 to the first by SOAP 1.2", 15, add(soap12, 2));
    String nowhere = address.replace(id, NOBODY);
    Stream.of(soap11, soap12).forEach(port -> {
      try {
        check("an unknown counter is told", true, toldUnknown(port, nowhere).contains(NOBODY));
      } catch (Exception e) {
        throw new IllegalStateException("an unknown counter is told otherwise", e);
      }
    });

    System.out.println("busy");
    int adds = 0;
    while (adds < FEWEST_ADDS || System.in.available() == 0) {
      adds++;
      // A pull point holds 1,000 messages by default: nobody fetches for now.
      Thread.sleep(PAUSE_MS / 5);
      int total = add(first, 1);
      if (total != 15 + adds) {
        check("add " + adds + " while busy", 15 + adds, total);
      }
    }
    check("value after being busy", 15 + adds, value(first));
    check("value of the other", 1, value(other));
    check("add 100", 115 + adds, add(first, 100));
    List<Integer> totals = new ArrayList<>(List.of(3, 13));
    IntStream.rangeClosed(15, 15 + adds).forEach(totals::add);
    totals.add(115 + adds);
    standards.after(totals);
    System.out.println("retried " + retried);
    System.out.println("end");
  }
}
