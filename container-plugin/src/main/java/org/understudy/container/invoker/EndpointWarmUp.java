package org.understudy.container.invoker;

import jakarta.xml.bind.annotation.adapters.XmlJavaTypeAdapter;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.binding.Binding;
import org.apache.cxf.databinding.DataBinding;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.interceptor.Interceptor;
import org.apache.cxf.interceptor.InterceptorProvider;
import org.apache.cxf.interceptor.OneWayProcessorInterceptor;
import org.apache.cxf.interceptor.OutgoingChainInterceptor;
import org.apache.cxf.interceptor.ServiceInvokerInterceptor;
import org.apache.cxf.jaxb.JAXBDataBinding;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.ExchangeImpl;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageContentsList;
import org.apache.cxf.message.MessageImpl;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.phase.PhaseManager;
import org.apache.cxf.service.Service;
import org.apache.cxf.service.model.BindingMessageInfo;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.MessagePartInfo;
import org.apache.cxf.wsdl.service.factory.ReflectionServiceFactoryBean;
import org.apache.ws.commons.schema.XmlSchemaElement;
import org.understudy.container.request.InvokerExchange.Marshalled;
import org.understudy.container.response.BoundedContent;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.XmlText;

/**
 * Reads requests to an endpoint and writes responses as CXF does, without the service, so that the first request of a client meets classes
 * that are loaded and code that is compiled. The requests are made here, one for each operation, with 0, false or an empty string for each
 * parameter of a simple type and without the others. Only CXF's own interceptors run that read or write messages: none of the application,
 * and none that authenticates, logs or measures. Operations with a JAXB adapter of the application are left out, and all if it has changed
 * the data binding. Of the application's code, only its classes for messages run: JAXB creates them and sets their properties. For one
 * thread.
 */
public final class EndpointWarmUp {
  private static final String XSD = "http://www.w3.org/2001/XMLSchema";
  private static final Set<String> NUMBERS =
      Set.of("int", "long", "short", "byte", "integer", "decimal", "double", "float", "unsignedInt", "unsignedShort", "unsignedByte");
  private static final Map<Class<?>, Object> RESULTS =
      Map.of(
          boolean.class, false, byte.class, (byte) 0, short.class, (short) 0, int.class, 0, long.class, 0L, float.class, 0f,
          double.class, 0d, String.class, "");
  /** CXF logs nothing of the faults. */
  private static final FaultListener SILENT = (exception, description, message) -> false;

  private final Bus bus;
  private final Endpoint endpoint;
  private final List<byte[]> requests;
  private int next;

  /** @param endpoint a published endpoint whose service is no {@link jakarta.xml.ws.Provider} */
  public EndpointWarmUp(Bus bus, Endpoint endpoint) {
    this.bus = bus;
    this.endpoint = endpoint;
    this.requests = requests(endpoint);
  }

  /** The requests, one for each operation with a response and without adapters; SOAP 1.1. None for a data binding of the application. */
  public List<byte[]> requests() {
    return requests;
  }

  /**
   * Processes the request of the next operation, and after the last one that of the first.
   *
   * @return the response; null when CXF rejects the request, for example because it lacks a parameter
   * @throws RuntimeException when CXF cannot write a response
   */
  public String process() {
    byte[] request = requests.get(next);
    next = (next + 1) % requests.size();
    // As for a request of a client; otherwise CXF would create another bus where it needs one.
    Bus before = BusFactory.getAndSetThreadDefaultBus(bus);
    try {
      return process(request);
    } finally {
      BusFactory.setThreadDefaultBus(before);
    }
  }

  private String process(byte[] request) {
    Exchange exchange = new ExchangeImpl();
    // Here, too, because the outgoing message has no other way to it.
    exchange.put(FaultListener.class.getName(), SILENT);
    exchange.put(Bus.class, bus);
    exchange.put(Service.class, endpoint.getService());
    exchange.put(Endpoint.class, endpoint);
    exchange.put(Binding.class, endpoint.getBinding());
    Message in = read(exchange, request);
    Message out = endpoint.getBinding().createMessage(new MessageImpl());
    out.setExchange(exchange);
    exchange.setOutMessage(out);
    BindingOperationInfo operation = exchange.getBindingOperationInfo();
    if (in.getContent(Exception.class) != null || operation == null) {
      Marshalling.fault(exchange, new Fault(new IllegalArgumentException("The request lacks a parameter.")), unlimited());
      return null;
    }
    Marshalled response = Marshalling.response(exchange, out, result(operation), unlimited());
    BoundedContent content = response.content();
    return response.fault() ? null : new String(content.bytes(), 0, (int) content.length(), StandardCharsets.UTF_8);
  }

  private static BoundedContent unlimited() {
    return new BoundedContent(Integer.MAX_VALUE);
  }

  /** Lets CXF read a request. */
  private Message read(Exchange exchange, byte[] request) {
    Message in = endpoint.getBinding().createMessage(new MessageImpl());
    in.setExchange(exchange);
    exchange.setInMessage(in);
    in.put(FaultListener.class.getName(), SILENT);
    in.put(Message.CONTENT_TYPE, SoapVersion.SOAP11.contentType());
    in.put(Message.ENCODING, StandardCharsets.UTF_8.name());
    in.put(Message.HTTP_REQUEST_METHOD, "POST");
    in.put(Message.REQUESTOR_ROLE, false);
    in.put(Message.INBOUND_MESSAGE, true);
    in.put(Message.PROTOCOL_HEADERS, new TreeMap<>(String.CASE_INSENSITIVE_ORDER));
    in.setContent(InputStream.class, new ByteArrayInputStream(request));
    PhaseInterceptorChain chain = new PhaseInterceptorChain(bus.getExtension(PhaseManager.class).getInPhases());
    Stream.concat(
            Stream.<InterceptorProvider>of(bus, endpoint.getService(), endpoint, endpoint.getBinding()),
            Stream.of(endpoint.getService().getDataBinding()).filter(InterceptorProvider.class::isInstance)
                .map(InterceptorProvider.class::cast))
        .flatMap(provider -> provider.getInInterceptors().stream())
        .filter(EndpointWarmUp::reads)
        .forEach(chain::add);
    in.setInterceptorChain(chain);
    chain.doIntercept(in);
    return in;
  }

  /** Whether this interceptor is a part of reading a message. */
  private static boolean reads(Interceptor<? extends Message> one) {
    return Marshalling.marshals(one)
        && !(one instanceof ServiceInvokerInterceptor)
        && !(one instanceof OutgoingChainInterceptor)
        && !(one instanceof OneWayProcessorInterceptor);
  }

  private static MessageContentsList result(BindingOperationInfo operation) {
    MessageContentsList result = new MessageContentsList();
    for (MessagePartInfo part : operation.getOutput().getMessageParts()) {
      result.put(part, part.getTypeClass() == null ? null : RESULTS.get(part.getTypeClass()));
    }
    return result;
  }

  private static List<byte[]> requests(Endpoint endpoint) {
    List<byte[]> requests = new ArrayList<>();
    if (!isOfCxf(endpoint.getService().getDataBinding())) {
      return requests;
    }
    for (BindingOperationInfo operation : endpoint.getBinding().getBindingInfo().getOperations()) {
      BindingOperationInfo wrapped = RequestBinding.wrapped(operation);
      if (wrapped.getOutput() != null && !isAdapted(wrapped.getInput()) && !isAdapted(wrapped.getOutput())) {
        requests.add(request(wrapped).getBytes(StandardCharsets.UTF_8));
      }
    }
    return List.copyOf(requests);
  }

  /** Whether the data binding is CXF's for JAXB, without anything of the application that it would call. */
  private static boolean isOfCxf(DataBinding binding) {
    return binding instanceof JAXBDataBinding jaxb
        && jaxb.getClass() == JAXBDataBinding.class
        && Stream.of(jaxb.getMarshallerListener(), jaxb.getUnmarshallerListener(), jaxb.getValidationEventHandler())
            .allMatch(Objects::isNull)
        && (jaxb.getConfiguredXmlAdapters() == null || jaxb.getConfiguredXmlAdapters().isEmpty());
  }

  /** Whether JAXB would call an adapter of the application for a part, or for a parameter in it. */
  private static boolean isAdapted(BindingMessageInfo message) {
    return message.getMessageParts().stream().anyMatch(part -> {
      Class<?> type = part.getTypeClass();
      return Stream.of(ReflectionServiceFactoryBean.PARAM_ANNOTATION, ReflectionServiceFactoryBean.METHOD_ANNOTATIONS)
              .map(part::getProperty)
              .filter(Annotation[].class::isInstance)
              .flatMap(all -> Stream.of((Annotation[]) all))
              .anyMatch(XmlJavaTypeAdapter.class::isInstance)
          || type != null && Stream.<AnnotatedElement[]>of(type.getDeclaredFields(), type.getDeclaredMethods())
              .flatMap(Stream::of)
              .anyMatch(one -> one.isAnnotationPresent(XmlJavaTypeAdapter.class));
    });
  }

  private static String request(BindingOperationInfo wrapped) {
    QName element = RequestBinding.element(wrapped);
    List<MessagePartInfo> parts = List.of();
    if (RequestBinding.isRpc(wrapped)) {
      parts = RequestBinding.bodyParts(wrapped);
    } else if (wrapped.isUnwrappedCapable()) {
      parts = wrapped.getUnwrappedOperation().getInput().getMessageParts();
    }
    StringBuilder text = new StringBuilder(512);
    text.append("<e:Envelope xmlns:e=\"").append(SoapVersion.SOAP11.namespace()).append("\"><e:Body>");
    if (!element.getLocalPart().isEmpty()) {
      open(text, element);
      for (MessagePartInfo part : parts) {
        String value = value(part.getTypeQName());
        if (value != null) {
          QName name = name(part);
          open(text, name);
          text.append(value);
          close(text, name);
        }
      }
      close(text, element);
    }
    return text.append("</e:Body></e:Envelope>").toString();
  }

  /** The element of a parameter, in a namespace if its schema says so. */
  private static QName name(MessagePartInfo part) {
    if (part.getXmlSchema() instanceof XmlSchemaElement element && element.getWireName() != null) {
      return element.getWireName();
    }
    return new QName(part.getConcreteName().getLocalPart());
  }

  private static void open(StringBuilder text, QName name) {
    boolean qualified = !name.getNamespaceURI().isEmpty();
    text.append('<').append(qualified ? "p:" : "").append(name.getLocalPart());
    if (qualified) {
      text.append(" xmlns:p=\"").append(XmlText.escape(name.getNamespaceURI())).append('"');
    }
    text.append('>');
  }

  private static void close(StringBuilder text, QName name) {
    text.append("</").append(name.getNamespaceURI().isEmpty() ? "" : "p:").append(name.getLocalPart()).append('>');
  }

  /** The value of a parameter; null for one that is left out. */
  private static String value(QName type) {
    if (type == null || !type.getNamespaceURI().equals(XSD)) {
      return null;
    }
    String name = type.getLocalPart();
    if (name.equals("boolean")) {
      return "false";
    }
    return NUMBERS.contains(name) ? "0" : name.equals("string") || name.equals("base64Binary") ? "" : null;
  }
}
