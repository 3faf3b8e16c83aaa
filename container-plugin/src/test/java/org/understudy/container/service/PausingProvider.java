package org.understudy.container.service;

import jakarta.annotation.Resource;
import jakarta.jws.HandlerChain;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.WebServiceContext;
import jakarta.xml.ws.WebServiceProvider;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.cxf.continuations.Continuation;
import org.apache.cxf.continuations.ContinuationProvider;
import org.understudy.replication.api.StateCapture;

/** Counts requests. Suspends each for some milliseconds, or only gets the continuation if the text is {@code at once}. */
@HandlerChain(file = "stamp-handlers.xml")
@WebServiceProvider(targetNamespace = "urn:pausing", serviceName = "Pauses", portName = "PausePort")
public class PausingProvider implements Provider<Source>, StateCapture {
  private int count;

  @Resource private WebServiceContext context;

  @Override
  public Source invoke(Source request) {
    Continuation continuation =
        ((ContinuationProvider) context.getMessageContext().get(ContinuationProvider.class.getName())).getContinuation();
    if (continuation.isNew() && !text(request).equals("at once")) {
      continuation.suspend(20);
      return null;
    }
    return new StreamSource(new StringReader("<p:count xmlns:p=\"urn:pausing\">" + ++count + "</p:count>"));
  }

  private static String text(Source request) {
    try {
      DOMResult tree = new DOMResult();
      TransformerFactory.newInstance().newTransformer().transform(request, tree);
      return tree.getNode().getFirstChild().getTextContent();
    } catch (TransformerException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public byte[] captureState() {
    return Integer.toString(count).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void restoreState(byte[] state) {
    count = Integer.parseInt(new String(state, StandardCharsets.UTF_8));
  }
}
