package org.understudy.container.style;

import jakarta.activation.DataHandler;
import jakarta.jws.Oneway;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.mail.util.ByteArrayDataSource;
import jakarta.xml.bind.annotation.XmlAttachmentRef;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.soap.AttachmentPart;
import jakarta.xml.soap.MessageFactory;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPMessage;
import jakarta.xml.ws.Holder;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceProvider;
import jakarta.xml.ws.soap.MTOM;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMResult;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.cxf.annotations.SchemaValidation;
import org.understudy.replication.api.Read;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** One service of each style that JAX-WS allows. */
final class Styles {
  private Styles() {}

  private static String text(Source source) {
    try {
      StringWriter text = new StringWriter();
      TransformerFactory.newInstance().newTransformer().transform(source, new StreamResult(text));
      return text.toString().replaceFirst("<\\?xml.*?\\?>", "");
    } catch (TransformerException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** RPC/literal. */
  @WebService(targetNamespace = "urn:rpc")
  @SOAPBinding(style = SOAPBinding.Style.RPC)
  public static class Rpc extends Counted {
    @WebResult(name = "sum")
    public int add(@WebParam(name = "by") int by, @WebParam(name = "why") String why) {
      count += by;
      return count;
    }

    @WebResult(name = "sum")
    public int place(@WebParam(name = "by") int by, @WebParam(name = "area") Area area) {
      count += by + area.corner.x;
      return count;
    }

    @Read
    public int total() {
      return count;
    }
  }

  /** A part whose elements have a namespace. */
  public static class Area {
    @XmlElement(namespace = "urn:area")
    public Corner corner;
  }

  /** An element with a required number. */
  public static class Corner {
    @XmlElement(namespace = "urn:area")
    public int x;
  }

  /** Document/literal, bare, with operations that have nothing in the Body. */
  @WebService(targetNamespace = "urn:bare")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class Bare extends Counted {
    @WebMethod(action = "urn:bare:next")
    @WebResult(name = "nextIs")
    public int next() {
      return ++count;
    }

    @Read
    @WebMethod(action = "urn:bare:last")
    @WebResult(name = "lastIs")
    public int last() {
      return count;
    }

    @WebResult(name = "added")
    public int add(@WebParam(name = "add") int by) {
      count += by;
      return count;
    }
  }

  /** The only operation has nothing in the Body. */
  @WebService(targetNamespace = "urn:alone")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class Alone extends Counted {
    @WebResult(name = "nextIs")
    public int next() {
      return ++count;
    }
  }

  /** A read and an update with the same element in the Body. */
  @WebService(targetNamespace = "urn:same")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class Same extends Counted {
    @WebMethod(action = "urn:same:put")
    @WebResult(name = "had")
    public int put(@WebParam(name = "number") int by) {
      count += by;
      return count;
    }

    @Read
    @WebMethod(action = "urn:same:compare")
    @WebResult(name = "compared")
    public int compare(@WebParam(name = "number") int with) {
      return count - with;
    }
  }

  /** SOAP headers in and out. */
  @WebService(targetNamespace = "urn:headed")
  public static class Headed extends Counted {
    @WebResult(name = "stamped", header = true, targetNamespace = "urn:headed")
    public String stamp(
        @WebParam(name = "what") String what,
        @WebParam(name = "token", header = true, mode = WebParam.Mode.INOUT, targetNamespace = "urn:headed") Holder<String> token) {
      count++;
      token.value = token.value + "/" + count;
      return what + " <" + count + "> & more";
    }

    public String sign(
        @WebParam(name = "what") String what, @WebParam(name = "key", header = true, targetNamespace = "urn:headed") String key) {
      return what + " by " + key + " " + ++count;
    }
  }

  /** Parameters in both directions. */
  @WebService(targetNamespace = "urn:held")
  public static class Held extends Counted {
    public int extend(@WebParam(name = "text", mode = WebParam.Mode.INOUT) Holder<String> text) {
      text.value = text.value + "/" + ++count;
      return count;
    }
  }

  /** A response that must have a name. */
  public static class Named {
    @XmlElement(required = true)
    public String name;

    public int count;
  }

  /** Validates requests and responses. */
  @SchemaValidation
  @WebService(targetNamespace = "urn:validated")
  public static class Validated extends Counted {
    public int add(@WebParam(name = "by") int by) {
      count += by;
      return count;
    }

    /** Its response is invalid. */
    public Named count(@WebParam(name = "by") int by) {
      Named invalid = new Named();
      invalid.count = add(by);
      return invalid;
    }
  }

  /** Has no response. */
  @WebService(targetNamespace = "urn:oneway")
  public static class OneWay extends Counted {
    @Oneway
    public void note(@WebParam(name = "by") int by) {
      count += by;
    }

    @Read
    public int noted() {
      return count;
    }
  }

  /** Attachments by MTOM. */
  @MTOM
  @WebService(targetNamespace = "urn:mtom")
  public static class Optimized extends Counted {
    public byte[] echo(@WebParam(name = "bytes") byte[] bytes) {
      byte[] answer = bytes.clone();
      answer[0] = (byte) ++count;
      return answer;
    }
  }

  /** Attachments by SwA. */
  @WebService(targetNamespace = "urn:swa")
  public static class Attached extends Counted {
    @XmlAttachmentRef
    public DataHandler echo(@WebParam(name = "data") @XmlAttachmentRef DataHandler data) {
      try {
        byte[] bytes = data.getInputStream().readAllBytes();
        bytes[0] = (byte) ('0' + ++count);
        return new DataHandler(new ByteArrayDataSource(bytes, "application/octet-stream"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The content of the Body as a whole. */
  @WebServiceProvider(targetNamespace = "urn:payload", serviceName = "Payloads", portName = "PayloadPort")
  @ServiceMode(Service.Mode.PAYLOAD)
  public static class Payload extends Counted implements Provider<Source> {
    @Override
    public Source invoke(Source request) {
      String asked = request == null ? "nothing" : text(request);
      return new StreamSource(
          new StringReader("<p:answer xmlns:p=\"urn:payload\" count=\"" + ++count + "\">" + asked.length() + "</p:answer>"));
    }
  }

  /** Answers with the namespace of the prefix in the text of the request. */
  @WebServiceProvider(targetNamespace = "urn:typed", serviceName = "Typeds", portName = "TypedPort")
  @ServiceMode(Service.Mode.PAYLOAD)
  public static class Typed extends Counted implements Provider<Source> {
    @Override
    public Source invoke(Source request) {
      try {
        DOMResult tree = new DOMResult();
        TransformerFactory.newInstance().newTransformer().transform(request, tree);
        Element asked = ((Document) tree.getNode()).getDocumentElement();
        String text = asked.getTextContent();
        String type = asked.getAttributeNS(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "type");
        String found =
            asked.lookupNamespaceURI(text.substring(0, text.indexOf(':'))) + " "
                + asked.lookupNamespaceURI(type.substring(0, type.indexOf(':')));
        return new StreamSource(new StringReader("<t:answer xmlns:t=\"urn:typed\" count=\"" + ++count + "\">" + found + "</t:answer>"));
      } catch (TransformerException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  /** The envelope as a whole. */
  @WebServiceProvider(targetNamespace = "urn:message", serviceName = "Messages", portName = "MessagePort")
  @ServiceMode(Service.Mode.MESSAGE)
  public static class Message extends Counted implements Provider<Source> {
    @Override
    public Source invoke(Source request) {
      boolean known = text(request).contains("number");
      return new StreamSource(
          new StringReader(
              "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:m=\"urn:message\"><s:Header><m:known>" + known
                  + "</m:known></s:Header><s:Body><m:answer kind=\"m:plain\">" + ++count + "</m:answer></s:Body></s:Envelope>"));
    }
  }

  /** The message as a whole, with its attachments. */
  @WebServiceProvider(targetNamespace = "urn:saaj", serviceName = "Wholes", portName = "WholePort")
  @ServiceMode(Service.Mode.MESSAGE)
  public static class Whole extends Counted implements Provider<SOAPMessage> {
    @Override
    public SOAPMessage invoke(SOAPMessage request) {
      try {
        SOAPMessage answer = MessageFactory.newInstance().createMessage();
        answer.getSOAPHeader().addHeaderElement(new QName("urn:saaj", "attachments", "w"))
            .setTextContent(Integer.toString(request.countAttachments()));
        answer.getSOAPBody().addBodyElement(new QName("urn:saaj", "answer", "w")).setTextContent(Integer.toString(++count));
        if (request.countAttachments() > 0) {
          AttachmentPart first = request.getAttachments().next();
          AttachmentPart copy = answer.createAttachmentPart();
          copy.setRawContentBytes(first.getRawContentBytes(), 0, first.getRawContentBytes().length, "application/octet-stream");
          copy.setContentId("<copy>");
          answer.addAttachmentPart(copy);
        }
        return answer;
      } catch (SOAPException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  /** All requests are reads. */
  @WebServiceProvider(targetNamespace = "urn:lookup", serviceName = "Lookups", portName = "LookupPort")
  public static class Lookup extends Counted implements Provider<Source> {
    @Override
    @Read
    public Source invoke(Source request) {
      return new StreamSource(new StringReader("<l:found xmlns:l=\"urn:lookup\">" + ++count + "</l:found>"));
    }
  }
}
