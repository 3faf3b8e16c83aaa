package org.understudy.container.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebMethod;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.xml.bind.Unmarshaller;
import jakarta.xml.bind.annotation.adapters.XmlAdapter;
import jakarta.xml.bind.annotation.adapters.XmlJavaTypeAdapter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.jaxb.JAXBDataBinding;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.junit.jupiter.api.Test;
import org.understudy.container.interceptor.ExpectedOperation;
import org.understudy.container.service.NotebookService;

/** CXF processes messages of the plugin's making, and nothing of the application does. */
class EndpointWarmUpTest {
  private static List<String> responses(Object service, Consumer<EndpointImpl> change) {
    Bus bus = BusFactory.newInstance().createBus();
    try {
      EndpointImpl endpoint = new EndpointImpl(bus, service);
      change.accept(endpoint);
      endpoint.publish("/notebook");
      // As in the thread in which replicas join.
      BusFactory.setThreadDefaultBus(null);
      EndpointWarmUp warmUp = new EndpointWarmUp(bus, endpoint.getServer().getEndpoint());
      List<String> responses = new ArrayList<>();
      for (int i = 0; i < warmUp.requests().size(); i++) {
        responses.add(String.valueOf(warmUp.process()));
      }
      return responses;
    } finally {
      bus.shutdown(true);
    }
  }

  @Test
  void eachOperationWithAResponseIsReadAndAnsweredWithoutTheService() {
    NotebookService service = new NotebookService();
    int before = NotebookService.EXECUTIONS.get();
    List<String> responses = responses(service, endpoint -> {});
    for (String operation : List.of("append", "text", "refuse", "stumble", "quote", "appendSlowly", "clear")) {
      assertEquals(1, responses.stream().filter(one -> one.contains(operation + "Response")).count(), responses.toString());
    }
    assertEquals(7, responses.size(), responses.toString());
    assertEquals(before, NotebookService.EXECUTIONS.get());
    assertEquals("", service.text());
  }

  /** Would reject the message, and counts those that it sees. */
  private static final class Guard extends AbstractPhaseInterceptor<Message> {
    final AtomicInteger seen = new AtomicInteger();

    Guard(String phase) {
      super(phase);
    }

    @Override
    public void handleMessage(Message message) {
      seen.incrementAndGet();
      throw new Fault(new IllegalStateException("not authentic"));
    }
  }

  @Test
  void interceptorsOfTheApplicationSeeNothing() {
    Guard in = new Guard(Phase.PRE_PROTOCOL);
    Guard out = new Guard(Phase.PRE_STREAM);
    List<String> responses = responses(new NotebookService(), endpoint -> {
      endpoint.getInInterceptors().add(in);
      endpoint.getOutInterceptors().add(out);
      endpoint.getOutFaultInterceptors().add(out);
    });
    assertTrue(responses.get(0).contains("Response"), responses.toString());
    assertEquals(0, in.seen.get() + out.seen.get());
  }

  /** An adapter of an application. */
  public static final class Spelling extends XmlAdapter<String, String> {
    static final AtomicInteger USED = new AtomicInteger();

    @Override
    public String unmarshal(String text) {
      USED.incrementAndGet();
      return text;
    }

    @Override
    public String marshal(String text) {
      USED.incrementAndGet();
      return text;
    }
  }

  /** Its parameters pass an adapter. */
  @WebService(targetNamespace = "urn:speller")
  public static class Speller {
    @WebMethod
    public String spell(@XmlJavaTypeAdapter(Spelling.class) String word) {
      return word;
    }

    @WebMethod
    @XmlJavaTypeAdapter(Spelling.class)
    public String guess(int number) {
      return "guess " + number;
    }

    @WebMethod
    public int count(String word) {
      return word.length();
    }
  }

  @Test
  void adaptersOfTheApplicationAreNotCalled() {
    List<String> responses = responses(new Speller(), endpoint -> {});
    assertEquals(0, Spelling.USED.get());
    assertEquals(1, responses.size(), responses.toString());
    assertTrue(responses.get(0).contains("countResponse"), responses.toString());
  }

  @Test
  void dataBindingOfTheApplicationIsNotUsed() {
    AtomicInteger seen = new AtomicInteger();
    JAXBDataBinding binding = new JAXBDataBinding();
    binding.setUnmarshallerListener(new Unmarshaller.Listener() {
      @Override
      public void beforeUnmarshal(Object target, Object parent) {
        seen.incrementAndGet();
      }
    });
    assertEquals(List.of(), responses(new Speller(), endpoint -> endpoint.setDataBinding(binding)));
    assertEquals(0, seen.get());
  }

  /** A part of style RPC, which may not be null. */
  public static class Box {
    private int size;

    public int getSize() {
      return size;
    }

    public void setSize(int size) {
      this.size = size;
    }
  }

  /** Returns what a warm-up cannot make. */
  @WebService(targetNamespace = "urn:boxes")
  @SOAPBinding(style = SOAPBinding.Style.RPC)
  public static class Boxes {
    @WebMethod
    public Box box(int size) {
      Box box = new Box();
      box.setSize(size);
      return box;
    }
  }

  /** CXF logs a fault unless a listener returns false. It would be a warning about a request that no client has sent. */
  @Test
  void faultsOfResponsesAreNotLogged() {
    AtomicInteger faults = new AtomicInteger();
    List<String> responses = responses(new Boxes(), endpoint -> endpoint.getProperties().put(
        FaultListener.class.getName(),
        (FaultListener) (exception, description, message) -> faults.incrementAndGet() > 0));
    assertEquals(List.of("null"), responses);
    assertEquals(0, faults.get());
  }

  /** Otherwise CXF would create a default bus for the web application, which nothing shuts down. */
  @Test
  void theBusOfTheThreadIsThatOfTheEndpointMeanwhile() {
    List<Boolean> same = new ArrayList<>();
    responses(new Speller(), endpoint -> endpoint.getInInterceptors().add(new ExpectedOperation(request -> {
      same.add(BusFactory.getThreadDefaultBus(false) == endpoint.getBus());
      return null;
    })));
    assertEquals(List.of(true), same);
    assertNull(BusFactory.getThreadDefaultBus(false));
  }
}
