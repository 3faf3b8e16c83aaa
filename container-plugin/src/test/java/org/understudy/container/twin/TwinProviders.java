package org.understudy.container.twin;

import jakarta.xml.soap.AttachmentPart;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPMessage;
import jakarta.xml.ws.BindingType;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceProvider;
import jakarta.xml.ws.soap.SOAPBinding;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMResult;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import org.w3c.dom.Node;

/** The services that get whole messages. */
final class TwinProviders {
  private TwinProviders() {}

  static Node tree(Source source) {
    try {
      DOMResult tree = new DOMResult();
      TransformerFactory.newInstance().newTransformer().transform(source, tree);
      return tree.getNode();
    } catch (TransformerException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static String written(Node tree) {
    StringBuilder all = new StringBuilder();
    for (Node child = tree.getFirstChild(); child != null; child = child.getNextSibling()) {
      all.append(CanonicalXml.of(child));
    }
    return all.length() < 5_000 ? all.toString() : all.length() + " characters " + all.toString().hashCode();
  }

  /** The content of the Body. */
  @WebServiceProvider(targetNamespace = "urn:twin:payload", serviceName = "Payloads", portName = "PayloadPort")
  @ServiceMode(Service.Mode.PAYLOAD)
  public static class Payload extends Witness implements Provider<Source> {
    @Override
    public Source invoke(Source request) {
      if (request == null) {
        sees("invoke", (Object) null);
        return null;
      }
      Node tree = tree(request);
      String text = written(tree);
      sees("invoke", text);
      if (text.contains("}null>")) {
        return null;
      } else if (text.contains("}fail>")) {
        throw new IllegalStateException("it fails");
      } else if (text.contains("}text>")) {
        return new StreamSource(
            new StringReader("<p:a xmlns:p='urn:twin:payload' xmlns:q='urn:q'>q:name<!-- c --><?pi x?><![CDATA[<]]></p:a>"));
      }
      return new DOMSource(tree);
    }
  }

  /** The envelope. */
  @WebServiceProvider(targetNamespace = "urn:twin:message", serviceName = "Messages", portName = "MessagePort")
  @ServiceMode(Service.Mode.MESSAGE)
  public static class Whole extends Witness implements Provider<Source> {
    @Override
    public Source invoke(Source request) {
      Node tree = tree(request);
      sees("invoke", written(tree));
      return new DOMSource(tree);
    }
  }

  /** The message with its attachments. */
  @WebServiceProvider(targetNamespace = "urn:twin:saaj", serviceName = "Saajs", portName = "SaajPort")
  @ServiceMode(Service.Mode.MESSAGE)
  public static class Saaj extends Witness implements Provider<SOAPMessage> {
    @Override
    public SOAPMessage invoke(SOAPMessage request) {
      try {
        List<String> parts = new ArrayList<>();
        for (var all = request.getAttachments(); all.hasNext(); ) {
          AttachmentPart part = all.next();
          parts.add(part.getContentType() + " " + part.getSize());
        }
        sees("invoke", CanonicalXml.of(request.getSOAPPart().getDocumentElement()), parts);
        return request;
      } catch (SOAPException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  /** The same with SOAP 1.2. */
  @BindingType(SOAPBinding.SOAP12HTTP_BINDING)
  @WebServiceProvider(targetNamespace = "urn:twin:saaj", serviceName = "Saajs12", portName = "SaajPort12")
  @ServiceMode(Service.Mode.MESSAGE)
  public static class Saaj12 extends Saaj {}
}
