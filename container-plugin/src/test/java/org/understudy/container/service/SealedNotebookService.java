package org.understudy.container.service;

import jakarta.jws.WebService;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.interceptor.InInterceptors;
import org.apache.cxf.interceptor.OutFaultInterceptors;
import org.apache.cxf.interceptor.OutInterceptors;
import org.apache.cxf.ws.security.wss4j.WSS4JInInterceptor;
import org.apache.cxf.ws.security.wss4j.WSS4JOutInterceptor;

/** A notebook whose messages are signed and encrypted, with a timestamp. */
@InInterceptors(classes = SealedNotebookService.Open.class)
@OutInterceptors(classes = SealedNotebookService.Seal.class)
@OutFaultInterceptors(classes = SealedNotebookService.Seal.class)
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class SealedNotebookService extends NotebookService {
  /** Messages that were verified. */
  public static final AtomicInteger OPENED = new AtomicInteger();
  private static final String BODY = "{Element}{http://schemas.xmlsoap.org/soap/envelope/}Body";

  /** Verifies and decrypts. */
  public static final class Open extends WSS4JInInterceptor {
    public Open() {
      super(SecurityKeys.incoming());
    }

    @Override
    public void handleMessage(SoapMessage message) {
      super.handleMessage(message);
      OPENED.incrementAndGet();
    }
  }

  /** Signs, and encrypts for the client whose certificate signed the request. */
  public static final class Seal extends WSS4JOutInterceptor {
    public Seal() {
      super(SecurityKeys.outgoing(SecurityKeys.SERVICE, "useReqSigCert", BODY));
    }
  }
}
