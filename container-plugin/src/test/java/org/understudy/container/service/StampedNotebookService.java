package org.understudy.container.service;

import jakarta.jws.HandlerChain;
import jakarta.jws.WebService;
import jakarta.xml.soap.SOAPElement;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.handler.MessageContext;
import jakarta.xml.ws.handler.soap.SOAPHandler;
import jakarta.xml.ws.handler.soap.SOAPMessageContext;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.xml.namespace.QName;

/** A notebook whose handler admits requests with a key, and puts a stamp with a new number on each answer. */
@HandlerChain(file = "stamp-handlers.xml")
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class StampedNotebookService extends NotebookService {
  /** Header blocks of requests that have the key. */
  public static final String KEY = "<s:Key xmlns:s=\"urn:stamp\">open</s:Key>";

  /** The handler. */
  public static final class Stamp implements SOAPHandler<SOAPMessageContext> {
    private static final QName KEY = new QName("urn:stamp", "Key");
    /** The HTTP headers of requests, as the handler sees them. */
    public static final Queue<Map<String, List<String>>> SEEN = new ConcurrentLinkedQueue<>();

    private static final AtomicInteger STAMPS = new AtomicInteger();

    @Override
    public Set<QName> getHeaders() {
      return Set.of(KEY);
    }

    @Override
    public boolean handleMessage(SOAPMessageContext context) {
      try {
        if ((Boolean) context.get(MessageContext.MESSAGE_OUTBOUND_PROPERTY)) {
          stamp(context);
        } else if (!context.getMessage().getSOAPHeader().getChildElements(KEY).hasNext()) {
          throw new WebServiceException("The key is missing.");
        } else {
          record(context);
        }
        return true;
      } catch (SOAPException e) {
        throw new WebServiceException(e);
      }
    }

    @SuppressWarnings("unchecked") // As JAX-WS declares it.
    private static void record(SOAPMessageContext context) {
      Map<String, List<String>> seen = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      seen.putAll((Map<String, List<String>>) context.get(MessageContext.HTTP_REQUEST_HEADERS));
      SEEN.add(seen);
    }

    private static void stamp(SOAPMessageContext context) throws SOAPException {
      var envelope = context.getMessage().getSOAPPart().getEnvelope();
      var header = envelope.getHeader() == null ? envelope.addHeader() : envelope.getHeader();
      SOAPElement stamp = header.addChildElement(new QName("urn:stamp", "Stamp", "s"));
      stamp.addTextNode(Integer.toString(STAMPS.incrementAndGet()));
    }

    @Override
    public boolean handleFault(SOAPMessageContext context) {
      return handleMessage(context);
    }

    @Override
    public void close(MessageContext context) {}
  }
}
