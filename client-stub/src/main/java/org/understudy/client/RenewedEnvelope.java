package org.understudy.client;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.binding.soap.SoapHeader;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.headers.Header;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.interceptor.Interceptor;
import org.apache.cxf.interceptor.InterceptorChain;
import org.apache.cxf.interceptor.MessageSenderInterceptor;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageImpl;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.staxutils.StaxUtils;
import org.understudy.client.connection.Content;
import org.understudy.replication.soap.HeaderBlock;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * A message that is marshalled, signed and encrypted anew for each attempt, because an interceptor or a SOAP handler may sign it:
 * with a nonce, a timestamp or a signature that was seen before, a receiver's replay cache would reject an honest retry. The
 * replication header and the header blocks of the resource are in the message before it is signed. Everything that names the
 * call ({@code wsa:MessageID}, session and sequence) is the same in each attempt.
 */
final class RenewedEnvelope implements OutgoingMessage {
  /** CXF's own interceptors that write the same message each time. */
  private static final List<String> REPEATABLE =
      List.of(
          "org.apache.cxf.binding.soap.", "org.apache.cxf.ext.logging.", "org.apache.cxf.interceptor.",
          "org.apache.cxf.jaxws.interceptors.", "org.apache.cxf.jaxws.handler.logical.", "org.apache.cxf.metrics.",
          "org.apache.cxf.transport.", "org.apache.cxf.ws.addressing.", "org.apache.cxf.ws.policy.",
          "org.apache.cxf.wsdl.interceptors.");

  private static final ClassValue<Boolean> IS_REPEATABLE = new ClassValue<>() {
    @Override
    protected Boolean computeValue(Class<?> type) {
      return REPEATABLE.stream().anyMatch(type.getName()::startsWith);
    }
  };

  private final Message message;
  private final PhaseInterceptorChain chain;
  private final Map<String, Object> properties;
  private final Map<Class<?>, Object> contents = new HashMap<>();
  private final List<Header> headers;

  /** @param message at {@link MessageSenderInterceptor} */
  RenewedEnvelope(Message message) {
    this.message = message;
    this.chain = ((PhaseInterceptorChain) message.getInterceptorChain()).cloneChain();
    chain.setFaultObserver(null);
    this.properties = new HashMap<>(message);
    for (Class<?> format : message.getContentFormats()) {
      contents.put(format, message.getContent(format));
    }
    this.headers = List.copyOf(((SoapMessage) message).getHeaders());
  }

  /** Whether something in the message's chain may produce a different message each time. */
  static boolean isNeeded(Message message) {
    if (!(message instanceof SoapMessage) || !(message.getInterceptorChain() instanceof PhaseInterceptorChain chain)) {
      return false;
    }
    boolean behind = false;
    for (Interceptor<? extends Message> one : chain) {
      if (behind && !IS_REPEATABLE.get(one.getClass())) {
        return true;
      }
      behind |= one instanceof MessageSenderInterceptor;
    }
    return false;
  }

  @Override
  public Sent attempt(byte[] constant, HeaderBlock block) {
    SoapMessage copy = copy();
    copy.getHeaders().addAll(blocks(constant, block));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(4_096);
    copy.setContent(OutputStream.class, bytes);
    PhaseInterceptorChain once = chain.cloneChain();
    copy.setInterceptorChain(once);
    Exchange exchange = message.getExchange();
    // Interceptors know an outgoing message by its place in the exchange, and those of the answer look there too.
    exchange.setOutMessage(copy);
    once.doInterceptStartingAfter(copy, MessageSenderInterceptor.class.getName());
    Exception failure = copy.getContent(Exception.class);
    if (failure != null) {
      exchange.setOutMessage(message);
      exchange.remove(Exception.class.getName());
      throw failure instanceof Fault fault ? fault : new Fault(failure);
    }
    if (once.getState() == InterceptorChain.State.ABORTED) {
      throw new AnsweredByHandlerException();
    }
    byte[] envelope = bytes.toByteArray();
    return new Sent(ReplicaConduit.contentType(copy), HttpFields.of(copy), Content.of(envelope));
  }

  /** Its length is not known before it is written. */
  @Override
  public boolean isShort() {
    return message.getAttachments() == null || message.getAttachments().isEmpty();
  }

  private SoapMessage copy() {
    Exchange exchange = message.getExchange();
    SoapMessage copy = (SoapMessage) exchange.getEndpoint().getBinding().createMessage(new MessageImpl());
    copy.setExchange(exchange);
    copy.putAll(properties);
    copy.setVersion(((SoapMessage) message).getVersion());
    if (properties.get(Message.PROTOCOL_HEADERS) instanceof Map<?, ?> given) {
      copy.put(Message.PROTOCOL_HEADERS, new HashMap<>(given));
    }
    copy.put(Header.HEADER_LIST, new ArrayList<>(headers));
    contents.forEach((format, content) -> put(copy, format, content));
    copy.setAttachments(message.getAttachments() == null ? null : new ArrayList<>(message.getAttachments()));
    return copy;
  }

  private static <T> void put(Message copy, Class<T> format, Object content) {
    copy.setContent(format, format.cast(content));
  }

  private static List<Header> blocks(byte[] constant, HeaderBlock block) {
    String text =
        "<blocks>" + new String(constant, StandardCharsets.UTF_8)
            + new String(block.bytes(), 0, block.count(), StandardCharsets.US_ASCII) + "</blocks>";
    List<Header> blocks = new ArrayList<>();
    try {
      Element all = StaxUtils.read(new StringReader(text)).getDocumentElement();
      for (Node child = all.getFirstChild(); child != null; child = child.getNextSibling()) {
        if (child instanceof Element element) {
          blocks.add(new SoapHeader(new QName(element.getNamespaceURI(), element.getLocalName()), element));
        }
      }
    } catch (XMLStreamException e) {
      throw new IllegalStateException("The header blocks of this client are not well-formed.", e);
    }
    return blocks;
  }
}
