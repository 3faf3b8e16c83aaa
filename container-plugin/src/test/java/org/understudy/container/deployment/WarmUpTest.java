package org.understudy.container.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.Test;
import org.understudy.container.interceptor.ExpectedOperation;
import org.understudy.container.service.NotebookService;

/** No failure of a warm-up concerns the replica. */
class WarmUpTest {
  /** The model of an endpoint can be of a form for which no request can be made. */
  @Test
  void endpointWithoutAModelIsPublishedAllTheSame() throws InterruptedException {
    WarmUp warmUp = new WarmUp();
    warmUp.add(null, null, NotebookService.class);
    warmUp.run();
  }

  /** An error would halt the replica, where a request of a client would only get a fault. */
  @Test
  void errorOfAnXmlLibraryEndsIt() throws InterruptedException {
    AtomicInteger requests = new AtomicInteger();
    Bus bus = BusFactory.newInstance().createBus();
    try {
      EndpointImpl endpoint = new EndpointImpl(bus, new NotebookService());
      endpoint.getInInterceptors().add(new ExpectedOperation(request -> {
        requests.incrementAndGet();
        throw new StackOverflowError("too deep");
      }));
      endpoint.publish("/notebook");
      WarmUp warmUp = new WarmUp();
      warmUp.add(bus, endpoint.getServer().getEndpoint(), NotebookService.class);
      warmUp.run();
    } finally {
      bus.shutdown(true);
    }
    assertEquals(1, requests.get());
  }
}
